"""Check comparisons: signs, comparators of the ruleset, `is` and `in`."""

from __future__ import annotations

import ast

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.expressions.expression_checker import ExpressionChecker
from interpreter.checker.scope import Scope
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.runtime import functions
from interpreter.syntax.expression_parser import span_of

_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def check_comparison_chain(
    checker: ExpressionChecker,
    node: ast.Compare,
    left: ast.expr,
    operators: list[ast.cmpop],
    rights: list[ast.expr],
    scope: Scope,
    span: Span,
) -> ir.Expr:
    if isinstance(operators[0], ast.In):
        return _membership(checker, node, left, rights[0], scope, span)
    if isinstance(operators[0], ast.Is):
        return _is_comparison(checker, node, left, rights[0], scope, span)
    result: ir.Expr | None = None
    for operator, right in zip(operators, rights, strict=True):
        one = check_relation(checker, node, _SIGNS[type(operator)], left, right, scope, span)
        result = one if result is None else ir.And(result, one, t.YES_NO, span)
        left = right
    assert result is not None
    return result


def check_relation(
    checker: ExpressionChecker, node: ast.expr, sign: str, left: ast.expr, right: ast.expr, scope: Scope, span: Span
) -> ir.Expr:
    a = checker.expression(left, scope, None)
    kind = t.without_maybe(a.type)
    if isinstance(kind, t.Word):
        if sign in ("==", "!="):
            return _words_compared_by_sign(checker, sign, right, kind, a.span, scope, span)
        if not kind.ranked:
            return checker.error(say.words_without_order(a.span, kind.name))
        b = checker.fit(checker.expression(right, scope, kind), kind)
        checker.resolved[id(node)] = kind.words
        return _relation(checker, sign, checker.fit(a, kind), b, kind.words, span)
    if isinstance(kind, t.Object) and sign in ("==", "!="):
        return _words_compared_by_sign(checker, sign, right, kind, a.span, scope, span)
    if isinstance(kind, (t.SingleDie, t.Dice)):
        with checker.world.silent_pass():
            other = t.without_maybe(checker.expression(right, scope, None).type)
        same = isinstance(kind, t.SingleDie) and isinstance(other, t.SingleDie) and sign in ("==", "!=")
        if not same and isinstance(other, (t.Number, t.SingleDie, t.Dice, t.Roll, t.ThrownDie)):
            return checker.error(checker.unthrown_dice_error(a))
    if sign in ("==", "!=") and isinstance(kind, (t.YesNo, t.SingleDie, t.Text)):
        b = checker.expression_as(right, scope, kind)
        return _relation(checker, sign, checker.fit(a, kind), b, None, span)
    if isinstance(kind, t.Anything):
        checker.expression(right, scope, None)
        return checker.untyped_node(a, span)
    b = checker.expression(right, scope, None)
    if not t.reads_as_number(kind) and not (isinstance(kind, t.Roll)):
        return checker.error(say.not_comparable(span, t.in_words(kind), t.in_words(t.without_maybe(b.type))))
    return _relation(checker, sign, checker.fit(a, t.NUMBER), checker.fit(b, t.NUMBER), None, span)


def _words_compared_by_sign(
    checker: ExpressionChecker, sign: str, right: ast.expr, kind: t.Type, left: Span, scope: Scope, span: Span
) -> ir.Expr:
    """The error of words or things that are compared with a sign of numbers."""
    b = checker.fit(checker.expression(right, scope, kind), t.maybe(kind))
    if isinstance(b.type, t.Anything):
        return b
    return checker.error(say.equals_for_numbers(span, left, sign, b.span))


def _values_compared_by_is(
    checker: ExpressionChecker, left: ir.Expr, right: ast.expr, scope: Scope, span: Span
) -> ir.Expr:
    """The error of anything else that is compared with `is` or `is not`."""
    place = span_of(right, checker.near)
    if isinstance(right, ast.Name) and right.id in ("odd", "even") and right.id not in scope.names:
        return checker.error(say.function_after_is(span, right.id, left.span))
    kind = t.without_maybe(left.type)
    with checker.world.silent_pass():
        checker.fit(checker.expression(right, scope, kind), t.NUMBER if t.reads_as_number(kind) else kind)
        fits = all(map(say.is_misspelt, checker.world.problems.errors))
    if fits and not isinstance(kind, t.Record):
        return checker.error(say.number_before_is(span, left.span, place, t.in_words(kind)))
    return checker.error(
        say.no_word_before_is(span, left.span, place, t.in_words(kind), _likely_comparison(left.span, place, kind))
    )


