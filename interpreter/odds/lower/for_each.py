"""`for:` each element of a list, one by one: equal states after an element are one, whatever led to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import partial
from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.passes import names_bound_inside
from interpreter.odds.dice_columns import column_alone, join_column
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.liveness import VALUES
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.open_passes import group_passes, may_stay_open, open_pass
from interpreter.odds.lower.records import prune, remove_fields
from interpreter.odds.lower.steps import op_with_blocks, record_block, uses_of_repeated_steps
from interpreter.odds.operations import (
    ALL,
    MARKS,
    Block,
    Done,
    EndedValue,
    EnterBlock,
    Frame,
    Need,
    Op,
    Todo,
    WithState,
    needs_of_fields,
    run_plain,
)
from interpreter.odds.read_keys import read_key_of, remember_results
from interpreter.odds.state_keys import PLAIN, freeze
from interpreter.odds.truncation import Undecided, has_open_keys
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.state import STATE


def lower_for_each(lowering: Lowering, action: ir.ForEach, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`for:` the steps of `each`, element by element; runs, decisions and rules whose dice may last are played."""
    if not lowering.exact or lowering.stepwise or lowering.state_may_hold_dice:
        return lowering.verbs.play(lowering, action, step, need, trail)
    changes = lowering.may_change_state(step)
    column, need = column_alone(need, (VALUES,) if action.keyed else ())
    of_each = need - MARKS
    if action.keyed:
        of_each = (needs_of_fields(need).get(VALUES, frozenset()) - MARKS) | (need & ALL)
    block = record_block(lowering, action.each, of_each, trail, (action.name,), with_state=changes, done="in a throw")
    reads = lowering.reads([action.among, action.where], {*names_bound_inside(action)})
    among, where = lowering.closures.of(action.among), lowering.closure_of(action.where)
    rolls = record_block(lowering, action.each, of_each, trail, (action.name,), done="again") if column else None
    label, kept = lowering.next_serial(), of_each if need else None
    loop = _Loop(lowering, action, block, kept, among, where, label, changes, column, rolls)
    op = op_with_blocks(step.name, reads, [block], lambda at: loop.start(op, at))
    op.uses = uses_of_repeated_steps(op.uses)
    if block.simple and not changes:
        key = read_key_of(op.touches, [use.name for use in op.uses if use.name])
        op.plain, op.start = remember_results(loop.compute, key, lowering.meter.spend), None
    elif lowering.program.has_state:  # `where` is asked after the elements before have changed the state
        op.touches |= {(STATE,)}
    return op


WORK_OF_A_STEP = 3
"""What a step of an element that only computes something costs, in units of the work of a question."""


class _LoopProgress:
    """The elements that are still to come, the state, if they may change it, and those that are done, with the result
    of each; a condition may have left it out.

    `marks` are the numbers of the different results. So its key does not grow with what the results hold.
    """

    __slots__ = ("done", "key", "left", "marks", "results", "state")

    def __init__(
        self,
        left: tuple[Any, ...],
        state: Any = None,
        done: tuple[Any, ...] = (),
        results: tuple[Any, ...] = (),
        marks: tuple[int, ...] = (),
    ) -> None:
        self.left, self.state, self.done, self.results, self.marks = left, state, done, results, marks
        self.key = (len(left), marks, state)

    def go_on_with(self, left: tuple[Any, ...], state: Any) -> _LoopProgress:
        """The same results, with these elements to come and this state."""
        return _LoopProgress(left, state, self.done, self.results, self.marks)

    @property
    def entries(self) -> int:
        """The size of the progress, for the meter."""
        return 4 * (len(self.left) + len(self.marks))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _LoopProgress) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True, eq=False)
