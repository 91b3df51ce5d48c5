"""Odds of an event that throws dice are its true law or refused; dice that never end and scenes that are stopped are
told as that by every command, and never as a certain answer."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from typing import Any

import pytest

import interpreter
from interpreter import Game, PlayError, pipeline
from interpreter.diagnostics.source import Source


def caused(dice: str) -> Game:
    return interpreter.loads(f"""
ruleset: blows
kinds: {{hero: {{has: {{hurt: {{type: points, from: 0, to: 1000, starts: 0}}}}}}}}
mechanics:
  strike:
    inputs: {{who: {{type: hero}}}}
    steps: {{blow: {{cause: blow, with: {{who: who}}}}}}
events:
  blow:
    inputs: {{who: {{type: hero}}}}
    steps:
      rolled: {{roll: {dice}}}
      amount: sum(rolled)
      hurt: {{gain: amount, to: who.hurt}}
""")


def refusal(ask: Any) -> str:
    """The code with which something is refused; nothing where it is answered."""
    try:
        ask()
    except PlayError as error:
        return error.diagnostic.code
    return ""


@pytest.mark.parametrize("dice", ["d6", "2d6 & d8", "4d4", "9d2", "d6 & 9d1"])
def test_what_an_event_throws_has_its_true_law(dice: str) -> None:
    game = caused(dice)
    sizes = [int(one[one.index("d") + 1 :]) for part in dice.split(" & ") for one in _dice(part)]
    law: dict[int, F] = {}
    for faces in product(*(range(1, size + 1) for size in sizes)):
        law[sum(faces)] = law.get(sum(faces), F(0)) + 1
    whole = sum(law.values())
    odds = game.odds("strike", state=game.state(ann={"is": "hero"}), who="ann")
    assert odds.of("blow.amount") == {total: F(ways, whole) for total, ways in sorted(law.items())}
    assert odds.missing_of("blow.amount") == 0


def _dice(part: str) -> list[str]:
    number, size = part.split("d")
    return [f"d{size}"] * int(number or 1)


@pytest.mark.parametrize("dice", ["8d6 & 2d8", "30d6", "9d10 & 9d10", "100d2"])
@pytest.mark.parametrize("rule", ["strike", "events.blow"])
def test_of_many_dice_of_an_event_their_sum_has_its_true_law(dice: str, rule: str) -> None:
    game = caused(dice)
    state = game.state(ann={"is": "hero"})
    event, name = ("blow.", "blow.amount") if rule == "strike" else ("", "amount")
    law = {0: F(1)}
    for size in [int(one.partition("d")[2]) for part in dice.split(" & ") for one in _dice(part)]:
        thrown = [(total + face, chance / size) for total, chance in law.items() for face in range(1, size + 1)]
        law = {total: sum(chance for one, chance in thrown if one == total) for total in {one for one, _ in thrown}}
    assert game.odds(rule, state=state, who="ann").of(name) == law
    # The dice themselves are too many to be told one by one, unless they are as alike as a hundred d2.
    assert refusal(lambda: game.odds(rule, state=state, who="ann").of(f"{event}rolled")) in (
        "HR804",
        "HR801",
        "HR805",
        "",
    )
    assert game.simulate(rule, state=state, who="ann", runs=50, seed=1, of=[name]).missing_of(name) == 0


ENDLESS = [
    "roll: d6, again: face < 7",
    "roll: 2d6, again: face >= 1",
    "roll: d6, again: yes",
    "roll: d6, again: not no",
    "roll: claw, again: face >= 5",
    "roll: 'times(claw, 3) & d4', again: 'face in [5, 6]'",
    "roll: star, again: face == 0",
    "roll: d6, counts: 2, again: counts == 2",
    "roll: d6, counts: face + 1, again: counts > 1",
    "roll: d6, each: {on: face <= size}, again: on",
    "roll: d6, again: nth < 2000",
    "roll: d6, again: nth >= 1, guard: 7",
    "roll: d100, again: face <= 100",
    "roll: d6, again: odd(face) or even(face)",
    "roll: d6, again: over(face)",
    "roll: d6 keen, again: any(tags) and face < 10",
    "roll: {a: d4, b: d8}, again: part is a or face > 0",
    "roll: d6, again: face * 2 - face >= face - face",
    "roll: (bonus)d8, again: face != 9",
    "roll: d8 if bonus > 2 else d4, again: face < 9",
    "roll: d8, again: face < bonus + 100",
]
ENDING = [
    "roll: d6, again: face < 6",
    "roll: d6, again: face >= 1 and nth < 5",
    "roll: claw, again: face >= 6",
    "roll: d6, counts: face - 1, again: counts > 0",
    "roll: d6, each: {on: face < size}, again: on",
    "roll: d6, again: any(tags)",
    "roll: d6, again: face < bonus",
    "roll: d100, again: face < 100",
    "roll: star, again: face > 0",
    "roll: d6, again: nth < 999",
    "roll: d6, again: count(earlier) < 3 or face == 6",
]
RULES = """
ruleset: chains
tags: [keen]
dice: {{claw: {{faces: [5, 6, 6]}}, star: {{faces: [hit, hit, hit + hit]}}}}
functions: {{over: {{takes: {{n: number}}, gives: n > 0}}}}
mechanics:
  m:
    inputs: {{bonus: {{type: number, from: 1, default: 3}}}}
    steps:
      rolled: {{{roll}}}
      total: sum(rolled)
      often: count(rolled.throws)
