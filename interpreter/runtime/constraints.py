"""Checks of values against their declarations: bounds, length, candidates, `where`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.once_per import once_per
from interpreter.ir.state_reads import any_reads_state
from interpreter.ir.traversal import each_in
from interpreter.values import in_words

if TYPE_CHECKING:
    from interpreter.runtime.evaluator import Closure, Closures, Frame


def held_to(one: ir.Declaration) -> tuple[ir.Formula | None, ...]:
    """The constraints of a declaration: bounds, length, candidates and `where`; all None if there are none."""
    return one.low, one.high, one.fewest, one.most, one.among, one.where


RecordOf = Callable[[t.Type], "ir.RecordType | None"]
"""Finds the record type of the ruleset that a type is, if it is one."""


def limits_in(record_of: RecordOf, one: ir.Declaration) -> Iterator[ir.Formula]:
    """The constraints of a declaration, and of a record, or of each in a list, those of its fields."""
    yield from (formula for formula in held_to(one) if formula is not None)
    record = record_of(_element(one.type))
    for field in record.has if record is not None else ():
        yield from limits_in(record_of, field)


def _element(kind: t.Type) -> t.Type:
    """The type of the elements of a list, or the type itself."""
    kind = t.present(kind)
    return t.present(kind.of) if isinstance(kind, t.List) else kind


def record_fields(program: ir.Program, one: ir.Declaration) -> tuple[ir.Declaration, ...]:
    """The fields of a record of the ruleset, or of each in a list, that a declared type is."""
    kind = _element(one.type)
    return program.types[kind.name].has if isinstance(kind, t.Record) and kind.name in program.types else ()


@once_per
def has_limits(program: ir.Program, one: ir.Declaration) -> bool:
    """Whether a value of a declared type may be refused, or a field of it."""
    return any(held_to(one)) or any(has_limits(program, field) for field in record_fields(program, one))


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
    if isinstance(t.present(declared.type), t.List):
        where = None
    return replace(declared, low=low, high=high, fewest=None, most=most, among=among, where=where)


def bounded(closures: Closures, one: ir.Declaration) -> Callable[[Any, Frame], None]:
    """The check of a declared value against its bounds, its candidates and its `where`; it raises PlayError.

    The fields of a record are checked against theirs.
    """
    kept = closures.ready.get(id(one))
    if kept is None:
        kept = one, _bounded(closures, one)
        if not closures.drawn:
            closures.ready[id(one)] = kept
    check: Callable[[Any, Frame], None] = kept[1]
    return check


def _bounded(closures: Closures, one: ir.Declaration) -> Callable[[Any, Frame], None]:
    formulas = held_to(one)
    limited = [field for field in record_fields(closures.program, one) if has_limits(closures.program, field)]
    fields = [(field.name, bounded(closures, field)) for field in limited]
    if not any(formulas) and not fields:
        return _unconstrained
    compiled = [None if of is None else closures.of(of) for of in formulas]

    def check(value: Any, given: Frame) -> None:
        if value is None:
            return
        for record in (value if type(value) is tuple else (value,)) if fields else ():
            inside = {**given, **record}
            for name, check_field in fields:
                check_field(record[name], inside)
        low, high, fewest, most, among, where = compiled
        floor, ceiling = low(given) if low else None, high(given) if high else None
        if (floor is not None and value < floor) or (ceiling is not None and value > ceiling):
            raise PlayError(say.out_of_bounds(say.NOWHERE, one.name, value, floor, ceiling))
        few, many = fewest(given) if fewest else None, most(given) if most else None
        if (few is not None and len(value) < few) or (many is not None and len(value) > many):
            raise PlayError(say.wrong_length(say.NOWHERE, one.name, len(value), few, many))
        if among is not None:
            candidates = among(given)
            left = list(candidates)
            for element in value if type(value) is tuple else (value,):
                if element not in left:  # none more often than it is a candidate
                    words = map(in_words, candidates)
                    raise PlayError(say.not_among(say.NOWHERE, one.name, in_words(element), words))
                left.remove(element)
        if where and one.where and not where({**given, ".it": value}):
            functions = closures.program.functions
            called = {of.name: functions[of.name].about for of in each_in(one.where.body, ir.Apply)}
            raise PlayError(say.fails_where(say.NOWHERE, one.name, one.where.span.text, called))

    return check


def _unconstrained(value: Any, given: Frame) -> None:
    """The check of a declaration without constraints."""


def some(closures: Closures, formula: ir.Formula | None) -> Closure | None:
    """The closure of an optional expression."""
    return None if formula is None else closures.of(formula)
