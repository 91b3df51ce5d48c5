"""The game master steps into a scene that is played, and logs, undo, saves and other rules know it."""

from __future__ import annotations

import pytest
from test_adopt import SHIPS, a_session, changed, refused

import interpreter


def test_what_the_game_master_does_is_played_logged_and_taken_back() -> None:
    session = a_session(0)
    session.master.set("ann.crew", 3, why="a wave")
    session.master.set("bo.sail", 7)
    session.master.cause("storm")
    session.master.make("ship")
    assert session.host.look("ann.crew") == 3 and session.host.look("bo.sail") == 7 and len(session.state.things) == 4
    told = [line.text for line in session.host.lines() if line.name == "game_master"]
    assert told == ["ann.crew 5 → 3", "bo.sail 3 → 7", "Storm", "ship_2 created"]
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
