"""Formulas under conditions that no number fulfils: they are checked as any other, and never worked out."""

from __future__ import annotations

import pytest

import interpreter

FORMULAS = [
    "up(6 / n) if n > 0 else 7",
    "down(6 / (n + 0)) if n > 0 else 7",
    "6 / n if n >= 1 else 7",
    "units(n) * 3 - n if n > 0 else 7",
    "clamp(n, 1, 3) * n if n > 5 else 7",
    "tens(n) + abs(n - 4) if n > 0 and n < 0 else 7",
    "max(n, 2) / min(n, 3) if n > 0 else 7",
    "sum(upto(n)) if n > 0 else 7",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_condition_may_leave_no_number(formula: str) -> None:
    played = interpreter.loads(
        "ruleset: none_left\nrounding: down\nmechanics:\n  one:\n    inputs: {n: {type: number, from: 0, to: 0}}\n"
        f"    steps: {{value: '{formula}'}}\n"
    )
    assert played.roll("one", n=0).values["value"] == 7
    assert played.odds("one", n=0).law("value").weights == {(7,): 1}
