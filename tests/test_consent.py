"""Inputs of actions that somebody other than the actor gives: each value stays possible, and a no ends the action."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from interpreter import Game, PlayError, loads

RULES = """\
ruleset: consent
roles: {game_master: The person who runs the game.}
kinds:
  hero:
    has:
      nerve:  {type: points, starts: 3}
      stunts: {type: number, default: 0}
      struck: {type: number, default: 0}
actions:
  stunt:
    actor: {type: hero}
    inputs:
      hard:    {type: number, from: 0, to: 9, default: 0}
      allowed: {type: yes_no, by: game_master, about: "May it be tried?"}
      price:   {type: number, from: 1, to: 4, by: game_master, default: 1, about: "What does it cost?"}
    requires:
      permission: allowed and hard < 5
    cost: {nerve: price}
    steps:
      done: {set: actor.stunts, to: actor.stunts + 1}
  wait: {actor: {type: hero}, steps: {calm: actor.nerve}}
events:
  blow:
    inputs: {who: {type: hero}}
    steps:
      hit: {set: who.struck, to: who.struck + 1}
reactions:
  dodge:
    title: Dodge the blow
    before: blow
    actor: {type: hero, among: event.who}
    inputs: {room: {type: yes_no, by: game_master, about: "Is there room?"}}
    requires: {there_is_room: room}
    steps:
      away: {cancel: event}
mechanics:
  show:
    inputs: {who: {type: hero}}
    steps:
      tries: {offer: [stunt, wait], to: who, most: 2}
    outcomes: {some: who.stunts > 0, none_at_all: otherwise}
  fight:
    inputs: {who: {type: hero}}
    steps:
      struck: {cause: blow, with: {who: who}}
    outcomes: {away: who.struck == 0, hit: otherwise}
policies:
  bold: {tries: "[stunt, wait]", hard: 1, allowed: yes, price: 4, dodge: yes, room: no}
"""
STATE = {"ann": {"is": "hero"}}


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def rolled(game: Game, rule: str, choices: dict[str, Any]) -> Any:
    return game.roll(rule, state=STATE, choices=choices, seed=1, inputs={"who": "ann"})


def test_a_no_ends_the_action_and_the_offer_goes_on_without_it(game: Game) -> None:
    result = rolled(game, "show", {"tries": ["stunt", "wait", "wait"], "tries.stunt.allowed": False})
    assert result.outcome == "none_at_all" and result.values["tries"] == ("wait", "wait")
    assert game.look(result.state, "ann.nerve") == 3
    (line,) = [line for line in result.trace if line.kind == "denied"]
    assert line.text == "Stunt: this is not possible: `permission` requires `allowed and hard < 5`"


CLIMB = """\
ruleset: climb
roles: {game_master: The person who runs the game.}
names: {tool: [rope, saw]}
kinds: {hero: {has: {nerve: {type: points, starts: 3}}}}
actions:
  climb:
    actor: {type: hero}
    inputs:
      aide: {type: hero, optional: yes, where: it is not actor, by: game_master}
      tool: {type: tool, where: given(aide)}
    requires: {steady: (aide.nerve otherwise 9) > 5}
    steps: {done: yes}
mechanics:
  show: {inputs: {who: {type: hero}}, steps: {tries: {offer: [climb], to: who, most: 1}}}
