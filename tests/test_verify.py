"""Every program keeps the invariants that engines rely on, and a fault that is planted is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_traversal import EVERY_NAME, places, program, replaced
from workloads import RULES

import interpreter
from interpreter import ir, pipeline
from interpreter.diagnostics.source import NOWHERE, Source
from interpreter.ir import types as t
from interpreter.ir.traversal import nodes_under
from interpreter.ir.verify import violations

LASTING = Path(__file__).parent / "lasting"


@pytest.mark.parametrize("name", EVERY_NAME)
def test_a_bundled_ruleset_has_no_violation(name: str) -> None:
    assert violations(program(name)) == []


@pytest.mark.parametrize("file", [RULES, *sorted(LASTING.glob("*.yaml"))])
def test_a_ruleset_of_the_tests_has_no_violation(file: Path) -> None:
    assert violations(interpreter.load(file).program) == []


def test_a_name_that_is_not_bound_is_found_wherever_it_stands() -> None:
    for place, (name, there) in places().items():
        stray = ir.Local("nowhere", there.type, NOWHERE)
        broken = replaced(program(name), lambda one, there=there, stray=stray: stray if one is there else one)
        found = [one for one in violations(broken) if "whether it reads the state" not in one]
        assert found and all("`nowhere` is read and not bound" in one for one in found), place


EVERYTHING = """
ruleset: everything
roles: {referee: who decides}
rounding: down
options: {die: {type: number, default: 6}}
functions: {twice: {takes: {x: number}, gives: x * 2}}
tables: {costs: {rows: {1: 2, 2: 3}, off_the_rows: nearest}}
types: {side: {has: {skill: number}}}
modifiers: {high_ground: {to: side, adds: {skill: 1}}}
kinds: {fighter: {has: {luck: {type: points, from: 0, to: 6, starts: 3}, nerve: {is: luck + 1}}}}
mechanics:
  check:
    inputs: {skill: number}
    steps:
      rolled: {roll: 2d6}
      total: sum(rolled) + twice(skill) + costs(1) + options.die / 2
      sixes: rolled where face == 6
      called: {call: other, with: {given_number: total}}
    outcomes: {good: total >= 12, bad: otherwise}
  other:
    inputs: {given_number: number}
    steps: {plain: given_number + 1}
events: {wound: {inputs: {who: fighter}}}
actions: {rest: {actor: fighter, steps: {luckier: {gain: 1, to: actor.luck}, hurt: {cause: wound, with: {who: actor}}}}}
"""


def first(kind: type, check: Callable[[Any], bool] = lambda one: True) -> Callable[[ir.Program], Any]:
    return lambda whole: next(one for one in nodes_under(whole) if isinstance(one, kind) and check(one))


def changed(**values: Any) -> Callable[[Any], Any]:
    return lambda one: replace(one, **values)


FAULTS: dict[str, tuple[Callable[[ir.Program], Any], Callable[[Any], Any]]] = {
    "there is no mechanic `lost`": (first(ir.Call), changed(mechanic="lost")),
    "nothing is given for the input `given_number`": (first(ir.Call), changed(given=())),
    "there is no event `lost`": (first(ir.Cause), changed(event="lost")),
    "there is no function `lost`": (first(ir.Apply), changed(name="lost")),
    "`twice` takes another number of arguments": (first(ir.Apply), changed(arguments=())),
    "there is no table `lost`": (first(ir.Lookup), changed(name="lost")),
    "`costs` takes another number of keys": (first(ir.Lookup), changed(keys=())),
    "there is no option `lost`": (first(ir.Option), changed(name="lost")),
    "there is no type `lost`": (first(ir.Modifier), changed(to="lost")),
    "there is no field `lost`": (
        first(ir.Modifier),
        lambda one: replace(one, adds=tuple(("lost", made) for _, made in one.adds)),
    ),
    "there is no attribute `lost`": (first(ir.Attribute), changed(name="lost")),
    "there is no attribute `gone`": (first(ir.Lvalue), changed(name="gone")),
    "of a die stands outside of a slot": (
        first(ir.Filtered),
        lambda one: next(node for node in nodes_under(one.condition) if isinstance(node, ir.DieField)),
    ),
    "`refs` lack the function `twice`": (
        first(ir.Formula, lambda one: "functions.twice" in one.refs),
        lambda one: replace(one, refs=one.refs - {"functions.twice"}),
    ),
    "does not name the rounding": (
        first(ir.Formula, lambda one: "rounding" in one.refs),
        lambda one: replace(one, refs=one.refs - {"rounding"}),
    ),
    "a formula of yes or no has a body of": (
        first(ir.Formula, lambda one: isinstance(one.type, t.Number)),
        changed(type=t.YES_NO),
    ),
    "does not fit yes or no": (
        first(ir.Step, lambda one: isinstance(one.action, ir.Let) and isinstance(one.type, t.Number)),
        changed(type=t.YES_NO),
    ),
    "two nodes have this path": (
        first(ir.Step, lambda one: one.name == "sixes"),
        changed(path="mechanics.check.steps.total"),
    ),
    "is not one inside": (first(ir.Step, lambda one: one.name == "sixes"), changed(path="mechanics.other.steps.sixes")),
}


@pytest.mark.parametrize("told", FAULTS)
def test_a_planted_fault_is_found(told: str) -> None:
    loaded = pipeline.from_text(Source.of("everything.yaml", EVERYTHING))
    assert loaded.program is not None and violations(loaded.program) == []
    find, change = FAULTS[told]
    there = find(loaded.program)
    found = violations(replaced(loaded.program, lambda one: change(one) if one is there else one))
    assert any(told in one for one in found), found
