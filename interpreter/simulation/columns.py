"""Columns of numbers, one for each run: drawn from the law of what is read of a roll, block by block, and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from interpreter.simulation.random_bits import Bits, Column, Urn, smallest_type_for
from interpreter.work_count import spend

BLOCK = 1 << 16
"""The number of runs that are computed at a time, so that their columns stay in the cache of the processor."""

CELLS = 1 << 20
"""The number of cells, runs by dice, that are computed at a time."""

SORTED = 20
"""How many cells are sorted, or told apart, in the time of a unit of work."""

WIDEST = 1 << 62

Row = tuple[Any, ...]

Cells = Iterator[tuple[int, int, int]]
"""A part of the runs, a code, and the number of runs of the part that have it."""

Rows = Iterator[tuple[int, Row, int]]
"""The same with what was drawn in place of its code; equal values are one object."""


class TooManyStates(Exception):
    """Too many states or throws at a time; a smaller part of the runs has fewer."""


class LawColumns:
    """Draws the rows of a law, each by its place; runs without a row are undecided."""

    def __init__(self, law: Sequence[tuple[Row, int]], total: int) -> None:
        self._rows = [row for row, _ in law]
        weights = [weight for _, weight in law]
        self._urn = Urn([*weights, total - sum(weights)])

    def sample(self, bits: Bits, parts: Sequence[int]) -> Rows:
        """The rows of the runs of each part; undecided runs are left out."""
        return name_rows(count_in_blocks(lambda size: self._urn.draw(bits, size), parts, len(self._rows)), self._rows)


def name_rows(cells: Cells, rows: Sequence[Row]) -> Rows:
    """The cells with the row of each code."""
    return ((part, rows[code], count) for part, code, count in cells)


def count_in_blocks(block: Callable[[int], Column], parts: Sequence[int], width: int) -> Cells:
    """The counts of codes that are computed block by block; runs with the code `width` are left out."""
    total = sum(parts)
    sizes = [min(BLOCK, total - at) for at in range(0, total, BLOCK)]
    if len(parts) == 1 and width <= BLOCK:
        counts: Any = 0
        for size in sizes:
            counts = counts + np.bincount(block(size), minlength=width + 1)
        found = np.flatnonzero(counts[:width])
        return zip([0] * len(found), found.tolist(), counts[found].tolist(), strict=True)
    codes = np.empty(total, smallest_type_for(width + 1))
    at = 0
    for size in sizes:
        codes[at : at + size] = block(size)
        at += size
    return count_codes(codes, parts, width)


def count_codes(codes: Column, parts: Sequence[int], width: int) -> Cells:
    """The number of times that each code below `width` occurs in each part of a column, part by part."""
    if len(parts) * BLOCK // 64 <= len(codes) and width <= BLOCK:
        at = 0
        for part, size in enumerate(parts):
            counts = np.bincount(codes[at : at + size], minlength=width)[:width]
            found = np.flatnonzero(counts)
            yield from zip([part] * len(found), found.tolist(), counts[found].tolist(), strict=True)
            at += size
        return
    span = width + 1
    keys, counts = np.unique(np.repeat(np.arange(len(parts), dtype=np.int64) * span, parts) + codes, return_counts=True)
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        part, code = divmod(key, span)
        if code < width:
            yield part, code, count


def number_rows(columns: Iterable[Column], runs: int) -> tuple[Column, Column]:
    """The runs numbered by their rows of several columns: equal rows have one number. With the first run of each."""
    code, width = np.zeros(runs, np.int64), 1
    for column in columns:
        spend(1 + runs // SORTED)
        low = int(column.min())
        span = int(column.max()) - low + 1
        if width * span >= WIDEST:
            _, code = np.unique(code, return_inverse=True)
            width = int(code.max()) + 1
        code = code * span + (column - low)
        width *= span
    _, first, numbers = np.unique(code, return_index=True, return_inverse=True)
    return numbers, first
