"""The beginning of a block is worked out once for frames that differ only in what is read later: the odds stay true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from textwrap import indent

import pytest
from enumeration import by_enumeration

import interpreter

Dice = tuple[int, ...]

PASSES = {
    "a reading of an earlier roll": "late: up(bar / 2)",
    "two readings of an earlier roll": "late: (bar + 1) / 2 + (1 if bar == 3 else 0)",
    "dice of an earlier roll": "late: count(bar where face > 2) + sum(tossed)",
    "readings of an earlier roll and of this one": "late: highest(bar) + (1 if any(tossed where face == size) else 0)",
    "a name of an earlier step": "late: named + sum(tossed)",
    "what was carried": "late: named + (last(earlier.late) otherwise 0)",
}


@pytest.mark.parametrize("end", ["until: any(tossed where face == 2)", "until: late > 4"])
@pytest.mark.parametrize("late", PASSES)
def test_passes_read_at_their_end_what_differs(late: str, end: str) -> None:
    found = interpreter.loads(
        "ruleset: passes\nrounding: up\nmechanics:\n  one:\n    steps:\n"
        "      bar: {roll: d4}\n      named: highest(bar) * 2\n      passes:\n        repeat: 2\n        each:\n"
        "          tossed: {roll: 2d2}\n          marks: {for: n, among: upto(3), each: {mark: {roll: d2}}}\n"
        + indent(PASSES[late], " " * 10)
        + f"\n        {end}\n"
    )
    for names in (("passes",), ("passes", "bar")):
        assert found.odds("one").law(*names).weights == by_enumeration(found, "one", found.state(), names, {})


# Readings whose condition reads what differs ---------------------------------------------------------------------

BEST: dict[str, Callable[[Dice], int]] = {
    "highest(tossed)": max,
    "count(tossed where face == 2)": lambda dice: dice.count(2),
    "1 if any(tossed where face == 2) else 0": lambda dice: int(2 in dice),
}
LATE: dict[str, Callable[[Dice, int, int], int]] = {
    "count(tossed where face > limit) + many": lambda dice, limit, many: sum(one > limit for one in dice) + many,
    "sum(tossed where face == limit) + many": lambda dice, limit, many: sum(o for o in dice if o == limit) + many,
    "(9 if any(tossed where face > limit) else 0) - many": lambda dice, limit, many: 9 * (max(dice) > limit) - many,
}


@pytest.mark.parametrize(("best", "late"), list(zip(BEST, LATE, strict=True)))
def test_a_roll_is_not_drawn_for_a_reading_that_depends_on_what_differs(best: str, late: str) -> None:
    """The passes differ in `limit`, on which it depends what is read of dice of which another step reads before."""
    found = interpreter.loads(f"""
ruleset: passes
mechanics:
  one:
    steps:
      bar: {{roll: d4}}
      passes:
        repeat: 2
        each:
          tossed: {{roll: 2d4}}
          best:   {best}
          marks:  {{roll: 3d12}}
          many:   sum(marks) + best
          limit:  highest(bar) + 1
          late:   {late}
        until: late > 4
      total: sum(passes.late)
""")
    marks = Counter(map(sum, product(range(1, 13), repeat=3)))
    expected = Counter[int]()
    for bar in range(1, 5):
        law = Counter[int]()
        for dice in product(range(1, 5), repeat=2):
            for mark, ways in marks.items():
                law[LATE[late](dice, bar + 1, mark + BEST[best](dice))] += ways
        whole = sum(law.values())
        for one, ways in law.items():
            for other, more in law.items() if one <= 4 else [(0, whole)]:
                expected[one + other] += ways * more
    weights = {value: Fraction(ways, sum(expected.values())) for value, ways in expected.items()}
    assert found.odds("one").of("total") == dict(sorted(weights.items()))
