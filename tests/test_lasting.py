"""Things that last: random play over every word of it keeps what must hold, and refusals leave everything as it was."""

from __future__ import annotations

import itertools
import json
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from lasting.play import at_random, in_turn, within_bounds

import interpreter
from interpreter import bundled, pipeline
from interpreter.api.game import Game
from interpreter.api.result import Result
from interpreter.diagnostics import PlayError
from interpreter.play.available_actions import PASS, OfferedActions, PossibleActions
from interpreter.play.trace_events import PointsLapsed, StepSkipped
from interpreter.runtime.state import Holdings, State
from interpreter.testing.cases import Trial, cases_of
from interpreter.values import Thing

DUEL = Path(__file__).parent / "lasting" / "duel.yaml"
SEEDS = range(40)


@pytest.fixture(scope="module")
def duel() -> Game:
    return interpreter.load(DUEL)


def beginning(game: Game) -> State:
    fighter: dict[str, Any] = {"is": "fighter", "grace": 3, "wit": 2}
    return game.state(
        ann=fighter,
        bo={**fighter, "side": "blue", "bag": ["dagger"], "held": "dagger", "threshold": 1},
        cy={**fighter, "grace": {"level": 4, "marked": [4]}, "skills": {"blades": 3}},
        table={"fighters": ["ann", "bo", "cy"]},
    )


def turns(game: Game, seed: int, length: int = 25) -> Iterator[tuple[State, Result]]:
    """So many random actions that are possible, with the state before each."""
    chance = random.Random(seed)
    state = beginning(game)
    for _ in range(length):
        if chance.random() < 0.3:
            who = chance.choice(["ann", "bo", "cy"])
            span = chance.choice(["turn", "turn", "round", "scene"])
            answers = at_random(chance)
            state = game.ends(
                state, span, who if span == "turn" else None, seed=chance.randrange(1 << 30), policy=answers
            )
        who = chance.choice(["ann", "bo", "cy"])
        open_ = game.possible(state, who)
        if not open_:
            continue
        action = chance.choice(open_)
        given = {}
        for name, options in action.inputs.items():
            if options and (chance.random() < 0.8):
                given[name] = chance.choice(list(options))
        try:
            result = game.act(
                state, action.action, actor=who, seed=chance.randrange(1 << 30), policy=at_random(chance), inputs=given
            )
        except PlayError as refused:
            # What is listed may be done for each input by itself; together they may still be refused.
            assert refused.diagnostic.code in ("HR605", "HR606", "HR651", "HR654", "HR656"), refused
            continue
        yield state, result
        assert result.state is not None
        state = result.state


@pytest.mark.parametrize("seed", SEEDS)
def test_points_stay_within_their_bounds_and_old_states_as_they_were(duel: Game, seed: int) -> None:
    for before, result in turns(duel, seed):
        told = duel.to_json(before)
        assert result.state is not None and result.before is not None
        within_bounds(duel, result.state)
        assert duel.to_json(before) == told
        assert duel.to_json(result.before) == told


@pytest.mark.parametrize("seed", SEEDS)
def test_a_state_is_the_same_when_it_was_saved_and_loaded(duel: Game, seed: int) -> None:
    for _, result in turns(duel, seed, 12):
        assert result.state is not None
        again = duel.state(duel.to_json(result.state))
        assert again == result.state
        assert hash(again) == hash(result.state)
        assert duel.to_json(again) == duel.to_json(result.state)


@pytest.mark.thorough
def test_states_and_results_are_what_their_schemas_say(duel: Game) -> None:
    schemas = {
        name: json.loads((bundled.schemas() / f"{name}.json").read_text("utf-8")) for name in ("state", "result")
    }
    of_state, of_result = (Draft202012Validator(schemas[name]) for name in ("state", "result"))
    seen = set()
    for seed in range(12):
        for _, result in turns(duel, seed):
            assert result.state is not None
            data = json.loads(duel.to_json(result.state))
            of_state.validate(data)
            told = json.loads(result.to_json())
            of_result.validate(told)
            of_state.validate(told["before"])
            assert told["after"] == data
            seen |= {key for key in ("marks", "timers", "pending") if data[key]}
    assert seen == {"marks", "timers", "pending"}


@pytest.mark.parametrize("seed", SEEDS)
def test_playing_on_after_loading_is_playing_on(duel: Game, seed: int) -> None:
    for before, result in turns(duel, seed, 12):
        loaded = duel.state(json.loads(duel.to_json(before)))
        given = {name: value for name, value in result.inputs.items() if value is not None}
        answers = [answer for _, answer in result.choices]
        again = duel.roll(
            f"actions.{result.mechanic}",
            state=loaded,
            faces=result.faces,
            policy=in_turn(answers),
            inputs=given,
        )
        assert again.state == result.state
        assert again.values == result.values


