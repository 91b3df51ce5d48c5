"""Scenes: rounds of phases, turns, questions put to several at once, order, piles, and how all of it ends."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from marks import thorough

import interpreter
from interpreter import pipeline
from interpreter.api import exact_odds, scene_file
from interpreter.api.game import Game
from interpreter.api.result import Result
from interpreter.cli import group
from interpreter.diagnostics import HouseruleError, PlayError
from interpreter.diagnostics.source import Source
from interpreter.ir.printer import listing
from interpreter.odds import scenes
from interpreter.odds.brute_force import Effort, enumerate_paths
from interpreter.odds.scenes import MOST_WAYS
from interpreter.play.requests import Choice
from interpreter.play.run import Run
from interpreter.play.trace_events import ChoiceMade, PhaseBegun, StepDone
from interpreter.report.explain import explain_name
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.state import STATE
from interpreter.syntax.document import from_python

CAMP = """
ruleset: camp
kinds:
  scout:
    has:
      food:  {type: points, to: 9, starts: 3}
      moves: {type: points, to: 2, starts: 2, lasts: turn}
      watch: {type: points, to: 1, starts: 1, lasts: round}
      songs: {type: points, to: 5, starts: 5, lasts: scene}
      seen:  {type: number, default: 0}
actions:
  walk:
    actor: {type: scout}
    cost: {moves: 1}
    steps: {so: actor.food}
events:
  scene_begins:
    steps: {begun: {set: scene.told, to: scene.told + 1}}
  round_begins:
    steps: {counted: {set: scene.nights, to: scene.round}}
  round_ends:
    steps:
      rest:
        for: one
        among: scene.scouts
        each: {kept: {set: one.seen, to: "one.seen * 10 + one.watch"}}
  turn_ends:
    inputs: {who: {type: scout}}
    steps: {left: {set: who.seen, to: "who.seen * 10 + who.moves"}}
  hungry:
    inputs: {who: {type: scout}}
    steps: {eats: {lose: 1, from: who.food}}
scenes:
  camp:
    inputs:
      scouts: {list_of: scout, least: 1}
      nights_wanted: {type: number, from: 1, default: 2}
    requires: {somebody_eats: any(scouts where it.food > 0)}
    has:
      told:   {type: number, default: 0}
      nights: {type: number, default: 0}
      awake:  {is: scouts where it.food > 0}
    steps:
      fire: {roll: d6}
      sung:
        for: one
        among: scouts
        each: {song: {lose: 1, from: one.songs}}
    round:
      evening:
        steps:
          turns:
            for: one
            among: scouts
            each:
              own: {turn: one, steps: {does: {offer: [walk], to: one, most: 1}}}
          watch:
            for: one
            among: scouts
            each: {stands: {lose: 1, from: one.watch}}
          later: {cause: hungry, with: {who: "item(scouts, 1)"}, later: round}
      morning:
        title: The next morning
        steps:
          leave: {choose: yes_no, by: scouts, default: no}
          gone:  {end: left, if: all(leave)}
    guard: nights_wanted
    outcomes:
      hunger: count(scene.awake) < count(scouts)
      left:
        about: They all went.
        steps: {found: {gain: 1, to: "item(scouts, 1).food"}}
"""


@pytest.fixture(scope="module")
def camp() -> Game:
    return interpreter.loads(CAMP)


def camped(camp: Game, **given: Any) -> Result:
    state = camp.state(ann={"is": "scout", **given.pop("ann", {})}, bo={"is": "scout", "food": 9})
    return camp.play(
        "camp", state=state, faces=[4], inputs={"scouts": ["ann", "bo"], **given.pop("inputs", {})}, **given
    )


def test_rounds_go_on_until_the_guard_and_that_is_said(camp: Game) -> None:
    result = camped(camp)
    assert (result.outcome, result.values["rounds"]) == (None, 2)
    assert "stopped after 2 rounds, without an outcome" in str(result.trace)


def test_boundaries_are_told_before_anything_lapses(camp: Game) -> None:
    """Each turn leaves 1 of 2 moves for ann, who walks, and 2 for bo; at the end of a round the watch is 0."""
    result = camped(camp, choices={"does": {"ann": ["walk", "walk"]}})
    look = lambda text: camp.look(result.state, text)  # noqa: E731
    assert (look("ann.seen"), look("bo.seen")) == (1010, 2020)
    assert (look("ann.moves"), look("ann.watch"), look("ann.songs")) == (2, 1, 5)


def test_what_is_put_off_happens_before_the_round_is_over(camp: Game) -> None:
    assert camp.look(camped(camp).state, "ann.food") == 1


TIDES = """
ruleset: tides
kinds:
  boat:
    has:
      oars: {type: points, to: 2, starts: 2, lasts: turn}
      rope: {type: points, to: 5, starts: 5, lasts: round}
      sail: {type: points, to: 5, starts: 5, lasts: scene}
      log:  {type: number, default: 0}
  harbour:
    one: yes
    has: {boats: {list_of: boat, default: []}}
