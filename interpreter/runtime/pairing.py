"""Two rolls, die against die: both sorted from the highest, the first against the first and so on down."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from interpreter.values import Die, Roll, Throw, Thrown

STAND_IN = -1
"""The key of what stands in where their dice have run out; no die of a run has it."""


def paired(
    ours: Roll, theirs: Roll, missing: int | None, first: Callable[[Thrown], bool] | None
) -> list[tuple[Thrown, Thrown]]:
    """The pairs. Their surplus dice are ignored; ours meet `missing`, or nothing, where there is none.

    Among our dice of equal worth, those for which `first` holds come first; apart from that, as thrown.
    """
    mine = sorted(ours, key=lambda die: (-die.value, not first(die) if first else False))
    other = sorted(theirs, key=lambda die: -die.value)[: len(mine)]
    if missing is None:
        return list(zip(mine, other, strict=False))
    return list(zip_longest(mine, other, fillvalue=stand_in(missing)))


def stand_in(worth: int) -> Thrown:
    """What our dice meet where theirs have run out."""
    return Thrown(Die(max(worth, 1)), None, STAND_IN, (Throw(worth, 1, worth, {}),), worth)
