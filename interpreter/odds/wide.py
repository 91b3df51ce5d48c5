"""Formulas worked out for many states at once: a name is a column of values, or one value where all states agree.

What is worked out once for a column of numbers costs a tenth of what it costs state by state, as the loop over the
values is Python's own. Each state still takes its own way through `a if c else b`, `a and b` and `a otherwise b`:
columns are parted by what the condition came to, so that nothing is worked out, or fails, that would not have been.

A test holds this to the closures.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Iterable, Mapping
from itertools import compress, repeat
from typing import Any

from interpreter import ir
from interpreter import types as t
from interpreter.closures import SIGNS, in_range
from interpreter.odds.keys import PLAIN

Column = Any
"""A list of values, one for each state, or one value for all; no value is itself a list."""

At = dict[str, Column]
Wide = Callable[[At], Column]


def wide(expr: ir.Expr, known: Container[str], drawn: Mapping[int, str], used: set[str]) -> Wide | None:
    """A formula for columns, all of whose values are numbers, words, truths or missing; None for what has none.

    `known` are the names that there are columns of, `drawn` the names of expressions that have one. What it looks at
    is added to `used`.
    """

    def of(one: ir.Expr) -> Wide | None:
        return wide(one, known, drawn, used)

    name = drawn.get(id(expr))
    if name is None and isinstance(expr, ir.Local):
        name = expr.name
    if name is not None and name in known:
        used.add(name)
        return operator.itemgetter(name)
    match expr:
        case ir.Constant(value) if type(value) in PLAIN:
            return lambda at: value
        case ir.Negative(inner):
            return _each(operator.neg, of(inner))
        case ir.Not(inner):
            return _each(operator.not_, of(inner))
        case ir.Arithmetic(sign, left, right, kind, span) if not isinstance(kind, t.Code):
            if sign == "*":
                return _both(lambda a, b: in_range(a * b, span), of(left), of(right))
            return _both(operator.add if sign == "+" else operator.sub, of(left), of(right))
        case ir.Comparison(sign, left, right, None):
            exact = isinstance(left, ir.Quotient) or isinstance(right, ir.Quotient)
            return None if exact else _both(SIGNS[sign], of(left), of(right))
        case ir.Both(left, right):
            return _parted(of(left), of(right), lambda at: False)
        case ir.Either(left, right):
            return _parted(of(left), lambda at: True, of(right))
        case ir.Conditional(condition, then, otherwise):
            return _parted(of(condition), of(then), of(otherwise))
        case ir.Otherwise(inner, instead):
            return _otherwise(of(inner), of(instead))
    return None


class Narrow(Exception):
    """A formula for columns came to a part that has none: it must be worked out state by state."""


def _narrow(at: At) -> Column:
    raise Narrow


def _each(work: Callable[[Any], Any], of: Wide | None) -> Wide | None:
    if of is None:
        return None

    def each(at: At) -> Column:
        value = of(at)
        return list(map(work, value)) if type(value) is list else work(value)

    return each


def _both(work: Callable[[Any, Any], Any], left: Wide | None, right: Wide | None) -> Wide | None:
    if left is None or right is None:
        return None

    def both(at: At) -> Column:
        a, b = left(at), right(at)
        if type(a) is list:
            return list(map(work, a, b if type(b) is list else repeat(b)))
        return list(map(work, repeat(a), b)) if type(b) is list else work(a, b)

    return both


def _parted(test: Wide | None, then: Wide | None, otherwise: Wide | None) -> Wide | None:
    if test is None or (then is None and otherwise is None):
        return None
    yes, no = then or _narrow, otherwise or _narrow

    def parted(at: At) -> Column:
        holds = test(at)
        if type(holds) is not list:
            return yes(at) if holds else no(at)
        if all(holds):
            return yes(at)
        if not any(holds):
            return no(at)
        fails = list(map(operator.not_, holds))
        a, b = _running(yes(_some(at, holds))), _running(no(_some(at, fails)))
        return [next(a) if one else next(b) for one in holds]

    return parted


def _otherwise(of: Wide | None, instead: Wide | None) -> Wide | None:
    if of is None or instead is None:
        return None

    def there(at: At) -> Column:
        value = of(at)
        if type(value) is not list:
            return instead(at) if value is None else value
        if None not in value:
            return value
        other = _running(instead(_some(at, [one is None for one in value])))
        return [next(other) if one is None else one for one in value]

    return there


def _some(at: At, chosen: Iterable[Any]) -> At:
    """The columns of some of the states."""
    return {name: list(compress(one, chosen)) if type(one) is list else one for name, one in at.items()}


def _running(column: Column) -> Any:
    return iter(column) if type(column) is list else repeat(column)
