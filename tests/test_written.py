"""What simulations write out as Python: no text of an author gets into it but as a quoted word, and it calls nothing
but what was bound for it. That it is right is held by `test_reference.py`."""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

import interpreter
from interpreter import ir, library
from interpreter.game import Game
from interpreter.written import Written

NAMES = re.compile(
    r"[kpe]\d+|d|each|frame|things|plainly|token|spend|value|known|key|tuple|sorted|made|PlayError|Exception"
)
ATTRIBUTES = {"id", "values", "part", "known", "things"}

CROOKED = """
ruleset: crooked
names: {module: [os, system, breakpoint]}
kinds:
  thing:
    has:
      mro:    {type: number, default: 3}
      p0:     {is: mro + 1}
      called: {type: module, default: system}
functions:
  exec: {takes: {frame: number, k0: number}, gives: frame + k0}
mechanics:
  go:
    inputs: {who: {type: thing}, value: {type: number, default: 2}}
    steps:
      known:  exec(value, who.p0)
      things: "[1, 2, 3] where it > known - 4"
      shell:  who.called is breakpoint
"""


def formulas(node: Any) -> list[ir.Formula]:
    """Every formula of a program."""
    found: list[ir.Formula] = []
    stack, seen = [node], set()
    while stack:
        here = stack.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if isinstance(here, ir.Formula):
            found.append(here)
        elif isinstance(here, dict):
            stack += here.values()
        elif isinstance(here, (tuple, list)):
            stack += here
        elif is_dataclass(here) and not isinstance(here, type):
            stack += [getattr(here, one.name) for one in fields(here) if one.name not in ("type", "span")]
    return found


def games() -> list[Any]:
    return [*(pytest.param(name, id=name) for name in library.rulesets()), pytest.param(None, id="crooked")]


@pytest.mark.parametrize("name", games())
def test_no_text_of_an_author_is_run(name: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def watched(text: str, names: dict[str, Any]) -> None:
        texts.append(text)
        builtins.exec(text, names)

    monkeypatch.setattr("interpreter.written.exec", watched, raising=False)
    game: Game = interpreter.loads(CROOKED) if name is None else interpreter.load(library.rulesets()[name])
    written = Written(game.program, dict(game.options))
    for formula in formulas(game.program):
        written.of(formula)
    assert texts
    for text in texts:
        for node in ast.walk(ast.parse(text)):
            assert not isinstance(node, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)), text
            if isinstance(node, ast.Name):
                assert NAMES.fullmatch(node.id), f"{node.id} in {text}"
            if isinstance(node, ast.Attribute):
                assert node.attr in ATTRIBUTES, f"{node.attr} in {text}"


def test_only_simulations_write_anything_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: Any) -> None:
        raise AssertionError("nothing is run that was written out")

    monkeypatch.setattr("interpreter.written.exec", forbidden, raising=False)
    game = interpreter.loads(CROOKED)
    state = game.state(one={"is": "thing"})
    assert game.roll("go", state=state, who="one").values["things"] == (3,)
    assert game.odds("go", state=state, who="one").of("known")
