"""Refuse a program, or an expression typed at run time, in which something has no type although no error says so.

An expression with an error has the type `Anything`, which fits everywhere; without an error such a type is a gap in the
checker, which is reported rather than played: an operator would meet a value that it does not take.
"""

from __future__ import annotations

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import Problems
from interpreter.ir import types as t
from interpreter.ir.traversal import NODES, nodes_under


def report_untyped(checked: ir.Program | ir.Formula, problems: Problems) -> None:
    """Report every expression without a type in a program or in what was typed, unless an error is already reported."""
    if not problems.errors:
        for node in nodes_under(checked):
            if isinstance(node, NODES) and isinstance(node.type, t.Anything):
                problems.add(say.no_type(node.span))
