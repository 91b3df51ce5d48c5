"""Steps that leave nothing open, one after the other, for many states at once.

Between one roll that is drawn and the next, a state only goes through formulas. Where they begin is known which names
its frame binds, and so, for every step on the way, which of them may hold a roll and which tell states apart: all
that is settled once for a stretch, and each state pays for its formulas alone.
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
from interpreter.odds.truncation import Undecided
from interpreter.odds.vectorize import At, Column, ColumnNames, NotVectorizable, Wide, wide, wide_outcome
from interpreter.runtime.evaluator import ELEMENTS, Closure, in_range

States = dict[Any, list[Any]]
"""States by what tells them apart: the frame, and its ways."""

_ABSENT = object()


@dataclass(slots=True)
class PendingStates:
    """States of a block where they wait for each other: by step, and there by their total and the names that they bind.

    `ended` are values of those that ended the block, with their ways and totals.
    """

    ops: list[Op]
    ended: list[tuple[Any, int, int]] = field(default_factory=list)
    _places: dict[int, dict[tuple[int, Any], States]] = field(default_factory=dict)

    def at(self, place: int) -> bool:
        """Whether any state waits for a step."""
        return place in self._places

    def held(self, place: int, total: int, names: Any) -> States:
        """The states that wait for a step with ways over a total, and bind such names."""
        return self._places.setdefault(place, {}).setdefault((total, names), {})

    def taken(self, place: int) -> tuple[list[tuple[Frame, int]], int]:
        """The states that wait for a step, no two of them alike, and the total of their ways."""
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
    """The law of what is read of a roll: rows of values with their ways, and the ways in all.

    Where it is of something `alone`, a row is that value, and not a tuple of values.
    """

    rows: list[tuple[Any, int]]
    total: int
    alone: bool = False
    _columns: tuple[list[Any], ...] | None = None

    @property
    def columns(self) -> tuple[list[Any], ...]:
        """The ways, and a column for each of the values; none where a value is more than a number, a word, a truth,
        or a record of such.
        """
        if self._columns is None:
            rows, ways = zip(*self.rows, strict=True) if self.rows else ((), ())
            flat = [list(rows)] if self.alone else list(map(list, zip(*rows, strict=True)))
            self._columns = (list(ways), *flat) if all(map(_is_flat, flat)) else ()
        return self._columns


def _is_flat(column: list[Any]) -> bool:
    """Whether values are all numbers, words and truths, or all records of such."""
    kinds = set(map(type, column))
    return _IS_PLAIN(kinds) or (kinds == _RECORDS and all(_IS_PLAIN(map(type, one.values())) for one in column))


_RECORDS = {dict}


@dataclass(slots=True, eq=False)
class DrawnNames:
    """What is drawn in a state: `names` with their law, in place of what is `read`.

    `group` is what a state has in common with others that may go on together: they differ in numbers, words, truths.
    """

    read: frozenset[str]
    names: tuple[str, ...]
    table: DrawnLaw
    group: Any

    def rest(self, frame: Frame) -> Frame:
        """What is left of a state when it was read."""
        return {name: one for name, one in frame.items() if name not in self.read}

    def frames(self, frame: Frame) -> list[tuple[Frame, int]]:
        """The states that come of one, with their ways."""
        rest, names = self.rest(frame), self.names
        if self.table.alone:
            return [({**rest, names[0]: value}, ways) for value, ways in self.table.rows]
        return [(rest | dict(zip(names, values, strict=True)), ways) for values, ways in self.table.rows]


@dataclass(slots=True, eq=False)
class MergePoint:
    """A place where states may wait: `key` tells them apart there, `names` are those it knows, `drop` is forgotten."""

    place: int
    key: Callable[[Frame], tuple[Any, ...]]
    names: Any
    drop: tuple[str, ...]


Guarded = tuple[Op, tuple[str, ...], Closure | None, Closure | None, frozenset[str]]
"""A step with the names that may hold a roll there, its condition, and what it comes to at once.

