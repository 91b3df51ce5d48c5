"""Straight-line blocks: steps between two draws that leave no roll or choice open, run together for many states.

Frames that bind the same names agree in which of these may hold a roll, and in which are live. So this is found once
for a straight-line block, and each state only runs the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, product, repeat, starmap
from math import lcm
from operator import itemgetter, mul
from typing import Any

from interpreter import ir
from interpreter.diagnostics.source import Span
from interpreter.odds.open_rolls import holds_open_roll
from interpreter.odds.operations import Block, EndedValue, Frame, Op
from interpreter.odds.state_keys import KEYS, PLAIN, key_of
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.odds.vectorize import (
    At,
    Column,
    ColumnNames,
    NotVectorizable,
    Wide,
    vectorize_formula,
    vectorize_outcome,
)
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.operations import ELEMENTS, check_range
from interpreter.work_count import spend

States = dict[Any, list[Any]]
"""States by their keys: the frame and its weight."""

_ABSENT = object()


@dataclass(slots=True)
class PendingStates:
    """The states that wait to be merged: by operation, by the total of their weights, and by the names that they bind.

    `ended` are the values of states that ended the block, with their weights and totals.
    """

    ops: list[Op]
    ended: list[tuple[Any, int, int]] = field(default_factory=list)
    _places: dict[int, dict[tuple[int, Any], States]] = field(default_factory=dict)

    def has_states_at(self, place: int) -> bool:
        """Whether any state waits before an operation."""
        return place in self._places

    def group(self, place: int, total: int, names: Any) -> States:
        """The states that wait before an operation, have weights over this total, and bind these names."""
        return self._places.setdefault(place, {}).setdefault((total, names), {})

    def take(self, place: int) -> tuple[list[tuple[Frame, int]], int]:
        """Remove the states that wait before an operation, merged, with the total of their weights."""
        groups = self._places.pop(place, {})
        if len(groups) < 2:
            return [(frame, ways) for states in groups.values() for frame, ways in states.values()], next(
                (total for total, _ in groups), 1
            )
        whole = lcm(*{total for total, _ in groups})
        made: States = {}
        for (total, names), states in groups.items():
            factor = whole // total
            for key, (frame, ways) in states.items():
                known = made.get((names, key))
                if known is None:
                    made[names, key] = [frame, ways * factor]
                else:
                    known[1] += ways * factor
        return [(frame, ways) for frame, ways in made.values()], whole


@dataclass(slots=True, eq=False)
class DrawnLaw:
    """A law as rows of values with their weights, and the total weight.

    A row is a tuple of values or, if it is of one value `alone`, this value.
    """

    rows: list[tuple[Any, int]]
    total: int
    alone: bool = False
    _columns: tuple[list[Any], ...] | None = None
    _bounds: int | None = None

    @property
    def columns(self) -> tuple[list[Any], ...]:
        """The weights, and a column for each value; empty if a column has other values than plain ones or records."""
        if self._columns is None:
            rows, ways = zip(*self.rows, strict=True) if self.rows else ((), ())
            flat = [list(rows)] if self.alone else list(map(list, zip(*rows, strict=True)))
            self._columns = (list(ways), *flat) if all(map(_is_flat, flat)) else ()
        return self._columns

    @property
    def number_of_bounds(self) -> int:
        """The number of rows with a number of which only a lower bound is known."""
        if self._bounds is None:
            kinds = ((type(value),) if self.alone else map(type, value) for value, _ in self.rows)
            self._bounds = sum([AtLeast in some for some in kinds])
        return self._bounds


def _is_flat(column: list[Any]) -> bool:
    """Whether values are all plain, or all records of plain values."""
    kinds = set(map(type, column))
    return _IS_PLAIN(kinds) or (kinds == _RECORDS and all(_IS_PLAIN(map(type, one.values())) for one in column))


_RECORDS = {dict}


@dataclass(slots=True, eq=False)
class DrawnNames:
    """What is drawn in a state: the law of some `names`, which replace those that are `read`.

    `group` is equal for states that can run together, as they differ only in plain values.
    """

    read: frozenset[str]
    names: tuple[str, ...]
    table: DrawnLaw
    group: Any

    def rest(self, frame: Frame) -> Frame:
        """The frame without the names that are read."""
        return {name: one for name, one in frame.items() if name not in self.read}

    def frames(self, frame: Frame) -> list[tuple[Frame, int]]:
        """The frames that follow from one, with their weights."""
        rest, names = self.rest(frame), self.names
        if self.table.alone:
            return [({**rest, names[0]: value}, ways) for value, ways in self.table.rows]
        return [(rest | dict(zip(names, values, strict=True)), ways) for values, ways in self.table.rows]


@dataclass(slots=True, eq=False)
class MergePoint:
    """Where states are merged: `key` gives the key of a frame, of `names` if all are bound; `drop` are removed."""

    place: int
    key: Callable[[Frame], tuple[Any, ...]]
    names: Any
    drop: tuple[str, ...]


Guarded = tuple[Op, tuple[str, ...], Closure | None, Closure | None, frozenset[str]]
"""A step with the names that may hold a roll, its condition, its plain result, and the names that may be bound after
it."""


@dataclass(slots=True, eq=False)
class StraightLineBlock:
    """The steps from one place on, for frames that bind certain `names`; each is prepared when a state reaches it."""

    block: Block
    place: int
    names: frozenset[str]
    _ready: tuple[Guarded, ...] = ()
    _stops: dict[int, MergePoint] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.block.ops) - self.place

    def prepare_next_step(self) -> tuple[Guarded, ...]:
        """Prepare one more step; all that are prepared."""
        ready = self._ready
        op, names = self.block.ops[self.place + len(ready)], ready[-1][4] if ready else self.names
        watched = tuple([name for name in op.watched if name in names]) if op.watched else ()
        self._ready = (*ready, (op, watched, op.guard, op.plain, (names | {op.name}).difference(op.drop)))
        return self._ready

    def merge_point_after(self, number: int) -> MergePoint:
        """The merge point after the first `number` steps."""
        if number not in self._stops:
            place = self.place + number
            ops = self.block.ops[self.place : place]
            live = self.block.ops[place - 1].live if place else self.block.free
            bound = self._ready[number - 1][4] if number else self.names
            drop = tuple({name for op in ops for name in op.drop} - bound)
            if any(op.guard is not None and op.instead is None and op.binds_nothing_if_skipped for op in ops) and (
                self._names_bound_conditionally(ops).intersection(live)
            ):
                absent = repeat(_ABSENT)
                self._stops[number] = MergePoint(place, lambda frame: tuple(map(frame.get, live, absent)), None, drop)
            else:
                names = tuple([name for name in live if name in bound])
                self._stops[number] = MergePoint(place, _getter(names), names, drop)
        return self._stops[number]

    def _names_bound_conditionally(self, ops: Iterable[Op]) -> set[str]:
        """The names that these steps bind only where a condition holds."""
        bound, unsure = set(self.names), set[str]()
        for op in ops:
            if op.guard is not None and op.instead is None and op.binds_nothing_if_skipped:
                unsure |= {op.name} - bound
            else:
                bound.add(op.name)
                unsure.discard(op.name)
            bound.difference_update(op.drop)
            unsure.difference_update(op.drop)
        return unsure

    def run(self, rows: Iterable[tuple[Frame, int]], ways: int, total: int, waiting: PendingStates) -> None:
        """Run each state up to the first step that needs a draw, a choice or inner steps, and merge it there."""
        ready, end = self._ready, len(self)
        reached: dict[int, tuple[States, Callable[[Frame], tuple[Any, ...]], tuple[str, ...]]] = {}
        for frame, times in rows:
            frame[".meter"][0] = ELEMENTS  # the limit holds for each state, not for all together
            at = 0
            try:
                while at < end:
                    if at == len(ready):
                        ready = self.prepare_next_step()
                    op, watched, guard, plain, _ = ready[at]
                    if watched and any(map(holds_open_roll, map(frame.get, watched))):
                        break
                    if guard is not None and not guard(frame):
                        skip(op, frame)
                    elif plain is None:
                        break
                    else:
                        value = plain(frame)
                        if op.ends and isinstance(value, EndedValue):
                            waiting.ended.append((self.block.ended(frame, value), ways * times, total))
                            at = -1
                            break
                        frame[op.name] = value
                    at += 1
            except Undecided:
                continue
            if at < 0:
                continue
            if at not in reached:
                stop = self.merge_point_after(at)
                reached[at] = (waiting.group(stop.place, total, stop.names), stop.key, stop.drop)
            held, key_at, drop = reached[at]
            key = key_at(frame)
            if not KEYS.issuperset(map(type, key)):
                key = tuple(map(key_of, key))
            known = held.get(key)
            if known is None:
                for name in drop:
                    frame.pop(name, None)
                held[key] = [frame, ways * times]
            else:
                known[1] += ways * times


ROWS_IN_A_UNIT = 4
"""The rows of a column that a formula makes, or that are merged, in a unit of work."""
_IS_PLAIN = PLAIN.issuperset


@dataclass(slots=True, eq=False)
class VectorBlock:
    """A straight-line block of formulas, run for many states at once with a column for each name.

    `used` are the names of frames that it reads. If it is not `whole`, states stop at its end only if one of `watched`
    holds an open roll.
    """

    steps: list[tuple[str, Wide]]
    used: tuple[str, ...]
    watched: tuple[str, ...]
    whole: bool
    stop: MergePoint

    def run(self, draw: DrawnNames, states: list[tuple[Frame, int]], total: int, waiting: PendingStates) -> bool:
        """Run the states that follow from a draw, of one group; False, and nothing is done, if they do not fit."""
        stop, drawn = self.stop, draw.table.columns
        frames, times = zip(*states, strict=True)
        if not drawn:
            return False
        at: At = {".meter": [ELEMENTS]}
        shared = False
        for name in self.used:
            values = list(map(itemgetter(name), frames))
            if _IS_PLAIN(map(type, values)):
                at[name] = _column(values, len(drawn[0]))
            elif all(one is values[0] for one in values):
                at[name] = values[0]
                shared = True
            else:
                return False
        at.update(zip(draw.names, [column * len(frames) for column in drawn[1:]], strict=True))
        rows = len(frames) * len(drawn[0])
        try:
            for name, formula in self.steps:
                spend(rows // ROWS_IN_A_UNIT)
                at[name] = formula(at)
        except (NotVectorizable, Undecided):
            return False
        if not self.whole and not any(holds_open_roll(at.get(name, frames[0].get(name))) for name in self.watched):
            return False
        for name in stop.names:
            if name not in at:
                values = list(map(itemgetter(name), frames))
                at[name] = _column(values, len(drawn[0])) if type(values[0]) in PLAIN else values[0]
        differing = [name for name in stop.names if type(at[name]) is list]
        if any(type(at[name][0]) is dict for name in differing):
            return False
        if shared and any(AtLeast in map(type, at[name]) for name in differing):  # open numbers are no keys
            return False
        each = starmap(mul, product(times, drawn[0]))
        spend(rows // ROWS_IN_A_UNIT)
        found: dict[Any, int] = {}
        if len(differing) == 1:  # the usual case, at half the cost
            for value, ways in zip(at[differing[0]], each, strict=True):
                found[value] = found.get(value, 0) + ways
            found = dict(zip(zip(found, strict=True), found.values(), strict=True))
        elif differing:
            for key, ways in zip(zip(*[at[name] for name in differing], strict=True), each, strict=True):
                found[key] = found.get(key, 0) + ways
        else:
            found[()] = sum(each)
        held = waiting.group(stop.place, total, stop.names)
        spend(len(found))
        self._merge_at_end(draw.rest(frames[0]), {name: at[name] for name in stop.names}, differing, found, held)
        return True

    def _merge_at_end(
        self, rest: Frame, shared: Frame, differing: list[str], found: dict[Any, int], held: States
    ) -> None:
        """Merge the states at the end, each with its weight."""
        for name in self.stop.drop:
            rest.pop(name, None)
        rest |= shared
        keys: Iterable[Any] = found
        if len(differing) < len(shared):
            columns = dict(zip(differing, zip(*found, strict=True), strict=True))
            keys = zip(*[columns.get(name) or repeat(key_of(value)) for name, value in shared.items()], strict=False)
        for key, (values, ways) in zip(keys, found.items(), strict=False):
            if key in held:
                held[key][1] += ways
            else:
                held[key] = [{**rest, **dict(zip(differing, values, strict=False))}, ways]


def _column(values: list[Any], times: int) -> Column:
    """A column with the value of each state for `times` rows; one value if all agree."""
    if values.count(values[0]) == len(values):
        return values[0]
    return list(chain.from_iterable(map(repeat, values, repeat(times))))


def vector_block_from(
    block: Block, place: int, rest: Iterable[str], drawn: tuple[str, ...], named: Mapping[int, str]
) -> VectorBlock | None:
    """The vector block from one place on, for states that differ in what was drawn; None if it is not of formulas.

    `named` are the names under which a frame may hold the drawn values of expressions.
    """
    known = {*rest, *drawn}
    line = straight_line_from(block, place, known)
    bound = set(drawn)
    names = ColumnNames(known, named)
    steps: list[tuple[str, Wide]] = []
    end: tuple[str, ...] = ()
    whole = True
    while len(steps) < len(line):
        op, watched, guard, plain, _ = line.prepare_next_step()[-1]
        if watched or guard is not None or plain is None:
            end, whole = watched, plain is None and guard is None
            break
        made = _wide_step(op, plain, names)
        if made is None:
            return None
        steps.append((op.name, made))
        known.add(op.name)
        bound.add(op.name)
    stop = line.merge_point_after(len(steps))
    if not steps or stop.names is None or not (whole or end):
        return None
    return VectorBlock(steps, tuple(names.used - bound), end, whole, stop)


def _wide_step(op: Op, plain: Closure, names: ColumnNames) -> Wide | None:
    """The result of a step for many states: by its formula, or once if it reads nothing in which they differ."""
    if op.ends:
        return None
    if isinstance(op.formula, ir.Outcomes):
        return vectorize_outcome(op.formula, names)
    if op.formula is not None:
        made = vectorize_formula(op.formula, names)
        return made if made is None or op.unbounded is None else _with_range_check(made, op.unbounded)
    reads = {path[0] for path in op.touches} | {use.name for use in op.uses if use.name}
    if not all(name in names.known for name in reads):
        return None
    names.used |= reads

    def compute_for_all(at: At) -> Column:
        if any(type(at[name]) is list for name in reads):
            raise NotVectorizable
        return plain(dict(at))

    return compute_for_all


def _with_range_check(made: Wide, span: Span) -> Wide:
    def check(at: At) -> Column:
        column = made(at)
        numbers = [value for value in (column if type(column) is list else (column,)) if type(value) is int]
        if numbers:
            check_range(min(numbers), span)
            check_range(max(numbers), span)
        return column

    return check


def straight_line_from(block: Block, place: int, names: Iterable[str]) -> StraightLineBlock:
    """The straight-line block from a place on, for frames that bind these names."""
    return StraightLineBlock(block, place, frozenset(names))


def _getter(names: tuple[str, ...]) -> Callable[[Frame], tuple[Any, ...]]:
    """A function from a frame to the values of some names."""
    if not names:
        return lambda frame: ()
    if len(names) == 1:
        name = names[0]
        return lambda frame: (frame[name],)
    return itemgetter(*names)


def skip(op: Op, frame: Frame) -> None:
    """Skip a step whose condition does not hold."""
    if op.instead is not None:
        frame[op.name] = op.instead(frame)
    elif not op.binds_nothing_if_skipped:
        frame[op.name] = None
