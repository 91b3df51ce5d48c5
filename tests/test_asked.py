"""What a question tells: values in its text, what an action is about before it is picked, and why it is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interpreter import Game, PlayError, Session, loads, pipeline
from interpreter.cli import group
from interpreter.cli.request_text import hint_of_default, options_of, remaining_offer
from interpreter.cli.typed_answers import option_meant
from interpreter.diagnostics.source import Source
from interpreter.report.transcript import record_lines
from interpreter.shown_text import last_sentence

RULES = """\
ruleset: ring
kinds:
  fighter:
    has:
      wounds: {type: points}
      luck:   {type: number, default: 2}
      tired:  {type: yes_no, default: no}
      scars:  {list_of: number, default: []}
events:
  blow:
    inputs: {striker: {type: fighter}, target: {type: fighter}, harm: {type: number}}
    steps: {hurt: {gain: harm, to: target.wounds}}
actions:
  strike:
    title: Strike somebody
    actor: {type: fighter}
    inputs:
      target:
        type: fighter
        where: it is not actor
        ask: "{actor} has {actor.wounds} wounds. Whom {{now}} do you strike?"
    requires: {awake: not actor.tired}
    steps:
      die: {roll: d6}
      luck:
        choose: number
        by: actor
        from: 0
        to: actor.luck
        default: 0
        ask: >-
          You rolled {sum(die)},
          and your worst scar is {item(actor.scars, actor.luck)}.
      hit: {cause: blow, with: {striker: actor, target: target, harm: die + luck}}
  rest:
    title: Rest
    actor: {type: fighter}
    steps: {calm: {set: actor.tired, to: no}}
reactions:
  dodge:
    before: blow
    actor: {type: fighter, among: "[event.target]"}
    ask: "{event.striker} hits you for {event.harm}. Dodge?"
    steps: {gone: {cancel: event}}
scenes:
  fight:
    inputs: {fighters: {list_of: fighter}}
    round:
      turns:
        steps:
          each: {for: one, among: fighters, each: {does: {offer: [strike, rest], to: one, ask: "{one}, what now?"}}}
"""
SCENE = """\
state: bout
of: ring
scene: fight
things: {fighter: {ann: {}, ben: {}, cy: {tired: yes}}}
given: {fighters: [ann, ben, cy]}
"""
THROWS = """\
ruleset: tosses
roles: {player: Who plays.}
mechanics:
  burn:
    inputs: {face: {type: number}, so_far: {type: number, default: 0}}
    steps:
      spends: {choose: yes_no, by: player, default: no, ask: TEXT}
      counts: face + (1 if spends else 0)
  toss:
    steps:
      dice:
        roll: d6
        each: {burnt: {call: burn, with: {face: face, so_far: sum(earlier.burnt.counts)}}}
        again: burnt.counts >= 5
        counts: burnt.counts
    outcomes: {high: sum(dice) > 9, low: otherwise}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def begun(game: Game, *names: str) -> Session:
    names = names or ("ann", "ben", "cy")
    things = {one: {"is": "fighter", "tired": one == "cy"} for one in names}
    return game.begin("fight", state=game.state(things), seed=1, fighters=list(names))


def asked(session: Session, *answers: object) -> str:
    """The question after some answers."""
    for answer in answers:
        session.host.answer(session.host.requests[0].id, answer)
    return session.host.requests[0].question


def test_a_question_tells_values(game: Game) -> None:
    session = begun(game)
    assert asked(session) == "ann, what now?"
    assert asked(session, "strike") == "ann has 0 wounds. Whom {now} do you strike?"


def test_a_value_that_cannot_be_computed_is_left_open(game: Game) -> None:
    session = begun(game)
    assert asked(session, "strike", "ben").endswith("and your worst scar is ….")


def test_a_reaction_tells_its_event_and_a_standing_answer_tells_no_values(game: Game) -> None:
    session = begun(game)
    assert asked(session, "strike", "ben", 1).startswith("ann hits you for ")
    session.host.answer(session.host.requests[0].id, False, until="round", for_all=True)
    assert session.host.question_of(session.host.standing[0]) == "… hits you for …. Dodge?"


