"""Many runs at once, from the first step to the last: states with the number of runs that are in them.

It is exact odds with another arithmetic of chance. The same blocks are followed through the same steps, and states
that nothing tells apart are one; but where odds multiply ways, here so many runs draw. A step therefore costs what
its different states cost, and only the dice themselves cost as much as there are runs, at the speed of columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from interpreter.odds.demand import Demand, DemandAnalysis
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.liveness import Use
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.open_rolls import first_open_roll, holds_open_roll, with_roll
from interpreter.odds.operations import (
    Block,
    ChanceNode,
    DecisionNode,
    Done,
    EndedValue,
    EnterBlock,
    Frame,
    Op,
    Todo,
    bearable_record,
    went_on,
)
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.projection import told
from interpreter.odds.state_keys import PLAIN, frozen
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.play.requests import Choice
from interpreter.runtime.evaluator import ELEMENTS
from interpreter.simulation.columns import Columns, TooWide, counted
from interpreter.simulation.dice_columns import DiceColumns
from interpreter.simulation.pair_columns import PairColumns, columns, couples
from interpreter.simulation.random_bits import Bits, Urn

Runs = dict[Any, int]
"""How many runs, by whom they are for: a block that several states enter alike is followed for all of them at once."""

State = tuple[Frame, Runs]
Decide = Callable[[Choice], list[tuple[Any, int]]]

MOST_STATES = 20_000
"""How many states may be held at a time."""

FEW_RUNS = 1 << 14
"""So many runs are not divided any further."""

WORTH_IT, FEW_STATES = 8, 512
"""States are only worth following where so many runs share one; a few may always be followed."""

MOST_KEPT = 2_000
_ABSENT = object()


class TooManyStates(Exception):
    """Too many states at a time: fewer runs at once will have fewer."""


@dataclass
class SamplingEngine:
    """Follows blocks of one lowering. `decide` answers a choice, with weights where it is left to chance."""

    lowering: Lowering
    decide: Decide
    bits: Bits = field(init=False)
    most: int = field(init=False)
    _columns: dict[Any, Columns | PairColumns | DiceColumns] = field(default_factory=dict)
    _urns: dict[int, tuple[Any, Urn]] = field(default_factory=dict)
    _demand: DemandAnalysis = field(init=False)

    def __post_init__(self) -> None:
        self._demand = DemandAnalysis(self.lowering)

    def told(self, block: Block, at: Frame, names: tuple[str, ...], runs: int, bits: Bits) -> dict[Any, int]:
        """In how many of so many runs some names of a mechanic's record have which values.

        Raises Crowded where fewer runs have to be followed at a time.
        """
        self.bits = bits
        self.most = min(MOST_STATES, max(runs // WORTH_IT, FEW_STATES))
        found: dict[Any, int] = {}
        for record, by in self._laid(self.law(block, at, {None: runs})):
            try:
                values = tuple([told(record, name) for name in names])
            except Undecided:
                continue
            if AtLeast not in map(type, values):
                found[values] = found.get(values, 0) + sum(by.values())
        return found

    def _laid(self, records: list[tuple[Any, Runs]]) -> list[tuple[Any, Runs]]:
        """What is asked for of a roll is the dice as they lie."""
        done: list[tuple[Any, Runs]] = []
        while records:
            left = records
            records = []
            for record, by in left:
                if not holds_open_roll(record):
                    done.append((record, by))
                    continue
                bag = first_open_roll(record)
                for _, roll, count in DiceColumns(bag).sampled(self.bits, [sum(by.values())]):
                    records.append((with_roll(record, bag, self._keyed(bag, roll)), {None: count}))
        return done

    # Blocks

    def law(self, block: Block, at: Frame, runs: Runs) -> list[tuple[Any, Runs]]:
        """What a block comes to from a frame, in how many of the runs; what cannot be decided is missing from it."""
        states: list[State] = [({name: at[name] for name in block.free if name in at}, runs)]
        ended: list[tuple[Any, Runs]] = []
        for place, op in enumerate(block.ops):
            after = self._stepped(block, place, op, states)
            if op.ends:
                going = []
                for frame, by in after:
                    if isinstance(frame.get(op.name), EndedValue):
                        end = frame.pop(op.name)
                        ended.append((block.ended(frame, end), by))
                    else:
                        going.append((frame, by))
                after = going
            states = self._merged(op, after)
        made: dict[Any, tuple[Any, Runs]] = {}
        for value, by in (*((bearable_record(block.gives(frame)), by) for frame, by in states), *ended):
            _put(made, frozen(value), value, by)
        return list(made.values())

    def _merged(self, op: Op, states: list[State]) -> list[State]:
        """Forget what nothing below reads; what then is alike is one state."""
        drop, live = op.drop, op.live
        made: dict[Any, State] = {}
        for frame, by in states:
            for name in drop:
                frame.pop(name, None)
            if len(states) > 1:
                key = tuple([_key(frame[name]) if name in frame else _ABSENT for name in live])
                _put(made, key, frame, by)
        self._room(len(made))
        return list(made.values()) if len(states) > 1 else states

    def _room(self, states: int) -> None:
        if states > self.most:
            raise TooManyStates

    # One step of all states

    def _stepped(self, block: Block, place: int, op: Op, states: list[State]) -> list[State]:
        done: list[State] = []
        going: list[State] = []
        for frame, _ in states:
            frame[".meter"] = [ELEMENTS]  # what one run may look at in a step
        for frame, by in self._drawn(block, place, states, op.guard_uses):
            try:
                if op.guard is None or op.guard(frame):
                    going.append((frame, by))
                    continue
                if op.instead is not None:
                    frame[op.name] = op.instead(frame)
                elif not op.silent:
                    frame[op.name] = None
                done.append((frame, by))
            except Undecided:
                continue
        todos: list[tuple[Todo, Frame, Runs]] = []
        for frame, by in self._drawn(block, place, going, op.uses):
            frame[".meter"] = [ELEMENTS]
            try:
                if op.plain is not None:
                    frame[op.name] = op.plain(frame)
                    done.append((frame, by))
                else:
                    assert op.start is not None
                    todos.append((op.start(frame), frame, by))
            except Undecided:
                continue
        for frame, value, by in self._run(todos):
            if op.spreads and not isinstance(value, EndedValue):
                child = {**frame, **value}
            else:
                child = dict(frame)
                child[op.name] = value if type(value) in PLAIN else self.lowering.renumbered(value, op.serial, frame)
            done.append((child, by))
        return done

    def _run(self, todos: list[tuple[Todo, Frame, Runs]]) -> Iterable[tuple[Frame, Any, Runs]]:
        """What a step comes to in every state: chance, inner steps and choices one after the other."""
        frames = [frame for _, frame, _ in todos]
        going = [(todo, owner, by) for owner, (todo, _, by) in enumerate(todos)]
        done: dict[Any, tuple[tuple[int, Any], Runs]] = {}
        while going:
            merged: dict[Any, tuple[tuple[Todo, int], Runs]] = {}
            for todo, owner, got, by in self._all(going, done):
                try:
                    after = went_on(todo, got)  # type: ignore[arg-type]
                except Undecided:
                    continue
                if isinstance(after, Done):
                    _put(done, (owner, frozen(after.value)), (owner, after.value), by)
                else:
                    block = id(after.block) if isinstance(after, EnterBlock) else 0
                    _put(merged, (owner, type(after), frozen(after.state), block), (after, owner), by)
            going = [(after, owner, by) for (after, owner), by in merged.values()]
            self._room(len(going))
        return [(frames[owner], value, by) for (owner, value), by in done.values()]

    def _all(
        self, going: list[tuple[Todo, int, Runs]], done: dict[Any, tuple[tuple[int, Any], Runs]]
    ) -> Iterable[tuple[Todo, int, Any, Runs]]:
        """What comes for each; those that wait for the same are answered together."""
        draws: dict[int, list[tuple[Todo, int, Runs]]] = {}
        goes: dict[Any, list[tuple[Todo, int, Runs]]] = {}
        for todo, owner, by in going:
            if isinstance(todo, Done):
                _put(done, (owner, frozen(todo.value)), (owner, todo.value), by)
            elif isinstance(todo, ChanceNode):
                draws.setdefault(id(todo.law), []).append((todo, owner, by))
            elif isinstance(todo, EnterBlock):
                free = [_key(todo.frame[name]) if name in todo.frame else _ABSENT for name in todo.block.free]
                goes.setdefault((id(todo.block), tuple(free)), []).append((todo, owner, by))
            else:
                assert isinstance(todo, DecisionNode)
                answers = self.decide(todo.choice)
                urn = Urn([weight for _, weight in answers]) if len(answers) > 1 else None
                yield from self._by_chance(answers, urn, [(todo, owner, by)])
        for together in draws.values():
            first = together[0][0]
            assert isinstance(first, ChanceNode)
            if first.law and first.total:
                yield from self._by_chance(first.law, self._urn(first), together)
        for together in goes.values():
            first = together[0][0]
            assert isinstance(first, EnterBlock)
            runs = {(place, whose): count for place, (_, _, by) in enumerate(together) for whose, count in by.items()}
            for record, given in self.law(first.block, first.frame, runs):
                apart: dict[int, Runs] = {}
                for (place, whose), count in given.items():
                    apart.setdefault(place, {})[whose] = count
                for place, by in apart.items():
                    todo, owner, _ = together[place]
                    yield todo, owner, record, by

    def _urn(self, draw: ChanceNode) -> Urn:
        held = self._urns.get(id(draw.law))
        if held is None or held[0] is not draw.law:
            ways = [ways for _, ways in draw.law]
            held = self._urns[id(draw.law)] = (draw.law, Urn([*ways, draw.total - sum(ways)]))
            if len(self._urns) > MOST_KEPT:
                del self._urns[next(iter(self._urns))]
        return held[1]

    def _by_chance(
        self, law: list[tuple[Any, int]], urn: Urn | None, together: list[tuple[Todo, int, Runs]]
    ) -> Iterable[tuple[Todo, int, Any, Runs]]:
        if urn is None:
            yield from ((todo, owner, law[0][0], by) for todo, owner, by in together)
            return
        segments = [(place, whose, count) for place, one in enumerate(together) for whose, count in one[2].items()]
        sizes = [count for _, _, count in segments]
        apart: dict[tuple[int, int], Runs] = {}
        for part, came, count in counted(urn.draw(self.bits, sum(sizes)), sizes, len(law)):
            place, whose, _ = segments[part]
            apart.setdefault((place, came), {})[whose] = count
        for (place, came), by in apart.items():
            todo, owner, _ = together[place]
            yield todo, owner, law[came][0], by

    # Rolls

    def _drawn(self, block: Block, place: int, states: list[State], uses: tuple[Use, ...]) -> list[State]:
        """The states with every roll drawn that a step reads; those that draw the same are drawn together."""
        if not uses:
            return states
        done: list[State] = []
        while states:
            wants: dict[Any, list[tuple[Frame, Demand, Runs]]] = {}
            for frame, by in states:
                wanted = self._demand.next(block, place, frame, uses)
                if wanted is None:
                    done.append((frame, by))
                else:
                    wants.setdefault(_what(wanted, frame), []).append((frame, wanted, by))
            states = []
            for key, together in wants.items():
                states += self._thrown(key, together)
                self._room(len(states))
        return done

    def _thrown(self, key: Any, together: list[tuple[Frame, Demand, Runs]]) -> Iterable[State]:
        """States with what came, for some that want the same."""
        ready = self._ready(key, together[0][1], together[0][0])
        segments = [(place, whose, count) for place, one in enumerate(together) for whose, count in one[2].items()]
        apart: dict[Any, tuple[Any, Runs]] = {}
        for part, came, count in ready.sampled(self.bits, [count for _, _, count in segments]):
            place, whose, _ = segments[part]
            code = came if type(came) is int else id(came)
            apart.setdefault((place, code), (came, {}))[1][whose] = count
        for (place, _), (came, by) in apart.items():
            frame, wanted, _ = together[place]
            if isinstance(ready, DiceColumns):
                bare = wanted.as_it_lies
                assert isinstance(bare.source, LazyRoll)
                yield bare.placed(frame, self._keyed(bare.source, came)), by
                continue
            try:
                values = [one.worth(v) for one, v in zip(wanted.readers, ready.value(came), strict=True)]
            except Undecided:
                continue
            yield wanted.placed(frame, tuple(values)), by

    def _ready(self, key: Any, wanted: Demand, frame: Frame) -> Columns | PairColumns | DiceColumns:
        """What draws a roll: columns of what is read of it, or the dice as they lie."""
        made = self._columns.get(key)
        if made is None:
            made = self._columns[key] = _made_ready(wanted, frame, self.lowering.telling.order != "none")
            if len(self._columns) > MOST_KEPT:
                del self._columns[next(iter(self._columns))]
        return made

    def _keyed(self, bag: LazyRoll, roll: tuple[Any, ...]) -> tuple[Any, ...]:
        """Thrown dice as different dice, each with a key of its own, where it has none yet."""
        first = self.lowering.first_key(bag.name)
        return tuple(
            [
                one._replace(key=first + n) if hasattr(one, "throws") and not one.key else one
                for n, one in enumerate(roll)
            ]
        )


def _what(wanted: Demand, frame: Frame) -> Any:
    """Which draw is wanted: frames for which this is the same draw alike."""
    source, readers = wanted.source, wanted.readers
    free = tuple([_key(frame[name]) for one in readers for name in one.free])
    what = source.groups if isinstance(source, LazyRoll) and readers else source
    return what, tuple([one.name for one in readers]), free


def _made_ready(wanted: Demand, frame: Frame, in_order: bool) -> Columns | PairColumns | DiceColumns:
    source, readers = wanted.source, wanted.readers
    try:
        if isinstance(source, Paired):
            return couples(source, wanted.of("pairs"), wanted.of("ours"), wanted.of("theirs"), frame)
        if readers:
            return columns(source, readers, frame)
    except TooWide:
        pass
    bag = wanted.as_it_lies.source
    assert isinstance(bag, LazyRoll)
    return DiceColumns(bag, in_order)


def _put(made: dict[Any, tuple[Any, Runs]], key: Any, value: Any, by: Runs) -> None:
    """Runs that came to the same are counted together."""
    held = made.get(key)
    if held is None:
        made[key] = (value, dict(by))
        return
    runs = held[1]
    for whose, count in by.items():
        runs[whose] = runs.get(whose, 0) + count


def _key(value: Any) -> Any:
    return value if type(value) in PLAIN else frozen(value)