events:
  turn_ends:
    inputs: {who: {type: boat}}
    steps: {kept: {set: who.log, to: "who.log * 10 + who.oars"}}
  round_ends:
    steps:
      tide: {roll: d6}
      each_one:
        for: one
        among: harbour.boats
        each:
          slips: {choose: yes_no, by: one, default: no}
          kept:  {set: one.log, to: "one.log * 10 + tide + (1 if slips else 0)", if: one.rope < 5}
  scene_ends:
    steps: {each_one: {for: one, among: harbour.boats, each: {kept: {set: one.log, to: "one.log * 10 + one.sail"}}}}
  game_ends:
    steps: {each_one: {for: one, among: harbour.boats, each: {kept: {set: one.log, to: "-one.log"}}}}
  bell:
    steps: {rings: {for: one, among: harbour.boats, each: {wear: {lose: 1, from: one.sail}}}}
actions:
  row:
    actor: boat
    cost: {oars: 1, rope: 1}
    steps: {bell: {cause: bell, later: round}}
scenes:
  regatta:
    inputs: {crews: {list_of: boat}}
    round:
      rowing:
        steps:
          each_one: {for: one, among: crews, each: {own: {turn: one, steps: {does: {act: row, with: {actor: one}}}}}}
    outcomes: {home: any(crews where it.sail < 3)}
