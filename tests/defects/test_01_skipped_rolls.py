"""A skipped roll whose `else` is a number is a number to all that reads it: in odds, simulation and play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

import pytest
import yaml
from agreement import assert_agreement
from marks import thorough

ROLLED = {
    "roll": {"roll": "d4"},
    "custom die": {"roll": "loaded"},
    "chain": {"roll": "d4", "again": "face == 4 and nth < 2"},
    "counts": {"roll": "d4", "counts": "face * 2"},
    "each": {"roll": "d4", "each": {"low": "face < 3"}, "counts": "5 if low else face"},
    "earlier": {"roll": "d4", "each": {"seen": "1 + count(earlier)"}, "again": "face > 2 and seen < 2"},
    "stages": {"roll": "d4", "then": {"anew": {"reroll": "x where face == 1"}}},
    "a stage that is a number": {"roll": "d4", "then": {"less": {"reroll": "x", "if": "x > 2", "else": "a"}}},
    "reroll": {"reroll": "other where face == 2"},
    "another name": {"is": "other"},
    "start": {"start": "other", "then": {"anew": {"reroll": "x where face == 1"}}},
    "place": {"place": "d4", "showing": "a"},
}
"""Ways to come to a roll of one die."""

INSTEAD = ["0", "a", "a + 1", "-1", "highest(other)", "other", "2 if a > 1 else other", "up(a / 2)"]

READ = [
    "x + 1", "7 - x", "x * 2", "x * x", "-x", "up(x / 2)", "down(a / max(x, 1))", "nearest(x / 2)",
    "x == 2", "x != a", "x < 2", "x <= 1", "x > a", "3 >= x", "x > 1 and a > 1", "x == 2 or a == 2", "not x > 2",
    "x / 2 > 1", "x in [1, 2]", "1 if x > 2 else 0", "x if a > 1 else 2", "a if x > 1 else other",
    "min(x, 2)", "max(x, 1)", "abs(x - 3)", "clamp(x, 1, 3)", "odd(x)", "even(x)", "tens(x * 9)", "units(x * 9)",
    "sum(upto(x))", "count(times(d4, max(x, 0)))", "sum([x, 1])", "highest([x, a])", "lowest([x, a])",
    "kth([a, 2, 3], x) otherwise 0", "sum(first([1, 2, 3], x))", "sum(highest([1, 2, 3], x))",
    "item([5, 6], clamp(x, 1, 2))",
    "count([1, 2, 3] where it > x)", "count(other where face > x)", "sum(other where face > 1 and face <= x)",
    "level(x)", "twice(x)", "sum(dice_for(x))",
    {"first_of": {"high": {"if": "x > 2", "is": "x"}, "low": {"is": "0"}}},
    {"place": "d4", "showing": "clamp(x, 1, 4)"},
    {"call": "inner", "with": {"much": "x"}}, {"repeat": "clamp(x, 0, 2)", "each": {"more": "x + nth"}},
    {"steps": {"inside": "x + 1"}}, {"compare": {"met": {"ours": "x", "theirs": "a"}}},
]  # fmt: skip
"""What may be done with it as a number."""

THROWN = [
    {"roll": "times(d2, clamp(x, 0, 1))"}, {"roll": "d2", "again": "x > 2 and nth < 2"},
    {"roll": "d2", "counts": "face + x"}, {"reroll": "other where face < x"},
]  # fmt: skip
"""Dice that hang on it; one of them at a time, so that all ways may be walked."""


def ruleset(rolled: str, instead: str, read: list[object]) -> str:
    x = {**ROLLED[rolled], "if": "a > 1", "else": instead}
    steps = {"a": {"roll": "d3"}, "other": {"roll": "d3"}, "x": x}
    steps |= {f"read_{number}": one for number, one in enumerate(read)}
    return yaml.safe_dump(
        {
            "ruleset": "skipped",
            "comparators": {"beats": "more than"},
            "dice": {"loaded": {"faces": [1, 1, 2, 4]}},
            "functions": {
                "twice": {"takes": {"much": "number"}, "gives": "much + much"},
                "dice_for": {"takes": {"much": "number"}, "gives": "[much, much + 1]"},
            },
            "tables": {"level": {"rows": {"1 or less": 0, "2 to 3": 1, "4 or more": 2}}},
            "mechanics": {
                "inner": {"inputs": {"much": "number"}, "steps": {"more": "much + 1"}},
                "main": {"steps": steps},
            },
        },
        sort_keys=False,
    )


def dealt() -> Iterator[tuple[str, str, list[object]]]:
    """Every way to come to a roll with some of the formulas for `else`, and everything done with it twice."""
    read, thrown = cycle(READ), cycle(THROWN)
    for place, rolled in enumerate(ROLLED):
        for instead in INSTEAD[place % 4 :: 4]:
            yield rolled, instead, [*islice(read, 5), next(thrown)]


@pytest.mark.parametrize("part", thorough(range(3), lambda part: part > 0))
def test_a_skipped_roll_with_a_number_instead_is_a_number(part: int) -> None:
    for rolled, instead, read in islice(dealt(), part, None, 3):
        assert_agreement(ruleset(rolled, instead, read))
