"""Odds that are too large are followed in part: what is shown is certain, and the rest is said."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import games
import pytest
from test_cli import run
from workloads import RULES, WORKLOADS

import interpreter
from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.odds import meter, query_cache

SIEGE = """
ruleset: camp
mechanics:
  siege:
    inputs: {nights: {type: number, from: 1, default: 12}}
    steps:
      watches:
        repeat: nights
        each:
          watch: {roll: d20}
          harm:  {roll: d6, if: watch == 1}
          lost:  sum(harm) if given(harm) else 0
      worst: sum(highest(watches.lost, 2)) + first(watches).lost
    outcomes:
      fallen: worst >= 10
      holds:  otherwise
"""
PASSES = """
ruleset: passes
mechanics:
  main:
    steps:
      climb:
        repeat: 5
        carry: {n: 0, hot: no}
        each:
          die: {roll: d4}
          n: n + die * (2 if hot else 1)
          hot: die > 3
      best: {repeat: 3, each: {die: {roll: 2d4}, got: sum(die) + last(climb).n}, keep: {highest: got}}
      total: best.got
      again: {roll: 3d6, again: face == 6, then: {more: {reroll: again where face < 2}}}
      value: total * 2 + highest(again)
"""


def tight(monkeypatch: pytest.MonkeyPatch, states: int) -> None:
    monkeypatch.setattr(meter, "LIMITS", meter.WorkLimits(states=states))


@pytest.mark.parametrize("name", ["outcome", "worst"])
def test_what_is_shown_is_certain(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = interpreter.loads(SIEGE).odds("siege", nights=6, seconds=60).of(name)
    tight(monkeypatch, 5_000)
    part = interpreter.loads(SIEGE).odds("siege", nights=6, within=0)
    assert 0 < part.missing_of(name) <= Fraction(1, 2) and part.why_of(name)
    for value, (low, high) in part.bounds(name).items():
        assert low <= exact[value] <= high == low + part.missing_of(name)
    assert sum(low for low, _ in part.bounds(name).values()) + part.missing_of(name) == 1


def only(keep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Follow no more than so many states from each step, as if every question were too large."""

    def too_large(*_: Any) -> Any:
        raise PlayError(say.too_many_states(1))

    monkeypatch.setattr(query_cache, "_whole_law", too_large)
    monkeypatch.setattr(query_cache, "LIKELIEST", (keep,))
    monkeypatch.setattr(query_cache, "MOST_MISSING", 1)


@pytest.mark.parametrize("keep", [1, 3, 10, 40])
@pytest.mark.parametrize("name", WORKLOADS)
def test_a_part_is_never_more_than_the_whole(name: str, keep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few states are kept, no chance is above the exact one."""
    one = WORKLOADS[name]
    whole = games.fresh_game(RULES).odds(one.mechanic, inputs=one.inputs).law(*one.asked).weights
    only(keep, monkeypatch)
    law = games.fresh_game(RULES).odds(one.mechanic, inputs=one.inputs, within=0).law(*one.asked)
    assert all(chance <= whole[values] for values, chance in law.weights.items())
    assert sum(law.weights.values()) + law.missing == 1


@pytest.mark.parametrize("keep", [1, 5, 20, 80])
@pytest.mark.parametrize("name", ["total", "value"])
def test_a_part_of_passes_is_never_more_than_the_whole(name: str, keep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes that carry something on, the best of some passes, chains and rerolls."""
    whole = interpreter.loads(PASSES).odds("main")
    exact = whole.of(name)
    only(keep, monkeypatch)
    part = interpreter.loads(PASSES).odds("main", within=0)
    for value, (low, high) in part.bounds(name).items():
        assert low <= exact[value] + whole.missing_of(name) and exact[value] <= high


def test_within_is_where_it_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    tight(monkeypatch, 20_000)
    game = interpreter.loads(SIEGE)
    content = game.odds("siege", within=Fraction(1, 5))
    assert Fraction(1, 50) < content.missing <= Fraction(1, 5)
    assert interpreter.loads(SIEGE).odds("siege", within=0).missing < content.missing


def test_without_within_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tight(monkeypatch, 20_000)
    with pytest.raises(PlayError, match="HR805"):
        interpreter.loads(SIEGE).odds("siege", seconds=1).law("outcome")


def test_what_is_hardly_known_is_refused() -> None:
    text = SIEGE.replace("watch == 1", "watch < 20")
    with pytest.raises(PlayError, match="HR805"):
        interpreter.loads(text).odds("siege", seconds=1, within=0).law("outcome")


def test_a_host_cancels_a_question() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, allowed: int) -> None:
        told.append((done, allowed))
        if len(told) == 3:
            raise KeyboardInterrupt

    odds = interpreter.loads(SIEGE).odds("siege", progress=progress)
    with pytest.raises(KeyboardInterrupt):
        odds.law("outcome")
    assert told == sorted(told) and all(0 < done <= allowed for done, allowed in told)


def test_each_question_of_a_game_has_its_own_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    tight(monkeypatch, 20_000)
    told: list[str] = []
    game = interpreter.loads(SIEGE)
    first = game.odds("siege", progress=lambda done, allowed: told.append("first"))
    second = game.odds("siege", nights=3, progress=lambda done, allowed: told.append("second"))
    game.odds("siege", nights=2)
    with pytest.raises(PlayError):
        first.law("outcome")
    assert set(told) == {"first"}
    with pytest.raises(PlayError):
        game.odds("siege", nights=11, progress=lambda done, allowed: told.append("third")).law("outcome")
    assert set(told) == {"first", "third"} and second.law("outcome")


def test_an_answer_says_what_it_took() -> None:
    said = run("odds", "d6", "check", "code=3D", "difficulty=12", "--explain")
    assert said.code == 0
    assert "what it took" in said.out and "outcome: " in said.out and "most at `" in said.out


@pytest.mark.parametrize("share", ["5%", "0.05", "1/20"])
def test_a_share_is_written_in_three_ways(share: str) -> None:
    assert run("odds", "d6", "check", "code=3D", "difficulty=12", "--within", share).code == 0


@pytest.mark.parametrize("share", ["much", "101%", "1/0", "-1%"])
def test_a_share_is_a_part_of_the_probability(share: str) -> None:
    said = run("odds", "d6", "check", "code=3D", "difficulty=12", "--within", share)
    assert said.code == 2 and "no part of the probability" in said.err
