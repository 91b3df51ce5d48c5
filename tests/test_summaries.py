"""What a record of play shows of things: summaries when a round or the scene ends, and no bookkeeping."""

from __future__ import annotations

import pytest

from interpreter import HOST, Game, RulesetError, ir, loads, pipeline
from interpreter.api.status import status_of
from interpreter.diagnostics.source import Source
from interpreter.ir import types as t
from interpreter.play import trace_events as ev
from interpreter.report.trace import Trace
from interpreter.report.transcript import record_lines
from interpreter.runtime.objects import AttributePlace
from interpreter.runtime.summaries import summary_in_words
from interpreter.values import Thing

RULES = """\
ruleset: camp
kinds:
  scout:
    summary: [hurt, tired, load, camp]
    has:
      hurt:   {type: points, to: 3}
      tired:  {type: yes_no, default: no, seen_by: owner}
      load:   {is: count(bag)}
      bag:    {list_of: number, default: [], bookkeeping: yes}
      camp:   {type: tent, optional: yes}
      steps_: {type: points, bookkeeping: yes, seen_by: everybody}
  tent:  {has: {name: {type: text, default: small}}}
scenes:
  day:
    inputs: {scouts: {list_of: scout, least: 1}}
    round:
      walk:
        steps:
          each_one:
            for: one
            among: scouts
            each:
              step:  {gain: 1, to: one.steps_}
              blister: {gain: 1, to: one.hurt, if: one.steps_ == 2}
              weary: {set: one.tired, to: one.steps_ == 2}
              packed: {add: 1, to: one.bag}
    outcomes: {over: scene.round == 2}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def record(game: Game, player: str | None) -> list[str]:
    things = {
        "ann": {"is": "scout", "camp": "red"},
        "bo": {"is": "scout"},
        "cy": {"is": "scout"},
        "red": {"is": "tent"},
    }
    players = {"anna": ["ann"], "ben": ["bo"]}
    session = game.begin("day", state=game.state(things), players=players, seed=1, scouts=["ann", "bo"])
    return [
        f"{line.name}: {line.text}" if line.name else line.text
        for line in record_lines(session.seat(player or HOST).lines())
    ]


def test_a_summary_leaves_out_what_can_hold_nothing() -> None:
    game = loads("""
ruleset: tower
kinds:
  guest:
    summary: [mana, hurt]
    has: {gift: {type: number, default: 0}, mana: {type: points, to: gift}, hurt: {type: track, length: 3}}
""")
    state = game.state(ann={"is": "guest"}, bo={"is": "guest", "gift": 2})
    assert status_of(game, state, "ann", None) == "hurt 0 of 3"
    assert status_of(game, state, "bo", None) == "mana 0 of 2, hurt 0 of 3"


def test_every_round_and_the_scene_end_with_a_summary_of_those_in_the_scene(game: Game) -> None:
    lines = record(game, None)
    first, second = lines.index("Round 1"), lines.index("Round 2")
    assert lines[first:second] == [
        "Round 1",
        "ann: hurt 0 of 3, load 1, camp red",
        "bo: hurt 0 of 3, load 1",
    ]
    assert "ann: hurt 1 of 3, tired, load 2, camp red" in lines[second:]
    assert not any(line.startswith(("cy", "red")) for line in lines)


def test_a_scene_begins_with_a_summary_before_its_first_round(game: Game) -> None:
    lines = record(game, None)
    assert lines[: lines.index("Round 1")] == [
        "Day: ann, bo",
        "ann: hurt 0 of 3, load 0, camp red",
        "bo: hurt 0 of 3, load 0",
    ]


def test_changes_of_bookkeeping_are_left_out(game: Game) -> None:
    lines = record(game, None)
    assert not any("steps_" in line or "bag" in line for line in lines)
    assert "ann: hurt 0 → 1 of 3" in lines


def test_a_summary_hides_what_a_player_may_not_see(game: Game) -> None:
    lines = record(game, "ben")
    assert "ann: hurt 1 of 3, load 2, camp red" in lines and "bo: hurt 1 of 3, tired, load 2" in lines


def test_a_summary_names_attributes() -> None:
    with pytest.raises(RulesetError) as refused:
        loads(RULES.replace("[hurt, tired, load, camp]", "[hurt, tierd]"))
    assert "`tierd`" in str(refused.value) and "tired" in str(refused.value)


def test_what_a_summary_shows_is_read() -> None:
    """`check` does not report that nothing reads it."""
    for text, unread in ((RULES, 0), (RULES.replace("hurt, tired", "tired"), 1)):
        loaded = pipeline.from_text(Source.of("camp.yaml", text))
        found = [one.message for one in loaded.problems if one.code == "HR908" and "`hurt`" in one.message]
        assert len(found) == unread


def test_a_question_about_an_input_is_a_sentence(game: Game) -> None:
    text = (
        RULES
        + """\
