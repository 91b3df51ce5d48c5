"""What somebody types at a table: answers that stand, several answers in a line, and help with a question."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from terminal import Terminal
from test_campaign import run

from interpreter import Game, PlayError, Session, loads
from interpreter.cli.play_help import help_at
from interpreter.cli.terminal import wrap
from interpreter.cli.typed_answers import (
    AnswersAhead,
    Typed,
    answer_of,
    answers_of,
    equal_requests,
    option_meant,
    read_answer,
    split,
)
from interpreter.play.available_actions import PASS

RULES = """\
ruleset: quay
title: On the quay
kinds:
  sailor:
    summary: [breath, moves, wet, sober, nerve]
    has:
      breath: {type: track, length: 4}
      moves:  {type: points, to: 2, starts: 2, lasts: round}
      wet:    {type: yes_no, default: no}
      rum:    {type: number, default: 0, seen_by: owner}
      sober:  {is: rum == 0}
      nerve:  {type: number, default: 3, seen_by: owner}
actions:
  push:
    title: Push somebody overboard
    about: The die says how deep they sink.
    actor: {type: sailor, where: not it.wet}
    inputs:
      target: {type: sailor, where: it is not actor and not it.wet, ask: "Whom do you push?"}
      hard:   {type: yes_no, default: no, about: It costs nothing and makes enemies.}
    cost: {moves: 1}
    steps:
      die:  {roll: d4}
      deep: {call: depth, with: {die: die}}
      luck: {choose: yes_no, by: actor, default: no, ask: "Do you push your luck?", about: One deeper.}
      into: {cause: splash, with: {who: target, depth: deep.depth + (1 if luck else 0)}}
mechanics:
  depth:
    inputs: {die: number}
    steps: {extra: {roll: d2}, depth: die + extra}
events:
  splash:
    inputs: {who: {type: sailor}, depth: number}
    steps:
      sinks: {gain: depth, to: who.breath}
      soaked: {set: who.wet, to: yes}
reactions:
  hold_on:
    title: Hold on?
    about: You hold on to the rail.
    before: splash
    actor: {type: sailor, among: "[event.who]"}
    cost: {moves: 1}
    steps: {stays: {cancel: event}}
scenes:
  fight:
    inputs: {sailors: {list_of: sailor, least: 2}}
    round:
      bids:
        steps:
          bid: {choose: number, by: sailors, from: 0, to: 2, default: 0, ask: "How loud do you shout?"}
      pushing:
        steps:
          turns:
            for: one
            among: sailors
            each:
              own: {turn: one, steps: {does: {offer: [push], to: one, ask: "What do you do?"}}}
    outcomes: {done: scene.round == 2}
"""
SCENE = """\
state: quay
of: quay
scene: fight
things: {sailor: {ann: {}, bo: {rum: 2}, cy: {}, di: {}}}
given: {sailors: [ann, bo, cy]}
players: {anna: [ann, cy], ben: [bo]}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def begun(game: Game) -> Session:
    things = {"ann": {"is": "sailor"}, "bo": {"is": "sailor", "rum": 2}, "cy": {"is": "sailor"}}
    players = {"anna": ["ann", "cy"], "ben": ["bo"]}
    return game.begin("fight", state=game.state(things), players=players, seed=1, sailors=["ann", "bo", "cy"])


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("no", Typed("no")),
        ("no!", Typed("no", "round")),
        ("no! scene", Typed("no", "scene")),
        ("no! all", Typed("no", "round", True)),
        ("no! all scene", Typed("no", "scene", True)),
        ("no ! scene all", Typed("no", "scene", True)),
        ("no! everybody", Typed("no", "round", True, True)),
        ("!", Typed("", "round")),
        ("no! always", Typed("no! always")),
    ],
)
def test_an_answer_that_stands(game: Game, text: str, meant: Typed) -> None:
    assert read_answer(text, begun(game).host.requests[0]) == meant


