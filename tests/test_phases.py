"""Phases of scenes are followed by the engine, and states that come again are not followed again: the odds are those of
plain enumeration, and of the recursion that a person would write."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import pytest
from generated.limits import within_limits

import interpreter
from interpreter.api import exact_odds
from interpreter.odds import phases as by_engine
from interpreter.odds import scenes
from interpreter.odds.scenes import reads_round

ATTRITION = """
ruleset: attrition
kinds: {army: {has: {men: {type: points, to: 20, starts: 4}}}}
scenes:
  battle:
    inputs: {a: army, b: army}
    round:
      fight:
        steps:
          ours:   {roll: (a.men)d6}
          theirs: {roll: (b.men)d6}
          hit_b:  {lose: count(ours where face >= 5), from: b.men}
          hit_a:  {lose: count(theirs where face >= 5), from: a.men}
    guard: 200
    outcomes: {both_gone: a.men == 0 and b.men == 0, a_wins: b.men == 0, b_wins: a.men == 0}
"""


@cache
def by_recursion(a: int, b: int) -> tuple[Fraction, Fraction, Fraction]:
    """The chances that both are gone, that one wins, and that the other does; a round without hits changes nothing."""
    if a == 0 or b == 0:
        return Fraction(a == b), Fraction(a > b), Fraction(b > a)
    third = Fraction(1, 3)

    def hits(n: int, k: int) -> Fraction:
        return comb(n, k) * third**k * (1 - third) ** (n - k)

    found = [Fraction(0)] * 3
    for mine in range(a + 1):
        for theirs in range(b + 1):
            if mine or theirs:
                chance = hits(a, mine) * hits(b, theirs)
                after = by_recursion(max(a - theirs, 0), max(b - mine, 0))
                found = [x + chance * y for x, y in zip(found, after, strict=True)]
    again = hits(a, 0) * hits(b, 0)
    return found[0] / (1 - again), found[1] / (1 - again), found[2] / (1 - again)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 2), (4, 3), (6, 6)])
def test_a_fight_by_attrition_ends_as_the_recursion_says(a: int, b: int) -> None:
    game = interpreter.loads(ATTRITION)
    with within_limits():
        odds = game.odds("scenes.battle", a="x", b="y", state={"x": _army(a), "y": _army(b)})
        found = tuple(odds.outcomes.values())
    for chance, true in zip(found, by_recursion(a, b), strict=True):
        assert 0 <= true - chance <= odds.missing < Fraction(1, 10**14)


def _army(men: int) -> dict[str, Any]:
    return {"is": "army", "men": men}


HURT = "hurt: {lose: count(ours where face == 3), from: a.men}"
SCENES: dict[str, tuple[str, ...]] = {
    "the number of the round": ("hurt: {lose: count(ours where face > 2) + scene.round, from: a.men}",),
    "a guard": (HURT, "guard: 3"),
    "a guard that grows": (HURT, "guard: 1 + b.men"),
    "an end inside": (
        "hurt: {lose: 1, from: a.men, if: sum(ours) > 3}",
        "fled: {end: fled, if: any(ours where face == 1)}",
        "guard: 4",
    ),
    "dice that explode": (
        "more: {roll: d3, again: face == 3 and nth < 4}",
        "hurt: {lose: more, from: a.men}",
        "guard: 3",
    ),
    "a choice": (
        "safe: {choose: yes_no, default: no, by: player}",
        "hurt: {lose: 2 if safe else count(ours), from: a.men}",
        "guard: 4",
    ),
    "what comes later": (
        "sore: {cause: blow, with: {who: a}, later: {rounds: 1}, if: any(ours where face == 3)}",
        "guard: 4",
    ),
    "an event with dice": ("struck: {cause: blow, with: {who: a}, if: any(ours where face > 1)}", "guard: 3"),
    "dice between rounds": ("hurt: {lose: count(ours where face > 1) + scene.rain, from: a.men}", "guard: 3"),
}


def scene(name: str) -> str:
    steps = [one for one in SCENES[name] if not one.startswith("guard")]
    guard = next((one for one in SCENES[name] if one.startswith("guard")), "guard: 9")
    lines = "\n          ".join(steps)
    between = "  round_begins: {steps: {luck: {roll: d3}, wet: {set: scene.rain, to: luck - 1}}}" * ("rain" in lines)
    return f"""
