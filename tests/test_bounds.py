"""Bounds of arithmetic against every number that they stand for, and what outcomes cover because of them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import interpreter
from interpreter.checker.bounds import bounds_of_arithmetic, bounds_of_quotient
from interpreter.ir.types import Number
from interpreter.runtime.functions import round_quotient

ENDS = (-7, -5, -1, 0, 1, 3, 6)
RANGES = [(low, high) for low, high in product(ENDS, repeat=2) if low <= high]
DIVISORS = [(1, 1), (1, 5), (2, 3), (3, 3), (4, 9)]
FAR = 60
"""So far a range without an end is tried: further quotients are those again."""
WORK = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}


def numbers(low: int | None, high: int | None) -> range:
    return range(-FAR if low is None else low, (FAR if high is None else high) + 1)


@pytest.mark.parametrize("rounding", ["down", "up", "nearest"])
def test_a_quotient_has_the_bounds_of_all_quotients(rounding: str) -> None:
    for (low, high), (least, most) in product(RANGES, DIVISORS):
        found = [round_quotient(a, b, rounding) for a in numbers(low, high) for b in numbers(least, most)]
        known = bounds_of_quotient(Number(low, high), Number(least, most), rounding)
        assert (known.low, known.high) == (min(found), max(found)), (low, high, least, most)


@pytest.mark.parametrize("rounding", ["down", "up", "nearest"])
def test_a_quotient_of_a_range_without_an_end_has_the_bounds_that_are_left(rounding: str) -> None:
    for end, (least, most) in product(ENDS, [(1, 5), (2, None), (1, None)]):
        for low, high in ((end, None), (None, end)):
            found = [round_quotient(a, b, rounding) for a in numbers(low, high) for b in numbers(least, most)]
            known = bounds_of_quotient(Number(low, high), Number(least, most), rounding)
            assert known.low == (None if low is None else min(found)), (low, high, least, most)
            assert known.high == (None if high is None else max(found)), (low, high, least, most)


def test_a_divisor_that_may_be_0_or_less_leaves_no_bounds() -> None:
    for least, most in ((0, 3), (-2, 3), (-3, -1), (None, 4), (3, 2)):
        assert bounds_of_quotient(Number(1, 9), Number(least, most), "down") == Number()


@pytest.mark.parametrize("sign", WORK)
def test_arithmetic_has_the_bounds_of_all_results(sign: str) -> None:
    for (low, high), (least, most) in product(RANGES, repeat=2):
        found = [WORK[sign](a, b) for a in (low, high) for b in (least, most)]
        known = bounds_of_arithmetic(sign, Number(low, high), Number(least, most))
        assert (known.low, known.high) == (min(found), max(found)), (low, high, least, most)


RULES = """
ruleset: quo
mechanics:
"""
RULE = """
  m{number}:
    inputs:
      x: {{type: number, from: {low}, to: {high}}}
      y: {{type: number, from: {least}, to: {most}}}
    steps: {{q: {rounding}(x / y) + 12}}
    outcomes: {{one: q {test}}}
"""


@pytest.mark.parametrize("rounding", ["down", "up", "nearest"])
def test_outcomes_cover_what_a_quotient_may_be(rounding: str, tmp_path: Path) -> None:
    """One outcome is enough if it holds for every quotient; otherwise HR501 names one for which it does not."""
    asked = [
        (low, high, least, most, test, edge + 12)
        for (low, high), (least, most) in product([(-10, -5), (-4, -1), (-3, 2), (0, 6), (4, 9)], [(1, 5), (2, 2)])
        for test, edge in product((">=", "<="), (-3, -2, 0, 1, 3))
    ]
    text, covered = RULES, []
    for number, (low, high, least, most, test, edge) in enumerate(asked):
        text += RULE.format(number=number, low=low, high=high, least=least, most=most, rounding=rounding,
                            test=f"{test} {edge}")  # fmt: skip
        found = [round_quotient(a, b, rounding) + 12 for a in range(low, high + 1) for b in range(least, most + 1)]
        covered.append(all(q >= edge if test == ">=" else q <= edge for q in found))
    (tmp_path / "quo.yaml").write_text(text)
    problems = interpreter.check(tmp_path / "quo.yaml")
    height = RULE.count("\n")
    incomplete = {(one.line - RULES.count("\n") - 1) // height for one in problems if one.code == "HR501"}
    assert incomplete == {number for number, whole in enumerate(covered) if not whole}
    assert 10 < len(incomplete) < len(asked) - 10
