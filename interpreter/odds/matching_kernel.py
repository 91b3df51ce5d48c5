"""The joint law of comparisons of rolls, from how many dice of each show each face.

From the highest face down, a state has the numbers of dice that are not placed yet, by group, and what each comparison
knows so far. A roll whose comparisons are all settled is left aside. `c` of `n` equal dice show a face in `comb(n, c)`
times as many ways as one die does, to the power `c`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, prod
from typing import Any

from interpreter.frozen import dataclass
from interpreter.odds.lazy_roll import LazyRoll, Needs
from interpreter.odds.matching import Fold
from interpreter.odds.meter import STATE, Meter
from interpreter.odds.truncation import AtLeast
from interpreter.runtime.operations import field_of

Counts = tuple[int, ...]
"""How many dice of each roll show a face."""

Left = tuple[int, ...]
"""How many dice of each group of a roll are not placed yet."""


@dataclass(frozen=True, slots=True)
class _Sorted:
    """A roll by faces: for each group of equal dice the ways of one die to show each face, and the number of dice."""

    groups: tuple[tuple[dict[Any, int], int], ...]
    total: int


Compared = tuple[Fold, int, int]
"""A comparison, and the places of the two rolls that it compares."""

_States = dict[tuple[tuple[Left, ...], tuple[Any, ...]], int]
"""The weights of what is left of each roll, and what each comparison knows; nothing is left where none goes on."""


def joint_of_matches(
    rolls: Sequence[LazyRoll], pairs: Sequence[Compared], by: str, depth: int, meter: Meter
) -> tuple[dict[tuple[Any, ...], int], int]:
    """The weights of the results of comparisons, and the total weight; dice of unknown value are missing from it.

    `by` is the name of a die by which dice are compared.
    """
    sorted_rolls = [_sort_by_face(one, by, depth) for one in rolls]
    faces = sorted(
        {face for roll in sorted_rolls for weights, _ in roll.groups for face in weights}, key=_face_order, reverse=True
    )
    begun = tuple([tuple([count for _, count in roll.groups]) for roll in sorted_rolls])
    states: _States = {(begun, (0,) * len(pairs)): 1}
    done: dict[tuple[Any, ...], int] = {}
    for place, face in enumerate(faces):
        shown = _ShownFace(sorted_rolls, pairs, face, faces[place + 1 :])
        states = shown.states_after(states, done, meter)
        meter.check_memory(len(states) * STATE)
    for (left, known), ways in states.items():
        if not any(map(any, left)):
            _add_result(pairs, known, ways, done)
    return done, prod([roll.total for roll in sorted_rolls])


def _add_result(pairs: Sequence[Compared], known: tuple[Any, ...], ways: int, done: dict[tuple[Any, ...], int]) -> None:
    results = tuple([fold.result(one) for (fold, _, _), one in zip(pairs, known, strict=True)])
    done[results] = done.get(results, 0) + ways


class _ShownFace:
    """One face: how many dice of each roll may show it, and what follows for the comparisons."""

    def __init__(self, rolls: Sequence[_Sorted], pairs: Sequence[Compared], face: Any, lower: Sequence[Any]) -> None:
        self.rolls, self.pairs, self.face = rolls, pairs, face
        self.rest = [[sum([weights.get(one, 0) for one in lower]) for weights, _ in roll.groups] for roll in rolls]
        self._of_others: dict[tuple[Left, ...], list[tuple[Counts, tuple[Left, ...], int]]] = {}
        self._settled: dict[tuple[Any, ...], tuple[int, ...]] = {}

    def states_after(self, states: _States, done: dict[tuple[Any, ...], int], meter: Meter) -> _States:
        """The states after the dice that show this face, and those that are settled by then added to `done`."""
        after: _States = {}
        for (left, known), ways in states.items():
            others = self._ways_of_others(left[1:])
            for first, kept, more in _ways_to_show(self.rolls[0], self.face, left[0], self.rest[0]):
                meter.spend(3 * len(others))
                for counts, others_left, times in others:
                    now = self._compare((first, *counts), known)
                    key_left, weight = (kept, *others_left), ways * more * times
                    for place in self._rolls_no_longer_compared(now):
                        weight *= _product_of_powers(self.rest[place], key_left[place])
                        key_left = (*key_left[:place], (0,) * len(key_left[place]), *key_left[place + 1 :])
                    if len(self._settled[now]) == len(self.rolls):
                        _add_result(self.pairs, now, weight, done)
                    else:
                        after[key_left, now] = after.get((key_left, now), 0) + weight
        return after

    def _ways_of_others(self, left: tuple[Left, ...]) -> list[tuple[Counts, tuple[Left, ...], int]]:
        """How many dice of each roll but the first may show the face, with what is left of each then, and the ways."""
        if left not in self._of_others:
            rolls = zip(self.rolls[1:], left, self.rest[1:], strict=True)
            of_each = [list(_ways_to_show(roll, self.face, one, rest)) for roll, one, rest in rolls]
            self._of_others[left] = [
                (tuple([n for n, _, _ in row]), tuple([kept for _, kept, _ in row]), prod([ways for _, _, ways in row]))
                for row in product(*of_each)
            ]
        return self._of_others[left]

    def _compare(self, counts: Counts, known: tuple[Any, ...]) -> tuple[Any, ...]:
        """What the comparisons know when so many dice of each roll show the face."""
        return tuple([
            fold.step(one, self.face, counts[ours], counts[theirs])
            for (fold, ours, theirs), one in zip(self.pairs, known, strict=True)
        ])  # fmt: skip

    def _rolls_no_longer_compared(self, known: tuple[Any, ...]) -> tuple[int, ...]:
        """The places of rolls of which every comparison is settled."""
        if known not in self._settled:
            compared = [
                place
                for (fold, *places), one in zip(self.pairs, known, strict=True)
                if not fold.settled(one)
                for place in places
            ]
            self._settled[known] = tuple([place for place in range(len(self.rolls)) if place not in compared])
        return self._settled[known]


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
