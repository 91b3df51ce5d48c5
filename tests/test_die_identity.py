"""The analysis of die identity made while rules are checked, compared with the nodes of the finished program."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import games
import pytest
from marks import is_slow, thorough
from workloads import RULES

import interpreter
from interpreter import bundled, ir
from interpreter.ir import types as t
from interpreter.ir.die_identity import identity_of
from interpreter.ir.traversal import nodes_under

BUNDLED = {**bundled.rulesets(), **bundled.house_rules(), "workloads": RULES}


def asks_which(node: Any) -> bool:
    if isinstance(node, ir.Membership):
        return isinstance(t.without_maybe(node.item.type), (t.ThrownDie, t.Roll))
    if not isinstance(node, ir.Builtin) or node.name not in ("without", "common"):
        return False
    kinds = [t.without_maybe(one.type) for one in node.arguments]
    return not all(isinstance(kind, t.List) and isinstance(kind.of, t.Number) for kind in kinds)


@pytest.mark.parametrize("name", thorough(BUNDLED, is_slow, every=4))
def test_the_analysis_covers_what_a_finished_program_holds(name: str) -> None:
    program = games.game(BUNDLED[name]).program
    nodes = list(nodes_under((program.mechanics, program.functions)))
    which = any(map(asks_which, nodes))
    assert program.die_identity.which >= which
    assert program.die_identity.handled >= (which or any(isinstance(node, ir.Reroll) for node in nodes))


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("r: {roll: 4d6}\nx: sum(highest(r, 3))", (False, False, "none")),
        ("r: {roll: 4d6}\nb: {reroll: r where face == 1}\nx: sum(b)", (False, True, "none")),
        ("r: {roll: 4d6}\nb: highest(r, 2)\nx: sum(without(r, b))", (True, True, "none")),
        ("r: {roll: 4d6, again: face == 6}\nb: highest(r, 2)\nx: sum(b)", (False, False, "equal")),
        ("r: {roll: 4d6, again: face == 6}\nx: sum(highest(r, 2))", (False, False, "none")),
        ("r: {roll: 4d6}\nb: {reroll: r where face == 1, most: 1}\nx: sum(b)", (False, True, "none")),
        ("r: {roll: 4d6}\nx: first(r)", (False, False, "all")),
        ("r: {roll: 4d6}\nx: sum(first(ordered(r), 2))", (False, False, "none")),
        ("r: {roll: 4d6, again: face == 6}\nx: {pair: r, with: r, each: {y: ours.face}}", (False, False, "equal")),
        ("r: {roll: 4d6}\nx: r.value", (False, False, "all")),
        ("r: {roll: 4d6}\nx: first(r.value where it > 1)", (False, False, "all")),
        ("r: {roll: 4d6}\nx: sum(last(r.value by 0 - it, 2))", (False, False, "all")),
        (
            "r: {roll: 4d6}\nx: count(r.value where it > 1) + (highest(r.throws.face) otherwise 0)",
            (False, False, "none"),
        ),
        ("r: {roll: 4d6}\nx: sum(first(ordered(r.value), 2))\ny: 6 in r.value", (False, False, "none")),
        ("r: {roll: 4d6}\nq: {roll: 4d6}\nx: sum(common(r.face, q.face))", (False, False, "none")),
        ("r: {roll: 4d6}\nq: {roll: 4d6}\nx: without(r.face, q.face)", (False, False, "all")),
        (
            "r: {roll: 2d6, each: {c: count(earlier)}}\nb: {reroll: r where face == 1, most: 1}\nx: sum(b)",
            (False, True, "all"),
        ),
        ("r: {roll: d6}\nx: r.value", (False, False, "none")),
        (
            "r: {roll: 4d6}\nb: {reroll: r where face == 1, most: 1}\nc: {reroll: b where face == 1, most: 1}",
            (False, True, "all"),
        ),
    ],
)
def test_what_rules_may_observe_of_dice(steps: str, expected: tuple[bool, bool, str]) -> None:
    rule = indent(steps, "      ")
    program = interpreter.loads(f"ruleset: told\nmechanics:\n  one:\n    steps:\n{rule}\n").program
    found = program.die_identity
    assert (found.which, found.handled, found.order) == expected
    assert identity_of(program, program.mechanics["one"]) == found  # the search of the finished rule finds the same
