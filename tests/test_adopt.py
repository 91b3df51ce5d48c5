"""Saves are taken up after their rules have changed: what is told, what must be decided, and that nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import games
import pytest

import interpreter
from interpreter import PlayError, Session
from interpreter.api.journal import Journal, session_in

SHIPS = """ruleset: ships
options:
  gale: {type: number, default: 1}
names:
  grade: [low, high]
kinds:
  ship:
    has:
      sail: {type: number, from: 0, default: 2}
      rank: {type: grade, default: low}
      crew: {type: points, from: 0, to: 6, starts: 5}
      friend: {type: ship, optional: yes}
actions:
  ram:
    actor: {type: ship}
    inputs: {target: {type: ship}}
    steps:
      die: {roll: d6}
      hit: {lose: die + options.gale, from: target.crew}
  rest:
    actor: {type: ship}
    steps: {more: {gain: 1, to: actor.crew}}
events:
  storm: {steps: {die: {roll: d4}}}
scenes:
  duel:
    inputs: {fighters: {list_of: ship}}
    round:
      fight:
        steps:
          each_one: {for: who, among: fighters, each: {turn: {turn: who, steps: {act: {offer: [ram, rest], to: who}}}}}
    outcomes: {end: scene.round >= 3}
"""


def changed(*pairs: str) -> str:
    """The rules with texts replaced by others, each of which occurs."""
    text = SHIPS
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert old in text, old
        text = text.replace(old, new)
    return text


WITHOUT_MEANING = {
    "a comment": SHIPS + "# A comment.\n",
    "a blank line": changed("kinds:\n", "\n\nkinds:\n"),
    "a title": changed("ruleset: ships\n", "ruleset: ships\ntitle: Ships at war\n"),
    "a version": changed("ruleset: ships\n", "ruleset: ships\nversion: 7\n"),
    "another name of the ruleset": changed("ruleset: ships\n", "ruleset: boats\n"),
    "an explanation": changed("      die: {roll: d6}\n", "      die: {roll: d6, about: How hard.}\n"),
    "a question": changed("{offer: [ram, rest], to: who}", '{offer: [ram, rest], to: who, ask: "What now?"}'),
    "a case": SHIPS + "cases: [{name: one, action: rest, actor: ann, before: {ann: {is: ship}}}]\n",
    "the order of attributes": changed("from: 0, to: 6, starts: 5", "starts: 5, to: 6, from: 0"),
    "the order of declarations": changed("      sail: {type: number, from: 0, default: 2}\n", "").replace(
        "      friend:", "      sail: {type: number, from: 0, default: 2}\n      friend:"
    ),
    "another spelling": changed("{type: ship, optional: yes}", "{type: ship, optional: 'yes'}"),
    "a new mechanic": SHIPS + "mechanics: {sound: {steps: {die: {roll: d6}}}}\n",
    "a new kind": changed("kinds:\n", "kinds:\n  reef: {has: {depth: {type: number, default: 1}}}\n"),
    "a new option": changed("options:\n", "options:\n  fog: {type: number, default: 1}\n"),
    "a rule that is not used": changed("{roll: d4}", "{roll: d8}"),
}


@contextmanager
def refused(code: str, word: str = "") -> Iterator[None]:
    with pytest.raises(PlayError) as error:
        yield
    assert error.value.diagnostic.code == code and word in error.value.diagnostic.message, error.value.diagnostic


def saved_state() -> str:
    game = interpreter.loads(SHIPS)
    return game.to_json(game.state(ann={"is": "ship", "crew": 5, "friend": "bo"}, bo={"is": "ship", "sail": 3}))


def a_session(answers: int) -> Session:
    game = interpreter.loads(SHIPS)
    players = {"anna": ["ann"], "ben": ["bo"]}
    session = game.begin("duel", state=game.state(saved_state()), fighters=["ann", "bo"], seed=3, players=players)
    for answer in ("ram", "bo", "rest", "rest", "ram")[:answers]:
        session.host.answer(session.host.requests[0].id, answer)
    return session


def a_result() -> str:
    game = interpreter.loads(SHIPS)
    return game.act(game.state(saved_state()), "ram", actor="ann", target="bo", seed=1).to_json()


@pytest.mark.parametrize("what", WITHOUT_MEANING)
def test_a_change_without_meaning_is_silent(what: str) -> None:
    game = interpreter.loads(WITHOUT_MEANING[what])
    assert game.adopt(saved_state()).lines == ()
    for answers in range(6):
        before = a_session(answers)
        resumed = game.resume(before.to_json())
        assert resumed.adopted == () and resumed.log == before.log
        assert [one.id for one in resumed.host.requests] == [one.id for one in before.host.requests]
    assert game.replay(a_result()).outcome is None


STATES: dict[str, tuple[str, list[str]]] = {
    "an attribute is new": (
        changed("      rank:", "      flag: {type: number, default: 1}\n      rank:"),
        ["`flag` of `ship` is new and has its initial value: ann, bo"],
    ),
    "an attribute has another name": (
        changed("      sail: {type", "      canvas: {formerly: sail, type"),
        ["`sail` of `ship` is `canvas` now: ann 2, bo 3"],
    ),
    "a kind has another name": (
        changed("  ship:\n    has:", "  vessel:\n    formerly: ship\n    has:", "type: ship", "type: vessel",
                "list_of: ship", "list_of: vessel"),
        ["a `ship` is a `vessel` now: ann, bo"],
    ),
    "an attribute is gone": (
        changed("      sail: {type: number, from: 0, default: 2}\n", ""),
        ["`sail` of `ship` is gone now, and its value is kept aside: ann 2, bo 3"],
    ),
    "an attribute is worked out": (
        changed("{type: number, from: 0, default: 2}", "{is: crew / 2}"),
        ["`sail` of `ship` is worked out now, and its value is kept aside: ann 2, bo 3"],
    ),
    "more points": (changed("to: 6", "to: 9"), []),
    "another default": (changed("from: 0, default: 2", "from: 0, default: 1"), []),
    "points become a number": (
        changed("{type: points, from: 0, to: 6, starts: 5}", "{type: number, default: 5}",
                "{lose: die + options.gale, from: target.crew}", "0", "{gain: 1, to: actor.crew}", "0"),
        [],
    ),
    "one thing becomes a list": (
        changed("friend: {type: ship, optional: yes}", "friend: {list_of: ship, optional: yes}"),
        ["`friend` of `ship` has another form: ann bo → [bo]"],
    ),
    "who sees a value": (
        changed("from: 0, default: 2}", "from: 0, default: 2, seen_by: owner}"),
        ["`sail` of `ship` is seen by owner now, and was by everybody"],
    ),
    "there is one fleet": (
        changed("kinds:\n", "kinds:\n  fleet: {one: yes, has: {flag: {type: number, default: 4}}}\n"),
        ["new in the rules, and there from now on: fleet"],
    ),
    "a thing in the book": (
        SHIPS + "things: {ship: {flagship: {crew: 6}}}\n",
        ["new in the rules, and there from now on: flagship"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", STATES)
def test_a_state_is_taken_up(what: str) -> None:
    text, lines = STATES[what]
    game = interpreter.loads(text)
    adopted = game.adopt(saved_state())
    assert [one.text for one in adopted.lines] == lines and not adopted.decisions
    assert adopted.state is not None
    again = game.adopt(game.to_json(adopted.state))
    assert again.lines == () and again.state == adopted.state
    assert game.state(saved_state()) == adopted.state
    assert not lost(json.loads(saved_state()), json.loads(game.to_json(adopted.state)))


DECISIONS: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "fewer points": (
        changed("to: 6, starts: 5", "to: 4, starts: 3"),
        ["`crew` must be from 0 to 4, not 5, and the nearest is 4: ann 5",
         "`crew` must be from 0 to 4, not 5, and the nearest is 4: bo 5"],
        {"ann.crew": 4, "bo.crew": 0},
    ),
    "a new attribute without an initial value": (
        changed("      rank:", "      flag: {type: number}\n      rank:"),
        [f"`flag` of `ship` is new and has no initial value: {name}" for name in ("ann", "bo")],
        {"ann.flag": 1, "bo.flag": 2},
    ),
    "a word is gone": (
        changed("grade: [low, high]", "grade: [poor, high]", "default: low", "default: poor"),
        ["`rank` of `ship` is one of `grade` (`poor`, `high`) now: ann low",
         "`rank` of `ship` is one of `grade` (`poor`, `high`) now: bo low"],
        {"ann.rank": "poor", "bo.rank": "high"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", DECISIONS)
def test_what_would_change_a_value_waits_for_a_decision(what: str) -> None:
    text, lines, values = DECISIONS[what]
    game = interpreter.loads(text)
    adopted = game.adopt(saved_state())
    assert adopted.state is None and [one.text for one in adopted.decisions] == lines
    with refused("HR679"):
        game.state(saved_state())
    decided = game.adopt(saved_state(), values=values)
    assert decided.state is not None and not decided.decisions
    for place, value in values.items():
        assert str(game.look(decided.state, place)) == str(value)


def test_proposals_are_taken_where_somebody_wishes() -> None:
    game = interpreter.loads(DECISIONS["fewer points"][0])
    adopted = game.adopt(saved_state(), proposals=True)
    assert [one.text for one in adopted.lines] == ["`crew` is brought to its nearest bound: ann 5 → 4, bo 5 → 4"]
    assert adopted.state is not None and game.look(adopted.state, "ann.crew") == 4
    assert not lost(json.loads(saved_state()), json.loads(game.to_json(adopted.state)))


FORMER: dict[str, tuple[str, list[str]]] = {
    "a word": (
        changed("grade: [low, high]", "grade: {poor: {formerly: low}, high: {about: Much.}}", "default: low}",
                "default: poor}"),
        ["a word of `rank` of `ship` has another name now: ann low → poor, bo low → poor"],
    ),
}  # fmt: skip


def test_a_word_that_has_another_name_is_taken_up() -> None:
    game = interpreter.loads(FORMER["a word"][0])
    adopted = game.adopt(saved_state())
    assert [one.text for one in adopted.lines] == FORMER["a word"][1]
    assert adopted.state is not None and game.look(adopted.state, "ann.rank") == "poor"


def test_rules_inputs_and_options_that_have_other_names_are_taken_up() -> None:
    text = changed(
        "  ram:\n", "  bump:\n    formerly: ram\n", "{target: {type: ship}}", "{whom: {type: ship, formerly: target}}",
        "target.crew", "whom.crew", "[ram, rest]", "[bump, rest]", "gale: {", "wind: {formerly: gale, ",
        "options.gale", "options.wind", "  duel:\n", "  fight:\n    formerly: duel\n", "{fighters: {list_of: ship}}",
        "{crews: {list_of: ship, formerly: fighters}}", "among: fighters", "among: crews",
    )  # fmt: skip
    game = interpreter.loads(text, options={"wind": 2})
    before = interpreter.loads(SHIPS, options={"gale": 2})
    state = before.state(saved_state())
    result = game.replay(before.act(state, "ram", actor="ann", target="bo", seed=1).to_json())
    assert result.mechanic == "bump" and result.options == {"wind": 2}
    assert [one.text for one in result.adopted] == [
        "`actions.ram` is `actions.bump` now", "`options.gale` is `options.wind` now"
    ]  # fmt: skip
    session = game.resume(before.begin("duel", state=state, fighters=["ann", "bo"], seed=3).to_json())
    assert session.beginning.rule == "scenes.fight" and session.host.requests[0].options[:2] == ("bump", "rest")
    assert session.adopted[0].text == "`actions.ram` is `actions.bump` now"


RENAMING = """ruleset: canvas
extends: ships
changes:
  kinds.ship: {rename: vessel}
  kinds.vessel.has.sail: {rename: canvas, because: They are made of it.}
  names.grade.low: {rename: poor}
