"""What passes of a `repeat` carry on: play, odds, simulation and the best answers, held to enumeration and by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from enumeration import by_enumeration
from test_decisions import best_by_hand

import interpreter
from interpreter.api.exact_odds import paths_of
from interpreter.api.game import Game
from interpreter.diagnostics import RulesetError
from interpreter.odds.strategy import sentences
from interpreter.play.deciders import Answers
from interpreter.report.explain import explain_name

RULES = """
ruleset: carried
ladders: {{mood: [calm, cross, wild]}}
roles: {{ann: Who decides.}}
mechanics:
  main:
    inputs: {{start: {{type: number, from: 0, to: 2, default: 1}}}}
    steps:
      passes:
        repeat: {times}
        carry: {carry}
        each:
          die: {{roll: d3}}
          {each}
        {rest}
      seen: {seen}
"""
FORMS: dict[str, dict[str, str]] = {
    "a total": {"carry": "{n: start}", "each": "n: n + die", "seen": "last(passes).n"},
    "a total that a condition skips": {
        "carry": "{n: 0}", "each": "n: {is: n + die, if: die > 1}", "seen": "last(passes).n",
    },
    "one that is read before its step": {
        "carry": "{n: 0}", "each": "gain: \"0 if n > 3 else die\"\n          n: n + gain", "seen": "sum(passes.gain)",
    },
    "one that ends the passes": {
        "carry": "{n: 0}", "each": "n: n + die", "rest": "until: n >= 4", "seen": "count(passes) * 10 + last(passes.n)",
    },
    "one that only the next pass reads": {
        "carry": "{was: 0}", "each": "more: die > was\n          was: die + 0", "seen": "count(passes.more where it)",
    },
    "two, of which one reads the other": {
        "carry": "{n: 0, m: start}", "each": "n: n + m\n          m: max(m, die)", "seen": "last(passes).n",
    },
    "one that is missing at first": {
        "carry": "{best: none}", "each": "best: max(die, best otherwise 0)", "seen": "last(passes.best)",
    },
    "yes or no": {"carry": "{hurt: no}", "each": "hurt: hurt or die == 3", "seen": "any(passes.hurt)"},
    "a word": {
        "carry": "{temper: calm}", "each": "temper: {is: temper + 1, if: die > 1 and temper is not wild}",
        "seen": "last(passes.temper)",
    },
    "dice": {
        "carry": "{pool: d3}", "each": "more: {roll: pool}\n          pool: {is: pool & d2, if: die == 3}",
        "seen": "sum(last(passes).more)", "times": "2",
    },
    "the pass that is kept": {
        "carry": "{n: 0}", "each": "n: n + die * (1 if odd(nth) else -1)", "rest": "keep: {highest: n}",
        "seen": "passes.n",
    },
    "no pass at all": {"carry": "{n: 0}", "each": "n: n + die", "times": "start", "seen": "last(passes.n) otherwise 9"},
}  # fmt: skip


def rules(name: str) -> str:
    form = {"times": "3", "rest": "until: no", **FORMS[name]}
    return RULES.format(**form)


def plainly(game: Game, given: dict[str, Any]) -> dict[Any, Any]:
    """The law of `seen` by plain enumeration."""
    law: dict[Any, Any] = {}
    for weight, record in paths_of(game, "main", given, lambda: Answers({}, lambda choice, value: value, None)):
        law[record["seen"]] = law.get(record["seen"], 0) + weight
    return law


@pytest.mark.parametrize("start", [0, 2])
@pytest.mark.parametrize("name", FORMS)
def test_the_law_is_that_of_enumeration(name: str, start: int) -> None:
    game = interpreter.loads(rules(name))
    assert game.odds("main", start=start).of("seen") == plainly(game, {"start": start})


@pytest.mark.parametrize("name", FORMS)
def test_runs_come_near_the_law(name: str) -> None:
    game = interpreter.loads(rules(name))
    law = game.odds("main").of("seen")
    found = game.simulate("main", runs=4000, seed=3, of=["seen"]).of("seen")
    assert set(found) <= set(law)
    assert all(abs(float(found.get(value, 0)) - float(chance)) < 0.05 for value, chance in law.items())


def test_a_total_is_added_up_from_pass_to_pass() -> None:
    law: dict[int, Fraction] = {}
    for dice in product(range(1, 4), repeat=3):
        law[2 + sum(dice)] = law.get(2 + sum(dice), Fraction(0)) + Fraction(1, 27)
    assert interpreter.loads(rules("a total")).odds("main", start=2).of("seen") == law


def test_in_a_pass_the_name_is_the_value_before_until_its_step() -> None:
    game = interpreter.loads(rules("two, of which one reads the other"))
    record = game.roll("main", faces=[3, 1, 2]).values["passes"]
    assert [(one["n"], one["m"]) for one in record] == [(1, 3), (4, 3), (7, 3)]


def test_a_step_that_is_skipped_stays_what_it_was() -> None:
    game = interpreter.loads(rules("a total that a condition skips"))
    assert [one["n"] for one in game.roll("main", faces=[2, 1, 3]).values["passes"]] == [2, 2, 5]


def test_the_best_answers_are_those_of_plain_play() -> None:
    """Points that are left, and a total that decides whether one spends more of them."""
    form = {
        "times": "3", "carry": "{left: start, n: 0}", "rest": "until: no",
        "seen": "last(passes).n + 2 * last(passes).left",
        "each": "more: {choose: number, from: 0, to: left, by: ann, default: 0}\n"
        "          n: max(n, die) + (more if n < 3 else 0)\n          left: left - more",
    }  # fmt: skip
    game = interpreter.loads(RULES.format(**form))
    best = best_by_hand(game, "main", {"start": 2}, lambda record: record["seen"], False)
    assert game.odds("main", start=2, best="seen").mean("seen") == best


def test_passes_that_come_to_the_same_are_one() -> None:
    """A hundred passes take a moment, since only the total stands before each of them."""
    game = interpreter.loads(rules("a total").replace("repeat: 3", "repeat: 100"))
    law = game.odds("main", start=0).of("seen")
    assert sum(law.values()) == 1 and len(law) == 201 and law[100] == Fraction(1, 3**100)


PIG = """
ruleset: pig
roles: {player: Who throws.}
mechanics:
  turn:
    inputs: {most: {type: number, from: 1}}
    steps:
      throws:
        repeat: most
        carry: {total: 0}
        each:
          on:    {choose: yes_no, by: player, default: yes, ask: "You have {total}. Do you throw?"}
          die:   {roll: d6, if: on}
          lost:  given(die) and sum(die) == 1
          total: {is: "0 if lost else total + sum(die)", if: given(die)}
        until: not on or lost
      score: last(throws).total otherwise 0
