"""Laws of dice by plain enumeration: every combination of what the dice may show, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

Faces = Sequence[int]
Chained = Mapping[tuple[int, ...], Fraction]
"""Throws of one die that is thrown on, each with its chance."""
Reading = Callable[..., int | bool]


def d(sides: int) -> Faces:
    return range(1, sides + 1)


def law(dice: Sequence[Faces | Chained], reading: Reading) -> dict[Any, Fraction]:
    """The chance of each value of a reading of dice."""
    found: dict[Any, Fraction] = {}
    for shown in product(*(_chances(die) for die in dice)):
        chance = Fraction(1)
        for _, one in shown:
            chance *= one
        value = reading(*(face for face, _ in shown))
        found[value] = found.get(value, Fraction(0)) + chance
    return found


def _chances(die: Faces | Chained) -> list[tuple[Any, Fraction]]:
    return list(die.items()) if isinstance(die, Mapping) else [(face, Fraction(1, len(die))) for face in die]


def mean(found: Mapping[Any, Fraction]) -> Fraction:
    return sum((chance * value for value, chance in found.items()), Fraction(0)) / sum(found.values())


def chained(sides: int, *on: int, most: int = 8) -> Chained:
    """A die that is thrown once more as long as it shows one of some faces, up to a number of throws."""
    made: dict[tuple[int, ...], Fraction] = {}
    open_ = {(): Fraction(1)}
    for number in range(1, most + 1):
        following: dict[tuple[int, ...], Fraction] = {}
        for throws, chance in open_.items():
            for face in d(sides):
                goes_on = face in on and number < most
                (following if goes_on else made)[(*throws, face)] = chance / sides
        open_ = following
    return made


def total(*faces: int) -> int:
    return sum(faces)


def best(number: int) -> Reading:
    return lambda *faces: sum(sorted(faces)[-number:])


def worst(number: int) -> Reading:
    return lambda *faces: sum(sorted(faces)[:number])


def middle(low: int, high: int) -> Reading:
    """All but some of the lowest and some of the highest."""
    return lambda *faces: sum(sorted(faces)[low : len(faces) - high])


def count(holds: Callable[[int], bool]) -> Reading:
    return lambda *faces: sum(map(holds, faces))


def anew(sides: int, holds: Callable[[int], bool]) -> Chained:
    """A die that is thrown anew, once, if it shows such a face: only the last throw counts."""
    made: dict[tuple[int, ...], Fraction] = {}
    for face in d(sides):
        if holds(face):
            for second in d(sides):
                made[face, second] = Fraction(1, sides * sides)
        else:
            made[(face,)] = Fraction(1, sides)
    return made


def last(reading: Reading) -> Reading:
    """A reading of the last throws of dice."""
    return lambda *throws: reading(*(one[-1] for one in throws))


def all_of(reading: Reading) -> Reading:
    """A reading of dice of which each counts all its throws."""
    return lambda *throws: reading(*(sum(one) for one in throws))