def test_an_answer_stands_until_one_thing_ends(game: Game) -> None:
    with pytest.raises(PlayError, match=r"HR620 .* `turn` and `scene`"):
        read_answer("no! turn scene", begun(game).host.requests[0])


def test_answers_to_several_are_given_all_or_none(game: Game) -> None:
    session = begun(game)
    group = equal_requests(session)
    assert [one.who for one in group] == ["ann", "cy"]
    before = len(session.log)
    with pytest.raises(PlayError):
        for request, answer in answers_of(group, "1, 7"):
            session.host.try_answer(request.id, answer)
    assert len(session.log) == before and [one.who for one in equal_requests(session)] == ["ann", "cy"]


def to_offer(session: Session) -> None:
    while session.host.requests[0].name != "does":
        session.host.answer(session.host.requests[0].id, 0)


def test_answers_ahead_are_for_the_offer_and_its_action(game: Game) -> None:
    session = begun(game)
    to_offer(session)
    offer = session.host.requests[0]
    text, ahead = split("push; bo; no; pass", offer, game.program.actions, session.turn)
    assert (text, ahead.texts) == ("push", ("bo", "no", "pass"))
    found = []
    for answer in ("push", "bo", False, False, True, "pass"):
        one = session.host.requests[0]
        found.append((one.name, ahead.are_for(one, session.turn)))
        session.host.answer(one.id, answer)
    assert found == [
        ("does", True), ("target", True), ("hard", True), ("luck", False), ("hold_on", False), ("does", True),
    ]  # fmt: skip
    assert not replace(ahead, texts=()).are_for(offer, session.turn)
    assert not ahead.are_for(session.host.requests[0], session.turn)  # it is the turn of somebody else


def test_a_request_tells_how_whoever_is_asked_is_doing_and_hides_the_rest(game: Game) -> None:
    session = begun(game)
    to_offer(session)
    assert session.seat("anna").requests[0].status == "breath 0 of 4, moves 2 of 2, sober, nerve 3"
    session.host.answer(session.host.requests[0].id, "pass")
    assert session.host.requests[0].who == "bo"
    assert session.seat("ben").requests[0].status == "breath 0 of 4, moves 2 of 2, nerve 3"
    assert session.host.requests[0].rule == "scenes.fight" and session.host.requests[0].about == ""


@pytest.mark.parametrize(
    "call",
    [
        lambda session: session.seat("eve").standing,
        lambda session: session.seat("eve").ask_again(),
        lambda session: session.host.answer(session.host.requests[0].id, 0, for_all=True),
        lambda session: session.seat("eve").try_answer(session.host.requests[0].id, 0),
        lambda session: session.host.try_answer(session.host.requests[0].id, 0, until="week"),
    ],
)
def test_a_slip_of_a_host_is_a_message_and_changes_nothing(game: Game, call: object) -> None:
    session = begun(game)
    with pytest.raises(PlayError):
        call(session)  # type: ignore[operator]
    assert not session.log and not session.host.standing


def test_before_a_question_stand_all_dice_and_the_values_of_what_still_runs(game: Game) -> None:
    session = begun(game)
    to_offer(session)
    for answer in ("push", "bo", False):
        session.host.answer(session.host.requests[0].id, answer)
    assert session.host.requests[0].name == "luck"
    computed = session.host.before(session.host.requests[0].id).computed
    assert [line.kind for line in computed] == ["roll", "thrown"]
    assert computed[1].text.startswith("Depth: die ") and "; depth " in computed[1].text


