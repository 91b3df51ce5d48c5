"""Saves under rules that have changed: what goes unnoticed, is told, is kept aside or needs a decision."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import interpreter
from interpreter import Game, PlayError, Session, bundled
from interpreter.play.trace_events import ListSorted
from interpreter.saves import digest

RULES = """\
ruleset: ships
names: {post: [bow, stern]}
kinds:
  ship:
    has:
      sail:   {type: number, from: 0, default: 3}
      crew:   {type: points, from: 0, to: 6, starts: full}
      guns:   {type: number, per: post, default: 1}
      flag:   {type: text, optional: yes, seen_by: owner}
  captain:
    has: {fame: {type: number, default: 1}}
options:
  gale: {type: number, default: 1}
events:
  wave: {inputs: {who: {type: ship}}, steps: {lost: {lose: options.gale, from: who.crew}}}
scenes:
  duel:
    inputs: {ships: {list_of: ship}}
    round:
      steer:
        steps:
          turns:
            for: ship
            among: ships
            each:
              heading: {choose: number, by: ship, from: 0, to: 5, default: 0}
              die:     {roll: d6}
      fire:
        steps:
          lots:  {order: ships, keys: {sail: {high: it.sail}, luck: random}}
          shots: {for: ship, among: ships, each: {shot: {cause: wave, with: {who: ship}}}}
    outcomes:
      sunk: any(ships where it.crew == 0)
