"""Formulas evaluated for many states at once: a name is a column of values, or one value if all states agree.

A column costs a tenth of what its values cost one by one, as Python's own functions loop over it. In `a if c else b`,
`a and b` and `a otherwise b`, columns are divided by the condition, so that a part is only evaluated, and only fails,
for states that reach it.

A test compares these functions with closures.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import compress, repeat
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import is_exact
from interpreter.odds.state_keys import PLAIN
from interpreter.runtime.operations import SIGNS, check_range, field_of

Column = Any
"""A list of values, one for each state, or one value for all. No value is itself a list."""

At = dict[str, Column]
Wide = Callable[[At], Column]
Partly = Callable[[At, list[Any] | None], Column]
"""A formula for the states that are chosen by a column of truth values; None chooses all."""


@dataclass(slots=True)
class ColumnNames:
    """The names of columns: the `known` ones, and those of expressions that may be `drawn`, by id.

    Names that formulas read are added to `used`.
    """

    known: Container[str]
    drawn: Mapping[int, str]
    used: set[str] = field(default_factory=set)


def vectorize_formula(expr: ir.Expr, names: ColumnNames) -> Wide | None:
    """A formula for columns of plain values; None if with_default is none for the expression."""
    name = names.drawn.get(id(expr))
    if name is None and type(expr) is ir.Local:
        name = expr.name
    if name is not None and name in names.known:
        names.used.add(name)
        return operator.itemgetter(name)
    match expr:
        case ir.Constant(value) if type(value) in PLAIN:
            return lambda at: value
        case ir.Relation(sign, left, right, None):
            return None if is_exact(expr) else _combine_columns(SIGNS[sign], left, right, names)
        case ir.Arithmetic(sign, left, right, kind, span) if not isinstance(kind, t.DiceCode):
            if sign == "*":
                return _combine_columns(lambda a, b: check_range(a * b, span), left, right, names)
            return _combine_columns(operator.add if sign == "+" else operator.sub, left, right, names)
        case ir.Conditional(condition, then, otherwise):
            return _divide_states(
                vectorize_formula(condition, names), _partial_formula(then, names), _partial_formula(otherwise, names)
            )
        case ir.And(left, right):
            return _divide_states(vectorize_formula(left, names), _partial_formula(right, names), _false_column)
        case ir.Or(left, right):
            return _divide_states(vectorize_formula(left, names), _true_column, _partial_formula(right, names))
        case ir.Not(inner):
            return _map_column(operator.not_, vectorize_formula(inner, names))
        case ir.Negative(inner):
            return _map_column(operator.neg, vectorize_formula(inner, names))
        case ir.Otherwise(inner, instead):
            return _with_default(vectorize_formula(inner, names), _partial_formula(instead, names))
        case ir.Field(ir.Local(of, t.Record()), field) if of in names.known and isinstance(expr.type, _FLAT):
            names.used.add(of)
            record = operator.itemgetter(of)
            return _map_column(lambda one: field_of(one, field), record)
    return None


_FLAT = (t.Number, t.YesNo, t.Word)
"""Types of values that a column may hold."""


def vectorize_outcome(of: ir.Outcomes, names: ColumnNames) -> Wide | None:
    """The first outcome whose condition holds, for columns; later conditions are not evaluated for a state."""
    mine = ColumnNames(names.known, names.drawn)
    cases: list[tuple[str, Wide | None, tuple[str, ...]]] = []
    later: tuple[str, ...] = ()
    for case in reversed(of.cases):
        cases.append(
            (case.name, vectorize_formula(case.condition.body, mine) if case.condition else _hold_always, later)
        )
        later = tuple(mine.used)
    cases.reverse()
    if cases[0][1] is None:
        return None
    names.used |= mine.used

    def choose(at: At) -> Column:
        words: list[str] = []
        left: list[int] | None = None  # places of states without an outcome; None while all states agree
        for word, test, later in cases:
            if test is None:
                break
            holds = test(at)
            if type(holds) is not list:
                if not holds:
                    continue
                if left is None:
                    return word
                for place in left:
                    words[place] = word
                return words
            if left is None:
                words, left = [word] * len(holds), list(range(len(holds)))
            else:
                for place in compress(left, holds):
                    words[place] = word
            others = list(map(operator.not_, holds))
            left = list(compress(left, others))
            if not left:
                return words
            at = {n: list(compress(one, others)) if type(one := at[n]) is list else one for n in later}
        raise NotVectorizable

    return choose


def _hold_always(at: At) -> Column:
    return True


class NotVectorizable(Exception):
    """A formula for columns has reached a part without columns, so it must be evaluated state by state."""


def _no_columns(at: At, chosen: list[Any] | None) -> Column:
    raise NotVectorizable


def _false_column(at: At, chosen: list[Any] | None) -> Column:
    return False


def _true_column(at: At, chosen: list[Any] | None) -> Column:
    return True


def _map_column(operation: Callable[[Any], Any], of: Wide | None) -> Wide | None:
    if of is None:
        return None

    def map_entries(at: At) -> Column:
        value = of(at)
        return list(map(operation, value)) if type(value) is list else operation(value)

    return map_entries


def _combine_columns(
    operation: Callable[[Any, Any], Any], left: ir.Expr, right: ir.Expr, names: ColumnNames
) -> Wide | None:
    first, second = vectorize_formula(left, names), vectorize_formula(right, names)
    if first is None or second is None:
        return None

    def combine_entries(at: At) -> Column:
        a, b = first(at), second(at)
        if type(a) is list:
            return list(map(operation, a, b if type(b) is list else repeat(b)))
        return list(map(operation, repeat(a), b)) if type(b) is list else operation(a, b)

    return combine_entries


def _partial_formula(expr: ir.Expr, names: ColumnNames) -> Partly | None:
    """A part of a formula that only some of the states may reach."""
    mine = ColumnNames(names.known, names.drawn)
    of = vectorize_formula(expr, mine)
    if of is None:
        return None
    names.used |= mine.used

    def part_of(at: At, chosen: list[Any] | None) -> Column:
        if chosen is None:
            return of(at)
        return of({n: list(compress(one, chosen)) if type(one := at[n]) is list else one for n in mine.used})

    return part_of


def _divide_states(test: Wide | None, then: Partly | None, otherwise: Partly | None) -> Wide | None:
    if test is None or (then is None and otherwise is None):
        return None
    yes, no = then or _no_columns, otherwise or _no_columns

    def divide(at: At) -> Column:
        holds = test(at)
        if type(holds) is not list:
            return yes(at, None) if holds else no(at, None)
        if all(holds):
            return yes(at, None)
        if not any(holds):
            return no(at, None)
        a, b = _entries(yes(at, holds)), _entries(no(at, list(map(operator.not_, holds))))
        return list(map(next, map((b, a).__getitem__, map(operator.truth, holds))))

    return divide


def _with_default(of: Wide | None, otherwise: Partly | None) -> Wide | None:
    if of is None or otherwise is None:
        return None

    def with_default(at: At) -> Column:
        value = of(at)
        if type(value) is not list:
            return otherwise(at, None) if value is None else value
        if None not in value:
            return value
        other = _entries(otherwise(at, [one is None for one in value]))
        return [next(other) if one is None else one for one in value]

    return with_default


def _entries(column: Column) -> Iterator[Any]:
    return iter(column) if type(column) is list else repeat(column)
