"""`repeat:`, pass by pass or, if only the best of independent passes is kept, from the law of one pass."""

from __future__ import annotations

from dataclasses import field
from itertools import accumulate
from operator import floordiv, sub
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.ir.lasting_dice import may_be_dice
from interpreter.ir.passes import name_before, names_of_pass
from interpreter.odds.dice_columns import column_alone, join_column
from interpreter.odds.lazy_roll import LazyRoll, OpenPass
from interpreter.odds.liveness import LAST
from interpreter.odds.lower.folding import Fold, fold_of
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.open_passes import (
    group_passes,
    may_stay_open,
    must_be_followed,
    pass_of_records,
    records_of_pass,
)
from interpreter.odds.lower.records import prune, remove_fields
from interpreter.odds.lower.steps import (
    DRAWN,
    block_with_earlier,
    end_op,
    op_with_blocks,
    record_block,
    uses_of_repeated_steps,
)
from interpreter.odds.operations import (
    MARKS,
    Block,
    ChainNode,
    ChanceNode,
    Done,
    EndedValue,
    EnterBlock,
    Frame,
    Need,
    Op,
    Todo,
    WithState,
    needs_of_fields,
)
from interpreter.odds.state_keys import freeze
from interpreter.odds.truncation import AtLeast
from interpreter.play.run import RunLimits
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.operations import as_number
from interpreter.runtime.state import STATE

PASS_VALUES = (DRAWN, ".until", ".keep")
"""Names of what is computed last in each pass."""

PASS_ENDS = (*PASS_VALUES, STATE)
"""The same, and the name of the state after a pass."""


WORK_OF_A_PASS, WORK_OF_A_RECORD = 30, 3
"""What an open pass, and each record of it, costs besides its law, in units of the work of a question."""


class Passes:
    """The state of a repetition: the number of the next pass, how many are left with it, what is kept of those before,
    and the state of the game, if passes may change it.

    Its key holds only numbers, at most one for each pass, what is carried on, and the state of the game: `marks` are
    the numbers of the different results of passes.
    """

    __slots__ = ("best", "carried", "earlier", "game_state", "key", "left", "marks", "nth", "passes")

    def __init__(
        self,
        nth: int,
        left: int,
        passes: tuple[Any, ...] = (),
        best: tuple[int, Any, int] | None = None,
        earlier: tuple[Any, ...] = (),
        marks: tuple[int, ...] = (),
        game_state: Any = None,
        carried: tuple[Any, ...] = (),
    ) -> None:
        self.nth, self.left, self.passes, self.best = nth, left, passes, best
        self.earlier, self.marks, self.game_state, self.carried = earlier, marks, game_state, carried
        self.key = (nth, left, marks, best and (best[0], best[2]), game_state, freeze(carried))

    @property
    def entries(self) -> int:
        """The size of the state, for the meter: records of passes, and marks, which take an eighth of their time.

        Passes of which only the number is read are not records.
        """
        records = len(self.earlier) if self.earlier and self.earlier[0] is not None else 0
        return records + len(self.marks) // 8

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Passes) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class _Carried(NamedTuple):
    """A step of the passes that the next one reads, the name it has there, its beginning, and what is read of it."""

    name: str
    before: str
    begun: Closure
    need: Need


