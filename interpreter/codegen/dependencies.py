"""Which fields of records any formula of a program reads."""

from __future__ import annotations

from functools import lru_cache

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import formulas, inner_expressions


@lru_cache(64)
def fields_read(program: ir.Program) -> frozenset[str] | None:
    """Every field that some formula reads of a record; None if records are compared as a whole."""
    found: set[str] = set()
    stack: list[ir.Expr] = [
        one.body
        for one in formulas(
            (program.functions, program.tables, program.kinds, program.mechanics, program.events, program.actions,
             program.reactions, program.scenes)
        )
    ]  # fmt: skip
    while stack:
        here = stack.pop()
        if isinstance(here, (ir.Field, ir.Column, ir.DieField)):
            found.add(here.name)
        compares = isinstance(here, (ir.Relation, ir.Membership))
        compares = compares or (isinstance(here, ir.Builtin) and here.name in ("without", "common"))
        if compares and any(_is_record(one) for one in inner_expressions(here)):
            return None
        stack += inner_expressions(here)
    return frozenset(found)


def _is_record(expr: ir.Expr) -> bool:
    kind = t.without_maybe(expr.type)
    kind = t.without_maybe(kind.of) if isinstance(kind, (t.List, t.Map)) else kind
    return isinstance(kind, t.Record)
