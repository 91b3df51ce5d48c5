"""The bundled rulesets with things that last: random play keeps what must hold, and refusals leave all as it was."""

from __future__ import annotations

import json
import random
import re
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import pytest
from lasting.fights import FILES, fought
from lasting.play import Move, at_random, ended, moves, same_again, within_bounds
from marks import thorough

import interpreter
from interpreter import bundled, ir
from interpreter.api.game import Game
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.play.trace_events import PointsLapsed, StepSkipped

NOT_REACHED = StepSkipped | PointsLapsed
"""Events that reach no construct."""

SCORES = {"cunning": 3, "spirit": 2, "resolve": 3, "essence": 4, "grace": 2, "power": 3, "endurance": 3}
GEAR = {"weapons": ["bow"], "ready": "bow", "charges": ["grenade", "cannon_shot"], "place": "raft"}
BAG = {"items": ["caltrops"], "place": "tower"}
THINGS: dict[str, dict[str, Any]] = {
    "2d20": {
        "group": {"members": ["ann", "bo"], "momentum": 4},
        "game_master": {"chaos": 5},
        "storm": {"is": "trait"},
        "rope": {"is": "trait", "does": "helps"},
        "ann": {"is": "character", "recover": 11, "aid": 12, "mana_most": 3, "traits": ["rope"], "stress": 4},
        "bo": {"is": "character", "aid": 9, "injuries": ["mental", "mental", "physical"], "state": "dying"},
        "cy": {"is": "character", "npc": True, "recover": 8, "injuries": ["physical"], "stress_length": 2},
        "bridge": {"is": "progress", "segments": 4},
        "flood": {"is": "danger", "segments": 4},
    },
    "blades": {
        "ada": {"is": "scoundrel", "ratings": {"hunt": 1, "wreck": 3}, "stress": 4, "moderate": 1},
        "bea": {"is": "scoundrel", "ratings": {"sway": 2, "prowl": 1}, "armour": 1, "lesser": 2, "moderate": 2},
        "cid": {"is": "scoundrel", "condition": "overcome", "severe": 1},
        "vault": {"is": "progress", "segments": 8},
        "watch": {"is": "progress", "segments": 12, "filled": 3},
        "ghost": {"is": "progress", "segments": 12, "filled": 2},
        "scene": {"crew": ["ada", "bea", "cid"], "goals": ["vault"], "dangers": ["watch", "ghost"]},
    },
    "d6": {
        "rhea": {"is": "hero", "character_points": 4, "fate_points": 3},
        "odo": {"is": "hero", "fate_uses": [{"code": "2D"}, {"purpose": "a leap"}]},
        "lock": {"is": "task", "difficulty": 12},
        "door": {"is": "task", "difficulty": 0},
    },
    "dnd5e": {
        "ada": {"is": "creature", "side": "heroes", "hit_points": 6, "potions": 3, "shield_arm": True},
        "bea": {
            "is": "creature",
            "side": "heroes",
            "hit_points": 0,
            "state": "dying",
            "saves_lost": 1,
            "shield_arm": True,
        },
        "cob": {"is": "creature", "side": "heroes", "hit_points": 0, "state": "dying", "saves_made": 2},
        "orc": {"is": "creature", "side": "foes", "damage": "2d8", "potions": 1, "hit_points": 4},
        "scene": {"creatures": ["ada", "bea", "cob", "orc"]},
    },
    "fiend-wake": {
        "blade": {"is": "weapon", "first_intention": 3, "ready_cost": 1},
        "ian": {"is": "combatant", **SCORES, "weapons": ["blade", "fists"], "armour": "flak_jacket", **BAG},
        "eve": {"is": "combatant", **SCORES, "endurance": {"level": 3, "handicapped": [1, 3]}, "unconscious": True},
        "kit": {"is": "combatant", **SCORES, "wounds_threshold": 2, "abilities": {"medicine": 2, "bows": 1}, **GEAR},
        "spikes": {"is": "place", "left_by": "caltrops", "turn_wounds": 2},
        "lil": {"is": "combatant", **SCORES, "place": "spikes", "charges": ["grenade"], "wounds_threshold": 9},
        "scene": {"fighters": ["ian", "eve", "kit", "lil"], "places": ["raft", "tower", "spikes"]},
    },
    "jadeclaw": {
        "lin": {
            "is": "character",
            "body": "d8 trait",
            "speed": "d10 trait",
            "will": "d8 trait",
            "race": "bear",
            "race_dice": "d6 trait",
            "career": "mercenary",
            "career_dice": "d4 trait",
            "levels": {"wrestling": 3, "resolve": 1},
            "weapon": "wrestling",
            "favored_in": ["wrestling"],
            "strikes_twice": True,
            "damage": "d10 & d6",
            "ground": 1,
        },
        "bo": {
            "is": "character",
            "mind": "d6 trait",
            "casting": "d10 & d8",
            "helped": 1,
            "conditions": ["reeling"],
            "hits": 2,
        },
        "fox": {"is": "character", "party": "outlaws", "levels": {"bow": 2}, "weapon": "bow", "ground": 2},
        "rat": {"is": "character", "party": "outlaws", "conditions": ["floored", "focused"], "hits": 3},
        "scene": {"fighters": ["lin", "bo", "fox", "rat"]},
    },
    "savage-worlds": {
        "ann": {"is": "fighter", "side": "heroes", "wild_card": True, "wounds": 1, "distracted_for": 1},
        "bea": {"is": "fighter", "side": "heroes", "wild_card": True, "fighting": "d10", "shaken": True},
        "boss": {"is": "fighter", "side": "villains", "wild_card": True, "damage": "2d10", "joker": True},
        "thug": {"is": "fighter", "side": "villains", "armor": 1, "shaken": True, "vulnerable_for": 2},
        "scene": {"fighters": ["ann", "bea", "boss", "thug"]},
    },
    "year-zero": {
        "ruth": {"is": "fighter", "side": "survivors", "plate": 3, "weapon": 2, "healing": 2, "move": 3},
        "cole": {"is": "fighter", "side": "survivors", "strength": 0, "gear": 0},
        "razor": {"is": "fighter", "side": "raiders", "most_strength": 6, "melee": 3, "bonus": 3, "move": 4},
        "grub": {"is": "fighter", "side": "raiders", "prone": True, "armor": 0},
        "scene": {"fighters": ["ruth", "cole", "razor", "grub"]},
    },
}
"""What there is in the beginning, by ruleset."""