"""


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"aide": "bo"}, ["Climb: this is not possible: `steady` requires `(aide.nerve otherwise 9) > 5`"]),
        ({}, ["Climb: there is no candidate for `aide`"]),  # without an aide there is no tool
        ({"aide": "cy", "tool": "rope"}, []),
    ],
)
def test_the_reason_of_a_no_is_that_of_the_answer(answer: dict[str, Any], why: list[str]) -> None:
    state = {"ann": {"is": "hero"}, "bo": {"is": "hero"}, "cy": {"is": "hero", "nerve": 9}}
    result = loads(CLIMB).roll("show", state=state, choices={"tries": ["climb", "pass"][: 1 + bool(why)], **answer},
                               seed=1, inputs={"who": "ann"})  # fmt: skip
    assert [line.text for line in result.trace if line.kind == "denied"] == why


def test_a_denied_idea_is_not_offered_again(game: Game) -> None:
    choices = {"tries": ["stunt"] * 2 + ["wait"] * 2, "tries.stunt.hard": [2, 2], "tries.stunt.allowed": False}
    with pytest.raises(PlayError) as refused:
        rolled(game, "show", choices)
    assert refused.value.diagnostic.code == "HR620" and "0, 1, 3, 4" in str(refused.value)


def test_an_action_is_not_offered_when_every_idea_was_denied(game: Game) -> None:
    choices = {"tries": ["stunt"] * 6, "tries.stunt.hard": [0, 1, 2, 3], "tries.stunt.allowed": [False] * 5}
    with pytest.raises(PlayError) as refused:
        rolled(game, "show", choices)
    assert refused.value.diagnostic.code == "HR620" and "(allowed: wait, pass)" in str(refused.value)


def test_a_price_that_the_actor_cannot_pay_is_a_no(game: Game) -> None:
    choices = {"tries": ["stunt", "pass"], "tries.stunt.allowed": True, "tries.stunt.price": 4}
    result = rolled(game, "show", choices)
    assert result.outcome == "none_at_all" and game.look(result.state, "ann.nerve") == 3


def test_only_what_the_actor_gives_is_narrowed(game: Game) -> None:
    asked = {}
    answers = {"tries": "stunt", "tries.stunt.hard": 0, "tries.stunt.allowed": True, "tries.stunt.price": 1}
    session = game.begin("show", state=STATE, seed=1, inputs={"who": "ann"})
    while not session.over:
        (request,) = session.host.requests
        asked[request.path] = request
        session.host.answer(request.id, answers[request.path])
    assert list(asked["tries.stunt.hard"].options or ()) == [0, 1, 2, 3, 4]
    assert asked["tries.stunt.allowed"].who == "game_master" and asked["tries.stunt.allowed"].options is None
    assert (asked["tries.stunt.hard"].question, asked["tries.stunt.allowed"].question) == (
        "Stunt: hard?",
        "May it be tried? (ann: Stunt)",
    )
    assert (asked["tries.stunt.price"].low, asked["tries.stunt.price"].high) == (1, 4)
    assert session.result is not None and session.result.outcome == "some"


@pytest.mark.parametrize(("room", "outcome"), [(True, "away"), (False, "hit")])
def test_a_reaction_may_be_denied(game: Game, room: bool, outcome: str) -> None:
    result = rolled(game, "fight", {"struck.dodge": True, "struck.dodge.room": room})
    assert result.outcome == outcome
    assert [line.kind == "denied" for line in result.trace].count(True) == (not room)


def test_a_host_lists_what_somebody_else_may_say(game: Game) -> None:
    (stunt, _) = game.possible(game.state(STATE), "ann")
    assert stunt.inputs == {"hard": [0, 1, 2, 3, 4], "allowed": [False, True], "price": [1, 2, 3, 4]}


def test_without_an_offer_the_no_is_an_error(game: Game) -> None:
    with pytest.raises(PlayError) as refused:
        game.roll("actions.stunt", state=STATE, choices={"allowed": False}, inputs={"actor": "ann"})
    assert (refused.value.diagnostic.code, refused.value.diagnostic.about) == ("HR606", "permission")


def _chance_of_a_stunt(waits: int, denied: int) -> Fraction:
    """That an offer under way comes to a stunt, of which so many of the five ideas were denied."""
    if waits == 2 or denied == 5:
        return Fraction(0)
    happens = Fraction(1, 2) * Fraction(3, 4)
    stunt = happens + (1 - happens) * _chance_of_a_stunt(waits, denied + 1)
    return (stunt + _chance_of_a_stunt(waits + 1, denied)) / 3


@pytest.mark.parametrize("rule", ["show", "fight"])
def test_every_way_of_counting_agrees(game: Game, rule: str) -> None:
    """The offer: `stunt` 1/3, allowed 1/2, price not 4 3/4; as second answer after a `wait`, too, and of whatever is
    not denied yet. The reaction: 1/4.
    """
    law = game.odds(rule, state=STATE, policy="random", inputs={"who": "ann"}).outcomes
    counted = game.simulate(rule, state=STATE, policy="random", runs=4_000, seed=1, inputs={"who": "ann"}).outcomes
    wanted = {"show": _chance_of_a_stunt(0, 0), "fight": Fraction(1, 4)}[rule]
    assert law["some" if rule == "show" else "away"] == wanted
    for outcome, chance in law.items():
        assert abs(float(counted[outcome]) - float(chance)) < 0.03


@pytest.mark.parametrize(("rule", "outcome"), [("show", "none_at_all"), ("fight", "hit")])
def test_a_policy_may_deny(game: Game, rule: str, outcome: str) -> None:
    counted = game.simulate(rule, state=STATE, policy="bold", runs=100, seed=1, inputs={"who": "ann"}).outcomes
    assert game.odds(rule, state=STATE, policy="bold", inputs={"who": "ann"}).outcomes[outcome] == 1
    assert float(counted[outcome]) == 1