def test_at_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "quay.yaml").write_text(RULES)
    (tmp_path / "night.yaml").write_text(SCENE)
    with Terminal("play", "quay.yaml", "night.yaml", "--seed", "1", folder=tmp_path) as at:
        at.sees("? helps")
        at.sees("anna: How loud do you shout?")
        at.types("1, 9")
        at.sees("HR620")
        at.sees("> ")  # of both, since nothing was given
        at.types("0! all scene")
        at.sees("anna: “How loud do you shout?” is answered 0 until the scene ends")
        at.sees("ben, bo: How loud do you shout?")
        at.types("")
        at.sees("  ann: sober")
        at.sees("anna, ann: What do you do?")
        at.sees("ann (breath 0/4, moves 2/2, nerve 3) such as 1 bo [pass]> ")
        at.types("?")
        at.sees("   1  Push somebody overboard (moves: 1). The die says how deep they sink.")
        at.sees("> ")
        at.types("? splash")
        at.sees(":explain splash gives the whole rule.")
        at.sees("> ")
        at.types(":explain splash")
        at.sees("`sinks`")
        at.sees("> ")
        at.types("? MOVES")
        at.sees("moves of a ")
        at.sees("> ")
        at.types(":explain breath")  # which no rule has by itself
        at.sees("breath of a ")
        at.sees("> ")
        at.types("push; bo; no; pass")
        at.sees("ann: Whom do you push? bo")
        at.sees("Do you push your luck?")
        at.sees("  One deeper.")
        at.sees("> ")
        at.types("")
        at.sees("ben, bo: Hold on?")
        at.sees("  You hold on to the rail.")
        at.sees("yes  moves: 1 of 2")
        at.types("n!")
        at.sees("bo: “Hold on?” is answered no until the round ends")
        at.sees("ann: What do you do? pass")
        at.sees("anna, cy: What do you do?")
        at.types(":look")
        at.sees("bo: breath ")
        at.sees("di: breath ")  # who takes no part, too
        at.types("push; eve; pass")
        at.sees("HR620 `eve` is not")
        at.sees("anna, cy: Whom do you push?")  # and what was typed after it is forgotten
        at.types("ann; no; 9; 9")
        at.sees("luck?")
        at.types(":save who?.json")
        at.sees("saved in who?.json")
        at.types(":quit")
        assert at.ends() == 0


def test_a_choice_among_things_tells_how_they_are_doing(game: Game) -> None:
    session = begun(game)
    to_offer(session)
    session.host.answer(session.host.requests[0].id, "push")
    assert session.seat("anna").requests[0].meanings == {
        "bo": "breath 0 of 4, moves 2 of 2",
        "cy": "breath 0 of 4, moves 2 of 2, sober, nerve 3",
    }
    assert session.host.requests[0].meanings == session.seat("anna").requests[0].meanings


def test_an_answer_of_everybody_answers_all_players_and_ends_with_its_span(tmp_path: Path) -> None:
    (tmp_path / "quay.yaml").write_text(RULES)
    three = SCENE.replace("[ann, bo, cy]}", "[ann, bo, cy, di]}").replace("ben: [bo]}", "ben: [bo], carl: [di]}")
    (tmp_path / "night.yaml").write_text(three)
    with Terminal("play", "quay.yaml", "night.yaml", "--seed", "1", folder=tmp_path) as at:
        at.sees("anna: How loud do you shout?")
        at.types("7! everybody")
        at.sees("HR620")
        at.sees("> ")
        at.types("1! everybody")
        at.sees("everybody: “How loud do you shout?” is answered 1 until the round ends")
        at.sees("anna, ann: What do you do?")
        at.types("pass! everybody scene")
        at.sees("everybody: “What do you do?” is answered pass until the scene ends")
        at.sees("Round 2")
        at.sees("anna: How loud do you shout?")  # the round is over, and so is the answer
        at.types("0! everybody")
        at.sees("everybody: “How loud do you shout?” is answered 0")
        at.sees("done after 2 rounds")
        assert at.ends() == 0


