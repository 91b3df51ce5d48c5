"""Comparisons of two rolls face by face: held to enumeration over a grid, and large ones to sums by hand."""

from __future__ import annotations

from itertools import product

import pytest
from generated.asking import Asked
from marks import thorough
from multisets import equal_in_order

import interpreter
from interpreter.odds.matching import hoist_matches

ROLLS = {
    "equal": "a: {roll: 2d3}\nb: {roll: 2d3}",
    "one more": "a: {roll: 2d3}\nb: {roll: d3}",
    "none": "a: {roll: '(n - 1)d3'}\nb: {roll: d3}",
    "mixed": "a: {roll: d2 & d4}\nb: {roll: d3 & d2}",
    "exploding": "a: {roll: 2d2, again: face == 2 and nth < 3}\nb: {roll: 2d3}",
    "counting": "a: {roll: 2d2, counts: 2 * face}\nb: {roll: 2d3}",
    "rerolled": "c: {roll: 2d3}\na: {reroll: c where face == 1}\nb: {roll: 2d3}",
    "of different size": "a: {roll: '(n + 1)d3'}\nb: {roll: 2d3}",
    "placed": "a: {place: 2d3, showing: 2}\nb: {roll: 2d3}",
    "read besides": "a: {roll: 2d3}\nb: {roll: 2d3}\nt: sum(a)",
    "skipped": "a: {roll: 2d3}\nb: {roll: 2d3, if: n > 1, else: a}",
    "selected": "c: {roll: 3d3}\na: c where face > 1\nb: {roll: 2d3}",
    "joined": "c: {roll: d3}\nd: {roll: d3}\na: c & d\nb: {roll: 2d3}",
}
COMPARED = {
    "outranks": "r: outranks(a, b)",
    "outranks both ways": "u: outranks(a, b)\nv: outranks(b, a)\nr: 1 if u else 2 if v else 3",
    "dominates": "r: dominates(a, b)",
    "all at once": "r: (1 if outranks(b, a) else 0) + (2 if dominates(a, b) else 0) + (4 if dominates(b, a) else 0)",
    "common": "r: 'count(common(a.face, b.face))'",
    "sum of common": "r: 'sum(common(a.value, b.value))'",
    "without": "r: 'count(without(a.face, b.face)) + 10 * sum(without(b.face, a.face))'",
    "face and value": "r: '(1 if outranks(a, b) else 0) + 10 * count(common(a.face, b.face))'",
    "with a sum": "r: sum(a) if outranks(a, b) else 0",
    "under a condition": "r: outranks(a, b) if n > 1 else no",
    "in a call": "r: {call: other, with: {x: a, y: b}}",
    "in passes": "p: {repeat: 2, each: {g: {roll: 2d2}, h: {roll: d2}, w: 'outranks(g, h)'}}\nr: count(p where it.w)",
    "of outer rolls in passes": "p: {repeat: 2, each: {h: {roll: d2}, w: 'outranks(a, b) and sum(h) > 1'}}\n"
    "r: count(p where it.w)",
    "compared": "r: {compare: {dice: {ours: a, theirs: b}}}",
}
TOO_MANY = {("rerolled", "of outer rolls in passes"), ("selected", "of outer rolls in passes")}
WITHOUT_ROLLS = [("placed", "in passes")]  # whose comparison is of rolls of its own
GRID = [one for one in product(ROLLS, COMPARED) if one not in TOO_MANY and one[1] != "in passes"] + WITHOUT_ROLLS


def text_of(rolls: str, compared: str) -> str:
    steps = "\n".join([ROLLS[rolls], COMPARED[compared]])
    lines = "".join([f"      {line}\n" for line in steps.split("\n")])
    return f"""\
ruleset: matches
mechanics:
  other:
    inputs: {{x: roll, y: roll}}
    steps: {{c: "outranks(x, y)"}}
    outcomes: {{over: c, under: "outranks(y, x)", even_: otherwise}}
  main:
    steps:
      f: {{roll: d2}}
      n: {{is: only(f)}}
{lines}"""


@pytest.mark.parametrize("rolls, compared", thorough(GRID, lambda *one: GRID.index(one) % 3 > 0, every=2))
def test_comparisons_are_those_of_enumeration(rolls: str, compared: str) -> None:
    game = interpreter.loads(text_of(rolls, compared))
    asked = Asked(game, "main", {}, None, None, {})
    value = {"in a call": "r.outcome", "compared": "r.ahead"}.get(compared, "r")
    for names in ((value,), (value, "n"), (value, "t"))[: 3 if rolls == "read besides" else 2]:
        law = game.odds("main").law(*names)
        assert not law.missing
        assert law.weights == asked.law(names)


NOT_HOISTED = ("in passes", "in a call", "with a sum", "face and value")  # hoisted elsewhere, or not at all


@pytest.mark.parametrize("compared", [one for one in COMPARED if one not in NOT_HOISTED])
def test_comparisons_are_hoisted(compared: str) -> None:
    """Without this, the grid would hold the enumeration of dice to itself."""
    rule = interpreter.loads(text_of("equal", compared)).program.mechanics["main"]
    assert len(hoist_matches(rule).steps) == len(rule.steps) + 1


@pytest.mark.parametrize("compared", ["with a sum", "face and value"])
def test_rolls_that_are_read_otherwise_stay_as_they_are(compared: str) -> None:
    """Their dice are drawn where they are needed, and not before."""
    rule = interpreter.loads(text_of("equal", compared)).program.mechanics["main"]
    assert hoist_matches(rule) is rule


@pytest.mark.parametrize("dice, sides", [(4, 6), (11, 6), (20, 10), (40, 6)])
def test_large_pools_in_order(dice: int, sides: int) -> None:
    steps = f"{{a: {{roll: {dice}d{sides}}}, b: {{roll: {dice}d{sides}}}, r: 'outranks(a, b)'}}"
    game = interpreter.loads(f"ruleset: fight\nmechanics:\n  main: {{steps: {steps}}}\n")
    assert game.odds("main").of("r")[True] == (1 - equal_in_order(dice, sides)) / 2


def test_a_record_of_a_pass_has_no_hidden_step() -> None:
    steps = "a: {roll: d2}, b: {roll: d2}, out: 'outranks(a, b)'"
    game = interpreter.loads(f"""
ruleset: passes
mechanics:
  main: {{steps: {{passes: {{repeat: 2, each: {{{steps}}}}}, done: {{for: n, among: upto(1), each: {{{steps}}}}}}}}}
""")
    asked = Asked(game, "main", {}, None, None, {})
    for name in ("passes", "done"):
        assert dict(game.odds("main").law(name).weights) == asked.law((name,))
