"""Weighted draws by the million, from raw random bits.

Sixteen random bits select one of 65,536 slots, and each entry has as many whole slots as fit into its share. The slots
that are left over stand for the remainders of the shares: a draw of one of them is followed by a draw among the
remainders, with 64 bits. So every share is exact to one part in 2^64, and most draws read a table once.

NumPy gives only raw bits of SFC64, seeded by `SeedSequence`; all else is computed here, so that a seed means the same
in every version.

Source of the table: G. Marsaglia, "Generating discrete random variables in a computer" (CACM 6, 1963).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpreter.work_count import spend

Column = NDArray[Any]

SLOTS = 1 << 16
DRAWN = 100
"""How many places are drawn in the time of a unit of work."""
FEW = 1024
"""The number of draws up to which making the table takes longer than it saves."""


class Bits:
    """The raw random bits of one chunk of runs, which depend only on the seed and the place of the chunk."""

    def __init__(self, seed: int, *place: int) -> None:
        self._raw = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=place)).random_raw

    def words(self, count: int) -> Column:
        """A column of random words of 64 bits."""
        return self._raw(count)

    def slots(self, count: int) -> Column:
        """A column of random numbers of 16 bits."""
        return self._raw((count + 3) >> 2).astype("<u8", copy=False).view("<u2")[:count]


class Urn:
    """Draws places of a list by their weights.

    `full` are the numbers of whole slots of every place; the slots from `open` on are for the remainders, `rests`.
    """

    def __init__(self, weights: Sequence[int]) -> None:
        self.weights = tuple(weights)
        total = sum(weights)
        self.full = [SLOTS * one // total for one in weights]
        self.rests = [SLOTS * one % total for one in weights]
        self.open = sum(self.full)
        self._rest = _upper_bounds(self.rests)
        self._every: Column | None = None
        self._table: Column | None = None

    def draw(self, bits: Bits, count: int) -> Column:
        """A column of places."""
        spend(1 + count // DRAWN)
        if count <= FEW:
            return self.draw_few(bits, count)
        if self._table is None:
            self._table = np.zeros(SLOTS, smallest_type_for(len(self.weights)))
            self._table[: self.open] = np.repeat(np.arange(len(self.weights)), self.full)
        slots = bits.slots(count)
        places = self._table.take(slots)
        if self.open < SLOTS and len(left := np.flatnonzero(slots >= self.open)):
            places[left] = self.draw_rests(bits, len(left))
        return places

    def draw_few(self, bits: Bits, count: int) -> Column:
        """The same for a few places, without a table."""
        if self._every is None:
            self._every = _upper_bounds(self.weights)
        return np.searchsorted(self._every, bits.words(count), side="right")

    def draw_rests(self, bits: Bits, count: int) -> Column:
        """Places drawn by the remainders of their shares."""
        return np.searchsorted(self._rest, bits.words(count), side="right")


def smallest_type_for(width: int) -> Any:
    """The smallest type for the numbers below `width`."""
    return np.uint8 if width <= 1 << 8 else np.uint16 if width <= 1 << 16 else np.int64


def _upper_bounds(weights: Sequence[int]) -> Column:
    """The upper bounds of places: a word below a bound means this place or one before it; the last has none."""
    total = sum(weights)
    return np.array([(one << 64) // total for one in accumulate(weights) if one < total], np.uint64)
