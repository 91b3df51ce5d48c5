"""The game master steps into a scene that is played, and logs, undo, saves and other rules know it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_adopt import SHIPS, a_session, changed, refused

import interpreter
from interpreter import Session
from interpreter.cli.master_commands import obey_master
from interpreter.host.sessions import HostSessions
from interpreter.report.transcript import record_lines


def test_what_the_game_master_does_is_played_logged_and_taken_back() -> None:
    session = a_session(0)
    session.master.set("ann.crew", 3, why="a wave")
    session.master.set("bo.sail", 7)
    session.master.cause("storm")
    session.master.add("ship")
    assert session.host.look("ann.crew") == 3 and session.host.look("bo.sail") == 7 and len(session.state.things) == 4
    told = [line.text for line in session.host.lines() if line.name == "game_master"]
    assert told == ["ann.crew 5 → 3 (a wave)", "bo.sail 3 → 7", "Storm", "ship_2 created"]
    assert session.log[0].answer == {"master": "{lose: 2, from: ann.crew}", "why": "a wave"}
    resumed = interpreter.loads(SHIPS).resume(session.to_json())
    assert resumed.host.requests == session.host.requests and resumed.adopted == ()
    session.host.undo()
    assert len(session.state.things) == 3
    session.host.redo()
    later = interpreter.loads(changed("scene.round >= 3", "scene.round >= 4")).resume(session.to_json())
    assert later.host.look("bo.sail") == 7 and [line.kind for line in later.adopted] == ["rule"]


def test_bounds_and_what_follows_them_hold_for_the_game_master() -> None:
    rules = changed("to: 6, starts: 5}", "to: 6, starts: 5, when_empty: {sunk: {set: owner.sail, to: 0}}}")
    game = interpreter.loads(rules)
    session = game.begin(
        "duel", state=game.state(ann={"is": "ship"}, bo={"is": "ship"}), fighters=["ann", "bo"], seed=1
    )
    session.master.set("ann.crew", 0)
    assert session.host.look("ann.sail") == 0
    session.master.set("bo.crew", 99)
    assert session.host.look("bo.crew") == 6


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("{roll: d6}", "HR685"),
        ("{", "HR"),
        ("{gain: 1, to: zoe.crew}", "HR301"),
        ("{set: ann.rank, to: royal}", "HR"),
        ("", "HR"),
        ("{fly: 1}", "HR108"),
        ("{gain: 1}", "HR102"),
        ("{end: turn}", "HR685"),
        ("{end: [round]}", "HR103"),
        ("{give: ann, to: zoe}", "HR663"),
        ("{give: dinghy, to: ben}", "HR664"),
    ],
)
def test_what_is_no_effect_is_refused_and_changes_nothing(step: str, code: str) -> None:
    session = a_session(0)
    before = session.to_data()
    with pytest.raises(interpreter.PlayError) as error:
        session.master.play(step)
    assert error.value.diagnostic.code.startswith(code) and session.to_data() == before


def test_only_the_host_steps_in_and_only_where_actions_are_offered() -> None:
    session = a_session(0)
    with refused("HR685"):
        session.seat("anna").answer(session.host.requests[0].id, {"master": "{gain: 1, to: ann.crew}"})
    session.host.answer(session.host.requests[0].id, "ram")
    with refused("HR685"):
        session.master.set("ann.crew", 1)


FLEET = """ruleset: fleet
roles: {judge: Who knows the sea.}
names: {grade: [low, high]}
kinds:
  ship:
    has:
      moves: {type: points, to: 2, starts: 2, lasts: turn}
      sail:  {type: points, to: 9, starts: 3}
      motto: {type: text, default: none}
      chart: {type: number, default: 0, seen_by: owner}
mechanics:
  look_out:
    inputs: {bonus: {type: number, default: 0}, said: {type: text, default: nothing}}
    steps: {die: {roll: d6}, total: sum(die) + bonus}
events:
  storm:
    inputs: {who: {type: ship}, force: {type: number, default: 1}}
    steps: {torn: {lose: force, from: who.sail}}
actions:
  row: {actor: {type: ship}, cost: {moves: 1}, steps: {more: {gain: 1, to: actor.sail}}}
scenes:
  race:
    inputs: {fleet: {list_of: ship}}
    round:
      wind:   {steps: {blows: {choose: yes_no, by: judge, default: no}}}
      row:
        steps: {each_one: {for: who, among: fleet, each: {its: {turn: who, steps: {act: {offer: [row], to: who}}}}}}
      drift:  {steps: {drifts: {for: who, among: fleet, each: {lost: {lose: 1, from: who.sail}}}}}
      gone:   {steps: {gone: {if: "scene.round > 50", end: fled}}}
    outcomes:
      over: scene.round >= 3
      fled: {steps: {torn: {for: who, among: fleet, each: {lost: {lose: 1, from: who.sail}}}}}