@dataclass(frozen=True, slots=True, eq=False)
class _Repetition:
    """A `repeat` step, lowered.

    `wanted` is what is needed of each pass that is kept, `past` what the next pass reads of those before; `score` names
    what `keep` compares. With `last_result` only the last pass is read when all are done, with `last_earlier` only the
    last one before the current. `fold` folds what is read of those before. `carry` has what passes carry on, with what
    is read of it. With `changes_state`, passes may change the state of the game. `reads` are the names that passes
    read. `column` is the field of which the column is all that is read. `results` are the different results of
    passes, each with a number.
    """

    lowering: Lowering
    action: ir.Repeat
    step: ir.Step
    block: Block
    times: Closure
    wanted: Need
    past: Need
    last_result: bool
    last_earlier: bool
    score: str
    label: int
    fold: Fold | None
    carry: tuple[_Carried, ...]
    changes_state: bool
    reads: frozenset[str]
    column: str | None
    results: dict[Any, tuple[Any, Any, int]] = field(default_factory=dict)

    @property
    def lowest(self) -> bool:
        return self.action.keep is not None and self.action.keep[0] == "lowest"

    @property
    def last_result_counts(self) -> bool:
        """Whether later passes or steps depend at least on the result of the last pass."""
        return bool(self.past - MARKS or (self.action.keep is None and self.wanted))

    @property
    def all_passes_count(self) -> bool:
        """Whether later passes or steps depend on the results of all passes."""
        return bool(self.all_results_count or (self.past - MARKS and not self.last_earlier))

    @property
    def all_results_count(self) -> bool:
        """Whether later steps depend on the results of all passes."""
        return bool(self.action.keep is None and self.wanted and not self.last_result)

    @property
    def passes_are_independent(self) -> bool:
        """Whether no pass depends on another one, but for whether it takes place."""
        given = {*names_of_pass(self.action)} - {"nth"}
        return not self.reads.intersection(given) and not self.changes_state

    @property
    def passes_are_alike(self) -> bool:
        """Whether all passes take place and have the same law."""
        return self.passes_are_independent and self.action.until is None and "nth" not in self.reads

    @property
    def is_chain_of_passes(self) -> bool:
        """Whether a pass depends on nothing but what the one before hands on, and only the last one is read."""
        only_last = self.action.keep is None and not self.all_results_count
        hands_on = not self.past or self.last_earlier or self.fold is not None
        alone = only_last and hands_on and "nth" not in self.reads and not self.changes_state
        return self.lowering.exact and alone and not self.passes_dice_on

    @property
    def passes_dice_on(self) -> bool:
        """Whether a pass hands dice on that rules tell apart from others, so that each pass has dice of its own."""
        handed = {one.name for one in self.carry} | {path[0] for path in self.past if path}
        return self.lowering.die_identity.handled and any(
            may_be_dice(one.type) for one in self.action.each if one.name in handed or () in self.past
        )

    def start(self, op: Op, at: Frame) -> Todo:
        """Begin the repetition, which is the operation `op`, in a frame."""
        number = self.times(at)
        if number < 1:
            return self.finish_repetition(None if self.action.keep else (), at.get(STATE))
        if number > RunLimits.passes:
            raise PlayError(say.budget_spent(self.step.span, "passes", RunLimits.passes))
        if self.column is not None:
            law, _ = self.lowering.law(self.block, at)
            roll = join_column(law[0][0], number, self.column, self.label) if len(law) == 1 else None
            if roll is not None:
                return Done(roll)
        followed = must_be_followed(self.lowering, self.block)
        if self.action.keep and self.passes_are_alike and number > 1 and not followed:
            best = self.best_of(at, number)
            if best is not None:
                return best
        alone = self.action.keep is None and self.passes_are_independent and number > 1
        if alone and may_stay_open(self.lowering, op, self.block) and (self.passes_are_alike or self.all_results_count):
            found = self.open_passes(at, number)
            if found is not None:
                return found
        carried = tuple([prune(one.begun(at), one.need) for one in self.carry])
        if self.is_chain_of_passes and number > 1 and not followed:
            return self.start_chain(at, number, carried)
        game_state = at[STATE] if self.changes_state else None
        return self.next_pass(at, Passes(1, number, game_state=game_state, carried=carried))

    def finish_repetition(self, result: Any, game_state: Any) -> Todo:
        """The result of all passes, with the state of the game if they may change it."""
        return Done(WithState(result, game_state) if self.changes_state else result)

    def open_passes(self, at: Frame, number: int) -> Todo | None:
        """The passes as a lazy roll, no more than a `number` of them; None if one of them cannot stay open.

        With `until`, one for each number of passes: those before the last one are such that passes go on.
        """
        before: list[OpenPass] = []
        ended: list[tuple[LazyRoll, int, int]] = []
        ways = 1
        for nth in range(1, number + 1):
            if nth == 1 or "nth" in self.reads:
                found = records_of_pass(self.lowering, self.block, {**at, "nth": nth})
                if found is None:
                    return None
                law, total = found
                self.lowering.meter.spend(WORK_OF_A_PASS + WORK_OF_A_RECORD * len(law))
                goes_on = [row for row in law if not row[0].get(".until")]
                last = [row for row in law if row[0].get(".until")]
                another, end = (pass_of_records(some, self.kept_part_of) for some in (goes_on, last))
                left = sum([weight for _, weight in goes_on])
            if nth == number:
                end, left = pass_of_records(law, self.kept_part_of), 0
            ended.append((group_passes([*before, end] if end.results else []), ways * (total - left), total))
            before.append(another)
            ways *= left
            if not ways:
                break
        rows, whole = [], 1
        for roll, share, total in reversed(ended):
            if share:
                rows.append((roll, share * whole))
            whole *= total
        return ChanceNode(rows, whole) if self.action.until else Done(rows[0][0])

    def best_of(self, at: Frame, number: int) -> Todo | None:
        """The best of a `number` of independent passes, from the law of one; None if one may end the mechanic."""
        law, total = self.lowering.law(self.block, at)
        if any(isinstance(record, EndedValue) for record, _ in law):
            return None
        kept = _best_of_equal(law, self.score, number, self.lowest)
        scored_here = self.score == ".keep"
        shown = self.block.asked == set(needs_of_fields(self.wanted)) or (
            () in self.wanted and not scored_here and DRAWN not in self.block.asked
        )
        if not shown:
            kept = [(self.kept_part_of(record), weight) for record, weight in kept]
        return ChanceNode(kept, total**number)

    def kept_part_of(self, record: Any) -> Any:
        """What later steps read of a pass with this record."""
        return prune(remove_fields(record, PASS_ENDS), self.wanted)

    def start_chain(self, at: Frame, number: int, carried: tuple[Any, ...]) -> Todo:
        """Passes that depend only on what the one before hands on, no more than a `number` of them.

        Their states are what is read of earlier passes and what is carried on.
        """

        def next_state(state: Any, record: Any, last: bool) -> Any:
            if isinstance(record, EndedValue):
                return Done(record)
            plain = remove_fields(record, PASS_ENDS)
            if last or record.get(".until"):
                return Done(self.lowering.renumber(prune(plain, self.wanted), (self.label, 1), at))
            return self._add_to_earlier(state[0], self._record_for_later(plain)), self._carried_values(plain)

        def result(kept: Any, passes: int) -> Any:
            return kept if isinstance(kept, EndedValue) else (kept,) * passes

        begun, counts = ((), carried), not self.last_result
        return ChainNode(
            self.block, begun, number, lambda state: self._frame_of_pass(at, *state), next_state, result, counts
        )

    def _frame_of_pass(self, at: Frame, earlier: tuple[Any, ...], carried: tuple[Any, ...]) -> Frame:
        """The frame of a pass."""
        inside = {**at, "earlier": earlier}
        for one, value in zip(self.carry, carried, strict=True):
            inside[one.before] = value
        return inside

    def _record_for_later(self, plain: Any) -> Any:
        """What later passes read of a pass with this record."""
        return prune(plain, self.past) if self.past - MARKS else None

    def _add_to_earlier(self, earlier: tuple[Any, ...], before: Any) -> tuple[Any, ...]:
        """What the next pass reads of those before, after one of which it reads `before`."""
        if self.past:
            earlier = (before,) if self.last_earlier else (*earlier, before)
        return earlier if self.fold is None else self.fold(earlier)

    def _carried_values(self, plain: Any) -> tuple[Any, ...]:
        """What a pass carries on."""
        return tuple([prune(plain[one.name], one.need) for one in self.carry])

    def next_pass(self, at: Frame, state: Passes) -> Todo:
        """The next pass."""
        inside = {**self._frame_of_pass(at, state.earlier, state.carried), "nth": state.nth}
        if self.changes_state:
            inside[STATE] = state.game_state
        return EnterBlock(self.block, inside, state, lambda s, record: self.finish_pass(at, s, record))

    def finish_pass(self, at: Frame, state: Passes, record: Any) -> Todo:
        """The state after a pass, from its record."""
        if isinstance(record, EndedValue):
            return Done(record)
        over = state.left == 1 or record.get(".until")
        began = {**self._frame_of_pass(at, state.earlier, state.carried), STATE: state.game_state}
        made = self.lowering.renumber(remove_fields(record, PASS_VALUES), (self.label, state.nth), began)
        plain, game_state = remove_fields(made, (STATE,)), made.get(STATE)
        kept, before, mark = self._numbered_record(plain, not over and self.last_result)
        passes, best, marks = state.passes, state.best, state.marks
        if self.action.keep is None:
            passes = (kept,) if self.last_result else (*passes, kept)
        else:
            score = as_number(record[self.score])
            if best is None or (score < best[0] if self.lowest else score > best[0]):
                best = (score, kept, mark)
        if over:
            return self.finish_repetition(best[1] if best is not None else passes, game_state)
        earlier = self._add_to_earlier(state.earlier, before)
        if self.fold is not None and not self.all_results_count:
            result = kept if self.action.keep is None else None
            marks = (self.results.setdefault(freeze((result, earlier)), (result, earlier, len(self.results)))[2],)
        elif self.all_passes_count:
            marks = (*marks, mark)
        elif self.last_result_counts:
            marks = (mark,)
        carried = self._carried_values(plain)
        after = Passes(state.nth + 1, state.left - 1, passes, best, earlier, marks, game_state, carried)
        return self.next_pass(at, after)

    def _numbered_record(self, plain: Any, replaced: bool) -> tuple[Any, Any, int]:
        """What is kept of a pass, what the next ones read of it, and the number that stands for both.

        Nothing is kept of a pass that the next one replaces.
        """
        kept = () if replaced else prune(plain, self.wanted)
        before = self._record_for_later(plain)
        return self.results.setdefault(freeze((kept, before)), (kept, before, len(self.results)))


