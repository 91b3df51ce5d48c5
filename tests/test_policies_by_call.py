"""Policies that answer one call of a rule among several: the same in every way of playing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_written import both

import interpreter
from interpreter.codegen import module_of

GAME = """
ruleset: wager
policies:
  of_all:    {chosen: 1}
  one_call:  {chosen: 1, ours.chosen: 3}
  one_rule:  {theirs.chosen: 3, contest.theirs.chosen: 2, chosen: 1}
  in_order:  {contest.ours.chosen: 3, ours.chosen: 2, try.chosen: 1}
  placed:    {ours.chosen: 3, mechanics.try.steps.chosen: 0}
  through:   {round_one.ours.chosen: 3, contest.ours.chosen: 2, chosen: 0}
mechanics:
  try:
    inputs: {skill: {type: number, default: 0}}
    steps:
      chosen: {choose: number, from: 0, to: 3}
      die:    {roll: d6}
      score:  die + chosen + skill
  contest:
    steps:
      ours:   {call: try, with: {skill: 1}}
      theirs: {call: try}
    outcomes: {ahead: ours.score > theirs.score, behind: otherwise}
  match:
    steps:
      round_one: {call: contest}
      round_two: {call: contest}
      theirs:    {call: try}
      side:      {steps: {ours: {call: try}}}
"""


@pytest.mark.parametrize(
    ("policy", "chosen"),
    [
        ("of_all", [1, 1, 1, 1, 1, 1]),
        ("one_call", [3, 1, 3, 1, 1, 3]),
        ("one_rule", [1, 2, 1, 2, 3, 1]),
        ("in_order", [3, 1, 3, 1, 1, 2]),
        ("placed", [3, 0, 3, 0, 0, 3]),
        ("through", [3, 0, 2, 0, 0, 0]),
    ],
)
def test_the_answer_is_that_of_the_call(policy: str, chosen: list[int]) -> None:
    game = interpreter.loads(GAME)
    names = ["round_one.ours", "round_one.theirs", "round_two.ours", "round_two.theirs", "theirs"]
    names = [f"{one}.chosen" for one in names]
    played = dict(game.roll("match", policy=policy, seed=1).choices)
    assert [played[one] for one in [*names, "side.ours.chosen"]] == chosen
    odds = game.odds("match", policy=policy)
    assert [list(odds.law(name).weights) for name in names] == [[(value,)] for value in chosen[:-1]]
    simulated = game.simulate("match", policy=policy, runs=20, seed=1)
    assert [list(simulated.law(name).weights) for name in names] == [[(value,)] for value in chosen[:-1]]


def test_steps_of_one_name_in_two_rules_are_told_apart() -> None:
    game = interpreter.loads(GAME)
    for rule, chosen in (("contest", 2), ("match", 3), ("contest", 2)):
        assert list(game.odds(rule, policy="one_rule").law("theirs.chosen").weights) == [(chosen,)]


FUSSY = """
policies:
  fussy:
    does: "[strike, pack_up, rest]"
    turns.own.does.strike.target: item(near(actor, 0), 1)
    strike.hits.duck: actor.mood is sad
    hits.duck.low: no
    duck.low: yes
    acts.upgraded: yes
    does.rest.upgraded: no
    upgraded: no
    pack_up.what: rope if lamp in actor.pack and not (rope in actor.pack) else axe if lamp in actor.pack else lamp
    what: lamp
    duck: no
"""
EVERYTHING = Path(__file__).parent / "lasting" / "everything.yaml"


def test_a_scene_is_written_as_it_is_walked() -> None:
    game = interpreter.loads(EVERYTHING.read_text().replace("policies:\n", FUSSY.lstrip(), 1))
    state = game.state(ann={"is": "rover"}, bo={"is": "rover", "food": 6, "mood": "sad"}, cy={"is": "rover", "food": 1})
    module = module_of(game.program, game.option_values, "fussy", whole=True)
    assert module.keeps_calls
    values: dict[str, Any] = {"rovers": tuple(state.thing(name) for name in ("ann", "bo", "cy")), "length": 3}
    given: dict[str, set[Any]] = {}
    for seed in range(40):
        walked, written = both(game, module, "day", values, state, seed)
        assert walked == written != "it fails", seed
        inputs = {"rovers": ["ann", "bo", "cy"], "length": 3}
        played = game.play("day", state=state, policy="fussy", seed=seed, inputs=inputs)
        for path, answer in played.choices:
            given.setdefault(path, set()).add(answer)
    assert given["turns.own.does.strike.hits.duck"] == {True, False}  # `duck: no` is for any other way
    assert given["turns.own.does.pack_up.what"] == {"lamp", "rope"}


HOUSE = """
ruleset: house
extends: wager.yaml
changes:
  policies.one_call.ours.chosen: {set: 2, was: 3, because: Nobody dares more.}
  policies.of_all.theirs.chosen: {add: 0, because: They are careful.}
  mechanics.contest.steps.theirs: {rename: rivals, because: They are.}
"""


def test_a_house_rule_changes_and_renames_them(tmp_path: Path) -> None:
    (tmp_path / "wager.yaml").write_text(GAME)
    (tmp_path / "house.yaml").write_text(HOUSE)
    game = interpreter.load(tmp_path / "house.yaml")

    def chosen(policy: str) -> list[int]:
        law = game.odds("contest", policy=policy).law("ours.chosen", "rivals.chosen")
        return list(next(iter(law.weights)))

    assert chosen("one_call") == [2, 1]
    assert chosen("of_all") == [1, 0]
    assert chosen("one_rule") == [1, 2]
