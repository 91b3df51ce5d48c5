"""What is too much for odds is refused as soon as there are too many states, and not when all of them were made."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter
from interpreter.diagnostics import PlayError
from interpreter.odds import forward

MOST = 2_000

REPEATS = {
    "kept passes": (
        "tries: {repeat: 12, each: {rolled: {roll: 3d6}, score: sum(rolled)}}",
        "sum(highest(tries.score, 6))",
    ),
    "whole passes": ("tries: {repeat: 6, each: {a: {roll: d20}, b: {roll: d20}, score: a + b}}", "first(tries).score"),
    "passes before": (
        "tries: {repeat: 6, each: {drawn: {roll: d365}, day: sum(drawn), again: day in earlier.day}}",
        "count(tries where it.again)",
    ),
    "until": (
        "tries: {repeat: 30, each: {rolled: {roll: 3d6}, score: sum(rolled)}, until: score == 3}",
        "sum(highest(tries.score, 3))",
    ),
    "passes in passes": (
        "tries: {repeat: 6, each: {best: {repeat: 6, each: {rolled: {roll: 3d6}, score: sum(rolled)},"
        " keep: {highest: score}}, score: best.score}}",
        "first(tries).score",
    ),
}


@pytest.mark.parametrize("name", REPEATS)
def test_repeats(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tries, value = REPEATS[name]
    text = f'ruleset: much\nmechanics:\n  much:\n    steps:\n      {tries}\n      value: "{value}"\n'
    made = 0

    def went_on(todo: Any, got: Any) -> Any:
        nonlocal made
        made += 1
        return plainly(todo, got)

    plainly = forward.went_on
    monkeypatch.setattr(forward, "MOST_STATES", MOST)
    monkeypatch.setattr(forward, "went_on", went_on)
    with pytest.raises(PlayError) as refused:
        interpreter.loads(text).odds("much").law("value")
    assert refused.value.diagnostic.code == "HR805"
    assert made < MOST + 500
