"""`together` is a condition on all that is chosen: play, odds, chance, sessions and messages keep to it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, product

import pytest

import interpreter
from interpreter.diagnostics import PlayError

RULES = """
ruleset: toll
roles: {player: Who pays.}
kinds: {payer: {has: {luck: {type: points, to: 9, starts: 0}}}}
policies: {proud: {coins: "highest(purse, 1)"}}
mechanics:
  toll:
    inputs: {wanted: {type: number, default: 5}}
    steps:
      purse: {roll: 3d4}
      coins: {choose: some, among: purse, together: sum(it) == wanted, by: player, ask: "Which coins do you pay?"}
      paid:  count(coins)
  offering:
    inputs: {payer: payer, wanted: {type: number, default: 4}}
    steps:
      purse: {roll: 3d4}
      coins: {choose: some, among: purse, together: sum(it) == wanted, by: payer, ask: "Which coins do you give?"}
      given_up: sum(coins)
      lucky:    {gain: 1, to: payer.luck, if: given_up > 0}
  hopeless:
    steps:
      gems: {choose: some, among: upto(30), together: sum(it) == 0 - 1, by: player, ask: "Which coins do you pay?"}
  many_times_hopeless:
    steps:
      purse: {roll: 3d20}
      wanted: 999 + 400 * highest(purse) + 20 * (kth(purse, 2) otherwise 0) + lowest(purse)
      gems: {choose: some, among: upto(9), together: sum(it) == wanted, by: player, ask: "Which coins do you pay?"}
      both: wanted + count(gems)
scenes:
  temple:
    inputs: {payer: payer}
    round:
      give:
        steps: {gift: {call: offering, with: {payer: payer}}}
    outcomes: {blessed: payer.luck > 2}
"""
GAME = interpreter.loads(RULES)


def payments(purse: tuple[int, ...], wanted: int) -> list[tuple[int, ...]]:
    """Every selection of dice that comes to the sum, by their places."""
    places = range(len(purse))
    every = chain.from_iterable(combinations(places, many) for many in range(len(purse) + 1))
    return [chosen for chosen in every if sum(purse[place] for place in chosen) == wanted]


@pytest.mark.parametrize("wanted", [0, 4, 5, 9, 13])
def test_chance_takes_every_selection_that_fits_equally_often(wanted: int) -> None:
    law: dict[int, Fraction] = {}
    for purse in product(range(1, 5), repeat=3):
        fitting = payments(purse, wanted) or [()]
        for chosen in fitting:
            law[len(chosen)] = law.get(len(chosen), Fraction(0)) + Fraction(1, 64 * len(fitting))
    odds = GAME.odds("toll", wanted=wanted, policy="random")
    assert {value: share for (value,), share in odds.law("paid").weights.items()} == law
    runs = GAME.simulate("toll", wanted=wanted, policy="random", runs=4000, seed=1, of=["paid"])
    for value, share in law.items():
        assert abs(runs.counts("paid").get((value,), 0) / 4000 - float(share)) < 0.05


def test_the_best_payment_is_one_that_fits() -> None:
    best = GAME.odds("toll", best="paid").law("paid").weights
    most = [max(map(len, payments(purse, 5)), default=0) for purse in product(range(1, 5), repeat=3)]
    assert {value: share * 64 for (value,), share in best.items()} == Counter(most)


def test_where_many_selections_fit_a_refusal_tells_the_condition() -> None:
    text = """
    ruleset: purse
    roles: {player: Who pays.}
    mechanics:
      toll:
        steps:
          coins: {choose: some, among: upto(12), together: sum(it) > 20, by: player, ask: "Which coins do you pay?"}
    """
    with pytest.raises(PlayError) as refused:
        interpreter.loads(text).roll("toll", choices={"coins": [1, 2]})
    assert "together `sum(it) > 20`" in str(refused.value)


def test_a_selection_that_does_not_fit_is_refused_with_those_that_do() -> None:
    with pytest.raises(PlayError) as refused:
        GAME.roll("toll", faces=[1, 4, 2], choices={"coins": ["d4: 1", "d4: 2"]})
    assert str(refused.value).endswith("(allowed: [d4: 1, d4: 4])")
    assert GAME.roll("toll", faces=[1, 4, 2], choices={"coins": ["d4: 1", "d4: 4"]}).values["paid"] == 2


def test_nobody_is_asked_where_nothing_fits() -> None:
    assert GAME.roll("toll", faces=[1, 1, 1], wanted=9).values["paid"] == 0


def test_runs_that_change_things_keep_to_it() -> None:
    """Scenes are played run by run, in generated code where a policy of the ruleset answers."""
    state = {"ann": {"is": "payer"}}
    runs = GAME.simulate("scenes.temple", payer="ann", policy="random", state=state, runs=300, seed=2)
    assert sum(runs.counts("outcome").values()) == 300
    with pytest.raises(PlayError) as refused:
        GAME.simulate("scenes.temple", payer="ann", policy="proud", state=state, runs=300, seed=2)
    assert refused.value.diagnostic.code == "HR620"


@pytest.mark.parametrize("ask", ["roll", "simulate", "odds"])
def test_a_policy_may_not_choose_what_does_not_fit(ask: str) -> None:
    """The highest of three d4 is not always 4."""
    with pytest.raises(PlayError) as refused:
        if ask == "roll":
            GAME.roll("toll", wanted=4, policy="proud", faces=[3, 1, 2])
        elif ask == "simulate":
            GAME.simulate("toll", wanted=4, policy="proud", runs=200, seed=1, of=["paid"])
        else:
            GAME.odds("toll", wanted=4, policy="proud").law("paid")
    assert refused.value.diagnostic.code == "HR620"
    assert GAME.roll("toll", wanted=4, policy="proud", faces=[3, 4, 2]).values["paid"] == 1


@pytest.mark.parametrize(("ask", "code"), [("roll", "HR631"), ("odds", "HR631"), ("simulate", "HR631")])
def test_a_condition_that_nothing_satisfies_costs_no_more_than_a_run_may(ask: str, code: str) -> None:
    """Of 30 elements there are a thousand million selections."""
    with pytest.raises(PlayError) as refused:
        if ask == "roll":
            GAME.roll("hopeless")
        elif ask == "odds":
            GAME.odds("hopeless").law("gems")
        else:
            GAME.simulate("hopeless", policy="random", runs=10)
    assert refused.value.diagnostic.code == code


def test_selections_are_work_of_exact_odds() -> None:
    """1,540 throws with 512 selections each: no run tries too many, but all of them together are too much work."""
    with pytest.raises(PlayError) as refused:
        GAME.odds("many_times_hopeless", policy="random").law("both")
    assert refused.value.diagnostic.code == "HR805"
