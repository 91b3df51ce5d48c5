"""Two sentences that mean the same have the same odds for about the same work, whichever an author writes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from enumeration import by_enumeration
from generated.asking import Asked
from generated.spellings import (
    CHANGES,
    POOLS,
    READINGS,
    SELECTIONS,
    UNTIL,
    life,
    ruleset,
    sizes,
    spellings_of_passes,
    spellings_of_pools,
    spellings_of_selections,
)
from marks import thorough

import interpreter

MOST_WORK = 3
"""How many times the work of one spelling another one may take."""

AT_ONCE = 500
"""Below this work, of half a millisecond, a question is answered at once whatever its spelling."""


def hold(spellings: Mapping[str, str], small: bool) -> None:
    """Hold all spellings to one law: small ones to that of enumeration, others to about the same work as well."""
    laws: dict[str, Mapping[tuple[Any, ...], Fraction]] = {}
    work: dict[str, int] = {}
    for name, steps in spellings.items():
        law = interpreter.loads(ruleset({name: steps})).odds(name).law("value")
        assert not law.missing and law.cost is not None
        laws[name], work[name] = law.weights, law.cost.work
    first = next(iter(spellings))
    true = laws[first]
    if small:
        true = Asked(interpreter.loads(ruleset(spellings)), first, {}, None, None, {}).law(("value",))
    assert {name: law for name, law in laws.items() if law != true} == {}, spellings
    assert small or max(work.values()) <= MOST_WORK * max(min(work.values()), AT_ONCE), (work, spellings)


GRID = [*product(READINGS, UNTIL)]


@pytest.mark.parametrize("reading, until", thorough(GRID, lambda *one: GRID.index(one) % 4 > 0, every=2))
def test_dice_of_passes_are_read_alike_in_all_spellings(reading: str, until: str) -> None:
    chance = Random(f"{reading} {until}")
    for small in (True, False):
        hold(spellings_of_passes(reading, until, sizes(chance, small)), small)


@pytest.mark.parametrize("reading", POOLS)
def test_pools_of_passes_are_read_alike_in_all_spellings(reading: str) -> None:
    chance = Random(reading)
    for small in (True, False):
        hold(spellings_of_pools(reading, sizes(chance, small)), small)


@pytest.mark.parametrize("selection", SELECTIONS)
def test_what_steps_name_of_a_roll_is_read_as_if_it_had_no_name(selection: str) -> None:
    chance = Random(selection)
    for small in (True, False):
        hold(spellings_of_selections(selection, chance, sizes(chance, small)), small)


PEOPLE = {"ann": {"is": "hero"}}
CONTROLS = ("who.skills(a) > 0", "who.health < 9", "any(terms where who.skills(b) > 0)")


@pytest.mark.parametrize("change", [one for one in CHANGES if one != "nothing"])
def test_changes_that_a_question_does_not_read_cost_nothing(change: str) -> None:
    chance = Random(change)
    until = chance.random() < 0.5
    size = sizes(chance, False)
    work = {}
    laws = {}
    for one in (change, "nothing"):
        game = interpreter.loads(life(one, 12, until, size))
        law = game.odds("life", who="ann", state=game.state(PEOPLE)).law("outcome", "served")
        assert not law.missing and law.cost is not None
        laws[one], work[one] = law.weights, law.cost.work
    assert laws[change] == laws["nothing"]
    assert work[change] <= MOST_WORK * max(work["nothing"], AT_ONCE), work


@pytest.mark.parametrize("change, read", thorough(product(CHANGES, CONTROLS), lambda one, _: len(one) % 2 > 0))
def test_changes_that_a_question_reads_are_made(change: str, read: str) -> None:
    chance = Random(f"{change} {read}")
    game = interpreter.loads(life(change, 2, chance.random() < 0.5, sizes(chance, True), read))
    state = game.state(PEOPLE)
    odds = game.odds("life", who="ann", state=state)
    for names in (("outcome", "skilled"), ("outcome",), ("terms",), ("served", "terms")):
        assert odds.law(*names).weights == by_enumeration(game, "life", state, names, {"who": "ann"}), names
    left = odds.law("ann.health").weights
    if change in ("nothing", "gain", "call", "for", "sometimes"):
        assert left == {(9,): 1}
    else:
        assert len(left) > 1 or change == "two"