"""


@pytest.fixture(scope="module")
def tides() -> Game:
    return interpreter.loads(TIDES)


def moored(tides: Game, **more: Any) -> Any:
    return tides.state(ann={"is": "boat"}, bo={"is": "boat"}, harbour={"boats": ["ann", "bo"]}, **more)


def logs(tides: Game, state: Any) -> tuple[int, int]:
    return tides.look(state, "ann.log"), tides.look(state, "bo.log")


def test_turns_and_rounds_end_alike_in_a_scene_and_by_hand(tides: Game) -> None:
    """A round ends with the die and the answers of `round_ends`, before the bell that was put off until then."""
    slips = {"slips": {"bo": [True]}}
    played = tides.play("regatta", rounds=1, state=moored(tides), faces=[4], choices=slips, crews=["ann", "bo"])
    state = moored(tides)
    for who in ("ann", "bo"):
        state = tides.ends(tides.act(state, "row", actor=who).state, "turn", who)
    by_hand, trace = tides.ending(state, "round", faces=[4], choices=slips)
    assert logs(tides, by_hand) == logs(tides, played.state) == (14, 15)
    assert tides.look(by_hand, "[ann.sail, ann.rope, ann.oars]") == (3, 5, 2)
    assert [line.name for line in trace if line.kind == "cause"] == ["round_ends", "bell", "bell"]


def test_a_span_that_ends_after_a_rule_asks_for_dice_and_answers_with_it(tides: Game) -> None:
    result = tides.roll(
        "row", state=moored(tides), actor="ann", ends="round", faces=[3], choices={"slips": {"ann": [True]}}
    )
    assert logs(tides, result.state) == (4, 0)
    assert tides.replay(result.to_json()).state == result.state
    scene = tides.play("regatta", rounds=1, state=moored(tides), faces=[4], crews=["ann"], ends="game")
    assert logs(tides, scene.state) == (-14, 0)


def test_scenes_and_the_game_end_with_their_own_event_alone(tides: Game) -> None:
    state = moored(tides)
    ended = tides.ends(state, "scene")
    assert logs(tides, ended) == (5, 5)
    assert logs(tides, tides.ends(ended, "game")) == (-5, -5)


def test_the_turn_of_nobody_named_is_the_turn_of_everybody(tides: Game) -> None:
    state = tides.act(moored(tides), "row", actor="bo").state
    assert logs(tides, tides.ends(state, "turn")) == (2, 1)
    assert logs(tides, tides.ends(state, "turn", "bo")) == (0, 1)
    assert logs(tides, tides.ends(state, "turn", "harbour")) == (0, 0)


def test_without_scenes_too_the_events_of_the_language_take_only_their_own_inputs() -> None:
    with pytest.raises(HouseruleError) as error:
        interpreter.loads(
            "ruleset: r\nkinds: {boat: {has: {oars: {type: points}}}}\nevents: {game_ends: {inputs: {who: boat}}}"
        )
    assert [one.code for one in error.value.diagnostics] == ["HR581"]


def test_the_command_ends_a_round_as_a_scene_does(tides: Game, tmp_path: Path) -> None:
    for name, text in (("tides.yaml", TIDES), ("now.yaml", "ann: {is: boat, rope: 4}\nharbour: {boats: [ann]}\n")):
        (tmp_path / name).write_text(text, "utf-8")
    files = [str(tmp_path / name) for name in ("tides.yaml", "now.yaml")]
    said = CliRunner().invoke(group, ["act", *files, "--ends", "round", "--faces", "6", "--no-input"])
    assert said.exit_code == 0 and "ann.log 0 → 6" in said.output
    said = CliRunner().invoke(group, ["act", *files, "row", "actor=ann", "--ends", "turn", "--no-input"])
    assert said.exit_code == 0 and "ann.log 0 → 1" in said.output


def test_an_outcome_ends_it_after_the_phase_in_which_it_holds(camp: Game) -> None:
    result = camped(camp, ann={"food": 1}, inputs={"nights_wanted": 9})
    assert (result.outcome, result.values["rounds"]) == ("hunger", 2)  # hungry when the first round ends
    phases = [event.node.name for event in result.events if isinstance(event, PhaseBegun)]
    assert phases == ["evening", "morning", "evening"]


def test_steps_end_it_at_once_and_the_outcome_has_the_last_word(camp: Game) -> None:
    result = camped(camp, choices={"leave": {"ann": [True], "bo": [True]}})
    assert (result.outcome, result.values["rounds"]) == ("left", 1)
    assert camp.look(result.state, "ann.food") == 3  # one more, and hungry when the round ends with the scene
    assert camp.look(result.state, "ann.watch") == 1  # the round has ended with the scene


def test_a_scene_that_is_over_is_gone_and_one_that_was_stopped_is_under_way(camp: Game) -> None:
    with pytest.raises(PlayError) as none:
        camp.look(camped(camp).state, "scene.nights")
    assert none.value.diagnostic.code == "HR680"
    result = camped(camp, rounds=1)
    assert camp.look(result.state, "scene.nights * 10 + scene.told") == 11
    assert camp.state(camp.to_json(result.state)) == result.state


def test_a_scene_goes_on_from_the_round_in_which_it_was_stopped(camp: Game) -> None:
    before = camped(camp, rounds=1).state
    more = camp.play("camp", state=before, rounds=2, faces=[4], scouts=["ann", "bo"])
    assert camp.look(more.state, "scene.round") == 2


def test_one_phase_alone(camp: Game) -> None:
    result = camped(camp, phase="morning")
    assert result.values["leave"] == {camp.look(result.state, "ann"): False, camp.look(result.state, "bo"): False}
    assert result.values["rounds"] == 1
    with pytest.raises(PlayError) as unknown:
        camped(camp, phase="noon")
    assert "morning" in str(unknown.value)


def test_what_a_scene_requires_must_hold(camp: Game) -> None:
    state = camp.state(ann={"is": "scout", "food": 0})
    with pytest.raises(PlayError) as refused:
        camp.play("camp", state=state, faces=[4], scouts=["ann"])
    assert "somebody_eats" in str(refused.value)


def test_a_replay_is_the_same(camp: Game) -> None:
    for given in ({}, {"rounds": 1}, {"phase": "morning"}, {"choices": {"leave": {"ann": [True], "bo": [True]}}}):
        result = camped(camp, **given)
        again = camp.replay(result.to_json())
        assert (again.state, str(again.trace)) == (result.state, str(result.trace))


def test_those_who_are_asked_at_once_do_not_see_what_others_say(camp: Game) -> None:
    seen: list[tuple[str | None, tuple[str | None, ...]]] = []

    def ask(choice: Choice) -> Any:
        if choice.name == "leave":
            seen.append((choice.by, tuple(one.by for one in choice.at_once)))
        return None

    result = camped(camp, phase="morning", ask=ask)
    assert seen == [("ann", ("ann", "bo")), ("bo", ("ann", "bo"))]
    assert list(map(type, result.events[-4:-1])) == [ChoiceMade, ChoiceMade, StepDone]


def test_an_answer_for_somebody_who_is_not_asked_is_refused(camp: Game) -> None:
    with pytest.raises(PlayError) as refused:
        camped(camp, choices={"leave": {"ann": [False, False], "cy": False}})
    assert "leave.cy" in str(refused.value)


def test_simulating_a_scene_counts_what_it_comes_to_and_what_is_left(camp: Game) -> None:
    state = camp.state(ann={"is": "scout", "food": 2})
    found = camp.simulate(
        "scenes.camp", state=state, runs=50, seed=1, policy="random", of=["outcome", "rounds", "ann.food"],
        inputs={"scouts": ["ann"], "nights_wanted": 5},
    )  # fmt: skip
    plain = [camp.play("camp", state=state, seed=1, policy=None, inputs={"scouts": ["ann"], "nights_wanted": 5})]
    assert plain[0].outcome == "hunger"
    assert sum(found.outcomes.values()) + found.missing == 1
    assert set(found.of("outcome")) <= {"hunger", "left"}
    assert set(found.of("ann.food")) <= {0, 1, 2, 3}
    again = camp.simulate(
        "scenes.camp", state=state, runs=50, seed=1, policy="random", of=["outcome", "rounds", "ann.food"],
        inputs={"scouts": ["ann"], "nights_wanted": 5},
    )  # fmt: skip
    assert again.counts("outcome", "rounds", "ann.food") == found.counts("outcome", "rounds", "ann.food")
    with pytest.raises(PlayError):
        camp.simulate("scenes.camp", state=state, runs=5, of=["ann.fod"], inputs={"scouts": ["ann"]})


DUEL = """
ruleset: duel
kinds:
  fencer: {has: {hits: {type: points, to: 3, starts: 2}, edge: {type: number, default: 0}}}
scenes:
  duel:
    inputs: {one: {type: fencer}, other: {type: fencer}}
    has: {bouts: {type: number, default: 0}}
    steps: {luck: {roll: d3}}
    round:
      bout:
        steps:
          mine:   {roll: d4}
          theirs: {roll: d4}
          bold:   {choose: yes_no, by: one, default: no}
          harm:   {lose: 2 if bold else 1, from: other.hits, if: mine + one.edge > theirs}
          hurt:   {lose: 1, from: one.hits, if: "theirs > mine + one.edge or (bold and mine < luck)"}
    guard: 4
    outcomes: {won: other.hits == 0, lost: one.hits == 0}