TERMS = """\
ruleset: pay
kinds:
  fighter:
    has:
      moves: {type: points, to: 2, starts: 2, lasts: round}
      luck:  {type: points, to: 3, starts: 3}
      coins: {type: points, to: 3, starts: 3}
action_kinds:
  simple: {upgrade: {to: full, waives: [moves]}}
  full: {}
events:
  blow: {inputs: {target: {type: fighter}}, steps: {pain: 1}}
actions:
  strike:
    title: Strike
    actor: {type: fighter}
    kind: simple
    inputs: {target: {type: fighter, where: it is not actor}, force: {type: number, from: 0, to: 2}}
    cost: {moves: 1, luck: force}
    steps:
      hit: {cause: blow, with: {target: target}}
      fee: {pay: 2, from: actor, in: {luck: 1, coins: 1}}
  rest: {title: Rest, actor: {type: fighter}, steps: {calm: 1}}
reactions:
  dodge:
    before: blow
    actor: {type: fighter, among: "[event.target]"}
    inputs: {far: {type: number, from: 0, to: 2}}
    cost: {luck: 1, coins: far}
    steps: {gone: {cancel: event}}
scenes:
  fight:
    inputs: {fighters: {list_of: fighter}}
    round: {turns: {steps: {each: {for: one, among: fighters, each: {does: {offer: [strike, rest], to: one}}}}}}
"""


def test_a_request_tells_what_its_options_cost_and_how_its_answer_may_stand() -> None:
    game = loads(TERMS)
    session = game.begin(
        "fight", state=game.state(ann={"is": "fighter"}, ben={"is": "fighter"}), dice="table", fighters=["ann", "ben"]
    )
    request = session.host.requests[0]
    assert request.until == ("turn", "round", "scene") and not request.reaction
    assert remaining_offer(request) == "strike (moves: 0 to 1, luck: 0 to 2), rest (free), or pass"
    assert request.to_data()["terms"] == {
        "strike": {
            "prices": {"moves": [0, 1], "luck": [0, 2]},
            "title": "Strike",
            "kinds": {"simple": {"moves": [1, 1], "luck": [0, 2]}, "full": {"luck": [0, 2]}},
            "settled": {"target": "ben"},
        },
        "rest": {"prices": {}, "title": "Rest", "free": True},
    }
    asked(session, "strike", 0, False)
    request = session.host.requests[0]
    assert (request.name, request.reaction) == ("dodge", True)
    assert request.terms["yes"].prices == {"luck": (1, 1), "coins": None}
    assert request.to_data()["reaction"] and request.to_data()["until"] == ["turn", "round", "scene"]
    asked(session, False)
    request = session.host.requests[0]
    assert request.name == "mix" and not request.reaction and "reaction" not in request.to_data()
    assert {option: dict(one.prices) for option, one in request.terms.items()} == {
        "2 luck": {"luck": (2, 2)},
        "1 luck and 1 coins": {"luck": (1, 1), "coins": (1, 1)},
        "2 coins": {"coins": (2, 2)},
    }
    saved = session.to_data()
    assert "until" not in saved["open"][0]  # so that a save of an older program is resumed
    assert game.resume(saved).host.requests == session.host.requests


@pytest.mark.parametrize(("told", "found"), [('"{so_far}: do you burn?"', []), ("Do you burn?", ["HR909"])])
def test_an_input_may_be_there_to_be_told(told: str, found: list[str]) -> None:
    text = THROWS.replace("TEXT", told).replace("mechanics:", "events:", 1).replace("call: burn", "cause: burn")
    text = text.replace("  toss:", "mechanics:\n  toss:")
    problems = pipeline.from_text(Source.of("tosses.yaml", text), pipeline.Finder(())).problems
    assert [one.code for one in problems if "so_far" in one.message] == found


def test_renaming_changes_the_values_in_a_question(tmp_path: Path) -> None:
    (tmp_path / "ring.yaml").write_text(RULES)
    layer = "ruleset: other\nextends: ring.yaml\nchanges:\n  kinds.fighter.has.wounds: {rename: harm, because: So.}\n"
    made = pipeline.from_text(Source.of("other.yaml", layer), pipeline.Finder((tmp_path,)))
    assert made.program is not None and not made.problems.errors
    assert made.program.actions["strike"].rule.inputs[0].ask.written.startswith("{actor} has {actor.harm} wounds.")


