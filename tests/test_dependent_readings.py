"""Readings that depend on other readings of the same roll, and readings of the rest of it, held to all faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from textwrap import indent

import pytest
from enumeration import by_enumeration

import interpreter
from interpreter.api.game import Game

Faces = tuple[int, ...]
POOLS = {"no_dice": (), "d4": (4,), "3d4": (4, 4, 4), "2d4 & d6": (4, 4, 6), "d3 & 2d4 & d6": (3, 4, 4, 6)}

STEPS: dict[str, Callable[[Faces, int], int]] = {
    "sum(without(rolled, lowest(rolled, k)))": lambda f, k: sum(sorted(f)[k:]),
    "sum(without(rolled, highest(rolled, k)))": lambda f, k: sum(sorted(f)[: max(len(f) - k, 0)]),
    "highest(without(rolled, highest(rolled, k))) otherwise 99": lambda f, k: max(
        sorted(f)[: max(len(f) - k, 0)], default=99
    ),
    "lowest(without(rolled, lowest(rolled, k))) otherwise 99": lambda f, k: min(sorted(f)[k:], default=99),
    "sum(highest(without(rolled, highest(rolled, k)), 2))": lambda f, k: sum(sorted(f)[::-1][k : k + 2]),
    "sum(lowest(without(rolled, lowest(rolled, k)), 2))": lambda f, k: sum(sorted(f)[k : k + 2]),
    "sum(lowest(without(rolled, highest(rolled, k)), 2))": lambda f, k: sum(sorted(f)[: max(len(f) - k, 0)][:2]),
    "kth(without(rolled, highest(rolled, k)), 2) otherwise 99": lambda f, k: [*sorted(f)[::-1][k:], 99, 99][
        1 if len(f) > k + 1 else -1
    ],
    "sum(without(without(rolled, highest(rolled, k)), lowest(without(rolled, highest(rolled, k)), 1)))": lambda f, k: (
        sum(sorted(f)[: max(len(f) - k, 0)][1:])
    ),
    "sum(middle_dice)": lambda f, k: sum(sorted(f)[1 : max(len(f) - k, 0)]),
    "highest(middle_dice) otherwise 99": lambda f, k: max(sorted(f)[1 : max(len(f) - k, 0)], default=99),
    "lowest(middle_dice) otherwise 99": lambda f, k: min(sorted(f)[1 : max(len(f) - k, 0)], default=99),
    "count(rolled where face == best)": lambda f, k: f.count(max(f, default=0)),
    "sum(rolled where face < best)": lambda f, k: sum(f) - f.count(max(f, default=0)) * max(f, default=0),
    "highest(rolled where face < best) otherwise 0": lambda f, k: max([x for x in f if x < max(f)], default=0),
    "any(rolled where face == best - k)": lambda f, k: int(bool(f) and max(f) - k in f),
    "sum(highest(rolled, ones + 1))": lambda f, k: sum(sorted(f, reverse=True)[: f.count(1) + 1]),
    "kth(rolled, ones + 1) otherwise 0": lambda f, k: [*sorted(f, reverse=True), 0][min(f.count(1), len(f))],
    "count(rolled where face >= middle) * best": lambda f, k: sum(x >= middle(f) for x in f) * max(f, default=0),
}


def middle(faces: Faces) -> int:
    return (max(faces, default=0) + faces.count(1)) // 2


def game(*readings: str) -> Game:
    steps = ["rolled: {roll: pool}", "best: highest(rolled) otherwise 0", "ones: count(rolled where face == 1)"]
    steps += ["but_lowest: without(rolled, lowest(rolled, 1))"]
    steps += ["middle_dice: without(but_lowest, highest(but_lowest, k))"]
    steps += ["middle: (best + ones) / 2", *[f"value{n}: {one}" for n, one in enumerate(readings)]]
    head = "ruleset: dependent\nrounding: down\nmechanics:\n  one:\n    inputs: {pool: dice, k: number}\n    steps:\n"
    return interpreter.loads(head + indent("\n".join(steps), "      "))


def by_hand(readings: tuple[str, ...], pool: str, k: int) -> dict[tuple[int, ...], Fraction]:
    faces = list(product(*[range(1, sides + 1) for sides in POOLS[pool]]))
    found = Counter(tuple(STEPS[one](f, max(k, 0)) for one in readings) for f in faces)
    return {values: Fraction(many, len(faces)) for values, many in found.items()}


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("reading", STEPS)
def test_a_reading_has_its_law(reading: str, pool: str) -> None:
    played = game(reading)
    for k in (-1, 0, 1, 2, 5) if "any(" not in reading else (1, 2):
        law = played.odds("one", pool=pool, k=k).law("value0").weights
        assert {(int(value),): chance for (value,), chance in law.items()} == by_hand((reading,), pool, k)


@pytest.mark.parametrize("pool", POOLS)
def test_readings_have_their_joint_law(pool: str) -> None:
    for first in range(0, len(STEPS), 3):
        readings = tuple(one for one in [*STEPS][first : first + 3] if not one.startswith("any("))
        names = [f"value{n}" for n in range(len(readings))]
        found = game(*readings).odds("one", pool=pool, k=1)
        assert dict(found.law(*names).weights) == by_hand(readings, pool, 1)


@pytest.mark.parametrize("again", ["face == 4 and nth == 1", "face == 4"])
def test_chains_agree_with_what_is_written_out(again: str) -> None:
    rules = (
        "ruleset: chains\nmechanics:\n  one:\n    steps:\n"
        f"      rolled: {{roll: 3d4, again: {again}}}\n"
        "      best:   highest(rolled)\n"
        "      often:  count(rolled where value == best)\n"
        '      kept:   "sum(without(rolled, lowest(rolled, 1)))"\n'
        '      same:   "sum(highest(rolled, 2))"\n'
    )
    found = interpreter.loads(rules).odds("one")
    assert found.law("kept").weights == found.law("same").weights
    alone = {value: chance for (value,), chance in found.law("often").weights.items()}
    assert sum(alone.values()) + found.law("often").missing == 1
    four = found.law("best", "often").weights
    three_alike = sum(chance for (best, often), chance in four.items() if often == 3 and best < 4)
    assert three_alike == Fraction(3, 64)


def test_twenty_dice_take_no_longer_than_their_sum() -> None:
    played = game("count(rolled where face == best)", "sum(without(rolled, lowest(rolled, k)))")
    law = played.odds("one", pool="20d20", k=3).law("value0").weights
    assert law[20,] == Fraction(20, 20**20)
    assert sum(law.values()) == 1


def test_a_step_before_a_reading_may_read_what_differs_from_run_to_run() -> None:
    found = interpreter.loads(
        "ruleset: differing\nmechanics:\n  one:\n    steps:\n"
        "      bar:    {roll: d2}\n      beside: {steps: {low: bar + 0}}\n      tossed: {roll: d2}\n"
        "      limit:  beside.low otherwise tossed\n"
        "    outcomes: {good: any(tossed where face == limit and face == size), bad: otherwise}\n"
    )
    assert found.odds("one").outcomes == {"good": Fraction(1, 4), "bad": Fraction(3, 4)}


OPEN_STEPS = {
    "another roll": "sum(tossed where face > limit) + limit",
    "a die of another roll in a condition": "count(tossed where (face > 2 if die < best - 2 else face == 1))",
    "another roll in a condition": "count(tossed where (face > 2 if sum(bar) < often * 2 else face == 1))",
    "its highest die in a condition": "sum(tossed where (face == 2 if highest(bar) < best else face > 1))",
    "a later roll in a condition": "count(tossed where face + 1 >= later)",
    "a later roll beside a reading in a condition": "sum(tossed where face > best - later)",
    "what a later roll shows in a condition": "sum(tossed where (face > 2 if high_later else face == 1)) + best",
    "the roll itself in a condition": "count(tossed where (face > best - 2 if sum(tossed) > 7 else face == 1))",
    "another dependent reading": "count(tossed where face > often * 2)",
    "a stage that reads another roll": "sum(tossed where face <= staged) * 10 + staged",
}


@pytest.mark.parametrize("reading", OPEN_STEPS)
def test_a_step_before_a_reading_may_read_other_rolls(reading: str) -> None:
    found = interpreter.loads(
        "ruleset: beside\nmechanics:\n  one:\n    steps:\n"
        "      die:    {roll: d2}\n      bar:    {roll: 2d3}\n      tossed: {roll: 3d4}\n"
        "      limit:  highest(bar) + highest(tossed) - 3\n"
        "      best:   highest(tossed)\n"
        "      often:  count(tossed where face == best)\n"
        "      staged:\n        start: 1\n        then: {more: {is: '2',"
        " if: any(tossed where face == size) and any(bar where face > 2)}}\n"
        "      later:  {roll: d3}\n      high_later: any(later where face > 1)\n"
        f"      value:  {OPEN_STEPS[reading]}\n"
    )
    assert found.odds("one").law("value").weights == by_enumeration(found, "one", found.state(), ("value",), {})


THROWS = {
    "by what they show": "count(rolled.throws where it.face >= 3)",
    "by their number": "count(rolled.throws where it.nth == 2)",
    "by what they count": "count(rolled.throws where it.counts > 2)",
    "by a mark": "count(rolled.throws where it.low)",
    "twice": "count(rolled.throws where it.face >= 2 where not it.low)",
    "of some dice": "count((rolled where face > 1).throws where it.face > bar)",
    "beside another reading": "count(rolled.throws where it.face >= 3) - count(rolled where face == 1)",
    "of all, and the sum": "count(rolled.throws where it.nth > 1) * 10 + sum(rolled)",
}


@pytest.mark.parametrize("reading", THROWS)
@pytest.mark.parametrize("again", ["face >= 3 and nth <= 2", "face == 4 and nth == 1"])
def test_throws_are_counted_by_what_they_are(reading: str, again: str) -> None:
    found = interpreter.loads(
        "ruleset: throws\nmechanics:\n  one:\n    inputs: {bar: {type: number, default: 2}}\n    steps:\n"
        "      rolled:\n        roll: 2d4\n        each: {low: face <= 1}\n"
        f"        counts: face * 2\n        again: {again}\n      value: {THROWS[reading]}\n"
    )
    by_hand = by_enumeration(found, "one", found.state(), ("value",), {"bar": 2})
    assert found.odds("one").law("value").weights == by_hand
