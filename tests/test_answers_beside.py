"""Answers that are given together with one that they follow: an action with its inputs, numbers for several things."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_campaign import run

import interpreter
from interpreter import Game, PlayError, Session
from interpreter.host.sessions import HostSessions

MARKET = """ruleset: market
kinds:
  trader:
    has:
      coins: {type: points, starts: 4}
      sold:  {type: number, default: 0}
      wares: {list_of: ware, default: []}
  ware: {has: {price: {type: number, default: 1}}}
roles: {judge: Whoever is asked.}
action_kinds:
  quick: {at_most: {times: 2, per: turn}, upgrade: {to: slow, waives: [coins], counts_as: 1}}
  slow:  {at_most: {times: 1, per: turn}}
actions:
  offer_up:
    title: Offer something
    kind: quick
    actor: trader
    inputs:
      ware: {type: ware, among: actor.wares}
      fair: {type: yes_no, by: judge, default: yes, ask: Is it fair?}
      tip:  {type: number, from: 0, to: 2, default: 0}
    requires: {allowed: fair}
    cost: {coins: 1}
    steps: {more: {set: actor.sold, to: actor.sold + 10 * ware.price + tip}}
mechanics: {}
scenes:
  day:
    inputs: {traders: {list_of: trader}, poor: {list_of: trader}}
    round:
      trade:
        steps:
          each_one:
            for: one
            among: traders
            each:
              own: {turn: one, steps: {does: {offer: [quick], to: one, ask: What do you sell?}}}
              alms:
                choose: number
                by: one
                among: poor
                from: 0
                budget: one.coins
                default: 0
                ask: "Alms are given, {one.coins} at most. How many to {it}, who has {it.coins}?"
              given_: {lose: sum(alms), from: one.coins}
              done:
                for: other
                among: poor
                each: {got: {gain: alms(other) otherwise 0, to: other.coins}}
    outcomes: {over: scene.round >= 3}
""".replace("mechanics: {}\n", "")
PLAYERS = {"anna": ["ann"], "ben": ["judge"]}


@pytest.fixture(scope="module")
def market() -> Game:
    return interpreter.loads(MARKET)


def at_market(game: Game) -> Session:
    things = {
        "ann": {"is": "trader", "wares": ["jug", "bowl"]}, "cy": {"is": "trader", "coins": 0},
        "di": {"is": "trader", "coins": 1}, "jug": {"is": "ware", "price": 2}, "bowl": {"is": "ware"},
    }  # fmt: skip
    session = game.begin("day", state=game.state(**things), traders=["ann"], poor=["cy", "di"], players=PLAYERS, seed=1)
    session.host.ask("usual")
    return session


def test_an_action_is_answered_with_its_inputs(market: Game) -> None:
    session = at_market(market)
    session.seat("anna").answer(session.host.requests[0].id, "offer_up", beside={"ware": "jug", "tip": 2})
    assert [one.name for one in session.host.requests] == ["fair"]  # which is not for her to say
    session.seat("ben").answer(session.host.requests[0].id, True)
    assert session.host.look("ann.sold") == 22 and session.host.requests[0].name == "does"
    assert [(one.path.rpartition(".")[2], one.how) for one in session.log] == [
        ("does", "given"), ("ware", "with"), ("fair", "given"), ("tip", "with"), ("upgraded", "standing")
    ]  # fmt: skip
    assert market.resume(session.to_json()).log == session.log
    session.host.undo()
    session.host.undo()
    assert session.host.requests[0].name == "does" and session.log == ()


def test_what_was_undone_or_said_of_another_action_answers_nothing(market: Game) -> None:
    session = at_market(market)
    session.seat("anna").answer(session.host.requests[0].id, "offer_up", beside={"ware": "jug", "tip": 2})
    session.seat("ben").answer(session.host.requests[0].id, False)  # nobody asks for the tip any more
    assert session.host.requests[0].name == "does"
    session.seat("anna").answer(session.host.requests[0].id, "offer_up", beside={"ware": "bowl"})
    session.seat("ben").answer(session.host.requests[0].id, True)
    assert session.host.requests[0].name == "tip"


def test_an_action_is_done_as_another_kind_where_the_answer_says_so(market: Game) -> None:
    session = at_market(market)
    session.seat("anna").answer(session.host.requests[0].id, "offer_up", beside={"ware": "jug", "upgraded": True})
    session.seat("ben").answer(session.host.requests[0].id, True)
    session.seat("anna").answer(session.host.requests[0].id, 0)
    assert session.host.look("ann.coins") == 4


def test_numbers_for_several_are_answered_together(market: Game) -> None:
    session = at_market(market)
    session.seat("anna").answer(session.host.requests[0].id, "pass")
    (asked,) = session.seat("anna").requests
    assert (asked.of, [(one.of, one.high, one.reaction) for one in asked.others]) == ("cy", [("di", 4, False)])
    session.seat("anna").answer(asked.id, 3, beside={"di": 1})
    assert (session.host.look("cy.coins"), session.host.look("di.coins")) == (3, 2)
    assert len(session.rounds) == 2 and session.host.requests[0].name == "does"
    session.host.undo()
    assert session.host.requests[0].name == "alms"
    session.seat("anna").answer(asked.id, 3, beside={"di": 2})  # more than is left, so it is asked
    assert [(one.name, one.of, one.high) for one in session.host.requests] == [("alms", "di", 1)]


def test_what_does_not_follow_is_refused(market: Game) -> None:
    session = at_market(market)
    offer = session.host.requests[0]
    for value, beside in (("offer_up", {"fair": True}), ("offer_up", {"price": 1}), ("pass", {"ware": "jug"})):
        with pytest.raises(PlayError):
            session.seat("anna").answer(offer.id, value, beside=beside)
    assert session.host.requests[0] == offer and session.log == ()


def test_a_host_gives_answers_beside_in_the_protocol(market: Game) -> None:
    host = HostSessions(market)
    host.sessions["main"] = session = at_market(market)
    call = {"do": "answer", "viewer": {"player": "anna"}, "request": session.host.requests[0].id, "value": "offer_up"}
    assert not host.reply(json.dumps({**call, "beside": "jug"}))["ok"]
    assert host.reply(json.dumps({**call, "beside": {"ware": "jug"}}))["ok"]
    assert [one.name for one in session.host.requests] == ["fair"]


SCENE = """state: day
of: market.yaml
scene: day
things:
  trader: {ann: {wares: [jug, bowl]}, cy: {coins: 0}, di: {coins: 1}}
  ware: {jug: {price: 2}, bowl: {}}
