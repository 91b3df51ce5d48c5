"""Steps that end a rule wherever they stand: in a turn, in passes, in what happens when a bound is reached."""

from __future__ import annotations

from fractions import Fraction
from textwrap import indent

import pytest
from enumeration import by_enumeration, hold_to_every_history

import interpreter
from interpreter.api.game import Game

KINDS = """kinds:
  hero:
    has:
      hp: {type: points, to: 9, starts: 1, when_empty: {falls: {end: dead, if: owner.mortal}}}
      luck: {type: points, to: 3, starts: 0}
      mortal: {type: yes_no, default: no}
"""

STEPS = {
    "a turn": "own_turn: {turn: ann, steps: {out: {end: dead, if: die == 1}}}\nmore: {gain: 1, to: ann.luck}",
    "a turn in a loop": "each_one: {for: who, among: '[ann, bo]', each: {own_turn: {turn: who, steps:"
    " {die2: {roll: d2}, out: {end: dead, if: die2 == die}}}}}",
    "passes in a turn": "own_turn: {turn: ann, steps: {some: {repeat: 2, each: {x: {roll: d2},"
    " out: {end: dead, if: x == die}}}}}",
    "points that run out": "hit: {lose: 1, from: bo.hp, if: die == 1}\nmore: {gain: 1, to: ann.luck}",
    "points that run out in passes": "some: {repeat: 2, each: {x: {roll: d2},"
    " hit: {lose: 1, from: bo.hp, if: x == die}}}",
    "points that run out for each": "each_one: {for: who, among: '[ann, bo]', each: {hit: {lose: 1, from: who.hp}}}",
    "points that run out in a group": "some: {if: die == 2, steps: {hit: {lose: 1, from: bo.hp}, x: 3}}",
    "points that run out in a turn": "own_turn: {turn: ann, steps: {hit: {lose: 1, from: bo.hp, if: die == 2}, x: 3}}",
}


def game(steps: str) -> Game:
    return interpreter.loads(
        f"ruleset: ends\n{KINDS}mechanics:\n  one:\n    inputs: {{ann: hero, bo: hero}}\n    steps:\n"
        "      die: {roll: d2}\n" + indent(steps, " " * 6) + "\n      late: die + 1\n"
        "    outcomes: {good: ann.luck > 0, fine: otherwise}\n"
    )


@pytest.mark.parametrize("names", [("outcome",), ("late",), ("die", "outcome", "late")])
@pytest.mark.parametrize("steps", STEPS)
def test_what_comes_behind_an_end_is_not_reached(steps: str, names: tuple[str, ...]) -> None:
    played = game(STEPS[steps])
    state = played.state({"ann": {"is": "hero"}, "bo": {"is": "hero", "mortal": True}})
    true = by_enumeration(played, "one", state, names, {"ann": "ann", "bo": "bo"})
    assert played.odds("one", state=state, ann="ann", bo="bo").law(*names).weights == true
    found = played.simulate("one", state=state, runs=2_000, seed=1, of=names, ann="ann", bo="bo").law(*names).weights
    assert found.keys() <= true.keys()
    assert all(abs(float(found.get(key, 0) - share)) < 0.08 for key, share in true.items())


COSTS = """ruleset: acts
kinds: {hero: {has: {hp: {type: points, to: 3, starts: 2, when_empty: {falls: {end: dead}}}}}}
actions:
  strike: {actor: hero, cost: {hp: 2}, steps: {die: {roll: d2}}, outcomes: {high: die == 2, low: otherwise}}
mechanics:
  one:
    inputs: {who: hero}
    steps: {deed: {act: strike, with: {actor: who}}, more: 3}
    outcomes: {done: otherwise}
"""


def test_an_action_whose_price_ends_it_has_that_outcome() -> None:
    played = interpreter.loads(COSTS)
    for hp, outcomes in (
        (3, {("high",): 1 / 2, ("low",): 1 / 2}),
        (2, {("dead",): 1}),
        (3, {("high",): 1 / 2, ("low",): 1 / 2}),
    ):
        state = played.state({"ann": {"is": "hero", "hp": hp}})
        assert played.odds("actions.strike", state=state, actor="ann").law("outcome").weights == outcomes
        found = played.simulate("actions.strike", state=state, runs=20, actor="ann", of=("outcome",)).law("outcome")
        assert found.weights.keys() <= outcomes.keys()
        assert (played.roll("actions.strike", state=state, actor="ann", seed=1).outcome,) in outcomes


@pytest.mark.parametrize("hp", [2, 3])
def test_only_the_action_is_ended_by_its_price(hp: int) -> None:
    played = interpreter.loads(COSTS)
    state = played.state({"ann": {"is": "hero", "hp": hp}})
    assert played.roll("one", state=state, who="ann", seed=1).outcome == "done"
    assert played.odds("one", state=state, who="ann").law("outcome").weights == {("done",): 1}
    begun = played.begin("actions.strike", state=state, actor="ann", seed=1)
    assert begun.result is not None