ACTIVE = re.compile(r"^(events|actions):", re.MULTILINE)
"""What a ruleset has in which things change."""

SEEDS = range(12)
LENGTH = {name: 32 if name == "d6" else 22 for name in THINGS}
"""How many moves a play has; half of the rules of D6 call each other, so that their last steps come up rarely."""
FIGHTS = range(8)
RARE = {"events.siege_damage", "actions.first_aid", "events.wake", "mechanics.struggle"}
"""What random play hardly ever comes to: a charge that breaches a wall, aid for somebody unconscious who is near and
then wakes, and two random records that fit each other. Cases play them."""
PAYING = {"2d20", "d6", "fiend-wake"}
"""Rulesets in which rules take a price on their way, which may be too dear; elsewhere only actions have one, and what
somebody cannot pay is not possible."""
PLAYS = thorough([(name, seed) for name in THINGS for seed in SEEDS], lambda name, seed: seed >= 4, every=3)
NOT_NOW = {"HR604", "HR605", "HR606", "HR634", "HR651", "HR653", "HR654", "HR655", "HR656", "HR657"}
NOT_NOW |= {"HR680", "HR681", "HR682"}
"""What play may be refused with where every input is of its type: it is out of bounds, not allowed, too dear, or for a
scene, and none is under way."""


@cache
def game(name: str, seed: int = 0) -> Game:
    """A ruleset, for every other seed with words of its options chosen at random."""
    plain = interpreter.load(bundled.rulesets()[name]) if seed == 0 else game(name)
    chance = random.Random(seed)
    chosen: dict[str, Any] = {}
    for one in plain.program.options.values() if seed % 2 else ():
        match t.without_maybe(one.type):
            case t.Word(_, words):
                chosen[one.name] = chance.choice(words)
            case t.YesNo():
                chosen[one.name] = chance.random() < 0.5
    return plain.with_options(chosen) if chosen else plain


@cache
def play(name: str, seed: int) -> tuple[Move, ...]:
    """A random play: its moves, those that were refused among them."""
    here = game(name, seed)
    return tuple(moves(here, here.state(THINGS[name]), seed, LENGTH[name]))


def test_every_ruleset_with_things_that_last_is_played() -> None:
    lasting = {
        name
        for name, first in bundled.rulesets().items()
        if any(ACTIVE.search(part.read_text("utf-8")) for part in first.parent.glob("*.yaml"))
    }
    assert lasting == set(THINGS)


@pytest.mark.parametrize(("name", "seed"), PLAYS)
def test_points_stay_within_their_bounds_and_old_states_as_they_were(name: str, seed: int) -> None:
    here = game(name, seed)
    for move in play(name, seed):
        within_bounds(here, move.after)
        assert here.to_json(move.before) == move.told
        if move.result is not None:
            assert move.result.before is not None
            assert here.to_json(move.result.before) == move.told


@pytest.mark.parametrize(("name", "seed"), PLAYS)
def test_a_state_is_the_same_when_it_was_saved_and_loaded(name: str, seed: int) -> None:
    here = game(name, seed)
    for move in play(name, seed):
        told = here.to_json(move.after)
        again = here.state(told)
        assert again == move.after
        assert hash(again) == hash(move.after)
        assert here.to_json(again) == told