"""


def test_what_a_house_rule_renames_has_former_names() -> None:
    game = interpreter.loads(RENAMING, resolve=lambda wanted: SHIPS)
    adopted = game.adopt(saved_state())
    assert [one.text for one in adopted.lines] == [
        "a `ship` is a `vessel` now: ann, bo",
        "`sail` of `vessel` is `canvas` now: ann 2, bo 3",
        "a word of `rank` of `vessel` has another name now: ann low → poor, bo low → poor",
    ]


def test_what_was_kept_aside_comes_back() -> None:
    without = interpreter.loads(STATES["an attribute is gone"][0])
    there = interpreter.loads(SHIPS)
    state = without.adopt(saved_state()).state
    assert state is not None
    back = there.adopt(without.to_json(state))
    assert [one.text for one in back.lines] == ["`sail` is back, which was kept aside: ann 2, bo 3"]
    assert back.state == there.state(saved_state())


def test_a_name_can_be_given_when_the_rules_do_not_say_it() -> None:
    game = interpreter.loads(changed("      sail: {type", "      canvas: {type"))
    adopted = game.adopt(saved_state(), renamed={"ship.sail": "canvas"})
    assert [one.text for one in adopted.lines] == ["`sail` of `ship` is `canvas` now: ann 2, bo 3"]


def test_a_state_of_another_game_is_refused() -> None:
    with refused("HR659"):
        games.game("jadeclaw").state(saved_state())


def test_what_a_host_keeps_in_a_save_stays() -> None:
    game = interpreter.loads(SHIPS)
    data = {**json.loads(saved_state()), "host": {"portraits": {"ann": "ann.png"}}}
    assert json.loads(game.to_json(game.state(data)))["host"] == {"portraits": {"ann": "ann.png"}}


SESSIONS: dict[str, tuple[str, list[str]]] = {
    "the scene ends later": (
        changed("scene.round >= 3", "scene.round >= 4"),
        ["`scenes.duel` (its outcomes) has changed"],
    ),
    "another die that shows the same": (
        changed("{gain: 1, to: actor.crew}", "{gain: 2, to: actor.crew}"),
        ["`actions.rest` has changed", "it goes on from round 1"],
    ),
    "a phase before": (
        changed("      fight:\n", "      dawn: {steps: {light: 1}}\n      fight:\n"),
        ["`scenes.duel` (its phases) has changed", "it goes on from round 1"],
    ),
    "an action that is offered no more": (
        changed("[ram, rest]", "[rest]"),
        [
            "`scenes.duel.round.fight` has changed",
            "it goes on from round 1; 5 answers given since then are asked again",
        ],
    ),
    "another attribute": (
        changed("      rank:", "      flag: {type: number, default: 1}\n      rank:"),
        ["`flag` of `ship` is new and has its initial value: ann, bo"],
    ),
    "another option": (
        changed("default: 1}", "default: 2}"),
        ["`options.gale` has changed", "it goes on from round 1"],
    ),
}


@pytest.mark.parametrize("what", SESSIONS)
def test_a_session_goes_on(what: str) -> None:
    text, lines = SESSIONS[what]
    game, before = interpreter.loads(text), a_session(5)
    resumed = game.resume(before.to_json())
    assert [one.text for one in resumed.adopted] == lines
    assert resumed.turn[0] >= 1 and resumed.host.requests
    again = game.resume(resumed.to_json())
    assert again.adopted == () and again.host.requests == resumed.host.requests
    finish(again)
    assert again.result is not None and again.result.outcome == "end"


def finish(session: Session) -> None:
    while not session.over:
        asked = session.host.requests[0]
        session.host.answer(asked.id, "rest" if "rest" in (asked.options or ()) else (asked.options or ("",))[0])


def test_an_option_that_is_chosen_otherwise_is_told() -> None:
    game = interpreter.loads(SHIPS, options={"gale": 3})
    assert next(one.text for one in game.resume(a_session(5).to_json()).adopted) == "`gale` is 3 now"


def test_a_session_waits_for_decisions() -> None:
    game = interpreter.loads(DECISIONS["fewer points"][0])
    adopted = game.adopt(a_session(5).to_json())
    assert adopted.session is None and adopted.decisions
    taken = game.adopt(a_session(5).to_json(), proposals=True)
    assert taken.session is not None and taken.session.host.requests


ASKING = """ruleset: asking
kinds: {ship: {has: {sail: {type: number, default: 2}, crew: {type: points, to: 6, starts: 6}}}}
roles: {guide: Who runs the game.}
actions:
  ram:
    actor: ship
    steps:
      hard: {choose: yes_no, by: guide, default: no, ask: "Hard?"}
      die: {roll: d6}
      more: {choose: yes_no, by: guide, default: no, ask: "Again?"}