actions:
  rest:
    title: Rest in a tent
    actor: {type: scout}
    inputs:
      tent: {type: tent, about: Only one tent.}
      long:   {type: yes_no, about: "For the whole day?"}
      loud:   {type: yes_no, ask: "How loud?", about: Of snores.}
    steps: {none_left: {set: actor.camp, to: tent}}
"""
    )
    one = loads(text)
    tents = {"red": {"is": "tent"}, "blue": {"is": "tent"}}
    session = one.begin("actions.rest", state=one.state({"ann": {"is": "scout"}, **tents}), actor="ann", seed=1)
    asked = []
    while not session.over:
        asked.append((session.host.requests[0].question, session.host.requests[0].about))
        session.host.answer(session.host.requests[0].id, {"pick": 0} if session.host.requests[0].options else True)
    assert asked == [
        ("Rest in a tent: tent?", "Only one tent."),
        ("For the whole day?", ""),
        ("How loud?", "Of snores."),
    ]


def test_a_summary_has_parts_and_maps_as_far_as_they_are_seen() -> None:
    game = loads("""\
ruleset: parts
names: {skill: [climb, swim]}
kinds:
  arm: {part: yes, has: {hurt: {type: points, to: 2}, secret: {type: number, default: 4, seen_by: owner}}}
  hero:
    summary: [left, skills, hope]
    has:
      left:   {type: arm}
      skills: {type: number, per: skill, default: 1}
      hope:   {type: number, default: 2, seen_by: owner}
scenes:
  day:
    inputs: {heroes: {list_of: hero}}
    round: {walk: {steps: {one: 1}}}
    outcomes: {over: scene.round == 1}
""")
    state = game.state({"ann": {"is": "hero"}, "bo": {"is": "hero"}})
    session = game.begin("day", state=state, players={"anna": ["ann"], "ben": ["bo"]}, seed=1, heroes=["ann", "bo"])
    seen = {line.name: line.text for line in session.seat("ben").lines() if line.kind == "summary"}
    assert seen == {
        "ann": "left (hurt 0 of 2), skills (climb 1, swim 1)",
        "bo": "left (hurt 0 of 2, secret 4), skills (climb 1, swim 1), hope 2",
    }


ORDERED = """\
ruleset: queue
kinds:
  runner: {has: {speed: number, luck: {type: number, default: 0, seen_by: owner}}}
scenes:
  race:
    inputs: {runners: {list_of: runner, least: 1}}
    round:
      start:
        steps:
          grid:
            order: runners
            keys: {speed: {high: it.speed}, luck: {high: it.luck}, lots: random}
          numbers: {order: "[3, 1, 2]", keys: {low: {low: it}}}
    outcomes: {over: scene.round == 1}
"""


def test_the_record_tells_an_order_of_things_and_what_decided_it() -> None:
    game = loads(ORDERED)
    state = game.state(
        {
            "ann": {"is": "runner", "speed": 1},
            "bo": {"is": "runner", "speed": 3},
            "cy": {"is": "runner", "speed": 1},
            "di": {"is": "runner", "speed": 1, "luck": 2},
        }
    )
    result = game.roll("race", state=state, inputs={"runners": ["ann", "bo", "cy", "di"]}, faces=[2])
    order = "grid: bo, di, cy (by luck: 0 after 2), ann (by lots)"
    assert [line.text for line in record_lines(result.trace) if line.kind == "order"] == [order]
    assert [line.text for line in result.trace if line.name == "numbers"] == ["[1, 2, 3]"]


def test_a_player_is_not_told_that_a_hidden_value_decided() -> None:
    session = loads(ORDERED).begin(
        "race",
        state={name: {"is": "runner", "speed": 1, "luck": luck} for name, luck in {"ann": 1, "bo": 2}.items()},
        inputs={"runners": ["ann", "bo"]},
        players={"one": ["ann"], "two": ["bo"]},
    )
    assert any("grid" in str(line) for line in session.host.lines())
    assert not any("luck" in str(line) for line in session.seat("one").lines())


BLOWS = """\
ruleset: camp
kinds:
  scout: {has: {hurt: {type: points, to: 9}, mail: {type: number, default: 2}, luck: {type: number, default: 0}}}