def test_what_a_group_is_asked_is_told_of_each_and_a_wrong_number_of_answers_names_them(tmp_path: Path) -> None:
    rules = RULES.replace('to: 2, default: 0, ask: "How', 'to: chooser.nerve, default: 0, ask: "How')
    (tmp_path / "quay.yaml").write_text(rules)
    (tmp_path / "night.yaml").write_text(SCENE.replace("cy: {}, di", "cy: {nerve: 1}, di"))
    with Terminal("play", "quay.yaml", "night.yaml", "--seed", "1", folder=tmp_path) as at:
        at.sees("anna: How loud do you shout?")
        at.types("?")
        at.sees("ann: The answer is a number from 0 to 3. Enter gives 0.")
        at.sees("cy: The answer is a number from 0 to 1. Enter gives 0.")
        at.types("1, 0, 1")
        at.sees("2 are asked, and 3 answers are given")
        at.sees("or some by name: `ann 0, cy 0`")
        at.types("1 0 1")
        at.sees("2 are asked, and 3 answers are given")
        at.types(":refuse")
        at.sees("every reaction is refused until the round ends")
        at.sees("this question is about no reaction, so it still needs an answer")
        at.sees("> ")


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("1, 2", [1, 2]),
        ("1 2", [1, 2]),
        ("cy 1", [0, 1]),
        ("cy 2, ann 1", [1, 2]),
        ("the cook 2", [0, 2]),
        ("2", [2, 2]),
    ],
)
def test_answers_for_several_in_order_or_by_name_or_title(game: Game, text: str, answers: list[int]) -> None:
    things = {"ann": {"is": "sailor"}, "cy": {"is": "sailor", "title": "The cook"}}
    players = {"anna": ["ann", "cy"]}
    session = game.begin("fight", state=game.state(things), players=players, seed=1, sailors=["ann", "cy"])
    assert [answer for _, answer in answers_of(equal_requests(session), text)] == answers


def test_a_number_that_is_left_over_picks_no_action(game: Game) -> None:
    session = begun(game)
    to_offer(session)
    offer = session.host.requests[0]
    _, ahead = split("push; 1", offer, game.program.actions, session.turn)
    assert not ahead.are_for(offer, session.turn) and ahead.are_over(offer, session.turn)
    _, ahead = split("push; push", offer, game.program.actions, session.turn)
    assert ahead.are_for(offer, session.turn)


def test_answers_ahead_at_another_question_are_for_the_same_rule_and_the_same_one() -> None:
    game = loads("""
ruleset: dares
kinds: {sailor: {has: {breath: {type: number, default: 3}}}}
mechanics:
  brag:
    inputs: {who: {type: sailor}, foe: {type: sailor}}
    steps:
      loud:  {choose: number, by: who, from: 0, to: 3, default: 0, ask: "How loud?"}
      again: {choose: yes_no, by: who, default: no, ask: "Again?"}
      more:  {choose: yes_no, by: who, default: no, if: again, ask: "And once more?"}
      laugh: {choose: yes_no, by: foe, default: no, ask: "Do you laugh?"}
      bow:   {choose: yes_no, by: who, default: no, ask: "Do you bow?"}
scenes:
  tavern:
    inputs: {both: {list_of: sailor}}
    round:
      talk:
        steps:
          said: {call: brag, with: {who: "item(both, 1)", foe: "item(both, 2)"}}
          wait: {choose: yes_no, by: "item(both, 1)", default: no, ask: "Do you wait?"}
    outcomes: {done: scene.round == 1}
""")
    state = game.state({"ann": {"is": "sailor"}, "bo": {"is": "sailor"}})
    session = game.begin("tavern", state=state, players={"anna": ["ann"], "ben": ["bo"]}, both=["ann", "bo"])
    text, ahead = split("2; no; yes", session.host.requests[0], game.program.actions, session.turn)
    assert (text, ahead.texts) == ("2", ("no", "yes"))
    found = []
    for answer in (2, False, False, True, False):
        one = session.host.requests[0]
        found.append((one.name, ahead.are_for(one, session.turn), ahead.are_over(one, session.turn)))
        session.host.answer(one.id, answer)
    assert found == [
        ("loud", True, False), ("again", True, False), ("laugh", False, False), ("bow", True, False),
        ("wait", False, True),
    ]  # fmt: skip


