"""Turns and offers, followed action by action: equal states after an action are one, whatever led to them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir.answers import within_rule
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.played import ReplayedWalk
from interpreter.odds.lower.records import remove_fields
from interpreter.odds.lower.steps import op_with_blocks, record_block
from interpreter.odds.operations import (
    Block,
    Done,
    EndedValue,
    EnterBlock,
    Frame,
    Need,
    Op,
    Todo,
    WithState,
    follow_with,
)
from interpreter.play.events import OfferOnce, OfferProgress, cause_boundary_event, end_span, offer_once
from interpreter.play.run import Do, Run, Walk
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.state import STATE


def lower_turn(lowering: Lowering, action: ir.Turn, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`turn: fighter` `steps: …`: what happens when it begins, a block of its steps, and what happens when it ends."""
    if not lowering.exact or lowering.state_may_hold_dice:
        return lowering.verbs.play(lowering, action, step, need, trail)
    block = record_block(lowering, action.steps, need, trail, with_state=True)
    reads = lowering.reads([action.who])
    made = _Turn(lowering, block, lowering.closures.of(action.who), within_rule(trail)[0], lowering.next_serial())
    op = op_with_blocks(step.name, reads, [block], made.start)
    op.asks = True
    return op


@dataclass(frozen=True, slots=True, eq=False)
class _Turn:
    """A turn, lowered, of the object that `who` gives."""

    lowering: Lowering
    block: Block
    who: Closure
    outer: tuple[str, ...]
    serial: int

    def start(self, at: Frame) -> Todo:
        """Begin the turn."""
        who = self.who(at)
        begins = partial(cause_boundary_event, self.lowering.walker, "turn_begins", who=who)
        return follow_with(self._replay(begins, at), None, partial(self._run_steps, at, who))

    def _run_steps(self, at: Frame, who: Any, begun: Any) -> Todo:
        """Go on with its steps."""
        if isinstance(begun, EndedValue):
            return Done(begun)
        inside = {**at, STATE: begun.state}
        return EnterBlock(self.block, inside, begun.state, lambda _, record: self._end_turn(at, who, record))

    def _end_turn(self, at: Frame, who: Any, record: Any) -> Todo:
        """End the turn after its steps."""
        if isinstance(record, EndedValue):
            return Done(record)
        ends = partial(end_span, self.lowering.walker, "turn", who=who)
        result = remove_fields(record, (STATE,))
        todo = self._replay(ends, {**at, STATE: record[STATE]})
        return follow_with(todo, (result, record[STATE]), lambda ended: _with_result(result, ended))

    def _replay(self, do: Do, at: Frame) -> Todo:
        return ReplayedWalk(self.lowering, do, self.outer, self.serial).replay_from(at)


def _with_result(result: Any, ended: Any) -> Todo:
    return Done(ended if isinstance(ended, EndedValue) else WithState(result, ended.state))


def lower_offer(lowering: Lowering, action: ir.Offer, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`offer: [strike, simple]` `to: fighter`: one action after the other."""
    op = lowering.verbs.play(lowering, action, step, need, trail)
    if lowering.exact and not lowering.state_may_hold_dice:
        outer, inner = within_rule(trail)
        once = offer_once(lowering.walker, action, replace(step, condition=None, instead=None), inner)
        made = _Offer(lowering, once, bool(need), outer, lowering.next_serial())
        op.start = lambda at: made.next_offer(at, at[STATE], None)
    return op


@dataclass(frozen=True, slots=True, eq=False)
class _Offer:
    """An offer, lowered; `needed` is whether anything reads which actions were done."""

    lowering: Lowering
    once: OfferOnce
    needed: bool
    outer: tuple[str, ...]
    serial: int

    def next_offer(self, at: Frame, state: Any, progress: OfferProgress | None) -> Todo:
        """Offer for the first time or once more, or end with what was done."""
        if progress is not None and progress.over:
            return Done(WithState(progress.done, state))

        def offer_once(given: Frame, run: Run) -> Walk:
            return self.once(given, run, progress)

        played = ReplayedWalk(self.lowering, offer_once, self.outer, self.serial)
        return follow_with(played.replay_from({**at, STATE: state}), (state, progress), partial(self._go_on, at))

    def _go_on(self, at: Frame, found: Any) -> Todo:
        if isinstance(found, EndedValue):
            return Done(found)
        progress: OfferProgress = found.value
        if not self.needed:  # how many actions were done counts, and not which
            progress = progress._replace(done=("",) * len(progress.done))
        return self.next_offer(at, found.state, progress)
