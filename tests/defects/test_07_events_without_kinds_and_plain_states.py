"""A ruleset with events and no kinds works in every command, and plain data stands for a state wherever one is taken;
what cannot be a state is refused in words."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction as F
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import interpreter
from interpreter import Game, PlayError, pipeline
from interpreter.api.exact_odds import paths_of
from interpreter.cli import main
from interpreter.diagnostics.source import Source
from interpreter.play.deciders import Answers
from interpreter.testing.cases import Trial, cases_of

HEAD = "ruleset: bare\nroles: {who: Who decides.}\n"
BODIES = {
    "caused": "steps: {blow: {cause: hit, with: {n: 3}}}, outcomes: {hi: blow.total > 5, lo: otherwise}",
    "in a repeat": "steps: {blows: {repeat: 2, each: {blow: {cause: hit, with: {n: nth}}}}},"
    " outcomes: {hi: last(blows).blow.total > 5, lo: otherwise}",
    "for each": "steps: {blows: {for: one, among: '[1, 3]', each: {blow: {cause: hit, with: {n: one}}}}},"
    " outcomes: {hi: 'any(blows where it.blow.total > 5)', lo: otherwise}",
    "if": "steps: {die: {roll: d4}, blow: {cause: hit, with: {n: die}, if: die > 2}},"
    " outcomes: {hi: '(blow.total otherwise 0) > 5', lo: otherwise}",
    "in an event": "steps: {blow: {cause: twice, with: {n: 2}}}, outcomes: {hi: blow.again.total > 5, lo: otherwise}",
    "called": "steps: {inner: {call: plain}}, outcomes: {hi: inner.blow.total > 5, lo: otherwise}",
}
EVENTS = """
events:
  hit:
    inputs: {n: number}
    steps:
      rolled: {roll: d6}
      total: rolled + n
  twice:
    inputs: {n: number}
    steps:
      once: {cause: hit, with: {n: n}}
      again: {cause: hit, with: {n: once.total - n}}
"""
PLAIN = "  plain: {steps: {blow: {cause: hit, with: {n: 1}}}}\n"


def bare(body: str) -> str:
    return f"{HEAD}mechanics:\n  m: {{{body}}}\n{PLAIN}{EVENTS}"


@pytest.mark.parametrize("name", BODIES)
def test_events_without_kinds(name: str) -> None:
    game = interpreter.loads(bare(BODIES[name]))
    ways = paths_of(game, "m", {}, lambda: Answers({}, lambda choice, answer: answer))
    law: dict[str, F] = {}
    for weight, record in ways:
        law[record["outcome"]] = law.get(record["outcome"], F(0)) + weight
    odds = game.odds("m")
    assert {word: chance for word, chance in odds.outcomes.items() if chance} == law
    assert game.roll("m", seed=1).outcome in law
    result = game.roll("m", seed=2)
    assert game.replay(result.to_json()).outcome == result.outcome
    runs = game.simulate("m", runs=400, seed=1)
    assert abs(float(runs.outcomes["hi"]) - float(law.get("hi", F(0)))) < 0.12
    assert game.odds("events.hit", n=2).mean("total") == F(11, 2)
    assert game.cause({}, "hit", n=1, faces=[3]).values["total"] == 4
    assert game.simulate("events.hit", runs=50, seed=1, of=["total"], n=2).missing_of("total") == 0


def test_cases_and_commands_without_kinds(tmp_path: Path) -> None:
    text = (
        bare(BODIES["caused"])
        + """
cases:
  - {name: a, mechanic: m, faces: [3], expect: {outcome: hi}}
  - {name: b, mechanic: m, odds: {hi: 2/3}}
  - {name: c, event: hit, given: {n: 2}, faces: [3], expect: {total: 5, happened: yes}}
  - {name: d, event: hit, given: {n: 2}, mean: {total: 11/2}}
