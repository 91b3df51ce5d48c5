"""Derived values for each word of a list: the same in every way of playing, and read like those that are kept."""

from __future__ import annotations

import pytest

import interpreter
from interpreter import Game

HEROES = """
ruleset: heroes
names: {ability: [might, wits, grace]}
tables:
  price: {rows: {8: 0, 9: 1, 10: 2, 11: 3, 12: 5}, off_the_rows: refuse}
kinds:
  hero:
    has:
      abilities: {type: number, per: ability, from: 8, to: 12, default: 8}
      costs:     {is: price(abilities(word)), per: ability}
      spent:     {is: sum(costs)}
      best:      {is: costs(might) >= 3 and word is not grace, per: ability}
      hurt:      {type: points, from: 0, to: 20, starts: 0}
mechanics:
  train:
    inputs: {who: {type: hero}, what: {type: ability}}
    steps:
      die:    {roll: d2}
      better: {set: who.abilities(what), to: 10 + die}
      cost:   who.costs(what)
      whole:  who.spent
      good:   who.best(wits)
scenes:
  drill:
    inputs: {heroes: {list_of: hero}}
    round:
      hit:
        steps:
          each:
            for: hero
            among: heroes
            each:
              die:  {roll: d4}
              hurt: {gain: die + hero.costs(might), to: hero.hurt}
    guard: 9
    outcomes:
      over: sum(heroes.hurt) >= 9
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreter.loads(HEROES, name="heroes.yaml")


def test_each_word_has_its_value(game: Game) -> None:
    state = game.state(ann={"is": "hero", "abilities": {"might": 12, "wits": 9}})
    assert game.look(state, "ann.costs") == {"might": 5, "wits": 1, "grace": 0}
    assert game.look(state, "ann.spent") == 6
    assert game.look(state, "sum([ann].costs)") == game.look(state, "sum([ann].spent)") == 6
    assert game.look(state, "ann.best(wits) and not ann.best(grace)")
    assert "costs" not in game.to_data(state)["things"]["ann"]


def test_play_odds_and_simulation_agree(game: Game) -> None:
    state = game.state(ann={"is": "hero"})
    played = game.roll("train", state=state, who="ann", what="might", faces=[2])
    assert (played.values["cost"], played.values["whole"], played.values["good"]) == (5, 5, True)
    odds = game.odds("train", state=state, who="ann", what="might")
    assert {value: float(chance) for value, chance in odds.of("cost").items()} == {3: 0.5, 5: 0.5}
    counted = game.simulate("train", state=state, who="ann", what="might", runs=200, seed=1)
    assert set(dict(counted.of("whole").items())) == {3, 5}


def test_a_simulated_scene_reads_them_in_generated_functions(game: Game) -> None:
    state = game.state(ann={"is": "hero", "abilities": {"might": 11}})
    counted = game.simulate("scenes.drill", state=state, heroes=["ann"], runs=300, seed=1, of=["rounds"])
    exact = game.odds("scenes.drill", state=state, heroes=["ann"])
    rounds = {value: float(chance) for value, chance in exact.of("rounds").items()}
    assert set(rounds) == {2, 3} == set(dict(counted.of("rounds").items()))
    assert abs(float(dict(counted.of("rounds").items())[2]) - rounds[2]) < 0.1


def test_forms_and_sentences_tell_the_words(game: Game) -> None:
    costs = game.kinds["hero"].has["costs"]
    assert (costs.derived, costs.per, costs.default_text) == (True, "ability", "price(abilities(word))")
    assert "costs" not in game.schema("kinds.hero")["properties"]