"""


def game(*changes: tuple[str, str]) -> Game:
    text = RULES
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return interpreter.loads(text, name="ships.yaml")


OLD = game()


def saved_state() -> dict[str, Any]:
    ships = {"ann": {"is": "ship", "sail": 2, "flag": "red"}, "bo": {"is": "ship", "crew": 4}, "cap": {"is": "captain"}}
    return {**OLD.to_data(OLD.state(ships)), "host": {"portraits": ["ann.png"]}}


def begun(answers: int) -> Session:
    state = OLD.state(ann={"is": "ship", "sail": 2}, bo={"is": "ship", "crew": 4})
    session = OLD.begin("duel", state=state, seed=2, players={"anna": "ann"}, ships=["ann", "bo"])
    for number in range(answers):
        session.host.answer(session.host.requests[0].id, number)
    return session


# What saves say of themselves ------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["state", "session", "result"])
def test_a_save_says_first_what_it_is_and_is_what_its_schema_says(what: str) -> None:
    data = {
        "state": saved_state(),
        "session": begun(3).to_data(),
        "result": begun(3).run(lambda one: 1).result.to_data(),
    }
    schema = json.loads((bundled.schemas() / f"{what}.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(json.loads(json.dumps(data[what])))
    assert list(data[what])[:3] == ["houserule", "by", "rules"] and data[what]["houserule"].startswith(f"{what}/")


def test_a_digest_says_nothing_of_where_a_program_keeps_its_values() -> None:
    session = begun(3)
    events = [one for one in session._run.course.run.events if isinstance(one, ListSorted)]
    assert events and not any(" at 0x" in repr(digest._plain(one.places)) for one in events)
    assert digest.Digest().of(session._run.course.run.events) == session.to_data()["digest"]


# States ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        ("ruleset: ships", "# a comment\nruleset: ships\ntitle: Ships\nversion: 2.0"),
        ("default: 3", "default: 4"),
        ("to: 6, starts: full", "to: 7, starts: 5"),
        ("lose: options.gale", "lose: 2 * options.gale"),
        ("gale: {type: number, default: 1}", "gale: {type: number, default: 2}\n  fog: {type: yes_no, default: no}"),
        ("  captain:", "  reef: {has: {depth: {type: number, default: 1}}}\n  captain:"),
        ("{type: number, from: 0, default: 3}", "{default: 3, from: 0, type: number, about: Its canvas.}"),
    ],
)
def test_what_a_state_does_not_use_changes_unnoticed(change: tuple[str, str]) -> None:
    adopted = game(change).adopt(saved_state())
    assert adopted.lines == () and adopted.state is not None
    data = game(change).to_data(adopted.state)
    assert {key: data[key] for key in ("things", "host")} == {key: saved_state()[key] for key in ("things", "host")}


def told(change: tuple[str, str], **decided: Any) -> list[tuple[str, str]]:
    adopted = game(change).adopt(saved_state(), **decided)
    assert (adopted.state is None) == bool(adopted.decisions)
    if adopted.state is not None:
        assert game(change).adopt(game(change).to_data(adopted.state)).lines == ()  # once is enough
    else:
        with pytest.raises(PlayError) as refused:
            game(change).state(saved_state())
        assert refused.value.diagnostic.code == "HR679"
    return [(f"{one.kind}{' open' if one.open else ''}", one.text) for one in adopted.lines]


TOLD: list[tuple[tuple[str, str], str, str]] = [
    (("fame: {", "glory: {formerly: [honour, fame], "), "renamed", "`fame` of `captain` is `glory` now: cap 1"),
    (("  captain:", "  master:\n    formerly: captain"), "renamed", "a `captain` is a `master` now: cap"),
    (("      flag:   {type: text, optional: yes, seen_by: owner}\n", ""), "aside",
     "`flag` of `ship` is gone now, and its value is kept aside: ann red"),
    (("sail:   {type: number, from: 0, default: 3}", "sail: {is: crew - 1}"), "aside",
     "`sail` of `ship` is worked out now, and its value is kept aside: ann 2, bo 3"),
    (("  captain:\n    has: {fame: {type: number, default: 1}}\n", ""), "aside",
     "there is no `captain` any more, and what was one is kept aside: cap"),
    (("[bow, stern]", "[bow]"), "aside",
     "`guns` of `ship` has no `stern` any more, and its value is kept aside: ann 1, bo 1"),
    (("fame: {", "luck: {type: number, default: 2}, fame: {"), "default",
     "`luck` of `captain` is new and has its initial value: cap"),
    (("fame: {", "luck: {type: number}, fame: {"), "needed open",
     "`luck` of `captain` is new and has no initial value: cap"),
    (("to: 6, starts: full", "to: 5, starts: full"), "bound open",
     "`crew` must be from 0 to 5, not 6, and the nearest is 5: ann 6"),
    (("{type: text, optional: yes, seen_by: owner}", "{type: number, optional: yes, seen_by: owner}"), "value open",
     "`flag` of `ship` is a number now: ann red"),
    (("seen_by: owner", "seen_by: everybody"), "seen", "`flag` of `ship` is seen by everybody now, and was by owner"),
    (("  captain:", "  sea: {one: yes, has: {depth: {type: number, default: 9}}}\n  captain:"), "thing",
     "new in the rules, and there from now on: sea"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "kind", "text"), TOLD, ids=[one[1] for one in TOLD])
def test_what_has_changed_is_told(change: tuple[str, str], kind: str, text: str) -> None:
    changed = change if change[1] else (change[0], "")
    assert told(changed) == [(kind, text)]


@pytest.mark.parametrize(
    ("change", "decided", "place", "value"),
    [
        (TOLD[8][0], {"values": {"ann.crew": 4}}, "ann.crew", 4),
        (TOLD[8][0], {"proposals": True}, "ann.crew", 5),
        (TOLD[7][0], {"values": {"cap.luck": 7}}, "cap.luck", 7),
        (TOLD[9][0], {"values": {"ann.flag": 7}}, "ann.flag", 7),
        (("sail:", "canvas:"), {"renamed": {"ship.sail": "canvas"}}, "ann.canvas", 2),
        (("captain:", "master:"), {"renamed": {"captain": "master"}}, "cap.fame", 1),
    ],
)
def test_what_is_decided_beforehand_is_taken(
    change: tuple[str, str], decided: dict[str, Any], place: str, value: Any
) -> None:
    if change[0] == "sail:":
        change = ("sail:   {type: number, from: 0, default: 3}", "canvas: {type: number, from: 0, default: 3}")
    new = interpreter.loads(
        RULES.replace(*change).replace("it.sail", "it.canvas" if "canvas" in change[1] else "it.sail")
    )
    adopted = new.adopt(json.dumps(saved_state()), **decided)
    assert adopted.decisions == () and new.look(adopted.state, place) == value


@pytest.mark.parametrize("values", [{"ann": 1}, {"zoe.crew": 1}, {"ann.crew.x": 1}, {"ann.crew": "x"}, {"ann.crew": 9}])
def test_a_decision_that_does_not_fit_is_refused(values: dict[str, Any]) -> None:
    try:
        assert game(TOLD[8][0]).adopt(saved_state(), values=values).state is None
    except PlayError as refused:
        assert refused.diagnostics


@pytest.mark.parametrize("number", [2, 4, 5])
def test_what_was_kept_aside_is_back_when_the_rules_hold_it_again(number: int) -> None:
    between = game(TOLD[number][0])
    saved = between.to_data(between.adopt(saved_state()).state)
    assert "aside" in saved and saved["things"] != saved_state()["things"]
    saved = between.to_data(between.state(saved))  # and stays there until then
    back = OLD.adopt(saved)
    assert "back" in {one.kind for one in back.lines}
    assert OLD.to_data(back.state)["things"] == saved_state()["things"]
    assert "aside" not in OLD.to_data(back.state)


# Sessions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", [("ruleset: ships", "ruleset: ships\ntitle: Ships"), ("default: 1}}", "default: 2}}")]
)
def test_what_a_session_does_not_use_changes_unnoticed(change: tuple[str, str]) -> None:
    session = begun(3)
    again = game(change).resume(session.to_json())
    assert (
        again.adopted == () and again.to_json().partition('"options"')[2] == session.to_json().partition('"options"')[2]
    )


def test_a_session_goes_on_in_place_where_all_happens_as_it_did() -> None:
    session = begun(3)
    new = game(("it.crew == 0", "it.crew <= 1"))
    again = new.resume(session.to_json())
    assert [one.kind for one in again.adopted] == ["rule"] and again.log == session.log
    assert again.host.requests == session.host.requests and again.earlier == ()
    assert new.resume(again.to_json()).adopted == ()


def test_a_session_goes_back_to_its_last_boundary_where_something_happens_otherwise() -> None:
    session = begun(3)
    new = game(("{roll: d6}", "{roll: d4}"))
    again = new.resume(session.to_json())
    assert [one.kind for one in again.adopted] == ["rule", "step_back"]
    assert again.adopted[1].text == "it goes on from round 2"
    assert again.host.view()["scene"]["round"] == 2 and [one.who for one in again.host.requests] == ["bo"]
    assert [one.answer for one in again.log if one.how == "given"] == [2]
    (earlier,) = again.earlier
    assert len(earlier["log"]) == len(session.log)
    same = new.resume(again.to_json())
    assert same.adopted == () and same.to_json() == again.to_json()
    same.host.undo()
    assert [one.who for one in same.host.requests] == ["ann"]


def test_a_session_waits_for_a_decision() -> None:
    new, saved = game(("to: 6, starts: full", "to: 5, starts: full")), begun(1).to_json()
    with pytest.raises(PlayError) as refused:
        new.resume(saved)
    assert refused.value.diagnostic.code == "HR679"
    adopted = new.adopt(saved)
    assert adopted.kind == "session" and adopted.session is None and [one.way[:15] for one in adopted.decisions]
    taken = new.adopt(saved, proposals=True)
    assert taken.session is not None and taken.session.host.view()["ann"]["crew"] <= 5 and taken.decisions == ()
