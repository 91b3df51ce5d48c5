"""Texts in parts: `ask`, `shows` and `tells` say only the parts whose conditions hold, and everybody agrees which."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter import HOST, Game, Session, bundled, load, loads, pipeline
from interpreter.cli.request_text import options_of
from interpreter.diagnostics.source import Source
from interpreter.ir.printer import listing
from interpreter.ir.question import join_texts
from interpreter.ir.verify import violations
from interpreter.play.trace_events import ChoiceMade
from interpreter.report.explain import explain_name
from interpreter.report.transcript import record_lines

LAYERS = Path(__file__).parent / "rejected" / "layers"


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (["Do you rest?"], "Do you rest?"),
        (["You are tired.", "Do you rest?"], "You are tired. Do you rest?"),
        (["bo", ", tired", "; armed", "."], "bo, tired; armed."),
        (["Do you strike bo", "with the axe", "?"], "Do you strike bo with the axe?"),
        (["", ", armed", "", "; tired"], "armed; tired"),
        ([":", "?", "bo"], "bo"),
        (["They wait", "... and wait"], "They wait ... and wait"),
        (["costs 3", ".5 each"], "costs 3 .5 each"),
        (["", ""], ""),
        ([], ""),
    ],
)
def test_parts_are_joined_as_sentences_go_on(parts: list[str], whole: str) -> None:
    assert join_texts(parts) == whole


RULES = """\
ruleset: watch
options: {grim: {type: yes_no, default: no}}
names: {doing: {rest: Heals., watch: "", pray: Helps.}}
kinds:
  guard:
    has:
      wounds: {type: points, seen_by: everybody}
      charm:  {type: number, optional: yes, seen_by: everybody}
      secret: {type: number, default: 0, seen_by: owner}
events:
  alarm:
    inputs: {who: {type: guard}, by_day: {type: yes_no, default: no}}
    steps:
      die: {roll: d6}
      hurt: {gain: die, to: who.wounds, if: die > 5}
    outcomes:
      quiet: {if: die > 4, tells: {say: "{who} hears nothing", if: not by_day}}
      lucky:
        if: die > 3
        tells: [all is well, {say: ", by a charm of {who.charm + 1}", if: given(who.charm), else: ", by luck"}, .]
      known: {if: die > 2, tells: [somebody comes, {say: whom they know, if: who.secret > 0}]}
      loud:  {if: otherwise, tells: [{say: by day, if: by_day}, {say: ", and {die + 0} are seen", if: die > 1}]}
actions:
  stand:
    actor: guard
    shows: {say: "with {actor.wounds} wounds", if: actor.wounds > 0}
    inputs:
      other:
        type: guard
        where: it is not actor
        ask: ["Beside whom?", {say: "You have {actor.wounds} wounds.", if: actor.wounds > 0}]
        shows: [{say: "wounds {it.wounds}", if: it.wounds > 0}, {say: ", charm {it.charm + 1}", if: given(it.charm)}]
    steps: {hurt: {gain: 1, to: other.wounds}}
reactions:
  duck:
    before: alarm
    actor: {type: guard, among: "[event.who]"}
    ask: ["An alarm", {say: by day, if: event.by_day, else: "by night, {actor}"}, ". Do you duck?"]
    steps: {gone: {cancel: event}}
mechanics:
  turn:
    inputs: {who: {type: guard}}
    steps:
      does:
        choose: one
        among: doing
        by: who
        ask:
          - {say: "You have {who.wounds} wounds.", if: who.wounds > 0}
          - What do you do
          - {say: in this grim night, if: options.grim}
          - "?"
        shows: {say: "heals {who.wounds}", if: it is rest and who.wounds > 0}
      much:
        choose: number
        from: 0
        to: 5
        by: who
        ask: {say: "How much do you rest?", if: does is rest, else: "How much do you do?"}
        shows: [{say: heals all, if: "it in [1, 2, 4] and does is rest"}, {say: heals none, if: it == 5}]
      healed: {lose: much, from: who.wounds, if: does is rest}
      pause: {offer: [stand], to: who, most: 1, ask: ["And now?", {say: "You rested by {much}.", if: does is rest}]}
      seen: {cause: alarm, with: {who: who, by_day: does is pray}}
