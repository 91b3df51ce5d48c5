"""A roll that is followed throw by throw has come to a number, and can only come to more: that may decide the rest."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import interpreter

RULES = """
ruleset: in-progress
mechanics:
  far:
    about: Each throw counts what came before it, so throws are followed one by one.
    inputs: {need: number, dice: {type: dice, default: d6}}
    steps:
      rolled:
        roll: dice
        each: {low: face < 6, seen: count(earlier)}
        again: face == 6 and not any(earlier.low)
        counts: face + sum(earlier.seen)
      total: sum(rolled)
      throws: count(rolled.throws)
    outcomes: {far: total >= need, near: otherwise}
  less:
    about: A late throw may count less than nothing.
    inputs: {need: number}
    steps:
      rolled:
        roll: d6
        each: {low: face < 6, seen: count(earlier)}
        again: face == 6 and not any(earlier.low)
        counts: face - 4 * sum(earlier.seen)
    outcomes: {far: sum(rolled) >= need, near: otherwise}
  raised:
    about: Each throw may be raised by 1 for one of three points, and a 6 is thrown again.
    inputs: {need: number}
    steps:
      rolled:
        roll: d6
        each:
          spent: sum(earlier.raised)
          raised: {choose: number, from: 0, to: "min(1, 3 - spent)", default: 0, ask: "Raise it?"}
        again: face == 6
        counts: face + raised
      total: sum(rolled)
    outcomes: {far: total >= need, near: otherwise}
"""


@pytest.fixture(scope="module")
def game() -> Any:
    return interpreter.loads(RULES)


def far(need: int) -> Fraction:
    """By recursion over the throws of one d6: the nth counts its face and 0 + 1 + … + (n - 2)."""

    @cache
    def chance(so_far: int, nth: int) -> Fraction:
        if so_far >= need:
            return Fraction(1)
        more = (nth - 1) * (nth - 2) // 2
        stopped = sum((Fraction(so_far + face + more >= need, 6) for face in range(1, 6)), Fraction(0))
        return stopped + chance(so_far + 6 + more, nth + 1) / 6

    return chance(0, 1)


@pytest.mark.parametrize("need", [1, 6, 7, 12, 14, 30, 60])
def test_what_a_roll_has_come_to_decides_whether_it_is_enough(game: Any, need: int) -> None:
    law = game.odds("far", inputs={"need": need}).law("outcome")
    assert not law.missing
    assert law.weights[("far",)] == far(need)


def test_dice_to_come_count_nothing_less(game: Any) -> None:
    one, two = (game.odds("far", inputs={"need": 13, "dice": dice}).law("outcome") for dice in ("d6", "2d6"))
    assert not two.missing
    assert two.weights[("far",)] > one.weights[("far",)]


def test_what_may_count_less_than_nothing_decides_nothing(game: Any) -> None:
    law = game.odds("less", inputs={"need": 8}).law("outcome")
    assert 0 < law.missing < Fraction(1, 10**6)


@pytest.mark.parametrize("asked", ["total", "throws"])
def test_the_number_itself_is_known_no_better(game: Any, asked: str) -> None:
    law = game.odds("far", inputs={"need": 13}).law(asked)
    assert 0 < law.missing < Fraction(1, 10**6)


def raised(need: int) -> Fraction:
    @cache
    def chance(so_far: int, points: int) -> Fraction:
        if so_far >= need:
            return Fraction(1)
        total = Fraction(0)
        for face in range(1, 7):
            totals = [(so_far + face + more, points - more) for more in range(min(1, points) + 1)]
            total += max(chance(*one) if face == 6 else Fraction(one[0] >= need) for one in totals)
        return total / 6

    return chance(0, 3)


@pytest.mark.parametrize("need", [3, 7, 10, 14])
def test_nobody_is_asked_once_all_is_decided(game: Any, need: int) -> None:
    law = game.odds("raised", inputs={"need": need}, best="far").law("outcome")
    assert not law.missing
    assert law.weights[("far",)] == raised(need)
