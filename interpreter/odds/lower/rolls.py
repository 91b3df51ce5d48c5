"""Rolls: dice that stay open until a step reads them, and rolls whose throws have steps or formulas of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from math import lcm, prod
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.lasting_dice import may_be_dice
from interpreter.ir.traversal import children
from interpreter.odds.brute_force import distinct_faces
from interpreter.odds.lazy_roll import (
    Chain,
    ChainThrow,
    LazyRoll,
    Needs,
    PlainDie,
    ThrowLaw,
    TruncatedThrows,
    group_units,
    kept_throws,
    throws_from_kept,
)
from interpreter.odds.liveness import COUNTED, LAST, names_in
from interpreter.odds.lower.folding import Fold, fold_of
from interpreter.odds.lower.lowering import Lowering, names_depended_on
from interpreter.odds.lower.records import prune, remove_fields
from interpreter.odds.lower.steps import DRAWN, block_with_earlier, end_op, record_block, uses_of_repeated_steps
from interpreter.odds.operations import (
    Block,
    ChanceNode,
    Done,
    EndedValue,
    EnterBlock,
    Frame,
    Need,
    Op,
    Reads,
    Todo,
    WithState,
    use_from_outside,
)
from interpreter.odds.renumber import DICE
from interpreter.odds.state_keys import NO_NAMES, freeze, names_of
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.play.rolls import IN_A_THROW
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.functions import MOST_DICE
from interpreter.runtime.state import STATE
from interpreter.values import Die, Scoring, Throw, Thrown, face_number

MOST_POOLS = 1_000
"""The limit on different pools of one step whose lazy rolls are kept."""

THROW_ENDS = (DRAWN, "counts", ".again", STATE)
"""Names of what is computed last for each throw."""

DICE_BESIDE = ("dice before", "dice to come")
"""The names under which advice tells the other dice of a roll: those that are done, and the faces of those to come."""

Dice = list[tuple[Die, str | None]]
"""Dice to roll, each with the name of its part."""


def lower_roll(lowering: Lowering, action: ir.RollDice, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`roll:` dice."""
    if lowering.may_end(step):  # one throw may end the rule for all dice, so none of them can stay open
        return lowering.verbs.play(lowering, action, step, need, trail)
    serial = lowering.next_serial()
    if step.path in lowering.set_apart:
        lowering.best_dice[serial] = lowering.set_apart[step.path]
    reads = lowering.reads([formula for _, formula in action.parts])
    parts = [(name, lowering.closures.of(formula)) for name, formula in action.parts]

    def dice_of(at: Frame) -> Dice:
        dice = [(die, name) for name, pool in parts for die in pool(at)]
        if len(dice) > MOST_DICE:
            raise PlayError(say.budget_spent(step.span, "dice in one roll", MOST_DICE))
        return dice

    if action.each or action.counts is not None or action.again is not None:
        return _lower_chains(lowering, action, step, need, trail, dice_of, reads, serial)
    rolls: dict[Any, LazyRoll] = {}
    only = parts[0][1] if len(parts) == 1 else None

    def lazy_roll_of(at: Frame) -> LazyRoll:
        """The same lazy roll for equal pools, so that states which hold it compare quickly."""
        pools = only(at) if only else tuple([pool(at) for _, pool in parts])
        if pools not in rolls:
            if len(rolls) >= MOST_POOLS:
                rolls.clear()
            rolls[pools] = LazyRoll(serial, group_units([PlainDie(die, name) for die, name in dice_of(at)]))
        return rolls[pools]

    return Op(step.name, *reads, plain=lazy_roll_of, throws=True)


# One throw -------------------------------------------------------------------------------------------------------

WORK_OF_A_ROW = 8
"""What a row of the law of a throw costs, in units of the work of a question."""


