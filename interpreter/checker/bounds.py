"""Bounds of numbers through arithmetic, and the facts that a condition implies about the values in it."""

from __future__ import annotations

from dataclasses import replace

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.types import Number
from interpreter.runtime.functions import round_quotient
from interpreter.values import Thing


def bounds_of_arithmetic(sign: str, left: Number, right: Number) -> Number:
    """The bounds of `left sign right`."""
    if sign == "+":
        return Number(_add_bounds(left.low, right.low), _add_bounds(left.high, right.high))
    if sign == "-":
        return Number(
            _add_bounds(left.low, _negate_bound(right.high)), _add_bounds(left.high, _negate_bound(right.low))
        )
    ends = [_multiply_bounds(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    if None not in ends:
        known = [end for end in ends if end is not None]
        return Number(min(known), max(known))
    if left.low is not None and right.low is not None and left.low >= 0 and right.low >= 0:
        return Number(left.low * right.low, None)
    return Number()


def bounds_of_quotient(left: Number, right: Number, rounding: str) -> Number:
    """The bounds of a division by a positive number; no bounds for other divisors.

    Nor where no number is left for the divisor: `if x > 0` of a number that is at most 0.
    """
    if right.low is None or right.low < 1 or (right.high is not None and right.high < right.low):
        return Number()
    return Number(_quotient_bound(left.low, right, rounding, -1), _quotient_bound(left.high, right, rounding, 1))


def _quotient_bound(end: int | None, divisor: Number, rounding: str, out: int) -> int | None:
    """The lowest (`out` is -1) or highest quotient of the numbers that end there: what is divided by the smallest
    divisor lies farthest from 0, what is divided by the largest nearest to it."""
    assert divisor.low is not None
    if end is None:
        return None
    by = divisor.low if end * out > 0 else divisor.high
    if by is None:  # the quotient comes as near to 0 as it can
        by = 2 * abs(end) + 2
    return round_quotient(end, by, rounding)


def negate(number: Number) -> Number:
    return Number(_negate_bound(number.high), _negate_bound(number.low))


def _add_bounds(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _negate_bound(a: int | None) -> int | None:
    return None if a is None else -a


def _multiply_bounds(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a * b


Facts = dict[str, t.Type]
UNKNOWN = "*"
"""A fact that stands for a condition with an error, which may have narrowed any value."""


def path_of(expression: ir.Expr) -> str | None:
    """The path of a value, under which facts are stored; None for a value that has none.

    A name has one, an element of a list that has one (`item(heroes, 1)`), an entry of a map (`worn(ann)`), and the
    fields of these.
    """
    match expression:
        case ir.Local(name):
            return name
        case ir.Field(of, name) | ir.Attribute(of, _, name):
            inner = path_of(of)
            return f"{inner}.{name}" if inner else None
        case ir.Element():
            return "it"
        case ir.Constant(Thing() as thing):
            return thing.id
        case ir.Converted(of, "number"):
            return path_of(of)
        case ir.Builtin("item" | "first" | "last" as name, (of, *at)) if all(isinstance(n, ir.Constant) for n in at):
            inner = path_of(of)
            places = "".join([f", {one.value}" for one in at if isinstance(one, ir.Constant)])
            return f"{name}({inner}{places})" if inner and inner.partition(".")[0] != "it" else None
        case ir.MapEntry(of, key):
            inner, entry = path_of(of), path_of(key)
            if not inner or not entry or "it" in (inner.partition(".")[0], entry.partition(".")[0]):
                return None
            return f"{inner}({entry})"
    return None


def facts_of(condition: ir.Expr, holds: bool) -> Facts:
    """The facts about the values in a condition, where it holds or where it fails."""
    if isinstance(condition.type, t.Anything):
        return {UNKNOWN: t.ANYTHING}
    match condition:
        case ir.Not(of):
            return facts_of(of, not holds)
        case ir.And(left, right) if holds:
            return {**facts_of(left, True), **facts_of(right, True)}
        case ir.Or(left, right) if not holds:
            return {**facts_of(left, False), **facts_of(right, False)}
        case ir.Builtin("given", (of,)) if holds:
            path = path_of(of)
            return {path: t.without_maybe(of.type)} if path else {}
        case ir.Relation(sign, left, right):
            return _facts_of_comparison(sign, left, right, holds) | _facts_of_comparison(
                _MIRRORED[sign], right, left, holds
            )
    return {}


_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_DENIED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}


def _facts_of_comparison(sign: str, of: ir.Expr, other: ir.Expr, holds: bool) -> Facts:
    sign = sign if holds else _DENIED[sign]
    if isinstance(of, ir.Builtin) and of.name == "count" and isinstance(other.type, Number):
        counted = of.arguments[0]
        path, low = path_of(counted), _narrow(Number(0), sign, other.type).low
        if path and low and isinstance(counted.type, (t.Dice, t.Roll, t.List)):
            return {path: replace(counted.type, least=max(low, counted.type.least))}
        return {}
    path = path_of(of)
    if path is None or not isinstance(of.type, Number) or not isinstance(other.type, Number):
        return {}
    if isinstance(of, ir.Converted):
        # The value stays a thrown die; only the range of what it can show is narrowed.
        die = of.of.type
        return {path: replace(die, shows=_narrow(of.type, sign, other.type))} if isinstance(die, t.Roll) else {}
    return {path: _narrow(of.type, sign, other.type)}


def _narrow(number: Number, sign: str, other: Number) -> Number:
    low, high = number.low, number.high
    if sign in (">", ">=", "==") and other.low is not None:
        bound = other.low + (sign == ">")
        low = bound if low is None else max(low, bound)
    if sign in ("<", "<=", "==") and other.high is not None:
        bound = other.high - (sign == "<")
        high = bound if high is None else min(high, bound)
    if sign == "!=" and other.low is not None and other.low == other.high:
        low = low + 1 if low == other.low else low
        high = high - 1 if high == other.low else high
    return Number(low, high)
