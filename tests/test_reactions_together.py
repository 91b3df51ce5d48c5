"""Reactions of one player to the same event: asked on one screen, answered at once, and taken in order."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from test_campaign import run

import interpreter
from interpreter import Game, PlayError, Session
from interpreter.cli.reactions import menu_of_reactions
from interpreter.host.sessions import HostSessions

GUARDS = """ruleset: guards
kinds:
  guard:
    has:
      nerve: {type: points, to: 3, starts: 2}
      hurt: {type: number, default: 0}
events:
  shot: {inputs: {at: {type: guard}}, steps: {harm: {set: at.hurt, to: at.hurt + 1}}}
actions:
  shoot:
    title: Shoot
    actor: guard
    inputs: {target: {type: guard, where: it is not actor}}
    steps: {hits: {cause: shot, with: {at: target}}}
reactions:
  step_in:
    title: Step in
    before: shot
    actor: {type: guard, where: it is not event.at and it.nerve > 0}
    cost: {nerve: 1}
    steps: {moved: {change: {at: actor}}}
  duck:
    title: Duck
    before: shot
    actor: {type: guard, where: it is event.at}
    inputs: {how_low: {type: number, from: 1, to: 3, ask: How low?}}
    steps: {gone: {cancel: event}}
scenes:
  yard:
    inputs: {guards: {list_of: guard}}
    round:
      turns:
        steps:
          each_one:
            for: one
            among: guards
            each: {turn: {turn: one, steps: {does: {offer: [shoot], to: one, most: 1}}}}
    outcomes: {over: scene.round >= 2}
"""
PLAYERS = {"anna": ["ann", "bo", "cy"], "ben": ["dan", "eve"]}


@pytest.fixture(scope="module")
def guards() -> Game:
    return interpreter.loads(GUARDS)


def shot_at(game: Game, target: str) -> Session:
    """A session in which dan has shot, before anybody reacts."""
    names = [one for mine in PLAYERS.values() for one in mine]
    state = game.state({name: {"is": "guard"} for name in names})
    session = game.begin("yard", state=state, guards=["dan", "ann", "bo", "cy", "eve"], players=PLAYERS, seed=1)
    session.seat("ben").answer(session.host.requests[0].id, "shoot")
    session.seat("ben").answer(session.host.requests[0].id, target)
    return session


def test_a_request_names_the_other_reactions_of_its_player(guards: Game) -> None:
    session = shot_at(guards, "bo")
    (asked,) = session.seat("anna").requests
    assert (asked.who, asked.question) == ("ann", "Step in?") and asked.reaction
    assert [(one.who, one.question, one.meanings) for one in asked.others] == [
        ("cy", "Step in?", {"yes": "nerve: 1 of 2"}), ("bo", "Duck?", {"yes": "costs nothing"})
    ]  # fmt: skip
    assert session.seat("ben").requests == ()
    assert [one["who"] for one in asked.to_data()["others"]] == ["cy", "bo"]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("pay: 1\n      from: actor.nerve", {}),
        ("lose: 1\n      from: actor.nerve", {}),
        ("call: flinch\n      with: {who: actor}", {}),
        ("lose: 1\n      from: event.at.nerve", {"yes": "costs nothing"}),
    ],
)
def test_what_steps_take_is_not_said_to_cost_nothing(step: str, said: dict[str, str]) -> None:
    flinch = "mechanics:\n  flinch: {inputs: {who: {type: guard}}, steps: {less: {lose: 1, from: who.nerve}}}\n"
    duck = f"    steps:\n      less:\n        {step.replace(chr(10), chr(10) + '  ')}\n      gone: {{cancel: event}}\n"
    text = GUARDS.replace("    steps: {gone: {cancel: event}}\n", duck) + flinch
    (asked,) = shot_at(interpreter.loads(text), "bo").seat("anna").requests
    assert asked.others[1].question == "Duck?" and asked.others[1].meanings == said


def test_one_that_is_impossible_by_then_does_not_happen(guards: Game) -> None:
    session = shot_at(guards, "bo")
    session.seat("anna").react(session.host.requests[0].id, [0, 2])
    while session.host.requests[0].player == "ben":
        session.seat("ben").answer(session.host.requests[0].id, False)
    # The shot is at ann now, who has stepped in: so bo does not duck, and ann is asked whether she does.
    assert [(one.who, one.question) for one in session.host.requests] == [("ann", "Duck?")]
    assert session.host.look("ann.nerve") == 1
    assert "bo" not in [one.who for one in session.log if one.path.endswith("duck")]


def test_an_answer_between_reactions_does_not_lose_the_others(guards: Game) -> None:
    session = shot_at(guards, "bo")
    session.seat("anna").react(session.host.requests[0].id, [2])
    while session.host.requests[0].player == "ben":
        session.seat("ben").answer(session.host.requests[0].id, False)
    assert [(one.who, one.question) for one in session.host.requests] == [("bo", "How low?")]
    assert [(one.who, one.how, one.answer) for one in session.log if one.path.endswith(("step_in", "duck"))] == [
        ("ann", "given", False), ("cy", "with", False), ("dan", "given", False), ("eve", "given", False),
        ("bo", "with", True),
    ]  # fmt: skip


def test_undo_takes_a_whole_screen_back_and_a_save_goes_on(guards: Game) -> None:
    session = shot_at(guards, "bo")
    before = session.host.requests
    session.seat("anna").react(before[0].id, [1])
    assert guards.resume(session.to_json()).host.requests == session.host.requests
    asked = [one.how for one in session.log].count("given")
    session.host.undo()
    assert [one.how for one in session.log].count("given") == asked - 1
    while session.host.requests != before:
        session.host.undo()
    session.host.redo()


def test_what_was_undone_answers_nothing_any_more(guards: Game) -> None:
    session = shot_at(guards, "bo")
    session.seat("anna").react(session.host.requests[0].id, [2])
    session.host.undo()
    for who in ("ann", "cy", "dan", "eve"):
        assert session.host.requests[0].who == who
        session.host.answer(session.host.requests[0].id, False)
    assert [(one.who, one.question) for one in session.host.requests] == [("bo", "Duck?")]


def test_what_is_no_reaction_or_no_number_is_refused(guards: Game) -> None:
    session = shot_at(guards, "bo")
    asked = session.host.requests[0]
    for wanted in ([3], [-1], ["x"], [True]):
        with pytest.raises(PlayError):
            session.host.react(asked.id, wanted)  # type: ignore[arg-type]
    with pytest.raises(PlayError):
        session.seat("ben").react(asked.id, [0])
    assert session.host.requests[0] == asked


def test_a_host_reacts_in_the_protocol(guards: Game) -> None:
    host = HostSessions(guards)
    host.sessions["main"] = session = shot_at(guards, "bo")
    call = {"do": "react", "viewer": {"player": "anna"}, "request": session.host.requests[0].id}
    assert not host.reply(json.dumps(call))["ok"]
    assert host.reply(json.dumps({**call, "wanted": [1]}))["ok"]
    assert session.host.look("cy.nerve") == 1


def test_a_terminal_asks_once(tmp_path: Path) -> None:
    (tmp_path / "guards.yaml").write_text(GUARDS, "utf-8")
    (tmp_path / "yard.yaml").write_text(
        "state: yard\nof: guards.yaml\nscene: yard\nthings: {guard: {ann: , bo: , cy: , dan: , eve: }}\n"
        "given: {guards: [dan, ann, bo, cy, eve]}\n"
        "players: {anna: [ann, bo, cy], ben: [dan, eve]}\n", "utf-8",
    )  # fmt: skip
    played = run(tmp_path, "play", "yard.yaml", "--seed", "1", "--no-save", typed="shoot\nbo\n7\n2\n")
    told = played.stdout
    assert told, played.stderr
    asked = (
        "anna, who reacts?\n   1  ann: Step in?  nerve: 1 of 2\n   2  cy: Step in?   nerve: 1 of 2\n"
        "   3  bo: Duck?      costs nothing\nnumbers, all, or Enter for none> "
    )
    assert told.count(asked) == 1, told
    assert "not `7`\nnumbers, all, or Enter for none> " in told and "cy: Step in? yes (nerve 2 → 1)" in told


LONG = GUARDS.replace(
    "    title: Step in\n",
    """    title: Step in
    about: The shot goes at you.
    ask: "A shot goes at {event.at}, who is hurt {event.at.hurt} times; you, {actor.hurt} times. Step in?"