def _likely_comparison(left: Span, right: Span, kind: t.Type) -> str:
    """What may be meant by `left is right`, where the left is no word, as a comparison that loads."""
    of, word = left.text, right.text
    if isinstance(kind, t.Record) and isinstance(kind.field("outcome"), t.Word):
        return f"{of}.outcome is {word}"
    if t.reads_as_number(kind):
        return f"{of} == 7"
    if isinstance(kind, t.Roll) and word.rstrip("s") in ("double", "pair", "match"):
        return f"any(groups({of}) where it.width >= 2)"
    if isinstance(kind, t.Roll):
        return f"any({of} where face == {word if word.isdigit() else 6})"
    if isinstance(kind, t.List | t.Map | t.Dice):
        in_it = word if word.isidentifier() and word not in ("empty", "nothing", "full") else ""
        return f"{in_it} in {of}" if in_it and isinstance(kind, t.List) else f"count({of}) == 0"
    return f"{of} == yes" if isinstance(kind, t.YesNo) else f"{of} == {word}"


def _relation(
    checker: ExpressionChecker, sign: str, a: ir.Expr, b: ir.Expr, ranks: tuple[str, ...] | None, span: Span
) -> ir.Expr:
    if isinstance(a.type, t.Anything) or isinstance(b.type, t.Anything):
        return ir.Constant(None, t.ANYTHING, span)
    return ir.Relation(sign, a, b, ranks, t.YES_NO, span)


def _is_comparison(
    checker: ExpressionChecker, node: ast.expr, left: ast.expr, right: ast.expr, scope: Scope, span: Span
) -> ir.Expr:
    a = checker.expression(left, scope, None)
    kind = t.without_maybe(a.type)
    if isinstance(kind, t.Anything):
        return checker.untyped_node(a, span)
    if isinstance(kind, t.Object) and not isinstance(a.type, t.Maybe):
        other = checker.fit(checker.expression(right, scope, kind), t.maybe(kind))
        return _relation(checker, "==", a, other, None, span)
    if not isinstance(kind, (t.Word, t.Object)):
        return _values_compared_by_is(checker, a, right, scope, span)
    if isinstance(a.type, t.Maybe):
        return checker.error(checker.missing_value_error(a))
    assert isinstance(kind, t.Word)
    b = checker.fit(checker.expression(right, scope, kind), kind)
    same = _relation(checker, "==", a, b, None, span)
    counting = [name for name, other in kind.counts_as if isinstance(b, ir.Constant) and other == b.value]
    if counting:
        words = ir.Constant((b.value, *counting), t.List(kind), b.span)  # type: ignore[union-attr]
        checker.resolved[id(node)] = words.value
        return ir.Membership(a, words, t.YES_NO, span)
    return same


def _membership(
    checker: ExpressionChecker, node: ast.expr, left: ast.expr, right: ast.expr, scope: Scope, span: Span
) -> ir.Expr:
    if isinstance(right, ast.Name) and right.id in checker.world.table_names and right.id not in scope.names:
        return _membership_in_table(checker, node, left, right, scope, span)
    if isinstance(left, ast.Name) and not isinstance(right, ast.List):
        of = checker.expression(right, scope, None)
        element = (
            functions.element_of(t.without_maybe(of.type)) if isinstance(t.without_maybe(of.type), t.List) else None
        )
        item = checker.expression(left, scope, t.without_maybe(element) if element else None)
    else:
        item = checker.expression(left, scope, None)
        of = checker.expression(right, scope, t.List(t.without_maybe(item.type)))
    if isinstance(of.type, t.Maybe):
        return checker.error(checker.missing_value_error(of))
    if isinstance(of.type, t.Anything) or isinstance(item.type, t.Anything):
        return ir.Constant(None, t.ANYTHING, span)
    if not isinstance(of.type, t.List):
        return checker.error(say.not_a_collection(of.span, "in", t.in_words(of.type), item.span.text))
    wanted = t.without_maybe(of.type.of)
    if isinstance(wanted, t.ThrownDie) and isinstance(t.without_maybe(item.type), (t.Number, t.Roll)):
        return checker.error(say.number_among_dice(item.span, of.span, isinstance(item.type, t.Number)))
    item = checker.fit(item, wanted if not isinstance(wanted, t.Number) else t.NUMBER)
    checker.resolved[id(node)] = item.type
    membership = ir.Membership(item, of, t.YES_NO, span)
    checker.world.die_uses.add(membership)
    return membership


def _membership_in_table(
    checker: ExpressionChecker, node: ast.expr, left: ast.expr, right: ast.Name, scope: Scope, span: Span
) -> ir.Expr:
    table = checker.world.table(right.id)
    if table is None:
        return ir.Constant(None, t.ANYTHING, span)
    item = checker.expression_as(left, scope, table.keys[0])
    checker.resolved[id(node)] = item.type
    checker.refs.add(table.path)
    checker.world.refer(span_of(right, checker.near), "tables", right.id)
    keys = tuple(row.key for row in table.rows if row.key is not None)
    checker.resolved[id(right)] = keys
    of = ir.Constant(keys, t.List(table.keys[0]), span_of(right, checker.near))
    return ir.Membership(item, of, t.YES_NO, span)
