"""Who acts first, said in several ways: where only the order is read later, the dice that decided it cost no more."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from marks import sample

import interpreter
from interpreter.api import exact_odds

ORDERS = {
    "by lots": "turns: {order: fighters, keys: {lots: random}}",
    "by dice and lots": """
      start: {for: one, among: fighters, each: {die: {roll: d2}}}
      turns: {order: fighters, keys: {speed: {high: start(it).die}, lots: random}}""",
    "by a pool and lots": """
      start: {for: one, among: fighters, each: {pool: {roll: 2d2}, speed: sum(pool)}}
      turns: {order: fighters, keys: {speed: {high: start(it).speed}, lots: random}}""",
    "by a number and lots": """
      start: {for: one, among: fighters, each: {die: {roll: d2}, speed: die + 1}}
      turns: {order: fighters, keys: {speed: {high: start(it).speed}, lots: random}}""",
}
"""Each makes either of two fighters the first with the same chance."""


def rules(order: str, life: int, size: int) -> str:
    return f"""
ruleset: initiative
kinds: {{fighter: {{has: {{hp: {{type: points, to: {life}, starts: full}}}}}}}}
scenes:
  duel:
    inputs: {{fighters: {{list_of: fighter, least: 2}}}}
    has: {{standing: {{is: fighters where it.hp > 0}}}}
    steps:
      {order.strip()}
    round:
      blows:
        steps:
          everyone:
            for: one
            among: turns
            where: it.hp > 0
            each:
              foes: fighters where not (it is one) and it.hp > 0
              hit:  {{roll: d{size}, if: count(foes) > 0, else: 0}}
              hurt: {{for: foe, among: foes, each: {{lost: {{lose: hit, from: foe.hp}}}}}}
    outcomes: {{won: "count(scene.standing) == 1"}}
"""


def law(order: str, life: int, size: int, *names: str) -> Any:
    state = {name: {"is": "fighter"} for name in ("ann", "bo")}
    game = interpreter.loads(rules(order, life, size))
    return game.odds("scenes.duel", inputs={"fighters": ["ann", "bo"]}, state=state).law(*names)


def rounds(life: int, size: int) -> dict[int, Fraction]:
    """By plain recursion: who of two with this life falls in which round, where one strikes first."""
    found: dict[int, Fraction] = {}

    def go_on(mine: int, yours: int, number: int, chance: Fraction) -> None:
        for hit in range(1, size + 1):
            if hit >= yours:
                found[number] = found.get(number, Fraction(0)) + chance / size
                continue
            for back in range(1, size + 1):
                if back >= mine:
                    found[number] = found.get(number, Fraction(0)) + chance / size / size
                else:
                    go_on(mine - back, yours - hit, number + 1, chance / size / size)

    go_on(life, life, 1, Fraction(1))
    return found


@pytest.mark.parametrize("seed", sample(range(30), 0, 2))
def test_every_spelling_has_the_same_law_and_takes_about_the_same_work(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(2, 4)
    life = chance.randint(size, 3 * size)
    true, took = rounds(life, size), {}
    for name, order in ORDERS.items():
        found = law(order, life, size, "rounds")
        assert {key: weight for (key,), weight in found.weights.items()} == true, name
        took[name] = found.cost.work
    assert max(took.values()) <= 3 * min(took.values()), took


def test_dice_that_are_asked_for_are_told() -> None:
    order = ORDERS["by a number and lots"]
    assert law(order, 2, 2, "start", "rounds").weights


def test_dice_that_a_phase_reads_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phases that read dice of before the first round are enumerated, others are followed by their laws."""
    made: list[Any] = []
    whole = exact_odds.PhaseLaws

    def noted(*given: Any) -> Any:
        made.append(given)
        return whole(*given)

    monkeypatch.setattr(exact_odds, "PhaseLaws", noted)
    order = "start: {roll: d2}\n      turns: {order: fighters, keys: {lots: random}}"
    assert law(order, 2, 2, "rounds").weights and len(made) == 1
    read = rules(order, 2, 2).replace("lose: hit", "lose: 'max(hit, start)'")
    state = {name: {"is": "fighter"} for name in ("ann", "bo")}
    game = interpreter.loads(read)
    found = game.odds("scenes.duel", inputs={"fighters": ["ann", "bo"]}, state=state).law("rounds")
    assert len(made) == 1  # with a 2 at the start every blow fells, else a quarter of the first rounds fells nobody
    assert {key[0]: weight for key, weight in found.weights.items()} == {1: Fraction(7, 8), 2: Fraction(1, 8)}
