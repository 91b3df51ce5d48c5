"""Check operators: arithmetic, joined dice, logic, conditions, and the slots of `where` and `by`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise, takewhile

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.expressions import rungs
from interpreter.checker.expressions.coercions import as_list, convert_to_form
from interpreter.checker.expressions.expression_checker import ExpressionChecker
from interpreter.checker.expressions.names import DIE_WORDS, allow_missing_entry
from interpreter.checker.scope import Scope
from interpreter.checker.vocabulary import face_symbols
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.runtime import functions
from interpreter.syntax.expression_parser import COMPARISONS, span_of


def check_binary(
    checker: ExpressionChecker, node: ast.BinOp, scope: Scope, expected: t.Type | None, span: Span
) -> ir.Expr:
    left, operator, right = node.left, node.op, node.right
    if isinstance(operator, ast.BitAnd):
        return _join_pools(checker, left, right, scope, span)
    if isinstance(expected, t.Dice):
        slip = _arithmetic_of_dice(checker, node, scope, span)
        if slip is not None:
            return checker.error(slip)
    a = checker.expression(left, scope, None)
    if isinstance(a.type, t.DiceCode) and isinstance(operator, (ast.Add, ast.Sub)):
        b = checker.number(right, scope)
        if isinstance(b.type, t.Anything):
            return b
        return ir.Arithmetic("+" if isinstance(operator, ast.Add) else "-", a, b, t.DiceCode(), span)
    ladder = None if isinstance(a.type, t.List) else rungs.words_of(t.without_maybe(a.type))
    if ladder is not None:
        return rungs.check_arithmetic(checker, node, a, ladder, scope, span)
    a = checker.fit(a, t.NUMBER)
    b = checker.number(right, scope)
    if isinstance(a.type, t.Anything) or isinstance(b.type, t.Anything):
        return ir.Constant(None, t.ANYTHING, span)
    x, y = t.as_number(a.type), t.as_number(b.type)
    if isinstance(operator, ast.Div):
        checker.refs.add("rounding")
        rounding = checker.world.rounding
        return ir.Quotient(a, b, rounding, True, bounds.bounds_of_quotient(x, y, rounding), span)
    sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}[type(operator)]
    return ir.Arithmetic(sign, a, b, bounds.bounds_of_arithmetic(sign, x, y), span)


def _join_pools(checker: ExpressionChecker, left: ast.expr, right: ast.expr, scope: Scope, span: Span) -> ir.Expr:
    a = checker.expression(left, scope, None)
    listed = t.without_maybe(a.type)
    b = checker.expression(right, scope, listed if isinstance(listed, t.List) else None)
    if isinstance(a.type, t.Anything) or isinstance(b.type, t.Anything):
        return ir.Constant(None, t.ANYTHING, span)
    if any(isinstance(t.without_maybe(one.type), t.YesNo) for one in (a, b)):
        return checker.error(say.joined_conditions(a.span, b.span))
    if any(
        isinstance(t.without_maybe(one.type), (t.Roll, t.ThrownDie)) or t.is_dice_on_the_table(one.type)
        for one in (a, b)
    ):
        a, b = checker.fit(a, t.Roll()), checker.fit(b, t.Roll())
        if not isinstance(a.type, t.Roll) or not isinstance(b.type, t.Roll):
            return ir.Constant(None, t.ANYTHING, span)
        ours, theirs = a.type.parts, b.type.parts
        names = tuple(dict.fromkeys(ours.words + theirs.words))
        parts = t.Word("parts", names, where=(*ours.where, *theirs.where))
        throws = a.type.throws if a.type.throws == b.type.throws else t.NO_NAMES
        shows = t.hull(a.type.shows, b.type.shows)
        once = a.type.thrown_once or b.type.thrown_once
        least = a.type.least + b.type.least
        fewest = tuple([t.fewest_of(a.type, one) + t.fewest_of(b.type, one) for one in names])
        joined = ir.Joined(a, b, t.Roll(least, False, parts, throws, shows, once, fewest=fewest or None), span)
        checker.world.die_uses.add_joined(joined)
        return joined
    if isinstance(t.without_maybe(a.type), (t.List, t.Map)) or isinstance(t.without_maybe(b.type), (t.List, t.Map)):
        return _joined_lists(checker, a, b, span)
    a, b = checker.fit(a, t.Dice()), checker.fit(b, t.Dice())
    return ir.Joined(a, b, t.Dice(t.least_length(a.type) + t.least_length(b.type)), span)


def _joined_lists(checker: ExpressionChecker, a: ir.Expr, b: ir.Expr, span: Span) -> ir.Expr:
    """Two lists put together, the elements of the second behind those of the first."""
    for one in (a, b):
        if isinstance(one.type, t.Maybe):
            return checker.error(checker.missing_value_error(one))
    a, b = as_list(a), as_list(b)
    for one, other in ((a, b), (b, a)):
        if not isinstance(one.type, t.List):
            element = t.without_maybe(functions.element_of(other.type)) if isinstance(other.type, t.List) else one.type
            is_one = t.fits(one.type, element)
            return checker.error(say.no_list_to_join(one.span, t.in_words(other.type), t.in_words(one.type), is_one))
    assert isinstance(a.type, t.List) and isinstance(b.type, t.List)
    both = t.union(a.type, b.type)
    if not isinstance(both, t.List):
        return checker.error(say.no_common_list(b.span, t.in_words(a.type), t.in_words(b.type)))
    kind = replace(both, least=a.type.least + b.type.least)
    joined = ir.Joined(convert_to_form(a, kind), convert_to_form(b, kind), kind, span)
    checker.world.die_uses.add_joined(joined)
    return joined


def _arithmetic_of_dice(checker: ExpressionChecker, node: ast.BinOp, scope: Scope, span: Span) -> Diagnostic | None:
    """The slip in `2d6 + 3`, `d8 + d6` or `n * d6` where dice are to be thrown; None where nothing of it is dice."""
    if isinstance(node.op, ast.Mult):
        with checker.world.silent_pass():
            number, die = (checker.expression(one, scope, None) for one in (node.left, node.right))
        return say.multiplied_dice(span, number.span.text, die.span.text) if isinstance(die.type, t.SingleDie) else None
    return _problem_of_added_dice(checker, node, scope, span)


def _problem_of_added_dice(checker: ExpressionChecker, node: ast.expr, scope: Scope, span: Span) -> Diagnostic | None:
    terms: list[tuple[str, ast.expr]] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        terms.append(("-" if isinstance(node.op, ast.Sub) else "+", node.right))
        node = node.left
    terms.append(("+", node))
    with checker.world.silent_pass():
        summands = [(sign, checker.expression(term, scope, None)) for sign, term in reversed(terms)]
    dice = [one.span.text for _, one in summands if isinstance(one.type, (t.SingleDie, t.Dice))]
    numbers = [f"{sign} {one.span.text}" for sign, one in summands if not isinstance(one.type, (t.SingleDie, t.Dice))]
    if not dice or any(isinstance(one.type, t.Anything) for _, one in summands):
        return None
    if any(sign == "-" and isinstance(one.type, (t.SingleDie, t.Dice)) for sign, one in summands):
        return say.subtracted_dice(span)
    return say.number_added_to_dice(span, dice, numbers) if numbers else say.added_dice(span, dice)


def check_logic(checker: ExpressionChecker, both: bool, values: list[ast.expr], scope: Scope, span: Span) -> ir.Expr:
    for before, value in pairwise(values) if not both else ():
        if isinstance(value, ast.Name) and value.id in say.ENDS_OF_RANGES and value.id not in scope.names:
            return checker.error(_open_range(checker, before, value, scope))
    for before, value in pairwise(values):
        if isinstance(value, ast.Constant) and type(value.value) is int:
            return checker.error(say.number_as_condition(span_of(value, checker.near), span_of(before, checker.near)))
    slip = _slip_of_lone_words(checker, values, scope)
    if slip is not None:
        return checker.error(slip)
    left = checker.expression_as(values[0], scope, t.YES_NO)
    for value in values[1:]:
        scope = scope.narrow(bounds.facts_of(left, both))
        right = checker.expression_as(value, scope, t.YES_NO)
        unknown = isinstance(left.type, t.Anything) or isinstance(right.type, t.Anything)
        kind = t.ANYTHING if unknown else t.YES_NO
        left = (ir.And if both else ir.Or)(left, right, kind, left.span.to(right.span))
    return left


def _open_range(checker: ExpressionChecker, before: ast.expr, word: ast.Name, scope: Scope) -> Diagnostic:
    """The slip of `10 or more` in an expression: of nothing, or behind a comparison, as in `total >= 10 or more`."""
    near = checker.near
    if isinstance(before, ast.Compare):
        *_, compared, number = (before.left, *before.comparators)
        sign = _WRITTEN.get(type(before.ops[-1]), "is")
        span = span_of(compared, near).to(span_of(word, near))
        texts = (span_of(compared, near).text, sign, word.id, span_of(number, near).text)
        return say.range_behind(span, *texts, chained=len(before.ops) > 1)
    span, bound = span_of(before, near).to(span_of(word, near)), span_of(before, near).text
    known = [name for name, one in scope.names.items() if _is_a_number(one.type)]
    return say.range_of_nothing(span, word.id, bound, known)


_WRITTEN = {operator: sign for sign, operator in COMPARISONS.items()}


def _is_a_number(kind: t.Type) -> bool:
    return not isinstance(kind, t.Anything) and t.reads_as_number(t.without_maybe(kind))


def _slip_of_lone_words(checker: ExpressionChecker, values: list[ast.expr], scope: Scope) -> Diagnostic | None:
    """The slip in `room is hall or stair`: after a comparison with a word, further words of its list stand alone."""
    for number, value in enumerate(values[:-1]):
        denied = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
        compared = value.operand if isinstance(value, ast.UnaryOp) and denied else value
        match compared:
            case ast.Compare(left, [ast.Is() | ast.Eq() | ast.NotEq() as sign], [ast.Name() as first]):
                pass
            case _:
                continue
        alone = list(takewhile(lambda one: isinstance(one, ast.Name), values[number + 1 :]))
        names = [one.id for one in alone if isinstance(one, ast.Name)]
        if not names or any(name in scope.names for name in names):
            continue
        with checker.world.silent_pass():
            of = t.without_maybe(checker.expression(left, scope, None).type)
        if isinstance(of, t.Word) and first.id in of.words and set(names) <= set(of.words):
            at = span_of(alone[0], checker.near)
            return say.words_as_conditions(
                at, names, span_of(left, checker.near).text, first.id, denied or isinstance(sign, ast.NotEq)
            )
    return None


def check_conditional(
    checker: ExpressionChecker,
    node: ast.expr,
    test: ast.expr,
    body: ast.expr,
    orelse: ast.expr,
    scope: Scope,
    expected: t.Type | None,
    span: Span,
) -> ir.Expr:
    condition = checker.expression_as(test, scope, t.YES_NO)
    if expected is None and isinstance(condition.type, t.Anything):
        expected = t.ANYTHING  # one slip is told: names beside an unknown condition may be words of a type to come
    then = checker.expression(body, scope.narrow(bounds.facts_of(condition, True)), expected)
    hint = expected or (t.without_maybe(then.type) if isinstance(then.type, t.Word) else None)
    other = checker.expression(orelse, scope.narrow(bounds.facts_of(condition, False)), hint)
    if expected is not None and not isinstance(expected, t.Maybe):
        either = t.union(then.type, other.type)
        if either is None:
            then, other = checker.fit(then, expected), checker.fit(other, expected)
    kind = t.union(then.type, other.type)
    if kind is None:
        left, right = t.in_words(then.type), t.in_words(other.type)
        return checker.error(say.no_common_type(span, left, right))
    checker.resolved[id(node)] = kind
    return ir.Conditional(condition, convert_to_form(then, kind), convert_to_form(other, kind), kind, span)


def check_where_or_by(
    checker: ExpressionChecker,
    node: ast.expr,
    word: str,
    of: ast.expr,
    slot: ast.expr,
    scope: Scope,
    expected: t.Type | None,
    span: Span,
) -> ir.Expr:
    xs = checker.expression(of, scope, expected)
    kind = xs.type
    if isinstance(kind, t.Maybe):
        return checker.error(checker.missing_value_error(xs))
    if isinstance(kind, t.Anything):
        return xs
    if isinstance(kind, t.SingleDie):
        xs, kind = checker.fit(xs, t.Dice()), t.Dice(1)
    xs, kind = (listed := as_list(xs)), listed.type
    if not isinstance(kind, (t.Dice, t.Roll, t.List)):
        return checker.error(say.not_a_collection(xs.span, word, t.in_words(kind)))
    if t.is_dice_on_the_table(kind) and _reads_dice(checker, slot, scope):
        xs = checker.fit(xs, t.Roll())
        kind = xs.type
    checker.resolved[id(node)] = kind
    inside = _scope_of_element(checker, kind, scope)
    if inside is None:
        return checker.error(say.nested_slot(span))
    if word == "by":
        key = rungs.sort_key(checker, node, slot, inside)
        result = ir.Sorted(xs, key, kind, span)
        checker.world.die_uses.add_sorted(result)
        return result
    errors_before = len(checker.world.problems.errors)
    condition = checker.expression_as(slot, inside, t.YES_NO)
    if t.is_unthrown(kind) and len(checker.world.problems.errors) > errors_before:
        return ir.Constant(None, t.ANYTHING, span)  # that the dice show nothing yet is told once, of the condition
    return ir.Filtered(xs, condition, _type_of_fewer(kind), span)


def _reads_dice(checker: ExpressionChecker, slot: ast.expr, scope: Scope) -> bool:
    """Whether a condition is about dice, by their words (`face == 6`), and not about elements (`it == 6`)."""
    names = {one.id for one in ast.walk(slot) if isinstance(one, ast.Name)}
    words = {*DIE_WORDS, *face_symbols(checker.world)} - scope.names.keys()
    return "it" not in names and bool(names & words)


def _scope_of_element(checker: ExpressionChecker, kind: t.Type, scope: Scope) -> Scope | None:
    if isinstance(kind, t.List):
        return None if scope.element is not None else replace(scope, element=kind.of)
    return None if scope.die is not None else replace(scope, die=functions.element_of(kind))


def check_otherwise(
    checker: ExpressionChecker,
    node: ast.expr,
    of: ast.expr,
    instead: ast.expr,
    scope: Scope,
    expected: t.Type | None,
    span: Span,
) -> ir.Expr:
    allow_missing_entry(checker, of)
    first = checker.expression(of, scope, expected)
    hint = expected or (t.without_maybe(first.type) if isinstance(t.without_maybe(first.type), t.Word) else None)
    second = checker.expression(instead, scope, hint)
    someone = isinstance(first, ir.MapEntry) and isinstance(first.key.type, t.Object)  # who may have no entry
    if not isinstance(first.type, (t.Maybe, t.Anything)) and not someone:
        checker.world.problems.add(say.needless_otherwise(span))
    kind = t.union(t.without_maybe(first.type), second.type)
    if kind is None:
        left, right = t.in_words(t.without_maybe(first.type)), t.in_words(second.type)
        return checker.error(say.no_common_type(span, left, right))
    checker.resolved[id(node)] = kind
    return ir.Otherwise(convert_to_form(first, kind), convert_to_form(second, kind), kind, span)


def _type_of_fewer(kind: t.Type) -> t.Type:
    fewer: Callable[[t.Type], t.Type] = functions.FUNCTIONS["without"].gives
    return fewer(kind)
