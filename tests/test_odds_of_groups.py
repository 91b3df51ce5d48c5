"""Readings of groups of equal dice: held to enumeration over a grid, and large pools to counts of permutations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial, prod

import pytest
from generated.asking import Asked
from marks import thorough

import interpreter

HEAD = """\
ruleset: groups
dice: {odd_die: {faces: [1, 1, 2, 4]}}
tags: [red]
mechanics:
  main:
    steps:
      f: {roll: d2}
      n: {is: only(f)}
"""
ROLLS = {
    "equal dice": "a: {roll: 4d3}",
    "several kinds": "a: {roll: 2d3 & d2 & odd_die}",
    "chains": "a: {roll: 2d3, again: face == 3 and nth < 3}",
    "what dice count": "a: {roll: 3d3, counts: 1 if face < 3 else 3}",
    "rerolled": "b: {roll: 3d3}\na: {reroll: b where face == 1}",
    "joined": "b: {roll: 2d3}\nc: {roll: 2d2}\na: b & c",
    "passes": "p: {repeat: 3, each: {d: {roll: 2d2}, s: sum(d)}}\na: p.s",
    "parts": "b: {roll: {left: 2d2, right: 2d3}}\na: b.right & b.left",
}
READINGS = {
    "how many": "r: count(groups(a))",
    "how many pairs": "r: count(groups(a) where it.width >= 2)",
    "the widest": "r: highest(groups(a).width) otherwise 0",
    "the highest pair": "r: highest((groups(a) where it.width > 1).height) otherwise 0",
    "the sum of sets": "r: sum((groups(a) where it.width > n).height)",
    "weighted": "r: sum(highest(groups(a).width, 2)) + 10 * count(a)",
    "a full house": "r: any(groups(a) where it.width == 2) and any(groups(a) where it.width > 2)",
    "all": "r: all(groups(a) where it.width < 3)",
    "of some": "r: 'count(groups(a where face > 1) where it.width > 1)'",
    "of two selections": "r: count(groups(a where face > 1)) + 10 * count(groups(a where face < 3))",
    "beside the sum": "r: sum(a) + 100 * count(groups(a) where it.width > 1)",
    "beside the highest": "r: (highest(a) otherwise 0) + 100 * count(groups(a))",
    "the second": "r: kth(groups(a).width, 2) otherwise 0",
    "in a step": "g: groups(a)\nr: count(g where it.width > 1)",
    "the first": "r: (first(groups(a).height) otherwise 0) + count(groups(a))",
    "under a condition": "r: count(groups(a)) if n > 1 else sum(a)",
}
NO_DICE = {"of some", "of two selections"}
GRID = [one for one in product(ROLLS, READINGS) if not (one[0] == "passes" and one[1] in NO_DICE)]


def rules(*steps: str) -> str:
    return HEAD + "".join([f"      {line}\n" for line in "\n".join(steps).split("\n")])


@pytest.mark.parametrize("roll, reading", thorough(GRID, lambda *one: GRID.index(one) % 4 > 0, every=2))
def test_groups_of_dice_have_the_law_of_enumeration(roll: str, reading: str) -> None:
    game = interpreter.loads(rules(ROLLS[roll], READINGS[reading]))
    law = game.odds("main").law("r", "n")
    assert not law.missing
    assert law.weights == Asked(game, "main", {}, None, None, {}).law(("r", "n"))


EQUAL = {
    "count(groups(a)) == 1": Fraction(1, 3),
    "any(groups(a) where it.width == 2)": Fraction(1, 3),
    "sum(a.left) in a.right.value": Fraction(1, 3),
    "count(common(a.left.value, a.right.value)) == 1": Fraction(1, 3),
    "count(without(a.left.value, a.right.value)) == 0": Fraction(1, 3),
    "outranks(a.left, a.right)": Fraction(1, 3),
    "outranks(highest(a, 1), lowest(a, 1))": Fraction(2, 3),
}


@pytest.mark.parametrize("reading", EQUAL)
def test_two_dice_without_end_are_not_equal_because_both_are_long(reading: str) -> None:
    """Each shows a chain of `n` throws with the chance 2^-n, so both are equal with the chance 1/4 + 1/16 + … = 1/3."""
    odds = interpreter.loads(rules("a: {roll: {left: d2, right: d2}, again: face == 2}", f"r: {reading}")).odds("main")
    law = odds.law("r")
    assert law.missing
    assert law.weights[True,] <= EQUAL[reading] <= law.weights[True,] + law.missing


@pytest.mark.parametrize("dice", [10, 12])
def test_the_widest_of_many_dice_is_a_count_of_permutations(dice: int) -> None:
    """All ways to divide the dice among six faces, each with its multinomial coefficient."""
    expected: dict[int, Fraction] = {}
    for widths in product(range(dice + 1), repeat=5):
        last = dice - sum(widths)
        if last >= 0:
            ways = factorial(dice) // prod(map(factorial, (*widths, last)))
            widest = max(*widths, last)
            expected[widest] = expected.get(widest, Fraction(0)) + Fraction(ways, 6**dice)
    text = rules(f"a: {{roll: {dice}d6}}", "r: highest(groups(a).width) otherwise 0")
    assert interpreter.loads(text).odds("main").of("r") == expected