@dataclass(frozen=True, slots=True)
class LoweredThrows:
    """The steps and formulas of each throw of a roll, lowered.

    `past` is what a throw needs of the ones before it, and `asked` what later steps need of all of them; `reads` is
    what the formulas and the guard read outside of the throw; `free` are the names of a frame on which the law of a
    throw depends. With `holds_dice`, the names of a throw may hold dice that rules tell apart from those of other
    throws.
    """

    lowering: Lowering
    action: ir.RollDice
    path: str
    block: Block
    past: Need
    asked: Need
    reads: Reads
    free: tuple[str, ...]
    counts: Closure | None
    again: Closure | None
    changes_state: bool
    reads_number: bool
    holds_dice: bool

    @property
    def keeps_scoring(self) -> bool:
        """Whether rules can reroll dice of the roll, so that they keep how they are scored."""
        return self.lowering.die_identity.rerolled and bool(self.action.each or self.action.counts)

    def frame_of_throw(self, at: Frame, die: Die, part: str | None, face: Any, nth: int, earlier: Any) -> Frame:
        """The frame in which the steps of a throw begin."""
        number = face_number(face)
        own = {"size": die.size, "tags": die.tags, "part": part}
        return {**at, **own, "face": number, "counts": number, "nth": nth, "earlier": earlier}

    def throw_from_results(self, inside: Frame, face: Any, record: Any) -> ChainThrow:
        """The throw, from the frame in which its steps began and the record they result in."""
        if self.action.each:
            names = names_of(remove_fields(record, THROW_ENDS))
            return ChainThrow(face, record.get("counts", inside["counts"]), names, bool(record.get(".again")))
        value = self.counts(inside) if self.counts else inside["counts"]
        return ChainThrow(face, value, NO_NAMES, bool(self.again and self.again({**inside, "counts": value})))

    def law(self, at: Frame, die: Die, part: str | None, nth: int, faces: Any = None) -> ThrowLaw:
        """The law of a throw, and all ways; what is not followed of its steps is missing from the law."""
        rows: list[tuple[ChainThrow, int, int]] = []
        faces = distinct_faces(die) if faces is None else faces
        for face, times in faces:
            inside = self.frame_of_throw(at, die, part, face, nth, ())
            law, total = self.lowering.law(self.block, inside) if self.block.ops else ([({}, 1)], 1)
            self.lowering.meter.spend(WORK_OF_A_ROW * len(law))
            rows += [(self.throw_from_results(inside, face, record), times * weight, total) for record, weight in law]
        whole = lcm(*[total for _, _, total in rows])
        sides = sum(times for _, times in faces)
        return [(throw, weight * (whole // total)) for throw, weight, total in rows], sides * whole

    def whole_law(self, at: Frame, die: Die, part: str | None, nth: int, faces: Any = None) -> ThrowLaw:
        """The same. Raises Undecided where something is missing from it."""
        law, total = self.law(at, die, part, nth, faces)
        if sum([weight for _, weight in law]) < total:
            raise Undecided
        return law, total

    def is_whole(self, at: Frame, die: Die, part: str | None) -> bool:
        """Whether nothing is missing from the law of the first throw of a die, and nothing is refused.

        What is refused may read what other dice named before, which is not there yet.
        """
        try:
            self.whole_law(at, die, part, 1)
        except (Undecided, PlayError):
            return False
        return True


def lower_throws(
    lowering: Lowering, action: ir.RollDice, step: ir.Step, need: Need, trail: tuple[str, ...], path: str
) -> LoweredThrows:
    """The throws of a roll at a path. Where its dice may be rerolled, the law of a throw is kept in the lowering."""
    ends_use, ends_touch = lowering.reads((action.counts, action.again))
    asked, changes = _need_of_throws(action, need), lowering.may_change_state(step)

    def block_with(past: Need) -> Block:
        formulas = (("counts", action.counts), (".again", action.again)) if action.each else ()
        last = [end_op(lowering, name, formula) for name, formula in formulas if formula]
        return record_block(lowering, action.each, asked | past, trail, IN_A_THROW, (), last, changes, "in a throw")

    block, past, _ = block_with_earlier(block_with, ends_touch)
    guard_uses, guard_touches = lowering.reads([action.guard])
    given = {*IN_A_THROW, *(one.name for one in action.each)}
    outer_uses = tuple(use_from_outside(use, given) for use in ends_use if use.path[0] not in given)
    outer_touches = frozenset(path for path in ends_touch if path[0] not in given)
    inner_uses = tuple(use for use in block.outside if use.path[0] not in given)
    own_uses = tuple(use for use in ends_use if use.path[0] not in given)
    formulas = [one.body for one in (action.counts, action.again) if one]
    throws = LoweredThrows(
        lowering, action, path, block, past, asked,
        ((*outer_uses, *guard_uses, *inner_uses), outer_touches | guard_touches | block.touches),
        names_depended_on(((*own_uses, *inner_uses), block.touches | outer_touches), given),
        lowering.closure_of(action.counts), lowering.closure_of(action.again), changes,
        any(path[0] == "nth" for path in block.paths) or any("nth" in names_in(one) for one in formulas),
        lowering.die_identity.handled and any(may_be_dice(s.type) for s in action.each if s.name in block.asked),
    )  # fmt: skip
    if throws.keeps_scoring:
        lowering.throw_laws[path] = throws.whole_law
        lowering.walker.rolls[path] = action
    return throws


def _need_of_throws(action: ir.RollDice, need: Need) -> Need:
    """What is needed of the record of each throw."""
    names = {one.name for one in action.each}
    paths = [tuple([name for name in path if name != LAST]) for path in need]
    of_throws = [path[1:] if path[:1] == ("throws",) else path for path in paths]
    asked: Need = frozenset(path for path in of_throws if path and path[0] in names)
    if () in need or (("throws",) in need and ("throws", COUNTED) not in need):
        asked |= {(name,) for name in names}
    return asked


# Rolls throw by throw --------------------------------------------------------------------------------------------


def _lower_chains(
    lowering: Lowering,
    action: ir.RollDice,
    step: ir.Step,
    need: Need,
    trail: tuple[str, ...],
    dice_of: Callable[[Frame], Dice],
    reads: Reads,
    serial: int,
) -> Op:
    """A roll whose dice may be thrown again, or whose throws have steps: open where each die has a law of its own."""
    throws = lower_throws(lowering, action, step, need, trail, step.path)
    guard_of = lowering.closure_of(action.guard)
    columns = _columns_of(step, "earlier")
    fold = fold_of(lowering, action, throws.past)
    scored_by = [name for name in throws.free if name != STATE]
    followed = lowering.stepwise or throws.changes_state or (lowering.asking and throws.block.asks)

    def start(at: Frame) -> Todo:
        dice = dice_of(at)
        guard = guard_of(at) if guard_of else ir.GUARD
        if type(guard) is AtLeast:
            raise Undecided
        at_guard = say.guard_reached(step.span, ".".join(trail), guard)
        guard = max(guard, 1)  # the first throw is not one that the die went on to
        values = tuple([(name, at[name]) for name in scored_by if name in at])
        scoring = Scoring(throws.path, values) if throws.keeps_scoring else None
        kinds = dict.fromkeys(dice)
        open_dice = not followed and not throws.holds_dice
        if open_dice and not throws.keeps_scoring and not all(throws.is_whole(at, *kind) for kind in kinds):
            open_dice = False  # a roll that is scored for rerolls keeps too much of each throw to be followed by them
        if open_dice and all(_is_past_always_empty(throws, at, *kind, guard, columns) for kind in kinds):
            chain = _chain_maker(throws, at, serial, guard, scoring, at_guard)
            return Done(LazyRoll(serial, group_units([chain(die, part) for die, part in dice])))
        needs = EVERYTHING if made.dice_needs is None or throws.keeps_scoring else made.dice_needs
        one_by_one = _OneByOne(throws, at, dice, scoring, guard, serial, needs, fold)
        return one_by_one.next_throw(_Progress(state=at.get(STATE) if throws.changes_state else None))

    uses, touches = reads
    more, touched = throws.reads
    made = Op(step.name, uses_of_repeated_steps((*uses, *more)), touches | touched, start=start, asks=throws.block.asks)
    return made


def _chain_maker(
    throws: LoweredThrows, at: Frame, serial: int, guard: int, scoring: Scoring | None, at_guard: Any
) -> Callable[[Die, str | None], Chain]:
    """A function that makes a die of the roll, with the law of its throws from a frame."""
    env = (serial, tuple([freeze(at.get(name)) for name in throws.free]))
    counts = throws.action.counts
    least = t.as_number(counts.type).low if counts else None

    def chain(die: Die, part: str | None) -> Chain:
        low = least if counts else min(face_number(face) for face, _ in distinct_faces(die))
        law = partial(throws.whole_law, at, die, part)
        meter = throws.lowering.meter
        return Chain(die, part, law, not throws.reads_number, guard, env, scoring, low, at_guard, meter)

    return chain


WORK_OF_OWN_DICE = 60
"""What new keys for the dice of a throw cost, in units of the work of a question."""

EVERYTHING: Needs = frozenset(("all", "value"))


class _Progress(NamedTuple):
    """The progress of a roll that is followed throw by throw.

    `done` are the dice that are done. Of the current die, `many` throws came to `value`; `kept` are those of them that
    are read of the die, and `earlier` is what its later throws read of them. `state` is the state, if it may change.
    `fallen` are the first faces of the dice to come, where somebody decides: all dice are thrown before the first of
    them is looked at.
    """

    done: tuple[Thrown, ...] = ()
    many: int = 0
    value: Any = 0
    kept: tuple[Throw, ...] = ()
    earlier: tuple[Any, ...] = ()
    state: Any = None
    fallen: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class _OneByOne:
    """A roll that is followed throw by throw, from the frame `at`, as one throw depends on those before it.

    `needs` is what is read of each die, and `fold` folds what is read of throws before: progress that differs in
    nothing else is the same.
    """

    lowered: LoweredThrows
    at: Frame
    dice: Dice
    scoring: Scoring | None
    guard: int
    serial: int
    needs: Needs
    fold: Fold | None

    def next_throw(self, progress: _Progress) -> Todo:
        """The next throw, or the roll when all dice are done."""
        done = progress.done
        if len(done) == len(self.dice):
            return Done(WithState(done, progress.state) if self.lowered.changes_state else done)
        if not progress.many and self.somebody_decides and len(self.dice) > 1:
            if not done and not progress.fallen:
                law, total = self.law_of_first_faces()
                return ChanceNode(law, total, progress, lambda at, faces: self.next_throw(at._replace(fallen=faces)))
            face, *others = progress.fallen
            return self.run_steps_of_throw(progress._replace(fallen=tuple(others)), face)
        least = self.roll_at_least(progress) if progress.many else None
        if progress.many >= min(self.guard, self.lowered.lowering.depth):
            self.lowered.lowering.cut = True
            least = least if progress.many < self.guard else None
            return ChanceNode([], 1, progress, lambda _, got: Done(got), least)
        die, _ = self.dice[len(done)]
        return ChanceNode(distinct_faces(die), die.size, progress, self.run_steps_of_throw, least)

    def roll_at_least(self, progress: _Progress) -> Callable[[], tuple[Thrown, ...]] | None:
        """A function that gives the roll where the current die has come to so much and goes on, with lower bounds.

        None where a throw may count less than nothing, or changes the state: then nothing is certain of the rest.
        """
        counts, to_come = self.lowered.action.counts, self.dice[len(progress.done) :]
        if counts is not None:
            low = t.as_number(counts.type).low
        else:
            low = min(face_number(face) for die, _ in to_come for face, _ in distinct_faces(die))
        if self.lowered.changes_state or low is None or low < 0:
            return None

        def roll() -> tuple[Thrown, ...]:
            now = self.die_so_far(len(progress.done), progress.kept, progress.many + 1, progress.value)
            others = [self.die_so_far(number, (), 1, 0) for number in range(len(progress.done) + 1, len(self.dice))]
            return (*progress.done, now, *others)

        return roll

    def die_so_far(self, number: int, throws: tuple[Throw, ...], many: int, value: int) -> Thrown:
        """The die of this number before its last throw: so many throws, and so much that they count, are the least."""
        (die, part), least = self.dice[number], AtLeast(value)
        cut = TruncatedThrows(throws, many)
        return Thrown(die, part, self.serial * DICE + number, cut, least, self.scoring)  # type: ignore[arg-type]

    @property
    def somebody_decides(self) -> bool:
        """Whether somebody decides after a throw, and so has seen the faces of all dice."""
        return self.lowered.lowering.asking and self.lowered.block.asks

    def law_of_first_faces(self) -> tuple[list[tuple[Any, int]], int]:
        """The law of the first faces of all dice, in their order."""
        each = [distinct_faces(die) for die, _ in self.dice]
        self.lowered.lowering.meter.refuse_too_many_states(prod(map(len, each)))
        law = [(tuple([face for face, _ in row]), prod(ways for _, ways in row)) for row in product(*each)]
        return law, prod(die.size for die, _ in self.dice)

    def run_steps_of_throw(self, progress: _Progress, face: Any) -> Todo:
        """The steps of a throw that shows a face."""
        if not self.lowered.block.ops:
            return self.finish_steps((progress, face), {})
        return EnterBlock(
            self.lowered.block, self.frame_of_next_throw(progress, face), (progress, face), self.finish_steps
        )

    def frame_of_next_throw(self, progress: _Progress, face: Any) -> Frame:
        at = {**self.at, STATE: progress.state} if self.lowered.changes_state else self.at
        die, part = self.dice[len(progress.done)]
        if self.somebody_decides:
            dice_around = zip(DICE_BESIDE, (progress.done, progress.fallen), strict=True)
            at = {**at, **{name: dice for name, dice in dice_around if dice}}
        return self.lowered.frame_of_throw(at, die, part, face, progress.many + 1, progress.earlier)

    def finish_steps(self, throw: tuple[_Progress, Any], record: Any) -> Todo:
        """The throw after its steps: the die is thrown again, or done."""
        if isinstance(record, EndedValue):
            return Done(record)
        before, face = throw
        now = self.lowered.throw_from_results(self.frame_of_next_throw(*throw), face, record)
        many = before.many + 1
        names = self.with_own_dice(now.names, before)
        value = now.counts if not before.many else before.value + now.counts
        read = names_of(prune(names, self.lowered.asked)) if "names" in self.needs else names
        kept = kept_throws(before.kept, Throw(face, many, now.counts, read), self.needs)
        earlier = before.earlier
        if self.lowered.past:
            earlier = (*earlier, prune(names, self.lowered.past))
            earlier = earlier if self.fold is None else self.fold(earlier)
        after = before._replace(many=many, kept=kept, earlier=earlier, state=record.get(STATE, before.state))
        if now.again:
            return self.next_throw(after._replace(value=value if "value" in self.needs else 0))
        die, part = self.dice[len(before.done)]
        throws = throws_from_kept(kept, many, self.needs)
        one = Thrown(die, part, self.serial * DICE + len(before.done), throws, value, self.scoring)
        return self.next_throw(_Progress((*before.done, one), earlier=earlier, state=after.state, fallen=before.fallen))

    def with_own_dice(self, names: Mapping[str, Any], before: _Progress) -> Mapping[str, Any]:
        """The names of a throw after some progress, with dice of its own: other throws have dice of the same steps."""
        if not self.lowered.holds_dice:
            return names
        self.lowered.lowering.meter.spend(WORK_OF_OWN_DICE)
        label = (self.lowered.path, self.serial, len(before.done), before.many)
        own: Mapping[str, Any] = self.lowered.lowering.renumber(names, label, self.at)
        return own


# What throws read of earlier ones --------------------------------------------------------------------------------


def _is_past_always_empty(
    throws: LoweredThrows, at: Frame, die: Die, part: str | None, guard: int, columns: list[ir.Expr] | None
) -> bool:
    """Whether what throws read of earlier ones is always empty.

    It is if it is empty after the first throw, or after each one that is followed, where throws read their number.
    """
    if columns is None:
        return False
    if not columns:
        return True
    closures = [throws.lowering.closures.closure_of_expression(one) for one in columns]
    for nth in range(1, (guard if throws.reads_number else 1) + 1):
        try:
            law, _ = throws.law(at, die, part, nth)
        except PlayError:  # no run reaches this throw; a list may have been read to its end, for example
            if nth == 1:
                raise
            return True
        if not all(closure({**at, "earlier": (throw.names,)}) == () for throw, _ in law for closure in closures):
            return False
        goes_on = [throw.again for throw, _ in law]
        if not any(goes_on) or (nth >= throws.lowering.depth and not all(goes_on)):
            return True
    return True


def _columns_of(step: ir.Step, name: str) -> list[ir.Expr] | None:
    """The columns that formulas inside a step take of a list; None where one of them reads it in another way."""
    found: list[ir.Expr] = []

    def search(node: Any) -> bool:
        at = node
        while isinstance(at, ir.Column):
            at = at.of
        if isinstance(at, ir.Local) and at.name == name:
            found.append(node)
            return isinstance(node, ir.Column)
        return all(map(search, children(node)))

    return found if search(step.action) else None