Beside it, the names that are bound after it, or may be.
"""


@dataclass(slots=True, eq=False)
class StraightLineBlock:
    """The steps from one place on, for frames that bind certain `names`, each made ready when a state comes to it."""

    block: Block
    place: int
    names: frozenset[str]
    _ready: tuple[Guarded, ...] = ()
    _stops: dict[int, MergePoint] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.block.ops) - self.place

    def further(self) -> tuple[Guarded, ...]:
        """The steps that were made ready, and one more."""
        ready = self._ready
        op, names = self.block.ops[self.place + len(ready)], ready[-1][4] if ready else self.names
        watched = tuple([name for name in op.watched if name in names]) if op.watched else ()
        self._ready = (*ready, (op, watched, op.guard, op.plain, (names | {op.name}).difference(op.drop)))
        return self._ready

    def stop(self, number: int) -> MergePoint:
        """Where states wait that have come past so many steps."""
        if number not in self._stops:
            place = self.place + number
            ops = self.block.ops[self.place : place]
            live = self.block.ops[place - 1].live if place else self.block.free
            there = self._ready[number - 1][4] if number else self.names
            drop = tuple({name for op in ops for name in op.drop} - there)
            if any(op.guard is not None and op.instead is None and op.silent for op in ops) and (
                self._unsure(ops).intersection(live)
            ):
                absent = repeat(_ABSENT)
                self._stops[number] = MergePoint(place, lambda frame: tuple(map(frame.get, live, absent)), None, drop)
            else:
                names = tuple([name for name in live if name in there])
                self._stops[number] = MergePoint(place, _getter(names), names, drop)
        return self._stops[number]

    def _unsure(self, ops: Iterable[Op]) -> set[str]:
        """Names that are only bound after these steps where a condition holds."""
        bound, unsure = set(self.names), set[str]()
        for op in ops:
            if op.guard is not None and op.instead is None and op.silent:
                unsure |= {op.name} - bound
            else:
                bound.add(op.name)
                unsure.discard(op.name)
            bound.difference_update(op.drop)
            unsure.difference_update(op.drop)
        return unsure

    def gone(self, rows: Iterable[tuple[Frame, int]], ways: int, total: int, waiting: PendingStates) -> None:
        """Take each state as far as nothing is left open; what then is like another one is the same."""
        ready, end = self._ready, len(self)
        reached: dict[int, tuple[States, Callable[[Frame], tuple[Any, ...]], tuple[str, ...]]] = {}
        for frame, times in rows:
            frame[".meter"][0] = ELEMENTS  # what one way may look at in so many steps, and not all ways together
            at = 0
            try:
                while at < end:
                    if at == len(ready):
                        ready = self.further()
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
                stop = self.stop(at)
                reached[at] = (waiting.held(stop.place, total, stop.names), stop.key, stop.drop)
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


_IS_PLAIN = PLAIN.issuperset


@dataclass(slots=True, eq=False)
class VectorBlock:
    """A stretch that is nothing but formulas, for many states at once: a column for each name.

    `used` are names of the frames that they look at. States come to its end where one of `watched` holds a roll that
    is still open, or, where it is `whole`, always.
    """

    steps: list[tuple[str, Wide]]
    used: tuple[str, ...]
    watched: tuple[str, ...]
    whole: bool
    stop: MergePoint

    def gone(self, came: DrawnNames, states: list[tuple[Frame, int]], total: int, waiting: PendingStates) -> bool:
        """Take all that comes of states of one group to the end of the stretch; False, and nothing is done, where it
        is not for them.
        """
        stop, drawn = self.stop, came.table.columns
        frames, times = zip(*states, strict=True)
        if not drawn:
            return False
        at: At = {".meter": [ELEMENTS]}
        for name in self.used:
            values = list(map(itemgetter(name), frames))
            if _IS_PLAIN(map(type, values)):
                at[name] = _column(values, len(drawn[0]))
            elif all(one is values[0] for one in values):
                at[name] = values[0]
            else:
                return False
        at.update(zip(came.names, [column * len(frames) for column in drawn[1:]], strict=True))
        try:
            for name, worked_out in self.steps:
                at[name] = worked_out(at)
        except (NotVectorizable, Undecided):
            return False
        if not self.whole and not any(holds_open_roll(at.get(name, frames[0].get(name))) for name in self.watched):
            return False
        for name in stop.names:
            if name not in at:
                values = list(map(itemgetter(name), frames))
                at[name] = _column(values, len(drawn[0])) if type(values[0]) in PLAIN else values[0]
        apart = [name for name in stop.names if type(at[name]) is list]
        if any(type(at[name][0]) is dict for name in apart):
            return False
        each = starmap(mul, product(times, drawn[0]))
        found: dict[Any, int] = {}
        if len(apart) == 1:  # the usual case, and half as dear
            for value, ways in zip(at[apart[0]], each, strict=True):
                found[value] = found.get(value, 0) + ways
            found = dict(zip(zip(found, strict=True), found.values(), strict=True))
        elif apart:
            for key, ways in zip(zip(*[at[name] for name in apart], strict=True), each, strict=True):
                found[key] = found.get(key, 0) + ways
        else:
            found[()] = sum(each)
        held = waiting.held(stop.place, total, stop.names)
        self._put(came.rest(frames[0]), {name: at[name] for name in stop.names}, apart, found, held)
        return True

    def _put(self, rest: Frame, same: Frame, apart: list[str], found: dict[Any, int], held: States) -> None:
        """Let the states wait at the end, each with so many ways."""
        for name in self.stop.drop:
            rest.pop(name, None)
        rest |= same
        keys: Iterable[Any] = found
        if len(apart) < len(same):
            columns = dict(zip(apart, zip(*found, strict=True), strict=True))
            keys = zip(*[columns.get(name) or repeat(key_of(value)) for name, value in same.items()], strict=False)
        for key, (values, ways) in zip(keys, found.items(), strict=False):
            if key in held:
                held[key][1] += ways
            else:
                held[key] = [{**rest, **dict(zip(apart, values, strict=False))}, ways]


def _column(values: list[Any], times: int) -> Column:
    """A value for each of so many rows of each state; one for all where they agree."""
    if values.count(values[0]) == len(values):
        return values[0]
    return list(chain.from_iterable(map(repeat, values, repeat(times))))


def wide_from(
    block: Block, place: int, rest: Iterable[str], drawn: tuple[str, ...], named: Mapping[int, str]
) -> VectorBlock | None:
    """The stretch from one place on, for states that differ in what was drawn; None where it is not of formulas.

    `named` are the names of expressions that a frame may hold drawn.
    """
    known = {*rest, *drawn}
    stretch = stretch_from(block, place, known)
    bound = set(drawn)
    names = ColumnNames(known, named)
    steps: list[tuple[str, Wide]] = []
    end: tuple[str, ...] = ()
    whole = True
    while len(steps) < len(stretch):
        op, watched, guard, plain, _ = stretch.further()[-1]
        if watched or guard is not None or plain is None:
            end, whole = watched, plain is None and guard is None
            break
        made = _wide_step(op, plain, names)
        if made is None:
            return None
        steps.append((op.name, made))
        known.add(op.name)
        bound.add(op.name)
    stop = stretch.stop(len(steps))
    if not steps or stop.names is None or not (whole or end):
        return None
    return VectorBlock(steps, tuple(names.used - bound), end, whole, stop)


def _wide_step(op: Op, plain: Closure, names: ColumnNames) -> Wide | None:
    """What a step comes to for many states: by its formula, or once for all if it looks at nothing they differ in."""
    if op.ends:
        return None
    if isinstance(op.formula, ir.Outcomes):
        return wide_outcome(op.formula, names)
    if op.formula is not None:
        made = wide(op.formula, names)
        return made if made is None or op.unbounded is None else _all_in_range(made, op.unbounded)
    reads = {path[0] for path in op.touches} | {use.name for use in op.uses if use.name}
    if not all(name in names.known for name in reads):
        return None
    names.used |= reads

    def for_all(at: At) -> Column:
        if any(type(at[name]) is list for name in reads):
            raise NotVectorizable
        return plain(dict(at))

    return for_all


def _all_in_range(made: Wide, span: Span) -> Wide:
    def checked(at: At) -> Column:
        column = made(at)
        for value in column if type(column) is list else (column,):
            if type(value) is int:
                in_range(value, span)
        return column

    return checked


def stretch_from(block: Block, place: int, names: Iterable[str]) -> StraightLineBlock:
    """The stretch that begins at a place of a block for frames that bind these names."""
    return StraightLineBlock(block, place, frozenset(names))


def _getter(names: tuple[str, ...]) -> Callable[[Frame], tuple[Any, ...]]:
    """What a frame holds under some names."""
    if not names:
        return lambda frame: ()
    if len(names) == 1:
        name = names[0]
        return lambda frame: (frame[name],)
    return itemgetter(*names)


def skip(op: Op, frame: Frame) -> None:
    """A step whose condition does not hold."""
    if op.instead is not None:
        frame[op.name] = op.instead(frame)
    elif not op.silent:
        frame[op.name] = None