def test_an_offer_that_is_made_a_few_times_says_which_of_them_it_is() -> None:
    game = loads(RULES.replace("to: one, ask", "to: one, most: 2, about: Mind the edge., ask"))
    session = begun(game)
    to_offer(session)
    assert session.host.requests[0].about == "Mind the edge. Action 1 of at most 2."
    for answer in ("push", "bo", False, False, False):
        session.host.answer(session.host.requests[0].id, answer)
    assert (session.host.requests[0].name, session.host.requests[0].about) == (
        "does",
        "Mind the edge. Action 2 of at most 2.",
    )


def test_an_answer_of_everybody_may_stand_in_a_line_of_several(tmp_path: Path) -> None:
    (tmp_path / "quay.yaml").write_text(RULES)
    (tmp_path / "night.yaml").write_text(SCENE)
    with Terminal("play", "quay.yaml", "night.yaml", "--seed", "1", folder=tmp_path) as at:
        at.sees("anna: How loud do you shout?")
        at.types("0! everybody scene")
        at.sees("anna, ann: What do you do?")
        at.types("push; bo; no! everybody scene")
        at.sees("everybody: “Push somebody overboard: hard?” is answered no until the scene ends")
        at.sees("Do you push your luck?")
        at.types(":quit")
        assert at.ends() == 0


def test_a_question_with_one_answer_is_not_asked_and_its_answer_may_be_typed(tmp_path: Path) -> None:
    (tmp_path / "quay.yaml").write_text(
        RULES.replace("where: it is not actor and", "where: it.nerve > 3 and it is not actor and")
    )
    (tmp_path / "night.yaml").write_text(SCENE.replace("bo: {rum: 2}", "bo: {rum: 2, nerve: 4}"))
    with Terminal("play", "quay.yaml", "night.yaml", "--seed", "1", folder=tmp_path) as at:
        at.sees("anna: How loud do you shout?")
        at.types("0! everybody scene")
        at.sees("anna, ann: What do you do?")
        at.types("push; bo; no; pass")
        at.sees("not asked: bo, which is the only one")
        at.sees("Do you push your luck?")
        at.types(":quit")
        assert at.ends() == 0


def test_a_number_with_no_room_is_not_asked() -> None:
    game = loads("""
ruleset: flight
kinds: {sailor: {has: {breath: {type: points, to: 3}}}}
actions:
  run:
    actor: {type: sailor}
    inputs:
      effort: {type: number, from: 0, to: actor.breath, default: 0, ask: "How hard do you run?"}
      far:    {type: number, from: 1, to: 2, default: 1, ask: "How far?"}
    steps: {gone: effort + far}
""")
    state = game.state({"ann": {"is": "sailor"}})
    session = game.begin("actions.run", state=state, players={"anna": ["ann"]}, actor="ann")
    assert session.host.requests[0].name == "far"
    assert answer_of(session.host.requests[0], "+2") == 2 and answer_of(session.host.requests[0], "+-2") == "+-2"


def test_answers_ahead_are_for_an_input_that_the_same_player_gives_for_somebody_else(game: Game) -> None:
    session = begun(game)
    to_offer(session)
    offer = session.host.requests[0]
    _, ahead = split("push; bo", offer, game.program.actions, session.turn)
    session.host.answer(offer.id, "push")
    asked = session.host.requests[0]
    assert ahead.are_for(replace(asked, who="cy"), session.turn)
    assert not ahead.are_for(replace(asked, who="bo", player="ben"), session.turn)
    assert not ahead.are_for(replace(asked, who="cy", path="elsewhere.target", rule="actions.haul"), session.turn)


