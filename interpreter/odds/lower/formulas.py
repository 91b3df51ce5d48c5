"""Steps that only compute something from formulas."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from interpreter import ir
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.odds.dice_columns import DiceColumn, column_of_dice, take_column
from interpreter.odds.inlining import as_conditionals
from interpreter.odds.lazy_roll import LazyRoll, join_groups, placed_roll, thrown_die
from interpreter.odds.liveness import COLUMN, COUNTED, Use, path_of, spine
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.steps import plain_op
from interpreter.odds.matching import FOLDS, Match, matches_of
from interpreter.odds.matching_kernel import joint_of_matches
from interpreter.odds.operations import MARKS, ChanceNode, Done, EndedValue, Frame, Need, Op, Todo
from interpreter.odds.renumber import DICE
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.play.control import compile_comparison
from interpreter.play.rolls import compile_raise
from interpreter.runtime.evaluator import Closure, make_when_used
from interpreter.runtime.operations import check_range
from interpreter.runtime.rng import check_dice_have_face

ROLL = t.Roll()


def lower_let(lowering: Lowering, action: ir.Let, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`name: formula`."""
    if (column := column_of_dice(step)) is not None:
        return _name_column(lowering, step.name, column)
    formula = action.formula
    rolls = _joined_rolls(formula.body)
    if rolls is not None and len(set(map(path_of, rolls))) == len(rolls):
        return _join_rolls(lowering, step.name, rolls)
    matches = matches_of(formula.body)
    if matches is not None and lowering.exact:
        return _match_rolls(lowering, step, formula, matches)
    bare = path_of(formula.body) is not None or isinstance(formula.body, (ir.RecordLiteral, ir.Conditional))
    plain = make_when_used(partial(lowering.closures.of, formula))
    op = Op(step.name, *lowering.reads_of([(formula.body, bare)]), plain=plain, formula=formula.body)
    if may_outgrow(formula.type):
        op.plain, op.unbounded = _with_range_check(plain, step.span), step.span
    whole = spine(formula.body)
    if whole is not None and () not in need:  # another name for it: only what is needed of this one
        op.touches = (op.touches - {whole}) | {(*whole, *path) for path in need - MARKS}
        op.touches |= {(*whole, COUNTED)}
    return op


def _name_column(lowering: Lowering, name: str, column: DiceColumn) -> Op:
    """A name for a column of dice, which passes result in as a roll where nothing else is read of them."""
    plain = lowering.closures.closure_of_expression(column.formula)

    def column_of(at: Frame) -> Any:
        roll = take_column(at[column.passes], column.field)
        return plain(at) if roll is None else roll

    path = (column.passes,)
    touches = frozenset([(*path, COLUMN, column.field)])
    return Op(name, (Use(path, passed=True),), touches, plain=column_of, throws=True)


def may_outgrow(kind: t.Type) -> bool:
    """Whether a number of this type may need more than 64 bits before its range is checked."""
    return isinstance(kind, t.Number) and (kind.low is None or kind.high is None)


def _with_range_check(plain: Closure, span: Span) -> Closure:
    def check(at: Frame) -> Any:
        value = plain(at)
        return check_range(value, span) if type(value) is int else value

    return check


def _joined_rolls(expr: ir.Expr) -> list[ir.Expr] | None:
    """The rolls that an expression joins, each of them unchanged; None where it is another expression."""
    if not isinstance(expr, ir.Joined):
        return None
    parts = []
    for one in (expr.left, expr.right):
        is_roll = isinstance(t.without_maybe(one.type), t.Roll) and path_of(one) is not None
        found = [one] if is_roll else _joined_rolls(one)
        if found is None:
            return None
        parts += found
    return parts