ruleset: scenes
roles: {{player: Who plays.}}
kinds: {{army: {{has: {{men: {{type: points, to: 20, starts: 4}}}}}}}}
events:
  blow: {{inputs: {{who: army}}, steps: {{rolled: {{roll: d3}}, hurt: {{lose: rolled, from: who.men}}}}}}
{between}
scenes:
  battle:
    inputs: {{a: army, b: army}}
    has: {{rain: {{type: number, default: 0}}}}
    round:
      march: {{steps: {{way: {{roll: d2}}, worn: {{lose: way - 1, from: b.men}}}}}}
      fight:
        steps:
          ours: {{roll: 2d3}}
          {lines}
    {guard}
    outcomes: {{over: a.men == 0{", fled: {}" if "fled" in lines else ""}}}
"""


ASKED = ("outcome", "rounds", "x.men", "y.men")


@pytest.mark.parametrize("policy", [None, "random"])
@pytest.mark.parametrize("name", SCENES)
def test_the_odds_of_a_scene_are_those_of_enumeration(
    name: str, policy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = interpreter.loads(scene(name))
    state = {"x": _army(3), "y": _army(2)}

    def laws() -> list[Any]:
        odds = game.odds("scenes.battle", a="x", b="y", state=state, policy=policy)
        return [odds.law(*names).weights for names in (("outcome",), ("rounds", "x.men"), ASKED)]

    followed = laws()
    monkeypatch.setattr(exact_odds, "dice_may_outlast_phase", lambda *_: True)
    assert followed == laws()


KEPT = """
ruleset: held
kinds: {hand: {has: {dice: {type: roll, optional: yes}, n: {type: number, default: 0}, s: {type: number, default: 0}}}}
scenes:
  deal:
    inputs: {h: hand}
    round:
      draw:
        steps:
          got:    {roll: 2d2}
          all_of: {is: got & h.dice, if: given(h.dice)}
          keep:   {set: h.dice, to: all_of if given(all_of) else got}
          many:   {set: h.n, to: "count(without(h.dice, highest(h.dice, 1))) if given(h.dice) else 0"}
          summed: {set: h.s, to: "sum(without(h.dice, highest(h.dice, 1))) if given(h.dice) else 0"}
      use: {steps: {again: {set: h.n, to: "count(without(h.dice, lowest(h.dice, 2))) if given(h.dice) else 0"}}}
    guard: 3
    outcomes: {over: h.n >= 9}
"""


def test_dice_that_last_from_round_to_round_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.loads(KEPT)

    def law() -> Any:
        return game.odds("scenes.deal", h="x", state={"x": {"is": "hand"}}).law("x.n", "x.s").weights

    found = law()
    assert all(many == 4 for many, _ in found)
    monkeypatch.setattr(exact_odds, "dice_may_outlast_phase", lambda *_: True)
    monkeypatch.setattr(scenes, "reads_round", lambda _: True)  # no state is taken for one of an earlier round
    assert found == law()


def test_what_is_too_much_for_the_engine_is_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.loads(ATTRITION.replace("guard: 200", "guard: 3"))
    state = {"x": _army(2), "y": _army(1)}
    known = game.odds("scenes.battle", a="x", b="y", state=state).law("outcome").weights
    monkeypatch.setattr(by_engine, "LIMITS", by_engine.WorkLimits(states=2))
    assert game.odds("scenes.battle", a="x", b="y", state=state).law("outcome").weights == known


def test_it_is_known_whether_a_rule_reads_the_number_of_the_round() -> None:
    assert not reads_round(interpreter.loads(ATTRITION).program)
    assert reads_round(interpreter.loads(scene("the number of the round")).program)
