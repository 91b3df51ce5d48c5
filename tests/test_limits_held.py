"""Limits of what functions take, of fields, of rolls that calls are handed and of what a check tries are held."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import interpreter
from interpreter import pipeline
from interpreter.checker import effort, outcomes
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import NOWHERE, Source
from interpreter.ir.failures import FAILING_BUILTINS
from interpreter.runtime.functions import FUNCTIONS

RULES = """ruleset: limits
types: {side: {has: {n: {type: number, from: 1, to: 4}, low: {type: number, to: n, default: 1}}}}
functions:
  ten: {takes: {q: {type: number, from: 1, to: 4}}, gives: 10 * q}
  few: {takes: {dice: {type: roll, most: 2}}, gives: sum(dice)}
  ours: {takes: {dice: roll}, gives: "all(dice where size in [4, 6, 8])"}
  low: {takes: {dice: roll}, gives: count(dice where face > 5) < 1}
mechanics:
  one: {inputs: {side: {type: side}}, steps: {x: {roll: d2}, y: x + side.n}}
  many: {inputs: {sides: {list_of: side}}, steps: {x: {roll: d2}, y: x + sum(sides.n)}}
  sizes: {inputs: {thrown: {type: roll, where: ours(it)}}, steps: {y: sum(thrown)}}
  faces: {inputs: {thrown: {type: roll, where: low(it)}}, steps: {y: sum(thrown)}}
  sums: {inputs: {thrown: {type: roll, where: sum(it) > 2}}, steps: {y: sum(thrown)}}
  to_function: {inputs: {pool: {type: dice}}, steps: {r: {roll: pool}, total: ten(sum(r))}}
  roll_to_function: {inputs: {pool: {type: dice}}, steps: {r: {roll: pool}, total: few(r)}}
  to_record:
    inputs: {pool: {type: dice}}
    steps: {r: {roll: pool}, c: {call: one, with: {side: {n: sum(r)}}}, total: c.y}
  to_records:
    inputs: {pool: {type: dice}}
    steps:
      r: {roll: pool}
      c: {call: many, with: {sides: [{n: sum(r)}]}}
      total: c.y
  to_sizes: {inputs: {pool: {type: dice}}, steps: {r: {roll: pool}, c: {call: sizes, with: {thrown: r}}, total: c.y}}
  to_faces: {inputs: {pool: {type: dice}}, steps: {r: {roll: pool}, c: {call: faces, with: {thrown: r}}, total: c.y}}
  to_sums: {inputs: {pool: {type: dice}}, steps: {r: {roll: pool}, c: {call: sums, with: {thrown: r}}, total: c.y}}
"""


def _asked(rule: str, dice: str) -> list[Any]:
    """What each way to ask says: a set of totals, or the message."""
    played = interpreter.loads(RULES)

    def rolled() -> set[Any]:
        return {played.roll(rule, pool=dice, seed=seed).values["total"] for seed in range(60)}

    def odds() -> set[Any]:
        return {total for (total,) in played.odds(rule, pool=dice).law("total").weights}

    def simulated() -> set[Any]:
        return {total for (total,) in played.simulate(rule, pool=dice, runs=200, seed=1).law("total").weights}

    found: list[Any] = []
    for ask in (rolled, odds, simulated):
        try:
            found.append(ask())
        except PlayError as error:
            assert error.diagnostic.span is not NOWHERE, error
            found.append(error.diagnostic.code)
    return found


@pytest.mark.parametrize(
    ("rule", "fits", "does_not", "code"),
    [
        ("to_function", "d4", "d6", "HR604"),
        ("roll_to_function", "2d4", "3d4", "HR604"),
        ("to_record", "d4", "d6", "HR604"),
        ("to_records", "d4", "d6", "HR604"),
        ("to_sizes", "2d4", "2d10", "HR605"),
        ("to_faces", "2d4", "2d6", "HR605"),
        ("to_sums", "3d2", "2d2", "HR605"),
    ],
)
def test_play_odds_and_simulations_hold_the_same_limits(rule: str, fits: str, does_not: str, code: str) -> None:
    rolled, odds, simulated = _asked(rule, fits)
    assert rolled == odds == simulated
    assert _asked(rule, does_not) == [code] * 3


def test_a_condition_on_what_dice_are_lays_out_no_dice() -> None:
    law = interpreter.loads(RULES).odds("to_sizes", pool="40d8").law("total")
    assert min(total for (total,) in law.weights) == 40


OFFERED = """ruleset: offered
kinds: {hero: {has: {hp: {type: points, to: 20, starts: 20}, n: {type: number, default: 0}}}}
actions:
  hit: {actor: hero, cost: {hp: COST}, steps: {l: {roll: d6}}}
  nap: {actor: hero, steps: {l: {roll: d6}}}
policies: {p: {x: pass}, q: {x: nap}}
scenes:
  s:
    inputs: {who: {type: hero}}
    has: {n: {type: number, default: 0}}
    round: {p: {steps: {x: {offer: [hit, nap], to: who, most: MOST}, o: {set: scene.n, to: 1}}}}
    outcomes: {done: scene.n == 1}