TITLES = """\
ruleset: yard
kinds: {hand: {has: {tired: {type: yes_no, default: no}}}}
actions:
  run_away: {title: Flee, actor: {type: hand}, steps: {done: {set: actor.tired, to: yes}}}
  melee_attack:
    title: Attack somebody
    actor: {type: hand}
    inputs: {target: {type: hand, where: it is not actor}, hard: {type: yes_no, default: no}}
    steps: {done: {set: target.tired, to: yes}}
  run_on: {title: Go on running, actor: {type: hand}, steps: {done: {set: actor.tired, to: yes}}}
scenes:
  day:
    inputs: {hands: {list_of: hand}}
    round:
      all:
        steps:
          each: {for: one, among: hands, each: {acts: {offer: [run_away, melee_attack, run_on], to: one}}}
    outcomes: {over: scene.round == 2}
"""
DAY = """\
state: day
of: yard
scene: day
things: {hand: {ann: {}, bo: {}, cy: {}}}
given: {hands: [ann, bo, cy]}
players: {anna: [ann], ben: [bo, cy]}
"""


def in_the_yard() -> Session:
    game = loads(TITLES)
    state = game.state({one: {"is": "hand"} for one in ("ann", "bo", "cy")})
    return game.begin(
        "day", state=state, players={"anna": ["ann"], "ben": ["bo", "cy"]}, seed=1, hands=["ann", "bo", "cy"]
    )


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("Flee", "run_away"), ("flee", "run_away"), ("attack", "melee_attack"), ("MELEE", "melee_attack"),
        ("run away", "run_away"), ("Attack somebody", "melee_attack"), ("run_o", "run_on"), ("go", "run_on"),
        ("run", None), ("", None), ("x", None), ("pass", "pass"), ("PASS", "pass"),
    ],
)  # fmt: skip
def test_an_option_is_meant_by_its_word_its_title_or_a_beginning_that_fits_no_other(
    text: str, option: str | None
) -> None:
    assert option_meant(in_the_yard().host.requests[0], text) == option


def test_the_examples_of_help_are_valid(tmp_path: Path) -> None:
    session = in_the_yard()
    offer = session.host.requests[0]
    told = help_at(session, [offer])
    assert "\nGo on after a semicolon: melee_attack; bo; no answers" in told
    assert f"an option, or a beginning of it that fits no other: {PASS}." in told
    session.host.answer(offer.id, "melee_attack")
    assert "Type the number or the text of an option, or a beginning of it that fits no other: bo." in help_at(
        session, [session.host.requests[0]]
    )
    (tmp_path / "yard.yaml").write_text(TITLES)
    (tmp_path / "day.yaml").write_text(DAY)
    with Terminal("play", "yard.yaml", "day.yaml", "--seed", "1", folder=tmp_path) as at:
        at.sees("anna, ann: acts")
        at.types("? cy")
        at.sees("cy (hand)")
        at.sees("> ")
        at.types("? nobody")
        at.sees("`?` alone explains this question")
        at.sees("> ")
        at.types("attack; bo; no; Flee")
        at.sees("Flee: ann")
        at.types(":quit")


@pytest.mark.parametrize("width", range(12, 90, 7))
def test_no_line_is_broken_inside_a_word(width: int) -> None:
    text = (
        "  2  attack  Attack somebody in melee (full, tactical points: 0 to 3)\n\nplace nowhere, complication range 1"
    )
    lines = wrap(text, width).split("\n")
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    assert all(len(line) <= width or len(line.split()) == 1 for line in lines), lines
    painted = wrap("\x1b[1mplace nowhere\x1b[0m, complication range 1", width).split("\n")
    assert [re.sub(r"\x1b.*?m", "", line) for line in painted] == wrap(
        "place nowhere, complication range 1", width
    ).split("\n")


