"""The readings of a roll for many runs at once: dice as columns, and runs counted by the values of all readings.

A word is several dice of a roll that are drawn together, as long as they have few combinations. Every column of a word
is read from a table: its part of the sums, its highest die, or its dice from the highest on. The columns of all words
are added, compared or sorted; the values of all readings then form one number, a code in mixed radix whose widths
follow from the tables, and the codes are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from interpreter.frozen import dataclass
from interpreter.odds.fold import Axis
from interpreter.odds.state_keys import frozen
from interpreter.simulation.random_bits import FEW, SLOTS, Bits, Column, Urn
from interpreter.simulation.sorting_network import Comparison, network

BLOCK = 1 << 16
"""The number of runs that are computed at a time, so that their columns stay in the cache of the processor."""

MOST_COMBINED = SLOTS
"""The largest number of combinations of dice in one word."""

MOST_STATES, MOST_WORK = 1024, 8192
"""The largest number of different states of one word, and of combinations that are examined to find them."""

WIDEST = 1 << 62
LARGEST = 1 << 20

Row = tuple[Any, ...]
Rows = list[tuple[Row | None, int]]
"""The entries of one die for every axis, each with its weight; None is an undecided die."""

Cells = Iterator[tuple[int, int, int]]
"""A part of the runs, a code, and the number of runs of the part that have it."""


SORTED = "sorted"
"""The kind of an axis that is no reading: the columns of its dice, sorted by numbers from 1, are for `PairColumns`."""


class TooManyStates(Exception):
    """Too many states or throws at a time; a smaller part of the runs has fewer."""


class TooWide(Exception):
    """The values of all readings are too many for one number, or the value of a die is too large."""


@dataclass(frozen=True, slots=True)
class Track:
    """A value of every die by which dice are sorted, as a number from 1; 0 is a die that is left out.

    `entries` are those numbers for every row of every group; the value of a number is `base + sign * number`.
    """

    entries: tuple[tuple[int, ...], ...]
    base: int
    sign: int

    @property
    def most(self) -> int:
        return max(map(max, self.entries))

    def value(self, number: int) -> int:
        """The value of a number; 0 where the die is left out."""
        return self.base + self.sign * number if number else 0


@dataclass(frozen=True, slots=True)
class Ranked:
    """An axis that reads `one` die of a track, or the sum of its dice, from place `start` to `end` of the sort."""

    axis: int
    track: int
    start: int
    end: int
    one: bool


@dataclass(frozen=True, slots=True)
class Digit:
    """The digit of an axis in a code, `code // stride % size`, which `value` decodes. `low` is the least sum."""

    stride: int
    size: int
    low: int
    value: Callable[[int], Any]


@dataclass(frozen=True, slots=True)
class DiceWord:
    """Dice that are drawn together: their states, each with its weight.

    A state is what they add to the code of the sums and, for every track, their numbers from the highest on, or the
    highest alone; None is undecided.
    """

    law: dict[Any, int]
    combinations: int
    dice: int

    def and_another(self, die: DiceWord, extreme: Sequence[bool]) -> DiceWord | None:
        """The word with one more die; None where its combinations or states would be too many."""
        combinations = self.combinations * die.combinations
        if combinations > MOST_COMBINED or len(self.law) * len(die.law) > MOST_WORK:
            return None
        law: dict[Any, int] = {}
        for mine, weight in self.law.items():
            for other, more in die.law.items():
                state: Any = None
                if mine is not None and other is not None:
                    tracks = [
                        (max(a[0], b[0]),) if highest else tuple(sorted((*a, *b), reverse=True))
                        for a, b, highest in zip(mine[1:], other[1:], extreme, strict=True)
                    ]
                    state = (mine[0] + other[0], *tracks)
                law[state] = law.get(state, 0) + weight * more
        return DiceWord(law, combinations, self.dice + 1) if len(law) <= MOST_STATES else None


@dataclass
class CellTable:
    """A word as a table: every column of `cells` has a cell for each state; states from `known` on are undecided."""

    urn: Urn
    cells: tuple[Column, ...]
    known: int

    @cached_property
    def wide(self) -> tuple[Column, ...]:
        """The table with a cell for each slot."""
        made = []
        for column in self.cells:
            wide = np.zeros(SLOTS, column.dtype)
            wide[: self.urn.open] = np.repeat(column, self.urn.full)
            made.append(wide)
        return tuple(made)

    def drawn(self, bits: Bits, size: int) -> tuple[tuple[Column, ...], list[Column]]:
        """The columns of `size` draws, and the places of those that are undecided."""
        urn = self.urn
        if size <= FEW:
            places = urn.few(bits, size)
            return tuple([column.take(places) for column in self.cells]), [np.flatnonzero(places >= self.known)]
        slots = bits.slots(size)
        # The index type of NumPy, converted once for all columns.
        at = slots.astype(np.intp) if len(self.cells) > 1 else slots
        columns = tuple([wide.take(at) for wide in self.wide])
        undecided: list[Column] = []
        first = sum(urn.full[: self.known]) if self.known < len(urn.full) else urn.open
        if first < urn.open:
            undecided.append(np.flatnonzero((slots >= first) & (slots < urn.open)))
        if urn.open < SLOTS and len(left := np.flatnonzero(slots >= urn.open)):
            places = urn.of_rests(bits, len(left))
            for column, cells in zip(columns, self.cells, strict=True):
                column[left] = cells[places]
            undecided.append(left[places >= self.known])
        return columns, undecided


class Columns:
    """Draws the readings of one roll.

    `groups` are the rows of a die, with the number of such dice. Raises TooWide.
    """

    def __init__(self, groups: Sequence[tuple[Rows, int]], axes: Sequence[Axis]) -> None:
        self.axes = tuple(axes)
        self._sums = [place for place, axis in enumerate(axes) if axis.kind == "sum"]
        self.groups = [(rows, count) for rows, count in _together(groups) if self._is_read(rows)]
        self.dice = sum(count for _, count in self.groups)
        self._tracks: list[Track] = []
        self._ranked: list[Ranked] = []
        self._fixed: dict[int, Any] = {}
        self._sorted: tuple[int, int] | None = None
        for place, axis in enumerate(axes):
            if axis.kind == SORTED:
                entries = tuple(tuple(row[place] if row else 0 for row, _ in rows) for rows, _ in self.groups)
                self._tracks.append(Track(entries, 0, 1))
                self._sorted = len(self._tracks) - 1, min(axis.k, self.dice)
            elif axis.kind != "sum":
                self._add_ranked(place, axis)
        self.digits: dict[int, Digit] = {}
        self.width = self._set_digits()
        self.kind = kind_for(self.width + 1)
        self._extreme = [
            all(one.end == 1 for one in self._ranked if one.track == t) and not (self._sorted and self._sorted[0] == t)
            for t in range(len(self._tracks))
        ]
        self.words = self._words() if self.digits or self._sorted else []
        self._whole = len(self.words) == 1 and not self._sorted
        self.tables = [self._table(word) for word in self.words]
        self._starts = [self._starts_of(word) for word in self.words]
        self._nets = [self._net(t) for t in range(len(self._tracks))]
        self._amounts = [self._amounts_of(one) for one in self._ranked]

    def _is_read(self, rows: Rows) -> bool:
        """Whether any axis reads a die with these rows."""
        return any(
            row is None
            or any((entry != 0) if place in self._sums else (entry is not None) for place, entry in enumerate(row))
            for row, _ in rows
        )

    # Axes

    def _add_ranked(self, place: int, axis: Axis) -> None:
        column = [[None if row is None else row[place] for row, _ in rows] for rows, _ in self.groups]
        decided = [row[place] for rows, _ in self.groups for row, _ in rows if row is not None]
        values = [value for value in decided if value is not None]
        if not values or axis.k <= 0 or (axis.kind == "kth" and axis.k > self.dice):
            self._fixed[place] = None if axis.kind == "kth" or axis.one else 0
            return
        one = axis.kind == "kth" or axis.one
        start, end = axis.k - 1 if axis.kind == "kth" else axis.skip, min(axis.skip + axis.k, self.dice)
        up = axis.kind != "low"
        if not up and len(values) == len(decided) and end > 1:  # from the other end of the same sort
            start, end, up = self.dice - end, self.dice - start, True
        self._ranked.append(Ranked(place, self._track(column, values, up), start, end, one))

    def _track(self, column: list[list[Any]], values: list[int], up: bool) -> int:
        low, high = min(values), max(values)
        base, sign = ((0 if low >= 1 else low - 1), 1) if up else (high + 1, -1)
        made = Track(tuple(tuple(0 if v is None else (v - base) * sign for v in vs) for vs in column), base, sign)
        if made.most > LARGEST:
            raise TooWide
        if made not in self._tracks:
            self._tracks.append(made)
        return self._tracks.index(made)

    def _set_digits(self) -> int:
        """Set the digits of a code, one for each axis; the number of codes."""
        stride = 1
        for place in self._sums:
            low = high = 0
            for rows, count in self.groups:
                found = [row[place] for row, _ in rows if row is not None] or [0]
                low, high = low + count * min(found), high + count * max(found)
            self.digits[place] = Digit(stride, high - low + 1, low, lambda n, low=low: low + n)  # type: ignore[misc]
            stride *= high - low + 1
        for one in self._ranked:
            track = self._tracks[one.track]
            if one.one:
                size, low = track.most + 1, 0
                value: Any = lambda n, track=track: track.value(n) if n else None  # noqa: E731
            else:
                amounts = [track.value(number) for numbers in track.entries for number in numbers]
                low, high = ((one.end - one.start) * amount for amount in (min(amounts), max(amounts)))
                size = high - low + 1
                value = lambda n, low=low: low + n  # noqa: E731
            self.digits[one.axis] = Digit(stride, size, low, value)
            stride *= size
        if stride >= WIDEST:
            raise TooWide
        return stride

    def value(self, code: int) -> Row:
        """The values of the axes for a code."""
        row = []
        for place, axis in enumerate(self.axes):
            if axis.kind == SORTED:
                continue
            digit = self.digits.get(place)
            row.append(digit.value(code // digit.stride % digit.size) if digit else self._fixed[place])
        return tuple(row)

    # Words

    def _words(self) -> list[DiceWord]:
        made: dict[tuple[int, ...], DiceWord | None] = {
            (group,): self._one_die(group) for group in range(len(self.groups))
        }
        words: list[tuple[int, ...]] = []
        for group, (_, count) in enumerate(self.groups):
            die = made[group,]
            for _ in range(count):
                longer = (*words[-1], group) if words else (group,)
                if longer not in made:
                    before = made[longer[:-1]]
                    assert before is not None and die is not None
                    made[longer] = before.and_another(die, self._extreme)
                words[-1:] = [longer] if made[longer] else [*words[-1:], (group,)]
        return [word for one in words if (word := made[one]) is not None]

    def _one_die(self, group: int) -> DiceWord:
        rows, _ = self.groups[group]
        decided = [row for row, _ in rows if row is not None]
        least = {place: min(row[place] for row in decided) if decided else 0 for place in self._sums}
        law: dict[Any, int] = {}
        for place, (row, weight) in enumerate(rows):
            state: Any = None
            if row is not None:
                packed = sum((row[s] - low) * self.digits[s].stride for s, low in least.items())
                state = (packed, *[(track.entries[group][place],) for track in self._tracks])
            law[state] = law.get(state, 0) + weight
        return DiceWord(law, len(rows), 1)

    def _table(self, word: DiceWord) -> CellTable:
        law = {state: weight for state, weight in word.law.items() if state is not None}
        states = list(law)
        cells: list[Any]
        if self._whole:
            cells = [[self._code_of(state) for state in states]]
            kinds = [self.kind]
        else:
            cells = [[state[0] for state in states]] if self._sums else []
            kinds = [self.kind] if self._sums else []
            for t, track in enumerate(self._tracks):
                for rank in range(1 if self._extreme[t] else word.dice):
                    cells.append([state[1 + t][rank] for state in states])
                    kinds.append(kind_for(track.most + 1))
        weights = list(law.values())
        if undecided := word.law.get(None, 0):
            weights.append(undecided)
            cells = [[*column, 0] for column in cells]
        columns = tuple([np.array(column, kind) for column, kind in zip(cells, kinds, strict=True)])
        return CellTable(Urn(weights), columns, len(states))

    def _code_of(self, state: Any) -> int:
        """The code of a word that is the whole roll."""
        code: int = state[0]
        for one in self._ranked:
            numbers = state[1 + one.track][one.start : one.end]
            digit = self.digits[one.axis]
            track = self._tracks[one.track]
            code += digit.stride * (numbers[0] if one.one else sum(map(track.value, numbers)) - digit.low)
        return code

    def _starts_of(self, word: DiceWord) -> list[int]:
        """Where the columns of each track begin among those of a word."""
        lengths = [1 if highest else word.dice for highest in self._extreme]
        return list(accumulate(lengths, initial=1 if self._sums else 0))

    def _net(self, t: int) -> tuple[Comparison, ...]:
        needed: dict[int, list[int | None]] = {}
        if self._sorted and self._sorted[0] == t:
            needed = {rank: [None] for rank in range(self._sorted[1])}
        for number, one in enumerate(self._ranked):
            for rank in range(one.start, one.end) if one.track == t else ():
                needed.setdefault(rank, []).append(None if one.one else number)
        wanted = [(rank, None if None in by else tuple(by)) for rank, by in needed.items()]
        return () if self._extreme[t] else network(self.dice, tuple(wanted))

    def _amounts_of(self, one: Ranked) -> Column | None:
        """What every number of a track adds to the code for an axis; None if it is the number itself."""
        track, digit = self._tracks[one.track], self.digits[one.axis]
        least = digit.low // (one.end - one.start)
        amounts = [track.value(number) - least if not one.one else number for number in range(track.most + 1)]
        numbers = {number for entries in track.entries for number in entries}
        if digit.stride == 1 and all(amounts[number] == number for number in numbers):
            return None
        cells = [digit.stride * amounts[number] if number in numbers else 0 for number in range(track.most + 1)]
        return np.array(cells, self.kind)

    # Drawing

    def sampled(self, bits: Bits, parts: Sequence[int]) -> Cells:
        """The number of runs of each part with each code; undecided runs are left out."""
        if not self.words:
            return ((part, 0, count) for part, count in enumerate(parts) if count)
        return in_blocks(lambda size: self._block(bits, size), parts, self.width, self.kind)

    def _block(self, bits: Bits, size: int) -> Column:
        drawn, undecided = self.drawn(bits, size)
        codes, _ = self.codes(drawn)
        codes[undecided] = self.width
        return codes

    def drawn(self, bits: Bits, size: int) -> tuple[list[tuple[Column, ...]], Column]:
        """The columns of each word for `size` runs, and the places of undecided runs."""
        made = [table.drawn(bits, size) for table in self.tables]
        undecided = [places for _, some in made for places in some]
        return [columns for columns, _ in made], np.concatenate(undecided) if undecided else np.empty(0, np.int64)

    def codes(self, drawn: Sequence[tuple[Column, ...]]) -> tuple[Column, list[Column]]:
        """The codes of runs, from the columns of each word; and the sorted dice, if an axis is `SORTED`."""
        if self._whole:
            return drawn[0][0], []
        code: Any = None
        if self._sums:
            code = drawn[0][0]
            for columns in drawn[1:]:
                code += columns[0]
        in_order: list[Column] = []
        for t, net in enumerate(self._nets):
            ranks = [
                column
                for columns, starts in zip(drawn, self._starts, strict=True)
                for column in columns[starts[t] : starts[t + 1]]
            ]
            if self._extreme[t]:
                for column in ranks[1:]:
                    ranks[0] = np.maximum(ranks[0], column)
            for high, low, larger, smaller in net:
                a, b = ranks[high], ranks[low]
                if larger:
                    ranks[high] = np.maximum(a, b)
                if smaller:
                    ranks[low] = np.minimum(a, b)
            for one, amount in zip(self._ranked, self._amounts, strict=True):
                for column in ranks[one.start : one.end] if one.track == t else ():
                    part = column.astype(self.kind) if amount is None else amount.take(column)
                    code = part if code is None else np.add(code, part, out=code)
            if self._sorted and self._sorted[0] == t:
                in_order = ranks[: self._sorted[1]]
        return np.zeros(len(drawn[0][0]), self.kind) if code is None else code, in_order


def in_blocks(block: Callable[[int], Column], parts: Sequence[int], width: int, kind: Any) -> Cells:
    """The counts of codes that are computed block by block; runs with the code `width` are left out."""
    total = sum(parts)
    sizes = [min(BLOCK, total - at) for at in range(0, total, BLOCK)]
    if len(parts) == 1 and width <= BLOCK:
        counts: Any = 0
        for size in sizes:
            counts = counts + np.bincount(block(size), minlength=width + 1)
        found = np.flatnonzero(counts[:width])
        return zip([0] * len(found), found.tolist(), counts[found].tolist(), strict=True)
    codes = np.empty(total, kind)
    at = 0
    for size in sizes:
        codes[at : at + size] = block(size)
        at += size
    return counted(codes, parts, width)


def counted(codes: Column, parts: Sequence[int], width: int) -> Cells:
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
    if len(parts) * span < WIDEST:
        keys, counts = np.unique(
            np.repeat(np.arange(len(parts), dtype=np.int64) * span, parts) + codes, return_counts=True
        )
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
            part, code = divmod(key, span)
            if code < width:
                yield part, code, count
        return
    at = 0
    for part, size in enumerate(parts):
        keys, counts = np.unique(codes[at : at + size], return_counts=True)
        yield from ((part, k, c) for k, c in zip(keys.tolist(), counts.tolist(), strict=True) if k < width)
        at += size


def kind_for(width: int) -> Any:
    """The smallest type for the numbers below `width`."""
    return np.uint8 if width <= 1 << 8 else np.uint16 if width <= 1 << 16 else np.int64


def _together(groups: Sequence[tuple[Rows, int]]) -> list[tuple[Rows, int]]:
    """Dice with the same law as one group."""
    found: dict[Any, tuple[Rows, int]] = {}
    for rows, count in groups:
        if count:
            key = frozenset((None if row is None else frozen(row), weight) for row, weight in rows)
            found[key] = (rows, count + (found[key][1] if key in found else 0))
    return list(found.values())