"""


def pig(most: int) -> Fraction:
    """The highest mean of a turn, and from the end backwards, the best of holding and of throwing."""
    after = {total: Fraction(total) for total in range(6 * most + 1)}
    for left in range(most):
        after = {
            total: max(Fraction(total), sum((after[total + face] for face in range(2, 7)), Fraction(0)) / 6)
            for total in range(6 * (most - left - 1) + 1)
        }
    return after[0]


@pytest.mark.parametrize("most", [1, 2, 7, 15])
def test_a_turn_of_pig_at_best(most: int) -> None:
    odds = interpreter.loads(PIG).odds("turn", most=most, best="score")
    assert odds.mean("score") == pig(most)


def test_advice_calls_what_is_carried_by_its_name() -> None:
    odds = interpreter.loads(PIG).odds("turn", most=8, best="score")
    odds.law("score")
    assert sentences(odds.strategy) == ["throws.on: yes, when total is 20 or less; otherwise no"]


def test_an_explanation_says_what_passes_carry_on() -> None:
    said = "\n".join(explain_name(interpreter.loads(rules("a total that a condition skips")).program, None, "main"))
    assert "`n` begins with 0; every pass goes on from the one before." in said
    assert "Otherwise it stays what it was." in said


ENDS = """
ruleset: ends
mechanics:
  main:
    steps:
      passes:
        repeat: 3
        carry: {total: 0}
        each:
          die: {roll: d3}
          over: {end: gone, if: die == 3}
          best: max(die, last(earlier.best) otherwise 0)
          total: total + die
      seen: (last(passes.total) otherwise 0) * 10 + (last(passes.best) otherwise 0)
    outcomes: {high: {if: seen > 40}, gone: otherwise}
    also: {kept: READING}
"""


def test_what_comes_after_an_end_in_a_pass_is_there_in_the_next_one() -> None:
    played = interpreter.loads(ENDS.replace("READING", "any(passes.die where it == 3)"))
    names = ("outcome", "seen", "kept")
    assert played.odds("main").law(*names).weights == by_enumeration(played, "main", played.state(), names, {})


def test_what_comes_after_an_end_may_be_missing_in_the_result() -> None:
    with pytest.raises(RulesetError, match=r"HR403 .* may be missing"):
        interpreter.loads(ENDS.replace("READING", '"item(passes, 1).total > 2"'))
