"""What reads the state of the game: attributes of things, and functions and tables that read some; and which."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import formulas, inner_expressions, nodes_under


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


Read = tuple[str, str]
"""The name of a kind and of one of its attributes."""


@lru_cache(4096)
def attributes_read(program: ir.Program, expr: ir.Expr) -> frozenset[Read] | None:
    """The stored attributes that an expression may read, directly or not; None if they are unknown."""
    found = [attributes_read(program, one) for one in inner_expressions(expr)]
    if isinstance(expr, ir.Apply):
        found.append(reads_of_function(program, program.functions[expr.name].gives))
    elif isinstance(expr, ir.Lookup):
        found += [attributes_read(program, one.body) for one in formulas(program.tables[expr.name])]
    elif isinstance(expr, ir.Attribute):
        found.append(_reads_of_attribute(program, expr.kind, expr.name))
    elif isinstance(expr, ir.Column) and (kind := _kind_of_things(expr)) is not None:
        found.append(_reads_of_attribute(program, kind, expr.name))
    return _union_of_reads(found)


def reads_of_function(program: ir.Program, gives: ir.Formula | ir.FirstOf) -> frozenset[Read] | None:
    """The stored attributes that the value of a function depends on; None if they are unknown."""
    return _union_of_reads([attributes_read(program, one.body) for one in formulas(gives)])


def _reads_of_attribute(program: ir.Program, kind: str, name: str) -> frozenset[Read] | None:
    one = program.kinds[kind].has[name]
    if one.derived is not None:
        return attributes_read(program, one.derived.body)
    return frozenset(((kind, name),)) if one.part is None else frozenset()


def _union_of_reads(found: Sequence[frozenset[Read] | None]) -> frozenset[Read] | None:
    known = [one for one in found if one is not None]
    return frozenset[Read]().union(*known) if len(known) == len(found) else None


def _kind_of_things(of: ir.Column) -> str | None:
    kind = t.without_maybe(of.of.type)
    element = t.without_maybe(kind.of) if isinstance(kind, t.List) else kind
    return element.kind if isinstance(element, t.Object) else None
