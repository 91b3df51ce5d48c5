"""Dice of different kinds that explode: of each, a tail is known from below only, so what ranks first may be open."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import product
from math import prod
from typing import Any

import pytest

import interpreter
from interpreter.odds.best_of_fewer import laws_of_best_of_fewer
from interpreter.odds.fold import Axis, Features, fold
from interpreter.odds.kernels import joint_law
from interpreter.odds.meter import Meter
from interpreter.odds.truncation import AtLeast

Die = dict[Any, int]
SMALL: Die = {1: 2, 2: 1, AtLeast(4): 1}
LARGE: Die = {1: 3, 3: 1, 5: 1, 6: 1, AtLeast(7): 2}
HIGH: Die = {1: 2, 4: 1, AtLeast(12): 1}
POOLS: dict[str, list[tuple[Die, int]]] = {
    "one of each": [(SMALL, 1), (LARGE, 1)],
    "two and two": [(SMALL, 2), (LARGE, 2)],
    "three and one, and a die without a tail": [(SMALL, 3), (LARGE, 1), ({2: 1, 9: 1}, 1)],
    "tails above all others": [(HIGH, 2), ({1: 3, 3: 1, 11: 1, AtLeast(13): 2}, 2)],
    "tails above all others, and dice without": [(HIGH, 3), ({2: 1, 9: 2}, 2)],
}
AXES = {
    "top 2": Axis("top", 2), "top 3": Axis("top", 3), "low 2": Axis("low", 2), "second": Axis("kth", 2),
    "last but one": Axis("kth", 3), "all": Axis("sum"),
}  # fmt: skip


def groups_of(pool: list[tuple[Die, int]], axes: int) -> list[tuple[Features, int]]:
    return [({(value,) * axes: ways for value, ways in die.items()}, count) for die, count in pool]


def truth(pool: list[tuple[Die, int]], axes: list[Axis], beyond: int) -> Counter[tuple[Any, ...]]:
    """The law where every tail is so far beyond its bound."""
    dice = [die for die, count in pool for _ in range(count)]
    law = Counter[tuple[Any, ...]]()
    for row in product(*[die.items() for die in dice]):
        values = sorted([v.low + beyond if isinstance(v, AtLeast) else v for v, _ in row], reverse=True)
        law[tuple(value_of(axis, values) for axis in axes)] += prod(ways for _, ways in row)
    return law


def value_of(axis: Axis, values: list[int]) -> int | None:
    if axis.kind == "kth":
        return values[axis.k - 1] if axis.k <= len(values) else None
    return sum(values if axis.kind == "sum" else values[: axis.k] if axis.kind == "top" else values[::-1][: axis.k])


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("names", [(one,) for one in AXES] + [("top 2", "all"), ("top 3", "second")], ids=" and ".join)
def test_what_is_known_is_so_however_far_tails_go(names: tuple[str, ...], pool: str) -> None:
    axes = [AXES[name] for name in names]
    groups = groups_of(POOLS[pool], len(axes))
    law, total = joint_law(groups, axes, Meter())
    known = {values: ways for values, ways in law.items() if AtLeast not in map(type, values)}
    for beyond in (0, 1, 2, 5, 100):
        true = truth(POOLS[pool], axes, beyond)
        assert sum(true.values()) == total
        for values, ways in known.items():
            assert ways <= true[values]
        assert sum(law.values()) <= total


@pytest.mark.parametrize("beyond", [0, 1, 2, 5, 100])
@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("names", [(one,) for one in AXES] + [("top 2", "all"), ("top 3", "second")], ids=" and ".join)
def test_a_mean_lies_between_its_bounds_and_nothing_is_lost(names: tuple[str, ...], pool: str, beyond: int) -> None:
    """Tails that are exactly so far above their bounds as their mean says are one law that they may have."""
    axes = [AXES[name] for name in names]
    exact = [
        ({AtLeast(v.low, F(beyond)) if isinstance(v, AtLeast) else v: ways for v, ways in die.items()}, count)
        for die, count in POOLS[pool]
    ]
    true = truth(POOLS[pool], axes, beyond)
    for kernel in (joint_law, fold):
        found: Any = kernel(groups_of(exact, len(axes)), axes, Meter())
        law = found[0] if kernel is joint_law else found
        assert sum(law.values()) == sum(true.values())
        for place in range(len(axes)):
            mean = sum([(values[place] or 0) * ways for values, ways in true.items()])
            least = most = F(0)
            for values, ways in law.items():
                one = 0 if values[place] is None else values[place]
                low, high = one.mean_between if isinstance(one, AtLeast) else (one, one)
                least, most = least + low * ways, most + high * ways
            assert least <= mean <= most


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("name", ["top 2", "top 3", "all"])
def test_as_much_is_known_as_die_by_die(name: str, pool: str) -> None:
    groups = groups_of(POOLS[pool], 1)

    def known(law: dict[tuple[Any, ...], int]) -> dict[tuple[Any, ...], int]:
        return {values: ways for values, ways in law.items() if not isinstance(values[0], AtLeast)}

    assert known(joint_law(groups, [AXES[name]], Meter())[0]) == known(fold(groups, [AXES[name]], Meter()))


@pytest.mark.parametrize("most", [2, 3, 4])
@pytest.mark.parametrize("pool", [name for name in POOLS if name.startswith("tails above")])
def test_laws_of_the_best_of_fewer_dice_are_those_die_by_die(pool: str, most: int) -> None:
    groups = groups_of(POOLS[pool], 1)
    counts = [count for _, count in groups]
    found = laws_of_best_of_fewer(groups, [Axis("top", most)], Meter())
    assert found is not None
    plain = [{f: ways for f, ways in features.items() if type(f[0]) is int} for features, _ in groups]
    for left in product(*[range(count + 1) for count in counts]):
        ranked = max(most - sum(counts) + sum(left), 0)
        assert found[left] == fold(list(zip(plain, left, strict=True)), [Axis("top", ranked)], Meter())


@pytest.mark.parametrize("pool", [name for name in POOLS if not name.startswith("tails above")])
def test_a_tail_that_may_be_lower_than_another_die_takes_no_rank_for_certain(pool: str) -> None:
    assert laws_of_best_of_fewer(groups_of(POOLS[pool], 1), [Axis("top", 2)], Meter()) is None


@pytest.mark.parametrize("kept", ["highest({0}, 3)", "without({0}, lowest({0}, 2))", "lowest({0}, 3)"])
def test_mixed_dice_that_explode_are_kept_and_dropped_in_whatever_words(kept: str) -> None:
    ways = {
        "one roll": "mixed: {roll: 3d6 & 2d8, again: face == size}",
        "two rolls": "one: {roll: 3d6, again: face == 6}\n      other: {roll: 2d8, again: face == 8}\n"
        "      mixed: one & other",
        "parts": "mixed: {roll: {one: 3d6, other: 2d8}, again: face == size}",
    }
    laws = []
    for steps in ways.values():
        text = f"ruleset: kept\nmechanics:\n  main:\n    steps:\n      {steps}\n"
        game = interpreter.loads(f"{text}      value: sum({kept.format('mixed')})\n")
        laws.append(game.odds("main").law("value"))
        assert laws[-1].missing < F(1, 10**12)
    assert all(law.weights == laws[0].weights for law in laws)
    work = [law.cost.work for law in laws if law.cost is not None]
    assert max(work) <= 3 * min(work) <= 600_000
