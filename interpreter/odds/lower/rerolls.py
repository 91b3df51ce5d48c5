"""Rerolls, and dice that are turned to a face."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.traversal import inner_expressions
from interpreter.odds.brute_force import distinct_faces
from interpreter.odds.lazy_roll import (
    DieUnit,
    Elements,
    LazyRoll,
    NewThrow,
    PlainDie,
    RerolledDie,
    TruncatedThrows,
    group_units,
    results_of_one_throw,
    thrown_die,
    with_open_dice,
)
from interpreter.odds.liveness import Path, Use, names_in, path_of
from interpreter.odds.lower.formulas import known_face
from interpreter.odds.lower.lowering import Lowering, names_depended_on
from interpreter.odds.lower.rolls import lower_throws
from interpreter.odds.marginal_kernel import needs_of
from interpreter.odds.operations import ALL, ChanceNode, Done, Frame, Need, Op, Reopened, Todo
from interpreter.odds.renumber import DICE
from interpreter.odds.state_keys import NO_NAMES, freeze
from interpreter.odds.truncation import UNKNOWN
from interpreter.play.rolls import may_be_rerolled, roll_at, scoring_frame, without_repeated_dice
from interpreter.runtime.rng import check_dice_have_face
from interpreter.runtime.state import STATE
from interpreter.values import Face, Throw, Thrown


def lower_reroll(lowering: Lowering, action: ir.Reroll, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`reroll:` some dice of a roll, or turn them `to` a face."""
    serial = lowering.next_serial()
    path = path_of(action.of.body)
    which = action.which.body if action.which else None
    condition = None
    if isinstance(which, ir.Filtered) and path is not None and path_of(which.of) == path:
        condition = which.condition
    each_alone = (
        path is not None and (which is None or condition is not None) and action.most is None and action.to is None
    )
    if each_alone and (condition is None or not _reads_elements(condition)):
        return _reroll_open(lowering, action, step, condition, serial)
    uses, touches = lowering.reads((action.of, action.which, action.most, action.by, action.to))
    uses = (*uses, *(Use(use.path, None, False) for use in uses))  # the dice themselves are needed
    everything, chosen = lowering.closures.of(action.of), lowering.closure_of(action.which)
    most, to = lowering.closure_of(action.most), lowering.closure_of(action.to)
    by = lowering.closures.closure_of_expression(action.by.body) if action.by else None

    def start(at: Frame) -> Todo:
        dice = everything(at)
        touched = without_repeated_dice(chosen(at)) if chosen else list(dice)
        keys = {one.key: by({**at, ".die": one}) if by is not None else 0 for one in touched}
        touched.sort(key=lambda one: keys[one.key])
        if most is None or lowering.die_identity.order == "all":
            return turn_dice(at, dice, touched[: max(most(at), 0)] if most else touched)
        law, total = _law_of_first_thrown(dice, touched, keys, max(most(at), 0))
        return ChanceNode(law, total, None, lambda _, some: turn_dice(at, dice, some))

    def turn_dice(at: Frame, dice: Any, touched: Sequence[Thrown]) -> Todo:
        if to is None or action.to is None:
            return _reroll_drawn(lowering, serial, step, at, dice, touched)
        face = known_face(to(at))
        check_dice_have_face([one.die for one in touched], face, action.to.span)
        return _replace_one_by_one(
            lowering, serial, at, dice, touched, lambda one: _law_of_new_throw(lowering, one, step, at, face)
        )

    def reopen(at: Frame) -> Reopened | None:
        dice = everything(at)
        return _reopen_dice(
            lowering, serial, step, at, dice, without_repeated_dice(chosen(at)) if chosen else dice, keyed=True
        )

    in_no_order = most is None and to is None and lowering.die_identity.order == "none"
    return Op(
        step.name, uses, touches | _scoring_reads(lowering),
        start=start, serial=serial, reopen=reopen if in_no_order else None,
    )  # fmt: skip


def _reads_elements(expr: ir.Expr) -> bool:
    """Whether an expression has conditions on elements inside, or reads elements of a list."""
    return isinstance(expr, (ir.Filtered, ir.Sorted, ir.Element)) or any(map(_reads_elements, inner_expressions(expr)))


