"""Steps that leave nothing open, one after the other, for many states at once.

Between one roll that is drawn and the next, a state only goes through formulas. Where they begin is known which names
its frame binds, and so, for every step on the way, which of them may hold a roll and which tell states apart: all
that is settled once for a stretch, and each state pays for its formulas alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import lcm
from operator import itemgetter
from typing import Any

from interpreter.closures import ELEMENTS, Closure
from interpreter.odds.blocks import Block, Ended, Frame, Op
from interpreter.odds.keys import PLAIN, key_of
from interpreter.odds.study import holds_bag
from interpreter.odds.tails import Undecided

States = dict[Any, list[Any]]
"""States by what tells them apart: the frame, and its ways."""

_ABSENT = object()


@dataclass(slots=True)
class Waiting:
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
class Stop:
    """A place where states may wait: `key` tells them apart there, `names` are those it knows, `drop` is forgotten."""

    place: int
    key: Callable[[Frame], tuple[Any, ...]]
    names: Any
    drop: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Stretch:
    """The steps from one place on, for frames that bind certain names; `watched` beside each are names to look at."""

    block: Block
    steps: list[tuple[Op, tuple[str, ...], Closure | None, Closure | None]]
    stops: list[Stop]

    def gone(self, rows: Iterable[tuple[Frame, int]], ways: int, total: int, waiting: Waiting) -> None:
        """Take each state as far as nothing is left open; what then is like another one is the same."""
        steps, stops = self.steps, self.stops
        reached: dict[int, tuple[States, Callable[[Frame], tuple[Any, ...]], tuple[str, ...]]] = {}
        for frame, times in rows:
            frame[".meter"][0] = ELEMENTS  # what one way may look at in so many steps, and not all ways together
            at = 0
            try:
                for op, watched, guard, plain in steps:
                    if watched and any(map(holds_bag, map(frame.get, watched))):
                        break
                    if guard is not None and not guard(frame):
                        skip(op, frame)
                    elif plain is None:
                        break
                    else:
                        value = plain(frame)
                        if op.ends and isinstance(value, Ended):
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
                stop = stops[at]
                reached[at] = (waiting.held(stop.place, total, stop.names), stop.key, stop.drop)
            held, key_at, drop = reached[at]
            key = key_at(frame)
            if not _IS_PLAIN(map(type, key)):
                key = tuple(map(key_of, key))
            known = held.get(key)
            if known is None:
                for name in drop:
                    frame.pop(name, None)
                held[key] = [frame, ways * times]
            else:
                known[1] += ways * times


_IS_PLAIN = PLAIN.issuperset


def stretch_from(block: Block, place: int, names: Iterable[str]) -> Stretch:
    """The stretch that begins at a place of a block for frames that bind these names."""
    bound = set(names)
    unsure: set[str] = set()
    steps: list[tuple[Op, tuple[str, ...], Closure | None, Closure | None]] = []
    stops = [_stop(block, place, bound, unsure, ())]
    drop: tuple[str, ...] = ()
    for number, op in enumerate(block.ops[place:], place + 1):
        watched = tuple([name for name in op.watched if name in bound or name in unsure])
        steps.append((op, watched, op.guard, op.plain))
        if op.plain is None and op.guard is None:
            break
        if op.guard is not None and op.instead is None and (op.keeps or op.spreads):
            unsure |= {op.name} - bound
        else:
            bound.add(op.name)
            unsure.discard(op.name)
        drop = (*[name for name in drop if name != op.name], *op.drop)
        bound -= set(op.drop)
        unsure -= set(op.drop)
        stops.append(_stop(block, number, bound, unsure, drop))
    return Stretch(block, steps, stops)


def _stop(block: Block, place: int, bound: set[str], unsure: set[str], drop: tuple[str, ...]) -> Stop:
    live = block.ops[place - 1].live if place else block.free
    if unsure.intersection(live):
        return Stop(place, lambda frame: tuple([frame.get(name, _ABSENT) for name in live]), None, drop)
    names = tuple([name for name in live if name in bound])
    return Stop(place, _getter(names), names, drop)


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
    elif not op.keeps and not op.spreads:
        frame[op.name] = None