""".replace("2 if bold else 1", "2 if bold else 1").replace("mine is_low luck", "mine < luck")


def enumerated(game: Game, policy: Any, names: list[str], **given: Any) -> dict[Any, Fraction]:
    """The slow truth: every way from beginning to end."""
    state = game.state(ann={"is": "fencer"}, bo={"is": "fencer", "hits": 3})
    made: list[dict[str, Any]] = []

    def start() -> tuple[Any, Run]:
        values = {"one": state.thing("ann"), "other": state.thing("bo")}
        made.append({**new_frame(), STATE: state, **values})
        run = Run()
        return game.walk("scenes.duel")(made[-1], run), run

    law: dict[Any, Fraction] = {}
    for weight, record in enumerate_paths(start, lambda choice: policy, Effort(ways=1_000_000, throws=60)):
        end = made[-1][STATE]
        key = tuple(game.look(end, name) if "." in name else record[name] for name in names)
        law[key] = law.get(key, Fraction(0)) + weight
    return law


@pytest.mark.parametrize("bold", thorough([False, True], lambda bold: not bold))
def test_odds_of_a_scene_are_those_of_plain_enumeration(bold: bool) -> None:
    game = interpreter.loads(DUEL.replace("guard: 4", "guard: 2"))
    state = game.state(ann={"is": "fencer"}, bo={"is": "fencer", "hits": 3})
    names = ["outcome", "rounds", "ann.hits", "bo.hits"]
    odds = game.odds("scenes.duel", state=state, one="ann", other="bo", choices={"bold": bold})
    every = enumerated(game, bold, names)
    assert odds.joint(*names) == {key: chance for key, chance in every.items() if key[0] is not None}
    assert odds.missing_of(*names) == sum(chance for key, chance in every.items() if key[0] is None) > 0
    assert odds.joint(*names[1:]) == enumerated(game, bold, names[1:])


def test_odds_of_a_scene_and_its_simulation_agree() -> None:
    game = interpreter.loads(DUEL)
    state = game.state(ann={"is": "fencer", "edge": 1}, bo={"is": "fencer", "hits": 3})
    odds = game.odds("scenes.duel", state=state, one="ann", other="bo", policy="random")
    assert sum(odds.outcomes.values()) == 1 - odds.missing < 1  # what its guard has stopped has none
    runs = game.simulate("scenes.duel", state=state, one="ann", other="bo", policy="random", runs=3000, seed=2)
    for outcome, share in runs.outcomes.items():
        assert abs(float(share) - float(odds.outcomes[outcome])) < 4 * share.error + 1e-9
    assert abs(float(runs.missing) - float(odds.missing)) < 4 * runs.missing_of("outcome").error


def test_what_a_run_leaves_open_is_missing_of_that_name_alone() -> None:
    game = interpreter.loads(DUEL.replace("guard: 4", "guard: 2"))
    state = game.state(ann={"is": "fencer"}, bo={"is": "fencer", "hits": 3})
    names = ["outcome", "rounds", "bo.hits"]
    runs = game.simulate("scenes.duel", state=state, one="ann", other="bo", runs=400, seed=2, of=names)
    assert runs.missing_of("outcome") == runs.missing_of("outcome", "rounds") > 0
    assert runs.missing_of("rounds") == runs.missing_of("bo.hits") == runs.missing_of("rounds", "bo.hits") == 0
    alone = game.simulate("scenes.duel", state=state, one="ann", other="bo", runs=400, seed=2, of=["bo.hits"])
    assert runs.counts("bo.hits") == alone.counts("bo.hits")


def test_of_a_scene_it_is_told_how_many_ways_were_followed() -> None:
    game = interpreter.loads(DUEL.replace("guard: 4", "guard: 2"))
    state = game.state(ann={"is": "fencer"}, bo={"is": "fencer", "hits": 3})
    told: list[tuple[int, int]] = []
    odds = game.odds("scenes.duel", state=state, one="ann", other="bo", progress=lambda *so_far: told.append(so_far))
    assert not told and odds.missing_of("rounds") == 0  # only now is it worked out
    assert [way for way, _ in told] == list(range(1, len(told) + 1)) and told
    assert all(way <= most <= MOST_WAYS for way, most in told)

    def stop(ways: int, of: int) -> None:
        if ways == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match=r"stopped after 5 of at most [\d,]+ ways"):
        game.odds("scenes.duel", state=state, one="ann", other="bo", progress=stop).law("outcome")


@pytest.mark.parametrize(("bound", "few"), [("MOST_WAYS", 7), ("MOST_STEPS", 100)])
def test_a_scene_is_followed_so_far_and_no_farther(bound: str, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.loads(DUEL.replace("guard: 4", "guard: 2"))
    state = game.state(ann={"is": "fencer"}, bo={"is": "fencer", "hits": 3})
    monkeypatch.setattr(scenes, bound, few)
    monkeypatch.setattr(exact_odds, "dice_may_outlast_phase", lambda *_: True)  # phases are enumerated
    with pytest.raises(PlayError, match=r"HR814 this scene has not ended after [1-9]\d? paths through its phases"):
        game.odds("scenes.duel", state=state, one="ann", other="bo").law("outcome")


def test_nobody_looks_for_the_best_of_all_answers_in_a_scene() -> None:
    game = interpreter.loads(DUEL)
    state = game.state(ann={"is": "fencer"}, bo={"is": "fencer"})
    with pytest.raises(PlayError) as refused:
        game.odds("scenes.duel", state=state, one="ann", other="bo", best="won")
    assert refused.value.diagnostic.code == "HR815"


def test_the_last_words_of_a_scene_may_throw_as_much_as_a_rule() -> None:
    text = """