events:
  blow:
    inputs: {target: {type: scout}, amount: {type: number, from: 0}}
    steps:
      suffered:
        start: amount
        then:
          lucky: {is: suffered - target.luck, if: target.luck > 0}
          mail:  {is: "max(suffered - target.mail, 0)"}
      marked: {gain: suffered, to: target.hurt}
scenes:
  night:
    inputs: {scouts: {list_of: scout}}
    round:
      blows:
        steps:
          twice:
            for: one
            among: scouts
            each:
              hard: {cause: blow, with: {target: one, amount: 5}}
              soft: {cause: blow, with: {target: one, amount: 1}}
          awake: {choose: yes_no, by: "item(scouts, 1)", default: no, ask: "Do you wake up?"}
    outcomes: {over: scene.round == 1}
"""


def test_what_takes_something_off_a_number_of_an_event_is_told() -> None:
    game = loads(BLOWS)
    state = game.state({"ann": {"is": "scout"}, "bo": {"is": "scout", "mail": 0}, "cy": {"is": "scout", "luck": 1}})
    session = game.begin("night", state=state, players={"anna": ["ann"]}, scouts=["ann", "bo", "cy"])
    told = [
        line.text for line in record_lines(session.seat("anna").lines(), over=False) if line.kind in ("stages", "move")
    ]
    assert told == [
        "suffered 5 → 3 (mail)", "ann: hurt 0 → 3 of 9", "suffered 1 → 0 (mail)", "bo: hurt 0 → 5 of 9",
        "bo: hurt 5 → 6 of 9", "suffered 5 → 2 (lucky, mail)", "cy: hurt 0 → 2 of 9", "suffered 1 → 0 (lucky)",
    ]  # fmt: skip


def test_the_same_line_of_a_record_is_told_as_often_as_it_happens() -> None:
    game = loads(BLOWS.replace("amount: 1}", "amount: 5}").replace("among: scouts", "among: upto(2)").replace(
        "target: one", 'target: "item(scouts, 1)"').replace("to: target.hurt", "to: target.luck"))  # fmt: skip
    session = game.begin("night", state=game.state({"ann": {"is": "scout"}}), players={"anna": ["ann"]}, scouts=["ann"])
    since = [line.strip() for line in session.seat("anna").requests[0].since]
    assert len([line for line in since if line.startswith("Blow")]) == 4


LISTS = """\
ruleset: lists
kinds: {scout: {has: {burnt: {list_of: number}, marked_by: {list_of: text}, hand: {list_of: text}}}}
"""
STEP = ir.Step("x", ir.CancelEvent(), t.NUMBER, "events.e.steps.x")


def place(thing: str, name: str) -> AttributePlace:
    return AttributePlace(Thing(thing, thing if thing == "scene" else "scout"), name)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (ev.ElementAdded(0, STEP, place("ann.essence", "burnt"), 3, None), "ann: 3 added to burnt essence"),
        (ev.ElementAdded(0, STEP, place("ann", "marked_by"), "wet", "round"),
         "ann: wet added to marked by until the round ends"),
        (ev.PutIntoPile(0, STEP, place("bo", "hand"), ("ace", "two")), "bo: [ace, two] put into hand"),
        (ev.PileDrawn(0, STEP, place("scene", "deck"), ("ace",), 3), "[ace] drawn from scene.deck, 3 left"),
        (ev.ThingMade(0, STEP, Thing("ann", "scout"), {"hp": 3}), "ann created: hp 3"),
    ],
)  # fmt: skip
def test_a_change_of_a_list_begins_with_whose_it_is(event: ev.Event, told: str) -> None:
    assert [one.text for one in record_lines(Trace([event], loads(LISTS).closures))] == [told]


def test_several_in_a_summary_are_told_in_words() -> None:
    assert (
        summary_in_words({"by": ("ann", "bo"), "one": ("cy",), "all": ("a", "b", "c")})
        == "by ann and bo, one cy, all a, b and c"
    )
