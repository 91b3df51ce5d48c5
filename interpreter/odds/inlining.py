"""Functions of dice written out where they are used, so that what they read of a roll is seen.

`successes(rolled)` hides that only `count(rolled where face >= 6)` is read; written out, a kernel draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from interpreter import ir
from interpreter import types as t
from interpreter.odds.reads import NODES, inner

Node = TypeVar("Node")
Functions = Mapping[str, ir.Function]


def written_out(rule: Node, functions: Functions) -> Node:
    """A construct of the program in which no function takes a roll any more; itself where none did."""
    made: Node = _changed(rule, lambda expr: _applied(expr, functions))
    return made


def _applied(expr: ir.Expr, functions: Functions) -> ir.Expr:
    """A call of a function as what the function gives, where an argument is a roll."""
    if not isinstance(expr, ir.Apply) or not any(map(_of_dice, expr.arguments)):
        return expr
    if any(map(_looks_outward, expr.arguments)):  # a slot of the function would take their `it` for its own
        return expr
    function = functions[expr.name]
    given = {one.name: argument for one, argument in zip(function.takes, expr.arguments, strict=True)}
    body: ir.Expr = _changed(
        _body(function), lambda one: given.get(one.name, one) if isinstance(one, ir.Local) else one
    )
    return written_out(body, functions)


def _of_dice(expr: ir.Expr) -> bool:
    return isinstance(t.present(expr.type), (t.Roll, t.Thrown, t.List))


def _looks_outward(expr: ir.Expr) -> bool:
    """Whether an expression looks at the element of a slot that it stands in."""
    match expr:
        case ir.Element() | ir.DieWord():
            return True
        case ir.Filtered(of) | ir.Sorted(of):
            return _looks_outward(of)
    return any(map(_looks_outward, inner(expr)))


def _body(function: ir.Function) -> ir.Expr:
    """What a function gives as one expression."""
    if isinstance(function.gives, ir.Formula):
        return function.gives.body
    *cases, last = function.gives.cases
    made = last.value.body
    if last.condition is not None:
        cases, made = [*cases, last], ir.Constant(None, function.type, last.value.span)
    for case in reversed(cases):
        assert case.condition is not None
        made = ir.Conditional(case.condition.body, case.value.body, made, function.type, case.value.span)
    return made


def _changed(node: Any, change: Callable[[ir.Expr], ir.Expr]) -> Any:
    """A construct with its expressions changed, from the innermost out; the same object where nothing is."""
    if type(node) is tuple:
        items = tuple([_changed(one, change) for one in node])
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if isinstance(node, Mapping):
        mapped = {name: _changed(one, change) for name, one in node.items()}
        return mapped if any(mapped[name] is not one for name, one in node.items()) else node
    if type(node).__module__ != ir.__name__:
        return node
    skipped = ("type", "span", "tree", "resolved", "refs")
    parts = {name: getattr(node, name) for name in node.__slots__ if name not in skipped}
    made = {name: _changed(one, change) for name, one in parts.items()}
    made = {name: one for name, one in made.items() if one is not parts[name]}
    node = replace(node, **made) if made else node
    return change(node) if isinstance(node, NODES) else node