@pytest.mark.parametrize("text", ['"Do you burn?"', '"{face} makes {so_far + face}. Do you burn?"'])
def test_odds_do_not_pass_on_what_only_a_question_reads(text: str) -> None:
    odds = loads(THROWS.replace("TEXT", text)).odds("toss")
    assert odds.outcomes == {"high": Fraction(5, 36), "low": Fraction(31, 36)}


# Before an action is picked --------------------------------------------------------------------------------------


def test_a_menu_tells_the_inputs_that_nobody_is_asked_for(game: Game) -> None:
    two, three = begun(game, "ann", "ben"), begun(game)
    assert two.host.requests[0].meanings["strike"] == "Strike somebody: target ben"
    assert three.host.requests[0].meanings["strike"] == "Strike somebody"


def test_an_action_that_is_not_possible_has_its_reason(game: Game) -> None:
    state = begun(game).state
    reason = game.why_not(state, "cy", "strike")
    assert reason is not None and reason.message == "this is not possible: `awake` requires `not actor.tired`"
    assert game.why_not(state, "ann", "strike") is None


def test_who_cannot_act_is_told_for_whom_the_action_is() -> None:
    game = loads("""\
ruleset: fire
kinds: {miner: {has: {charges: {type: points, starts: 0}}}}
actions:
  blast: {actor: {type: miner, where: it.charges > 0, about: Whoever has a charge.}, steps: {loud: 1}}
  light: {actor: {type: miner, where: it.charges > 0}, steps: {loud: 1}}
""")
    state = game.state(ann={"is": "miner"})
    told = [game.why_not(state, "ann", name) for name in ("blast", "light")]
    assert [one.message for one in told if one] == [
        "`ann` cannot do `blast`, which is for whoever has a charge",
        "`ann` cannot do `light`: `it.charges > 0` does not hold",
    ]


def play(folder: Path, *typed: str, scene: str = SCENE) -> str:
    (folder / "ring.yaml").write_text(RULES)
    (folder / "scenes").mkdir(exist_ok=True)
    (folder / "scenes" / "bout.yaml").write_text(scene)
    words = ["play", str(folder / "ring.yaml"), "bout", "--seed", "1"]
    return CliRunner().invoke(group, words, input="\n".join(typed) + "\n").output


def test_an_answer_ahead_that_is_impossible_is_refused_before_anything_happens(tmp_path: Path) -> None:
    two = SCENE.replace("fighters: [ann, ben, cy]", "fighters: [ann, ben]").replace(", cy: {tired: yes}", "")
    said = play(tmp_path, "strike; ann", "strike; ben", scene=two)
    assert "`ann` cannot be chosen for “Strike somebody”\n = help: possible now: target: ben" in said
    assert said.index("cannot be chosen") < said.index("Strike somebody: ann, target ben")


def test_an_answer_ahead_for_the_next_action_is_left_alone(tmp_path: Path) -> None:
    assert "cannot be chosen" not in play(tmp_path, "strike; ben; pass; cy")


@pytest.mark.parametrize(
    ("typed", "dropped"),
    [
        (("strike; ben; 2; 9; pass", "0"), ["9; pass"]),  # the questions are over, and a number picks no action
        (("strike; ben; 2; pass", "0"), []),  # the second answers what a step of the action asks
        (("strike; ben; pass", ":undo"), ["pass"]),  # questions come again that were answered before
        (("strike; ben; pass", "0; 1"), ["pass", "1"]),  # others take their place
        (("strike; ann; pass",), []),  # the line is refused as a whole, which says enough
        (("strike; ben; pass",), ["pass"]),  # play is stopped
    ],
)
def test_answers_ahead_that_nothing_takes_are_told(tmp_path: Path, typed: tuple[str, ...], dropped: list[str]) -> None:
    said = play(tmp_path, *typed)
    assert re.findall("not used: (.*)", said) == dropped
    if dropped == ["9; pass"]:
        assert said.index("not used") < said.index("Dodge")  # at once, and not when the turn is over