@pytest.mark.parametrize("seed", SEEDS)
def test_the_log_of_an_action_gives_the_same_state(duel: Game, seed: int) -> None:
    for _, result in turns(duel, seed, 8):
        again = duel.replay(result.to_json())
        assert again.state == result.state
        assert str(again.trace) == str(result.trace)


def test_random_play_reaches_every_action_reaction_and_hook(duel: Game) -> None:
    """The properties above would hold of a game in which nothing happens, too."""
    reached: set[str] = set()
    for seed in SEEDS:
        for _, result in turns(duel, seed):
            events = [one for one in result.events if not isinstance(one, StepSkipped | PointsLapsed)]
            reached |= {getattr(one.node, "path", "") for one in events}
    rules = {*duel.program.actions, *duel.program.events, *duel.program.reactions} - {"bang"}  # it goes off later
    assert {path.split(".")[1] for path in reached if path.count(".") == 1} >= rules
    for hook in ("wounds.when_full.hurt", "hurts.when_full.down_", "hurts.when_hit_full.more", "noise.when_full.hush"):
        assert any(path.endswith(hook) for path in reached), hook


@pytest.mark.parametrize("seed", range(12))
def test_what_is_possible_can_be_done_and_nothing_else(duel: Game, seed: int) -> None:
    for state, _ in turns(duel, seed, 10):
        for who in ("ann", "bo", "cy"):
            listed = {one.action: one for one in duel.possible(state, who)}
            for name, deed in duel.program.actions.items():
                one = listed.get(name)
                for given in _combinations(duel, deed, one):
                    done = _done(duel, state, name, who, given)
                    inside = one is not None and all(given[key] in (one.inputs[key] or ()) for key in given)
                    assert inside or not done, (who, name, given)
                if one is not None:
                    assert any(_done(duel, state, name, who, given) for given in _combinations(duel, deed, one))
                    assert all(one.costs[cost.name] is not None for cost in deed.costs)


@pytest.mark.parametrize("seed", range(12))
def test_an_offer_has_just_what_is_possible(duel: Game, seed: int) -> None:
    """It tries one way where that is enough, and tries what is asked for alone."""
    offered = OfferedActions.of(duel.walker, list(duel.program.actions))
    for state, _ in turns(duel, seed, 10):
        for who in ("ann", "bo", "cy"):
            listed = (*[one.action for one in duel.possible(state, who)], PASS)
            open_ = PossibleActions(offered, state, state.thing(who))
            assert [name for name in (*offered.plans, PASS) if name in open_] == list(listed)
            assert (*open_,) == listed and len(open_) == len(listed) and open_.any == (len(listed) > 1)


def _combinations(game: Game, deed: Any, one: Any) -> list[dict[str, Any]]:
    """Every way to fill in the inputs of an action, allowed or not."""
    domains: list[list[Any]] = []
    for declared in deed.rule.inputs:
        if declared.name == "target":
            domains.append(["ann", "bo", "cy"])
        elif declared.name == "skill":
            domains.append(["blades", "tricks"])
        elif declared.name == "upgraded":
            domains.append([False, True])
        else:
            domains.append(list(range(-1, 6)))
    names = [declared.name for declared in deed.rule.inputs]
    combos = [dict(zip(names, values, strict=True)) for values in itertools.product(*domains)]
    things = {"ann", "bo", "cy"}
    return [{k: Thing(v, "fighter") if v in things else v for k, v in combo.items()} for combo in combos]


def _done(game: Game, state: State, action: str, who: str, given: dict[str, Any]) -> bool:
    try:
        game.act(state, action, actor=who, seed=1, policy=at_random(random.Random(1)), inputs=given)
    except PlayError:
        return False
    return True


@pytest.mark.parametrize("path", sorted(DUEL.parent.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_cases_beside_hold(path: Path) -> None:
    loaded = pipeline.from_path(path)
    assert loaded.program is not None and loaded.world is not None and not loaded.problems.errors
    trial = Trial(Game(loaded.program, loaded.world))
    assert [str(one) for case in cases_of(loaded.world.cases) for one in trial.run(case).failures] == []


def test_a_state_takes_no_hash_to_another_process() -> None:
    """Words have another hash there, so that equal states would differ."""
    state = State({"ann": Holdings("hero", {"hp": 1})})
    hash(state)
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again._hash is None and hash(again) == hash(state) == again._hash
