"""Choices whose default leads for certain to what they are decided for: nothing else is followed after them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import games
import pytest
from workloads import CLIFF_RULES, CLIFFS, Workload, points
from workloads.questions import QUESTION_RULES, QUESTIONS

import interpreter
from interpreter.odds.answer import Law
from interpreter.odds.decisions import Decisions

BETS = """
ruleset: bets
kinds: {table: {one: yes, has: {coins: {type: points, to: 9, starts: 3}}}}
mechanics:
  bought:
    inputs: {target: number}
    steps:
      opening: {roll: d6}
      total: sum(opening)
      more:  {choose: number, from: 0, to: 3, default: 0, ask: "You have {total}. How many dice?"}
      paid:  {pay: more, from: table.coins}
      second: {roll: (more)d6}
      again: {choose: yes_no, default: no, ask: "Once more?"}
      third: {roll: 1d4 if again else no_dice}
      in_all: total + sum(second) + sum(third)
      taken: {choose: number, from: 0, to: 2, default: 0, ask: "How much do you take?"}
    outcomes: {made: in_all - taken >= target, missed: otherwise}
"""

ASKED: Mapping[str, Workload] = {
    "points of D6": points(2),
    **{name: QUESTIONS[name] for name in ("three points of luck in five tests", "five points after three tests")},
    "bought later": CLIFFS["5 exploding dice, up to 6 more bought after a look"],
}


def answers(name: str) -> Law:
    asked = ASKED[name]
    rules = QUESTION_RULES if name in QUESTIONS else CLIFF_RULES
    return asked.ask(games.fresh_game(asked.ruleset or rules))


def told(law: Law) -> list[tuple[Any, ...]]:
    """The advice in words: a number of which only a bound is known is equal to none."""
    return [(one.path, str(one.seen), str(one.answer), one.chance) for one in law.strategy]


@pytest.mark.parametrize("name", ASKED)
def test_nothing_changes_but_the_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = answers(name)
    monkeypatch.setattr(Decisions, "_default_reaches", lambda *_: False)
    everything = answers(name)
    assert found.weights == everything.weights
    assert told(found) == told(everything)
    assert found.cost is not None and everything.cost is not None
    assert found.cost.states <= everything.cost.states


@pytest.mark.parametrize("target", [3, 6, 9])
@pytest.mark.parametrize(
    "best",
    [
        "made",
        "missed",
        {"more": "made", "again": "made", "taken": "missed"},
        {"more": "missed", "taken": "made"},
        {"again": "made"},
        {"worst": "made"},
    ],
    ids=str,
)
def test_several_who_decide_and_worst_answers_do_as_before(
    best: Any, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def law() -> Law:
        how = {"worst": "made"} if best == {"worst": "made"} else {"best": best}
        return interpreter.loads(BETS).odds("bought", target=target, **how).law("outcome")

    found = law()
    monkeypatch.setattr(Decisions, "_default_reaches", lambda *_: False)
    everything = law()
    assert found.weights == everything.weights
    assert told(found) == told(everything)
