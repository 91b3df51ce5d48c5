"""Tables of the results of single dice, and laws of single throws, made once for many runs if they take little work.

A table of a chain holds every sequence of throws until the rest is negligible, which can take as long as a hundred
thousand runs do. So the tables that a part of the runs uses may take so much work together; a chain beyond that is
thrown. The laws of the throws that it is drawn from may take as much; beyond that, the part is drawn throw by throw.

Which chains are thrown follows from the part alone, and not from what was made for other parts: the same seed gives the
same result on any number of processes. So a table counts what it takes by itself, whether it is kept from another part
or not, and the laws are found anew for each part.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.odds.engine import Decide, ForwardEngine
from interpreter.odds.lazy_roll import Chain, DieUnit, Elements, Needs, TruncatedThrows, fresh
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.meter import WorkLimits
from interpreter.odds.operations import Block, Frame, Law
from interpreter.odds.truncation import Undecided
from interpreter.simulation.random_bits import Urn

DEPTHS = (16, 64, 256)
"""The numbers of throws to which a chain is followed, until its rest is negligible. The rest stays undecided."""

NEGLIGIBLE, RARE = 1 << 64, 1 << 30
"""The rest of a chain is negligible, or at least rare, if its share is below one in this number."""

WORK_OF_A_TABLE = 500_000
"""The units of work that one table may take."""

WORK_OF_A_PART, WORK_OF_A_RUN = 1_000_000, 10
"""The units of work that a part of the runs may take to be prepared, and what each run adds to them."""

WORK_KEPT = 20_000_000
"""The tables that are kept from one part to the next took at most this work, as their size grows with it."""

MOST_STATES = 1 << 40
"""The limit on states in preparation, so high that the limit on work is reached first."""

MOST_KEPT = 2_000
"""The limit on tables that are kept from one part to the next: those of placed dice take no work."""


def work_of_a_part(runs: int) -> int:
    """The units of work that all tables of a part of so many runs may take, and as many its laws of single throws."""
    return WORK_OF_A_PART + WORK_OF_A_RUN * runs


@dataclass(frozen=True)
class DieTable:
    """The results of a die, each with its weight, and the work that it took to list them.

    Without `elements`, that takes more than `work`, or has no end.
    """

    elements: Elements | None
    work: int

    @cached_property
    def urn(self) -> Urn:
        """The urn that draws one of the results by its place."""
        return Urn([weight for _, weight in self.elements or ()])


class DieTables:
    """The tables of dice and the laws of throws of one lowering."""

    def __init__(self, lowering: Lowering, decide: Decide) -> None:
        self._meter = lowering.meter
        self._laws = ForwardEngine(lowering, decide)
        lowering.law = self._law
        self._left = 0
        self._kept_work = 0
        self._kept: dict[tuple[DieUnit, Needs], DieTable] = {}
        self._used: dict[tuple[DieUnit, Needs], DieTable | None] = {}

    def begin(self, runs: int) -> None:
        """Begin another part of so many runs."""
        self._meter.begin(WorkLimits(MOST_STATES, work_of_a_part(runs)))
        self._laws = self._laws.without_laws()
        self._left = work_of_a_part(runs)
        self._used = {}
        if self._kept_work > WORK_KEPT or len(self._kept) > MOST_KEPT:
            self._kept, self._kept_work = {}, 0

    def of(self, unit: DieUnit, needs: Needs) -> DieTable | None:
        """The table of a die for what is read of it; None if it takes too much work."""
        key = (unit, needs)
        if key not in self._used:
            allowed = min(WORK_OF_A_TABLE, self._left)
            table = self._kept.get(key)
            if table is None or (table.elements is None and table.work < allowed):
                table = self._kept[key] = self._made(unit, needs, allowed)
                self._kept_work += table.work
            self._left -= min(table.work, allowed)
            self._used[key] = table if table.elements is not None and table.work <= allowed else None
        return self._used[key]

    def _made(self, unit: DieUnit, needs: Needs, allowed: int) -> DieTable:
        elements, laws = None, self._laws
        self._laws = laws.without_laws()
        with self._meter.apart(WorkLimits(MOST_STATES, allowed)):
            try:
                elements = _elements(fresh(unit), needs)
            except PlayError as error:
                if error.diagnostic.code not in say.TOO_LARGE:
                    raise
            except Undecided:  # the law of a later throw is not complete
                pass
            finally:
                self._laws = laws
            return DieTable(elements, self._meter.work)

    def _law(self, block: Block, at: Frame) -> Law:
        self._laws.begin()
        return self._laws.law(block, at)


def _elements(unit: DieUnit, needs: Needs) -> Elements | None:
    """The possible results of a die, with weights; None where the rest of a chain stays too likely."""
    for depth in DEPTHS:
        made = unit.elements(needs, depth)
        left = sum(weight for one, weight in made if _is_cut(one))
        total = sum(weight for _, weight in made)
        if left * NEGLIGIBLE < total or (isinstance(unit, Chain) and unit.guard <= depth):
            return made
    return made if left * RARE < total else None


def _is_cut(one: Any) -> bool:
    return isinstance(getattr(one, "throws", None), TruncatedThrows)
