"""What a condition says inside a step that repeats says nothing outside of it, though `nth` is bound there as well."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import pytest
import yaml
from agreement import assert_agreement
from marks import thorough

CONDITIONS = ["nth >= 2", "nth == 1", "nth < 3 and more > 1", "not nth == 1", "(nth == 2 or more == 1)"]
"""What holds in some passes, and not in others."""

READ = [
    "1 if {0} and sum(hand) > 3 else 0", "sum(hand) if {0} else 0", "0 if not ({0}) or highest(hand) == 1 else more",
    "count(hand where face > nth)", "sum(hand where face > 1 and (face == nth or {0}))", "sum(hand where {0})",
    "(1 if kept > 1 and sum(hand) > 3 else 0) if given(kept) and sum(hand) > 2 else 0",
]  # fmt: skip
"""Looks at a roll that is thrown outside."""


def inside(how: str, look: str) -> dict[str, object]:
    if how == "repeat":
        return {"repeat": 3, "each": {"found": look}}
    if how == "until":
        return {"repeat": 2, "each": {"found": look}, "until": look + " > 1" if " if " not in look else f"({look}) > 1"}
    if how == "roll":
        return {"roll": "d2", "each": {"found": look}, "counts": "found", "again": "face == 1 and nth < 2"}
    return {"roll": "d2", "counts": look, "again": "face == 1 and nth < 2"}


def ruleset(outside: str, how: str, look: str) -> str:
    steps: dict[str, object] = {"hand": {"roll": "2d2"}, "more": "nth * 2 - 1"}
    if "kept" in look:
        steps["kept"] = {"roll": "d2", "if": "more > 1"}
    steps["looked"] = inside(how, look)
    name = "looked" if how == "counts" else "looked.found"
    steps["total"] = f"sum({name}) + nth"
    again = {"repeat": 2} if outside == "repeat" else {"roll": "d2", "again": "face == 1 and nth < 2"}
    main = {"steps": {"whole": {**again, "each": steps}, "total": "sum(whole.total)"}}
    return yaml.safe_dump({"ruleset": "names", "mechanics": {"main": main}}, sort_keys=False)


def rulesets() -> Iterator[str]:
    places = product(["repeat", "roll"], ["repeat", "until", "roll", "counts"], READ)
    for number, (outside, how, read) in enumerate(places):
        yield ruleset(outside, how, read.format(CONDITIONS[number % len(CONDITIONS)]))


@pytest.mark.parametrize("part", thorough(range(5), lambda part: part > 0))
def test_names_inside_steps_are_not_those_outside(part: int) -> None:
    for number, text in enumerate(islice(rulesets(), part, None, 5)):
        assert_agreement(text, drawn=number % 2 == 0)
