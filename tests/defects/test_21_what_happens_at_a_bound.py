"""A number of a thing stops at its bound, and what follows there follows exactly when the rules say.

`when_full` follows where the upper bound is reached, `when_hit_full` where there is more for what is full already, and
`when_empty` where the lower bound is reached; the plain telling below is held to play and to silent play, over a grid.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import pytest

import interpreter
from interpreter.api.game import Game
from interpreter.codegen import GeneratedModule, module_of, rule_player
from interpreter.codegen.module import NotGenerated
from interpreter.diagnostics import PlayError
from interpreter.ir.types import LARGEST
from interpreter.play.deciders import drive
from interpreter.play.run import SilentRun
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.rng import SeededDice
from interpreter.runtime.state import STATE, State

HOOKS = ("when_full", "when_hit_full", "when_empty")
NOTES = ", ".join(
    f"{hook}: {{a: {{gain: 1, to: owner.{hook[5:]}}}, "
    "b: {set: owner.over, to: excess}, c: {set: owner.was, to: before}}"
    for hook in HOOKS
)
KINDS = {
    "plain": "from: LOW, to: HIGH",
    "told": f"from: LOW, to: HIGH, {NOTES}",
    "only when hit": "from: LOW, to: HIGH, when_hit_full: {a: {gain: 1, to: owner.hit_full}}",
    "by a formula": f"from: least, to: most, {NOTES}",
    "refusing": "from: LOW, to: HIGH, past_full: refuse",
    "refusing, and told": f"from: LOW, to: HIGH, past_full: refuse, {NOTES}",
    "for each place": "from: LOW, to: HIGH, default: LOW, per: place",
    "no upper bound": "from: LOW, when_empty: {a: {gain: 1, to: owner.empty}}",
    "open": "from: LOW",
}


def ruleset(kind: str, low: int, high: int) -> str:
    declared = KINDS[kind].replace("LOW", str(low)).replace("HIGH", str(high))
    at = "hero.luck(here)" if "per:" in declared else "hero.luck"
    return (
        f"""\
ruleset: bounds
names: {{place: [here, there]}}
kinds:
  hero:
    one: yes
    has:
      least: {{type: number, default: {low}}}
      most: {{type: number, default: {high}}}
      full: {{type: number, default: 0}}
      over: {{type: number, default: -1}}
      was: {{type: number, default: -99}}
      luck: {{type: {"number" if "per:" in declared else "points"}, {declared}}}
""".replace(
            "full: {type: number, default: 0}",
            "".join(f"{hook[5:]}: {{type: points}}\n      " for hook in HOOKS).strip(),
        )
        + f"""\
mechanics:
  gain: {{inputs: {{much: number}}, steps: {{moved: {{gain: much, to: {at}}}}}}}
  lose: {{inputs: {{much: number}}, steps: {{moved: {{lose: much, from: {at}}}}}}}
  pay: {{inputs: {{much: number}}, steps: {{moved: {{pay: much, from: {at}}}}}}}
"""
    )


class Came(NamedTuple):
    """What a step is worth, and what the hero has then."""

    moved: dict[str, Any]
    luck: int
    notes: dict[str, int]


def plainly(kind: str, verb: str, low: int, high: int, start: int, much: int) -> Came | None:
    """What should come of it; None where it is refused."""
    declared, up = KINDS[kind], verb == "gain"
    top = None if kind == "no upper bound" else high
    wanted = start + much if up else start - much
    if much < 0 or (verb == "pay" and wanted < low):
        return None
    after = max(wanted, low) if not up else wanted if top is None else min(wanted, top)
    excess = abs(wanted - after)
    if excess and up and "past_full" in declared:
        return None
    hook = None
    if up and top is not None and after == top:
        hook = "when_full" if start < top else "when_hit_full" if excess else None
    if not up and after == low and start > low:
        hook = "when_empty"
    notes = {"full": 0, "hit_full": 0, "empty": 0, "over": -1, "was": -99}
    if hook is not None and hook in declared:
        notes[hook[5:]] = 1
        if "owner.over" in declared:
            notes |= {"over": excess, "was": start}
    own = low if verb == "pay" else 0  # what can be paid is what is above the lower bound
    moved = {"happened": True, "before": start - own, "after": after - own, "amount": much - excess, "excess": excess}
    return Came(moved, after, notes)


def came(record: Any, state: Any) -> Came:
    has = state.things["hero"].values
    luck = has["luck"]["here"] if not isinstance(has["luck"], int) else has["luck"]
    return Came(record["moved"], luck, {name: has[name] for name in ("full", "hit_full", "empty", "over", "was")})


def walked(game: Game, module: GeneratedModule, verb: str, much: int, state: State) -> Came | None:
    given = {"much": much, **new_frame(), STATE: state}
    answers = game.answers(None, None, None, game.reader())
    try:
        return came(drive(game.walk(verb)(given, SilentRun()), SeededDice(1), answers), given[STATE])
    except PlayError:
        return None


def silent(game: Game, module: GeneratedModule, verb: str, much: int, state: State) -> Came | None:
    given = {"much": much, **new_frame(), STATE: state}
    try:
        return came(rule_player(module, game.rule(verb))(given, SeededDice(1), True), given[STATE])
    except NotGenerated:
        return None


@pytest.mark.parametrize(("low", "high"), [(0, 3), (-2, 1), (2, 4)])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "open"])
def test_a_number_stops_at_its_bound_and_brings_what_the_rules_say(kind: str, low: int, high: int) -> None:
    game = interpreter.loads(ruleset(kind, low, high))
    module = module_of(game.program, game.option_values, None, True)
    for start in range(low, high + 1):
        luck = {"here": start, "there": low} if "per:" in KINDS[kind] else start
        state = game.state(hero={"luck": luck})
        for verb, much in product(("gain", "lose", "pay"), range(-1, high - low + 3)):
            wanted = plainly(kind, verb, low, high, start, much)
            for play in (walked, silent):
                assert play(game, module, verb, much, state) == wanted, (play.__name__, verb, start, much)


@pytest.mark.parametrize("kind", ["no upper bound", "open"])
def test_without_a_bound_a_number_goes_as_far_as_numbers_go(kind: str) -> None:
    game = interpreter.loads(ruleset(kind, 0, 3))
    module = module_of(game.program, game.option_values, None, True)
    for start, much, after in ((0, LARGEST, LARGEST), (1, LARGEST, None), (1, LARGEST - 1, LARGEST)):
        state = game.state(hero={"luck": start})
        for play in (walked, silent):
            assert (found := play(game, module, "gain", much, state)) is None or found.luck == after, (
                play,
                start,
                much,
            )
            assert (found is None) is (after is None)
