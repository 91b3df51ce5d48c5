"""What the value of a formula depends on: attributes of objects; and which fields of records any formula reads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import formulas, inner_expressions

Read = tuple[str, str]
"""The name of a kind and of one of its attributes."""


@lru_cache(4096)
def attributes_read(program: ir.Program, expr: ir.Expr) -> frozenset[Read] | None:
    """The stored attributes that an expression may read, directly or not; None if they are unknown."""
    if isinstance(expr, ir.Lookup):
        return None
    found = [attributes_read(program, one) for one in inner_expressions(expr)]
    if isinstance(expr, ir.Apply):
        found.append(reads_of_function(program, program.functions[expr.name].gives))
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