"""
"""Ships that race in rounds, in which turns have points that last for them."""


def a_race() -> Session:
    game = interpreter.loads(FLEET)
    ships = {"ann": {"is": "ship"}, "bo": {"is": "ship"}}
    players = {"anna": ["ann"], "ben": ["bo", "judge"]}
    session = game.begin("race", state=game.state(ships), players=players, fleet=["ann", "bo"], seed=1)
    session.host.answer(session.host.requests[0].id, "no")
    return session


def record(session: Session, seat: interpreter.Seat | None = None) -> list[str]:
    lines = (seat or session.host).lines()
    return [line.text for line in record_lines(lines, session.over, session.depth)]


def test_the_record_tells_what_the_game_master_does_and_why() -> None:
    session = a_race()
    session.master.set("ann.sail", 2, why="a wave")
    session.master.set("ann.motto", 'it\'s: {so}, "so"', why="a song")
    session.master.cause("storm", why="at night", who="bo", force=2)
    session.master.roll("look_out", why="in fog", bonus=3, said="land, ho")
    session.master.add("ship", "Old Cai", why="from the mist", motto="so far", sail=1)
    session.master.remove("old_cai", why="into the mist")
    assert session.host.look("ann.motto") == 'it\'s: {so}, "so"' and session.host.look("bo.sail") == 1
    told = [line for line in record(session) if line.startswith("The game master: ")]
    assert told == [
        "The game master: ann.sail 3 → 2 (a wave)",
        'The game master: ann.motto none → it\'s: {so}, "so" (a song)',
        "The game master: Storm: who bo, force 2 (at night)",
        "The game master: Look out: bonus 3, said land, ho (in fog)",
        "The game master: Old Cai created: motto so far, sail 1 (from the mist)",
        "The game master: Old Cai destroyed (into the mist)",
    ]
    session.master.set("ann.chart", 7, why="a secret")
    assert "secret" in " ".join(record(session)) and "secret" not in " ".join(record(session, session.seat("ben")))
    resumed = session.game.resume(session.to_json())
    assert record(resumed) == record(session) and resumed.adopted == ()


def test_a_round_ends_with_its_turn_and_without_the_phases_that_are_left() -> None:
    session = a_race()
    session.host.answer(session.host.requests[0].id, "row")
    assert session.host.look("ann.moves") == 1
    session.master.end("round", why="night falls")
    assert session.host.look("ann.moves") == 2  # the turn has ended
    assert session.host.look("ann.sail") == 4 and session.turn == (2, 1)  # nobody has drifted
    assert session.host.requests[0].path == "blows" and session.depth is not None
    assert "The game master: the round ends (night falls)" in record(session)
    before = session.to_data()
    session.host.undo()
    assert session.turn == (1, 1) and session.host.look("ann.moves") == 1
    session.host.redo()
    assert session.to_data() == before
    assert session.game.resume(before).to_data() == before


@pytest.mark.parametrize(("what", "outcome", "sail"), [("scene", None, 3), ("fled", "fled", 2)])
def test_a_scene_ends_with_an_outcome_or_without(what: str, outcome: str | None, sail: int) -> None:
    session = a_race()
    session.master.end(what)
    result = session.result
    assert result is not None and result.outcome == outcome and result.values["rounds"] == 1
    assert session.host.look("bo.sail") == sail and "scene" not in session.state.things
    resumed = session.game.resume(session.to_json())
    assert resumed.result is not None and resumed.result.outcome == outcome
    session.host.undo()
    assert not session.over and session.host.requests[0].who == "ann"


def test_another_player_answers_for_what_is_given() -> None:
    session = a_race()
    session.seat("anna").answer(session.host.requests[0].id, "pass", until="scene")
    asked = session.host.requests[0]
    assert asked.who == "bo" and asked.player == "ben"
    session.master.give("ann", "ben", why="anna is late")
    session.master.give("judge", "anna")
    assert session.players == {"anna": ("judge",), "ben": ("bo", "ann")}
    assert "chart" in session.seat("ben").view()["ann"] and "chart" not in session.seat("anna").view()["ann"]
    assert "The game master: ben answers for ann from now on (anna is late)" in record(session)
    session.host.answer(session.host.requests[0].id, "pass")
    assert session.asked == ("anna",)  # for the judge
    session.seat("anna").answer(session.host.requests[0].id, "no")
    assert session.asked == ("ben",) and session.host.requests[0].who == "ann"  # the answer of anna stands no more
    session.host.undo()
    session.host.undo()
    resumed = session.game.resume(session.to_json())
    assert resumed.players == session.players and resumed.host.requests == session.host.requests
    session.host.undo()
    session.host.undo()
    assert session.players == {"anna": ("ann",), "ben": ("bo", "judge")}
    session.host.redo()
    session.host.redo()
    assert session.players == resumed.players


def test_who_answers_stays_when_a_session_goes_back_to_a_boundary() -> None:
    session = a_session(0)
    session.master.give("ann", "ben")
    for _ in range(3):
        session.host.answer(session.host.requests[0].id, "pass")
    session.host.answer(session.host.requests[0].id, "rest")
    later = interpreter.loads(changed("steps: {more: {gain: 1", "steps: {die: {roll: d6}, more: {gain: 1"))
    resumed = later.resume(session.to_json())
    assert any(line.kind == "step_back" for line in resumed.adopted)
    assert resumed.players == session.players == {"anna": (), "ben": ("bo", "ann")}
    again = later.resume(resumed.to_json())
    assert again.players == session.players and again.adopted == ()


def test_the_game_master_at_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "ships.yaml").write_text(SHIPS, "utf-8")
    scene = """state: one
