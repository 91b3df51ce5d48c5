"""The beginning of a block is worked out once for frames that differ only in what is read later: the odds stay true."""

from __future__ import annotations

from textwrap import indent

import pytest
from enumeration import by_enumeration

import interpreter

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
