"""What reads the state of the game: attributes of things, and functions and tables that read some."""

from __future__ import annotations

from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import nodes_under


def reads_state(expr: Any) -> bool:
    """Whether an expression itself reads attributes of things, and not only expressions in it."""
    if isinstance(expr, ir.Attribute):
        return True
    if isinstance(expr, (ir.Apply, ir.Lookup)):
        return expr.reads_state
    if not isinstance(expr, ir.Column):
        return False
    kind = t.without_maybe(expr.of.type)
    return isinstance(kind, t.List) and isinstance(t.without_maybe(kind.of), t.Object)


def any_reads_state(node: Any) -> bool:
    """Whether any expression in a construct, or in several, reads the state."""
    return any(map(reads_state, nodes_under(node)))