scenes:
  night:
    inputs: {guards: {list_of: guard}}
    round:
      all:
        steps: {each: {for: one, among: guards, each: {own: {call: turn, with: {who: one}}}}, done: {end: done}}
    outcomes: {done: {}}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def begun(game: Game, **has: Any) -> Session:
    state = game.state(ann={"is": "guard", **has}, bo={"is": "guard", "charm": 2}, cy={"is": "guard", "wounds": 1})
    return game.begin("turn", state=state, who="ann", dice="table")


def asked(session: Session, *answers: object) -> tuple[str, dict[str, str]]:
    for answer in answers:
        session.host.answer(session.host.requests[0].id, answer)
    return session.host.requests[0].question, dict(session.host.requests[0].meanings)


def test_a_question_says_the_parts_whose_conditions_hold(game: Game) -> None:
    assert asked(begun(game))[0] == "What do you do?"
    assert asked(begun(game, wounds=2))[0] == "You have 2 wounds. What do you do?"
    grim = loads(RULES, options={"grim": "yes"})
    assert asked(begun(grim))[0] == "What do you do in this grim night?"
    assert asked(begun(game), "rest")[0] == "How much do you rest?"
    assert asked(begun(game), "pray")[0] == "How much do you do?"


def test_an_answer_of_which_no_part_holds_shows_the_meaning_of_its_word_or_nothing(game: Game) -> None:
    assert asked(begun(game, wounds=2))[1] == {"rest": "heals 2", "pray": "Helps."}
    assert asked(begun(game))[1] == {"rest": "Heals.", "pray": "Helps."}


def test_numbers_in_a_row_that_come_to_the_same_stand_in_a_line_and_others_apart(game: Game) -> None:
    session = begun(game)
    assert asked(session, "rest")[1] == {"1": "heals all", "2": "heals all", "4": "heals all", "5": "heals none"}
    shown = list(options_of(session.host.requests[0]))
    assert shown == ["  1 to 2  heals all", "       4  heals all", "       5  heals none"]


def test_offers_actions_and_reactions_ask_in_parts(game: Game) -> None:
    session = begun(game, wounds=3)
    assert asked(session, "pray", 1)[0] == "And now?"
    assert session.host.requests[0].meanings["stand"].startswith("Stand: with 3 wounds")
    question, shown = asked(session, "stand")
    assert (question, shown) == ("Beside whom? You have 3 wounds.", {"bo": "charm 3", "cy": "wounds 1"})
    assert asked(session, "bo")[0] == "An alarm by day. Do you duck?"
    assert asked(begun(game), "rest", 2)[0] == "And now? You rested by 2."
    assert "wounds" not in asked(begun(game), "watch", 2)[1]["stand"]
    assert asked(begun(game), "watch", 2, "pass")[0] == "An alarm by night, ann. Do you duck?"


def test_a_standing_answer_is_named_by_what_its_question_always_says(game: Game) -> None:
    session = begun(game, wounds=3)
    session.host.answer(session.host.requests[0].id, "rest", until="scene")
    assert session.host.question_of(session.host.standing[0]) == "What do you do?"


def record(game: Game, face: int, does: str = "watch", player: str | None = None, **has: Any) -> list[str]:
    state = game.state(ann={"is": "guard", **has}, bo={"is": "guard"})
    players = {"anna": ["ann"], "ben": ["bo"]}
    session = game.begin("night", state=state, guards=["ann"], dice="table", players=players)
    for answer in (does, 0, "pass", "no", [face]):
        session.host.answer(session.host.requests[0].id, answer)
    return [line.text for line in record_lines(session.seat(player or HOST).lines())]