def test_standing_lists_what_is_promised_for_others(tmp_path: Path) -> None:
    (tmp_path / "yard.yaml").write_text(TITLES)
    (tmp_path / "day.yaml").write_text(DAY)
    with Terminal("play", "yard.yaml", "day.yaml", "--seed", "1", folder=tmp_path) as at:
        at.sees("anna, ann: acts")
        at.types("attack; bo; no! everybody scene")
        at.sees("anna, ann: acts")
        at.types(":standing")
        at.sees("everybody: “Attack somebody: hard?” is answered no until the scene ends")
        at.sees("> ")
        at.types(":ask")
        at.sees("no answer stands any more")
        at.sees("> ")
        at.types(":standing")
        at.sees("  no answer stands")


def test_answers_ahead_answer_what_the_steps_of_an_action_ask_and_what_none_takes_is_told_at_once(
    tmp_path: Path,
) -> None:
    with Terminal("play", "2d20", "flooded-vault", "--seed", "1", folder=tmp_path) as at:
        for who in ("anna, mara", "carl, tolly", "ben, guard"):
            at.sees(f"{who}: What do you do?")
            at.types("pass")
        at.sees("ben, the game master: What do you do as the game master?")
        at.types("harm; tolly; 4; physical; harm; mara; 1; physical; pass")
        at.sees("What kind of injury is it? physical")
        at.sees("mara: stress 0 → 1")  # which is no injury, so nothing asks of what kind
        at.sees("`physical` is not a valid answer")
        at.sees("not used: pass")
        at.sees("ben, the game master: What do you do as the game master?")
        at.types(":quit")


LOTS = """\
ruleset: lots
roles: {judge: Who judges.}
kinds:
  burden: {has: {weight: {type: number, default: 1}}}
  hand: {has: {burdens: {list_of: burden, default: []}}}
actions:
  race:
    actor: {type: hand}
    inputs:
      skill:   {type: number, from: 0, to: 20}
      foe:     {type: hand, where: it is not actor}
      against: {type: number, from: 0, to: 20, by: foe}
      burdens: {list_of: burden, among: actor.burdens, by: judge}
      hard:    {type: number, from: 0, to: 20, by: judge}
    steps: {done: skill + against + hard}
scenes:
  day:
    inputs: {hands: {list_of: hand}}
    round: {all: {steps: {each: {for: one, among: hands, each: {acts: {offer: [race], to: one}}}}}}
    outcomes: {over: scene.round == 2}
"""


def at_lots(foes: str) -> tuple[Session, AnswersAhead]:
    """A session in which an action was picked with answers for all its inputs, and what is left of these."""
    game = loads(LOTS)
    state = game.state(sand={"is": "burden"}, ann={"is": "hand", "burdens": ["sand"]}, bo={"is": "hand"})
    players = {"anna": ["ann", "judge", *(["bo"] if foes == "anna" else [])]}
    players |= {"ben": ["bo"]} if foes == "ben" else {}
    session = game.begin("day", state=state, players=players, seed=1, hands=["ann", "bo"])
    offer = session.host.requests[0]
    _, ahead = split("race; 12; 11; sand; 3", offer, game.program.actions, session.turn)
    session.host.answer(offer.id, "race")
    session.host.answer(session.host.requests[0].id, 12)
    return session, replace(ahead, texts=ahead.texts[1:])


def test_an_answer_typed_ahead_for_somebody_else_is_given_to_no_question_of_another_kind() -> None:
    session, ahead = at_lots("anna")
    assert (session.host.requests[0].name, ahead.are_for(session.host.requests[0], session.turn)) == ("against", True)
    session.host.answer(session.host.requests[0].id, 11)
    asked = session.host.requests[0]
    assert asked.name == "burdens" and not ahead.are_for(asked, session.turn)  # 11 is none of the burdens
    assert replace(ahead, texts=ahead.texts[1:]).are_for(asked, session.turn)


def test_once_another_player_was_asked_for_an_input_the_answers_typed_ahead_are_for_nobody_else() -> None:
    session, ahead = at_lots("ben")
    asked = session.host.requests[0]
    assert (asked.player, ahead.are_for(asked, session.turn)) == ("ben", False)
    ahead = ahead.interrupt_for(asked)
    session.host.answer(asked.id, 11)
    assert not replace(ahead, texts=("sand",)).are_for(session.host.requests[0], session.turn)
    session.host.answer(session.host.requests[0].id, [])
    assert session.host.requests[0].name == "hard" and not ahead.are_for(session.host.requests[0], session.turn)