"""


def test_a_session_that_goes_on_from_its_beginning_is_saved_under_the_rules_of_now() -> None:
    before = interpreter.loads(ASKING)
    session = before.begin("ram", state=before.state(ann={"is": "ship", "sail": 5}), actor="ann", seed=1)
    session.host.answer(session.host.requests[0].id, True)
    after = interpreter.loads(ASKING.replace("sail: {", "canvas: {formerly: sail, ").replace("d6", "d20"))
    once = after.resume(session.to_json())
    assert [one.kind for one in once.adopted] == ["rule", "renamed", "step_back"]
    again = after.resume(once.to_json())
    assert again.adopted == () and again.host.requests == once.host.requests
    assert again.host.look("ann.canvas") == 5


def test_a_save_knows_the_shape_of_what_is_made_later(tmp_path: Path) -> None:
    rules = changed("kinds:\n", "kinds:\n  buoy: {has: {depth: {type: number, default: 3}}}\n")
    game = interpreter.loads(rules)
    state = game.state(ann={"is": "ship"}, bo={"is": "ship"})
    session = game.begin("duel", state=state, fighters=["ann", "bo"], seed=1)
    journal = Journal(tmp_path / "duel.journal", session)
    session.master.add("buoy")
    journal.note(session)
    saved = session_in((tmp_path / "duel.journal").read_text("utf-8"))
    assert saved is not None
    assert "depth" in saved["rules"]["shape"]["buoy"]["has"]


def test_a_value_can_be_given_to_what_was_made_in_a_session() -> None:
    game = interpreter.loads(SHIPS)
    session = game.begin("duel", state=game.state(ann={"is": "ship"}, bo={"is": "ship"}), fighters=["ann", "bo"])
    session.master.add("ship", "cy")
    for _ in range(2):
        session.host.answer(session.host.requests[0].id, "pass")
    after = interpreter.loads(changed("      crew:", "      flag: number\n      crew:"))
    flags = {f"{name}.flag": number for number, name in enumerate(("ann", "bo", "cy"))}
    adopted = after.adopt(session.to_json(), values=flags)
    assert [one.text for one in adopted.lines][:1] == ["`flag` of `ship` is set: ann 0, bo 1, cy 2"]
    assert adopted.session is not None and adopted.session.host.look("cy.flag") == 2


def test_an_attribute_that_is_gone_is_told_once() -> None:
    text = changed(
        "      crew: {type: points, from: 0, to: 6, starts: 5}\n", "",
        "{gain: 1, to: actor.crew}", "1",
        "{lose: die + options.gale, from: target.crew}", "2",
    )  # fmt: skip
    lines = [one.text for one in interpreter.loads(text).resume(a_session(5).to_json()).adopted]
    assert [one for one in lines if "crew" in one and "gone" in one] == [
        "`crew` of `ship` is gone now, and its value is kept aside: ann 5, bo 5"
    ]


def test_a_result_says_which_rules_have_changed() -> None:
    game = interpreter.loads(changed("{roll: d6}", "{roll: d8}"))
    with refused("HR647", "`actions.ram`"):
        game.replay(a_result())


def lost(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The values of a saved state that are neither among those of another nor kept aside there, by their places."""
    kept = json.dumps(after.get("aside", {})), json.dumps(after["things"])
    places = []
    for name, one in before["things"].items():
        for key, value in one.items():
            if key != "is" and not any(json.dumps(value) in text for text in kept):
                places.append(f"{name}.{key}")
    return places


