"""The columns that draw the readings of a roll, or of two rolls that are paired die against die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from interpreter.odds.demand import Demand
from interpreter.odds.fold import Axis
from interpreter.odds.lazy_roll import DieUnit, Elements, LazyRoll, Needs
from interpreter.odds.marginal_kernel import Frame, PreparedReading
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.state_keys import frozen
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.runtime.evaluator import ELEMENTS
from interpreter.runtime.pairing import stand_in
from interpreter.simulation.columns import SORTED, WIDEST, Cells, Columns, Row, Rows, TooWide, in_blocks, kind_for
from interpreter.simulation.die_tables import DieTables
from interpreter.simulation.random_bits import Bits, Column

MOST_COUPLES = 1 << 16
MOST_OF_TWO = 1 << 8
"""The limit on numbers of a pair, below which two pairs are read from one table."""

SEEN: Needs = frozenset(("value", "face", "many", "last"))
"""What pairs may read of a die."""


def tables_for(wanted: Demand) -> Iterator[tuple[DieUnit, Needs]]:
    """The tables that the columns of a demand are read from, as `DieTables.of` takes them."""
    source = wanted.source
    if isinstance(source, LazyRoll):
        yield from _units(source, wanted.readers)
    else:
        yield from _units(source.ours, wanted.of("ours"), SEEN)
        yield from _units(source.theirs, wanted.of("theirs"), SEEN)


def _units(
    lazy: LazyRoll, readers: Sequence[PreparedReading], also: Needs = frozenset()
) -> list[tuple[DieUnit, Needs]]:
    needs = also.union(*(one.needs for one in readers))
    return [(unit, needs) for unit, _ in lazy.groups]


def columns(lazy: LazyRoll, readers: Sequence[PreparedReading], frame: Frame, tables: DieTables) -> Columns:
    """The columns of readings of a roll. Raises TooWide if they cannot be columns."""
    at = {**frame, ".meter": [ELEMENTS]}
    groups = []
    for one_die, (_, count) in zip(_units(lazy, readers), lazy.groups, strict=True):
        rows: dict[Any, tuple[Row | None, int]] = {}
        for one, weight in _elements(tables, *one_die):
            _add(rows, _row(readers, at, one), weight)
        groups.append((list(rows.values()), count))
    return Columns(groups, [one.axis(at, len(lazy)) for one in readers])


def couples(
    paired: Paired,
    pairs: Sequence[PreparedReading],
    ours: Sequence[PreparedReading],
    theirs: Sequence[PreparedReading],
    frame: Frame,
    tables: DieTables,
) -> PairColumns:
    """The columns of readings of pairs and of both rolls. Raises TooWide if they cannot be columns, or if the pairs
    depend on the order in which equal dice were thrown."""
    at = {**frame, ".meter": [ELEMENTS]}
    mine = _SortedRollColumns(paired.ours, ours, paired.prefers, paired.ours_key, at, tables)
    other = _SortedRollColumns(paired.theirs, theirs, None, paired.theirs_key, at, tables)
    width = len(other.faces) + 1
    if (len(mine.faces) + 1) * width > MOST_COUPLES:
        raise TooWide
    pair_count = mine.dice if paired.missing is not None else min(mine.dice, other.dice)
    entries_of: dict[int, tuple[int, ...]] = {}
    for a, one in enumerate(mine.faces, 1):
        partners = list(enumerate(other.faces, 1))
        if paired.missing is not None and mine.dice > other.dice:
            partners.append((0, stand_in(paired.missing)))
        for b, their in partners:
            record = paired.record(one, their)
            at[".meter"] = [ELEMENTS]
            entries_of[a * width + b] = tuple([reader.entry(at, record, reader.takes(at, record)) for reader in pairs])
    return PairColumns(
        mine.columns(width, pair_count), other.columns(1, pair_count), len(pairs), pair_count, entries_of
    )


class _SortedRollColumns:
    """One of two rolls, with its dice numbered in sorted order, from the lowest."""

    def __init__(
        self,
        lazy: LazyRoll,
        readers: Sequence[PreparedReading],
        prefers: Any,
        key_of: Any,
        at: Frame,
        tables: DieTables,
    ) -> None:
        self._axes = [one.axis(at, len(lazy)) for one in readers]
        self._groups: list[tuple[list[tuple[Row | None, Any, int]], int]] = []
        self.dice = len(lazy)
        seen: dict[Any, tuple[Any, Any]] = {}
        for one_die, (_, count) in zip(_units(lazy, readers, SEEN), lazy.groups, strict=True):
            rows: list[tuple[Row | None, Any, int]] = []
            for one, weight in _elements(tables, *one_die):
                row = _row(readers, at, one)
                try:
                    order = (one.value, prefers(one) if prefers else 0)
                    key = key_of(one)
                except Undecided:
                    row = None
                if row is None or type(one.value) is AtLeast:
                    rows.append((None, None, weight))
                    continue
                if seen.setdefault(order, (key, one))[0] != key:
                    raise TooWide
                rows.append((row, order, weight))
            self._groups.append((rows, count))
        self._places = {order: place for place, order in enumerate(sorted(seen), 1)}
        self.faces = [seen[order][1] for order in self._places]

    def columns(self, scale: int, pair_count: int) -> Columns:
        """The columns of the readings and of the sorted dice, each die as its number times `scale`."""
        groups: list[tuple[Rows, int]] = []
        for rows, count in self._groups:
            made: dict[Any, tuple[Row | None, int]] = {}
            for row, order, weight in rows:
                _add(made, None if row is None else (*row, self._places[order] * scale), weight)
            groups.append((list(made.values()), count))
        return Columns(groups, [*self._axes, Axis(SORTED, pair_count)])


class PairColumns:
    """Draws the readings of two rolls and of their pairs.

    `entries_of` holds the entries of a pair by the sum of the numbers of its dice.
    """

    def __init__(
        self, mine: Columns, other: Columns, sums: int, pair_count: int, entries_of: dict[int, tuple[int, ...]]
    ) -> None:
        self._mine, self._other, self._pair_count = mine, other, pair_count
        entries = list(entries_of.values()) or [(0,) * sums]
        self._lows = [min(one[j] for one in entries) for j in range(sums)]
        self._sizes = [pair_count * (max(one[j] for one in entries) - low) + 1 for j, low in enumerate(self._lows)]
        self._strides = [mine.width * other.width]
        for size in self._sizes:
            self._strides.append(self._strides[-1] * size)
        self.width = self._strides[-1]
        if self.width >= WIDEST:
            raise TooWide
        self.kind = kind_for(self.width + 1)
        self._table = np.zeros(max(entries_of, default=0) + 1, self.kind)
        for number, one in entries_of.items():
            self._table[number] = sum(
                (entry - low) * stride for entry, low, stride in zip(one, self._lows, self._strides, strict=False)
            )
        self._two = (self._table[:, None] + self._table[None, :]).ravel() if len(self._table) <= MOST_OF_TWO else None
        self._at = np.uint16 if self._two is not None else kind_for(len(self._table))

    def value(self, code: int) -> Row:
        """The values for a code: the sums of pairs, the readings of our roll, and those of theirs."""
        sums = [
            self._pair_count * low + code // stride % size
            for low, stride, size in zip(self._lows, self._strides, self._sizes, strict=False)
        ]
        mine = self._mine.width
        return (*sums, *self._mine.value(code % mine), *self._other.value(code // mine % self._other.width))

    def sampled(self, bits: Bits, parts: Sequence[int]) -> Cells:
        """The number of runs of each part with each code; undecided runs are left out."""
        return in_blocks(lambda size: self._block(bits, size), parts, self.width, self.kind)

    def _block(self, bits: Bits, size: int) -> Column:
        undecided = []
        sides: list[tuple[Any, list[Column]]] = []
        for side in (self._mine, self._other):
            if not side.words:
                sides.append((None, []))
                continue
            drawn, undecided_runs = side.drawn(bits, size)
            sides.append(side.codes(drawn))
            undecided.append(undecided_runs)
        return self.codes(size, sides, undecided)

    def codes(self, size: int, sides: Sequence[tuple[Any, list[Column]]], undecided: Sequence[Column] = ()) -> Column:
        """The codes of runs, from the code of each roll and its dice in order."""
        (ours, mine), (theirs, other) = sides
        code = np.zeros(size, self.kind)
        if self._mine.width > 1:
            code += ours
        if self._other.width > 1:
            code += theirs.astype(self.kind) * self.kind(self._mine.width)
        entries_of = [
            np.add(number, other[rank], dtype=self._at) if rank < len(other) else number.astype(self._at, copy=False)
            for rank, number in enumerate(mine[: self._pair_count])
        ]
        if self._two is not None:
            for first, second in zip(entries_of[::2], entries_of[1::2], strict=False):
                first *= self._at(len(self._table))
                first += second
                code += self._two.take(first)
            entries_of = entries_of[-1:] if len(entries_of) % 2 else []
        for number in entries_of:
            code += self._table.take(number)
        for places in undecided:
            code[places] = self.width
        return code


def _elements(tables: DieTables, unit: DieUnit, needs: Needs) -> Elements:
    table = tables.of(unit, needs)
    if table is None or table.elements is None:
        raise TooWide
    return table.elements


def _row(readers: Sequence[PreparedReading], at: Frame, one: Any) -> Row | None:
    """The entries of a die; None where they are undecided."""
    at[".meter"] = [ELEMENTS]
    try:
        row = tuple([reader.entry(at, one, reader.takes(at, one)) for reader in readers])
    except Undecided:
        return None
    return None if AtLeast in map(type, row) else row


def _add(rows: dict[Any, tuple[Row | None, int]], row: Row | None, weight: int) -> None:
    key = None if row is None else frozen(row)
    held = rows.get(key)
    rows[key] = (row, weight + (held[1] if held else 0))