def test_the_screen_shows_each_answer_and_each_throw_once_and_no_empty_input(tmp_path: Path) -> None:
    with Terminal("play", "2d20", "flooded-vault", "--seed", "3", "--ask", "everything", folder=tmp_path) as at:
        at.sees("anna, mara: What do you do?")
        at.types("labour; 12; 2")
        at.sees("How difficult is the work of mara")
        at.types("2")
        at.sees("door has 0 of 6 marks. How many more")
        at.types("")
        at.sees("How many units of time")
        at.types("")
        at.sees("How many extra dice do you buy?")
        at.sees("1  costs 1 of 2 Momentum")
        at.types("1")
        at.sees("mara rolls 3 dice against 12")
        at.types("")
        at.sees("rolled d20")
        at.sees("> ")
        told = at.seen
    assert not re.search(r"mara: (deeds|target|focus|bought) |game_master: (difficulty|gain) |\[\]", told)
    assert not re.search(r"^  (Skill test|Work on a track|Throw d20s)", told, re.MULTILINE)
    assert told.count("rolled d20") == 1 and "→ d20" not in told
    assert "  mara: What is the target number? 12" in told
    assert "Work on a track: mara, project the canal door, target 12, focus 2, difficulty 2" in told


def test_what_a_question_is_about_begins_with_the_whole_question(tmp_path: Path) -> None:
    with Terminal("play", "2d20", "flooded-vault", "--seed", "3", "--ask", "everything", folder=tmp_path) as at:
        at.sees("anna, mara: What do you do?")
        at.types("labour; 12; 2")
        at.sees("How difficult is the work of mara")
        at.types("2")
        at.sees("door has 0 of 6 marks. How many more")
        at.types("?")
        at.sees("door has 0 of 6 marks. How many more does mara make by passing the test? By the rules as")
        at.sees("This is about: Work on a track")
        at.sees("The answer is a number from 0 to 6. Enter gives 2.")
        at.types(":quit")


def test_an_answer_to_a_question_that_was_not_asked_ends_no_line(tmp_path: Path) -> None:
    with Terminal("play", "fiend-wake", "castle", "--seed", "5", folder=tmp_path) as at:
        at.sees("anna: How many Tactical Points do you bid")
        at.types("0! everybody")
        at.sees("carl, anvil: What do you do?")
        at.types("arm; axe; no")
        at.sees("anvil: ready none → axe")
        at.sees("carl, anvil: What do you do?")
        at.types("arm")
        at.sees("another weapon is ready")  # the beginning of an action that is not possible now
        at.sees("> ")
        at.types("put_away; no; arm; rifle; no")
        at.sees("not asked: no")  # it costs nothing, so nobody asks whether it is a full action
        at.sees("anvil: ready none → rifle")
        at.sees("carl, anvil: What do you do?")
        at.types("put_away; no")
        at.sees("not asked: no")
        at.sees("carl, anvil: What do you do?")
        assert "HR620" not in at.seen
        at.types(":quit")


def test_a_refused_answer_is_told_in_the_words_of_the_screen(tmp_path: Path) -> None:
    played = run(tmp_path, "play", "fiend-wake", "castle", "--seed", "11", "--no-save",
                 typed="1, 0\n0\n0\naxe\na\n")  # fmt: skip
    told = re.sub(r"\s+", " ", played.stdout + played.stderr)
    assert "allowed: Ready a weapon; Enter a place; Call a shot; " in told, told[-2000:]
    assert (
        "`a` may mean several answers = help: one of: Ready a weapon; Attack somebody in melee; Assault a place; "
        in told
    )
    assert "arm_yourself" not in told
