"""Slips planted by program in the bundled rulesets: each is found, alone, on its line.

Eleven kinds of defects that a ruleset in YAML can carry without a word from its loader (the nearest rival loads all
of them); every kind is planted wherever its pattern stands, and a share of the places is tried. `PLANTED_ALL=1` tries
all of them.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from interpreter import bundled, pipeline
from interpreter.diagnostics.source import Source

RULESETS = ("fiend-wake", "jadeclaw")
EVERY = 1 if os.environ.get("PLANTED_ALL") else 60
"""Of all places, every so-many-th is tried."""


@dataclass(frozen=True)
class Slip:
    """A ruleset with one defect: where it is, and the codes that may tell of it."""

    kind: str
    ruleset: str
    line: int
    column: int
    text: str
    codes: tuple[str, ...]
    suggestion: str | None = None

    def __str__(self) -> str:
        return f"{self.kind}-{self.ruleset}-{self.line}-{self.column}"


Planted = tuple[str, int, str | None]
"""A line with a slip in it, the column of the slip, and the word that should be suggested."""
Planter = Callable[[str], Iterator[Planted]]


def swapped(word: str) -> str:
    """A word with two letters changed about, as fingers do."""
    middle = next((n for n in range(len(word) // 2, len(word) - 1) if word[n] != word[n + 1]), 0)
    return word[:middle] + word[middle + 1] + word[middle] + word[middle + 2 :]


def replacing(pattern: str, make: Callable[[str], str], suggests: bool = True) -> Planter:
    """Slips in the group `it` of every match of a pattern."""

    def plant(line: str) -> Iterator[Planted]:
        for match in re.finditer(pattern, line.split("  #")[0]):
            old, at = match["it"], match.start("it")
            new = make(old)
            if new != old:
                yield line[:at] + new + line[at + len(old) :], at + 1, old if suggests else None

    return plant


EXPRESSION = re.compile(
    r" +(?:is|gives|repeat|total|score|again|margin|need|ready): +(?P<it>[^\s'\"\[{>|#][^#'\"]*?)(?: +#.*)?$"
)
"""A plain expression that has a line of its own."""


def cut_short(line: str) -> Iterator[Planted]:
    """`total: sum(thrown) +`"""
    if match := EXPRESSION.match(line):
        end = match.end("it")
        yield f"{line[:end]} +{line[end:]}", end + 3, None


def of_nowhere(line: str) -> Iterator[Planted]:
    """`total: (sum(thrown)) if situation else (sum(thrown))`"""
    if (match := EXPRESSION.match(line)) and " at " not in match["it"]:
        start = f"{line[: match.start('it')]}({match['it']}) if "
        yield f"{start}situation else ({match['it']}){line[match.end('it') :]}", len(start) + 1, None


def twice(line: str) -> Iterator[Planted]:
    """A key with its value on one line, and once more."""
    if match := re.match(r"( +)\w+: +[^\s>|#]", line):
        yield f"{line}\n{line}", len(match[1]) + 1, None


KEYS = (
    r"(?P<it>inputs|steps|outcomes|requires|default|written_as|rows|gives|takes|rungs|among|reroll|repeat|each|again)"
    r"(?=:)"
)
VERB = r"(?:^|[{ ])(?P<it>roll|raise|call|choose|repeat|pair|compare|first_of|start)(?=: \S|:$)"
NAME = r"(?<=[ (.])(?P<it>own|level|margin|total|standing|penalty|stat|skill|marked)(?=[ ).,+-])(?!:)"
REFERENCE = r"\b(?:by|to|ladder|written_as): (?P<it>roller|opponent|game_master|side|size|dice|level)\b"
DICE = r"(?P<it>\b\d*d\d+\b)"
TYPE = r"\b(?:type|list_of): (?P<it>number|yes_no|dice|die|side|stat|roll)\b"


def no_dice(old: str) -> str:
    return old.replace("d", "x") if old[0] != "d" else "d0"


PLANTERS: dict[str, tuple[Planter, tuple[str, ...]]] = {
    "misspelt-key": (replacing(r"(?:^ +|[{,] ?)" + KEYS, swapped), ("HR101", "HR108")),
    "unknown-key": (replacing(r"(?P<it>about|title)(?=: )", lambda old: "colour", False), ("HR101",)),
    "misspelt-name": (replacing(NAME, swapped), ("HR301", "HR302", "HR303", "HR305", "HR307")),
    "bad-type": (replacing(TYPE, swapped), ("HR303",)),
    "unknown-step": (replacing(VERB, lambda old: "perform", False), ("HR101", "HR108")),
    "unknown-action": (replacing(r"\bcall: (?P<it>\w+)", swapped), ("HR303",)),
    "bad-dice": (replacing(DICE, no_dice, False), ("HR202", "HR212")),
    "dangling-reference": (replacing(REFERENCE, swapped), ("HR301", "HR303", "HR305")),
    "expression-syntax": (cut_short, ("HR206",)),
    "unknown-variable": (of_nowhere, ("HR301",)),
    "duplicate-key": (twice, ("HR012",)),
}


def prose_blocks(lines: list[str]) -> set[int]:
    """The lines of texts for people that take several lines, and those that say what a word means."""
    found: set[int] = set()
    within = -1
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if within >= 0 and line.strip() and indent > within:
            found.add(number)
            continue
        within = indent if re.search(r"^ +(about|ask): [>|]", line) else -1
        if re.search(r"^ +\w+: +[A-Z]\w* \w+", line):
            found.add(number)
    return found


def slips() -> Iterator[Slip]:
    for name in RULESETS:
        path = bundled.rulesets()[name]
        # Cases lie in a part of their own, which would say the same thing once more.
        text = re.sub(r"^parts:.*(\n +- .*)*$", "#", path.read_text("utf-8"), flags=re.MULTILINE)
        lines = text.split("\n")
        told = prose_blocks(lines)
        end = next((n for n, line in enumerate(lines) if line.startswith(("cases:", "notes:"))), len(lines))
        for kind, (planter, codes) in PLANTERS.items():
            for number, line in enumerate(lines[:end]):
                if number in told:
                    continue
                prose = re.search(r"#|\b(about|title|ask): |^ +\w+: [A-Z]", line)
                for new, column, suggestion in planter(line):
                    if prose and column > prose.start() + 1 and kind not in ("unknown-key", "expression-syntax"):
                        continue
                    whole = "\n".join([*lines[:number], new, *lines[number + 1 :]])
                    yield Slip(kind, name, number + 1 + new.count("\n"), column, whole, codes, suggestion)


def sample() -> list[Slip]:
    """A share of all slips, and at least two of each kind in each ruleset."""
    kept, seen = [], Counter[tuple[str, str]]()
    for slip in slips():
        key = (slip.kind, slip.ruleset)
        if seen[key] % EVERY == 0 or (seen[key] < 8 and seen[key] % 4 == 0):
            kept.append(slip)
        seen[key] += 1
    return kept


SAMPLE = sample()


@pytest.mark.parametrize("slip", SAMPLE, ids=str)
def test_a_planted_slip_is_found_alone_and_at_its_place(slip: Slip) -> None:
    found = list(pipeline.from_text(Source.of("planted.yaml", slip.text)).problems)
    assert [(one.line, one.column) for one in found] == [(slip.line, slip.column)], [str(one) for one in found]
    assert found[0].code in slip.codes
    assert slip.suggestion is None or found[0].help == f"did you mean `{slip.suggestion}`?"


def test_every_kind_is_planted_in_every_ruleset() -> None:
    planted = Counter((slip.kind, slip.ruleset) for slip in SAMPLE)
    assert set(planted) == {(kind, ruleset) for kind in PLANTERS for ruleset in RULESETS}
