"""Scenes that are too large are followed in part: what is told is certain, and more time tells more."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import interpreter
from interpreter.diagnostics import PlayError
from interpreter.odds import phases, scenes

DUEL = """
ruleset: duel
kinds: {fighter: {has: {life: {type: points, to: 40, starts: 40}}}}
scenes:
  duel:
    inputs: {a: fighter, b: fighter}
    round:
      blows:
        steps:
          mine:   {roll: 2d6}
          yours:  {roll: 2d6}
          hers:   {lose: "max(0, sum(mine) - 5)", from: b.life}
          his:    {lose: "max(0, sum(yours) - 5)", from: a.life}
    outcomes:
      level: a.life == 0 and b.life == 0
      won:   b.life == 0
      lost:  a.life == 0
"""


@pytest.fixture(scope="module")
def game() -> Any:
    return interpreter.loads(DUEL)


def asked(game: Any, life: tuple[int, int], **how: Any) -> Any:
    things = {name: {"is": "fighter", "life": of} for name, of in zip(("ann", "bob"), life, strict=True)}
    return game.odds("scenes.duel", inputs={"a": "ann", "b": "bob"}, state=things, **how).law("outcome")


@cache
def duel(ann: int, bob: int) -> dict[str, Fraction]:
    """By recursion over the blows that hurt somebody; rounds in which nobody is hurt change nothing."""
    if not (ann and bob):
        return {"level" if ann == bob else "won" if ann else "lost": Fraction(1)}
    hurt: dict[int, Fraction] = {}
    for first in range(1, 7):
        for second in range(1, 7):
            amount = max(0, first + second - 5)
            hurt[amount] = hurt.get(amount, Fraction(0)) + Fraction(1, 36)
    law: dict[str, Fraction] = {}
    for hers, likely in hurt.items():
        for his, as_likely in hurt.items():
            if hers or his:
                chance = likely * as_likely / (1 - hurt[0] ** 2)
                for outcome, share in duel(max(0, ann - his), max(0, bob - hers)).items():
                    law[outcome] = law.get(outcome, Fraction(0)) + chance * share
    return law


def holds(law: Any, true: dict[str, Fraction]) -> None:
    """Every chance is at least what is told, and at most what is missing more."""
    assert sum(law.weights.values()) + law.missing == 1
    for outcome, chance in true.items():
        assert 0 <= chance - law.weights.get((outcome,), 0) <= law.missing


def test_more_time_tells_more(game: Any) -> None:
    missing = []
    for seconds in (0.5, 1, 2, 4):
        try:
            law = asked(game, (12, 14), seconds=seconds, within=0)
        except PlayError as refused:
            assert refused.diagnostic.code == "HR814"
            missing.append(Fraction(1))
            continue
        holds(law, duel(12, 14))
        missing.append(law.missing)
    assert missing == sorted(missing, reverse=True)
    assert any(Fraction(1, 10**6) < one < Fraction(1, 2) for one in missing)
    assert missing[-1] < Fraction(1, 10**14)


@pytest.mark.parametrize("steps", [2_500, 5_000, 10_000, 20_000])
@pytest.mark.parametrize("life", [(9, 9), (4, 12), (16, 12)])
def test_what_is_told_is_certain(game: Any, life: tuple[int, int], steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenes, "MOST_STEPS", steps)
    monkeypatch.setattr(scenes, "MOST_MISSING", Fraction(10**9 - 1, 10**9))
    try:
        law = asked(game, life, within=0)
    except PlayError as refused:
        assert refused.diagnostic.code == "HR814" and steps <= (10_000 if life == (16, 12) else 5_000)
    else:
        holds(law, duel(*life))


def test_it_is_followed_no_further_than_one_wants(game: Any) -> None:
    law = asked(game, (12, 14), within=Fraction(3, 4))
    assert Fraction(1, 10**9) < law.missing <= Fraction(3, 4)
    assert "likeliest states" in law.why
    holds(law, duel(12, 14))


def test_what_is_followed_as_a_whole_is_exact(game: Any) -> None:
    law = asked(game, (9, 9), within=0)
    assert not law.why
    assert law.weights == asked(game, (9, 9)).weights
    holds(law, duel(9, 9))


def test_a_scene_of_which_little_is_known_is_refused(game: Any) -> None:
    with pytest.raises(PlayError, match="has not ended") as refused:
        asked(game, (40, 40), seconds=0.5, within=0)
    assert refused.value.diagnostic.code == "HR814"


MANY = """
ruleset: many
kinds: {pot: {one: yes, has: {coins: {type: number, default: 0}, sum_of: {type: number, default: 0}}}}
scenes:
  night:
    round:
      hours:
        steps:
          luck: {roll: d6}
          some:
            repeat: 4 if luck == 6 else 0
            each: {die: {roll: d10}, kept: {set: pot.sum_of, to: 11 * pot.sum_of + die}}
          coins: {set: pot.coins, to: luck}
    outcomes: {rich: pot.coins >= 5, poor: pot.coins >= 1}
