"""Checks of values against their declarations: bounds, length, candidates, `where`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.limits import constraints_of, has_limits, record_fields
from interpreter.ir.traversal import outermost_nodes_in
from interpreter.runtime.functions import Bag, Undecided
from interpreter.runtime.state import STATE
from interpreter.runtime.titles import titles_of
from interpreter.values import in_words

if TYPE_CHECKING:
    from interpreter.runtime.evaluator import Closure, Closures, Frame


def constraints_check(closures: Closures, one: ir.Declaration) -> Callable[[Any, Frame], None]:
    """The check of a declared value against its bounds, its candidates and its `where`; it raises PlayError.

    The fields of a record are checked against theirs.
    """
    kept = closures.ready.get(id(one))
    if kept is None:
        kept = one, _make_check(closures, one)
        if not closures.drawn:
            closures.ready[id(one)] = kept
    check: Callable[[Any, Frame], None] = kept[1]
    return check


def _make_check(closures: Closures, one: ir.Declaration) -> Callable[[Any, Frame], None]:
    formulas = constraints_of(one)
    limited = [field for field in record_fields(closures.program, one) if has_limits(closures.program, field)]
    fields = [(field.name, constraints_check(closures, field)) for field in limited]
    if not any(formulas) and not fields:
        return accept_any
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
            left = Bag(candidates)
            for element in value if type(value) is tuple else (value,):
                if not left.take(element):  # none more often than it is a candidate
                    words = map(in_words, candidates)
                    raise PlayError(say.value_not_among(say.NOWHERE, one.name, in_words(element), words))
        if where and one.where and not where({**given, ".it": value}):
            functions = closures.program.functions
            called = {of.name: functions[of.name].about for of in outermost_nodes_in(one.where.body, ir.Apply)}
            titles = titles_of(closures.program, given.get(STATE))
            name = titles.of(one)
            try:
                told = titles.value(value, one.type)
            except Undecided:  # odds and simulations may know of dice less than their faces
                told = "…"
            raise PlayError(say.fails_where(say.NOWHERE, name, told, one.where.text, called))

    return check


def accept_any(value: Any, given: Frame) -> None:
    """The check of a declaration without constraints."""


def optional_closure(closures: Closures, formula: ir.Formula | None) -> Closure | None:
    """The function of an optional expression."""
    return None if formula is None else closures.of(formula)
