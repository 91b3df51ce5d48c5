"""The constraints of declared values: bounds, length, candidates and `where`, and those of the fields of a record; and
whether they leave values that can be listed.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.once_per import once_per
from interpreter.ir.state_reads import any_reads_state


def constraints_of(one: ir.Declaration) -> tuple[ir.Formula | None, ...]:
    """The constraints of a declaration: bounds, length, candidates and `where`; all None if there are none."""
    return one.low, one.high, one.fewest, one.most, one.among, one.where


def has_listable_values(one: ir.Declaration) -> bool:
    """Whether the values of an input can be listed, so that play asks for it; a list is asked for by its elements."""
    kind = t.without_maybe(one.type)
    if isinstance(kind, t.List):
        return False
    if isinstance(kind, (t.Object, t.YesNo, t.Word)) or one.among is not None:
        return True
    return isinstance(kind, t.Number) and one.low is not None and one.high is not None


def _element(kind: t.Type) -> t.Type:
    """The type of the elements of a list, or the type itself."""
    kind = t.without_maybe(kind)
    return t.without_maybe(kind.of) if isinstance(kind, t.List) else kind


def record_fields(program: ir.Program, one: ir.Declaration) -> tuple[ir.Declaration, ...]:
    """The fields of a record of the ruleset, or of each in a list, that a declared type is."""
    kind = _element(one.type)
    return program.types[kind.name].has if isinstance(kind, t.Record) and kind.name in program.types else ()


@once_per
def has_limits(program: ir.Program, one: ir.Declaration) -> bool:
    """Whether a value of a declared type may be refused, or a field of it."""
    return any(constraints_of(one)) or any(has_limits(program, field) for field in record_fields(program, one))


def limited_parameters(program: ir.Program, function: str) -> tuple[ir.Declaration, ...]:
    """What a function takes and does not take just any value of."""
    return tuple([one for one in program.functions[function].takes if has_limits(program, one)])


@once_per
def lasting_part(program: ir.Program, declared: ir.Declaration) -> ir.Declaration:
    """The declaration with those constraints alone that hold as long as the value stays.

    One that reads attributes may cease to hold when these change, and elements may leave a list.
    """

    def if_fixed(formula: ir.Formula | None) -> ir.Formula | None:
        return None if formula is None or any_reads_state(formula.body) else formula

    low, high, most, among, where = map(
        if_fixed, (declared.low, declared.high, declared.most, declared.among, declared.where)
    )
    if isinstance(t.without_maybe(declared.type), t.List):
        where = None
    return replace(declared, low=low, high=high, fewest=None, most=most, among=among, where=where)