@pytest.mark.parametrize(
    ("face", "does", "has", "told"),
    [
        (5, "watch", {}, "die d6: 5, ann hears nothing"),
        (5, "pray", {}, "die d6: 5, quiet"),
        (4, "watch", {}, "die d6: 4, all is well, by luck."),
        (4, "watch", {"charm": 1}, "die d6: 4, all is well, by a charm of 2."),
        (2, "pray", {}, "die d6: 2, by day, and 2 are seen"),
        (2, "watch", {}, "die d6: 2, and 2 are seen"),
        (1, "watch", {}, "die d6: 1, loud"),
    ],
)
def test_a_record_tells_what_holds_or_the_name(game: Game, face: int, does: str, has: Any, told: str) -> None:
    assert told in record(game, face, does, **has)


def test_whether_a_part_is_said_tells_nobody_what_is_hidden(game: Game) -> None:
    assert "die d6: 3, somebody comes whom they know" in record(game, 3, secret=1)
    assert "die d6: 3, somebody comes" in record(game, 3, secret=0)
    for secret in (0, 1):  # the condition alone reads what is hidden
        assert "die d6: 3, known" in record(game, 3, player="ben", secret=secret)


def test_odds_and_simulations_are_asked_nothing_and_agree(game: Game) -> None:
    state = game.state(ann={"is": "guard"}, bo={"is": "guard"})
    given: dict[str, Any] = {"state": state, "who": "ann", "choices": {"duck": "no"}}
    assert game.odds("alarm", **given).of("outcome") == {
        "quiet": Fraction(1, 3), "lucky": Fraction(1, 6), "known": Fraction(1, 6), "loud": Fraction(1, 3)
    }  # fmt: skip
    found = game.simulate("alarm", runs=600, seed=1, **given).of("outcome")
    assert abs(float(found["quiet"]) - 1 / 3) < 0.1


def test_the_program_is_sound_printed_and_explained(game: Game) -> None:
    assert violations(game.program) == []
    printed = listing(game.program)
    assert "    tells {who} hears nothing if not by_day" in printed
    assert "    tells , by a charm of {who.charm + 1} if given(who.charm) else , by luck" in printed
    lines = "\n".join(explain_name(game.program, None, "turn"))
    assert "“You have ‹wounds› wounds.” (if who.wounds > 0) “What do you do”" in lines
    assert "Beside each answer stands “heals ‹wounds›” (if it is rest and who.wounds > 0)." in lines
    assert "“How much do you rest?” (if does is rest, else “How much do you do?”)" in lines
    told = "\n".join(explain_name(game.program, None, "alarm"))
    assert "A record of play tells “‹who› hears nothing” (if not by_day)." in told


def found(text: str) -> list[str]:
    return [one.code for one in pipeline.from_text(Source("watch.yaml", text)).problems]


def test_what_only_a_condition_reads_is_read_and_one_that_never_holds_is_found() -> None:
    assert found(RULES) == []
    assert found(RULES.replace(", if: options.grim}", "}")) == ["HR909"]
    assert found(RULES.replace("if: event.by_day, else", "if: actor.wounds < -2, else")) == ["HR916"]
    assert found(RULES.replace("if: not by_day", "if: die > 6")) == ["HR916"]
    assert found(RULES.replace("if: actor.wounds > 0", "if: actor.wounds < -2")) == ["HR916"]


@pytest.mark.parametrize(
    "asks", ["['Do you duck?']", "{say: 'Do you duck?', if: yes}", "{say: 'Duck?', if: no, else: 'Do you duck?'}"]
)
def test_a_part_that_is_always_said_asks(asks: str) -> None:
    text = '["An alarm", {say: by day, if: event.by_day, else: "by night, {actor}"}, ". Do you duck?"]'
    game = loads(RULES.replace(text, asks))
    assert asked(begun(game), "watch", 2, "pass")[0] == "Do you duck?"


def test_what_cannot_be_computed_is_not_said() -> None:
    game = loads(RULES.replace("if: die > 1}", "if: 6 / (die - 2) > 1, else: calm}"))
    assert "die d6: 2, by day" in record(game, 2, "pray")
    assert "die d6: 1, calm" in record(game, 1)