def _join_rolls(lowering: Lowering, name: str, rolls: list[ir.Expr]) -> Op:
    """Rolls joined to one: it is open as long as one of them is, and none of them is read alone from here on."""
    reads = lowering.reads_of([(roll, True) for roll in rolls])
    of = [lowering.closures.closure_of_expression(roll) for roll in rolls]

    def join(at: Frame) -> Any:
        parts = [one(at) for one in of]
        if not any(isinstance(part, LazyRoll) for part in parts):
            return tuple([die for part in parts for die in part])
        lazy = [part if isinstance(part, LazyRoll) else placed_roll(None, part) for part in parts]
        return LazyRoll(tuple([roll.name for roll in lazy]), join_groups(lazy))

    return Op(name, *reads, plain=join, throws=True)


def _match_rolls(lowering: Lowering, step: ir.Step, formula: ir.Formula, matches: Mapping[str, Match]) -> Op:
    """A record of comparisons of some rolls: drawn together, if nothing else reads the rolls from here on."""
    paths = list(dict.fromkeys([path for one in matches.values() for path in (one.ours, one.theirs)]))
    pairs = [(FOLDS[one.fold], paths.index(one.ours), paths.index(one.theirs)) for one in matches.values()]
    by = next(iter(matches.values())).by
    plain = make_when_used(partial(lowering.closures.of, formula))

    def draw_rolls(at: Frame) -> Todo:
        values = [at[path[0]] for path in paths]
        if not any(isinstance(one, LazyRoll) for one in values):
            return Done(plain(at))
        rolls = [one if isinstance(one, LazyRoll) else placed_roll(None, one) for one in values]
        law, total = joint_of_matches(rolls, pairs, by, lowering.depth, lowering.meter)
        return ChanceNode([(dict(zip(matches, row, strict=True)), ways) for row, ways in law.items()], total)

    uses, touches = lowering.reads_of([(ir.Local(path[0], ROLL, step.span), True) for path in paths])
    return Op(step.name, uses, touches, start=draw_rolls, throws=True)


def lower_compare(lowering: Lowering, action: ir.Compare, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`compare:`, line by line."""
    formulas = [one for _, left, right, _ in action.lines for one in (left, right)]
    return plain_op(lowering, step.name, formulas, lambda: compile_comparison(lowering.walker, action, step))


def lower_raise(lowering: Lowering, action: ir.Raise, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`raise:` dice of a pool by steps."""
    formulas = (action.of, action.which, action.by)
    return plain_op(lowering, step.name, formulas, lambda: compile_raise(lowering.walker, action, step))


MOST_NESTED = 100
"""The limit on cases that become one nested expression; all that a longer `first_of` reads is drawn at once."""


def lower_first_of(lowering: Lowering, action: ir.FirstOf, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`first_of:` the first case whose condition holds: `… if … else …`, so that what no case reads is not drawn."""
    if len(action.cases) > MOST_NESTED:
        formulas = [formula for case in action.cases for formula in (case.condition, case.value)]
        return plain_op(lowering, step.name, formulas, lambda: lowering.closures.function_of(action))
    body = as_conditionals(action, step.type)
    return lower_let(lowering, ir.Let(ir.Formula(body, step.type, step.span)), step, need, trail)


def lower_end(lowering: Lowering, action: ir.End, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`end:` the mechanic with an outcome."""
    op = plain_op(lowering, step.name, (), lambda: lambda at: EndedValue(action.outcome))
    op.ends = True
    return op


def lower_place(lowering: Lowering, action: ir.Place, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`place:` dice that show a given face."""
    return plain_op(lowering, step.name, (action.dice, action.showing), lambda: _closure_of_place(lowering, action))


def _closure_of_place(lowering: Lowering, action: ir.Place) -> Closure:
    dice, showing = lowering.closures.of(action.dice), lowering.closures.of(action.showing)
    serial = lowering.next_serial()

    def place(at: Frame) -> Any:
        face, pool = known_face(showing(at)), dice(at)
        check_dice_have_face(pool, face, action.showing.span)
        return tuple(thrown_die(die, None, face).with_key(serial * DICE + n) for n, die in enumerate(pool))

    return place


def known_face(face: Any) -> Any:
    """The face to which a die is turned. Raises Undecided where only a lower bound of it is known."""
    if isinstance(face, AtLeast):
        raise Undecided
    return face