def test_what_was_given_up_comes_back_where_nothing_has_changed_it() -> None:
    there, narrow = interpreter.loads(SHIPS), interpreter.loads(DECISIONS["fewer points"][0])
    state = narrow.adopt(saved_state(), proposals=True).state
    assert state is not None
    still = narrow.adopt(narrow.to_json(state))
    assert still.lines == () and still.state == state
    spent = narrow.cause(state, "storm").state
    assert spent is not None
    back = there.adopt(narrow.to_json(spent))
    assert [one.text for one in back.lines] == ["`crew` is back, which was kept aside: ann 5, bo 5"]
    assert back.state == there.state(saved_state())
    hurt = narrow.act(state, "ram", actor="ann", target="bo", seed=1).state
    assert hurt is not None
    back = there.adopt(narrow.to_json(hurt))
    assert [one.text for one in back.lines] == ["`crew` is back, which was kept aside: ann 5"]


@pytest.mark.parametrize(
    ("form", "way"), [("session/4", "no released version wrote this form"), ("session/6", "houserule 0.1.0 wrote it")]
)
def test_a_save_of_another_form_says_what_reads_it(form: str, way: str) -> None:
    save = {**json.loads(a_session(0).to_json()), "houserule": form}
    with pytest.raises(PlayError) as refused:
        interpreter.loads(SHIPS).resume(save)
    assert refused.value.diagnostic.code == "HR677" and way in (refused.value.diagnostic.help or "")
