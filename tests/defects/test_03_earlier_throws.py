"""`earlier` may be read anywhere in a chain or a repetition, by any of its names: all ways to work it out agree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

import pytest
import yaml
from agreement import assert_agreement
from marks import thorough

LOOKS = [
    "count(earlier.low)", "count(earlier)", "sum(earlier.score)", "highest(earlier.score) otherwise 0",
    "last(earlier.score) otherwise 0", "first(earlier.score) otherwise 2", "lowest(earlier.score) otherwise 1",
    "count(earlier where it.low)", "count(earlier where it.score > 1)", "sum(earlier.score where it > 1)",
    "count(earlier.word where it is high)", "(kth(earlier.score, 1) otherwise 1)", "sum(last(earlier.score, 2))",
    "sum((earlier where it.low).score)", "(1 if any(earlier.low) else 0)", "(1 if all(earlier.low) else 0)",
    "(1 if not any(earlier where it.score == 1) else 0)", "(1 if given(last(earlier)) else 0)",
    "(1 if face in earlier.score else 0)",
]  # fmt: skip
"""What may be read of the throws before, as a number."""


def chain(dice: str, names: dict[str, object], **more: str) -> dict[str, object]:
    each = {"low": "face <= 1", "word": "high if face > 1 else little", "score": "face", **names}
    return {"roll": dice, "each": each, "again": "face > 1 and nth < 3", **more}


def places(look: str, dice: str) -> dict[str, dict[str, object]]:
    """Where a rule may look back: in what each throw names, in what it counts, and in whether there is another one."""
    one = {"throw": {"roll": dice}, "face": "sum(throw)", "low": "face <= 1", "word": "high if face > 1 else little",
           "score": "face"}  # fmt: skip
    return {
        "a name": chain(dice, {"seen": look}),
        "a name that is read": chain(dice, {"score": f"face + {look}"}),
        "a name that hangs on it": chain(dice, {"score": f"1 if nth == 1 and face == 1 else {look}"}),
        "a name, counted": chain(dice, {"seen": look}, counts="seen + face"),
        "a name, for another throw": chain(dice, {"seen": look}, again="face > 1 and nth - seen < 2 and nth < 3"),
        "counts": chain(dice, {}, counts=f"face + {look}"),
        "again": chain(dice, {}, again=f"face > 1 and nth < 3 and {look} < 2"),
        "again alone": chain(dice, {}, again=f"nth < 3 and {look} <= 1"),
        "both": chain(dice, {}, counts=f"face * {look}", again=f"face > 1 and {look} <= 2 and nth < 3"),
        "a pass": {"repeat": 2, "each": {**one, "seen": look}},
        "until": {"repeat": 3, "each": one, "until": f"{look} > 1"},
        "the best pass": {"repeat": 2, "each": {**one, "seen": look}, "keep": {"highest": "seen + face"}},
    }


def ruleset(dice: str, step: dict[str, object]) -> str:
    steps: dict[str, object] = {"rolled": step}
    if "roll" in step:
        steps |= {"total": "sum(rolled)", "many": "count(rolled.throws)", "lows": "count(rolled.throws where it.low)"}
        steps |= {"scores": "sum(rolled.score)", "counted": "sum(rolled.throws.counts)"}
    elif "keep" in step:
        steps |= {"score": "rolled.score", "seen": "rolled.seen"}
    else:
        steps |= {"many": "count(rolled)", "scores": "sum(rolled.score)", "lows": "count(rolled where it.low)"}
    head = {"ruleset": "earlier", "names": {"height": ["little", "high"]}, "dice": {"loaded": {"faces": [1, 2, 2]}}}
    return yaml.safe_dump({**head, "mechanics": {"main": {"steps": steps}}}, sort_keys=False)


def rulesets(part: int) -> Iterator[str]:
    some = cycle(["d3", "2d2", "loaded"])
    for number, look in enumerate(map("({})".format, LOOKS)):
        for place in islice(places(look, "d3"), (number + part) % 6, None, 6):
            dice = next(some)
            yield ruleset(dice, places(look, dice)[place])


@pytest.mark.parametrize("part", thorough(range(6), lambda part: part > 0))
def test_whatever_looks_back_agrees(part: int) -> None:
    for number, text in enumerate(rulesets(part)):
        assert_agreement(text, drawn=number % 5 == 0)