class _Loop:
    """A `for` step, lowered. With `changes`, its steps may change the state.

    `need` is what is needed of the record of each element; None if nothing is needed of the result. `column` is the
    field of which the column is all that is read, and `rolls` is the block that rolls its dice. `results` are the
    different results of elements, each with a number, and `open_keys` the numbers of those with a map in them that has
    a key of which only a lower bound is known.
    """

    lowering: Lowering
    action: ir.ForEach
    block: Block
    need: Need | None
    among: Closure
    where: Closure | None
    label: int
    changes: bool
    column: str | None
    rolls: Block | None
    results: dict[Any, tuple[Any, int]] = field(default_factory=dict)
    open_keys: set[int] = field(default_factory=set)

    def elements_at(self, at: Frame) -> tuple[Any, ...]:
        """The elements that the list has now."""
        elements = self.among(at)
        return tuple(elements.values() if isinstance(self.action.among.type, t.Map) else elements)

    def compute(self, at: Frame) -> Any:
        """The result where the steps only compute something, so that no element waits for another."""
        elements, need, block, where = self.elements_at(at), self.need, self.block, self.where
        done: list[Any] = []
        results: list[Any] = []
        for place, element in enumerate(elements):
            taken = where is None or where({**at, ".it": element})
            record: Any = run_plain(block, {**at, self.action.name: element}) if taken else None
            if need is not None and (taken or self.action.keyed):
                if taken and not PLAIN.issuperset(map(type, record.values())):
                    began = {**at, self.action.name: element}
                    record = self.lowering.renumber(record, (self.label, len(elements) - place - 1), began)
                done.append(element)
                results.append(prune(record, need))
        self.lowering.meter.spend(WORK_OF_A_STEP * len(block.ops) * len(elements))
        return self.result_of(done, results)

    def start(self, op: Op, at: Frame) -> Todo:
        """Begin with the first of the elements that the list has now; `op` is the operation of the step."""
        left = self.elements_at(at)
        if self.rolls is not None and (dice := self.column_of_dice(self.rolls, at, left)) is not None:
            return Done(dice)
        if (
            not self.changes
            and may_stay_open(self.lowering, op, self.block)
            and (found := self.open_elements(at, left))
        ):
            return Done(found)
        return self.next_element(at, _LoopProgress(left, state=at[STATE] if self.changes else None))

    def column_of_dice(self, rolls: Block, at: Frame, elements: tuple[Any, ...]) -> Any:
        """The dice of the elements that fulfil the condition as one roll; None where they are not open.

        The dice do not depend on the element.
        """
        if self.column is None or not elements:
            return None
        left = [one for one in elements if self.where is None or self.where({**at, ".it": one})]
        keyed = dict.fromkeys(left) if self.action.keyed else {}
        if has_open_keys(keyed):
            return None
        number = len(keyed) if self.action.keyed else len(left)
        law, _ = self.lowering.law(rolls, {**at, self.action.name: elements[0]})
        return join_column(law[0][0], number, self.column, self.label) if len(law) == 1 else None

    def open_elements(self, at: Frame, elements: tuple[Any, ...]) -> LazyRoll | None:
        """The elements that fulfil the condition as a lazy roll; None if one of them cannot stay open.

        A map has one result for an element that the list has twice.
        """
        keyed = dict.fromkeys(elements) if self.action.keyed else {}
        if self.need is None or (keyed and (len(keyed) < len(elements) or has_open_keys(keyed))):
            return None
        made = []
        for element in elements:
            if self.where is not None and not self.where({**at, ".it": element}):
                continue
            unit = open_pass(self.lowering, self.block, {**at, self.action.name: element}, self.kept_part_of)
            if unit is None:
                return None
            made.append(unit)
        return group_passes(made) if made else None

    def kept_part_of(self, record: Any) -> Any:
        """What later steps read of an element with this record."""
        return prune(remove_fields(record, (STATE,)), self.need) if self.need is not None else None

    def next_element(self, at: Frame, progress: _LoopProgress) -> Todo:
        """Go on with the next element that fulfils the condition, or with the result."""
        inside = {**at, STATE: progress.state} if self.changes else dict(at)
        for place, element in enumerate(progress.left):
            if self.where is None or self.where({**inside, ".it": element}):
                inside[self.action.name] = element
                now = progress.go_on_with(progress.left[place:], progress.state)
                return EnterBlock(self.block, inside, now, partial(self.finish_element, at))
            progress = self.with_result(progress, element, None)
        return self.finish_loop(progress)

    def finish_element(self, at: Frame, before: _LoopProgress, record: Any) -> Todo:
        """Go on after the steps of an element."""
        if isinstance(record, EndedValue):
            return Done(record)
        element, *others = before.left
        began = {**at, self.action.name: element} | ({STATE: before.state} if self.changes else {})
        made = self.lowering.renumber(record, (self.label, len(others)), began)
        progress = self.with_result(before, element, self.kept_part_of(made))
        return self.next_element(at, progress.go_on_with(tuple(others), made.get(STATE, before.state)))

    def with_result(self, progress: _LoopProgress, element: Any, record: Any) -> _LoopProgress:
        """The progress with the result of an element; None stands for one that the condition leaves out."""
        if self.need is None or (record is None and not self.action.keyed):
            return progress
        known = len(self.results)
        kept, mark = self.results.setdefault(freeze(record), (record, known))
        if mark == known and has_open_keys(kept):
            self.open_keys.add(mark)
        done, results, marks = (*progress.done, element), (*progress.results, kept), (*progress.marks, mark)
        return _LoopProgress(progress.left, progress.state, done, results, marks)

    def finish_loop(self, progress: _LoopProgress) -> Todo:
        """The result, with the state after it if that may change."""
        if self.action.keyed and self.open_keys.intersection(progress.marks):
            raise Undecided
        result = self.result_of(progress.done, progress.results)
        return Done(WithState(result, progress.state) if self.changes else result)

    def result_of(self, done: Sequence[Any], results: Sequence[Any]) -> Any:
        """A map from elements to records, or a list of records."""
        if not self.action.keyed:
            return tuple(results)
        result: dict[Any, Any] = {}
        for element, record in zip(done, results, strict=True):
            if record is not None or element not in result:
                result[element] = record
        if has_open_keys(result):
            raise Undecided
        return result
