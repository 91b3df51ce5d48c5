"""The forward engine: runs blocks on weighted states, and merges states that are equal.

A state is a frame with a weight, a whole number over one total for all states. An operation takes each state to those
that may follow; names that nothing reads later are forgotten, and states that are then equal become one. The laws of
inner blocks are kept, so that a call with the same inputs is computed once.

Source: variable elimination as in S. Holtzen et al., "Scaling Exact Inference for Discrete Probabilistic Programs"
(OOPSLA 2020), over states in place of decision diagrams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from heapq import nlargest
from math import lcm
from operator import itemgetter
from typing import Any, TypeVar

from interpreter import diagnostics as say
from interpreter.odds.chain import law_of_chain
from interpreter.odds.drawing import Drawing, size_of
from interpreter.odds.laws_by_reads import LawsByReads
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.meter import ENTRY, STATE, Meter
from interpreter.odds.open_rolls import count_entries, holds_open_roll
from interpreter.odds.operations import (
    Block,
    ChainNode,
    ChanceNode,
    Done,
    EnterBlock,
    Frame,
    Law,
    Op,
    Todo,
    check_record_size,
    resume,
    run_plain,
)
from interpreter.odds.read_keys import ReadKey, read_key_of
from interpreter.odds.shared_beginning import Entered, remember_entry
from interpreter.odds.state_keys import PLAIN, freeze, key_entries, key_of
from interpreter.odds.straight_line import (
    DrawnLaw,
    DrawnNames,
    PendingStates,
    StraightLineBlock,
    VectorBlock,
    skip,
    straight_line_from,
    vector_block_from,
)
from interpreter.odds.traced_state import Reads, trace_reads
from interpreter.odds.truncation import AtLeast, ManyBounds, Tails, Undecided
from interpreter.play.requests import Choice
from interpreter.runtime.operations import ELEMENTS
from interpreter.runtime.state import STATE as STATE_OF_GAME
from interpreter.runtime.state import State
from interpreter.values import Thing, count_values
from interpreter.work_count import foresee, spend

MOST_KEPT = 20_000
"""The limit on laws that are kept from one question to the next."""

MOST_BY_READS = 30_000
"""The limit on laws that are kept by what was read of the state: they may take a hundred megabytes."""

FEW = 8
"""The number of states from which columns are faster than frames."""

MOST_OPEN_PAIRS = 20_000
"""The number of pairs of lower bounds with other numbers from which tails are shortened; a pair takes ten
microseconds."""

IN_COLUMNS = 4
"""How many states in columns take the time of one frame."""

MOST_OF_STATES = 1_000
"""The limit on laws of steps that are kept by the identity of the state: each keeps a state."""

FROM_ANOTHER = 8
"""What it costs to make the state of a row, where its law was found from a state that differs elsewhere."""

SMALL = 8
"""The number of entries of a key whose work is counted with that of the state; four further ones are a unit of work."""

T = TypeVar("T")
Decide = Callable[[Choice], list[tuple[Any, int]]]
_ABSENT = object()
_PLAIN_OR_STATE = PLAIN | {State, AtLeast, Thing}


@dataclass
class ForwardEngine:
    """Runs the blocks of one lowering. `decide` answers a choice, with weights where it is left to chance."""

    lowering: Lowering
    decide: Decide
    cap: int | None = None
    """From where on numbers that are read of dice are only known to be so large or larger; None if all are known."""
    keep: int | None = None
    """How many states are followed from each step, the likeliest of them; the others are missing. None for all."""
    tails: Tails = "all"
    """Which lower bounds are followed of a number that is read of chains."""
    negligible: int | None = None
    """States that are less likely than one in so many are left out at each step. None if all are followed."""
    left_out: int = field(default=0, init=False)
    """How often states were left out as negligible."""
    drawing: Drawing = field(init=False)
    _laws: dict[Any, tuple[Law, bool]] = field(default_factory=dict)
    """Laws, each with whether nothing negligible is missing from it, as in `_by_reads` and `_steps`."""
    _by_reads: dict[tuple[int, Any], LawsByReads] = field(default_factory=dict)
    _kept_by_reads: int = 0
    _straight_lines: dict[Any, StraightLineBlock] = field(default_factory=dict)
    _vector_blocks: dict[Any, VectorBlock | None] = field(default_factory=dict)
    _entered: dict[int, Entered] = field(default_factory=dict)
    _read_by: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _read_keys: dict[int, ReadKey] = field(default_factory=dict)
    _steps: dict[Any, tuple[Law, State | None, bool]] = field(default_factory=dict)
    _steps_of_states: dict[Any, tuple[Law, State | None, bool]] = field(default_factory=dict)
    _traces: bool = field(init=False)
    _meter: Meter = field(init=False)

    def __post_init__(self) -> None:
        self._meter = self.lowering.meter
        if self.lowering.exact:
            self.lowering.decide = self.decide
        self.drawing = Drawing(self.lowering, self.cap, self.tails)
        self._traces = self.lowering.exact and not self.lowering.state_may_hold_dice  # dice that last name others

    def without_laws(self) -> ForwardEngine:
        """The same engine, which has not found any laws yet."""
        return replace(
            self, _laws={}, _by_reads={}, _kept_by_reads=0, _steps={}, _steps_of_states={}, _entered={}
        )  # fmt: skip

    def begin(self) -> None:
        """Begin a new question. Laws found before are kept up to a limit."""
        if len(self._laws) + self._kept_by_reads + self.drawing.number_of_laws + len(self._steps) > MOST_KEPT:
            self._laws, self._steps, self._entered = {}, {}, {}
            self.drawing.forget_laws()
            self._by_reads, self._kept_by_reads = {}, 0

    def law(self, block: Block, at: Frame) -> Law:
        """The law of a block from a frame; results that depend on more than a lower bound are missing from it."""
        if block.simple and not any(holds_open_roll(at.get(name)) for name in block.free):
            try:
                return [(run_plain(block, {**at, ".meter": [ELEMENTS]}), 1)], 1
            except Undecided:
                return [], 1
        values = [key_of(at[name]) if name in at else _ABSENT for name in block.free if name != STATE_OF_GAME]
        key = (id(block), tuple(values))
        state: State | None = at.get(STATE_OF_GAME) if STATE_OF_GAME in block.free else None
        if state is not None and self._traces and state.things:
            return self._law_by_reads(key, state, lambda of: self._compute_law(block, {**at, STATE_OF_GAME: of}))
        of_state = (key, state)
        known = self._laws.get(of_state)
        if known is None or not self._is_exact_enough(known[1]):
            before = self.left_out
            law = self._compute_law(block, at)
            known = self._laws[of_state] = law, self.left_out == before
        return known[0]

    def _is_exact_enough(self, whole: bool) -> bool:
        """Whether a law that was found before is as exact as laws are wanted now; what is missing from it is left out
        once more."""
        if whole or self.negligible is None:
            return whole
        self.left_out += 1
        return True

    def _law_by_reads(self, key: tuple[int, Any], state: State, find: Callable[[State], Law]) -> Law:
        """A law from a state, which `find` computes: found once for all states that agree in what it reads of them."""
        laws = self._by_reads.get(key)
        if laws is None:
            laws = self._by_reads[key] = LawsByReads()
        found = laws.find(state)
        if found is None or not self._is_exact_enough(found.whole):
            if self._kept_by_reads >= MOST_BY_READS:
                self._by_reads, self._kept_by_reads = {}, 0
                laws = self._by_reads[key] = LawsByReads()
            reads: Reads = {}
            at, before = trace_reads(state, reads), self.left_out
            law = find(at)
            found = laws.keep(law, self.left_out == before, state, reads, at)
            self._kept_by_reads += 1
        self._meter.spend(FROM_ANOTHER * found.changed_results)
        return found.from_state(state)

    def _compute_law(self, block: Block, at: Frame) -> Law:
        """The law of a block. States run through plain operations one by one, and merge before every other one."""
        ops, meter = block.ops, self._meter
        meter.spend(50)
        waiting, met = PendingStates(ops), meter.states
        self._enter_block(block, at, waiting)
        for place, op in enumerate(ops):
            while waiting.has_states_at(place):
                states, total = waiting.take(place)
                states = self._keep_likeliest_states(states, total)
                if not states:
                    continue
                meter.count_waiting_states(op.name, len(states))
                meter.spend((25 + 6 * max(size_of(states[0][0]), size_of(states[-1][0]))) * len(states))
                if (draw := self.drawing.draw_for_all(block, place, op, states)) is not None:
                    self._refuse_many_open_pairs([(draw, states)])
                    self._continue_all(block, place, draw, states, total * draw.table.total, waiting)
                    continue
                drawn: dict[Any, tuple[DrawnNames, list[tuple[Frame, int]]]] = {}
                after: dict[Any, list[tuple[Frame, int]]] = {}
                for frame, ways in states:
                    rows, more, done = self._run_op(block, place, op, frame)
                    whole = total * more
                    if isinstance(rows, DrawnNames):
                        if done:
                            self._continue_all(block, place + 1, rows, [(frame, ways)], whole, waiting)
                        else:
                            drawn.setdefault(rows.group, (rows, []))[1].append((frame, ways))
                        continue
                    if not done:
                        self._continue(block, place, rows, ways, whole, waiting)
                        continue
                    running = []
                    for child, times in rows:
                        if op.ends and (end := op.take_end(child)) is not None:
                            waiting.ended.append((block.ended(child, end), ways * times, whole))
                        else:
                            running.append((child, times))
                    for child, _ in running:
                        for name in op.drop:
                            child.pop(name, None)
                    if len(running) == 1:  # states with one result go on together
                        child, times = running[0]
                        after.setdefault((whole, *child), []).append((child, ways * times))
                    elif op.binds_fields and not op.changes:  # they may bind different names
                        for row in running:
                            self._continue(block, place + 1, [row], ways, whole, waiting)
                    else:
                        self._continue(block, place + 1, running, ways, whole, waiting)
                for (whole, *_), rows in after.items():
                    self._continue(block, place + 1, rows, 1, whole, waiting)
                self._refuse_many_open_pairs(drawn.values())
                for draw, group in drawn.values():
                    self._continue_all(block, place, draw, group, total * draw.table.total, waiting)
        if id(block) not in self._entered:
            self._entered[id(block)] = remember_entry(block, at, meter.states - met)
        return self._merge_law(block, waiting)

    def _enter_block(self, block: Block, at: Frame, waiting: PendingStates) -> None:
        """Take a block from a frame to the first operations that need more than formulas, or past a beginning that is
        known."""
        start: Frame = {name: at[name] for name in block.free if name in at}
        known = self._entered.get(id(block))
        shared = known.beginning(block, at) if known is not None else None
        if known is None or shared is None:
            self._continue(block, 0, [({**start, ".meter": [ELEMENTS]}, 1)], 1, 1, waiting)
            return
        late = {name: value for name, value in start.items() if name not in shared.free} | {".meter": [ELEMENTS]}
        for draw in known.draws_of_law(self.law(shared, at)):
            self._continue_all(block, len(shared.ops), draw, [(late, 1)], draw.table.total, waiting)

    def _merge_law(self, block: Block, waiting: PendingStates) -> Law:
        """The law of a block whose states are all done or ended. Records that are equal become one."""
        states, total = waiting.take(len(block.ops))
        foresee(len(states))
        states = self._keep_likeliest_states(states, total)
        if block.whole and not waiting.ended:
            return [(check_record_size(block.gives(frame)), ways) for frame, ways in states], total
        whole = lcm(total, *{one for _, _, one in waiting.ended})
        made: dict[Any, list[Any]] = {}
        factor = whole // total
        found = [(check_record_size(block.gives(frame)), ways * factor) for frame, ways in states]
        for value, ways in (*found, *((value, ways * (whole // one)) for value, ways, one in waiting.ended)):
            key = key_of(value)
            if key in made:
                made[key][1] += ways
            else:
                made[key] = [value, ways]
        return [(value, ways) for value, ways in made.values()], whole

    def _continue(
        self, block: Block, place: int, rows: list[tuple[Frame, int]], ways: int, total: int, waiting: PendingStates
    ) -> None:
        """Take states that bind the same names through the plain operations that follow."""
        if not rows:
            return
        self._count_states(len(rows))
        key = (id(block), place, *rows[0][0])
        straight_line = self._straight_lines.get(key)
        if straight_line is None:
            straight_line = self._straight_lines[key] = straight_line_from(block, place, rows[0][0])
        straight_line.run(rows, ways, total, waiting)

    def _refuse_many_open_pairs(self, drawn: Iterable[tuple[DrawnNames, list[tuple[Frame, int]]]]) -> None:
        """Refuse where many pairs of a state and a drawn row have a number of which only a lower bound is known.

        Each pair has a mean of its own, so that it is followed by itself; with short tails there are few of them.
        """
        if self.tails != "few":
            return
        pairs = 0
        for draw, group in drawn:
            rows, bounds = len(draw.table.rows), draw.table.number_of_bounds
            states = sum([AtLeast in map(type, frame.values()) for frame, _ in group])
            pairs += states * rows + (len(group) - states) * bounds
        if pairs > MOST_OPEN_PAIRS:
            raise ManyBounds(say.too_many_states(self._meter.limits.states))

    def _continue_all(
        self,
        block: Block,
        place: int,
        draw: DrawnNames,
        states: list[tuple[Frame, int]],
        total: int,
        waiting: PendingStates,
    ) -> None:
        """The same for states that differ only in plain values: all at once, if only formulas follow."""
        many = len(states) * len(draw.table.rows)
        spend(many)
        if many >= FEW:
            one = states[0][0]
            key = (id(block), place, draw.names, *one)
            if key not in self._vector_blocks:
                self._vector_blocks[key] = vector_block_from(
                    block, place, one.keys() - draw.read, draw.names, self.lowering.closures.drawn
                )
            vector_block = self._vector_blocks[key]
            self._meter.refuse_too_many_states(many)
            if vector_block is not None and vector_block.run(draw, states, total, waiting):
                self._count_states(many // IN_COLUMNS)
                return
        for frame, ways in states:
            self._continue(block, place, draw.frames(frame), ways, total, waiting)

    def _keep_likeliest_states(self, states: list[tuple[T, int]], total: int) -> list[tuple[T, int]]:
        """The states that are followed from a step, with their weights out of a total: all of them, or as many as are
        kept and not negligible."""
        if self.negligible is not None:
            states, before = [row for row in states if row[1] * self.negligible >= total], len(states)
            self.left_out += len(states) < before
        if self.keep is None or len(states) <= self.keep:
            return states
        return nlargest(self.keep, states, key=itemgetter(1))

    def _count_states(self, states: int) -> None:
        self._meter.count_states(states)
        self._meter.spend(4 * states)

    # One step of one state

    def _run_op(
        self, block: Block, place: int, op: Op, frame: Frame
    ) -> tuple[DrawnNames | list[tuple[Frame, int]], int, bool]:
        """Draw an open roll for an operation of one state, or run it: the states, their total, whether it has run."""
        frame[".meter"][0] = ELEMENTS
        try:
            drawn = self.drawing.draw(block, place, frame, op.guard_uses) if op.guard_uses else None
            if drawn is not None:
                return *drawn, False
            if op.guard is not None and not op.guard(frame):
                skip(op, frame)
                return [(frame, 1)], 1, True
            drawn = self.drawing.draw(block, place, frame, op.uses) if op.uses else None
            if drawn is not None:
                return *drawn, False
            if op.plain is not None:
                frame[op.name] = op.plain(frame)
                return [(frame, 1)], 1, True
            met = self._meter.states
            law, total = self._law_of_step(op, frame)
            self._meter.count_waiting_states(op.name, self._meter.states - met)
        except Undecided:
            return [], 1, True
        if len(law) >= FEW and not op.binds_fields and not op.ends and op.name not in op.drop:
            table = DrawnLaw(law, total, alone=True)
            if table.columns:
                return DrawnNames(frozenset(op.drop), (op.name,), table, None), total, True
        if law and type(law[0][0]) not in PLAIN:
            self._meter.spend(
                2 * len(law) * max(count_entries(law[0][0]), count_entries(law[-1][0]))
            )  # they get new keys
        return [(self.lowering.bind_result(op, frame, value), ways) for value, ways in law], total, True

    def _law_of_step(self, op: Op, frame: Frame) -> Law:
        """The law of the results of a step that is more than a formula; kept by what it reads, if that is plain, or the
        state of the game."""
        assert op.start is not None
        if op.changes and not op.played:
            return self._law_of_todo(op.start(frame))
        if id(op) not in self._read_by:
            self._read_by[id(op)] = tuple({*[path[0] for path in op.touches], *[use.name or "" for use in op.uses]})
        values = tuple(map(frame.get, self._read_by[id(op)]))
        state: State | None = None
        if not PLAIN.issuperset(map(type, values)):
            if not _PLAIN_OR_STATE.issuperset(map(type, values)):
                return self._law_by_what_is_read(op, frame)
            state = next((one for one in values if type(one) is State), None)
            if state is not None and op.played:
                start, others = op.start, tuple([key_of(one) for one in values if one is not state])
                return self._law_by_reads(
                    (id(op), others), state, lambda of: self._law_of_todo(start({**frame, STATE_OF_GAME: of}))
                )
            values = tuple([id(one) if one is state else key_of(one) for one in values])
        key = (id(op), values)
        kept = self._steps if state is None else self._steps_of_states
        known = kept.get(key)
        if known is None or not self._is_exact_enough(known[2]):
            before = self.left_out
            law = self._law_of_todo(op.start(frame))
            if len(self._steps_of_states) >= MOST_OF_STATES:
                self._steps_of_states.clear()
            known = kept[key] = law, state, self.left_out == before  # so no other state has its identity
        return known[0]

    def _law_by_what_is_read(self, op: Op, frame: Frame) -> Law:
        """The law of the results of a step that reads lists or records; kept by these if they hold plain values."""
        assert op.start is not None
        if id(op) not in self._read_keys:
            self._read_keys[id(op)] = read_key_of(op.touches, [use.name for use in op.uses if use.name])
        met = self._read_keys[id(op)].of(frame)
        if met is None:
            return self._law_of_todo(op.start(frame))
        key = (id(op), met)
        known = self._steps.get(key)
        if known is None or not self._is_exact_enough(known[2]):
            if len(self._steps) >= MOST_KEPT:
                self._steps.clear()
            before = self.left_out
            law = self._law_of_todo(op.start(frame))
            known = self._steps[key] = law, None, self.left_out == before
        return known[0]

    def _law_of_todo(self, todo: Todo) -> Law:
        """The law of a step: chance, inner blocks and choices one after the other."""
        node, rows, ways, total = self._follow_single_path(todo)
        if isinstance(node, Done) or node.then is None or not rows[0]:
            return [(value, more * ways) for value, more in rows[0]], total * rows[1]
        meter = self._meter
        running: list[tuple[Todo, int]] = [(node, ways)]
        known: Law | None = rows
        done: dict[Any, list[Any]] = {}
        while running:
            merged: dict[Any, list[Any]] = {}
            scale = 1
            for one, ways in running:
                law, whole = known or self._single_law(one)
                known = None
                if scale % whole:
                    finer = lcm(scale, whole) // scale
                    scale *= finer
                    for row in (*done.values(), *merged.values()):
                        row[1] *= finer
                factor = ways * (scale // whole)
                key: Any = None
                for got, more in law:
                    try:
                        after = resume(one, got)  # type: ignore[arg-type]
                    except Undecided:
                        continue
                    value: Any = after
                    if isinstance(after, Done):
                        value = after.value
                        key, found = freeze(value), done
                    else:
                        key = (
                            type(after),
                            freeze(after.state),
                            id(after.block) if isinstance(after, EnterBlock) else 0,
                        )
                        found = merged
                    if key in found:
                        found[key][1] += factor * more
                    else:
                        found[key] = [value, factor * more]
                # Checked for each law: when all are merged, they could exceed the memory many times.
                meter.refuse_too_many_states(max(len(merged), len(done) - meter.states))
                entries = _entries_kept_by(one)
                size = key_entries(key) if law else 0
                meter.spend((15 + entries // 2 + max(0, size - SMALL) // 4) * len(law))
                meter.check_memory((len(merged) + len(done)) * (STATE + ENTRY * entries))
            total *= scale
            running = self._keep_likeliest_states([(todo, ways) for todo, ways in merged.values()], total)
            meter.count_states(len(running))
        return [(value, ways) for value, ways in done.values()], total

    def _follow_single_path(self, todo: Todo) -> tuple[Todo, Law, int, int]:
        """Go on from a node while it leads to one thing alone, which merges with nothing and so needs no key.

        The node or the end that this leads to, with its law, its weight, and the total.
        """
        ways = total = 1
        while not isinstance(todo, Done):
            law, whole = self._single_law(todo)
            if todo.then is None or len(law) != 1:
                return todo, (law, whole), ways, total
            self._meter.spend(15 + _entries_kept_by(todo) // 2)
            try:
                todo = todo.then(todo.state, law[0][0])
            except Undecided:
                return todo, ([], whole), ways, total
            ways, total = ways * law[0][1], total * whole
        return todo, ([(todo.value, 1)], 1), ways, total

    def _single_law(self, todo: Todo) -> Law:
        if isinstance(todo, ChanceNode):
            if not todo.law and todo.least is not None:  # it is followed no further
                return [(todo.least(), 1)], 1
            return todo.law, todo.total
        if isinstance(todo, EnterBlock):
            return self.law(todo.block, todo.frame)
        if isinstance(todo, ChainNode):
            return law_of_chain(todo, self.law, self._meter, self.keep)
        assert not isinstance(todo, Done)
        answers = self.decide(todo.choice)
        return answers, sum(weight for _, weight in answers)


def _entries_kept_by(todo: Todo) -> int:
    """The approximate number of values that a step keeps while inner steps run."""
    if isinstance(todo, Done) or todo.state is None:
        return 0
    state = todo.state
    return state.entries if hasattr(state, "entries") else count_values(state)
