"""Words of a ladder where numbers stand: `rank + 1`, `high - low`, `highest(ranks)`, `xs by it.rank`.

A word is worked with as the number of its rung, counted from 1; a result that is a rung is made a word again. So no
engine needs to know of it.
"""

from __future__ import annotations

import ast

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.expressions.expression_checker import ExpressionChecker
from interpreter.checker.scope import Scope
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.runtime.functions import FUNCTIONS
from interpreter.syntax.expression_parser import span_of

FUNCTIONS_OF_RUNGS = ("highest", "lowest", "kth", "ordered", "min", "max", "clamp")
"""The functions of numbers that take words of a ladder as well, and give words."""


def words_of(kind: t.Type) -> t.Word | None:
    """The list of words that a word, or each element of a list, is one of. None for any other type."""
    if isinstance(kind, t.List):
        kind = kind.of
    return kind if isinstance(kind, t.Word) else None


def number_of(expr: ir.Expr, ladder: t.Word) -> ir.Expr:
    """The number of the rung that a word stands on; of a list, the list of the numbers."""
    return _call_with_ladder("rung_of", expr, ladder, t.Number(1, len(ladder.words)))


def word_at(expr: ir.Expr, ladder: t.Word) -> ir.Expr:
    """The rung with a number; of a list, the list of the rungs; a missing number stays missing."""
    return _call_with_ladder("rung", expr, ladder, ladder)


def check_arithmetic(
    checker: ExpressionChecker, node: ast.BinOp, word: ir.Expr, ladder: t.Word, scope: Scope, span: Span
) -> ir.Expr:
    """`rank + 1`, which stops at the ends of the ladder as `raise` does; `knight - page`, the rungs between the two."""
    if isinstance(word.type, t.Maybe):
        return checker.error(checker.missing_value_error(word))
    if not ladder.ranked:
        return checker.error(say.words_without_order(word.span, ladder.name))
    other = checker.expression(node.right, scope, ladder if isinstance(node.op, ast.Sub) else None)
    sign = {ast.Add: "+", ast.Sub: "-"}.get(type(node.op))
    if sign is None or (sign == "+" and words_of(other.type)):
        return checker.error(say.word_as_number(word.span, t.in_words(word.type), ladder.name))
    checker.resolved[id(node)] = ladder.words
    if isinstance(t.without_maybe(other.type), t.Word):
        other = number_of(checker.fit(other, ladder), ladder)
        return _sum(sign, number_of(word, ladder), other, span)
    other = checker.fit(other, t.NUMBER)
    if isinstance(other.type, t.Anything):
        return other
    moved = _sum(sign, number_of(word, ladder), other, span)
    ends = [ir.Constant(end, t.Number(end, end), span) for end in (1, len(ladder.words))]
    on_it = ir.Builtin("clamp", (moved, *ends), t.Number(1, len(ladder.words)), span)
    return word_at(on_it, ladder)


def check_call_with_word(
    checker: ExpressionChecker, node: ast.expr, name: str, first: ir.Expr, arguments: list[ast.expr], scope: Scope
) -> ir.Expr:
    """A function of numbers whose first argument is a word, or a list of words."""
    ladder = words_of(first.type)
    assert ladder is not None
    if not ladder.ranked:
        return checker.error(say.words_without_order(first.span, ladder.name))
    function = FUNCTIONS[name]
    span = span_of(node, checker.near)
    as_one = function.takes[0] == "number"
    if as_one == isinstance(first.type, t.List):
        wanted = "a word" if as_one else "a list of words"
        return checker.error(say.wrong_argument(first.span, name, wanted, t.in_words(first.type)))
    given = [number_of(first, ladder)]
    for argument in arguments:
        if as_one:
            word = checker.expression_as(argument, scope, ladder)
            given.append(word if isinstance(word.type, t.Anything) else number_of(word, ladder))
        else:
            given.append(checker.number(argument, scope))
    if any(isinstance(one.type, t.Anything) for one in given):
        return ir.Constant(None, t.ANYTHING, span)
    checker.resolved[id(node)] = ladder.words
    return word_at(ir.Builtin(name, tuple(given), function.gives(*(one.type for one in given)), span), ladder)


def sort_key(checker: ExpressionChecker, node: ast.expr, key: ast.expr, scope: Scope) -> ir.Expr:
    """The number by which an element is sorted: of a word of a ladder, the number of its rung."""
    value = checker.expression(key, scope, None)
    ladder = None if isinstance(value.type, t.List) else words_of(value.type)
    if ladder is None:
        return checker.fit(value, t.NUMBER)
    if not ladder.ranked:
        return checker.error(say.words_without_order(value.span, ladder.name))
    assert isinstance(node, ast.Call)
    checker.resolved[id(node.func)] = ladder.words
    return number_of(value, ladder)


def _sum(sign: str, left: ir.Expr, right: ir.Expr, span: Span) -> ir.Expr:
    kind = bounds.bounds_of_arithmetic(sign, t.as_number(left.type), t.as_number(right.type))
    return ir.Arithmetic(sign, left, right, kind, span)


def _call_with_ladder(name: str, expr: ir.Expr, ladder: t.Word, one: t.Type) -> ir.Expr:
    rungs = ir.Constant(ladder.words, t.List(ladder, len(ladder.words)), expr.span)
    kind = t.without_maybe(expr.type)
    result_type = t.List(one, kind.least) if isinstance(kind, t.List) else one
    return ir.Builtin(
        name, (rungs, expr), t.maybe(result_type) if isinstance(expr.type, t.Maybe) else result_type, expr.span
    )