"""


@pytest.mark.parametrize("roll", ENDLESS)
def test_a_chain_that_always_goes_on_is_refused_by_the_checker(roll: str) -> None:
    made = pipeline.from_text(Source.of("chains.yaml", RULES.format(roll=roll))).problems
    assert [one.code for one in made.errors] == ["HR591"], roll
    assert made.errors[0].help


@pytest.mark.parametrize("roll", ENDING)
def test_a_chain_that_may_end_is_not(roll: str) -> None:
    interpreter.loads(RULES.format(roll=roll))


AT_PLAY = [
    ("roll: d6, again: face <= bonus", 6),
    ("roll: 2d6, again: face < bonus", 7),
    ("roll: d6, counts: 1, again: face + bonus > 5", 5),
    ("roll: d6, again: face <= bonus, guard: 30", 8),
    ("roll: d6, each: {on: face <= bonus}, again: on", 6),
    ("roll: d6, again: nth < bonus", 2000),
]


@pytest.mark.parametrize(("roll", "bonus"), AT_PLAY)
@pytest.mark.parametrize("name", ["total", "often"])
def test_one_that_an_input_lets_go_on_for_ever_is_refused_alike(roll: str, bonus: int, name: str) -> None:
    game = interpreter.loads(RULES.format(roll=roll))
    said = []
    for ask in (
        lambda: game.roll("m", seed=1, bonus=bonus),
        lambda: game.odds("m", bonus=bonus).of(name),
        lambda: game.simulate("m", runs=100, seed=1, of=[name], bonus=bonus).of(name),
    ):
        with pytest.raises(PlayError) as error:
            ask()
        said.append((error.value.diagnostic.code, str(error.value)))
    assert said[0][0] == "HR630" and len(set(said)) == 1, said


def test_what_surely_ends_late_is_followed_to_its_end() -> None:
    game = interpreter.loads(RULES.format(roll="roll: d6, again: nth < 100"))
    odds = game.odds("m")
    assert odds.of("often") == {100: 1} and odds.mean("total") == 350


SCENE = """
ruleset: race
kinds: {{runner: {{has: {{way: {{type: points, from: 0, to: 100, starts: 0}}}}}}}}
scenes:
  race:
    inputs: {{who: {{type: runner}}}}
    guard: {guard}
    round: {{on: {{steps: {{thrown: {{roll: d6}}, there: {{end: home, if: thrown >= {need}}}}}}}}}
    outcomes: {{home: who.way > 90, away: who.way > 95}}
"""


@pytest.mark.parametrize("guard", [1, 2, 5])
@pytest.mark.parametrize("need", [2, 4, 6])
def test_what_a_guard_has_stopped_is_missing(guard: int, need: int) -> None:
    game = interpreter.loads(SCENE.format(guard=guard, need=need))
    state = game.state(ann={"is": "runner"})
    odds = game.odds("scenes.race", state=state, who="ann")
    stopped = F(need - 1, 6) ** guard
    assert odds.outcomes == {"home": 1 - stopped, "away": 0}
    assert odds.missing == odds.missing_of("outcome", "rounds") == stopped
    assert sum(odds.of("rounds").values()) == 1
    runs = game.simulate("scenes.race", state=state, who="ann", runs=300, seed=1)
    assert None not in runs.outcomes and sum(runs.outcomes.values()) + runs.missing == 1
    assert abs(float(runs.missing) - float(stopped)) < 0.15


def test_a_scene_that_is_always_stopped_is_refused() -> None:
    game = interpreter.loads(SCENE.format(guard=2, need=7))
    state = game.state(ann={"is": "runner"})
    assert refusal(lambda: game.odds("scenes.race", state=state, who="ann").outcomes) == "HR818"
    assert refusal(lambda: game.simulate("scenes.race", state=state, who="ann", runs=20, seed=1)) == "HR818"
    assert game.odds("scenes.race", state=state, who="ann").of("rounds") == {2: 1}
