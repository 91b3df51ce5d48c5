"""Draws of rolls that are still open: what a step reads of them is drawn just before it runs, and no more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter.odds.demand import Demand, DemandAnalysis
from interpreter.odds.dependent_readings import read_with_dependent
from interpreter.odds.dice_in_classes import draw_entries
from interpreter.odds.failures_ahead import FailedAhead, mark_failures_ahead
from interpreter.odds.laid_out import enumerate_rolls
from interpreter.odds.lazy_roll import MOST_WAYS, LazyRoll
from interpreter.odds.liveness import Use
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.marginal_kernel import Drawn, read_roll
from interpreter.odds.meter import Meter
from interpreter.odds.open_rolls import count_entries, count_further_throws, holds_open_roll, replace_roll
from interpreter.odds.operations import Block, Frame, Law, Op
from interpreter.odds.paired_kernel import Paired, read_pairs
from interpreter.odds.state_keys import PLAIN, freeze
from interpreter.odds.straight_line import DrawnLaw, DrawnNames
from interpreter.odds.truncation import AtLeast, Tails, Undecided, cap_law, merge_bounds, shorten_tail

MOST_FOUND = 500
"""The limit on frames whose demand is kept."""


@dataclass(slots=True, eq=False)
class _RequestedDraw:
    """The demand of an operation for frames that agree in all that decides it, and its law.

    `kept_alive` are the values whose identity is part of the key.
    """

    wanted: Demand | None
    kept_alive: list[Any]
    table: DrawnLaw | None = None


@dataclass
class Drawing:
    """Draws what steps read of open rolls, for the blocks of one lowering, and keeps the laws of what it drew.

    `cap` and `tails` are those of the engine.
    """

    lowering: Lowering
    cap: int | None = None
    tails: Tails = "all"
    has_tails: bool = field(default=False, init=False)
    """Whether a number with a tail that is a lower bound was read."""
    _laws: dict[Any, DrawnLaw | None] = field(default_factory=dict)
    _requests: dict[Any, _RequestedDraw] = field(default_factory=dict)
    _demand: DemandAnalysis = field(init=False)
    _meter: Meter = field(init=False)

    def __post_init__(self) -> None:
        self._meter = self.lowering.meter
        self._demand = DemandAnalysis(self.lowering)

    @property
    def number_of_laws(self) -> int:
        """How many laws are kept."""
        return len(self._laws)

    def forget_laws(self) -> None:
        """Forget the laws that are kept."""
        self._laws.clear()

    def draw_frames(self, block: Block, place: int, frame: Frame, uses: tuple[Use, ...]) -> Law | None:
        """The frames in which the first open roll that a step reads is drawn, with weights; None if there is none."""
        found = self.draw(block, place, frame, uses)
        if found is None:
            return None
        draw, total = found
        return draw.frames(frame) if isinstance(draw, DrawnNames) else draw, total

    def draw_for_all(self, block: Block, place: int, op: Op, states: list[tuple[Frame, int]]) -> DrawnNames | None:
        """What a step reads, drawn for all states at once; None if they may differ in what must be drawn."""
        if len(states) < 2 or op.guard is not None or not op.uses:
            return None
        if not self._demand.frames_agree(block, place, [frame for frame, _ in states], op.uses):
            return None
        try:
            found = self.draw(block, place, states[0][0], op.uses)
        except Undecided:  # the states run one by one
            return None
        return found[0] if found is not None and isinstance(found[0], DrawnNames) else None

    def must_draw(self, block: Block, place: int, frame: Frame, uses: tuple[Use, ...]) -> bool:
        """Whether something must be drawn before a step can run: what it reads of an open roll may be known already."""
        return self.demand_of_step(block, place, frame, uses) is not None

    def demand_of_step(self, block: Block, place: int, frame: Frame, uses: tuple[Use, ...]) -> Demand | None:
        """What must be drawn before a step can run; None if nothing must be."""
        if not any(holds_open_roll(frame.get(use.path[0])) for use in uses):
            return None
        return self._request_draw(block, place, frame, uses)[0].wanted

    def _request_draw(
        self, block: Block, place: int, frame: Frame, uses: tuple[Use, ...]
    ) -> tuple[_RequestedDraw, tuple[Any, ...]]:
        """What must be drawn for a step, with a key of the values of the frame that are not plain."""
        decisive, others = self._demand.deciding_key(block, place, frame, uses)
        key = (id(block), place, id(uses), tuple(frame), decisive)
        found = self._requests.get(key)
        if found is None:
            wanted = self._demand.next_demand(block, place, frame, uses)
            found = _RequestedDraw(wanted, [one for one in frame.values() if type(one) not in PLAIN])
            if len(self._requests) >= MOST_FOUND:
                self._requests.clear()
            self._requests[key] = found
        return found, others

    def draw(
        self, block: Block, place: int, frame: Frame, uses: tuple[Use, ...]
    ) -> tuple[DrawnNames | list[tuple[Frame, int]], int] | None:
        """The same as names with their law, where the frames differ in these alone; with the total."""
        if not any(holds_open_roll(frame.get(use.path[0])) for use in uses):
            return None
        found, others = self._request_draw(block, place, frame, uses)
        wanted, names = found.wanted, tuple(frame)
        if wanted is None or wanted.split is not None or not wanted.members:
            return self._draw_demand(wanted, frame)
        table = found.table
        if table is None:
            table = self._law_of(wanted, frame)
            if table is None:
                return self._draw_demand(wanted.of_all_dice, frame)
            found.table = table
        return DrawnNames(wanted.read, wanted.names, table, (id(table), wanted.names, names, others)), table.total

    def open_demand(self, block: Block, place: int, frame: Frame) -> Demand | None:
        """What must be drawn of the first open roll that any later operation reads; None if all of it is known."""
        return self._demand.later_demand(block, place, frame)

    def draw_demand(self, wanted: Demand, frame: Frame) -> Law:
        """The frames in which a demand is drawn, with weights."""
        law = self._draw_demand(wanted, frame)
        assert law is not None
        return law

    def law_of_dice(self, lazy: LazyRoll) -> Law:
        """The law of the dice of a lazy roll."""
        law = self._law_of(Demand(lazy), {})
        assert law is not None
        return law.rows, law.total

    def _draw_demand(self, wanted: Demand | None, frame: Frame) -> Law | None:
        if wanted is None:
            return None
        if wanted.split is not None:
            return self._split_by_entries(wanted, frame)
        law = self._law_of(wanted, frame)
        if law is None:
            wanted = wanted.of_all_dice
            law = self._law_of(wanted, frame)
        assert law is not None
        self._meter.spend((20 + 6 * size_of(frame)) * len(law.rows))
        return wanted.bind_each_row(frame, law.rows), law.total

    def _split_by_entries(self, wanted: Demand, frame: Frame) -> Law:
        """A state for each way in which dice add to a reading; otherwise they stay open."""
        lazy, one = wanted.source, wanted.split
        assert isinstance(lazy, LazyRoll) and one is not None
        rows, total = draw_entries(lazy, one.places, one.reader, frame, self.lowering.depth, self._meter)
        made = []
        for entry, roll, ways in rows:
            child = {name: replace_roll(value, lazy, roll) for name, value in frame.items()}
            child[one.reader.name] = one.reader.result(one.others + entry)
            made.append((child, ways))
        return made, total

    def _law_of(self, wanted: Demand, frame: Frame) -> DrawnLaw | None:
        """The law of a demand; None if no kernel can compute it."""
        source, readers, depth = wanted.source, wanted.readers, self.lowering.depth
        free = [freeze(frame[name]) for one in readers for name in one.free]
        what = source.groups if isinstance(source, LazyRoll) and readers else source
        if wanted.dependent:
            free.append(tuple([(name, freeze(frame[name])) for name in _names_read_by_steps(wanted) if name in frame]))
        key = (what, wanted.names, tuple(free))
        if key not in self._laws:
            if readers or wanted.dependent:
                try:
                    found = self._read_demand(wanted, frame)
                except FailedAhead:
                    found = None
            else:
                assert isinstance(source, LazyRoll)
                first, order = self.lowering.first_key(source.name), self.lowering.die_identity.order
                best = self.lowering.best_dice.get(source.name)
                found = enumerate_rolls(source, depth, MOST_WAYS, first, self._meter, order, best)
            if found is not None and readers and self.cap is not None:
                rows, total = found
                found = cap_law(rows, self.cap), total
            elif found is not None and len(wanted.names) == 1:
                rows, total = found
                self.has_tails = self.has_tails or any(type(value) is AtLeast for (value,), _ in rows)
                found = (merge_bounds(shorten_tail(rows, total)) if self.tails == "short" else rows), total
            self._laws[key] = DrawnLaw(*found) if found is not None else None
        return self._laws[key]

    def _read_demand(self, wanted: Demand, frame: Frame) -> Drawn | None:
        """The joint law of the readings of a demand, and the total; None if no kernel can compute it.

        Raises FailedAhead where a formula fails that play may never reach.
        """
        source, readers, depth = wanted.source, wanted.readers, self.lowering.depth
        if isinstance(source, LazyRoll) and wanted.dependent:
            return read_with_dependent(source, readers, wanted.dependent, frame, depth, self._meter)
        with mark_failures_ahead(frame, [name for one in readers for name in one.free]):
            if isinstance(source, LazyRoll):
                return read_roll(source, readers, frame, depth, self._meter)
            roles = wanted.readers_of("pairs"), wanted.readers_of("ours"), wanted.readers_of("theirs")
            return read_pairs(source, *roles, frame, depth, self._meter)


def _names_read_by_steps(wanted: Demand) -> list[str]:
    """The names that dependent readings and the steps before them read."""
    names = {path[0] for one in wanted.dependent for step in one.steps for path in step.touches}
    return sorted(names.union(*[one.reader.free for one in wanted.dependent]))


def size_of(frame: Frame) -> int:
    """The approximate number of elements in a frame: of lists, with those of lists in them, of paired dice, and of
    throws of dice."""
    found = 0
    for value in frame.values():
        if type(value) is tuple and value:
            found += count_entries(value) >> 1 if type(value[0]) is dict else len(value)
            found += count_further_throws(value) >> 2
        elif type(value) is Paired:
            found += 2 * (len(value.ours) + len(value.theirs))
    return found