@pytest.mark.parametrize(("name", "seed"), PLAYS)
def test_playing_on_after_loading_is_playing_on(name: str, seed: int) -> None:
    here = game(name, seed)
    for move in play(name, seed):
        loaded = here.state(json.loads(move.told))
        if move.what in ("turn", "round", "scene", "game"):
            assert ended(here, loaded, move.what, move.given["who"], move.seed) == move.after
        elif move.result is not None:
            again = same_again(here, loaded, move)
            assert again.state == move.after
            assert (again.outcome, again.values) == (move.result.outcome, move.result.values)


@pytest.mark.parametrize(("name", "seed"), PLAYS)
def test_the_log_of_a_rule_gives_the_same_state(name: str, seed: int) -> None:
    here = game(name, seed)
    for move in play(name, seed):
        if move.result is not None:
            again = here.replay(move.result.to_json())
            assert again.state == move.after
            assert str(again.trace) == str(move.result.trace)


@pytest.mark.parametrize(("name", "seed"), PLAYS)
def test_what_is_refused_leaves_all_as_it_was_and_says_why(name: str, seed: int) -> None:
    here = game(name, seed)
    for move in play(name, seed):
        if move.refused is None:
            continue
        assert move.refused.diagnostic.code in NOT_NOW, move.refused
        assert here.to_json(move.before) == move.told
        with pytest.raises(PlayError) as again:  # nor does it work after loading, with the same dice and answers
            policy = at_random(random.Random(move.seed))
            here.roll(move.what, state=here.state(move.told), seed=move.seed, policy=policy, inputs=move.given)
        assert str(again.value) == str(move.refused)


@pytest.mark.parametrize("name", THINGS)
def test_what_is_no_value_is_refused_in_words(name: str) -> None:
    here = game(name)
    state = here.state(THINGS[name])
    told = here.to_json(state)
    somebody = next(iter(state.things))
    crooked = [-99, 10**30, True, "", "nobody", "none", "[", "d6 &", [], ["nobody"], {}, {"is": "nobody"}, somebody]
    rules = [*here.program.mechanics.values(), *here.program.events.values()]
    rules += [deed.rule for deed in here.program.actions.values()]
    refused = 0
    for rule in rules:
        for one in rule.inputs:
            for value in crooked:
                given = {"actor": somebody} if rule.path.startswith("actions.") else {}
                try:
                    here.roll(rule.path, state=state, seed=1, inputs={**given, one.name: value})
                except PlayError as error:
                    refused += 1
                    assert error.diagnostic.code[:3] in ("HR1", "HR2", "HR3", "HR4", "HR6"), error
                assert here.to_json(state) == told
    assert refused > 100


def _steps(node: Any) -> set[str]:
    """The paths of all steps in a piece of a program."""
    if isinstance(node, (tuple, list)):
        return {path for one in node for path in _steps(one)}
    if not is_dataclass(node) or isinstance(node, ir.Formula):
        return set()
    inside = {path for one in fields(node) for path in _steps(getattr(node, one.name))}
    return inside | ({node.path} if isinstance(node, ir.Step) else set())


@pytest.mark.parametrize("name", thorough(THINGS, lambda name: name == "fiend-wake"))
def test_random_play_reaches_every_rule(name: str) -> None:
    """The properties above would hold of a game in which nothing happens, too."""
    reached, refused, ended = set(), set(), set()
    for seed in range(2 * len(SEEDS)):  # the properties above need fewer plays than every step does
        for move in play(name, seed):
            if move.result is not None:
                events = [one for one in move.result.events if not isinstance(one, NOT_REACHED)]
                reached |= {getattr(one.node, "path", "") for one in events}
                reached.add(move.what)
            elif move.refused is not None:
                refused.add(move.refused.diagnostic.code)
            else:
                ended.add(move.what)
    for path in FILES:
        if path.parent.parent == bundled.rulesets()[name].parent:
            for event in (one for seed in FIGHTS for one in fought(path, seed).events):
                reached |= {getattr(event.node, "path", "")} if not isinstance(event, NOT_REACHED) else set()
    program = game(name).program
    rules = [f"mechanics.{one}" for one in program.mechanics]
    rules += [f"events.{one}" for one in program.events] + [f"actions.{one}" for one in program.actions]
    assert sorted(set(rules) - reached - RARE) == []
    hooks = [
        (one.when_full, one.when_hit_full, one.when_empty)
        for kind in program.kinds.values()
        for one in kind.has.values()
    ]
    deeds = [deed.rule for deed in program.actions.values()]
    all_rules = [*program.mechanics.values(), *program.events.values(), *deeds]
    steps = _steps([*[rule for rule in all_rules if rule.path not in RARE], *hooks])
    assert len(steps & reached) > 0.9 * len(steps), sorted(steps - reached)
    assert refused & {"HR604", "HR605", "HR606"}
    assert "HR651" in refused or name not in PAYING
    assert ended == {"turn", "round", "scene", "game"}