""",
)


def test_what_reactions_have_in_common_is_said_once_and_each_line_has_room_for_its_cost() -> None:
    (asked,) = shot_at(interpreter.loads(LONG.replace("it is event.at}", "no}")), "bo").seat("anna").requests
    menu = menu_of_reactions(asked)
    assert (menu.question, menu.about) == (
        "A shot goes at bo, who is hurt 0 times; you, 0 times. Step in?", "The shot goes at you.",
    )  # fmt: skip
    assert [one.line_for_width(80) for one in menu.entries] == ["   1  ann  nerve: 1 of 2", "   2  cy   nerve: 1 of 2"]


def test_what_only_one_of_several_reactions_asks_stands_in_its_line() -> None:
    (asked,) = shot_at(interpreter.loads(LONG), "bo").seat("anna").requests
    menu = menu_of_reactions(asked)
    assert menu.question == "" and menu.about == ""
    first, _, duck = [one.line_for_width(80) for one in menu.entries]
    assert first == "   1  ann (nerve: 1 of 2. The shot goes at you.): A shot goes at bo, who is hur…"
    assert duck == "   3  bo: Duck?  costs nothing"


def test_the_price_of_stepping_in_is_told_in_a_fight_of_many(tmp_path: Path) -> None:
    played = run(tmp_path, "play", "fiend-wake", "four-against-four", "--seed", "11", "--no-save",
                 typed="0, 4, 0, 0\n0\n\n\nattack; scorch\n")  # fmt: skip
    told = re.sub(r"\s+", " ", played.stdout)
    assert "ben, who reacts?" in told, told[-2000:]
    asked = told.partition("ben, who reacts?")[2]
    assert asked.count("Step in between?") == 1
    assert " 1 itch tactical points: 1 of 5 2 spite tactical points: 1 of 4 3 wart tactical points: 1 of 4 " in asked
