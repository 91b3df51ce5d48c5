"""Columns of the throws of a roll may be filtered, counted and added up as lists may: odds and simulation agree."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import cycle, islice

import pytest
import yaml
from agreement import assert_agreement
from marks import thorough

import interpreter

ROLLS = {
    "chain": {"roll": "2d3", "again": "face == 3 and nth < 3"},
    "one die": {"roll": "d4", "again": "face > 2 and nth < 3"},
    "chain with names": {
        "roll": "2d3",
        "each": {"low": "face < 2", "score": "face + nth"},
        "again": "face == 3 and nth < 3",
    },
    "counts": {"roll": "2d3", "counts": "face - nth", "again": "face == 3 and nth < 3"},
    "custom": {"roll": "loaded & d2", "again": "face == 2 and nth < 3"},
    "earlier": {"roll": "2d2", "each": {"seen": "count(earlier)"}, "again": "face == 2 and seen < 2"},
    "once": {"roll": "2d4"},
    "skipped": {"roll": "2d3", "again": "face == 3 and nth < 3", "if": "bar > 1"},
    "again": {"reroll": "other where face == 1"},
    "parts": {"roll": {"red": "d3", "blue": "d3"}, "again": "face == 3 and nth < 2"},
}

WHERE = ["it.face >= 2", "it.counts >= 2", "it.nth > 1", "it.face > bar", "it.face == it.nth", "odd(it.face)",
         "it.face > 1 and it.nth == 1", "not it.counts > 2 or it.nth > bar", "it.face in [1, 3]"]  # fmt: skip

READ = [
    "count({0}.throws where {1})", "any({0}.throws where {1})", "sum(({0}.throws where {1}).face)",
    "sum(({0}.throws where {1}).counts)", "highest(({0}.throws where {1}).nth) otherwise 0",
    "count(({0} where face > 1).throws where {1})", "count({0}.throws where {1}) + count({0} where face > 1)",
    "count({0}.throws where {1}) == count({0}.throws)", "sum({0}) - count({0}.throws where {1})",
    "count({0}.throws) + bar",
    "count({0}.throws.face where it > 1)", "sum({0}.throws.counts) + bar", "highest({0}.throws.face) otherwise 0",
    "lowest({0}.throws.nth) otherwise 0", "kth({0}.throws.face, 2) otherwise 0", "count(groups({0}.throws.face))",
    "sum(last({0}.throws by it.face, 2).face)", "count(highest({0}, 1).throws)", "sum((ordered({0})).throws.face)",
    "(first({0}.throws).face otherwise 0) + bar", "(last({0}.throws).nth otherwise 0)", "{0}.throws.face", "{0}.value",
    "sum(first(reversed({0}.throws), 2).face)", "count(highest({0}.value, 2))",
]  # fmt: skip


def ruleset(roll: str, read: list[str]) -> str:
    steps: dict[str, object] = {"bar": {"roll": "d2"}, "other": {"roll": "2d2"}}
    steps["rolled"] = ROLLS[roll]
    name = "(rolled otherwise other)" if roll == "skipped" else "rolled"
    steps |= {f"read_{n}": one.replace("{0}", name) for n, one in enumerate(read)}
    head = {"ruleset": "throws", "dice": {"loaded": {"faces": [1, 1, 2]}}}
    return yaml.safe_dump({**head, "mechanics": {"main": {"steps": steps}}}, sort_keys=False)


def rulesets() -> Iterator[str]:
    """Every kind of roll with half of the readings; conditions are dealt to them in turn."""
    where = cycle(WHERE)
    for number, roll in enumerate(ROLLS):
        read = [one.replace("{1}", next(where)) for one in READ[number % 2 :: 2]]
        for start in range(0, len(read), 4):
            yield ruleset(roll, read[start : start + 4])


@pytest.mark.parametrize("part", thorough(range(4), lambda part: part > 0))
def test_columns_of_throws_agree(part: int) -> None:
    for number, text in enumerate(islice(rulesets(), part, None, 4)):
        assert_agreement(text, drawn=number % 5 == 0)


def test_chains_without_an_end_are_counted_as_far_as_they_were_followed() -> None:
    text = """{ruleset: r, mechanics: {main: {steps: {
        a: {roll: 2d6, again: face == 6}, n: count(a.throws where it.face >= 5), t: a.throws, m: count(t)}}}}"""
    game = interpreter.loads(text)
    # A die shows 5 or 6 so often: each 6 is followed by another throw, any other face ends it.
    one = [Fraction(4, 6)] + [Fraction(1, 6) ** n * Fraction(4, 6) + Fraction(1, 6) ** n for n in range(1, 8)]
    two = [sum((one[k] * one[n - k] for k in range(n + 1)), Fraction(0)) for n in range(4)]
    laws = {name: game.odds("main").law(name).weights for name in ("n", "m")}
    assert [laws["n"][n,] for n in range(4)] == two
    throws = [Fraction(1, 6) ** (n - 2) * Fraction(5, 6) ** 2 * (n - 1) for n in range(2, 6)]
    assert [laws["m"][n,] for n in range(2, 6)] == throws