def test_a_house_rule_adds_to_a_text_and_changes_a_part() -> None:
    made = pipeline.from_path(LAYERS / "spoken-more.yaml")
    assert made.program is not None and not made.problems.errors
    tells = {one.name: one.tells for one in made.program.mechanics["climb"].outcomes.cases}  # type: ignore[union-attr]
    assert tells["hanging"].written == "hangs at {reach}, which is high"
    assert tells["fall"].written == "Alas! falls from {reach} of all things"
    (top,) = tells["top"].parts
    assert top.condition is not None and top.instead is not None
    assert (top.say.written, top.instead.written) == ("well on top, {margin} above", "just on top")
    told = "tells well on top, {margin} above if ((margin > 1) or (reach > 5)) else just on top"
    assert told in listing(made.program)


PUSHED = """\
ruleset: pushed
roles: {player: Who plays.}
mechanics:
  push:
    inputs: {bonus: {type: number, default: 0}}
    steps:
      die:    {roll: d6}
      total:  sum(die) + bonus
      pushes: {choose: yes_no, by: player, default: no, ask: ["Push?", {say: "You have {total}.", if: bonus > 1}]}
    outcomes: {high: total > 3 or pushes, low: otherwise}
"""


@pytest.mark.parametrize(("bonus", "question"), [(0, "Push?"), (2, "Push? You have 5.")])
def test_what_a_part_tells_stands_not_above_the_question(bonus: int, question: str) -> None:
    for text, above in ((PUSHED, ["d6: 3"]), (PUSHED.replace("{total}", "{bonus}"), ["d6: 3", str(3 + bonus)])):
        session = loads(text).begin("push", bonus=bonus, dice="table")
        session.host.answer(session.host.requests[0].id, [3])
        assert session.host.requests[0].question == question.replace("5", "5" if text is PUSHED else "2")
        assert [line.text for line in session.host.before(session.host.requests[0].id).computed] == above


def test_the_schemas_take_parts() -> None:
    from jsonschema import Draft202012Validator

    schema = json.loads((bundled.schemas() / "ruleset.json").read_text("utf-8"))
    check = Draft202012Validator(schema)

    def valid(ask: object) -> bool:
        steps = {"push": {"choose": "yes_no", "ask": ask}}
        return bool(check.is_valid({"ruleset": "watch", "mechanics": {"turn": {"steps": steps}}}))

    assert all(map(valid, ("Now?", {"say": "Now?"}, ["Now?", {"say": "Or then?", "if": "late", "else": "Never?"}])))
    assert not any(map(valid, ([], [["Now?"]], {"if": "late"}, {"say": "Now?", "when": "late"}, [{"say": ["Now?"]}])))


def test_a_question_in_parts_is_answered_alike_after_a_save(game: Game) -> None:
    session = begun(game, wounds=2)
    asked(session, "rest")
    again = game.resume(session.to_json())
    assert again.host.requests == session.host.requests


def asked_of(
    rule: str, things: dict[str, Any], answers: dict[str, Any], given: dict[str, Any]
) -> list[tuple[str, str]]:
    """The name and the text of each question of a rule of 2d20, answered by name or by default, with random throws."""
    game = load("2d20")
    session = game.begin(rule, state=game.state(things), seed=1, inputs=given)
    found = []
    while session.host.requests:
        request = session.host.requests[0]
        found.append((request.name, request.question))
        session.host.answer(request.id, answers.get(request.name, request.default))
    return found


def test_followers_are_told_the_difficulty_as_those_before_them_have_raised_it() -> None:
    people = {name: {"is": "character"} for name in ("ann", "bo", "cy")}
    things = {"group": {"members": list(people), "momentum": 2}, **people}
    asked = asked_of("group_test", things, {"how": "rides"}, {"tester": "ann", "target": 10, "difficulty": 1})
    assert [text for name, text in asked if name == "how"] == [
        "ann rolls for the group at difficulty 1, before Traits change it. Does bo buy into the roll?",
        "ann rolls for the group at difficulty 2, before Traits change it. Does cy buy into the roll?",
    ]


