"""What whole numbers cut off: quotients of an expression, and how to ask for what is lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from interpreter import diagnostics as say
from interpreter.diagnostics import NotationReading
from interpreter.frozen import dataclass
from interpreter.notation.placed_text import PlacedText

ROUNDING = ("up", "down", "nearest")
"""Functions that say how they round."""
FINER = 1000


@dataclass(frozen=True)
class Sum:
    """Parts of an expression with a factor each, and a number."""

    parts: tuple[tuple[Fraction, str], ...]
    number: Fraction

    def times(self, factor: Fraction) -> Sum:
        return Sum(tuple((factor * one, text) for one, text in self.parts), factor * self.number)

    def plus(self, other: Sum) -> Sum:
        return Sum(self.parts + other.parts, self.number + other.number)

    @property
    def divisor(self) -> int:
        """The smallest number by which it is a sum of whole numbers."""
        return lcm(self.number.denominator, *(factor.denominator for factor, _ in self.parts))

    def expression(self, by: int) -> str:
        """The sum times a number, as an expression."""
        expression = ""
        for factor, text in self.times(Fraction(by)).parts:
            size = abs(int(factor))
            sign = ("-" if factor < 0 else "") if not expression else " - " if factor < 0 else " + "
            expression += sign + (text if size == 1 else f"{size} * {text}")
        number = int(self.number * by)
        return expression + (f" {'-' if number < 0 else '+'} {abs(number)}" if number else "")


def rounded_quotients(tree: ast.expr, text: PlacedText) -> Iterator[tuple[ast.expr, NotationReading]]:
    """The quotients of an expression that are rounded without saying so, each with what to write for what is lost."""
    lost = list(_rounded_quotients(tree))
    if not lost:
        return
    whole = sum_of(tree, text)
    if whole is not None:
        if whole.divisor > 1:
            written = text.origin(lost[0].col_offset, lost[0].end_col_offset or 0).text
            yield lost[0], say.rounds_down(written, whole.expression(whole.divisor), whole.divisor)
        return
    for quotient in lost:
        left, right = (text.origin(*_place(one)).text for one in (quotient.left, quotient.right))
        written = text.origin(*_place(quotient)).text
        if quotient is tree:
            yield quotient, say.rounded_unevenly(written, f"{FINER} * {bracket(left)} / {bracket(right)}")
        else:
            typed = text.source.text
            span = text.origin(*_place(quotient))
            around = typed[: span.start], typed[span.end :]
            yield quotient, say.rounded_inside(written, f"up({written})").put_between(*around)


def sum_of(node: ast.expr, text: PlacedText) -> Sum | None:
    """An expression as a sum of parts with fractions as factors; None if there are quotients inside a part."""
    match node:
        case ast.Constant(int(number)) if not isinstance(number, bool):
            return Sum((), Fraction(number))
        case ast.UnaryOp(ast.USub(), operand):
            inner = sum_of(operand, text)
            return inner and inner.times(Fraction(-1))
        case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
            a, b = sum_of(left, text), sum_of(right, text)
            return a.plus(b if isinstance(operator, ast.Add) else b.times(Fraction(-1))) if a and b else None
        case ast.BinOp(left, ast.Mult() | ast.Div() as operator, right):
            a, b = sum_of(left, text), sum_of(right, text)
            if a is None or b is None:
                return None
            if not b.parts and (isinstance(operator, ast.Mult) or b.number):
                return a.times(b.number if isinstance(operator, ast.Mult) else 1 / b.number)
            if not a.parts and isinstance(operator, ast.Mult):
                return b.times(a.number)
            if isinstance(operator, ast.Div) or a.divisor > 1 or b.divisor > 1:
                return None
    if any(_rounded_quotients(node)):
        return None
    return Sum(((Fraction(1), bracket(text.origin(*_place(node)).text)),), Fraction(0))


def _rounded_quotients(node: ast.expr) -> Iterator[ast.BinOp]:
    """The outermost quotients that are rounded down."""
    match node:
        case ast.Call(ast.Name(name), [ast.BinOp(left, ast.Div(), right)]) if name in ROUNDING:
            parts: list[ast.expr] = [left, right]
        case ast.Compare(left, _, operands):
            parts = []
            for side in (left, *operands):
                is_quotient = isinstance(side, ast.BinOp) and isinstance(side.op, ast.Div)
                parts += [side.left, side.right] if isinstance(side, ast.BinOp) and is_quotient else [side]
        case _:
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                yield node
                return
            parts = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
    for part in parts:
        yield from _rounded_quotients(part)


def bracket(text: str) -> str:
    """A text with brackets where it would read otherwise beside `*`."""
    plain = re.fullmatch(r"[\w!%.]+|\w*\((?:[^()]|\([^()]*\))*\)", text.strip())
    return text.strip() if plain else f"({text.strip()})"


def _place(node: ast.expr) -> tuple[int, int]:
    return node.col_offset, node.end_col_offset or node.col_offset