def test_an_action_that_is_typed_and_not_possible_has_its_reason(tmp_path: Path) -> None:
    said = play(tmp_path, "pass", "pass", "strike")
    assert "cy, what now?" in said and "HR606 this is not possible: `awake` requires `not actor.tired`" in said


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (":foo", "there is no command `:foo`"),
        (":save", "`:save` needs the name of a file\n = help: write `:save FILE`"),
        (":load", "`:load` needs the name of a file"),
        ("0", "`0` is not a valid answer to “ann, what now?”"),
    ],
)
def test_what_nobody_understands_is_said(tmp_path: Path, typed: str, told: str) -> None:
    assert told in play(tmp_path, typed)


TO_20 = ", ".join(map(str, range(1, 21)))


@pytest.mark.parametrize(
    ("asked", "answer", "allowed"),
    [
        ("yes_no", "maybe", "`yes` or `no`"),
        ("text", 7, "any text, and this is not text"),
        ("number, from: 2, to: 5", 6, "2 to 5"),
        ("one, among: metal", "lead", "iron, tin, gold"),
        ("one, among: upto(20)", 26, TO_20),
        ("one, among: upto(21)", 26, f"{TO_20}, …"),
        ("some, among: metal, least: 1, most: 2", ["lead"], "1 to 2 of iron, tin, gold"),
        ("some, among: metal, least: 1, most: 2", [], "1 to 2 of iron, tin, gold"),
        ("some, among: metal, least: 3, most: 3", ["tin", "tin"], "3 to 3 of iron, tin, gold"),
        ("some, among: metal, least: 1, most: 2", ["iron", "tin", "tin"], "1 to 2 of iron, tin, gold"),
        ("some, among: metal, least: 1, most: 2", "lead", "1 to 2 of iron, tin, gold"),
        (
            "some, among: metal, least: 1, most: 2",
            ["tin", "tin"],
            "1 to 2 of iron, tin, gold, each at most as often as it is offered",
        ),
        (
            "some, among: metal, least: 1, most: 2",
            ["gold, tin"],
            "1 to 2 of iron, tin, gold; several are written as a list: `[gold, tin]`",
        ),
        ("some, among: metal, least: 1, most: 2", ["gold, lead"], "1 to 2 of iron, tin, gold"),
        ('some, among: "[1, 1, 2]", most: 2, together: sum(it) == 3', [1, 1], "[1, 2]"),
        (
            'some, among: "[1, 1, 2]", most: 2, together: sum(it) == 3',
            [2, 2],
            "[1, 2], each at most as often as it is offered",
        ),
        ("some, among: upto(20), most: 3, together: sum(it) > 9", [4], f"0 to 3 of {TO_20}, together `sum(it) > 9`"),
    ],
)
def test_a_refused_answer_is_told_what_is_allowed(asked: str, answer: Any, allowed: str) -> None:
    game = loads(
        "ruleset: purse\nnames: {metal: [iron, tin, gold]}\n"
        f"mechanics: {{main: {{steps: {{one: {{choose: {asked}}}, two: one}}}}}}\n"
    )
    with pytest.raises(PlayError) as refused:
        game.roll("main", policy=lambda choice: answer)
    assert refused.value.diagnostic.code == "HR620"
    assert refused.value.diagnostic.help == f"allowed: {allowed}"


def test_a_scene_is_found_by_its_name(tmp_path: Path) -> None:
    assert "ann, what now?" in play(tmp_path)
    missing = CliRunner().invoke(group, ["play", str(tmp_path / "ring.yaml"), "bowt"])
    assert missing.exit_code == 1 or "did you mean `bout`?" in str(missing.exception)


def test_undo_shows_the_turn_and_not_what_came_before(tmp_path: Path) -> None:
    said = play(tmp_path, "rest", "pass", "rest", ":undo")
    before, after = re.split("— undone: .* —", said)
    assert before.count("ann, what now?") == 2 and "ann, what now?" not in after and "ben, what now?" in after


