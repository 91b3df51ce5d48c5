"""`for:` each element of a list, one by one: equal states after an element are one, whatever led to them."""

from __future__ import annotations

from typing import Any, NamedTuple

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.passes import bound_inside
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.records import pruned, without
from interpreter.odds.lower.steps import nested, record_block, reread
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
)
from interpreter.odds.truncation import Undecided, has_open_keys
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.state import STATE


def for_each(lowering: Lowering, action: ir.ForEach, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`for:` the steps of `each`, element by element; runs, decisions and rules whose dice may last are played."""
    if not lowering.exact or lowering.stepwise or lowering.dice_last:
        return lowering.verbs.play(lowering, action, step, need, trail)
    changes = lowering.changes(step)
    if need and action.keyed:  # a column of a map leaves out what its records lack, so paths do not say what is needed
        need = ALL
    block = record_block(
        lowering, action.each, need - MARKS, trail, (action.name,), with_state=changes, done="in a throw"
    )
    reads = lowering.reads([action.among, action.where], {*bound_inside(action)})
    loop = _Loop(
        lowering, action, block, need, lowering.closures.of(action.among), lowering.of(action.where),
        lowering.serial(), changes,
    )  # fmt: skip
    op = nested(step.name, reads, [block], loop.start)
    op.uses = reread(op.uses)
    if lowering.program.lasts:  # `where` is asked after the elements before have changed the state
        op.touches |= {(STATE,)}
    return op


class _LoopProgress(NamedTuple):
    """The elements that are still to come, the state, if they may change it, and those that are done, with the result
    of each; a condition may have left it out."""

    left: tuple[Any, ...]
    state: Any = None
    done: tuple[Any, ...] = ()
    results: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Loop:
    """A `for` step, lowered; `need` is what is needed of its result. With `changes`, its steps may change the state."""

    lowering: Lowering
    action: ir.ForEach
    block: Block
    need: Need
    among: Closure
    where: Closure | None
    label: int
    changes: bool

    def start(self, at: Frame) -> Todo:
        """Begin with the first of the elements that the list has now."""
        elements = self.among(at)
        left = tuple(elements.values() if isinstance(self.action.among.type, t.Map) else elements)
        return self.next(at, _LoopProgress(left, state=at[STATE] if self.changes else None))

    def next(self, at: Frame, progress: _LoopProgress) -> Todo:
        """Go on with the next element that fulfils the condition, or with the result."""
        inside = {**at, STATE: progress.state} if self.changes else dict(at)
        for place, element in enumerate(progress.left):
            if self.where is None or self.where({**inside, ".it": element}):
                inside[self.action.name] = element
                now = progress._replace(left=progress.left[place:])
                return EnterBlock(self.block, inside, now, lambda before, record: self.after(at, before, record))
            progress = self.with_result(progress, element, None)
        return self.done(progress)

    def after(self, at: Frame, before: _LoopProgress, record: Any) -> Todo:
        """Go on after the steps of an element."""
        if isinstance(record, EndedValue):
            return Done(record)
        element, *others = before.left
        began = {**at, self.action.name: element} | ({STATE: before.state} if self.changes else {})
        made = self.lowering.renumbered(record, (self.label, len(others)), began)
        kept = pruned(without(made, (STATE,)), self.need - MARKS)
        progress = self.with_result(before, element, kept)
        return self.next(at, progress._replace(left=tuple(others), state=made.get(STATE, before.state)))

    def with_result(self, progress: _LoopProgress, element: Any, record: Any) -> _LoopProgress:
        """The progress with the result of an element; None stands for one that the condition leaves out."""
        if not self.need or (record is None and not self.action.keyed):
            return progress
        return progress._replace(done=(*progress.done, element), results=(*progress.results, record))

    def done(self, progress: _LoopProgress) -> Todo:
        """The result: a map from elements to records, or a list of records."""
        result: Any = progress.results
        if self.action.keyed:
            result = {}
            for element, record in zip(progress.done, progress.results, strict=True):
                if record is not None or element not in result:
                    result[element] = record
            if has_open_keys(result):
                raise Undecided
        return Done(WithState(result, progress.state) if self.changes else result)
