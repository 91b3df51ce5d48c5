"""Plain enumeration, the slow truth: against laws that are known by hand, and against icepool where it is installed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import interpreter
from interpreter import Game, PlayError
from interpreter.api.exact_odds import paths_of
from interpreter.odds.brute_force import USUAL_EFFORT, Effort

Law = dict[Any, Fraction]


def rules(steps: str, more: str = "") -> Game:
    return interpreter.loads(f"ruleset: little\nroles: {{roller: Who rolls.}}\n{more}\nmechanics:\n  m:\n{steps}")


def law(game: Game, name: str = "total", effort: Effort = USUAL_EFFORT, /, **values: Any) -> Law:
    """The exact law of a named value; under None what was not followed."""
    found: Law = {}
    for weight, record in paths_of(game, "m", values, lambda: game.answers(None, None, None, game.reader()), effort):
        value = None if record is None else record[name]
        found[value] = found.get(value, Fraction(0)) + weight
    assert sum(found.values()) == 1
    return found


def mean(found: Law) -> Fraction:
    return sum((weight * value for value, weight in found.items()), Fraction(0))


def test_two_dice() -> None:
    found = law(rules("    steps: {rolled: {roll: 2d6}, total: sum(rolled)}\n"))
    assert found == {n: Fraction(6 - abs(n - 7), 36) for n in range(2, 13)}


def test_four_dice_without_the_lowest() -> None:
    found = law(rules("    steps:\n      rolled: {roll: 4d6}\n      total: sum(highest(rolled, 3))\n"))
    assert mean(found) == Fraction(15869, 1296)
    assert (found[18], found[3]) == (Fraction(21, 1296), Fraction(1, 1296))


def test_a_die_that_goes_on_leaves_mass_that_is_missing() -> None:
    game = rules("    steps: {rolled: {roll: d6, again: face == 6}, total: sum(rolled)}\n")
    found = law(game, "total", Effort(throws=3))
    assert found.pop(None) == Fraction(1, 216)
    assert found == {6 * chain + face: Fraction(1, 6 ** (chain + 1)) for chain in range(3) for face in range(1, 6)}


def test_a_chain_that_counts_and_stops_is_whole() -> None:
    found = law(rules("    steps: {rolled: {roll: d4, again: face == 4 and nth < 3}, total: sum(rolled)}\n"))
    assert None not in found
    assert found[12] == Fraction(1, 64) and found[9] == Fraction(1, 64) and found[4 + 1] == Fraction(1, 16)


def test_equal_faces_of_a_die_of_symbols_are_one_way_with_their_weight() -> None:
    game = rules(
        "    steps: {rolled: {roll: 'times(boost, 2)'}, total: sum(rolled.hit) - sum(rolled.miss)}\n",
        "dice: {boost: {faces: [blank, blank, blank, hit, hit, hit + hit, miss]}}",
    )
    one = {0: Fraction(3, 7), 1: Fraction(2, 7), 2: Fraction(1, 7), -1: Fraction(1, 7)}
    both: Law = {}
    for a, p in one.items():
        for b, q in one.items():
            both[a + b] = both.get(a + b, Fraction(0)) + p * q
    assert law(game) == both
    assert len(paths_of(game, "m", {}, lambda: game.answers(None, None, None, game.reader()))) == 16


def test_a_reroll() -> None:
    found = law(rules("    steps:\n      a: {roll: d6}\n      b: {reroll: a where face == 1}\n      total: sum(b)\n"))
    assert found == {face: Fraction(1 + 6 * (face > 1), 36) for face in range(1, 7)}


def test_dice_that_depend_on_dice() -> None:
    found = law(rules("    steps: {first_roll: {roll: d4}, more: {roll: (first_roll)d6}, total: sum(more)}\n"))
    assert mean(found) == Fraction(5, 2) * Fraction(7, 2)
    assert found[24] == Fraction(1, 4 * 6**4)


def test_choices_are_answered_on_every_way() -> None:
    game = rules("""
    steps:
      rolled: {roll: d6}
      kept: {choose: yes_no, by: roller, default: no, if: rolled < 4}
      again: {reroll: rolled, if: not kept and rolled < 4}
      total: (sum(rolled) if kept or rolled >= 4 else 0) + (again otherwise 0)
