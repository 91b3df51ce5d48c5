"""Columns of dice as rolls: what six passes roll with a die each is a roll of six dice.

Where a pass rolls dice from what was known before the passes, and later steps read nothing of the passes but the column
of these dice, the column gets a name of its own, in a hidden step right after the passes. `lower/repeats.py` makes it a
lazy roll of all dice, and whatever kernels know of rolls they know of the column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import is_not
from typing import Any, NamedTuple

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.passes import names_of_pass
from interpreter.ir.traversal import (
    children,
    formulas,
    inner_expressions,
    locals_in,
    map_children,
    nodes_under,
    outermost_nodes_in,
)
from interpreter.odds.lazy_roll import LazyRoll, join_groups, placed_roll
from interpreter.odds.liveness import COLUMN, Path
from interpreter.odds.matching import hidden_name, is_hidden
from interpreter.odds.named_selections import READERS
from interpreter.odds.operations import Need

Changes = Callable[[ir.Step], bool]
"""Tells which steps may change the state."""


def name_dice_columns(rule: ir.Mechanic, changes: Changes) -> ir.Mechanic:
    """The mechanic with hidden steps for columns of dice that are read as rolls may be."""
    if not any(True for _ in outermost_nodes_in(rule.steps, (ir.Repeat, ir.ForEach))):
        return rule
    steps, after = _name_columns(rule.steps, (rule.outcomes, rule.also), changes)
    if steps is rule.steps:
        return rule
    return replace(rule, steps=steps, outcomes=after[0], also=after[1])


class DiceColumn(NamedTuple):
    """A column of dice: the name of the `passes`, their `field`, and the formula that reads it."""

    passes: str
    field: str
    formula: ir.Expr


def column_of_dice(step: ir.Step) -> DiceColumn | None:
    """The column of dice to which a hidden step gives a name; None of other steps."""
    body = step.action.formula.body if isinstance(step.action, ir.Let) and is_hidden(step.name) else None
    passes = _passes_of_column(body)
    return DiceColumn(passes, body.name, body) if passes is not None and isinstance(body, ir.Column) else None


def column_alone(need: Need, of_each: Path = ()) -> tuple[str | None, Need]:
    """The field of which the column is all that is needed of passes, and what is needed of passes without columns:
    `of_each` leads from them to a pass. There is no such field where something else is needed."""
    columns = [path[1] for path in need if path[:1] == (COLUMN,)]
    plain = frozenset([(*of_each, *path[1:]) if path[:1] == (COLUMN,) else path for path in need])
    return columns[0] if len(columns) == len(need) == 1 else None, plain


def join_column(record: Any, number: int, field: str, label: int) -> Mapping[str, LazyRoll] | None:
    """The result of a `number` of passes that have this record: the dice of a field as one roll; None where those of a
    pass are not open."""
    roll = record.get(field) if type(record) is dict else None
    if not isinstance(roll, LazyRoll):
        return None
    return {COLUMN: LazyRoll((label, field), join_groups([roll] * number))}


def take_column(passes: Any, field: str) -> Any:
    """The dice of a field of all passes, as a roll if some of them are open; None of passes that have none open."""
    if type(passes) is dict and COLUMN in passes:
        return passes[COLUMN]
    dice = [one[field] for one in (passes.values() if type(passes) is dict else passes)]
    if not any(isinstance(one, LazyRoll) for one in dice):
        return None
    rolls = [one if isinstance(one, LazyRoll) else placed_roll(None, one) for one in dice]
    return LazyRoll(tuple([roll.name for roll in rolls]), join_groups(rolls))


def _name_columns(
    steps: tuple[ir.Step, ...], after: tuple[Any, ...], changes: Changes
) -> tuple[tuple[ir.Step, ...], tuple[Any, ...]]:
    """Steps with hidden ones for columns among them, and what comes after the steps, which reads these."""
    made: list[ir.Step] = []
    rest: tuple[Any, ...] = (steps, after)
    while rest[0]:
        step, others = rest[0][0], (rest[0][1:], rest[1])
        unread = _unread_selections(others)
        column = _column_of(step, _without_steps(others, unread), changes)
        made.append(_name_inside(step, changes))
        if column is not None:
            later = tuple([one if one.name in unread else _read_roll(one, step.name, column) for one in others[0]])
            others = (later, _read_roll(others[1], step.name, column))
            made.append(column)
        rest = others
    return (tuple(made), rest[1]) if len(made) > len(steps) or any(map(is_not, made, steps)) else (steps, after)


def _unread_selections(rest: tuple[tuple[ir.Step, ...], tuple[Any, ...]]) -> frozenset[str]:
    """The names of steps that select dice or elements, and which only other such steps read: they matter only where
    somebody asks for them."""
    steps, after = rest
    found = {one.name for one in steps if isinstance(one.action, ir.Let) and isinstance(one.type, (t.Roll, t.List))}
    while read := found & _names_read((*[one for one in steps if one.name not in found], *after)):
        found -= read
    return frozenset(found)


def _names_read(node: Any) -> frozenset[str]:
    return _NONE.union(*[locals_in(one.body) for one in formulas(node)])


def _without_steps(rest: tuple[tuple[ir.Step, ...], tuple[Any, ...]], names: frozenset[str]) -> Any:
    return tuple([one for one in rest[0] if one.name not in names]), rest[1]


def _name_inside(step: ir.Step, changes: Changes) -> ir.Step:
    """A step with hidden ones among its inner steps."""
    action = step.action
    if isinstance(action, ir.StepGroup):
        each, _ = _name_columns(action.steps, (), changes)
        return step if each is action.steps else replace(step, action=replace(action, steps=each))
    if isinstance(action, ir.ForEach):
        each, _ = _name_columns(action.each, (), changes)
        return step if each is action.each else replace(step, action=replace(action, each=each))
    if not isinstance(action, ir.Repeat):
        return step
    keep = None if action.keep is None else action.keep[1]
    each, (until, score) = _name_columns(action.each, (action.until, keep), changes)
    best = None if action.keep is None else (action.keep[0], score)
    return step if each is action.each else replace(step, action=replace(action, each=each, until=until, keep=best))


def _column_of(step: ir.Step, later: Any, changes: Changes) -> ir.Step | None:
    """The hidden step for the column of dice of passes; None where anything else of these is read."""
    action, kind = step.action, step.type
    if not isinstance(action, (ir.Repeat, ir.ForEach)) or step.condition or changes(step):
        return None
    if isinstance(action, ir.Repeat) and (action.until or action.keep):
        return None
    if not isinstance(kind, (t.List, t.Map)) or not isinstance(kind.of, t.Record):
        return None
    names = _columns_read(later, step.name)
    given = names_of_pass(action) if isinstance(action, ir.Repeat) else (action.name,)
    own = {*given, *[one.name for one in action.each]}
    roll = next((one for one in action.each if names == {one.name}), None)
    if roll is None or not _is_roll_from_outside(roll, own) or not _is_read_as_roll(later, step.name):
        return None
    return _hidden_step(step, kind, roll)


def _is_roll_from_outside(step: ir.Step, own: set[str]) -> bool:
    """Whether a step of a pass rolls dice that depend on no other step of it."""
    if not isinstance(step.action, ir.RollDice) or step.condition is not None or isinstance(step.type, t.Maybe):
        return False
    inside = {one.name for one in nodes_under(step.action) if isinstance(one, ir.Step)} | {"nth", "earlier"}
    plain = not (step.action.each or step.action.counts or step.action.again)
    read = frozenset[str]().union(*[locals_in(one.body) for one in formulas(step.action)])
    return not read & (own if plain else own - inside)


def _passes_of_column(node: Any) -> str | None:
    """The name of the passes of which an expression is a column; None if it is anything else."""
    of = node.of if isinstance(node, ir.Column) else None
    if isinstance(of, ir.Converted) and of.to == "values":
        of = of.of
    return of.name if isinstance(of, ir.Local) else None


def _columns_read(node: Any, name: str) -> frozenset[str]:
    """The columns of passes that are read in any order; one without a name stands for all else that is read of them."""
    if isinstance(node, ir.Builtin) and node.name in READERS:
        of = node.arguments if node.name == "all" else node.arguments[:1]
        rest = node.arguments[len(of) :]
        return _NONE.union(*[_in_any_order(one, name, True) for one in of], *[_columns_read(one, name) for one in rest])
    if isinstance(node, ir.Local) and node.name == name:
        return frozenset(("",))
    return _NONE.union(*[_columns_read(one, name) for one in children(node)])


_NONE: frozenset[str] = frozenset()


def _in_any_order(expr: ir.Expr, name: str, whole: bool) -> frozenset[str]:
    """The same of what a function reads that ignores the order of dice. Only of `whole` dice it ignores which of equal
    ones are the highest or the lowest."""
    if isinstance(expr, ir.Column) and _passes_of_column(expr) == name:
        return frozenset((expr.name,))
    if isinstance(expr, ir.Filtered):
        return _in_any_order(expr.of, name, False) | _columns_read(expr.condition, name)
    if isinstance(expr, (ir.Column, ir.RollPart)) or (isinstance(expr, ir.Converted) and expr.to == "dice"):
        return _in_any_order(expr.of, name, whole and isinstance(expr, ir.Converted))
    if isinstance(expr, ir.Builtin) and expr.name == "groups":
        return _in_any_order(expr.arguments[0], name, whole)
    if isinstance(expr, ir.Builtin) and expr.name in ("highest", "lowest", "without") and whole:
        return _NONE.union(*[_in_any_order(one, name, True) for one in expr.arguments])
    return _columns_read(expr, name)


def _is_read_as_roll(node: Any, name: str) -> bool:
    """Whether conditions on dice of passes can be conditions on dice of a roll: they read only the numbers of dice."""
    for one in nodes_under(node):
        if (
            not isinstance(one, (ir.Filtered, ir.Sorted))
            or not _is_dice_list(one.type)
            or name not in locals_in(one.of)
        ):
            continue
        if isinstance(one, ir.Sorted) or _reads_more_than_number(one.condition):
            return False
    return True


def _reads_more_than_number(expr: ir.Expr) -> bool:
    """Whether a condition on a list of dice reads more of an element than its number."""
    if isinstance(expr, ir.Converted) and isinstance(expr.of, ir.Element) and expr.to == "number":
        return False
    if isinstance(expr, (ir.Element, ir.Filtered, ir.Sorted)):
        return True
    return any(map(_reads_more_than_number, inner_expressions(expr)))


def _hidden_step(step: ir.Step, kind: t.List | t.Map, roll: ir.Step) -> ir.Step:
    """The hidden step for the column of the dice of a step of passes."""
    one = roll.type
    assert isinstance(one, t.Roll)
    made = replace(one, least=kind.least * one.least, single=False, most=None, fewest=None)
    passes: ir.Expr = ir.Local(step.name, kind, roll.span)
    if isinstance(kind, t.Map):
        passes = ir.Converted(passes, "values", t.List(kind.of, kind.least), roll.span)
    body = ir.Column(passes, roll.name, made, roll.span)
    name = hidden_name("column", roll.name, "of", step.name)
    return ir.Step(name, ir.Let(ir.Formula(body, made, roll.span)), made, f"{step.path}.{name}", roll.span)


# Expressions on lists of dice ------------------------------------------------------------------------------------

_SELECTORS = ("highest", "lowest", "without", "ordered", "reversed", "first", "last", "common")
"""Functions that give a roll where they take one."""


def _is_dice_list(kind: t.Type) -> bool:
    kind = t.without_maybe(kind)
    return isinstance(kind, t.List) and isinstance(t.without_maybe(kind.of), t.ThrownDie)


def _read_roll(node: Any, passes: str, column: ir.Step) -> Any:
    """A construct that reads the column of passes by its name, as a roll."""
    if isinstance(node, tuple):
        several = tuple([_read_roll(one, passes, column) for one in node])
        return several if any(map(is_not, several, node)) else node
    if node is None:
        return None
    if _passes_of_column(node) == passes:
        return ir.Local(column.name, column.type, node.span)
    made = map_children(node, lambda one: _read_roll(one, passes, column))
    return made if made is node else _of_roll(made)


def _of_roll(node: Any) -> Any:
    """An expression that now reads a roll, in the form that it has for rolls."""
    if isinstance(node, ir.Converted) and node.to == "dice" and isinstance(node.of.type, t.Roll):
        return node.of
    if isinstance(node, ir.Filtered) and _is_dice_list(node.type) and isinstance(node.of.type, t.Roll):
        return replace(node, condition=_condition_on_die(node.condition), type=node.of.type)
    if isinstance(node, ir.Builtin) and node.name in _SELECTORS and _is_dice_list(node.type):
        of = node.arguments[0].type
        return replace(node, type=of) if isinstance(of, t.Roll) else node
    return node


def _condition_on_die(expr: ir.Expr) -> ir.Expr:
    """A condition on an element that is a die, as one on a die of a roll."""
    if isinstance(expr, ir.Converted) and isinstance(expr.of, ir.Element) and expr.to == "number":
        return ir.DieField("value", expr.type, expr.span)
    made: ir.Expr = map_children(expr, _condition_on_die)
    return made
