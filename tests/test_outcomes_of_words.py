"""`outcomes: {read: degree}`: each word of a list is an outcome, and what is added to one stands under its name."""

from __future__ import annotations

import random
from typing import Any

import pytest
from marks import sample

import interpreter
from interpreter.diagnostics import RulesetError

BOOK = """
ruleset: book
names: {mood: [glad, calm, sad]}
ladders: {degree: [poor, fair, good, superb]}
tables:
  degrees: {type: degree, rows: {4 or less: poor, 5 to 7: fair, 8 to 10: good, 11 or more: superb}}
mechanics:
  try:
    inputs: {mood: {type: mood, default: calm}, size: {type: number, from: 2, default: 6}}
    steps:
      rolled: {roll: 2d6}
      degree: degrees(sum(rolled))
    outcomes: %s
"""


def mechanic(outcomes: str) -> Any:
    return interpreter.loads(BOOK % outcomes)


def refusal(outcomes: str) -> list[str]:
    with pytest.raises(RulesetError) as error:
        mechanic(outcomes)
    return [f"{one.code} {one.message}" for one in error.value.diagnostics]


SPELLED = "{superb: degree is superb, good: degree is good, fair: degree is fair, poor: otherwise}"


@pytest.mark.parametrize("seed", sample(range(20), 0, 3))
def test_the_law_is_that_of_a_condition_for_each_word(seed: int) -> None:
    chance = random.Random(seed)
    added = chance.sample(["superb: {counts_as: good}", "fair: {tells: 'so so, {degree}'}", "poor: {about: Bad.}"], 2)
    read = mechanic("{" + ", ".join(["read: degree", *added]) + "}").odds("try").law("outcome")
    spelled = mechanic(SPELLED).odds("try").law("outcome")
    assert read.weights == spelled.weights
    assert read.cost.work == spelled.cost.work


def test_ranked_words_stand_with_the_highest_first_and_others_as_listed() -> None:
    assert mechanic("{read: degree}").mechanics["try"].outcomes == ("superb", "good", "fair", "poor")
    assert mechanic("{read: mood}").mechanics["try"].outcomes == ("glad", "calm", "sad")


def test_what_is_added_to_a_word_holds() -> None:
    game = mechanic("{read: degree, superb: {counts_as: good, tells: 'as {degree} as can be', steps: {more: 6 + 1}}}")
    result = game.roll("try", faces=[6, 6])
    assert result.outcome == "superb" and "more: 7" in str(result.trace)
    assert game.roll("try", faces=[1, 1]).outcome == "poor"


def test_a_further_reading_may_read_a_word() -> None:
    text = BOOK % "{read: degree}" + "    also: {feeling: {read: mood}}\n"
    game = interpreter.loads(text)
    assert game.odds("try", inputs={"mood": "sad"}).law("feeling").weights == {("sad",): 1}


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ("{read: degree, great: {counts_as: good}}", "HR306 `great` is no outcome here: with `read: degree`, an"),
        ("{read: degree, good: degree is good}", "HR516 `read: degree` is a word, so that it is `good` without a"),
        ("{read: degree, good: {if: degree is good}}", "HR516 `read: degree` is a word, so that it is `good` without"),
        ("{read: degree, good: {counts_as: great}}", "HR306 `great` is not a word of `outcomes`"),
        ("{good: {counts_as: bad}, bad: otherwise}", "HR102 an outcome needs `if`"),
        ("{read: sum(rolled), good: {counts_as: bad}, bad: 2 or more}", "HR102 an outcome needs `if`"),
    ],
)
def test_slips_are_told_in_the_words_of_the_author(outcomes: str, said: str) -> None:
    assert any(one.startswith(said) for one in refusal(outcomes)), refusal(outcomes)
