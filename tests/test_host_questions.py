"""What another program asks of rules: every call answers what Python answers, as fractions and floats."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import games
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interpreter
from interpreter import Game, loads
from interpreter.host.sessions import CALLS, HostSessions

CONTEST = {"own": "d8", "against": "d6"}
SHOVES = """
ruleset: shoves
options: {reach: {type: number, default: 3}}
kinds:
  climber:
    has:
      reach: {type: number, from: 0, default: options.reach}
      hold:  {type: points, to: 10, starts: 10}
      nerve: {type: number, default: 5, seen_by: owner}
      moves: {type: points, to: 1, starts: 1, lasts: turn}
mechanics:
  guess:
    inputs: {who: {type: climber}}
    steps: {face: {roll: d6}, total: sum(face) + who.nerve}
    outcomes: {high: total > 7, low: otherwise}
  bold:
    steps: {tries: {choose: yes_no, by: player, default: no}, face: {roll: d6}}
    outcomes: {well: "sum(face) > 4 or not tries and sum(face) > 2", badly: otherwise}
roles: {player: Who tries.}
actions:
  shove:
    title: Shove
    actor: climber
    inputs: {target: {type: climber, where: it is not actor}}
    cost: {moves: 1}
    steps:
      die:  {roll: d10}
      slip: {lose: die + actor.reach - target.reach, from: target.hold}
    outcomes: {falls: target.hold == 0, holds: otherwise}
scenes:
  wall:
    inputs: {climbers: {list_of: climber, least: 2}}
    round:
      turns:
        steps:
          everybody: {for: one, among: climbers, each: {own: {turn: one, steps: {does: {offer: [shove], to: one}}}}}
    guard: 9
