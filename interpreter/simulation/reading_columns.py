"""Readings of a roll drawn die by die, where no kernel gives their law with little work.

Every die of the roll is a column; the columns of what a reading takes of each die are added, or sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from interpreter.odds.fold import Axis
from interpreter.odds.marginal_kernel import Frame, PreparedReading
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.runtime.operations import ELEMENTS
from interpreter.simulation.columns import BLOCK, CELLS, SORTED, Row, Rows, count_codes, name_rows, number_rows
from interpreter.simulation.random_bits import Bits, Column
from interpreter.simulation.tables import DieTable
from interpreter.work_count import spend

LARGEST = 1 << 40
"""The limit on an entry: sums of all dice fit into a column."""


class ReadingColumns:
    """Draws the readings of a roll; runs in which one of them is undecided are left out.

    Raises OverflowError of numbers that are too large for columns.
    """

    def __init__(self, dice: Sequence[tuple[DieTable, int]], readers: Sequence[PreparedReading], frame: Frame) -> None:
        at = {**frame, ".meter": [ELEMENTS]}
        self._readers = readers
        self._axes = [one.axis(at, sum([count for _, count in dice])) for one in readers]
        rows = [[_entries(readers, at, one) for one, _ in table.elements] for table, _ in dice]
        self._dice = [(table.urn, count) for table, count in dice]
        self._many = sum([count for _, count in dice])
        self._undecided = [np.array([row is None for row in some], bool) for some in rows]
        self._sentinel = [_sentinel(axis, n, rows) for n, axis in enumerate(self._axes)]
        self._entries = [
            [np.array([none if row is None or row[n] is None else row[n] for row in some], np.int64) for some in rows]
            for n, none in enumerate(self._sentinel)
        ]

    def sample(self, bits: Bits, parts: Sequence[int]) -> Rows:
        """The values of the readings in the runs of each part."""
        total = sum(parts)
        values = [np.zeros(total, np.int64) for _ in self._axes]
        undecided = np.zeros(total, bool)
        for start in range(0, total, BLOCK):
            block = slice(start, min(start + BLOCK, total))
            drawn = [[urn.draw(bits, block.stop - start) for _ in range(count)] for urn, count in self._dice]
            for lost, places in zip(self._undecided, drawn, strict=True):
                for one in places if lost.any() else ():
                    undecided[block] |= lost[one]
            for value, axis, none, entries in zip(values, self._axes, self._sentinel, self._entries, strict=True):
                for some in self._pieces(block.stop - start):
                    spend(1 + self._many * (some.stop - some.start) // SORTED)
                    columns = [of.take(one[some]) for of, places in zip(entries, drawn, strict=True) for one in places]
                    cells = np.array(columns, np.int64).reshape(-1, some.stop - some.start)
                    value[start + some.start : start + some.stop] = _axis_values(axis, cells, none)
        numbers, first = number_rows(values, total)
        rows = [tuple([self._result(n, value[place]) for n, value in enumerate(values)]) for place in first.tolist()]
        numbers[undecided] = len(rows)
        return name_rows(count_codes(numbers, parts, len(rows)), rows)

    def _pieces(self, runs: int) -> Iterator[slice]:
        """The runs of a block in pieces, so that the columns of many dice take little memory."""
        size = max(1, CELLS // max(self._many, 1))
        return (slice(start, min(start + size, runs)) for start in range(0, runs, size))

    def _result(self, n: int, number: Any) -> Any:
        axis, value = self._axes[n], int(number)
        one = axis.one or axis.kind == "kth"
        return self._readers[n].result(None if one and value == self._sentinel[n] else value)


def _entries(readers: Sequence[PreparedReading], at: Frame, one: Any) -> Row | None:
    """What the readings take of a die; None where that is undecided."""
    at[".meter"] = [ELEMENTS]
    try:
        row = tuple([reader.entry(at, one, reader.takes(at, one)) for reader in readers])
    except Undecided:
        return None
    if AtLeast in map(type, row):
        return None
    if any(entry is not None and abs(entry) > LARGEST for entry in row):
        raise OverflowError
    return row


def _sentinel(axis: Axis, n: int, rows: Sequence[Sequence[Row | None]]) -> int:
    """The number that stands for a die that a reading leaves out: it is sorted behind all others."""
    found = [row[n] for some in rows for row in some if row is not None and row[n] is not None]
    if axis.kind == "sum":
        return 0
    return max(found, default=0) + 1 if axis.kind == "low" else min(found, default=0) - 1


def _axis_values(axis: Axis, columns: Column, left_out: int) -> Column:
    """The value of an axis for each run, from a row for each die."""
    if axis.kind == "sum":
        total: Column = columns.sum(axis=0)
        return total
    columns.sort(axis=0)
    in_order = columns if axis.kind == "low" else columns[::-1]
    chosen = in_order[axis.k - 1 : axis.k] if axis.kind == "kth" and axis.k > 0 else in_order[axis.skip :][: axis.k]
    if axis.one or axis.kind == "kth":
        return chosen[0] if len(chosen) else np.full(columns.shape[1], left_out)
    total = np.where(chosen == left_out, 0, chosen).sum(axis=0)
    return total
