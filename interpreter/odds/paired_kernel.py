"""The joint law of readings of two rolls and of their pairs, without enumerating the dice.

Both rolls are sorted from the highest, and each pair adds to the readings of pairs. Two cursors go down the values, one
for each roll; the one that has placed fewer dice moves next. So all dice that wait for a partner show the value of the
last cell of their cursor, and a pair is complete when its second die is placed. A state is the two cursors and the
numbers of dice that are not placed yet; its weight is a packed polynomial of the readings, as in `odds.kernels`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations
from math import comb
from typing import Any

from interpreter.frozen import dataclass
from interpreter.odds.fold import Axis
from interpreter.odds.kernels import ranks_of
from interpreter.odds.lazy_roll import LazyRoll, Needs, is_placed, placed_roll
from interpreter.odds.marginal_kernel import Drawn, Frame, PreparedReading
from interpreter.odds.meter import STATE, Meter
from interpreter.odds.packing import Packing, packing_of, unpack
from interpreter.odds.state_keys import freeze
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.runtime.pairing import pair_dice as paired_dice
from interpreter.runtime.pairing import stand_in
from interpreter.values import Thrown

NONE: Needs = frozenset()

Test = tuple[int, PreparedReading]
"""Whether a sum of a roll is 0, where 0 is our roll and 1 theirs. It needs no axis, only the dice that pass."""

MOST_TESTS = 3
"""The limit on tests without an axis; each doubles the work. Others are counted as sums."""

MOST_BITS = 200_000
"""The limit on the length of the polynomial of one state."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Pairs that no step has read yet.

    `record` computes the record of a pair. `prefers` ranks our dice among equal ones. `ours_key` and `theirs_key` give
    a key of what pairs read of a die besides its value. `missing` stands in for a missing die of theirs. `key` is a key
    of all that `record` depends on besides the dice.
    """

    ours: LazyRoll
    theirs: LazyRoll
    missing: int | None
    prefers: Callable[[Thrown], int] | None = field(compare=False)
    record: Callable[[Thrown, Thrown], Mapping[str, Any]] = field(compare=False)
    ours_key: Callable[[Thrown], Any] = field(compare=False)
    theirs_key: Callable[[Thrown], Any] = field(compare=False)
    key: Any


def with_dice(paired: Paired, lazy: LazyRoll, dice: tuple[Thrown, ...]) -> Any:
    """The pairs with the dice of one of their rolls; the list of their records, when both rolls are known."""
    ours = placed_roll(None, dice) if paired.ours.name == lazy.name else paired.ours
    theirs = placed_roll(None, dice) if paired.theirs.name == lazy.name else paired.theirs
    if not (is_placed(ours) and is_placed(theirs)):
        return replace(paired, ours=ours, theirs=theirs)
    mine, other = [
        tuple([die for unit, _ in one.groups for die, _ in unit.elements(NONE, 0)]) for one in (ours, theirs)
    ]
    return tuple([paired.record(a, b) for a, b in paired_dice(mine, other, paired.missing, paired.prefers)])


@dataclass(frozen=True, slots=True)
class CursorCell:
    """A position of a cursor: dice of one family that show one value.

    Of the dice that are not placed yet, `reserved` are too small to show it. `ways` is the polynomial of one die.
    """

    value: int
    family: int
    reserved: int
    ways: int
    die: Thrown


@dataclass(frozen=True, slots=True)
class _UnitRow:
    """The results of a unit that have one value: their order in the sort, their key for pairs, weighted features."""

    order: tuple[int, int]
    key: Any
    die: Thrown
    features: tuple[tuple[tuple[Any, ...], int], ...]


@dataclass(frozen=True, slots=True)
class _SortedRoll:
    """One roll: the families of its dice, each with its rows from the highest, and the rows and dice of its groups."""

    families: tuple[tuple[tuple[_UnitRow, ...], tuple[tuple[int, int], ...]], ...]
    dice: int
    total: int


def read_pairs(
    paired: Paired,
    pairs: Sequence[PreparedReading],
    ours: Sequence[PreparedReading],
    theirs: Sequence[PreparedReading],
    at: Frame,
    depth: int,
    meter: Meter,
) -> Drawn | None:
    """The joint law of readings of the pairs, of our roll and of theirs, in this order, and the total weight.

    Readings of pairs must be sums; those of a roll sums, or of ranks of all its dice. None if dice of equal value
    differ in what pairs read of them and their order is not known, or if the law is too large.
    """
    at = dict(at)
    rolls = (tuple(ours), tuple(theirs))
    tests = [(side, one) for side, some in enumerate(rolls) for one in some if one.is_test][:MOST_TESTS]
    rest = tuple([tuple([one for one in some if (side, one) not in tests]) for side, some in enumerate(rolls)])
    laws: dict[tuple[Test, ...], Counter[tuple[Any, ...]]] = {}
    total = 1
    for passed in (some for many in range(len(tests) + 1) for some in combinations(tests, many)):
        found = _law(paired, pairs, rest, passed, at, depth, meter)
        if found is None:
            return None
        laws[passed], total = Counter(found[0]), found[1]
    for test in tests:  # the law where a test passes is known; where it fails, the law is the difference
        for passed in laws:
            if test not in passed:
                laws[passed].subtract(next(law for some, law in laws.items() if set(some) == {*passed, test}))
    order = [*pairs, *rest[0], *rest[1], *[one for _, one in tests]]
    readers = (*pairs, *ours, *theirs)
    places = [order.index(one) for one in readers]
    rows: dict[Any, tuple[tuple[Any, ...], int]] = {}
    for passed, law in laws.items():
        for values, ways in law.items():
            if ways:
                whole = (*values, *[int(test not in passed) for test in tests])
                made = tuple([one.result(whole[place]) for one, place in zip(readers, places, strict=True)])
                key = freeze(made)
                rows[key] = (made, ways + (rows[key][1] if key in rows else 0))
    return list(rows.values()), total


def _law(
    paired: Paired,
    pairs: Sequence[PreparedReading],
    rolls: Sequence[Sequence[PreparedReading]],
    passed: Sequence[Test],
    at: Frame,
    depth: int,
    meter: Meter,
) -> tuple[dict[tuple[Any, ...], int], int] | None:
    """The law of the readings where the `passed` tests are passed, and the total weight."""
    sums = [[one for one in some if one.axis(at, 0).kind == "sum"] for some in rolls]
    zero = [[one for side, one in passed if side == number] for number in (0, 1)]
    mine = _sorted_roll(paired.ours, sums[0], zero[0], paired.prefers, paired.ours_key, at, depth)
    other = _sorted_roll(paired.theirs, sums[1], zero[1], None, paired.theirs_key, at, depth)
    if mine is None or other is None:
        return None
    table = _PairReadings(paired, pairs, at)
    pair_count = mine.dice if paired.missing is not None else min(mine.dice, other.dice)
    axes = _axes(table, [mine, other], pair_count, rolls, sums, at)
    if axes.packing.bits > MOST_BITS:
        return None
    law = _Cursors(axes, table, mine, other, paired.missing, meter).law()
    meter.count_unpacking(axes.packing.entries)
    rows = unpack(law, axes.packing)
    return {tuple(axes.row(values)): ways for values, ways in rows.items()}, mine.total * other.total


# One roll --------------------------------------------------------------------------------------------------------


def _sorted_roll(
    lazy: LazyRoll,
    sums: Sequence[PreparedReading],
    zero: Sequence[PreparedReading],
    prefers: Callable[[Thrown], int] | None,
    key_of: Callable[[Thrown], Any],
    at: Frame,
    depth: int,
) -> _SortedRoll | None:
    """A roll as the cursors need it, without the results that do not pass a test; None as for `read_pairs`."""
    groups: list[tuple[tuple[_UnitRow, ...], int]] = []
    needs = frozenset({"value", "face", "many", "last"}).union(*(one.needs for one in (*sums, *zero)))
    total = 1
    for unit, count in lazy.groups:
        found: dict[tuple[int, int], tuple[Any, Thrown, dict[tuple[Any, ...], int]]] = {}
        each = 0
        for one, ways in unit.elements(needs, depth):
            each += ways
            try:
                key = key_of(one)
                if type(one.value) is AtLeast:
                    continue  # its place is not known
                order = (-one.value, -prefers(one) if prefers else 0)
                entries = tuple([reader.entry(at, one, reader.takes(at, one)) for reader in sums])
                tested = [reader.entry(at, one, reader.takes(at, one)) for reader in zero]
                if any(type(entry) is AtLeast for entry in entries) or any(entry < 0 for entry in tested):
                    return None
                if any(tested):
                    continue
            except Undecided:
                continue  # this weight is missing from the law
            held = found.setdefault(order, (key, one, {}))
            if held[0] != key:
                return None
            held[2][entries] = held[2].get(entries, 0) + ways
        total *= each**count
        rows = [_UnitRow(order, key, die, tuple(f.items())) for order, (key, die, f) in sorted(found.items())]
        groups.append((tuple(rows), count))
    return _SortedRoll(tuple(_merge_into_families(groups)), sum(count for _, count in lazy.groups), total)


def _merge_into_families(
    groups: Sequence[tuple[tuple[_UnitRow, ...], int]],
) -> list[tuple[tuple[_UnitRow, ...], tuple[tuple[int, int], ...]]]:
    """The groups in families: below 8, a d8 and a d12 have the same law, so they are in one family.

    Dice of equal value whose keys differ stay in the order of the throw, so then only neighbours may be in one family.
    """
    keys: dict[tuple[int, int], set[Any]] = {}
    for rows, _ in groups:
        for row in rows:
            keys.setdefault(row.order, set()).add(row.key)
    mixed = any(len(some) > 1 for some in keys.values())
    families: list[tuple[dict[Any, Any], tuple[_UnitRow, ...], list[tuple[int, int]]]] = []
    for rows, count in groups:
        shape = {row.order: (row.key, row.features) for row in rows}
        for place, (known, widest, sizes) in enumerate(families):
            small, big = sorted((shape, known), key=len)
            top = min(small, default=None)
            nests = top is not None and small == {order: of for order, of in big.items() if order >= top}
            if nests and (not mixed or place == len(families) - 1):
                sizes.append((len(rows), count))
                families[place] = (big, rows if len(rows) > len(widest) else widest, sizes)
                break
        else:
            families.append((shape, rows, [(len(rows), count)]))
    return [(rows, tuple(sizes)) for _, rows, sizes in families]


def _cells(side: _SortedRoll, poly: Callable[[_UnitRow], int]) -> list[CursorCell]:
    """The positions of a cursor, in order."""
    made: list[tuple[Any, CursorCell]] = []
    for family, (rows, sizes) in enumerate(side.families):
        for place, row in enumerate(rows):
            reserved = sum(count for length, count in sizes if len(rows) - length > place)
            made.append(((*row.order, family), CursorCell(-row.order[0], family, reserved, poly(row), row.die)))
    return [cell for _, cell in sorted(made, key=lambda one: one[0])]


# What is read ----------------------------------------------------------------------------------------------------


@dataclass
class _PairReadings:
    """The entries of readings of pairs, for each pair; None in place of a die of theirs is the stand-in."""

    paired: Paired
    readers: Sequence[PreparedReading]
    at: Frame
    _known: dict[tuple[Any, Any], tuple[int, ...]] = field(default_factory=dict)

    def entries(self, mine: Thrown, other: Thrown | None) -> tuple[int, ...]:
        key = (id(mine), id(other))
        if key not in self._known:
            assert other is not None or self.paired.missing is not None
            record = self.paired.record(mine, other if other is not None else stand_in(self.paired.missing or 0))
            self._known[key] = tuple([one.entry(self.at, record, one.takes(self.at, record)) for one in self.readers])
        return self._known[key]


@dataclass(frozen=True, slots=True)
class _Axes:
    """The packing of all readings: sums of pairs, then of each roll sums and ranks."""

    packing: Packing
    pair_lows: tuple[int, ...]
    pair_strides: tuple[int, ...]
    polys: tuple[Callable[[_UnitRow], int], ...]
    lifts: tuple[tuple[int, ...], ...]
    """For each roll and number of dice, the exponent that its first dice add for each step of value above `bases`."""
    bases: tuple[int, ...]
    row: Callable[[tuple[int, ...]], list[Any]]


def _axes(
    table: _PairReadings,
    sides: Sequence[_SortedRoll | None],
    pair_count: int,
    readers: Sequence[Sequence[PreparedReading]],
    sums: Sequence[Sequence[PreparedReading]],
    at: Frame,
) -> _Axes:
    mine, other = sides
    assert mine is not None and other is not None
    partners = [row.die for rows, _ in other.families for row in rows]
    entries = [table.entries(row.die, die) for rows, _ in mine.families for row in rows for die in partners]
    if table.paired.missing is not None:
        entries += [table.entries(row.die, None) for rows, _ in mine.families for row in rows]
    width = len(table.readers)
    least = [min((row[j] for row in entries), default=0) for j in range(width)]
    most = [max((row[j] for row in entries), default=0) for j in range(width)]
    lows = [pair_count * low for low in least]
    ranges = [1 + pair_count * (high - low) for low, high in zip(least, most, strict=True)]

    bases, side_least, weights = [], [], []
    for side, some, own in zip((mine, other), readers, sums, strict=True):
        features = [f for rows, _ in side.families for row in rows for f, _ in row.features]
        low = [min((f[j] for f in features), default=0) for j in range(len(own))]
        high = [max((f[j] for f in features), default=0) for j in range(len(own))]
        side_least.append(low)
        lows += [side.dice * one for one in low]
        ranges += [1 + side.dice * (b - a) for a, b in zip(low, high, strict=True)]
        values = [-row.order[0] for rows, _ in side.families for row in rows]
        base, top = min(values, default=0), max(values, default=0)
        bases.append(base)
        mine_weights = []
        for one in some:
            axis = one.axis(at, side.dice)
            if axis.kind == "sum":
                continue
            first, after = ranks_of(axis, side.dice, True)
            counted = [*first, *[after] * (side.dice - len(first))]
            mine_weights.append(counted)
            lows.append(base * sum(counted))
            ranges.append(1 + (top - base) * sum(counted))
        weights.append(mine_weights)
    of = packing_of(lows, ranges, mine.total * other.total)
    polys, lifts = [], []
    place = width
    for low, own_weights, dice in zip(side_least, weights, (mine.dice, other.dice), strict=True):
        strides = of.strides[place : place + len(low)]
        polys.append(_polynomial_of_row(low, strides, 8 * of.size))
        place += len(low)
        ranked = of.strides[place : place + len(own_weights)]
        place += len(own_weights)
        lifted = [0]
        for rank in range(dice):
            lifted.append(lifted[-1] + sum(w[rank] * s for w, s in zip(own_weights, ranked, strict=True)))
        lifts.append(tuple(lifted))
    return _Axes(
        of, tuple(least), of.strides[:width], tuple(polys), tuple(lifts), tuple(bases),
        _row_maker(width, readers, (mine.dice, other.dice), at),
    )  # fmt: skip


def _polynomial_of_row(low: Sequence[int], strides: Sequence[int], bits: int) -> Callable[[_UnitRow], int]:
    def poly(row: _UnitRow) -> int:
        return sum(
            ways << (bits * sum((e - a) * s for e, a, s in zip(entries, low, strides, strict=True)))
            for entries, ways in row.features
        )

    return poly


def _row_maker(
    width: int, readers: Sequence[Sequence[PreparedReading]], dice: tuple[int, int], at: Frame
) -> Callable[[tuple[int, ...]], list[Any]]:
    """A function from the values of a packing to those in the order of the readers; a rank that no die has is None."""
    axes: list[tuple[Axis, int]] = []
    places: list[int] = []
    start = width
    for some, many in zip(readers, dice, strict=True):
        kinds = [one.axis(at, many) for one in some]
        first = [j for j, axis in enumerate(kinds) if axis.kind == "sum"]
        order = [*first, *[j for j, axis in enumerate(kinds) if axis.kind != "sum"]]
        places += [start + order.index(j) for j in range(len(kinds))]
        axes += [(axis, many) for axis in kinds]
        start += len(kinds)

    def row(values: tuple[int, ...]) -> list[Any]:
        made: list[Any] = list(values[:width])
        for place, (axis, many) in zip(places, axes, strict=True):
            absent = (axis.kind == "kth" and not 1 <= axis.k <= many) or (axis.one and not many)
            made.append(None if absent else values[place])
        return made

    return row


# Two cursors -----------------------------------------------------------------------------------------------------

Left = tuple[int, ...]
"""For each family, the number of dice that are not placed yet."""


class _Cursors:
    """Places the dice of both rolls, from the highest values down."""

    def __init__(
        self,
        axes: _Axes,
        table: _PairReadings,
        mine: _SortedRoll,
        other: _SortedRoll,
        missing: int | None,
        meter: Meter,
    ) -> None:
        self.bits = 8 * axes.packing.size
        self.meter = meter
        self.work = 1 + (axes.packing.bits >> 15)  # of one way to place dice
        self.cells = [_cells(side, poly) for side, poly in zip((mine, other), axes.polys, strict=True)]
        self.dice = (mine.dice, other.dice)
        self.starts = [tuple(sum(c for _, c in sizes) for _, sizes in side.families) for side in (mine, other)]
        self.lifts, self.bases = axes.lifts, axes.bases

        def lift(a: CursorCell, b: CursorCell | None) -> int:
            entries = table.entries(a.die, b.die if b else None)
            columns = zip(entries, axes.pair_lows, axes.pair_strides, strict=True)
            return self.bits * sum((entry - low) * stride for entry, low, stride in columns)

        self.pair_lifts = [[lift(a, b) for b in self.cells[1]] for a in self.cells[0]]
        self.alone_lifts = [lift(a, None) if missing is not None else 0 for a in self.cells[0]]
        self._known: dict[tuple[int, int, Left], list[tuple[int, Left, int]]] = {}
        self._remainders: tuple[dict[tuple[int, Left], int], dict[tuple[int, Left], int]] = ({}, {})

    def law(self) -> int:
        """The law of all readings, as one packed polynomial."""
        ours, theirs = self.dice
        levels: list[dict[tuple[int, Left, int, Left], int]] = [
            {} for _ in range(len(self.cells[0]) + len(self.cells[1]) + 1)
        ]
        levels[0][(0, self.starts[0], 0, self.starts[1])] = 1
        result = 0
        for number, level in enumerate(levels):
            levels[number] = {}  # frees memory
            self.meter.check_memory(2 * sum([STATE + (ways.bit_length() >> 3) for ways in level.values()]))
            for (i, mine, j, other), ways in level.items():
                a, b = ours - sum(mine), theirs - sum(other)
                if a == ours and b >= a:  # all of ours have a partner; dice of theirs may remain
                    result += ways * self._polynomial_of_rest(1, j, other)
                elif b == theirs and a >= b:  # theirs have run out
                    waiting = (a - b) * self.alone_lifts[i - 1] if a > b else 0
                    result += (ways << waiting) * self._polynomial_of_rest(0, i, mine)
                elif a <= b:
                    if i < len(self.cells[0]):
                        self._move(0, levels, (i, mine, j, other), ways, a, b)
                elif j < len(self.cells[1]):
                    self._move(1, levels, (i, mine, j, other), ways, a, b)
        return result

    def _move(
        self,
        side: int,
        levels: list[dict[tuple[int, Left, int, Left], int]],
        state: tuple[int, Left, int, Left],
        ways: int,
        a: int,
        b: int,
    ) -> None:
        """Place dice of a side at its cursor, and add the pairs of those for which a partner waits."""
        i, mine, j, other = state
        waiting = b - a if side == 0 else a - b
        pair = self.pair_lifts[i][j - 1] if side == 0 and waiting else 0
        if side == 1 and waiting:
            pair = self.pair_lifts[i - 1][j]
        into = levels[i + j + 1]
        placings = self._placings(side, i if side == 0 else j, mine if side == 0 else other)
        self.meter.spend(self.work * len(placings))
        for many, left, more in placings:
            term = (ways * more) << (min(many, waiting) * pair)
            key = (i + 1, left, j, other) if side == 0 else (i, mine, j + 1, left)
            into[key] = into.get(key, 0) + term

    def _placings(self, side: int, place: int, left: Left) -> list[tuple[int, Left, int]]:
        """The numbers of dice that a cursor may place, each with what is left and the polynomial."""
        key = (side, place, left)
        if key not in self._known:
            self._known[key] = self._place_dice(side, place, left)
        return self._known[key]

    def _place_dice(self, side: int, place: int, left: Left) -> list[tuple[int, Left, int]]:
        cell, placed = self.cells[side][place], self.dice[side] - sum(left)
        family, lifts = cell.family, self.lifts[side]
        height = self.bits * (cell.value - self.bases[side])
        open_ = left[family] - cell.reserved
        made = [(0, left, 1)]
        power = 1
        for many in range(1, open_ + 1):
            power *= cell.ways
            ways = comb(open_, many) * power << (height * (lifts[placed + many] - lifts[placed]))
            made.append((many, (*left[:family], left[family] - many, *left[family + 1 :]), ways))
        return made

    def _polynomial_of_rest(self, side: int, place: int, left: Left) -> int:
        """The polynomial of the dice of one side that remain when the other has none; ours meet the stand-in."""
        if not any(left):
            return 1
        if place >= len(self.cells[side]):
            return 0
        known = self._remainders[side]
        key = (place, left)
        if key not in known:
            alone = self.alone_lifts[place] if side == 0 else 0
            known[key] = sum(
                (ways << (many * alone)) * self._polynomial_of_rest(side, place + 1, after)
                for many, after, ways in self._placings(side, place, left)
            )
        return known[key]
