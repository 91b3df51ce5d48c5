"""Refuse a program in which an expression has no type although nothing was reported that explains it.

An expression with an error has the type `Anything`, which fits everywhere; without an error such a type is a gap in the
checker, which is reported rather than played.
"""

from __future__ import annotations

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import Problems
from interpreter.ir import types as t
from interpreter.ir.traversal import NODES, nodes_under


def report_untyped(program: ir.Program, problems: Problems) -> None:
    """Report every expression without a type, unless an error is already reported."""
    if not problems.errors:
        for node in nodes_under(program):
            if isinstance(node, NODES) and isinstance(node.type, t.Anything):
                problems.add(say.no_type(node.span))