ruleset: late
kinds: {one: {has: {x: {type: number, default: 0}}}}
scenes:
  march:
    inputs: {ones: {list_of: one}}
    round: {all_day: {steps: {thrown: {repeat: 40, each: {some: {roll: 200d6}}}}}}
    outcomes: {done: {if: scene.round > 0, steps: {thrown_too: {repeat: 40, each: {some: {roll: 200d6}}}}}}
"""
    game = interpreter.loads(text)
    assert len(game.play("march", state=game.state(ann={"is": "one"}), seed=1, ones=["ann"]).faces) == 16_000


def test_a_long_scene_may_throw_more_than_one_rule_may() -> None:
    text = """
ruleset: long
kinds: {one: {has: {x: {type: number, default: 0}}}}
scenes:
  march:
    inputs: {ones: {list_of: one}}
    round: {steps_taken: {steps: {thrown: {roll: 200d6}}}}
    guard: 60
    outcomes: {never: count(ones) > 99}
"""
    game = interpreter.loads(text)
    result = game.play("march", state=game.state(ann={"is": "one"}), seed=1, ones=["ann"])
    assert (result.values["rounds"], len(result.faces)) == (60, 12_000)


# Order -----------------------------------------------------------------------------------------------------------

RACE = """
ruleset: race
ladders: {form: [tired, fresh]}
kinds:
  runner:
    has:
      speed: {type: number, default: 1}
      form:  {type: form, default: fresh}
      late:  {type: yes_no, default: no}
mechanics:
  start:
    inputs: {runners: {list_of: runner}}
    steps:
      turns:
        order: runners
        keys:
          speed: {high: it.speed}
          form:  {high: it.form}
          late:  {low: it.late}
          lots:  random
  stay:
    inputs: {runners: {list_of: runner}}
    steps: {turns: {order: runners, keys: {speed: {low: it.speed}}}}
"""


def runners(game: Game, *written: dict[str, Any]) -> tuple[Any, list[str]]:
    names = ["ann", "bo", "cy", "di"][: len(written)]
    return game.state({name: {"is": "runner", **one} for name, one in zip(names, written, strict=True)}), names


def ordered(game: Game, rule: str, faces: list[int], *written: dict[str, Any]) -> list[str]:
    state, names = runners(game, *written)
    return [one.id for one in game.roll(rule, state=state, faces=faces, runners=names).values["turns"]]


def test_the_first_key_that_differs_decides() -> None:
    game = interpreter.loads(RACE)
    assert ordered(game, "start", [], {"speed": 1}, {"speed": 3}, {"speed": 2}) == ["bo", "cy", "ann"]
    assert ordered(game, "start", [], {"form": "tired"}, {"form": "fresh"}) == ["bo", "ann"]
    assert ordered(game, "start", [], {"late": True}, {"late": False}) == ["bo", "ann"]


def test_lots_are_drawn_among_those_who_are_level() -> None:
    game = interpreter.loads(RACE)
    assert ordered(game, "start", [3, 1], {}, {"speed": 2}, {}, {}) == ["bo", "di", "ann", "cy"]
    orders = {tuple(ordered(game, "start", [a, b], {}, {}, {})) for a in (1, 2, 3) for b in (1, 2)}
    assert len(orders) == 6  # each order comes of one way, so all are as likely


def test_without_lots_those_who_are_level_stay_as_they_were() -> None:
    assert ordered(interpreter.loads(RACE), "stay", [], {"speed": 2}, {}, {}, {"speed": 0}) == ["di", "bo", "cy", "ann"]


def test_odds_of_an_order_with_lots() -> None:
    game = interpreter.loads(RACE)
    state, names = runners(game, {}, {}, {"speed": 0})
    law = game.odds("start", state=state, runners=names).of("turns")
    assert {str(order): float(chance) for order, chance in law.items()} == {"[ann, bo, cy]": 0.5, "[bo, ann, cy]": 0.5}


# Piles -----------------------------------------------------------------------------------------------------------

PILES = """
ruleset: piles
ladders: {card: [two, three, ace]}
kinds:
  table:
    one: yes
    has:
      deck: {list_of: card, default: "[two, three, ace, ace]"}
      out:  {list_of: card, default: []}
mechanics:
  deal:
    inputs: {many: number}
    steps:
      came: {draw: many, from: table.deck, refill: table.out}
      gone: {put: came, into: table.out}
      aces: count(came where it is ace)
  play:
    inputs: {card: {type: card}}
    steps:
      shown: {take: card, from: table.deck}
  flood:
    steps:
      more: {repeat: 30, each: {again: {put: table.deck, into: table.deck}}}
