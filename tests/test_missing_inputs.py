"""Exact odds and simulation leave out what depends on inputs that are missing; play tests each condition."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import interpreter
from interpreter import ir
from interpreter.api.exact_odds import paths_of
from interpreter.odds.inlining import inline_functions, without_dead_steps
from interpreter.odds.lower.played import ReplayedWalk
from interpreter.odds.missing_inputs import missing_inputs, without_inputs
from interpreter.play.deciders import Answers
from interpreter.runtime.evaluator import Closures, new_frame
from interpreter.syntax.document import from_python

RULES = """
ruleset: helpers
kinds: {hero: {has: {luck: {type: points, to: 3, starts: 3}}}}
options: {dark: {type: yes_no, default: no}}
mechanics:
  spent:
    inputs: {who: {type: hero, optional: yes}, pool: dice, limit: {type: number, optional: yes}}
    steps:
      rolled: {roll: pool}
      paid:   {lose: 1, from: who.luck, if: given(who)}
      bonus:
        start: sum(rolled)
        then:
          lucky: {is: bonus + who.luck, if: given(who)}
          held:  {is: "min(bonus, limit)", if: given(limit)}
          dim:   {is: bonus - 1, if: options.dark}
          alone: {is: bonus, if: given(who), else: bonus + 1}
      pushed: {choose: yes_no, default: no, if: given(who) and who.luck > 0}
      again:  {roll: d2, if: not given(who)}
      more:   sum(again) if given(again) else 0
    outcomes: {high: bonus + more > 4, low: otherwise}
  both:
    inputs: {who: {type: hero, optional: yes}, limit: {type: number, optional: yes}}
    steps:
      mine:   {call: spent, with: {who: who, pool: d4, limit: limit}}
      theirs: {call: spent, with: {pool: d3}}
      tries:  {repeat: 2, each: {one: {call: spent, with: {who: who, pool: d2}}, got: one.bonus}}
      ahead:  mine.bonus > theirs.bonus + count(tries.got where it > 1)
  nested:
    inputs: {who: {type: hero, optional: yes}}
    steps:
      inner: {call: both, with: {who: who}}
      left:  who.luck otherwise 9
"""
STATE = {"ann": {"is": "hero"}}
QUESTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("spent", {"pool": "2d3"}, "outcome"),
    ("spent", {"pool": "2d3", "limit": 3}, "bonus"),
    ("spent", {"pool": "2d3", "who": "ann"}, "outcome"),
    ("both", {}, "ahead"),
    ("both", {"limit": 2}, "mine.bonus"),
    ("both", {"who": "ann"}, "ahead"),
    ("nested", {}, "inner.ahead"),
    ("nested", {"who": "ann"}, "left"),
]


@pytest.mark.parametrize(("rule", "given", "name"), QUESTIONS)
def test_odds_are_those_of_enumeration_whatever_is_missing(rule: str, given: dict[str, Any], name: str) -> None:
    game = interpreter.loads(RULES)
    odds = game.odds(rule, inputs=given, state=STATE).of(name)
    if "who" not in given:
        written = {key: from_python(value, key) for key, value in given.items()}
        values = game.reader().mechanic_inputs(game.program.mechanics[rule], written)
        law: dict[Any, Fraction] = {}
        for weight, record in paths_of(game, rule, values, lambda: Answers({}, lambda _, value: value, None)):
            at: Any = record
            for part in name.split("."):
                at = at[part]
            law[at] = law.get(at, Fraction(0)) + weight
        assert {value: chance for value, chance in odds.items() if chance} == law
    found = game.simulate(rule, inputs=given, state=STATE, runs=4_000, seed=3, of=[name]).of(name)
    for value, chance in odds.items():
        assert abs(float(found.get(value, 0)) - float(chance)) < 0.05


def test_what_changes_things_only_for_a_missing_one_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = 0
    plainly = ReplayedWalk.replay_from

    def watched(*given: Any) -> Any:
        nonlocal runs
        runs += 1
        return plainly(*given)

    monkeypatch.setattr(ReplayedWalk, "replay_from", watched)
    game = interpreter.loads(RULES)
    assert game.odds("both").of("ahead") and not runs
    assert game.odds("both", state=STATE, who="ann").of("ahead") and runs


def test_an_input_is_missing_only_where_every_call_leaves_it_out() -> None:
    game = interpreter.loads(RULES)
    rules = game.program.mechanics
    found = missing_inputs(game.program, rules["both"], {"who": None, "limit": None})
    assert found == {"mechanics.spent": {"who", "limit"}}
    found = missing_inputs(game.program, rules["both"], {"who": game, "limit": None})
    assert found == {"mechanics.spent": {"limit"}}
    assert missing_inputs(game.program, rules["both"], {"who": game, "limit": 3}) == {}
    assert missing_inputs(game.program, rules["spent"], {"who": None, "pool": (), "limit": 2}) == {
        "mechanics.spent": {"who"}
    }


def test_steps_whose_condition_is_known_are_values_or_have_none() -> None:
    game = interpreter.loads(RULES)
    rule = without_inputs(game.program.mechanics["spent"], frozenset({"who"}))
    closures = Closures(game.program, dict(game.option_values))
    known = inline_functions(
        rule, game.program, lambda expr: closures.closure_of_expression(expr)(new_frame()), lambda _: False
    )
    made = without_dead_steps(known)
    steps = {step.name: step for step in made.steps}
    assert isinstance(steps["paid"].action, ir.Let) and isinstance(steps["pushed"].action, ir.Let)
    assert steps["again"].condition is None and isinstance(steps["again"].action, ir.RollDice)
    stages = steps["bonus"].action
    assert isinstance(stages, ir.Stages) and [stage.name for stage in stages.then] == ["held", "alone"]
