"""Rerolls, and dice that are turned to a face."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.traversal import inner_expressions
from interpreter.odds.brute_force import distinct_faces
from interpreter.odds.dice_in_classes import Ranking, take_first_dice
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
from interpreter.odds.truncation import UNKNOWN, AtLeast, Undecided
from interpreter.play.rolls import may_be_rerolled, roll_at, scoring_frame, without_repeated_dice
from interpreter.runtime.rng import check_dice_have_face
from interpreter.runtime.state import STATE
from interpreter.values import Face, Throw, Thrown


def lower_reroll(lowering: Lowering, action: ir.Reroll, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`reroll:` some dice of a roll, or turn them `to` a face."""
    serial = lowering.next_serial()
    taken = _dice_taken(action)
    each_alone = taken is not None and taken.most is None and action.to is None
    if taken is not None and (each_alone or (lowering.exact and lowering.die_identity.order == "none")):
        return _reroll_open(lowering, action, step, taken, serial)
    uses, touches = lowering.reads((action.of, action.which, action.most, action.by, action.to))
    uses = (*uses, *(Use(use.path, None, False) for use in uses))  # the dice themselves are needed
    drawn = _reroll_of_drawn_dice(lowering, action, step, serial)
    return Op(
        step.name, uses, touches | _scoring_reads(lowering), start=drawn.start, serial=serial, reopen=drawn.reopen
    )


class _OfDrawn(NamedTuple):
    """A reroll of dice that are drawn, and the same with those open that it throws, if their order does not matter."""

    start: Callable[[Frame], Todo]
    reopen: Callable[[Frame], Reopened | None] | None


def _reroll_of_drawn_dice(lowering: Lowering, action: ir.Reroll, step: ir.Step, serial: int) -> _OfDrawn:
    """A reroll of dice that are drawn; its formulas take what `reads_of` has made readings from the frame."""
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
        if isinstance(dice, LazyRoll):
            return None
        return _reopen_dice(
            lowering, serial, step, at, dice, without_repeated_dice(chosen(at)) if chosen else dice, keyed=True
        )

    in_no_order = most is None and to is None and lowering.die_identity.order == "none"
    return _OfDrawn(start, reopen if in_no_order else None)


def _scoring_reads(lowering: Lowering) -> frozenset[Path]:
    """What a reroll reads besides its own formulas: `counts` of the roll may read the state."""
    return frozenset({(STATE,)}) if lowering.program.has_state else frozenset()


# Open rolls ------------------------------------------------------------------------------------------------------


class _DiceTaken(NamedTuple):
    """The dice of a whole roll that a reroll takes: those that fulfil all conditions, of one part if that is given.

    With `most`, it takes no more than so many: those with the least key `by`, or with the highest or lowest values.
    """

    conditions: tuple[ir.Expr, ...]
    part: str | None
    most: ir.Formula | None
    by: ir.Expr | None
    end: str | None


def _dice_taken(action: ir.Reroll) -> _DiceTaken | None:
    """What a reroll takes of the roll of one name; None where that may depend on more than each die alone."""
    path, end, most = path_of(action.of.body), None, action.most
    at: ir.Expr = action.which.body if action.which else action.of.body
    if isinstance(at, ir.Builtin) and at.name in ("highest", "lowest") and len(at.arguments) == 2:
        if most is not None or action.by is not None or action.which is None:
            return None
        number, end = at.arguments[1], at.name
        at, most = at.arguments[0], ir.Formula(number, number.type, number.span)
    conditions: list[ir.Expr] = []
    part: str | None = None
    while not isinstance(at, (ir.Local, ir.Field)):
        match at:
            case ir.Filtered(of, condition):
                conditions.append(condition)
            case ir.RollPart(of, name) if part is None:
                part = name
            case ir.Converted(of, to) if not to.startswith("each "):
                pass
            case _:
                return None
        at = of
    by = action.by.body if action.by else None
    if path is None or path_of(at) != path or any(map(_reads_elements, (*conditions, *([by] if by else [])))):
        return None
    return _DiceTaken(tuple(conditions), part, most, by, end)


def _reads_elements(expr: ir.Expr) -> bool:
    """Whether an expression has conditions on elements inside, or reads elements of a list."""
    return isinstance(expr, (ir.Filtered, ir.Sorted, ir.Element)) or any(map(_reads_elements, inner_expressions(expr)))


