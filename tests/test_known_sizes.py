"""What is known of how many dice or elements there are: what is certainly there needs no `otherwise`."""

from __future__ import annotations

import pytest

import interpreter
from interpreter import RulesetError

SURE = {
    "the second of two": ("{roll: 2d10}", "kth(rolled, 2)"),
    "of a sorted list": ("{roll: 3d6}", "item(ordered(rolled.face), 2)"),
    "the second of ordered dice": ("{roll: 3d6}", "kth(ordered(rolled), 2)"),
    "a part": ("{roll: {a: d6, b: 2d10}}", "highest(rolled.b)"),
    "the second of a part": ("{roll: {a: d6, b: 2d10}}", "kth(rolled.b, 2)"),
    "the first": ("{roll: 2d10}", "first(rolled)"),
    "dice that explode": ("{roll: 2d6, again: face == 6}", "kth(rolled, 2)"),
    "their throws": ("{roll: 2d6, again: face == 6}", "kth(rolled.throws.face, 2)"),
    "the lowest of the highest": ("{roll: 4d6}", "lowest(highest(rolled, 3))"),
    "the second of the first": ("{roll: 4d6}", "kth(first(rolled, 2), 2)"),
    "two parts joined": ("{roll: {a: d6, b: d6}}", "kth(rolled.a & rolled.b, 2)"),
    "a part of joined rolls": ("{roll: {a: d6, b: d6}}", "kth((rolled & rolled).a, 2)"),
    "either": ("{roll: 2d6}", "kth(rolled if sum(rolled) > 7 else reversed(rolled), 2)"),
    "a reroll of some": ("{start: {roll: 2d6}, then: {anew: {reroll: 'lowest(rolled, 1)'}}}", "kth(rolled, 2)"),
    "passes": ("{repeat: 3, each: {die: {roll: d6}}}", "kth(rolled.die, 3)"),
    "a list up to a number": ("{roll: d6}", "kth(upto(3), 3)"),
    "without the biggest": ("{roll: 'without_biggest(3d6, 1)'}", "kth(rolled, 2)"),
}
UNSURE = {
    "too few": ("{roll: 2d10}", "kth(rolled, 3)"),
    "some": ("{roll: 2d10}", "kth(rolled where face > 1, 1)"),
    "a part that may have no dice": ("{roll: {a: d6, b: (extra)d10}}", "highest(rolled.b)"),
    "an unknown rank": ("{roll: 2d10}", "kth(rolled, extra)"),
    "none of the highest": ("{roll: 2d10}", "highest(highest(rolled, extra))"),
    "one less": ("{roll: 2d10}", "kth(without(rolled, first(rolled, 1)), 2)"),
    "passes that may end early": ("{repeat: 3, each: {die: {roll: d6}}, until: die > 3}", "kth(rolled.die, 2)"),
    "equal keys": ("{for: one, among: '[1, 1]', each: {half: one / 2}}", "kth(rolled.half, 2)"),
}


def errors(step: str, read: str) -> list[str]:
    text = "ruleset: sizes\nmechanics:\n  m:\n    inputs: {extra: {type: number, from: 0, default: 1}}\n    steps:\n"
    try:
        interpreter.loads(f'{text}      rolled: {step}\n      value: "{read} + 1"\n')
    except RulesetError as error:
        return [one.code for one in error.diagnostics]
    return []


@pytest.mark.parametrize("case", SURE)
def test_what_is_certainly_there_needs_no_otherwise(case: str) -> None:
    assert errors(*SURE[case]) == []


@pytest.mark.parametrize("case", UNSURE)
def test_what_may_not_be_there_does(case: str) -> None:
    assert errors(*UNSURE[case]) == ["HR404"]