given: {traders: [ann], poor: [cy, di]}
players: {anna: [ann], ben: [judge]}
"""


def played(tmp_path: Path, typed: str) -> str:
    (tmp_path / "market.yaml").write_text(MARKET, "utf-8")
    (tmp_path / "day.yaml").write_text(SCENE, "utf-8")
    done = run(tmp_path, "play", "day.yaml", "--seed", "1", "--no-save", typed=typed)
    assert done.stdout, done.stderr
    return done.stdout


@pytest.mark.parametrize("line", ["1 jug 2", "offer something jug 2", "offer 2 jug"])
def test_a_terminal_takes_an_action_with_what_it_asks_for(tmp_path: Path, line: str) -> None:
    told = played(tmp_path, f"{line}\ny\n:look ann\n")
    assert "such as 1 jug [pass]>" in told
    assert "Offer something: ann, ware jug, tip 2 (coins 4 → 3)" in told and "Offer something: ware?" not in told
    assert "sold 22" in told


def test_a_terminal_takes_the_other_kind_by_its_name_and_refuses_what_is_no_answer(tmp_path: Path) -> None:
    told = played(tmp_path, "1 jug slow 0\ny\n1 jug 7\n1 cy\npass\n")
    assert (
        "Offer something: ann, ware jug, as a slow action\n" in told
        and "`7` cannot be chosen for “Offer something”" in told
    )
    assert "`cy` cannot be chosen for “Offer something”" in told
    assert "possible now: ware: jug, bowl; tip: 0, 1, 2\n" in told  # slow is used up


def test_a_terminal_asks_once_for_the_numbers_for_several(tmp_path: Path) -> None:
    told = played(tmp_path, "pass\n3\ncy 3, di 1\n:look\n")
    asked = (
        "anna, ann: Alms are given, 4 at most.\n  cy  0 to 4 [0]  How many to cy, who has 0?\n"
        "  di  0 to 4 [0]  How many to di, who has 1?\nsuch as cy 1, di 1 [0, 0]>"
    )
    assert told.count(asked) == 1, told
    assert "2 are asked, and 1 answer is given" in told and "di: coins 1 → 2" in told
