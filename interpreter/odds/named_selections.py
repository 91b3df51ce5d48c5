"""What steps name of a roll is read as if the formula stood where its name stands, so that readings stay visible.

After `sets: groups(rolled)`, `highest(sets.width)` is a reading of the roll, as `highest(groups(rolled).width)` is. The
order of what is read does not matter to any reading, so `ordered`, `reversed` and `by` are left out under it; and
`rolled.face where it > 2` is `(rolled where face > 2).face`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import is_not
from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.failures import Fails
from interpreter.ir.traversal import inner_expressions, map_children
from interpreter.odds.inlining import all_steps
from interpreter.odds.liveness import names_in, open_slots, path_of
from interpreter.odds.slots import binds_slot, is_number_of_element, reads_element_as_die, substitute_in_slot
from interpreter.runtime.state import STATE


@dataclass(frozen=True, slots=True)
class Views:
    """The formulas of steps that only select something, by the names of the steps.

    With `fixed`, no step changes the state; `fails` tells which formulas may fail.
    """

    formulas: Mapping[str, ir.Expr]
    fixed: bool
    fails: Fails

    def with_another(self, name: str, formula: ir.Expr) -> Views:
        """With the formula of one more step."""
        return replace(self, formulas={**self.formulas, name: formula})


READERS = frozenset(("sum", "count", "any", "all", "highest", "lowest", "kth", "groups"))
"""Functions whose value does not depend on the order of what they read."""

_SELECTORS = frozenset(("groups", "highest", "lowest", "without", "ordered", "reversed"))
"""Functions that select some of what they take, or arrange it."""

MOST_NODES = 40
"""The limit on nodes of a formula that is read in place of its name."""


def read_named_selections(rule: ir.Mechanic, changes: Callable[[ir.Step], bool], fails: Fails) -> ir.Mechanic:
    """The mechanic whose readings read rolls, and lists of passes, where they read names for selections of these.

    `changes` tells which steps may change the state: then no selection by the state is read in place of its name.
    Nor is one that `fails`.
    """
    views = Views({}, not any(map(changes, all_steps(rule))), fails)
    steps, after = _read_level(rule.steps, views, (rule.outcomes, rule.also))
    if steps is rule.steps and not any(map(is_not, after, (rule.outcomes, rule.also))):
        return rule
    return replace(rule, steps=steps, outcomes=after[0], also=after[1])


def _read_level(
    steps: tuple[ir.Step, ...], views: Views, after: tuple[Any, ...]
) -> tuple[tuple[ir.Step, ...], tuple[Any, ...]]:
    """The steps of one level, and what comes after them, with `views` read in place of names."""
    made = []
    for step in steps:
        now = _read_step(step, views)
        made.append(now)
        view = _view_of(now, views)
        if view is not None:
            views = views.with_another(step.name, view)
    return tuple(made) if any(map(is_not, made, steps)) else steps, _read(after, views)


def _read_step(step: ir.Step, views: Views) -> ir.Step:
    """A step with `views` read in place of names, and those of its inner steps in these."""
    action = step.action
    inner = action.steps if isinstance(action, ir.StepGroup) else ()
    ends: tuple[Any, ...] = ()
    if isinstance(action, (ir.Repeat, ir.ForEach)):
        inner = action.each
    if isinstance(action, ir.Repeat):
        ends = (action.until, None if action.keep is None else action.keep[1])
    each, after = _read_level(inner, views, ends) if inner else ((), ends)
    known = {id(old): new for old, new in zip((*inner, *ends), (*each, *after), strict=True) if old is not None}
    made: ir.Step = map_children(step, lambda one: _read_around(one, views, known))
    return made


def _read_around(node: Any, views: Views, known: Mapping[int, Any]) -> Any:
    """What a step has, with what is `known` of its inner steps."""
    if id(node) in known:
        return known[id(node)]
    if isinstance(node, (ir.StepGroup, ir.Repeat, ir.ForEach)):
        return map_children(node, lambda one: _read_around(one, views, known))
    return _read(node, views)


# Views -----------------------------------------------------------------------------------------------------------


def _view_of(step: ir.Step, views: Views) -> ir.Expr | None:
    """The formula of a step that only selects something of a roll or of passes; None of any other step."""
    if not isinstance(step.action, ir.Let) or step.condition is not None:
        return None
    body = _spine(step.action.formula.body, views, False)
    kind = t.without_maybe(step.type)
    selects = isinstance(kind, (t.Roll, t.List)) and type(body.type) is type(step.type) and _selects(body)
    if not selects or _size(body) > MOST_NODES or views.fails(body):
        return None
    names = names_in(body)
    return None if names & {"nth", "earlier"} or (STATE in names and not views.fixed) else body


def _selects(expr: ir.Expr) -> bool:
    """Whether an expression selects something of what has a name."""
    at: ir.Expr | None = expr
    while at is not None and path_of(at) is None:
        at = _selected_from(at)
    return at is not None and at is not expr


def _selected_from(expr: ir.Expr) -> ir.Expr | None:
    """What an expression selects from, or arranges; None if it does neither."""
    if isinstance(expr, (ir.Filtered, ir.Sorted, ir.Column, ir.RollPart)):
        return expr.of
    if isinstance(expr, ir.Converted) and expr.to in ("values", "dice"):
        return expr.of
    return expr.arguments[0] if isinstance(expr, ir.Builtin) and expr.name in _SELECTORS else None


def _size(expr: ir.Expr) -> int:
    return 1 + sum(map(_size, inner_expressions(expr)))


# Readings --------------------------------------------------------------------------------------------------------


def _read(node: Any, views: Views) -> Any:
    """A construct whose readings read views in place of their names."""
    if isinstance(node, tuple):
        several = tuple([_read(one, views) for one in node])
        return several if any(map(is_not, several, node)) else node
    if node is None:
        return None
    if isinstance(node, ir.Builtin) and node.name in READERS:
        return _read_spine(node, views, _ignores_order(node))
    if isinstance(node, ir.Membership) and (test := _membership(node)) is not None:
        return _read(test, views)
    return map_children(node, lambda one: _read(one, views))


def _membership(node: ir.Membership) -> ir.Expr | None:
    """`6 in rolled.face` as `any(rolled.face where it == 6)`; None of what is no column of numbers, one for each."""
    kind = node.of.type
    if not isinstance(kind, t.List) or not isinstance(kind.of, t.Number) or open_slots(node.item):
        return None
    column = node.of
    if not isinstance(column, ir.Column) or (_value_of_element(column) is None and not _is_of_listed_dice(column)):
        return None
    test = ir.Relation("==", ir.Element(kind.of, node.span), node.item, None, t.YES_NO, node.span)
    return ir.Builtin("any", (ir.Filtered(node.of, test, kind, node.span),), t.YES_NO, node.span)


def _is_of_listed_dice(column: ir.Column) -> bool:
    """Whether a column is of dice that passes rolled one by one."""
    kind = column.of.type
    return isinstance(kind, t.List) and isinstance(kind.of, t.ThrownDie) and column.name in ("face", "value")


def _ignores_order(node: ir.Builtin) -> bool:
    """Whether a function gives a number or a truth, whatever the order of what it reads; the highest few of equal dice
    are the first of them."""
    return len(node.arguments) == 1 or node.name in ("kth", "all")


def _read_spine(node: ir.Builtin, views: Views, in_any_order: bool) -> ir.Expr:
    """A function of a selection, which is read through all views; `all` has two selections."""
    many = len(node.arguments) if node.name == "all" else 1
    parts = [
        _spine(one, views, in_any_order) if place < many else _read(one, views)
        for place, one in enumerate(node.arguments)
    ]
    return replace(node, arguments=tuple(parts)) if any(map(is_not, parts, node.arguments)) else node


def _spine(expr: ir.Expr, views: Views, in_any_order: bool) -> ir.Expr:
    """A selection that is read through all views, and without what only arranges it where the order does not matter."""
    if isinstance(expr, ir.Local):
        view = views.formulas.get(expr.name)
        return expr if view is None else _spine(view, replace(views, formulas={}), in_any_order)
    if in_any_order and isinstance(expr, ir.Sorted) and not views.fails(expr.key):
        return _spine(expr.of, views, True)
    if in_any_order and isinstance(expr, ir.Builtin) and expr.name in ("ordered", "reversed") and _keeps_type(expr):
        return _spine(expr.arguments[0], views, True)
    if isinstance(expr, ir.Filtered):
        of, condition = _spine(expr.of, views, in_any_order), _read(expr.condition, views)
        made = expr if of is expr.of and condition is expr.condition else replace(expr, of=of, condition=condition)
        return _filter_before_column(made)
    if isinstance(expr, (ir.Column, ir.RollPart)) or (isinstance(expr, ir.Converted) and expr.to in ("values", "dice")):
        of = _spine(expr.of, views, in_any_order)
        return expr if of is expr.of else replace(expr, of=of)
    if isinstance(expr, ir.Builtin) and expr.name in _SELECTORS and expr.arguments:
        parts = [_spine(one, views, expr.name == "groups") for one in expr.arguments[:1]]
        parts += [_spine_of_other(one, views) for one in expr.arguments[1:]]
        return replace(expr, arguments=tuple(parts)) if any(map(is_not, parts, expr.arguments)) else expr
    made_of: ir.Expr = _read(expr, views)
    return made_of


def _spine_of_other(expr: ir.Expr, views: Views) -> ir.Expr:
    """What `without` leaves out, or a number, read through all views."""
    return _spine(expr, views, False)


def _keeps_type(expr: ir.Builtin) -> bool:
    return len(expr.arguments) == 1 and type(expr.type) is type(expr.arguments[0].type)


def _filter_before_column(expr: ir.Filtered) -> ir.Expr:
    """`rolled.face where it > 2` as `(rolled where face > 2).face`; other selections as they are."""
    column = expr.of
    if not isinstance(column, ir.Column) or not isinstance(expr.type, t.List) or reads_element_as_die(expr.condition):
        return expr
    value = _value_of_element(column)
    if value is None or binds_slot(expr.condition, ".die" if isinstance(value, ir.DieField) else ".it"):
        return expr
    condition = substitute_in_slot(expr.condition, ".it", lambda one: value if is_number_of_element(one) else None)
    return replace(column, of=ir.Filtered(column.of, condition, column.of.type, expr.span))


def _value_of_element(column: ir.Column) -> ir.Expr | None:
    """What a column has of one element, as a condition on elements reads it; None unless there is one plain value."""
    kind = t.without_maybe(column.of.type)
    if isinstance(kind, t.Roll) and column.name in ("face", "value"):
        listed = column.type.of if isinstance(column.type, t.List) else None
        return ir.DieField(column.name, listed, column.span) if isinstance(listed, t.Number) else None
    record = kind.of if isinstance(kind, t.List) else None
    of = record.field(column.name) if isinstance(record, t.Record) else None
    if not isinstance(of, (t.Number, t.YesNo, t.Word)):
        return None
    return ir.Field(ir.Element(kind.of, column.span), column.name, of, column.span)  # type: ignore[union-attr]
