"""Checks of values against their declarations: bounds, length, candidates, `where`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.once_per import once_per
from interpreter.ir.state_reads import any_reads_state
from interpreter.ir.traversal import each_in
from interpreter.runtime.evaluator import Closure, Closures, Frame
from interpreter.values import in_words


def held_to(one: ir.Declaration) -> tuple[ir.Formula | None, ...]:
    """The constraints of a declaration: bounds, length, candidates and `where`; all None if there are none."""
    return one.low, one.high, one.fewest, one.most, one.among, one.where


@once_per
def lasting_part(program: ir.Program, one: ir.HeldAttribute) -> ir.Declaration:
    """The declaration of an attribute with those constraints alone that play never breaks.

    A constraint that reads other attributes may cease to hold when these change, and elements may leave a list.
    """
    declared = one.declared

    def if_fixed(formula: ir.Formula | None) -> ir.Formula | None:
        return None if formula is None or any_reads_state(formula.body) else formula

    low, high, most, among, where = map(
        if_fixed, (declared.low, declared.high, declared.most, declared.among, declared.where)
    )
    return replace(declared, low=low, high=high, fewest=None, most=most, among=among, where=where)


def bounded(closures: Closures, one: ir.Declaration) -> Callable[[Any, Frame], None]:
    """The check of a declared value against its bounds, its candidates and its `where`; raises PlayError."""
    kept = closures.ready.get(id(one))
    if kept is None:
        kept = one, _bounded(closures, one)
        if not closures.drawn:
            closures.ready[id(one)] = kept
    check: Callable[[Any, Frame], None] = kept[1]
    return check


def _bounded(closures: Closures, one: ir.Declaration) -> Callable[[Any, Frame], None]:
    formulas = held_to(one)
    if not any(formulas):
        return _unconstrained
    compiled = [None if of is None else closures.of(of) for of in formulas]

    def check(value: Any, given: Frame) -> None:
        if value is None:
            return
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