"""


def test_a_draw_is_asked_for_by_what_is_left() -> None:
    game = interpreter.loads(PILES)
    result = game.roll("deal", many=2, faces=["ace", "two"])
    assert result.values["came"] == ("ace", "two")
    assert game.look(result.state, "table.deck") == ("three", "ace")
    with pytest.raises(PlayError):
        game.roll("deal", many=2, faces=["two", "two"])


REFILLED = """
ruleset: refill
kinds:
  table:
    one: yes
    has:
      deck: {list_of: number, most: 3, default: "[FULL]"}
      bin:  {list_of: number, default: "[BIN]"}
mechanics:
  m: {steps: {d: {draw: TAKEN, from: table.deck, refill: table.bin}, n: count(d)}}
scenes:
  s:
    has: {drawn: {type: yes_no, default: no}}
    round: {go: {steps: {d: {draw: TAKEN, from: table.deck, refill: table.bin}, e: {set: scene.drawn, to: yes}}}}
    outcomes: {done: scene.drawn}
"""


@pytest.mark.parametrize(("full", "back", "taken"), [*product((0, 2), (2, 3, 4, 6), (1, 2, 3))])
def test_what_a_refill_leaves_may_not_exceed_the_limit_of_the_pile(full: int, back: int, taken: int) -> None:
    """A pile of at most 3 that is filled again from more is refused if more than 3 are left, however it is asked."""
    text = REFILLED.replace("FULL", ", ".join("1" * full)).replace("BIN", ", ".join("2" * back))
    text = text.replace("TAKEN", str(taken))
    game = interpreter.loads(text)
    left = full + back - taken if taken > full else full - taken
    asked: list[Callable[[], Any]] = [
        lambda: game.roll("m", seed=1),
        lambda: game.odds("m").law("n"),
        lambda: game.simulate("m", runs=5, seed=1, of=["n"]),
        lambda: game.odds("s", state=game.state()).law("rounds"),
        lambda: game.simulate("s", runs=5, seed=1, of=["rounds"], state=game.state()),
    ]
    for ask in asked:
        if left <= 3:
            ask()
            continue
        with pytest.raises(PlayError, match=f"HR604.*`deck` must have at most 3 elements, not {left}"):
            ask()


def test_an_empty_pile_is_refilled_and_then_gives_what_there_is() -> None:
    game = interpreter.loads(PILES)
    state = game.state(table={"deck": ["two"], "out": ["ace"]})
    result = game.roll("deal", state=state, many=3, faces=["two", "ace"])
    assert result.values["came"] == ("two", "ace")


def test_odds_draw_without_replacement() -> None:
    game = interpreter.loads(PILES)
    law = game.odds("deal", many=2).of("aces")
    assert {value: (chance.numerator, chance.denominator) for value, chance in law.items()} == {
        0: (1, 6), 1: (2, 3), 2: (1, 6),
    }  # fmt: skip


def test_only_what_is_in_a_pile_is_taken_out_of_it() -> None:
    game = interpreter.loads(PILES)
    state = game.state(table={"deck": ["two"]})
    with pytest.raises(PlayError) as refused:
        game.roll("play", state=state, card="ace")
    assert refused.value.diagnostic.code == "HR681"


def test_a_pile_that_grows_without_end_is_stopped() -> None:
    with pytest.raises(PlayError) as refused:
        interpreter.loads(PILES).roll("flood")
    assert refused.value.diagnostic.code == "HR631"


# Numbers for several ---------------------------------------------------------------------------------------------

SHARES = """
ruleset: shares
kinds:
  hand: {has: {coins: {type: points, to: 9, starts: 0}}}
mechanics:
  share:
    inputs: {giver: {type: hand}, others: {list_of: hand}, purse: {type: number, default: 3}}
    steps:
      split: {choose: number, by: giver, among: others, from: 0, to: 2, budget: purse, default: 0}
      whole: sum(split)
"""


def shared(choices: dict[str, Any], **given: Any) -> Result:
    game = interpreter.loads(SHARES)
    state = game.state({name: {"is": "hand"} for name in ("ann", "bo", "cy", "di")})
    return game.roll("share", state=state, giver="ann", others=["bo", "cy", "di"], choices=choices, **given)


def test_a_budget_is_what_all_numbers_come_to_at_most() -> None:
    result = shared({"split": {"bo": 2, "cy": 1}})
    assert {thing.id: number for thing, number in result.values["split"].items()} == {"bo": 2, "cy": 1, "di": 0}
    assert result.values["whole"] == 3
    with pytest.raises(PlayError) as refused:
        shared({"split": {"bo": 2, "cy": 2}})
    assert "0 to 1" in str(refused.value)


def test_what_is_settled_is_not_asked() -> None:
    assert shared({"split": {"bo": 2, "cy": 1, "di": 0}}).values["whole"] == 3  # nothing is left for di
    with pytest.raises(PlayError, match=r"`split\.di` was not asked: it could only be 0"):
        shared({"split": {"bo": 2, "cy": 1, "di": 1}})


# Told in sentences -----------------------------------------------------------------------------------------------


def test_a_scene_is_explained_and_listed() -> None:
    loaded = pipeline.from_text(Source.of("camp.yaml", CAMP))
    assert loaded.program is not None and loaded.merged is not None
    told = "\n".join(explain_name(loaded.program, loaded.merged, "camp"))
    for text in (
        "Before the first round:",
        "The next morning (`morning`)",
        "each of scouts chooses yes or no.",
        "  left, when a step ends the scene with it.",
        "After nights_wanted rounds it ends without an outcome.",
        "`awake`: always scouts where it.food > 0.",
    ):
        assert text in told
    listed = listing(loaded.program)
    assert "scene camp" in listed and "  phase morning" in listed and "  outcome left: by a step" in listed


# What newcomers stumbled over ------------------------------------------------------------------------------------

POOR = """
ruleset: poor
kinds:
  fencer: {has: {grit: {type: points, to: 3, starts: 0}, hits: {type: points, to: 3, starts: 3}}}