def lower_repeat(lowering: Lowering, action: ir.Repeat, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`repeat:` the steps in `each`, pass by pass."""
    column, need = column_alone(need)
    wanted: Need = need - MARKS
    keep = action.keep[1] if action.keep else None
    score, scored = ".keep", wanted
    if keep and isinstance(keep.body, ir.Local) and any(one.name == keep.body.name for one in action.each):
        score, keep = keep.body.name, None  # a name of the pass is the score already
        scored = wanted | {(score,)}
    last = [(name, formula) for name, formula in ((".until", action.until), (".keep", keep)) if formula]

    given = names_of_pass(action)

    def block_with(past: Need) -> Block:
        ends = [end_op(lowering, name, formula) for name, formula in last]
        return record_block(lowering, action.each, scored, trail, given, past, ends, changes, done="again")

    changes = lowering.may_change_state(step)
    block, past, needs = block_with_earlier(block_with, carry=[name for name, _ in action.carry])
    begins = [(name, begun) for name, begun in action.carry if needs[name]]
    reads = lowering.reads([action.times, *[begun for _, begun in begins]])
    times = lowering.closures.of(action.times)
    carry = tuple([_Carried(name, name_before(name), lowering.closures.of(one), needs[name]) for name, one in begins])
    only_last = ((LAST,) in need, (LAST,) in past)
    repetition = _Repetition(
        lowering, action, step, block, times, wanted, past, *only_last, score, lowering.next_serial(),
        fold_of(lowering, action, past), carry, changes, frozenset([path[0] for path in block.paths]),
        column,
    )  # fmt: skip
    op = op_with_blocks(step.name, reads, [block], lambda at: repetition.start(op, at))
    op.uses = uses_of_repeated_steps(op.uses)
    op.rereads = frozenset([*block.free, STATE])
    return op


def _best_of_equal(law: list[tuple[Any, int]], score: str, number: int, lowest: bool) -> list[tuple[Any, int]]:
    """The law of the best of a `number` of independent passes; among equal ones, the first.

    Of `n` passes the i-th is kept with the weight `below^(i-1) · own · upto^(n-i)`; the sum over all i is
    `own / level · (upto^n - below^n)`, where `level` is the weight of all passes with its score. Passes whose score is
    only known from below are tails: of the highest, one tail is kept if all others are certainly lower; of the lowest,
    a pass is kept if all tails are certainly higher. What this does not decide is missing.
    """
    scored: dict[int, list[tuple[Any, int]]] = {}
    tails: list[tuple[int, Any, int]] = []
    for record, weight in law:
        found: Any = as_number(record[score])
        if isinstance(found, AtLeast):
            tails.append((found.low, record, weight))
        else:
            scored.setdefault(found, []).append((record, weight))
    best = sorted(scored, reverse=lowest)
    levels = [sum([weight for _, weight in scored[one]]) for one in best]
    upto = list(accumulate(levels))
    higher = [sum([weight for low, _, weight in tails if lowest and low > one]) for one in best]
    reached = [(reach + beyond) ** number for reach, beyond in zip(upto, higher, strict=True)]
    before = [(reach - level + beyond) ** number for reach, level, beyond in zip(upto, levels, higher, strict=True)]
    shares = map(floordiv, map(sub, reached, before), levels)
    kept = [(record, weight * share) for one, share in zip(best, shares, strict=True) for record, weight in scored[one]]
    if not lowest:
        for low, record, weight in tails:
            below = sum([level for one, level in zip(best, levels, strict=True) if one < low])
            kept.append((record, number * weight * below ** (number - 1)))
    return kept