"""


def test_a_first_phase_that_is_too_large_is_followed_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its law is refused as a whole, and its paths are followed one by one as far as the limit allows."""
    monkeypatch.setattr(scenes, "MOST_STEPS", 3_000)
    law = interpreter.loads(MANY).odds("scenes.night", within=0).law("outcome")
    assert 0 <= Fraction(4, 6) - law.weights[("poor",)] < Fraction(1, 10**20)  # chances are rounded down
    assert Fraction(1, 6) < law.weights[("rich",)] < Fraction(2, 6)
    assert "has not ended" in law.why


def rounds_of(ann: int, bob: int, most: int) -> dict[int, Fraction]:
    """The chance that a duel ends in each of the first rounds, from the states after the one before."""
    hurt: dict[int, Fraction] = {}
    for first in range(1, 7):
        for second in range(1, 7):
            amount = max(0, first + second - 5)
            hurt[amount] = hurt.get(amount, Fraction(0)) + Fraction(1, 36)
    found, states = {}, {(ann, bob): Fraction(1)}
    for number in range(1, most + 1):
        after: dict[tuple[int, int], Fraction] = {}
        for (a, b), chance in states.items():
            for hers, likely in hurt.items():
                for his, as_likely in hurt.items():
                    left = max(0, a - his), max(0, b - hers)
                    after[left] = after.get(left, Fraction(0)) + chance * likely * as_likely
        found[number] = sum((chance for left, chance in after.items() if not all(left)), Fraction(0))
        states = {left: chance for left, chance in after.items() if all(left)}
    return found


def test_states_that_come_again_in_later_rounds_tell_how_long_it_takes(game: Any) -> None:
    things = {"ann": {"is": "fighter", "life": 9}, "bob": {"is": "fighter", "life": 11}}
    odds = game.odds("scenes.duel", inputs={"a": "ann", "b": "bob"}, state=things)
    law = odds.law("rounds").weights
    assert {number: law.get((number,), 0) for number in range(1, 11)} == rounds_of(9, 11, 10)
    together = odds.law("rounds", "outcome").weights
    assert sum(chance for (number, _), chance in together.items() if number == 4) == law[(4,)]


def test_what_a_scene_took_is_told(game: Any) -> None:
    cost = asked(game, (9, 9)).cost
    assert cost is not None and 0 < cost.work < cost.allowed
    assert cost.waited == (("blows", 81),)


LONG_BLOWS = DUEL.replace("{roll: 2d6}", "{roll: d6, again: face == 6}").replace("- 5)", "- 3)")


@pytest.mark.parametrize("negligible", [1_000, 10**7])
@pytest.mark.parametrize("within", [Fraction(1, 100), Fraction(0)])
def test_negligible_states_are_missing_and_no_more_than_one_wants(
    negligible: int, within: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = interpreter.loads(LONG_BLOWS)
    exact = asked(game, (5, 6))
    assert exact.missing < Fraction(1, 10**14)
    monkeypatch.setattr(phases, "NEGLIGIBLE", negligible)
    law = asked(game, (5, 6), within=within)
    assert law.missing <= max(within, exact.missing)
    for outcome, chance in exact.weights.items():
        assert -exact.missing <= chance - law.weights.get(outcome, 0) <= law.missing
    if within and negligible == 10**7:
        assert law.missing > exact.missing, "not all is followed where one wants less"