"""
THINGS: dict[str, Any] = {"ann": {"is": "climber", "nerve": 3}, "bo": {"is": "climber", "hold": 6}}
Ask = Callable[..., dict[str, Any]]


def asked_of(game: Game) -> Ask:
    host = HostSessions(game)
    return lambda do, **call: host.reply(json.dumps({"do": do, **call}))


@pytest.fixture(scope="module")
def shoves() -> Game:
    return loads(SHOVES)


@pytest.fixture
def ask(shoves: Game) -> Ask:
    """A host with a session in which two climb."""
    asks = asked_of(shoves)
    begun = asks(
        "begin", rule="wall", things=THINGS, players={"anna": ["ann"]}, seed=1, given={"climbers": ["ann", "bo"]}
    )
    assert begun["ok"]
    return asks


def law(reply: dict[str, Any], name: str) -> dict[Any, Fraction]:
    (found,) = [one for one in reply["laws"] if one["name"] == name]
    for one in found["values"]:
        assert one["float"] == float(Fraction(one["fraction"]))
    return {one["value"]: Fraction(one["fraction"]) for one in found["values"]}


def test_odds_are_those_of_python() -> None:
    game = games.game("jadeclaw")
    odds, ask = game.odds("contest", inputs=CONTEST), asked_of(game)
    reply = ask("odds", rule="contest", given=CONTEST)
    assert [one["name"] for one in reply["laws"]] == list(odds.results)
    assert law(reply, "outcome") == odds.outcomes and "mean" not in reply["laws"][0] and "strategy" not in reply
    margin = ask("odds", rule="contest", given=CONTEST, of=["margin", "double_botch"])
    assert law(margin, "margin") == odds.of("margin")
    assert margin["laws"][0]["mean"] == {"fraction": "1", "float": 1.0} and "mean" not in margin["laws"][1]


def test_a_strategy_and_what_was_not_followed_are_told() -> None:
    fate = games.game("fate")
    best = fate.odds("act", fate_points=1, best="success")
    reply = asked_of(fate)("odds", rule="act", given={"fate_points": 1}, best="success")
    assert law(reply, "outcome") == best.outcomes
    assert [(one["path"], one["answer"], Fraction(one["chance"]["fraction"])) for one in reply["strategy"]] == [
        (one.path, one.answer, one.chance) for one in best.strategy
    ]
    endless = loads("ruleset: on\nmechanics: {on: {steps: {face: {roll: d6, again: face == 6}, total: sum(face)}}}")
    (told,) = asked_of(endless)("odds", rule="on", of=["total"])["laws"]
    missing = endless.odds("on").missing_of("total")
    assert ("missing" in told) == bool(missing) and (not missing or Fraction(told["missing"]["fraction"]) == missing)


def test_two_sides_are_compared() -> None:
    game = games.game("jadeclaw")
    ask, house = asked_of(game), game.with_options({"double_botch": "tie"})
    reply = ask("compare", rule="contest", given=CONTEST, **{"with": {"options": {"double_botch": "tie"}}})
    both = interpreter.compare(game.odds("contest", inputs=CONTEST), house.odds("contest", inputs=CONTEST))
    told = {one["value"]: one for one in reply["laws"][0]["values"]}
    for outcome, change in both.outcomes.items():
        for side, number in (("a", change.a), ("b", change.b), ("difference", change.difference)):
            assert Fraction(told[outcome][side]["fraction"]) == number
    other = ask(
        "compare", rule="contest", given=CONTEST, of=["margin"], **{"with": {"given": {**CONTEST, "own": "d10"}}}
    )
    assert other["laws"][0]["mean"] == {
        "a": {"fraction": "1", "float": 1.0}, "b": {"fraction": "2", "float": 2.0},
        "difference": {"fraction": "1", "float": 1.0},
    }  # fmt: skip
    assert ask("compare", rule="contest", given=CONTEST)["error"]["message"].endswith("`with` is missing")
    strange = ask("compare", rule="contest", given=CONTEST, **{"with": {"runs": 3}})
    assert strange["error"]["message"].endswith("`with` takes no `runs`")


def test_a_simulation_tells_its_errors() -> None:
    pytest.importorskip("numpy")
    game = games.game("jadeclaw")
    reply = asked_of(game)("simulate", rule="contest", given=CONTEST, runs=2000, seed=3)
    sample = game.simulate("contest", inputs=CONTEST, runs=2000, seed=3)
    assert (reply["runs"], reply["seed"]) == (2000, 3) and law(reply, "outcome") == sample.outcomes
    (success,) = [one for one in reply["laws"][0]["values"] if one["value"] == "success"]
    share = sample.outcomes["success"]
    assert (success["error"], success["low"], success["high"]) == (share.error, share.low, share.high)


def test_rolls_and_actions_are_those_of_python(shoves: Game, ask: Ask) -> None:
    state = shoves.state(THINGS)
    rolled = ask("roll", rule="guess", given={"who": "ann"}, things=THINGS, faces=[6])
    assert rolled["result"] == shoves.roll("guess", who="ann", state=state, faces=[6]).to_data()
    bold = ask("roll", rule="bold", choices={"tries": True}, seed=2)
    assert bold["result"] == shoves.roll("bold", choices={"tries": True}, seed=2).to_data()
    acted = ask("act", action="shove", actor="ann", given={"target": "bo"}, state=shoves.to_data(state), faces=[2])
    told = shoves.act(state, "shove", actor="ann", target="bo", faces=[2])
    assert acted["result"] == told.to_data() and acted["result"]["after"]["things"]["bo"]["hold"] == 4
    again = ask("act", action="shove", actor="ann", given={"target": "bo"}, state=acted["result"]["after"], seed=1)
    assert again["error"]["message"] == "this costs 1 of `ann.moves`, but there are only 0"


def test_what_is_possible_in_a_state_of_the_caller_needs_no_viewer(shoves: Game, ask: Ask) -> None:
    one, two = ask("possible", things=THINGS)["possible"]
    assert (one["actor"], one["action"], one["inputs"], two["actor"]) == ("ann", "shove", {"target": ["bo"]}, "bo")
    assert ask("possible", state=shoves.to_data(shoves.state(THINGS)), actor="bo")["possible"] == [two]
    assert ask("possible", viewer={"player": "anna"})["possible"] == [one]
    assert ask("possible")["error"]["code"] == "HR670"


@pytest.mark.parametrize("do", ["roll", "odds", "simulate", "compare", "act"])
def test_the_state_of_a_session_is_for_the_host_alone(ask: Ask, do: str) -> None:
    call: dict[str, Any] = {"rule": "guess", "given": {"who": "ann"}, "with": {"given": {"who": "bo"}}, "state": "now",
                            "action": "shove", "actor": "ann", "seed": 1, "runs": 10}  # fmt: skip
    call = {key: value for key, value in call.items() if key in CALLS.entries[do][1]}
    if do == "act":
        call["given"] = {"target": "bo"}
    for viewer in ({}, {"viewer": {"player": "anna"}}, {"viewer": "spectator"}):
        refused = ask(do, **call, **viewer)
        assert not refused["ok"] and refused["error"]["code"] == "HR670" and refused.keys() == {"ok", "error"}
    before = ask("view", viewer="host")
    assert ask(do, **call, viewer="host")["ok"]
    assert ask("view", viewer="host") == before  # asking changes nothing


def test_odds_in_the_state_of_a_session(shoves: Game, ask: Ask) -> None:
    reply = ask("odds", rule="guess", given={"who": "ann"}, state="now", viewer="host")
    assert law(reply, "outcome") == shoves.odds("guess", who="ann", state=shoves.state(THINGS)).outcomes
    both = ask("compare", rule="guess", given={"who": "ann"}, state="now", viewer="host", of=["total"],
               **{"with": {"things": {"ann": {"is": "climber", "nerve": 4}}}})  # fmt: skip
    assert both["laws"][0]["mean"]["difference"]["fraction"] == "1"


def test_why_tells_reasons_and_what_would_be_otherwise() -> None:
    game = games.game("jadeclaw")
    ask = asked_of(game)
    result = ask("roll", rule="contest", given=CONTEST, seed=1)["result"]
    told = ask("why", name="outcome", result=result)
    assert (told["reasons"][0]["depth"], told["reasons"][0]["shown"]) == (0, f"outcome: {result['outcome']}")
    assert told["otherwise"] and all(isinstance(one, str) for one in told["otherwise"])
    assert "outcome" in ask("why", name="outcom", result=result)["error"]["help"]
    assert ask("begin", rule="contest", given=CONTEST, seed=1)["over"]
    assert ask("why", name="outcome", viewer="host") == told
    assert not ask("why", name="outcome", viewer="spectator")["ok"]
    assert ask("why", name="outcome", result={**result, "outcome": "tie"})["error"]["code"] == "HR644"


def test_problems_of_a_text_are_told_with_their_places(ask: Ask) -> None:
    assert ask("check", text=SHOVES)["problems"] == [] or all(
        one["severity"] == "warning" for one in ask("check", text=SHOVES)["problems"]
    )
    (problem,) = ask("check", text="ruleset: slips\nmechanic: {}\n", name="slips.yaml")["problems"]
    assert (problem["code"], problem["path"], problem["line"], problem["column"]) == ("HR101", "slips.yaml", 2, 1)
    assert problem["help"] == "did you mean `mechanics`?" and problem["severity"] == "error"
    assert not ask("check")["ok"]


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(["now", "host", "guess", "ann", "d6", ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["who", "ann", "is", "x"]), inner),
    max_leaves=4,
)
QUESTIONS = ("check", "roll", "act", "odds", "compare", "simulate", "possible", "why")


@settings(max_examples=150, deadline=None)
@given(do=st.sampled_from(QUESTIONS), data=st.data())
def test_any_call_is_answered_or_refused_in_words(shoves: Game, do: str, data: st.DataObject) -> None:
    keys = CALLS.entries[do][1]
    call = {key: data.draw(ANY, label=key) for key in data.draw(st.sets(st.sampled_from(keys)))}
    if "rule" in keys:
        call.setdefault("rule", "guess")
    if do == "simulate":
        call["runs"] = 5
    reply = asked_of(shoves)(do, **call)
    assert reply["ok"] or reply["error"]["code"] != "HR999", reply


def test_a_check_gives_the_changes_that_mend_a_text() -> None:
    text = "ruleset: x\nmechanics:\n  a: {steps: {total: {roll: 2d6}, more: {is: tottal + 1}}}\n"
    reply = HostSessions(games.game("fate")).reply(json.dumps({"do": "check", "text": text}))
    (problem,) = [one for one in reply["problems"] if one["code"] == "HR301"]
    (edit,) = problem["edits"] or problem["proposed"]
    assert edit["line"] == edit["end_line"] == 3 and edit["text"] == "total"
    assert text.splitlines()[2][edit["column"] - 1 : edit["end_column"] - 1] == "tottal"