def test_the_record_tells_what_a_reaction_costs_and_changes() -> None:
    changes = "cost: {wounds: 1}\n    steps: {less: {change: {harm: 1}}}"
    game = loads(RULES.replace("steps: {gone: {cancel: event}}", changes))
    state = game.state({"ann": {"is": "fighter"}, "ben": {"is": "fighter", "wounds": 2}})
    session = game.begin("fight", state=state, seed=1, fighters=["ann", "ben"])
    asked(session, "strike", 0, True)
    told = [line.text for line in record_lines(session.host.lines(), over=False)]
    assert "ben: Dodge? yes (wounds 2 → 1)" in told and "harm 2 → 1" in told, told


SHRINE = """\
ruleset: shrine
kinds: {monk: {has: {calm: {type: points, starts: 3}}}}
events:
  bell: {title: The bell rings, inputs: {who: {type: monk}}}
  bow:
    title: A bow
    inputs: {who: {type: monk}, to: {type: monk}, depth: {type: number}}
    steps:
      sure: {choose: yes_no, by: who, default: yes, ask: "Bow?"}
      less: {lose: depth, from: who.calm, if: sure}
actions:
  greet:
    title: Greet somebody
    actor: monk
    inputs: {whom: {type: monk, where: it is not actor, ask: "Whom?"}}
    steps: {bows: {cause: bow, with: {who: actor, to: whom, depth: 1}}}
mechanics:
  morning:
    inputs: {who: {type: monk}, whom: {type: monk}}
    steps:
      rings: {cause: bell, with: {who: who}}
      ready: {choose: yes_no, by: who, default: yes, ask: "Ready?"}
      greets: {act: greet, with: {actor: who, whom: whom}}
"""


def test_the_record_leaves_out_an_event_that_came_to_nothing_and_what_stands_above() -> None:
    game = loads(SHRINE)
    session = game.begin("morning", state=game.state(ann={"is": "monk"}, bo={"is": "monk"}), who="ann", whom="bo")

    def record(depth: int | None = None) -> list[str]:
        return [line.text for line in record_lines(session.host.lines(), session.over, depth)]

    assert session.host.requests[0].question == "Ready?" and record() == ["The bell rings: ann"]
    assert record(session.depth) == []
    session.host.answer(session.host.requests[0].id, True)
    assert session.host.requests[0].question == "Bow?" and record(session.depth)[-2:] == [
        "Greet somebody: ann, whom bo",
        "A bow: depth 1",
    ]
    session.host.answer(session.host.requests[0].id, True)
    assert session.depth is None and "ann: calm 3 → 2" in record()
    session = game.begin("bow", state=game.state(ann={"is": "monk", "calm": 0}), who="ann", to="ann", depth=1)
    session.host.answer(session.host.requests[0].id, True)
    assert "ann: calm stays 0 (excess 1)" in record()


@pytest.mark.parametrize(
    ("ask", "question"),
    [
        ("May {actor} climb?", "May ann climb?"),
        ("Is it allowed?", "Is it allowed? (ann: Climb)"),
        ("Is the annexe open?", "Is the annexe open? (ann: Climb)"),
    ],
)
def test_a_question_to_somebody_else_names_the_actor_once(ask: str, question: str) -> None:
    game = loads(f"""
ruleset: wall
roles: {{guard: Who keeps the wall.}}
kinds: {{cat: {{has: {{calm: {{type: number, default: 1}}}}}}}}
actions:
  climb:
    title: Climb
    actor: cat
    inputs: {{allowed: {{type: yes_no, by: guard, default: no, ask: "{ask}"}}}}
    steps: {{done: {{set: actor.calm, to: 2, if: allowed}}}}
""")
    session = game.begin("climb", state=game.state(ann={"is": "cat"}), actor="ann")
    assert session.host.requests[0].question == question