def _reroll_open(lowering: Lowering, action: ir.Reroll, step: ir.Step, taken: _DiceTaken, serial: int) -> Op:
    """A reroll that leaves the roll open. Where each die is rerolled on its own, the new throw becomes part of the law
    of the die; where it takes no more than some, their number in each rank is drawn, and new dice take their place."""
    rows = [(action.of.body, True), *[(one, False) for one in taken.conditions]]
    rows += [(one.body, False) for one in (taken.most, action.to) if one is not None]
    rows += [(taken.by, False)] if taken.by is not None else []
    uses, touches = lowering.reads_of(rows)
    if action.which:
        touches |= lowering.reads_of([(action.which.body, True)])[1]
    drawn = _reroll_of_drawn_dice(lowering, action, step, serial)
    everything = lowering.closures.of(action.of)
    most, to = lowering.closure_of(taken.most), lowering.closure_of(action.to)
    ranking_of = _ranking_maker(lowering, taken, serial, uses)

    def unit_anew(at: Frame) -> Callable[[DieUnit], DieUnit]:
        """A function that gives a die of the roll thrown again, or turned."""
        if to is None or action.to is None:
            return lambda unit: _reopen_die(lowering, unit, step, at)
        face, span = known_face(to(at)), action.to.span

        def turn_die(unit: DieUnit) -> DieUnit:
            check_dice_have_face([unit.die], face, span)
            law = _law_of_new_throw(lowering, unit, step, at, face)
            return NewThrow(unit.die, unit.part, unit.scoring, law, (face, _scoring_key(unit, at)))

        return turn_die

    def start(at: Frame) -> Todo:
        dice = everything(at)
        if not isinstance(dice, LazyRoll):
            return drawn.start(at)
        ranking, anew, depth = ranking_of(at), unit_anew(at), lowering.depth
        number = len(dice) if most is None else most(at)
        if number < len(dice):
            return ChanceNode(*take_first_dice(dice, ranking, number, anew, depth, lowering.meter))
        units: list[DieUnit] = []
        for unit, count in dice.groups:
            stays = taken.part not in (None, unit.part) or (to is not None and _is_sure_to_stay(unit, ranking, depth))
            units += [unit if stays else _reroll_die(unit, ranking, anew(unit), depth)] * count
        return Done(LazyRoll(dice.name, group_units(units)))

    return Op(step.name, uses, touches | _scoring_reads(lowering), start=start, serial=serial, reopen=drawn.reopen)


def _is_sure_to_stay(unit: DieUnit, ranking: Ranking, depth: int) -> bool:
    """Whether a die has no rank, whatever it shows."""
    try:
        return all(ranking.rank_of(one) is None for one, _ in unit.elements(ranking.reads, depth))
    except Undecided:
        return False


def _reroll_die(unit: DieUnit, ranking: Ranking, anew: DieUnit, depth: int) -> DieUnit:
    """A die that is thrown `anew` where it has a rank."""

    def where(one: Thrown) -> bool:
        return ranking.rank_of(one) is not None

    return RerolledDie(unit, where, ranking.reads, anew.elements(frozenset(), depth), (ranking.key, anew))


def _ranking_maker(
    lowering: Lowering, taken: _DiceTaken, serial: int, uses: tuple[Use, ...]
) -> Callable[[Frame], Ranking]:
    """A function that gives the ranking of the dice that a reroll takes, from its frame."""
    closure_of = lowering.closures.closure_of_expression
    conditions = [closure_of(one) for one in taken.conditions]
    by = closure_of(taken.by) if taken.by is not None else None
    exprs = [*taken.conditions, *([taken.by] if taken.by is not None else [])]
    names = frozenset[str]().union(*map(names_in, exprs))
    free = names_depended_on((uses, frozenset((name,) for name in names))) if exprs else ()
    needs = frozenset[str]().union(*map(needs_of, exprs), ["value"] if taken.end else [])
    sign = {"lowest": 1, "highest": -1, None: 0}[taken.end]

    def ranking(at: Frame) -> Ranking:
        def rank_of(one: Thrown) -> Any:
            inside = {**at, ".die": one}
            if (taken.part is not None and one.part != taken.part) or not all(holds(inside) for holds in conditions):
                return None
            rank = by(inside) if by is not None else sign * one.value if sign else 0
            if isinstance(rank, AtLeast):
                raise Undecided
            return rank

        return Ranking(rank_of, needs, (serial, tuple([freeze(at.get(name)) for name in free])))

    return ranking


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


def _reopen_die(lowering: Lowering, one: DieUnit | Thrown, step: ir.Step, at: Frame) -> DieUnit:
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