of: ships.yaml
scene: duel
things: {ship: {ann: , bo: }}
given: {fighters: [ann, bo]}
players: {anna: [ann], ben: [bo]}
"""
    (tmp_path / "one.yaml").write_text(scene, "utf-8")
    typed = """:set ann.crew 3 “a wave”
:add ship cai crew=2 rank=high out of the mist
:cause storm at night
:gm {gain: 2, to: bo.sail} a gust
:remove cai
:give ann
:give ann ben anna sleeps
:end round night falls
:end end they leave
"""
    command = [sys.executable, "-m", "interpreter", "play", "one.yaml", "--no-save"]
    played = subprocess.run(command, input=typed, capture_output=True, text=True, cwd=tmp_path, check=False)
    for line in (
        "The game master: ann.crew 5 → 3 (a wave)",
        "The game master: cai created: crew 2, rank high (out of the mist)",
        "The game master: Storm (at night)",
        "The game master: bo.sail 2 → 4 (a gust)",
        "The game master: cai destroyed",
        "HR620 `:give` is not complete",
        "The game master: ben answers for ann from now on (anna sleeps)",
        "The game master: the round ends (night falls)",
        "The game master: the scene ends: end (they leave)",
        "end after 2 rounds",
    ):
        assert line in played.stdout, line
    assert not played.stderr


@pytest.mark.parametrize(
    ("words", "line", "outcome"),
    [
        ("scene fled they run", "The game master: the scene ends: fled (they run)", "fled"),
        ("scene they run", "The game master: the scene ends (they run)", None),
    ],
)
def test_the_scene_ends_with_the_outcome_that_is_named_behind_it(words: str, line: str, outcome: str | None) -> None:
    session = a_race()
    obey_master(session.master, f"end {words}")
    assert line in record(session)
    assert session.result is not None and session.result.outcome == outcome


def call(host: HostSessions, **keys: Any) -> dict[str, Any]:
    return host.reply(json.dumps({"do": "master", "viewer": "host", **keys}))


def test_the_host_is_the_game_master_in_the_protocol() -> None:
    session = a_race()
    host = HostSessions(session.game)
    host.sessions["main"] = session
    said = [
        call(host, set="ann.sail", to=5, why="a wave"),
        call(host, set="ann.motto", to="so, far"),
        call(host, cause="storm", **{"with": {"who": "bo", "force": 2}}),
        call(host, roll="look_out", **{"with": {"bonus": 3}}, why="in fog"),
        call(host, add="ship", named="Old Cai", **{"with": {"sail": 1}}),
        call(host, remove="old_cai"),
        call(host, give="ann", to="ben"),
        call(host, play="{gain: 1, to: bo.sail}"),
    ]
    assert [one["ok"] for one in said] == [True] * 8
    assert said[-1]["asked"] == ["ben"] and said[-1]["requests"][0]["who"] == "ann"
    ended = call(host, end="fled", why="they run")
    assert ended == {"ok": True, "requests": [], "asked": [], "round": 1, "over": True}
    assert sum(line.startswith("The game master: ") for line in record(session)) == 9


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ({"set": "ann.sail", "to": 5, "viewer": {"player": "anna"}}, "HR670"),
        ({"end": "round", "viewer": "spectator"}, "HR670"),
        ({"end": "round", "viewer": None}, "HR670"),
        ({}, "HR670"),
        ({"end": "round", "remove": "bo"}, "HR670"),
        ({"set": "ann.sail"}, "HR670"),
        ({"set": ["ann.sail"], "to": 5}, "HR670"),
        ({"set": "ann.sail", "to": {"a": 1}}, "HR"),
        ({"remove": "bo", "to": "anna"}, "HR670"),
        ({"cause": "storm", "with": ["bo"]}, "HR670"),
        ({"cause": "storm", "with": {"a: 1, b": 2}}, "HR"),
        ({"cause": "storm}, {", "with": {"who": "bo"}}, "HR"),
        ({"give": "ann", "to": "zoe"}, "HR663"),
    ],
)
def test_a_wrong_call_of_the_game_master_is_refused(keys: dict[str, Any], code: str) -> None:
    session = a_race()
    host = HostSessions(session.game)
    host.sessions["main"] = session
    before = session.to_data()
    reply = call(host, **keys)
    assert not reply["ok"] and reply["error"]["code"].startswith(code) and reply["error"]["code"] != "HR999"
    assert session.to_data() == before
