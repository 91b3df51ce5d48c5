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
from generated.hold import held
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


READ = [*product(CHANGES, CONTROLS)]


@pytest.mark.parametrize("change, read", thorough(READ, lambda *one: READ.index(one) % 5 > 0, every=2))
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


SIX = "six: {repeat: 2, each: {die: {roll: d3}, pool: {roll: 2d2}, more: {roll: d2, if: die > 1}}}\n"
CORNERS = {
    "a limit that may be missing": SIX
    + "coin: {roll: d2}\nx: {roll: d2, if: coin == 1}\nvalue: count(six.die where face > x) if given(x) else 9",
    "a step that may be skipped": "six: {repeat: 2, each: {die: {roll: d3}}}\n"
    + "coin: {roll: d2}\nx: {roll: 2d2, if: coin == 1}\n"
    + "value: {is: count(six.die where face > sum(x)), if: given(x), else: 9}",
    "a die that may be missing": SIX + "value: count(six where given(it.more) and it.die + it.more > 3)",
    "dice that may be missing": SIX
    + "value: sum(six.more) * 100 + count(six.more where face == 2) * 10 + count(six.more)",
    "the best of dice that may be missing": SIX
    + "value: (highest(six.more) otherwise 0) + count(six.pool where face == 2)",
    "numbers that may be missing": "six: {repeat: 2, each: {die: {roll: d3}, w: {is: die, if: die > 1}}}\n"
    + "value: count(six.w where it > 2) * 10 + sum(six.w where it < 3)",
    "several fields of a pass": SIX + "value: count(six where sum(it.pool) > it.die) * 10 + sum(six.die)",
    "dice in their order": SIX + "value: item(six.die, 2) * 10 + count(six.die where face == 3)",
    "no passes": "n: {roll: d3}\nsix: {repeat: n - 1, each: {die: {roll: d3}}}\n"
    + "value: (highest(six.die) otherwise 9) * 10 + sum(six.die)",
    "elements whole": 'six: {for: one, among: "[1, 2]", each: {die: {roll: d2}, more: {roll: d2}}}\n'
    + "value: sum(six.die) * 10 + count(six where it.die == it.more)",
    "elements twice": 'six: {for: one, among: "[1, 1, 2]", each: {die: {roll: d3}}}\n'
    + "value: sum(six.die) * 10 + count(six.die)",
    "elements that a condition leaves out": "six: {for: one, among: '[1, 2, 3]', where: it > 1, "
    + "each: {die: {roll: d3}}}\nvalue: sum(highest(six.die, 1)) * 10 + count(six.die where face > 1)",
    "a name that passes have, too": "six: {repeat: 2, each: {die: {roll: d3}, x: die + 1}}\nx: {roll: d2}\n"
    + "value: count(six where it.die > x) * 10 + count(six.x where it > x)",
    "passes in passes": "outer: {repeat: 2, each: {six: {repeat: 2, each: {die: {roll: d2}}}, "
    + "sets: groups(six.die), n: count(six.die where face == 2) * 10 + count(sets)}}\nvalue: sum(outer.n)",
    "the end of passes": "outer: {repeat: 2, each: {six: {repeat: 2, each: {die: {roll: d2}}}}, "
    + "until: any(six.die where face == 2)}\nvalue: count(outer)",
    "half of a number": "limit: {roll: d3}\nsix: {repeat: 2, each: {die: {roll: d3}}}\n"
    + "value: count(six.die where face >= limit / 2)",
    "what is among faces": SIX + "value: (1 if 3 in six.die.face else 0) + (10 if 2 in six.pool.face else 0)",
    "other dice of the same pass": "six: {repeat: 2, each: {a: {roll: 2d2}, b: {roll: d2}, "
    + "n: count(a where face > b)}}\nvalue: sum(six.n) * 10 + count(six where count(it.a where face == 2) > it.b)",
    "a selection of a selection": "rolled: {roll: 3d3}\nfirst_two: highest(rolled, 2)\nsome: first_two where face > 1\n"
    + "value: count(some) * 10 + sum(first_two)",
    "a selection in a condition": "rolled: {roll: 2d3}\nhits: rolled where face > 1\nother: {roll: 2d3}\n"
    + "value: count(other where face > count(hits))",
    "a state that changes": "six: {repeat: 2, each: {die: {roll: d3}}}\nmore: {gain: first(six.die), to: purse.coins}\n"
    + "value: count(six where it.die * 2 > purse.coins)",
    "a state that an outcome changes": "six: {repeat: 2, each: {die: {roll: d3}}}\nvalue: sum(six.die)",
    "passes by their numbers": "six: {repeat: 3, each: {die: {roll: d2}, v: die * nth}, until: die == nth}\n"
    + "value: sum(six.v) * 10 + count(six)",
}


STATE = """\
    outcomes:
      won:
        if: any(six.die where face == 3)
        steps:
          less: {lose: 1, from: purse.coins}
          left: count(six where it.die > purse.coins)
      lost: otherwise
kinds:
  purse: {one: yes, has: {coins: {type: points, to: 9, starts: 3}}}
"""


@pytest.mark.parametrize("corner", thorough(CORNERS, lambda corner: [*CORNERS].index(corner) % 3 > 0, every=2))
def test_corners_of_spellings_have_the_law_of_enumeration(corner: str) -> None:
    verdict = held(ruleset({"main": CORNERS[corner]}) + (STATE if "state" in corner else ""))
    assert verdict.kind == "agreed", verdict.about