""")
    assert mean(law(game)) == Fraction(17, 4)  # below 4 thrown again, which is the best play


def test_inputs_are_the_same_on_every_way() -> None:
    game = rules("    inputs: {n: {type: number, from: 1}}\n    steps: {rolled: {roll: (n)d4}, total: sum(rolled)}\n")
    assert law(game, "total", USUAL_EFFORT, n=2)[8] == Fraction(1, 16)
    with pytest.raises(PlayError):
        law(game, "total", USUAL_EFFORT, n=0)


def test_too_many_ways_are_refused() -> None:
    game = rules("    steps: {rolled: {roll: 4d6}, total: sum(rolled)}\n")
    with pytest.raises(PlayError) as error:
        law(game, "total", Effort(ways=6**4 - 1))
    assert error.value.diagnostic.code == "HR631"
    assert len(law(game, "total", Effort(ways=6**4))) == 21


def test_no_dice_at_all_is_one_way() -> None:
    assert law(rules("    steps: {rolled: {roll: no_dice}, total: sum(rolled)}\n")) == {0: Fraction(1)}


# icepool as an oracle --------------------------------------------------------------------------------------------


def oracle(die: Any) -> Law:
    return {value: Fraction(weight, die.denominator()) for value, weight in die.items()}


AGAINST_ICEPOOL: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "the sum of mixed dice": (
        "rolled: {roll: 2d4 & d8 & d12}\n      total: sum(rolled)",
        lambda i: 2 @ i.d4 + i.d8 + i.d12,
    ),
    "the highest of mixed dice": (
        "rolled: {roll: 2d4 & d8 & d12}\n      total: highest(rolled)",
        lambda i: i.highest(i.d4, i.d4, i.d8, i.d12),
    ),
    "two highest of five": (
        "rolled: {roll: 5d4}\n      total: sum(highest(rolled, 2))",
        lambda i: i.d4.highest(5, 2),
    ),
    "the second highest": (
        "rolled: {roll: 4d6}\n      total: kth(rolled, 2) otherwise 0",
        lambda i: i.d6.pool(4)[-2],
    ),
    "five or more, counted": (
        "rolled: {roll: 4d6}\n      total: count(rolled where face >= 5)",
        lambda i: 4 @ (i.d6 >= 5).map({True: 1, False: 0}),
    ),
    "exploding twice at most": (
        "rolled: {roll: 2d6, again: face == 6 and nth < 3}\n      total: sum(rolled)",
        lambda i: 2 @ i.d6.explode(depth=2),
    ),
    "ones and twos thrown again, once": (
        "rolled: {roll: 2d6}\n      again: {reroll: rolled where face <= 2}\n      total: sum(again)",
        lambda i: 2 @ i.d6.reroll([1, 2], depth=1),
    ),
    "the better of two, less the worse": (
        "rolled: {roll: 2d10}\n      total: (highest(rolled)) - lowest(rolled)",
        lambda i: abs(i.d10 - i.d10),
    ),
    "the widest set": (
        "rolled: {roll: 4d6}\n      total: highest(groups(rolled).width)",
        lambda i: i.d6.pool(4).largest_count(),
    ),
    "the lowest of three passes": (
        "tries: {repeat: 3, each: {rolled: {roll: 2d4}, score: highest(rolled)}, keep: {lowest: score}}\n"
        "      total: tries.score",
        lambda i: i.lowest(*[i.highest(i.d4, i.d4)] * 3),
    ),
    "pairs won, highest against highest": (
        "mine: {roll: 2d6}\n      other: {roll: 2d6}\n"
        "      pairs: {pair: mine, with: other, each: {won: ours > theirs}}\n"
        "      total: count(pairs where it.won)",
        lambda i: i.map(lambda a, b, c, d: (max(a, b) > max(c, d)) + (min(a, b) > min(c, d)), i.d6, i.d6, i.d6, i.d6),
    ),
}


@pytest.mark.parametrize("name", AGAINST_ICEPOOL)
def test_against_icepool(name: str) -> None:
    icepool = pytest.importorskip("icepool")
    steps, die = AGAINST_ICEPOOL[name]
    assert law(rules(f"    steps:\n      {steps}\n")) == oracle(die(icepool))
