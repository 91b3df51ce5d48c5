"""The joint law of comparisons of two rolls, from how many dice of each show each face.

From the highest face down, a state has the numbers of dice that are not placed yet, by group, and what each comparison
knows so far. `c` of `n` equal dice show a face in `comb(n, c)` times as many ways as one die does, to the power `c`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, prod
from typing import Any

from interpreter.frozen import dataclass
from interpreter.odds.lazy_roll import LazyRoll, Needs
from interpreter.odds.matching import Fold
from interpreter.odds.meter import STATE, Meter
from interpreter.odds.truncation import AtLeast
from interpreter.runtime.operations import field_of

Left = tuple[int, ...]
"""How many dice of each group of a roll are not placed yet."""


@dataclass(frozen=True, slots=True)
class _Sorted:
    """A roll by faces: for each group of equal dice the ways of one die to show each face, and the number of dice."""

    groups: tuple[tuple[dict[Any, int], int], ...]
    total: int


def joint_of_matches(
    ours: LazyRoll, theirs: LazyRoll, folds: Sequence[tuple[Fold, bool]], by: str, depth: int, meter: Meter
) -> tuple[dict[tuple[Any, ...], int], int]:
    """The weights of the results of comparisons, and the total weight; dice of unknown value are missing from it.

    With each fold comes whether it compares theirs with ours. `by` is the name of a die by which dice are compared.
    """
    rolls = [_sort_by_face(one, by, depth) for one in (ours, theirs)]
    faces = sorted(
        {face for roll in rolls for weights, _ in roll.groups for face in weights}, key=_face_order, reverse=True
    )
    states: dict[tuple[Left, Left, tuple[Any, ...]], int] = {
        (*[tuple([count for _, count in roll.groups]) for roll in rolls], (0,) * len(folds)): 1  # type: ignore[dict-item]
    }
    done: dict[tuple[Any, ...], int] = {}

    def finish(known: tuple[Any, ...], ways: int) -> None:
        results = tuple([fold.result(one) for (fold, _), one in zip(folds, known, strict=True)])
        done[results] = done.get(results, 0) + ways

    for place, face in enumerate(faces):
        lower = faces[place + 1 :]
        after: dict[tuple[Left, Left, tuple[Any, ...]], int] = {}
        rest = [[sum([weights.get(one, 0) for one in lower]) for weights, _ in roll.groups] for roll in rolls]
        theirs_at: dict[Left, list[tuple[int, Left, int]]] = {}
        for (mine, other, known), ways in states.items():
            if other not in theirs_at:
                theirs_at[other] = list(_ways_to_show(rolls[1], face, other, rest[1]))
            for a, mine_left, more in _ways_to_show(rolls[0], face, mine, rest[0]):
                meter.spend(3 * len(theirs_at[other]))
                for b, other_left, times in theirs_at[other]:
                    now = tuple([
                        fold.step(one, face, b, a) if swapped else fold.step(one, face, a, b)
                        for (fold, swapped), one in zip(folds, known, strict=True)
                    ])  # fmt: skip
                    weight = ways * more * times
                    if all(fold.settled(one) for (fold, _), one in zip(folds, now, strict=True)):
                        finish(
                            now,
                            weight * _product_of_powers(rest[0], mine_left) * _product_of_powers(rest[1], other_left),
                        )
                    else:
                        key = (mine_left, other_left, now)
                        after[key] = after.get(key, 0) + weight
        states = after
        meter.check_memory(len(states) * STATE)
    for (mine, other, known), ways in states.items():
        if not any(mine) and not any(other):
            finish(known, ways)
    return done, rolls[0].total * rolls[1].total


def _sort_by_face(roll: LazyRoll, by: str, depth: int) -> _Sorted:
    groups: dict[tuple[tuple[Any, int], ...], int] = {}
    total = 1
    for unit, count in roll.groups:
        elements = unit.elements(Needs((by,)), depth)
        total *= sum(ways for _, ways in elements) ** count
        weights: dict[Any, int] = {}
        for die, ways in elements:
            face = field_of(die, by)
            if not isinstance(face, AtLeast):
                weights[face] = weights.get(face, 0) + ways
        key = tuple(sorted(weights.items(), key=lambda one: _face_order(one[0])))
        groups[key] = groups.get(key, 0) + count
    return _Sorted(tuple([(dict(weights), count) for weights, count in groups.items()]), total)


def _face_order(face: Any) -> tuple[bool, Any]:
    """Symbols come after numbers; only comparisons of equal faces read symbols, in whatever order."""
    return isinstance(face, str), face


def _ways_to_show(roll: _Sorted, face: Any, left: Left, rest: Sequence[int]) -> Iterator[tuple[int, Left, int]]:
    """How many dice of a roll may show a face, with what is left of each group then, and the ways."""
    found: dict[tuple[int, Left], int] = {(0, ()): 1}
    for (weights, _), many, lower in zip(roll.groups, left, rest, strict=True):
        one = weights.get(face, 0)
        after: dict[tuple[int, Left], int] = {}
        for shown in range(many + 1) if one and lower else (many,) if one else (0,):
            ways = comb(many, shown) * one**shown
            for (before, kept), times in found.items():
                key = (before + shown, (*kept, many - shown))
                after[key] = after.get(key, 0) + times * ways
        found = after
    for (shown, kept), ways in found.items():
        yield shown, kept, ways


def _product_of_powers(rest: Sequence[int], left: Left) -> int:
    return prod([one**many for one, many in zip(rest, left, strict=True)])