events:
  blow:
    inputs: {who: {type: fencer}, hard: {type: number, from: 0, default: 1}}
    steps: {hurt: {lose: hard, from: who.hits}}
reactions:
  dodge:
    before: blow
    actor: {type: fencer, among: "[event.who]"}
    inputs: {far: {type: number, from: 0, to: 3, default: 1}}
    cost: {grit: 1}
    steps: {softer: {change: {hard: 0}}}
"""


def test_nobody_is_asked_for_a_reaction_that_cannot_be_paid() -> None:
    game = interpreter.loads(POOR)
    asked: list[str] = []
    state = game.state(ann={"is": "fencer"}, bo={"is": "fencer", "grit": 1})
    for who in ("ann", "bo"):
        game.cause(state, "blow", who=who, ask=lambda choice: asked.append(f"{choice.by} {choice.name}"))
    assert asked == ["bo dodge"]


def test_a_scene_ends_with_what_it_declares() -> None:
    crooked = pipeline.from_text(Source.of("camp.yaml", CAMP.replace("end: left", "end: lift")))
    told = [(one.code, one.message) for one in crooked.problems.errors]
    assert ("HR303", "there is no outcome `lift`") in told


SCENE_FILE = """
state: night
of: camp
things:
  scout: {ann: , bo: {food: 9}}
scene: camp
given: {scouts: [ann, bo]}
players: {anna: [ann]}
"""


def test_a_scene_file_says_what_there_is(camp: Game) -> None:
    file = scene_file.from_text(Source.of("night.yaml", SCENE_FILE))
    state = scene_file.state_of(camp, file)
    assert camp.look(state, "ann.food + bo.food") == 12
    with pytest.raises(PlayError) as unknown:
        scene_file.state_of(
            camp, scene_file.from_text(Source.of("night.yaml", SCENE_FILE.replace("scene: camp", "scene: cmp")))
        )
    assert unknown.value.diagnostic.help == "did you mean `camp`?"
    with pytest.raises(PlayError) as twice:
        scene_file.state_of(
            camp, scene_file.from_text(Source.of("night.yaml", SCENE_FILE.replace("[ann]}", "[ann], ben: [ann]}")))
        )
    assert twice.value.diagnostic.code == "HR665"


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("given: {scouts: [ann, bo]}", "given: {}", "7:1: HR603 `camp` needs `scouts`: it has no default"),
        ("given: {scouts: [ann, bo]}\n", "", "6:1: HR603 `camp` needs `scouts`: it has no default"),
        ("things:", "with: [quiet-night]\nthings:", "4:8: HR643 there is no ruleset `quiet-night`"),
        ("things:", "with: [quiet-night.yaml]\nthings:", "4:8: HR564 there is no file `quiet-night.yaml` here"),
        ("of: camp", "of: cmp", "3:5: HR643 there is no ruleset `cmp`"),
    ],
)
def test_what_a_scene_file_lacks_is_shown_where_it_should_stand(
    camp: Game, tmp_path: Path, was: str, now: str, said: str
) -> None:
    (tmp_path / "camp.yaml").write_text(CAMP, "utf-8")
    file = scene_file.from_text(Source.of("night.yaml", SCENE_FILE.replace(was, now)), tmp_path)
    with pytest.raises(HouseruleError) as problem:
        scene_file.inputs_of(scene_file.game_of(file), file)
    assert str(problem.value).startswith(f"night.yaml:{said}")


def test_what_a_scene_is_given_may_come_from_elsewhere(camp: Game) -> None:
    bare = SCENE_FILE.replace("given: {scouts: [ann, bo]}\n", "")
    file = scene_file.from_text(Source.of("night.yaml", bare))
    more = {"scouts": from_python(["ann", "bo"], "scouts")}
    assert list(scene_file.inputs_of(camp, file, more)) == ["scouts"]
    assert not scene_file.inputs_of(camp, file, later=["scouts"])
    under_way = scene_file.from_text(
        Source.of("n.yaml", bare.replace("things:", "things:\n  camp: {scene: {scouts: [ann]}}"))
    )
    assert not scene_file.inputs_of(camp, under_way)
    assert camp.play("camp", state=scene_file.state_of(camp, under_way), rounds=1, faces=[4]).values["rounds"] == 1


def test_what_is_known_of_a_scene_may_be_said_in_part(camp: Game) -> None:
    state = camp.state(ann={"is": "scout"}, bo={"is": "scout", "food": 9}, scene={"nights": 5})
    result = camp.play("camp", state=state, phase="morning", faces=[4], scouts=["ann", "bo"])
    assert camp.look(result.state, "scene.nights") == 1  # as `round_begins` counts them


OFTEN = """\
ruleset: often
kinds: {walker: {has: {steps_: {type: number, default: 0}}}}
actions:
  walk:
    actor: {type: walker}
    inputs: {far: {type: number, from: 1, to: 3, default: 2}}
    at_most: {times: far, per: turn}
    steps: {goes: {set: actor.steps_, to: actor.steps_ + 1}}