def test_a_list_in_a_question_reads_as_people_say_it() -> None:
    game = loads("""
ruleset: inn
roles: {guest: Who comes in.}
mechanics:
  enter:
    inputs: {guests: {list_of: number, default: []}}
    steps:
      enters: {choose: yes_no, by: guest, default: no, ask: "Enter, where {guests} are?"}
""")
    assert game.begin("enter", seed=1).host.requests[0].question == "Enter, where none are?"
    assert game.begin("enter", seed=1, guests=[1, 2]).host.requests[0].question == "Enter, where 1 and 2 are?"
    assert game.begin("enter", seed=1, guests=[3, 1, 2]).host.requests[0].question == "Enter, where 3, 1 and 2 are?"


@pytest.mark.parametrize(
    ("question", "asks"),
    [("You have 3. Pay 1?", "Pay 1?"), ("Pay 1? You have 3.", "Pay 1?"), ("You have 3. Say it.", "Say it.")],
)
def test_of_a_question_the_sentence_that_asks_names_a_standing_answer(question: str, asks: str) -> None:
    assert last_sentence(question) == asks


def test_a_requirement_is_told_in_the_words_of_its_author() -> None:
    game = loads("""
ruleset: gate
mechanics:
  enter:
    inputs: {allowed: {type: yes_no}}
    requires: {permission: {is: allowed, about: the guard does not allow it}}
    steps: {inside: 1}
""")
    with pytest.raises(PlayError) as refused:
        game.roll("enter", allowed=False)
    assert refused.value.diagnostic.message == "this is not possible: the guard does not allow it"


@pytest.mark.parametrize("read", [True, False])
def test_an_upgrade_says_what_no_costs_and_what_yes_brings(read: bool) -> None:
    rules = TERMS.replace("waives: [moves]}", "waives: [moves], counts_as: 2}")
    if read:
        rules = rules.replace("      fee: {pay", "      push: spent.moves\n      fee: {pay")
    game = loads(rules)
    state = game.state(ann={"is": "fighter"}, ben={"is": "fighter"})
    session = game.begin("fight", state=state, dice="table", fighters=["ann", "ben"])
    session.host.answer(session.host.requests[0].id, "strike")
    session.host.answer(session.host.requests[0].id, 1)
    assert {way: dict(one.prices) for way, one in session.host.requests[0].terms.items()} == {
        "no": {"moves": (1, 1), "luck": (1, 1)},
        "yes": {"moves": (0, 0), "luck": (1, 1)},
    }
    assert session.host.requests[0].question == "Strike (ben): do it as a full action?"
    assert (session.host.requests[0].name, session.host.requests[0].about) == (
        "upgraded",
        "No: it costs 1 of your moves and 1 of your luck. "
        f"Yes: it costs 1 of your luck{', counts as if you had spent 2 of your moves,' if read else ''} "
        "and is a full action.",
    )


@pytest.mark.parametrize(
    ("limit", "takes"),
    [
        ("{times: 1, per: turn}", "takes your only full action of the turn"),
        ("{times: 1 + 1, per: round}", "takes one of your 2 full actions of the round"),
    ],
)
def test_an_upgrade_says_what_it_uses_up(limit: str, takes: str) -> None:
    game = loads(TERMS.replace("full: {}", f"full: {{at_most: {limit}}}"))
    state = game.state(ann={"is": "fighter"}, ben={"is": "fighter"})
    session = game.begin("fight", state=state, dice="table", fighters=["ann", "ben"])
    session.host.answer(session.host.requests[0].id, "strike")
    session.host.answer(session.host.requests[0].id, 1)
    assert session.host.requests[0].about.endswith(f" and {takes}.")


def test_a_mix_of_points_is_told_with_spaces() -> None:
    game = loads(TERMS)
    session = game.begin("fight", state=game.state(ann={"is": "fighter"}), fighters=["ann"])
    mix = replace(
        session.host.requests[0], path="does.strike.paid.mix", options=("1 turn_tokens", "2 slots"), meanings={}
    )
    mix = replace(mix, default="1 turn_tokens", has_default=True)
    assert [line.split(maxsplit=1)[1] for line in options_of(mix)] == ["1 turn tokens", "2 slots"]
    assert hint_of_default(mix) == "1 turn tokens"
    assert option_meant(mix, "1 turn tokens") == option_meant(mix, "1 turn_tokens") == "1 turn_tokens"