def test_a_trait_that_both_sides_of_a_contest_have_is_told_as_a_trait_of_the_side_that_it_hinders() -> None:
    things = {"dark": {"is": "trait"}, "ann": {"is": "character"}, "bo": {"is": "character"}}
    sides = {"active": "ann", "opponent": "bo"}
    given = {side: {"who": who, "target": 10, "traits": ["dark"]} for side, who in sides.items()}
    for side, told in (("active_side", "difficulty 1 (Traits: 1)."), ("other_side", "difficulty 0.")):
        texts = dict(reversed(asked_of("contest", things, {"side": side}, given)))
        assert told in texts["determined"]


def test_no_question_tells_a_difficulty_below_zero_or_chaos_for_the_complication_of_an_npc() -> None:
    things = {"ogre": {"is": "character", "npc": True, "traits": ["rope", "hook"]}}
    things |= {name: {"is": "trait", "does": "helps"} for name in ("rope", "hook")}
    texts = dict(asked_of("skill_test", things, {}, {"tester": "ogre", "target": 0, "difficulty": 1}))
    assert "rolls 3 dice against 0" in texts["determined"] and "at difficulty 0 (Traits: -2)." in texts["determined"]
    assert "unless the game master buys it off" in texts["offered"]


COUNTED = """\
ruleset: counted
kinds: {guard: {has: {wounds: {type: points, to: 9}, charm: {type: number, optional: yes}}}}
mechanics:
  tell:
    inputs: {who: {type: guard}, n: number}
    steps:
      heals:
        choose: yes_no
        by: who
        default: no
        ask:
          - "{n} {wound comes|wounds come} to {who}, with {who.charm} {charm | charms}."
          - {say: "{who.wounds} {is|are} there.", if: who.wounds > 0, else: None are there.}
          - Do you heal {n} {wound|wounds}?
    outcomes: {told: {if: otherwise, tells: "{n} {wound|wounds}"}}
"""


@pytest.mark.parametrize(
    ("number", "wounds", "charm", "asks", "told"),
    [
        (1, 0, 1, "1 wound comes to ann, with 1 charm. None are there. Do you heal 1 wound?", "1 wound"),
        (2, 1, None, "2 wounds come to ann, with (missing) charms. 1 is there. Do you heal 2 wounds?", "2 wounds"),
        (0, 3, 2, "0 wounds come to ann, with 2 charms. 3 are there. Do you heal 0 wounds?", "0 wounds"),
    ],
)
def test_words_go_by_the_number_before_them(number: int, wounds: int, charm: int | None, asks: str, told: str) -> None:
    game = loads(COUNTED)
    state = game.state({"ann": {"is": "guard", "wounds": wounds} | ({"charm": charm} if charm is not None else {})})
    session = game.begin("tell", state=state, inputs={"who": "ann", "n": number})
    assert session.host.requests[0].question == asks
    session.host.answer(session.host.requests[0].id, "no")
    assert record_lines(session.host.lines())[-1].text.endswith(told)


def test_a_page_tells_the_words_of_more_than_one() -> None:
    lines = "\n".join(explain_name(loads(COUNTED).program, None, "tell"))
    assert "‹n› wounds come to ‹who›, with ‹charm› charms." in lines and "Do you heal ‹n› wounds?" in lines


def test_texts_that_nobody_has_read_in_a_run_tell_what_held_when_they_were_asked() -> None:
    game = loads(
        """
ruleset: later
kinds: {hero: {has: {life: {type: points, to: 9, starts: 9}}}}
things: {hero: {ann: {}}}
mechanics:
  bleed:
    inputs: {who: {type: hero, default: ann}}
    steps:
      passes:
        repeat: 2
        each:
          gone:
            choose: number
            from: 1
            to: 2
            by: who
            ask: "{who.life} life in pass {nth}. How much?"
            shows: "leaves {who.life - it}"
          less: {lose: gone, from: who.life}
"""
    )
    result = game.roll("bleed", policy=lambda choice: 2)
    asked = [one.node for one in result.events if isinstance(one, ChoiceMade)]
    assert [one.ask for one in asked] == ["9 life in pass 1. How much?", "7 life in pass 2. How much?"]
    assert [one.meanings for one in asked] == [{"1": "leaves 8", "2": "leaves 7"}, {"1": "leaves 6", "2": "leaves 5"}]