def _scoring_reads(lowering: Lowering) -> frozenset[Path]:
    """What a reroll reads besides its own formulas: `counts` of the roll may read the state."""
    return frozenset({(STATE,)}) if lowering.program.has_state else frozenset()


# Open rolls ------------------------------------------------------------------------------------------------------


def _reroll_open(lowering: Lowering, action: ir.Reroll, step: ir.Step, condition: ir.Expr | None, serial: int) -> Op:
    """Each die is rerolled on its own, so the roll stays open: the new throw becomes part of the law of the die."""
    rows = [(action.of.body, True)]
    if condition is not None:
        rows.append((condition, False))
    uses, touches = lowering.reads_of(rows)
    if action.which:
        touches |= lowering.reads_of([(action.which.body, True)])[1]
    everything = lowering.closures.of(action.of)
    holds = lowering.closures.closure_of_expression(condition) if condition is not None else (lambda at: True)
    needs = needs_of(condition) if condition is not None else frozenset[str]()
    names = frozenset((name,) for name in names_in(condition)) if condition is not None else frozenset[Path]()
    free = names_depended_on((uses, names)) if condition is not None else ()

    def touched_dice(at: Frame, dice: Any) -> tuple[Thrown, ...]:
        return tuple([one for one in dice if holds({**at, ".die": one})])

    def start(at: Frame) -> Todo:
        dice = everything(at)
        if not isinstance(dice, LazyRoll):
            return _reroll_drawn(lowering, serial, step, at, dice, touched_dice(at, dice))
        key = (serial, tuple([freeze(at.get(name)) for name in free]))
        units: list[DieUnit] = []
        for unit, count in dice.groups:
            new, scored = _law_of_new_throw(lowering, unit, step, at), _scoring_key(unit, at)
            again = RerolledDie(unit, lambda one: bool(holds({**at, ".die": one})), needs, new, (key, scored))
            units += [again] * count
        return Done(LazyRoll(dice.name, group_units(units)))

    def reopen(at: Frame) -> Reopened | None:
        dice = everything(at)
        if isinstance(dice, LazyRoll):
            return None
        return _reopen_dice(lowering, serial, step, at, dice, touched_dice(at, dice), keyed=True)

    in_no_order = lowering.die_identity.order == "none"
    return Op(
        step.name, uses, touches | _scoring_reads(lowering),
        start=start, serial=serial, reopen=reopen if in_no_order else None,
    )  # fmt: skip


# Rolls whose dice are known --------------------------------------------------------------------------------------


def _reroll_drawn(
    lowering: Lowering, serial: int, step: ir.Step, at: Frame, dice: Any, touched: Sequence[Thrown]
) -> Todo:
    """Reroll some dice of a roll that is drawn. It becomes open again if no rule can distinguish its dice."""
    if not lowering.die_identity.which and lowering.die_identity.order == "none":
        opened = _reopen_dice(lowering, serial, step, at, dice, touched)
        if opened is not None:
            return Done(opened[0])
    return _replace_one_by_one(
        lowering, serial, at, dice, touched, lambda one: _law_of_new_throw(lowering, one, step, at)
    )


def _reopen_dice(
    lowering: Lowering, serial: int, step: ir.Step, at: Frame, dice: Any, touched: Sequence[Thrown], keyed: bool = False
) -> Reopened | None:
    """A drawn roll in which the dice that are thrown again are open, and the keys of these; None where it holds a die
    more than once, which is thrown once."""
    keys = [one.key for one in dice if one.key]
    if len({*keys}) < len(keys):
        return None
    open_dice = {one.key: _reopen_die(lowering, one, step, at) for one in touched}
    return with_open_dice(serial, dice, open_dice, keyed), frozenset(open_dice)


def _reopen_die(lowering: Lowering, one: Thrown, step: ir.Step, at: Frame) -> DieUnit:
    if one.scoring is None:
        return PlainDie(one.die, one.part)
    return NewThrow(one.die, one.part, one.scoring, _law_of_new_throw(lowering, one, step, at), _scoring_key(one, at))


def _scoring_key(one: DieUnit | Thrown, at: Frame) -> Any:
    """What the law of new throws of a die depends on, as a key."""
    return None if one.scoring is None else (freeze(one.scoring), freeze(at.get(STATE)))


