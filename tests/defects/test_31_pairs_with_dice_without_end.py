"""Pairs whose steps read the whole number of a die without end lack only the dice beyond the limit of throws."""

from __future__ import annotations

from fractions import Fraction
from textwrap import indent

import pytest

import interpreter

EACH = {
    "odd": "odd(theirs)",
    "both": "odd(ours + theirs)",
    "a remainder": "theirs - 3 * down(theirs / 3)",
    "a list of numbers": "theirs in [2, 3, 5]",
    "the other side": "odd(ours)",
}
READ = {
    "whole": "a",
    "with the roll": "a, e",
    "one of them": "c: first(a).g",
    "one by one": "c: {for: one, among: a, each: {k: one.g}}",
    "as a list": "c: a.g",
}


@pytest.mark.parametrize("turned", [False, True], ids=["theirs", "ours"])
@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("each", EACH)
def test_hardly_anything_is_missing(each: str, read: str, turned: bool) -> None:
    step = READ[read]
    names = tuple(step.split(", ")) if ":" not in step else ("c",)
    steps = "e: {roll: d2, again: face == 1}\nb: {roll: 2d3}\n"
    steps += "a: {pair: e, with: b, each: {g: 'EACH'}}\n" if turned else "a: {pair: b, with: e, each: {g: 'EACH'}}\n"
    value = EACH[each]
    if turned:
        value = value.replace("ours", "X").replace("theirs", "ours").replace("X", "theirs")
    steps = steps.replace("EACH", value) + (step if ":" in step else "")
    text = f"ruleset: pairs\nrounding: down\nmechanics:\n  main:\n    steps:\n{indent(steps, '      ')}\n"
    law = interpreter.loads(text).odds("main").law(*names)
    assert law.missing < Fraction(1, 10**9)