"""
    )
    loaded = pipeline.from_text(Source.of("bare.yaml", text))
    assert loaded.program and loaded.world and not loaded.problems.errors
    trial = Trial(Game(loaded.program, loaded.world))
    assert [trial.run(case).failures for case in cases_of(loaded.world.cases)] == [()] * 4
    (tmp_path / "bare.yaml").write_text(text, "utf-8")
    name = str(tmp_path / "bare.yaml")
    for words in (
        ["check", name], ["test", name], ["roll", name, "m", "--seed", "1"], ["odds", name, "m"],
        ["simulate", name, "m", "--runs", "50", "--seed", "1"], ["odds", name, "hit", "n=2"],
        ["simulate", name, "hit", "n=2", "--runs", "50", "--seed", "1"],
        ["compare", name, "m", "--policy-b", "random"], ["explain", name, "m"], ["show", name],
    ):  # fmt: skip
        with patch("sys.argv", ["houserule", *words]), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            try:
                main()
                code: Any = 0
            except SystemExit as end:
                code = end.code
        assert not code, words


HEROES = """
ruleset: heroes
kinds: {hero: {has: {luck: {type: points, from: 0, to: 6, starts: 3}}}}
mechanics:
  lucky:
    inputs: {who: {type: hero}}
    steps: {die: {roll: d6}}
    outcomes: {yes_it_is: die <= who.luck, no_it_is_not: otherwise}
events:
  fortune:
    inputs: {who: {type: hero}}
    steps: {die: {roll: d3}, more: {gain: die, to: who.luck}}
actions:
  try_it: {actor: {type: hero}, steps: {die: {roll: d6}, worse: {lose: 1, from: actor.luck}}}
scenes:
  game:
    inputs: {who: {type: hero}}
    round: {on: {steps: {die: {roll: d2}, less: {lose: die, from: who.luck}}}}
    outcomes: {over: who.luck == 0}
"""
PLAINLY: dict[str, Any] = {"ada": {"is": "hero", "luck": 2}, "bo": {"is": "hero"}}

CALLS: dict[str, Callable[[Game, Any], Any]] = {
    "roll": lambda game, state: game.roll("lucky", state=state, who="ada", seed=1).outcome,
    "roll that ends": lambda game, state: game.roll("lucky", state=state, who="ada", seed=1, ends="round").outcome,
    "play": lambda game, state: game.play("game", state=state, who="ada", seed=1).outcome,
    "act": lambda game, state: game.act(state, "try_it", actor="ada", seed=1).state,
    "cause": lambda game, state: game.cause(state, "fortune", who="ada", seed=1).state,
    "odds": lambda game, state: game.odds("lucky", state=state, who="ada").outcomes,
    "odds of an event": lambda game, state: game.odds("events.fortune", state=state, who="ada").of("die"),
    "odds of an action": lambda game, state: game.odds("actions.try_it", state=state, actor="ada").of("die"),
    "odds of a scene": lambda game, state: game.odds("scenes.game", state=state, who="ada").of("rounds"),
    "simulate": lambda game, state: game.simulate("lucky", state=state, who="ada", runs=50, seed=1).outcomes,
    "simulate a scene": lambda game, state: (
        game.simulate("scenes.game", state=state, who="ada", runs=9, seed=1).outcomes
    ),
    "sweep": lambda game, state: [
        point.odds.outcomes for point in game.sweep("lucky", state=state, over={"who": ["ada", "bo"]})
    ],
    "sweep by a function": lambda game, state: [
        point.odds.outcomes for point in game.sweep("lucky", state=lambda _: state, over={"who": ["ada", "bo"]})
    ],
    "compare": lambda game, state: (
        interpreter.compare(
            game.odds("lucky", state=state, who="ada"), game.odds("lucky", state=state, who="bo")
        ).outcomes
    ),
    "possible": lambda game, state: [one.action for one in game.possible(state, "ada")],
    "begin": lambda game, state: game.begin("game", state=state, who="ada", seed=1).over,
    "ends": lambda game, state: game.ends(state, "round"),
    "ending": lambda game, state: game.ending(state, "turn", "ada")[0],
    "look": lambda game, state: game.look(state, "ada.luck + bo.luck"),
    "to_data": lambda game, state: game.to_data(state),
    "to_json": lambda game, state: game.to_json(state),
}


@pytest.mark.parametrize("call", CALLS)
def test_plain_data_stands_for_a_state(call: str) -> None:
    game, ask = interpreter.loads(HEROES), CALLS[call]
    state = game.state(PLAINLY)
    wanted = ask(game, state)
    for same in (PLAINLY, json.dumps(PLAINLY), game.to_data(state), game.to_json(state)):
        assert ask(game, same) == wanted


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "bad", [5, ["ada"], {"ada": 3}, {"ada": {"is": "troll"}}, "no json", {"ada": {}}, b"x", object()]
)
def test_what_is_no_state_is_refused_in_words(call: str, bad: Any) -> None:
    with pytest.raises(PlayError) as error:
        CALLS[call](interpreter.loads(HEROES), bad)
    assert error.value.diagnostic.code.startswith("HR")
