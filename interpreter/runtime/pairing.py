"""Pairing of two rolls: both are sorted from the highest, and dice at the same place form a pair."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from interpreter.values import Die, Roll, Throw, Thrown

STAND_IN = -1
"""The key of the stand-in for a missing die of theirs; no die of a run has it."""


def pair_dice(
    ours: Roll, theirs: Roll, missing: int | None, first: Callable[[Thrown], int] | None
) -> list[tuple[Thrown, Thrown]]:
    """The pairs. Surplus dice of theirs are ignored; surplus dice of ours are paired with `missing`, if it is given.

    Among our dice of equal value, those with the highest number of `first` come first, where yes is a 1 and no a 0;
    dice with the same number stay in the order of the throw.
    """
    mine = sorted(ours, key=lambda die: (-die.value, -first(die) if first else 0))
    other = sorted(theirs, key=lambda die: -die.value)[: len(mine)]
    if missing is None:
        return list(zip(mine, other, strict=False))
    return list(zip_longest(mine, other, fillvalue=stand_in(missing)))


def stand_in(value: int) -> Thrown:
    """The stand-in for a missing die of theirs."""
    return Thrown(Die(max(value, 1)), None, STAND_IN, (Throw(value, 1, value, {}),), value)
