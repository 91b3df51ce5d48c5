"""Expressions about the element of a slot: `it` in a condition on a list, and the words of a die in one on a roll."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import inner_expressions, map_children


def own_slot(expr: ir.Filtered | ir.Sorted) -> str:
    """The slot that a selection or a sort binds: `.it` of a list, `.die` of a roll."""
    return ".it" if isinstance(expr.type, t.List) else ".die"


def map_in_slot(expr: ir.Expr, slot: str, change: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """An expression with its inner expressions changed, except for those that bind this slot anew."""
    if isinstance(expr, ir.Filtered) and own_slot(expr) == slot:
        of = change(expr.of)
        return expr if of is expr.of else ir.Filtered(of, expr.condition, expr.type, expr.span)
    if isinstance(expr, ir.Sorted) and own_slot(expr) == slot:
        of = change(expr.of)
        return expr if of is expr.of else ir.Sorted(of, expr.key, expr.type, expr.span)
    made: ir.Expr = map_children(expr, change)
    return made


def substitute_in_slot(expr: ir.Expr, slot: str, change: Callable[[ir.Expr], ir.Expr | None]) -> ir.Expr:
    """An expression with others in place of what reads the element of a slot; None from `change` keeps one."""
    made = change(expr)
    return map_in_slot(expr, slot, lambda one: substitute_in_slot(one, slot, change)) if made is None else made


def binds_slot(expr: ir.Expr, slot: str) -> bool:
    """Whether something in an expression binds a slot."""
    if isinstance(expr, (ir.Filtered, ir.Sorted)) and own_slot(expr) == slot:
        return True
    return any(binds_slot(one, slot) for one in inner_expressions(expr))


def is_number_of_element(expr: ir.Expr) -> bool:
    """Whether an expression is the element of a list, as a number if it is a die."""
    if isinstance(expr, ir.Converted) and expr.to == "number":
        return isinstance(expr.of, ir.Element)
    return isinstance(expr, ir.Element) and not isinstance(expr.type, t.ThrownDie)


def reads_element_as_die(expr: ir.Expr) -> bool:
    """Whether an expression reads an element that is a die, and not only its number."""
    if isinstance(expr, ir.Element):
        return isinstance(expr.type, t.ThrownDie)
    return any(map(reads_element_as_die, inner_expressions(expr)))