AFTER = """ruleset: after
{kinds}mechanics:
  main:
    inputs: {inputs}
    steps: {{die: {{roll: 2d2}}}}
    outcomes:
      good: {{if: sum(die) >= 3, steps: {{{steps}}}}}
      bad: otherwise
    also: {{low: sum(die) == 3, told: {{much: sum(die) == 4, little: otherwise}}}}
{more}"""
ENDS_AFTER = {
    "a number": "gave: 3, x: {roll: d2}, out: {end: bad, if: x == 1}, late: x + 1",
    "a roll": "gave: {roll: 2d3}, out: {end: bad, if: sum(gave) >= 4}, late: sum(gave)",
    "dice of before": "gave: '(highest(die, 1))', out: {end: bad, if: sum(gave) == 2}, late: sum(die)",
    "passes": "gave: {roll: d3}, late: {repeat: 2, each: {x: {roll: d2}, out: {end: bad, if: x == gave}}}",
    "a list of passes": "gave: {repeat: 2, each: {x: {roll: d2}}}, out: {end: bad, if: sum(gave.x) == 3}, late: 1",
    "a group": "gave: {roll: d2}, late: {steps: {x: {roll: d2}, out: {end: bad, if: x == gave}, y: 1}}",
    "a choice": "gave: {choose: number, from: 0, to: 2, default: 1}, x: {roll: d2}, out: {end: bad, if: x > 1},"
    " late: gave",
    "a skipped step": "gave: {roll: d2, if: sum(die) > 3}, out: {end: bad, if: sum(die) == 3}, late: 2",
    "stages": "gave: {start: 1, then: {more: {is: gave + 1, if: sum(die) == 3}}}, out: {end: bad}, late: 2",
}


def after(steps: str, inputs: str = "{}", kinds: str = "", more: str = "") -> Game:
    return interpreter.loads(AFTER.format(steps=steps, inputs=inputs, kinds=kinds, more=more))


@pytest.mark.parametrize("names", [("gave",), ("outcome", "late"), ("gave", "outcome", "late"), ("low", "told")])
@pytest.mark.parametrize("steps", ENDS_AFTER)
def test_what_steps_of_an_outcome_gave_before_an_end_stays(steps: str, names: tuple[str, ...]) -> None:
    hold_to_every_history(after(ENDS_AFTER[steps]), "main", *names)


def test_further_readings_are_missing_where_a_rule_ends_before_them() -> None:
    ends = "  main:\n    steps: {die: {roll: d2}, out: {end: bad, if: die == 1}}\n    outcomes: {good: otherwise}\n"
    played = interpreter.loads(f"ruleset: early\nmechanics:\n{ends}    also: {{low: die == 1, high: die == 2}}\n")
    hold_to_every_history(played, "main", "low", "high", "outcome")
    assert played.odds("main").law("low", "high").weights == {(None, None): 0.5, (False, True): 0.5}


CALLER = """  one:
    inputs: {ann: hero}
    steps: {got: {call: main, with: {ann: ann}}, gave: got.gave, worth: ann.luck}
    outcomes: {done: otherwise}
"""


CHANGES_BEFORE = {
    "an end": "gift: {gain: 1, to: ann.luck, if: sum(die) == 3}, gave: ann.luck, out: {end: bad, if: gave > 0},"
    " late: 1",
    "points that run out": "gift: {gain: 1, to: ann.luck}, gave: ann.luck, late: 1,"
    " hit: {lose: 1, from: ann.hp, if: sum(die) == 3}, more: {gain: 1, to: ann.luck}",
    "a turn": "gave: {roll: d2}, own_turn: {turn: ann, steps: {gift: {gain: 1, to: ann.luck},"
    " hit: {lose: 1, from: ann.hp, if: gave == 2}}}, late: 1",
}


@pytest.mark.parametrize(
    ("rule", "names"),
    [("main", ("gave",)), ("main", ("gave", "late", "outcome")), ("one", ("gave", "worth")), ("one", ("worth",))],
)
@pytest.mark.parametrize("steps", CHANGES_BEFORE)
def test_what_steps_of_an_outcome_changed_before_an_end_stays_changed(
    steps: str, rule: str, names: tuple[str, ...]
) -> None:
    played = after(CHANGES_BEFORE[steps], "{ann: hero}", KINDS, CALLER)
    state = played.state({"ann": {"is": "hero", "mortal": True}})
    hold_to_every_history(played, rule, *names, state=state, ann="ann")


def test_what_steps_of_an_outcome_gave_before_an_end_is_worth_its_number() -> None:
    """The player sees the throw of 3 or 4 and names the number: 2 counts, whether the rule ends behind it or not."""
    steps = "x: {roll: d2}, gave: {choose: number, from: 0, to: 2}, out: {end: bad, if: x > 1}, late: gave"
    more = "  one: {steps: {got: {call: main}, worth: got.gave otherwise 0}, outcomes: {done: otherwise}}\n"
    odds = after(steps, more=more).odds("one", best="worth")
    share = Fraction(3, 8)
    assert odds.mean("worth") == Fraction(3, 2)
    assert odds.law("worth", "got.outcome").weights == {
        (0, "bad"): Fraction(1, 4),
        (2, "bad"): share,
        (2, "good"): share,
    }