def _replace_one_by_one(
    lowering: Lowering, serial: int, at: Frame, dice: Any, touched: Sequence[Thrown], law: Callable[[Thrown], Elements]
) -> Todo:
    """Replace dice of a drawn roll, one after the other, by the law of each.

    Dice that the steps of a new throw roll get keys of their own: other throws have dice of the same steps.
    """

    def next_die(state: Any) -> Todo:
        _, left = state
        if not left:
            return Done(state[0])
        rows = law(left[0])
        if len(rows) == 1:
            return replace_die(state, rows[0][0])
        return ChanceNode(rows, sum(weight for _, weight in rows), state, replace_die)

    def replace_die(state: Any, thrown: Thrown) -> Todo:
        now, left = state
        key = left[0].key
        new: Thrown = lowering.renumber(thrown, (serial, key), at).with_key(key)
        return next_die((tuple([new if one.key == new.key else one for one in now]), left[1:]))

    return next_die((dice, tuple(touched)))


def _law_of_first_thrown(
    dice: Any, touched: list[Thrown], keys: Mapping[int, Any], most: int
) -> tuple[list[tuple[tuple[Thrown, ...], int]], int]:
    """The law of the first `most` of the touched dice, which are in the order of their `keys`.

    Neighbouring dice of one kind in a roll may have been thrown in any order, all orders equally likely.
    """
    if most >= len(touched):
        return [(tuple(touched), 1)], 1
    runs: dict[int, int] = {}
    number = 0
    for place, one in enumerate(dice):
        number += bool(place) and _key_of_kind(one) != _key_of_kind(dice[place - 1])
        runs[one.key] = number
    alike = {one.key: (runs[one.key], keys[one.key]) for one in touched}
    cut = alike[touched[most].key]
    sure = [one for one in touched[:most] if alike[one.key] != cut]
    unsure = [one for one in touched if alike[one.key] == cut]
    found: dict[Any, tuple[tuple[Thrown, ...], int]] = {}
    for some in combinations(unsure, most - len(sure)):
        key = freeze(tuple([one.with_key(0) for one in some]))
        held = found.get(key)
        found[key] = ((*sure, *some), held[1] + 1 if held else 1)
    return list(found.values()), comb(len(unsure), most - len(sure))


def _key_of_kind(one: Thrown) -> Any:
    """A key that is equal for dice of one roll that are alike."""
    return one.die, one.part, one.key // DICE


# New throws ------------------------------------------------------------------------------------------------------

WORK_OF_THROW = 20
"""What a possible throw of a die that is scored costs, in units of the work of a question."""


def _law_of_new_throw(
    lowering: Lowering, one: DieUnit | Thrown, step: ir.Step, at: Frame, face: Face | None = None
) -> Elements:
    """The law of a die that a step rerolls, or turns to a face. Raises PlayError where it cannot be scored."""
    die, part, scoring = one.die, one.part, one.scoring
    if scoring is None:
        return results_of_one_throw(die, part) if face is None else [(thrown_die(die, part, face), 1)]
    rolled = lowering.walker.rolls.get(scoring.path) or roll_at(lowering.program, scoring.path)
    if rolled is None or not may_be_rerolled(lowering.program, rolled):
        raise PlayError(say.cannot_throw_anew(step.span, scoring.path if rolled else None))
    if scoring.path not in lowering.throw_laws:  # the roll was played instead of lowered
        lower_throws(lowering, rolled, step, ALL, (step.name,), scoring.path)
    faces = distinct_faces(die) if face is None else [(face, 1)]
    rows, total = lowering.throw_laws[scoring.path](scoring_frame(scoring, at), die, part, 1, faces)
    lowering.meter.spend(WORK_OF_THROW * len(rows))
    made: dict[Any, tuple[Thrown, int]] = {}
    for now, weight in rows:
        thrown = Thrown(die, part, 0, (Throw(now.face, 1, now.counts, now.names),), now.counts, scoring)
        before = made.get(key := freeze(thrown))
        made[key] = (thrown, weight + (before[1] if before else 0))
    missing = total - sum(weight for _, weight in rows)
    lost = Thrown(die, part, 0, TruncatedThrows((Throw(0, 1, 0, NO_NAMES),)), UNKNOWN, scoring)
    return [*made.values(), *([(lost, missing)] if missing else [])]