"""


@pytest.mark.parametrize(
    ("most", "cost", "policy"),
    [("6 / who.n", "1", None), ("2", "6 / actor.n", None), ("2", "6 / actor.n", "p"), ("2", "6 / actor.n", "q")],
)
def test_simulations_refuse_offers_that_play_refuses(most: str, cost: str, policy: str | None) -> None:
    played = interpreter.loads(OFFERED.replace("MOST", most).replace("COST", cost))
    state = played.state(ann={"is": "hero"})
    for ask in (
        lambda: played.play("s", state=state, who="ann", seed=1, policy=policy),
        lambda: played.odds("scenes.s", state=state, who="ann", policy=policy).law("outcome"),
        lambda: played.simulate("scenes.s", runs=9, seed=1, state=state, who="ann", policy=policy).law("outcome"),
    ):
        with pytest.raises(PlayError, match="HR632"):
            ask()


STORED = """ruleset: stored
types: {blow: {has: {harm: {type: number, from: 0, to: board.most}}}}
kinds:
  board: {one: yes, has: {most: {type: number, default: 9}}}
  hero:
    has:
      former: {type: blow, default: {harm: 8}}
      now: {type: blow, default: {harm: 1}}
      blows: {list_of: blow, default: []}
scenes:
  s:
    inputs: {who: {type: hero}}
    round: {p: {steps: {c: {set: board.most, to: 3}, x: {STEP}}}}
    guard: 1
    outcomes: {done: board.most == 3}
"""


@pytest.mark.parametrize("step", ["set: who.now, to: who.former", "add: who.former, to: who.blows"])
def test_records_that_are_stored_fit_now(step: str) -> None:
    played = interpreter.loads(STORED.replace("STEP", step))
    state = played.state(ann={"is": "hero"})
    for ask in (
        lambda: played.play("s", state=state, who="ann", seed=1),
        lambda: played.odds("scenes.s", state=state, who="ann").law("outcome"),
        lambda: played.simulate("scenes.s", runs=9, seed=1, state=state, who="ann").law("outcome"),
    ):
        with pytest.raises(PlayError, match="HR604"):
            ask()


def test_every_built_in_function_that_can_fail_is_known_to() -> None:
    written = {name: inspect.getsource(one.run) for name, one in FUNCTIONS.items() if inspect.isfunction(one.run)}
    raising = {name for name, source in written.items() if "Problem(" in source}
    assert raising and raising <= FAILING_BUILTINS <= FUNCTIONS.keys()


MANY_OFFERS = """ruleset: offers
kinds: {hero: {has: {luck: {type: points, to: 30, starts: 5}}}}
things: {hero: {ann: {}}}
policies: {rests: {days.hours.moves: rest}}
actions:
  rest: {actor: hero, inputs: {}, steps: {slept: 1}}
  wait: {actor: hero, inputs: {}, steps: {waited: 1}}
mechanics:
  night:
    inputs: {who: {type: hero}}
    steps:
      luck: {roll: d6}
      days:
        repeat: 150
        each: {hours: {repeat: 100, each: {moves: {offer: [rest, wait], to: who, most: 1}}}}
"""


@pytest.mark.parametrize("policy", ["rests", None])
def test_simulations_count_the_steps_of_offers(policy: str | None) -> None:
    """Each of 15,000 offers of two actions counts as six steps, beside the step that makes it."""
    few = interpreter.loads(MANY_OFFERS.replace("repeat: 150", "repeat: 10"))
    many = interpreter.loads(MANY_OFFERS)
    assert few.roll("night", who="ann", policy=policy, seed=1).values["luck"]
    assert few.simulate("night", who="ann", policy=policy, seed=1, runs=2, of=["days"])
    for ask in (
        lambda: many.roll("night", who="ann", policy=policy, seed=1),
        lambda: many.simulate("night", who="ann", policy=policy, seed=1, runs=2, of=["days"]),
    ):
        with pytest.raises(PlayError) as refused:
            ask()
        assert refused.value.diagnostic.code == "HR631"


@pytest.mark.parametrize(
    ("where", "limit"),
    [
        (effort, "MOST_TRIED"),  # of all outcomes of a ruleset
        (outcomes, "MOST_COMBINATIONS"),  # of one list of outcomes
    ],
)
@pytest.mark.parametrize(
    ("written", "end", "enough", "short"),
    [
        ("bold and calm, low: not bold, rest: not calm", "", [], ["these outcomes do not cover every case"]),
        ("bold and calm, low: not bold", ", rest: otherwise", [], []),
        ("bold, low: bold and calm", ", rest: otherwise", ["`low` can never be reached"], []),
    ],
)
def test_outcomes_that_take_too_much_work_to_prove_must_end_in_otherwise(
    written: str, end: str, enough: list[str], short: list[str], where: Any, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "ruleset: proof\nmechanics:\n  dare:\n    inputs: {bold: {type: yes_no}, calm: {type: yes_no}}\n"
        "    steps: {die: {roll: d6}}\n"
        f"    outcomes: {{high: {written}{end}}}\n"
    )

    def told() -> list[str]:
        return [one.message for one in pipeline.from_text(Source.of("proof.yaml", text)).problems]

    assert told() == enough
    monkeypatch.setattr(where, limit, 3)
    assert told() == short
