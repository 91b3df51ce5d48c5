"""Actions with `may_refuse`: who acts hears a price that somebody else names, and may leave it."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import Game, PlayError, loads

RULES = """\
ruleset: stunts
roles: {game_master: Who runs the game.}
action_kinds:
  simple: {upgrade: {to: full, waives: [nerve], counts_as: 2}}
  full:   {at_most: {times: 1, per: turn}}
kinds:
  rider:
    has:
      nerve:  {type: points, starts: 3}
      stunts: {type: number, default: 0, seen_by: everybody}
actions:
  stunt:
    title: Try a stunt
    kind: simple
    actor: rider
    inputs:
      wish:    {type: text, default: something, ask: "What?"}
      allowed: {type: yes_no, by: game_master, default: yes, ask: "May it be tried?"}
      price:   {type: number, from: 0, to: 6, by: game_master, default: 2, ask: "How much?"}
    requires: {permission: allowed}
    cost: {nerve: price}
    may_refuse: yes
    steps:
      done: {set: actor.stunts, to: actor.stunts + 1}
events:
  show:
    inputs: {who: {type: rider}}
    steps:
      own:
        turn: who
        steps:
          tries: {offer: [stunt], to: who}
    outcomes: {none_at_all: who.stunts == 0, one: who.stunts == 1, several: otherwise}
policies:
  shy:   {tries: "[stunt]", pays: no}
  brave: {tries: "[stunt]", stunt.pays: yes, upgraded: actor.nerve < 2}
"""
STATE = {"ann": {"is": "rider"}}
Asked = list[tuple[str, Any]]


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def played(game: Game, answers: list[Any]) -> tuple[Asked, Any]:
    """The questions of a show with these answers in order, and the session."""
    session, asked = game.begin("show", state=STATE, inputs={"who": "ann"}), []
    for answer in answers:
        (request,) = session.host.requests
        asked.append((request.path.rsplit(".", 1)[-1], request))
        session.host.answer(request.id, answer)
    return asked, session


def test_the_price_comes_first_and_then_its_payer(game: Game) -> None:
    asked, session = played(game, ["stunt", "swing", True, 2, False, True, "pass"])
    assert [name for name, _ in asked] == ["tries", "wish", "allowed", "price", "upgraded", "pays", "tries"]
    pays = dict(asked)["pays"]
    assert (pays.who, pays.question) == ("ann", "Try a stunt: it costs 2 of your nerve. Do you do it?")
    assert "Said of it: price 2." in pays.about
    assert session.over and game.look(session.state, "ann.nerve") == 1


def test_a_refused_price_is_not_paid_and_nothing_is_counted(game: Game) -> None:
    asked, session = played(game, ["stunt", "swing", True, 3, False, False, "stunt", "climb", True, 0, True])
    assert [name for name, _ in asked][-1] == "upgraded", "the full action of the turn is left"
    assert game.look(session.state, "ann.nerve") == 3 and game.look(session.state, "ann.stunts") == 1
    (line,) = [line for line in session.host.lines() if line.kind == "denied"]
    assert line.text == "Try a stunt: `ann` does not do it at this price"


def test_what_takes_the_full_action_alone_is_asked_too(game: Game) -> None:
    asked, session = played(game, ["stunt", "swing", True, 5, True, "stunt", "climb", True, 2, False, "pass"])
    assert asked[4][1].question == "Try a stunt: it takes your only full action of the turn. Do you do it?"
    assert [name for name, _ in asked][5:] == ["tries", "wish", "allowed", "price", "pays", "tries"]
    assert game.look(session.state, "ann.stunts") == 1


def test_whoever_wants_it_as_the_other_kind_is_not_asked_twice(game: Game) -> None:
    asked, _ = played(game, ["stunt", "swing", True, 2, True, "pass"])
    assert [name for name, _ in asked] == ["tries", "wish", "allowed", "price", "upgraded", "tries"]


def test_nobody_is_asked_where_there_is_nothing_to_pay(game: Game) -> None:
    asked, _ = played(game, ["stunt", "swing", True, 0, False, "pass"])
    assert "pays" not in dict(asked)


def test_the_same_words_are_refused_without_asking_the_game_master(game: Game) -> None:
    asked, session = played(game, ["stunt", "swing", False, "stunt", "swing", "stunt", "climb", True, 2, False, True])
    assert [name for name, _ in asked][3:6] == ["tries", "wish", "tries"]
    assert game.look(session.state, "ann.stunts") == 1


def test_ten_refusals_are_enough(game: Game) -> None:
    _, session = played(game, [each for nth in range(10) for each in ("stunt", f"idea {nth}", False)])
    assert session.over


def test_an_offer_goes_on_where_it_was_saved(game: Game) -> None:
    _, session = played(game, ["stunt", "swing", False])
    again = game.resume(session.to_json())
    (request,) = again.host.requests
    again.host.answer(request.id, "stunt")
    (request,) = again.host.requests
    again.host.answer(request.id, "swing")
    (request,) = again.host.requests
    assert request.path.endswith("tries")


def test_outside_of_an_offer_the_refusal_is_an_error(game: Game) -> None:
    with pytest.raises(PlayError, match="at this price"):
        game.roll("actions.stunt", state=STATE, choices={"pays": False}, inputs={"actor": "ann"})


@pytest.mark.parametrize(("policy", "stunts"), [("shy", 0), ("brave", 2)])
def test_silent_play_and_odds_agree(game: Game, policy: str, stunts: int) -> None:
    asked: dict[str, Any] = {"state": STATE, "inputs": {"who": "ann"}, "policy": policy}
    told = game.roll("show", seed=1, **asked)
    assert game.look(told.state, "ann.stunts") == stunts
    name = ("none_at_all", "one", "several")[stunts]
    assert game.odds("show", **asked).outcomes[name] == 1
    assert float(game.simulate("show", runs=20, seed=1, **asked).outcomes[name]) == 1
