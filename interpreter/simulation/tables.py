"""Tables of the results of single dice, of what is read of whole rolls, and laws of single throws: made once for many
runs if they take little work.

A table of a chain holds every sequence of throws until the rest is negligible, which can take as long as a hundred
thousand runs do. So the tables that a part of the runs uses may take so much work together; a roll whose law takes more
is drawn die by die, and a chain beyond that is thrown. The laws of the throws that it is drawn from may take as much;
beyond that, the part is drawn throw by throw.

Which chains are thrown follows from the part alone, and not from what was made for other parts: the same seed gives the
same result on any number of processes. So a table counts what it takes by itself, whether it is kept from another part
or not, and the laws are found anew for each part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.odds.demand import Demand
from interpreter.odds.engine import Decide, ForwardEngine
from interpreter.odds.lazy_roll import (
    Chain,
    DieUnit,
    Elements,
    LazyRoll,
    Needs,
    PlacedDie,
    PlainDie,
    TruncatedThrows,
    without_kept_results,
)
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.marginal_kernel import Drawn, PreparedReading, read_roll
from interpreter.odds.meter import WorkLimits
from interpreter.odds.operations import Block, Frame, Law
from interpreter.odds.paired_kernel import Paired, read_pairs
from interpreter.odds.truncation import Undecided
from interpreter.runtime.operations import ELEMENTS
from interpreter.simulation.columns import LawColumns
from interpreter.simulation.random_bits import Urn
from interpreter.values import Die, Scoring

DEPTHS = (16, 64, 256)
"""The numbers of throws to which a chain is followed, until its rest is negligible. The rest stays undecided."""

NEGLIGIBLE, RARE = 1 << 64, 1 << 30
"""The rest of a chain is negligible, or at least rare, if its share is below one in this number."""

WORK_OF_A_TABLE = 500_000
"""The units of work that one table may take."""

WORK_OF_A_LAW = 200_000
"""The units of work that one law of readings may take: the columns of the dice of a million runs take as long."""

WORK_OF_A_PART, WORK_OF_A_RUN = 1_000_000, 10
"""The units of work that a part of the runs may take to be prepared, and what each run adds to them."""

WORK_KEPT = 20_000_000
"""The tables that are kept from one part to the next took at most this work, as their size grows with it."""

MOST_STATES = 1 << 40
"""The limit on states in preparation, so high that the limit on work is reached first."""

MOST_KEPT = 2_000
"""The limit on tables that are kept from one part to the next: those of placed dice take no work."""

SEEN: Needs = frozenset(("value", "face", "many", "last"))
"""What pairs may read of a die."""


def work_of_a_part(runs: int) -> int:
    """The units of work that all tables of a part of so many runs may take, and as many its laws of single throws."""
    return WORK_OF_A_PART + WORK_OF_A_RUN * runs


@dataclass(frozen=True, slots=True)
class ListedDie:
    """A die of a lazy roll with the results of its table; those that are undecided are left out.

    `whole` is the total weight with them.
    """

    unit: DieUnit
    results: Elements = field(compare=False)
    whole: int = field(compare=False)

    @property
    def die(self) -> Die:
        return self.unit.die

    @property
    def part(self) -> str | None:
        return self.unit.part

    @property
    def scoring(self) -> Scoring | None:
        return self.unit.scoring

    @property
    def share(self) -> Fraction:
        """The share of the results that are decided."""
        return Fraction(sum([weight for _, weight in self.results]), self.whole)

    def elements(self, needs: Needs, depth: int) -> Elements:
        return self.results


@dataclass(frozen=True)
class DieTable:
    """The results of a die, each with its weight, and the die that has them in a roll."""

    elements: Elements
    listed: ListedDie

    @cached_property
    def urn(self) -> Urn:
        """The urn that draws one of the results by its place."""
        return Urn([weight for _, weight in self.elements])


@dataclass(frozen=True, slots=True)
class _Table:
    """What was made, and the work that it took; None if that takes more, or has no end."""

    made: DieTable | LawColumns | None
    work: int


class Tables:
    """The tables of dice and of rolls, and the laws of throws, of one lowering."""

    def __init__(self, lowering: Lowering, decide: Decide) -> None:
        self._meter = lowering.meter
        self._laws = ForwardEngine(lowering, decide)
        lowering.law = self._law
        self._left = 0
        self._kept_work = 0
        self._kept: dict[Any, _Table] = {}
        self._used: dict[Any, DieTable | LawColumns | None] = {}

    def begin(self, runs: int) -> None:
        """Begin another part of so many runs."""
        self._meter.begin(WorkLimits(MOST_STATES, work_of_a_part(runs)))
        self._laws = self._laws.without_laws()
        self._left = work_of_a_part(runs)
        self._used = {}
        if self._kept_work > WORK_KEPT or len(self._kept) > MOST_KEPT:
            self._kept, self._kept_work = {}, 0

    def die_table(self, unit: DieUnit, needs: Needs) -> DieTable | None:
        """The table of a die for what is read of it; None if it takes too much work."""

        def make_table() -> DieTable | None:
            elements = _elements(without_kept_results(unit), needs)
            return None if elements is None else DieTable(elements, _list_results(unit, elements))

        table = self._get_or_make((unit, needs), make_table, WORK_OF_A_TABLE)
        assert not isinstance(table, LawColumns)
        return table

    def law(self, key: Any, wanted: Demand, frame: Frame) -> LawColumns | None:
        """The law of what is read of a roll, or of two that are paired; None if no kernel computes it, or not with so
        little work. `key` is of all that it depends on.

        Raises FailedAhead where a formula fails that play may never reach.
        """
        source, at = wanted.source, {**frame, ".meter": [ELEMENTS]}
        if isinstance(source, Paired):
            ours = self._list_roll(source.ours, wanted.readers_of("ours"), SEEN)
            theirs = self._list_roll(source.theirs, wanted.readers_of("theirs"), SEEN)
            if ours is None or theirs is None:
                return None
            pairs = replace(source, ours=ours, theirs=theirs)
            roles = wanted.readers_of("pairs"), wanted.readers_of("ours"), wanted.readers_of("theirs")

            def find_law() -> LawColumns | None:
                return _columns_of_law(read_pairs(pairs, *roles, at, 0, self._meter), ours, theirs)
        else:
            roll = self._list_roll(source, wanted.readers)
            if roll is None:
                return None

            def find_law() -> LawColumns | None:
                return _columns_of_law(read_roll(roll, wanted.readers, at, 0, self._meter), roll)

        made = self._get_or_make(key, find_law, WORK_OF_A_LAW)
        assert not isinstance(made, DieTable)
        return made

    def _list_roll(
        self, lazy: LazyRoll, readers: Sequence[PreparedReading], also: Needs = frozenset()
    ) -> LazyRoll | None:
        """A roll with the table of each of its dice that is not thrown just once; None if one has none."""
        needs = also.union(*[one.needs for one in readers])
        groups: list[tuple[DieUnit, int]] = []
        for unit, count in lazy.groups:
            if not isinstance(unit, PlainDie | PlacedDie):
                table = self.die_table(unit, needs)
                if table is None:
                    return None
                unit = table.listed
            groups.append((unit, count))
        return LazyRoll(lazy.name, tuple(groups))

    def dice(self, lazy: LazyRoll, needs: Needs) -> list[tuple[DieTable, int]] | None:
        """The table of each kind of dice of a roll, with their number; None if one takes too much work."""
        found = [(self.die_table(unit, needs), count) for unit, count in lazy.groups]
        return [(table, count) for table, count in found if table is not None] if all(t for t, _ in found) else None

    def _get_or_make(
        self, key: Any, make: Callable[[], DieTable | LawColumns | None], most: int
    ) -> DieTable | LawColumns | None:
        """What is made with no more than so much work, and kept; None of what takes more."""
        if key not in self._used:
            allowed = min(most, self._left)
            table = self._kept.get(key)
            if table is None or (table.made is None and table.work < allowed):
                table = self._kept[key] = self._make(make, allowed)
                self._kept_work += table.work
            self._left -= min(table.work, allowed)
            self._used[key] = table.made if table.work <= allowed else None
        return self._used[key]

    def _make(self, make: Callable[[], DieTable | LawColumns | None], allowed: int) -> _Table:
        made, laws = None, self._laws
        self._laws = laws.without_laws()
        with self._meter.count_apart(WorkLimits(MOST_STATES, allowed)):
            try:
                made = make()
            except PlayError as error:
                if error.diagnostic.code not in say.TOO_LARGE:
                    raise
            except Undecided:  # the law of a later throw is not complete
                pass
            finally:
                self._laws = laws
            return _Table(made, self._meter.work)

    def _law(self, block: Block, at: Frame) -> Law:
        self._laws.begin()
        return self._laws.law(block, at)


def _elements(unit: DieUnit, needs: Needs) -> Elements | None:
    """The possible results of a die, with weights; None where the rest of a chain stays too likely."""
    for depth in DEPTHS:
        made = unit.elements(needs, depth)
        left = sum(weight for one, weight in made if _is_undecided(one))
        total = sum(weight for _, weight in made)
        if left * NEGLIGIBLE < total or (isinstance(unit, Chain) and unit.guard <= depth):
            return made
    return made if left * RARE < total else None


def _list_results(unit: DieUnit, elements: Elements) -> ListedDie:
    """A die that has these results, as far as they are decided."""
    whole = sum(weight for _, weight in elements)
    decided = [(one, weight) for one, weight in elements if not _is_undecided(one)]
    if whole >= NEGLIGIBLE:  # shares are exact to one part in 2^64, as they are when they are drawn
        decided = [(one, small) for one, weight in decided if (small := weight * NEGLIGIBLE // whole)]
        whole = NEGLIGIBLE
    return ListedDie(unit, decided, whole)


def _is_undecided(one: Any) -> bool:
    return isinstance(getattr(one, "throws", None), TruncatedThrows)


def _columns_of_law(law: Drawn | None, *rolls: LazyRoll) -> LawColumns | None:
    """The columns of a law of rolls with listed dice, whose undecided results are missing."""
    if law is None:
        return None
    rows, total = law
    decided = prod([unit.share**count for roll in rolls for unit, count in roll.groups if isinstance(unit, ListedDie)])
    return LawColumns(rows, int(Fraction(total) / decided)) if decided else None