scenes:
  way:
    inputs: {who: walker}
    round: {on: {steps: {own: {turn: who, steps: {goes: {offer: [walk], to: who, most: 4}}}}}}
    guard: 1
    outcomes: {far: who.steps_ > 2}
policies: {keen: {goes: walk, far: 3}}
"""


def test_how_often_something_is_done_may_hang_on_how() -> None:
    game = interpreter.loads(OFTEN)
    given: dict[str, Any] = {"state": game.state(ann={"is": "walker"}), "policy": "keen", "inputs": {"who": "ann"}}
    once = game.act(given["state"], "walk", actor="ann", far=1).state
    assert game.look(once, "ann.steps_") == 1
    with pytest.raises(PlayError, match="HR654"):
        game.act(once, "walk", actor="ann", far=1)
    assert game.look(game.play("way", **given).state, "ann.steps_") == 3
    for law in (game.odds("scenes.way", **given).law, game.simulate("scenes.way", runs=3, seed=1, **given).law):
        assert law("outcome").weights == {("far",): 1}


EARLY = """\
ruleset: early
scenes:
  brawl:
    has: {left: {type: number, default: 0}}
    steps:
      die: {roll: d6}
      talk: {steps: {fled: {end: rout, if: die < 3}}}
      second: {roll: d6}
    round:
      blows: {steps: {over: {end: rout, if: second > 3}}}
    guard: 1
    outcomes:
      rout: {steps: {told: {set: scene.left, to: "second otherwise 9"}, noted: {cause: note, with: {left: scene.left}}}}
events:
  note:
    inputs: {left: number}
    steps: {kept: {set: table.left, to: left}}
kinds: {table: {one: yes, has: {left: {type: number, default: 0}}}}
"""


def test_what_a_scene_that_ended_early_did_not_do_is_missing_to_its_outcome() -> None:
    game = interpreter.loads(EARLY)
    early, late = game.play("brawl", faces=[2]), game.play("brawl", faces=[3, 5])
    assert (early.outcome, early.values["second"], game.look(early.state, "table.left")) == ("rout", None, 9)
    assert (late.outcome, game.look(late.state, "table.left")) == ("rout", 5)
    law = game.odds("scenes.brawl").law("table.left").weights
    assert law == {(9,): Fraction(1, 3), **{(n,): Fraction(1, 9) for n in (4, 5, 6)}, (0,): Fraction(1, 3)}
    counted = game.simulate("scenes.brawl", runs=600, seed=1, of=["table.left"]).law("table.left").weights
    assert counted.keys() == law.keys()


SHOVES = """ruleset: shoves
kinds:
  guard:
    has:
      nerve: {type: points, to: 3, starts: 2}
      foe: {type: guard, optional: yes}
actions:
  wait: {actor: guard, steps: {more: {gain: 1, to: actor.nerve}}}
  shove:
    actor: guard
    inputs: {target: {type: guard, where: it is not actor and it.nerve < 1, default: actor.foe otherwise actor}}
    steps: {hurt: {lose: 1, from: actor.nerve}}
scenes:
  yard:
    inputs: {one: {type: guard}}
    round: {turn: {steps: {does: {offer: [shove, wait], to: one, most: 1}}}}
    guard: 1
    outcomes: {hurt: one.nerve < 2, unhurt: scene.round >= 1}
policies:
  shoving: {does: "[shove]"}
"""


def test_a_default_that_is_no_candidate_makes_no_action_possible() -> None:
    game = interpreter.loads(SHOVES)
    ready = game.state({"ann": {"is": "guard"}, "bo": {"is": "guard", "nerve": 0}})
    brave = game.state({"ann": {"is": "guard"}, "bo": {"is": "guard"}})
    assert [one.action for one in game.possible(brave, "ann")] == ["wait"]
    assert [one.action for one in game.possible(ready, "ann")] == ["wait", "shove"]
    for state, offered in ((brave, ("wait", "pass")), (ready, ("wait", "shove", "pass"))):
        session = game.begin("yard", state=state, one="ann", players={"anna": ["ann"]}, seed=1)
        assert session.host.requests[0].options == offered
    session.host.answer(session.host.requests[0].id, "shove")  # bo is the only one
    assert session.over and session.host.look("ann.nerve") == 1


def test_simulation_offers_the_same_with_a_default_that_is_no_candidate() -> None:
    game = interpreter.loads(SHOVES)
    for nerve, ends in ((2, "unhurt"), (0, "hurt")):
        state = game.state({"ann": {"is": "guard"}, "bo": {"is": "guard", "nerve": nerve}})
        played = game.simulate("yard", state=state, one="ann", runs=4, seed=1, policy="shoving", of=["outcome"])
        assert set(played.counts("outcome")) == {(ends,)}
