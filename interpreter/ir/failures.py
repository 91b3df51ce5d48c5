"""Which formulas may fail when they are evaluated: divide by 0, look for an item that is not there, and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.limits import limited_parameters
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import inner_expressions, nodes_under

Fails = Callable[[ir.Expr], bool]
"""Tells whether a formula may fail."""

FAILING_BUILTINS = frozenset(("only", "item", "rung", "rung_of", "times", "upto"))
"""The built-in functions that may fail, which a test holds to their implementations."""


def may_fail(program: ir.Program, node: Any) -> bool:
    """Whether a formula in a construct, or in several, may fail; one that only computes with large numbers does not."""
    return any(_may_fail_itself(program, expr) for expr in nodes_under(node))


def _may_fail_itself(program: ir.Program, expr: Any) -> bool:
    match expr:
        case ir.Quotient(right=right):
            return not (isinstance(right, ir.Constant) and right.value)
        case ir.Builtin(name=name):
            return name in FAILING_BUILTINS
        case ir.MapEntry(sure=sure):
            return sure
        case ir.Apply(name=name):
            return _call_may_fail(program, name)
        case ir.Attribute(kind=kind, name=name):
            return isinstance(expr.type, t.Object) or _derived_may_fail(program, kind, name)
        case ir.PoolLiteral():
            return any(True for _ in inner_expressions(expr))  # fewer than no dice are refused
    return isinstance(expr, ir.Lookup)


@once_per
def _call_may_fail(program: ir.Program, name: str) -> bool:
    return bool(limited_parameters(program, name)) or may_fail(program, program.functions[name].gives)


@once_per
def _derived_may_fail(program: ir.Program, kind: str, name: str) -> bool:
    derived = program.kinds[kind].has[name].derived
    return derived is not None and may_fail(program, derived)
