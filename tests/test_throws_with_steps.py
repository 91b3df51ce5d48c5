"""Throws whose steps read how many there were, or roll dice themselves: odds are those of every history, or bounds."""

from __future__ import annotations

from textwrap import indent

import pytest
from enumeration import hold_to_every_history

import interpreter
from interpreter.api.game import Game

PAST = {
    "a step that the first throw lacks": "rolled:\n  roll: d2\n  each: {late: {is: face, if: nth >= 2}}\n"
    "  counts: sum(earlier.late)\n  again: nth < 3",
    "a list that the first throw leaves empty": "rolled:\n  roll: d2\n  each:\n"
    '    late: "[face] if nth >= 2 else []"\n  counts: count(earlier.late)\n  again: nth < 3',
    "several dice": "rolled:\n  roll: 2d2\n  each: {late: {is: face, if: nth >= 2}}\n"
    "  counts: face + sum(earlier.late)\n  again: face == 2 and nth < 3",
    "what another die named": "rolled:\n  roll: d2 & d3\n"
    '  each: {x: face, y: "item(earlier.x, 1) if size == 3 else 0"}\n  counts: y',
    "the same in passes": "some:\n  repeat: 2\n  each:\n    die: {roll: d2}\n    late: {is: die, if: nth >= 2}\n"
    "    total: sum(earlier.late)\nrolled: {roll: d2, counts: face + sum(some.total)}",
}


def game(steps: str) -> Game:
    head = "ruleset: throws\nmechanics:\n  one:\n    steps:\n"
    return interpreter.loads(head + indent(f"{steps}\nvalue: sum(rolled)", " " * 6))


@pytest.mark.parametrize("steps", PAST)
def test_later_throws_may_have_what_the_first_one_lacks(steps: str) -> None:
    played = game(PAST[steps])
    hold_to_every_history(played, "one", "value")


@pytest.mark.parametrize(
    ("roll", "values"),
    [
        ("{roll: d2, each: {die: {roll: d4, again: face == 2}, w: odd(die)}, counts: 1 if w else 2}", {1: 2 / 3}),
        ("{roll: d2, each: {die: {roll: d4, again: face == 2}}, counts: units(die), again: nth < 2}", {}),
        ("{roll: 2d2, each: {die: {roll: d4, again: face == 2}, w: odd(die)}, counts: 1 if w else 2}", {2: 4 / 9}),
    ],
)
def test_a_die_that_goes_on_without_end_in_a_throw_leaves_little_open(roll: str, values: dict[int, float]) -> None:
    played = game(f"rolled: {roll}")
    law = played.odds("one").law("value")
    assert law.missing < 1e-10
    assert all(abs(float(law.weights[value,]) - share) < 1e-9 for value, share in values.items())
    found = played.simulate("one", runs=2_000, seed=1, of=("value",)).law("value").weights
    assert all(abs(float(found.get(key, 0) - share)) < 0.08 for key, share in law.weights.items())
