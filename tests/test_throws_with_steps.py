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


ONE_BY_ONE = """\
rolled:
  roll: 2d3
  each:
    mark: face + count(earlier.mark)
    low: {is: face, if: face < 3}
    some: "[nth] if odd(face) else []"
    own: {steps: {a: "[face] if face > 1 else []", b: nth}}
  counts: face + sum(earlier.low)
  again: face == 3 and nth < 3
"""

NAMES = {
    "a list that each throw names": "value: count(rolled.some)",
    "two of them": "value: count(rolled.some) + count(rolled.own.a)",
    "their sum beside that of the dice": "more: sum(rolled)\nvalue: sum(rolled.mark) * 10 + more",
    "a condition": "value: count(rolled.mark where it > 2) * 10 + count(rolled.throws)",
    "the first of them": "more: highest(rolled)\nvalue: (first(rolled.mark) otherwise 0) * 10 + more",
    "the last of them": "value: last(rolled.own.b) * 10 + count(rolled where face == 3)",
    "what some throws lack": "value: sum(rolled.low) + lowest(rolled)",
    "the list itself": "value: {is: rolled.own.a}",
    "the list in a record": "value: {steps: {list: rolled.mark, sum_of: sum(rolled)}}",
    "names and dice": "value: {steps: {list: rolled.some, dice: rolled}}",
    "names after a call": "called: {call: other, with: {some: rolled}}\nvalue: called.marks",
    "names in passes": "passes: {repeat: 2, each: {x: count(rolled.some) + nth, y: {roll: d2}}}\n"
    "value: sum(passes.x) + sum(rolled)",
    "only how many throws": "value: count(rolled.throws)",
    "how many throws, and the dice": "value: {steps: {many: count(rolled.throws), dice: rolled}}",
}


@pytest.mark.parametrize("reading", NAMES)
def test_of_throws_that_depend_on_each_other_only_what_is_read_is_kept(reading: str) -> None:
    head = "ruleset: names\nmechanics:\n  other: {inputs: {some: {type: roll}}, steps: {marks: count(some)}}\n"
    steps = indent(f"{ONE_BY_ONE}{NAMES[reading]}", " " * 6)
    played = interpreter.loads(f"{head}  one:\n    steps:\n{steps}")
    hold_to_every_history(played, "one", "value")


def test_a_question_within_a_throw_names_the_throws_before() -> None:
    game = interpreter.loads(
        "ruleset: asked\nroles: {p: Whoever throws.}\nmechanics:\n  m:\n    steps:\n      r:\n        roll: 2d6\n"
        "        each: {more: {choose: yes_no, by: p, default: no, ask: 'After {count(earlier)} throws, again?'}}\n"
        "        again: more and nth < 3\n"
    )
    session = game.begin("m", seed=1, players={"ann": ["p"]})
    asked = []
    for answer in (True, False, False):
        (request,) = session.host.requests
        asked.append(request.question)
        session.host.answer(request.id, answer)
    assert asked == [f"After {number} throws, again?" for number in range(3)]
