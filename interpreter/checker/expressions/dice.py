"""Check what makes dice: `d6`, `3d6`, tags such as `d8 armor`, and codes such as `4D`."""

from __future__ import annotations

import ast

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.expressions.expression_checker import ExpressionChecker
from interpreter.checker.scope import Scope
from interpreter.checker.vocabulary import die_named, tag_words
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.runtime import functions
from interpreter.syntax.expression_parser import span_of
from interpreter.values import Code, Die


def check_die(checker: ExpressionChecker, size: int, span: Span) -> ir.Expr:
    if not 1 <= size <= 1000:
        return checker.error(say.bad_dice(span, "a die has 1 to 1000 faces"))
    return ir.Constant(Die(size), t.SingleDie(), span)


def check_pool(checker: ExpressionChecker, number: ast.expr, size: int, scope: Scope, span: Span) -> ir.Expr:
    """`3d6`, `(n)d6`; `1d6` is a die."""
    one = check_die(checker, size, span)
    if isinstance(one.type, t.Anything):
        return one
    if isinstance(number, ast.Constant) and number.value == 1:
        return one
    literal = number.value if isinstance(number, ast.Constant) else 0
    if isinstance(literal, int) and literal > functions.MOST_DICE:
        return checker.error(say.bad_dice(span, f"there may be at most {functions.MOST_DICE}"))
    count = checker.number(number, scope)
    if isinstance(count.type, t.Anything):
        return count
    least = max(t.as_number(count.type).low or 0, 0)
    return ir.PoolLiteral(count, one, t.Dice(least), span)


def dice_with_tags(checker: ExpressionChecker, of: ast.expr, tags: list[ast.expr], scope: Scope, span: Span) -> ir.Expr:
    dice = checker.expression(of, scope, None)
    names: list[str] = []
    for tag in tags:
        assert isinstance(tag, ast.Name)
        if tag.id in tag_words(checker.world).words:
            names.append(tag.id)
            checker.refs.add(f"tags.{tag.id}")
            checker.world.refer(span_of(tag, checker.near), "tags", tag.id)
        else:
            known = tag_words(checker.world).words
            checker.world.problems.add(say.unknown_of(span_of(tag, checker.near), "tag", tag.id, known))
    if isinstance(dice.type, t.Anything):
        return dice
    if isinstance(dice, ir.Constant):
        return ir.Constant(dice.value._replace(tags=tuple(sorted(names))), t.SingleDie(), span)
    return ir.Tagged(dice, tuple(sorted(names)), dice.type, span)


def dice_code(checker: ExpressionChecker, node: ast.expr, count: int, span: Span) -> ir.Expr:
    one = die_named(checker.world, "D")
    if one is None:
        return checker.error(say.code_without_die(span))
    if count > functions.MOST_DICE:
        return checker.error(say.bad_dice(span, f"there may be at most {functions.MOST_DICE}"))
    checker.resolved[id(node)] = Code(count, 0, one)
    return ir.Constant(Code(count, 0, one), t.DiceCode(), span)
