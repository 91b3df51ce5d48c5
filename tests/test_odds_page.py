"""The listings of `interpreter/odds/README.md` are what the code produces for the mechanic of the page.

`python -m tests.record odds` writes them anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter import ir, pipeline
from interpreter.diagnostics.source import Source
from interpreter.ir.printer import expression, listing
from interpreter.odds import engine
from interpreter.odds.engine import ForwardEngine
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.liveness import Use
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.rules import rule_block
from interpreter.odds.lower.verbs import VERBS
from interpreter.odds.operations import Block, Frame, Op
from interpreter.odds.straight_line import PendingStates
from interpreter.runtime.evaluator import Closures

PAGE = Path(interpreter.__file__).parent / "odds" / "README.md"
LISTING = re.compile(r"(<!-- listing: (\w+) -->\n```\w+\n)(.*?)(?=```)", re.DOTALL)


def mechanic() -> str:
    found = re.search(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def program() -> ir.Program:
    loaded = pipeline.from_text(Source.of("strike.yaml", mechanic()))
    assert loaded.program is not None and not loaded.problems.errors
    return loaded.program


def lowered() -> tuple[Lowering, Block]:
    """The mechanic, lowered for its outcome."""
    lowering = Lowering(Closures(program(), {}), VERBS)
    return lowering, rule_block(lowering, lowering.program.mechanics["strike"], frozenset({("hit",)}))


# Printers --------------------------------------------------------------------------------------------------------


def value(one: Any) -> str:
    if isinstance(one, LazyRoll):
        return "LazyRoll(" + " & ".join(f"{count}{unit.die}" for unit, count in one.groups) + ")"
    return str(one)


def frame(at: Frame) -> str:
    return "{" + ", ".join(f"{name}: {value(one)}" for name, one in at.items() if name != ".meter") + "}"


def use(one: Use) -> str:
    return f"{expression(one.reading.expr)} as {one.name}" if one.reading else ".".join(one.path)


def operation(op: Op) -> str:
    parts = [f"{op.name}: {'lazy roll' if op.throws else 'formula'}"]
    if op.uses:
        parts.append(f"reads {', '.join(map(use, op.uses))}")
    if op.drop:
        parts.append(f"then forgets {', '.join(op.drop)}")
    return "; ".join(parts)


# Listings --------------------------------------------------------------------------------------------------------


def blocks() -> str:
    return "\n".join(map(operation, lowered()[1].ops))


def demand() -> str:
    """What each operation demands of an open roll, with its law."""
    lines: list[str] = []
    lowering, block = lowered()
    forward = ForwardEngine(lowering, lambda choice: [])
    drawing = forward.drawing
    plainly = drawing._law_of

    def law_of(wanted: Any, at: Frame) -> Any:
        law = plainly(wanted, at)
        lines.append(f"{value(wanted.source)} is read by {', '.join(wanted.names)}")
        lines.extend(f"  {', '.join(map(str, row))}: {weight} / {law.total}" for row, weight in law.rows)
        return law

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "_law_of", law_of)
        forward.law(block, {})
    return "\n".join(lines)


def states() -> str:
    """The states that wait before each operation, merged."""
    lines: list[str] = []
    lowering, block = lowered()

    class Told(PendingStates):
        def take(self, place: int) -> tuple[list[tuple[Frame, int]], int]:
            found, total = super().take(place)
            lines.append(f"before {self.ops[place].name}:" if place < len(self.ops) else "at the end:")
            lines.extend(f"  {frame(at)} {weight} / {total}" for at, weight in found)
            return found, total

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "PendingStates", Told)
        ForwardEngine(lowering, lambda choice: []).law(block, {})
    return "\n".join(lines)


def law() -> str:
    law = interpreter.loads(mechanic()).odds("strike").law("hit")
    return "\n".join(f"{answer}: {weight}" for (answer,), weight in law.weights.items())


LISTINGS: dict[str, Callable[[], str]] = {
    "program": lambda: listing(program()).rstrip(),
    "blocks": blocks,
    "demand": demand,
    "states": states,
    "law": law,
}


def test_the_page_shows_every_listing() -> None:
    assert [found[2] for found in LISTING.finditer(PAGE.read_text("utf-8"))] == [*LISTINGS]


@pytest.mark.parametrize("name", LISTINGS)
def test_listings_are_what_the_code_produces(name: str) -> None:
    shown = next(found[3] for found in LISTING.finditer(PAGE.read_text("utf-8")) if found[2] == name)
    assert shown.rstrip("\n") == LISTINGS[name]()


def test_the_page_is_short() -> None:
    page, _, _ = PAGE.read_text("utf-8").partition("## What was tried and left")
    assert len(page.rstrip().splitlines()) <= 150


def record(_: list[Path]) -> None:
    """Write the listings anew."""
    text = LISTING.sub(lambda found: f"{found[1]}{LISTINGS[found[2]]()}\n", PAGE.read_text("utf-8"))
    PAGE.write_text(text, "utf-8")
