"""The sampling engine: many runs at once, as states with the number of runs in each.

It plays the same lowered blocks as the exact engine, and merges equal states too; but where the exact engine multiplies
weights, it draws a face or a value for each run. A step costs as much as there are different states; only drawing costs
as much as there are runs, in columns of NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from interpreter.odds.demand import Demand, DemandAnalysis
from interpreter.odds.engine import Decide
from interpreter.odds.failures_ahead import FailedAhead, mark_failures_ahead
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.liveness import Use
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.open_rolls import first_open_roll, holds_open_roll, replace_roll
from interpreter.odds.operations import (
    Block,
    ChanceNode,
    DecisionNode,
    Done,
    EnterBlock,
    Frame,
    Op,
    Todo,
    check_record_size,
    resume,
)
from interpreter.odds.projection import value_at
from interpreter.odds.state_keys import PLAIN, freeze
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.runtime.operations import ELEMENTS
from interpreter.simulation.chunks import OpenValue
from interpreter.simulation.columns import LawColumns, TooManyStates, count_codes
from interpreter.simulation.dice_columns import DiceColumns
from interpreter.simulation.random_bits import Bits, Urn
from interpreter.simulation.reading_columns import ReadingColumns
from interpreter.simulation.tables import Tables
from interpreter.work_count import spend

Runs = dict[Any, int]
"""The number of runs for each caller: a block that several states enter with equal frames is followed once."""

State = tuple[Frame, Runs]

OF_A_STATE = 15
"""The units of work of one step in one state."""

MOST_STATES = 20_000
"""The limit on states at a time."""

MOST_BLOCKS = 10_000
"""The limit on runs of blocks for one part of the runs; nested repetitions have many."""

FEW_RUNS = 1 << 14
"""A chunk of at most this number of runs is not divided further."""

RUNS_PER_STATE, FEW_STATES = 8, 512
"""The limit on states is one for this number of runs, and at least `FEW_STATES`."""

MOST_KEPT = 2_000
_ABSENT = object()


@dataclass
class SamplingEngine:
    """Follows blocks of one lowering. `decide` answers a choice, with weights where it is left to chance."""

    lowering: Lowering
    decide: Decide
    bits: Bits = field(init=False)
    most: int = field(init=False)
    _tables: Tables = field(init=False)
    _urns: dict[int, tuple[Any, Urn]] = field(default_factory=dict)
    _demand: DemandAnalysis = field(init=False)
    _blocks: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._demand = DemandAnalysis(self.lowering, splits=False)
        self._tables = Tables(self.lowering, self.decide)

    def counts(self, block: Block, at: Frame, names: tuple[str, ...], runs: int, bits: Bits) -> dict[Any, int]:
        """The number of runs for each combination of values of some names of a mechanic's record.

        Raises TooManyStates if the runs have to be divided.
        """
        self.bits = bits
        self.most = min(MOST_STATES, max(runs // RUNS_PER_STATE, FEW_STATES))
        self._tables.begin(runs)
        self._blocks = 0
        found: dict[Any, int] = {}
        for record, by in self._draw_remaining_rolls(self.law(block, at, {None: runs})):
            values = tuple([_value_to_count(record, name) for name in names])
            found[values] = found.get(values, 0) + sum(by.values())
        return found

    def _draw_remaining_rolls(self, records: list[tuple[Any, Runs]]) -> list[tuple[Any, Runs]]:
        """The records with every lazy roll drawn, die by die."""
        done: list[tuple[Any, Runs]] = []
        while records:
            left = records
            records = []
            for record, by in left:
                if not holds_open_roll(record):
                    done.append((record, by))
                    continue
                lazy_roll = first_open_roll(record)
                dice = DiceColumns(lazy_roll, self._tables, self._keeps_order)
                for _, roll, count in dice.sample(self.bits, [sum(by.values())], sum(by.values())):
                    records.append(
                        (replace_roll(record, lazy_roll, self._give_keys_to_dice(lazy_roll, roll)), {None: count})
                    )
        return done

    # Blocks

    def law(self, block: Block, at: Frame, runs: Runs) -> list[tuple[Any, Runs]]:
        """The records of a block from a frame, each with its runs; runs that cannot be decided are left out."""
        self._blocks += 1
        spend(OF_A_STATE)
        if self._blocks > MOST_BLOCKS:
            raise TooManyStates
        states: list[State] = [({name: at[name] for name in block.free if name in at}, runs)]
        ended: list[tuple[Any, Runs]] = []
        for place, op in enumerate(block.ops):
            pending: list[State] = []
            for frame, by in self._run_op(block, place, op, states):
                end = op.take_end(frame)
                if end is None:
                    pending.append((frame, by))
                else:
                    ended.append((block.ended(frame, end), by))
            states = self._merge(op, pending)
        made: dict[Any, tuple[Any, Runs]] = {}
        for value, by in (*((check_record_size(block.gives(frame)), by) for frame, by in states), *ended):
            _add_runs(made, freeze(value), value, by)
        return list(made.values())

    def _merge(self, op: Op, states: list[State]) -> list[State]:
        """The states without the names that are no longer live; states that are then equal are merged."""
        drop, live = op.drop, op.live
        made: dict[Any, State] = {}
        for frame, by in states:
            for name in drop:
                frame.pop(name, None)
            if len(states) > 1:
                key = tuple([_key(frame[name]) if name in frame else _ABSENT for name in live])
                _add_runs(made, key, frame, by)
        self._check_limit(len(made))
        return list(made.values()) if len(states) > 1 else states

    def _check_limit(self, states: int) -> None:
        if states > self.most:
            raise TooManyStates

    # One step of all states

    def _run_op(self, block: Block, place: int, op: Op, states: list[State]) -> list[State]:
        done: list[State] = []
        pending: list[State] = []
        spend(OF_A_STATE * len(states))
        for frame, _ in states:
            frame[".meter"] = [ELEMENTS]  # the elements that a step of one run may evaluate
        for frame, by in self._draw_demanded(block, place, states, op.guard_uses):
            try:
                if op.guard is None or op.guard(frame):
                    pending.append((frame, by))
                    continue
                if op.instead is not None:
                    frame[op.name] = op.instead(frame)
                elif not op.binds_nothing_if_skipped:
                    frame[op.name] = None
                done.append((frame, by))
            except Undecided:
                continue
        nodes: list[tuple[Todo, Frame, Runs]] = []
        for frame, by in self._draw_demanded(block, place, pending, op.uses):
            frame[".meter"] = [ELEMENTS]
            try:
                if op.plain is not None:
                    frame[op.name] = op.plain(frame)
                    done.append((frame, by))
                else:
                    assert op.start is not None
                    nodes.append((op.start(frame), frame, by))
            except Undecided:
                continue
        for frame, value, by in self._run(nodes):
            done.append((self.lowering.bind_result(op, frame, value), by))
        return done

    def _run(self, nodes: list[tuple[Todo, Frame, Runs]]) -> Iterable[tuple[Frame, Any, Runs]]:
        """The results of a step in every state, through its chance nodes, inner blocks and choices."""
        frames = [frame for _, frame, _ in nodes]
        pending = [(node, owner, by) for owner, (node, _, by) in enumerate(nodes)]
        done: dict[Any, tuple[tuple[int, Any], Runs]] = {}
        while pending:
            spend(OF_A_STATE * len(pending))
            merged: dict[Any, tuple[tuple[Todo, int], Runs]] = {}
            for node, owner, got, by in self._answer_nodes(pending, done):
                try:
                    after = resume(node, got)  # type: ignore[arg-type]
                except Undecided:
                    continue
                if isinstance(after, Done):
                    _add_runs(done, (owner, freeze(after.value)), (owner, after.value), by)
                else:
                    block = id(after.block) if isinstance(after, EnterBlock) else 0
                    _add_runs(merged, (owner, type(after), freeze(after.state), block), (after, owner), by)
            pending = [(after, owner, by) for (after, owner), by in merged.values()]
            self._check_limit(len(pending))
        return [(frames[owner], value, by) for (owner, value), by in done.values()]

    def _answer_nodes(
        self, pending: list[tuple[Todo, int, Runs]], done: dict[Any, tuple[tuple[int, Any], Runs]]
    ) -> Iterable[tuple[Todo, int, Any, Runs]]:
        """The answer to each node; nodes that wait for the same law or block are answered together."""
        draws: dict[int, list[tuple[Todo, int, Runs]]] = {}
        enters: dict[Any, list[tuple[Todo, int, Runs]]] = {}
        for node, owner, by in pending:
            if isinstance(node, Done):
                _add_runs(done, (owner, freeze(node.value)), (owner, node.value), by)
            elif isinstance(node, ChanceNode):
                draws.setdefault(id(node.law), []).append((node, owner, by))
            elif isinstance(node, EnterBlock):
                free = [_key(node.frame[name]) if name in node.frame else _ABSENT for name in node.block.free]
                enters.setdefault((id(node.block), tuple(free)), []).append((node, owner, by))
            else:
                assert isinstance(node, DecisionNode)
                answers = self.decide(node.choice)
                urn = Urn([weight for _, weight in answers]) if len(answers) > 1 else None
                yield from self._choose_by_chance(answers, urn, [(node, owner, by)])
        for together in draws.values():
            first = together[0][0]
            assert isinstance(first, ChanceNode)
            if first.law and first.total:
                yield from self._choose_by_chance(first.law, self._urn(first), together)
        for together in enters.values():
            first = together[0][0]
            assert isinstance(first, EnterBlock)
            runs = {(place, caller): count for place, (_, _, by) in enumerate(together) for caller, count in by.items()}
            for record, given in self.law(first.block, first.frame, runs):
                split: dict[int, Runs] = {}
                for (place, caller), count in given.items():
                    split.setdefault(place, {})[caller] = count
                for place, by in split.items():
                    node, owner, _ = together[place]
                    yield node, owner, record, by

    def _urn(self, draw: ChanceNode) -> Urn:
        held = self._urns.get(id(draw.law))
        if held is None or held[0] is not draw.law:
            weights = [weight for _, weight in draw.law]
            held = self._urns[id(draw.law)] = (draw.law, Urn([*weights, draw.total - sum(weights)]))
            if len(self._urns) > MOST_KEPT:
                del self._urns[next(iter(self._urns))]
        return held[1]

    def _choose_by_chance(
        self, law: list[tuple[Any, int]], urn: Urn | None, together: list[tuple[Todo, int, Runs]]
    ) -> Iterable[tuple[Todo, int, Any, Runs]]:
        if urn is None:
            yield from ((node, owner, law[0][0], by) for node, owner, by in together)
            return
        segments = [(place, caller, count) for place, one in enumerate(together) for caller, count in one[2].items()]
        sizes = [count for _, _, count in segments]
        split: dict[tuple[int, int], Runs] = {}
        for part, drawn, count in count_codes(urn.draw(self.bits, sum(sizes)), sizes, len(law)):
            place, caller, _ = segments[part]
            split.setdefault((place, drawn), {})[caller] = count
        for (place, drawn), by in split.items():
            node, owner, _ = together[place]
            yield node, owner, law[drawn][0], by

    # Rolls

    @property
    def _keeps_order(self) -> bool:
        """Whether a rule can tell the order of equal dice."""
        return self.lowering.die_identity.order != "none"

    def _draw_demanded(self, block: Block, place: int, states: list[State], uses: tuple[Use, ...]) -> list[State]:
        """The states with every roll drawn that a step demands; equal demands are drawn together."""
        if not uses:
            return states
        done: list[State] = []
        while states:
            wants: dict[Any, list[tuple[Frame, Demand, Runs]]] = {}
            for frame, by in states:
                wanted = self._demand.next_demand(block, place, frame, uses)
                if wanted is None:
                    done.append((frame, by))
                else:
                    wants.setdefault(_draw_key(wanted, frame), []).append((frame, wanted, by))
            states = []
            for key, together in wants.items():
                states += self._sample(key, together)
                self._check_limit(len(states))
        return done

    def _sample(self, key: Any, together: list[tuple[Frame, Demand, Runs]]) -> Iterable[State]:
        """The states that have the same demand, each with the values that were drawn."""
        sampler = self._sampler(key, together[0][1], together[0][0])
        segments = [(place, caller, count) for place, one in enumerate(together) for caller, count in one[2].items()]
        split: dict[Any, tuple[Any, Runs]] = {}
        sizes = [count for _, _, count in segments]
        is_dice = isinstance(sampler, DiceColumns)
        rows = (
            sampler.sample(self.bits, sizes, self.most)
            if isinstance(sampler, DiceColumns)
            else sampler.sample(self.bits, sizes)
        )
        for part, drawn, count in rows:
            spend(1)
            place, caller, _ = segments[part]
            split.setdefault((place, id(drawn)), (drawn, {}))[1][caller] = count
        for (place, _), (drawn, by) in split.items():
            frame, wanted, _ = together[place]
            if is_dice:
                bare = wanted.of_all_dice
                assert isinstance(bare.source, LazyRoll)
                yield bare.bind_drawn(frame, self._give_keys_to_dice(bare.source, drawn)), by
                continue
            yield wanted.bind_drawn(frame, drawn), by

    def _sampler(self, key: Any, wanted: Demand, frame: Frame) -> LawColumns | ReadingColumns | DiceColumns:
        """What draws a roll: the law of the readings that are demanded, the columns of these, or its dice one by one.

        What takes the least work for many runs comes first.
        """
        if wanted.members:
            with (
                suppress(FailedAhead),
                mark_failures_ahead(frame, [name for one in wanted.readers for name in one.free]),
            ):
                made = self._tables.law(key, wanted, frame) or self._reading_columns(wanted, frame)
                if made is not None:
                    return made
        lazy_roll = wanted.of_all_dice.source
        assert isinstance(lazy_roll, LazyRoll)
        return DiceColumns(lazy_roll, self._tables, self._keeps_order)

    def _reading_columns(self, wanted: Demand, frame: Frame) -> ReadingColumns | None:
        """The columns of readings of a roll; None of groups of dice, of pairs, and of dice or numbers without end."""
        source, readers = wanted.source, wanted.readers
        if not isinstance(source, LazyRoll) or any(one.height is not None for one in readers):
            return None
        dice = self._tables.dice(source, frozenset[str]().union(*[one.needs for one in readers]))
        with suppress(OverflowError):
            return None if dice is None else ReadingColumns(dice, readers, frame)
        return None

    def _give_keys_to_dice(self, lazy_roll: LazyRoll, roll: tuple[Any, ...]) -> tuple[Any, ...]:
        """Thrown dice, each with a key of its own if it has none yet."""
        first = self.lowering.first_key(lazy_roll.name)
        return tuple(
            [
                one._replace(key=first + n) if hasattr(one, "throws") and not one.key else one
                for n, one in enumerate(roll)
            ]
        )


def _draw_key(wanted: Demand, frame: Frame) -> Any:
    """A key of all that a draw depends on."""
    source, readers = wanted.source, wanted.readers
    free = tuple([_key(frame[name]) for one in readers for name in one.free])
    what = source.groups if isinstance(source, LazyRoll) and readers else source
    return what, tuple([one.name for one in readers]), free


def _add_runs(made: dict[Any, tuple[Any, Runs]], key: Any, value: Any, by: Runs) -> None:
    """Add runs to those of an equal value."""
    held = made.get(key)
    if held is None:
        made[key] = (value, dict(by))
        return
    runs = held[1]
    for caller, count in by.items():
        runs[caller] = runs.get(caller, 0) + count


def _key(value: Any) -> Any:
    return value if type(value) in PLAIN else freeze(value)


def _value_to_count(record: Any, name: str) -> Any:
    """The value of a name as it is counted."""
    try:
        value = value_at(record, name)
    except Undecided:
        return OpenValue.OPEN
    return OpenValue.OPEN if isinstance(value, AtLeast) else value
