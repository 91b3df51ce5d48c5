"""Check expressions: a parsed tree becomes typed nodes.

The expected type goes down and the actual type comes up. A word means what the expected type says at its place.
An error yields a node of the type `Anything`, which fits everywhere, so that one mistake gives one message.

`expression_checker.py` holds the state of a check and fits values to expected types. The other files check one
group of expressions each, and `typed_expression` here sends every node to its file.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.declared_names import comparators_of
from interpreter.checker.expressions import calls, comparisons, dice, names, operators
from interpreter.checker.expressions.expression_checker import Check, ExpressionChecker
from interpreter.checker.scope import Scope
from interpreter.checker.world import World
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.syntax.document import Mapping, Node, Scalar
from interpreter.syntax.expression_parser import span_of
from interpreter.syntax.fixed_words import RELATION_SIGNS


def formula(
    world: World,
    node: Node,
    scope: Scope,
    expected: t.Type | None = None,
    meaning: Callable[[ast.expr], ast.expr] | None = None,
    check: Check | None = None,
) -> ir.Formula:
    """The checked expression at a node: a scalar, a list of expressions, or a record of them.

    At a place where some words have a meaning of their own, `meaning` gives the expression that one stands for, or
    `check` the typed node of each part.
    """
    world.reach[node.span] = (scope, expected)
    checker = ExpressionChecker(world, node.span, check or typed_expression, meaning=meaning)
    try:
        body, tree = checker.document_node(node, scope, expected)
    except RecursionError:
        body, tree = checker.error(say.expression_too_deep(node.span)), ast.Constant(None)
    return ir.Formula(body, body.type, node.span, frozenset(checker.refs), tree, checker.resolved)


def formula_or_text(world: World, node: Node, scope: Scope, expected: t.Type | None) -> ir.Formula:
    """A default or an answer: an expression, or the text itself where the expected type is text."""
    if isinstance(expected, t.Text) and isinstance(node, Scalar):
        return _literal_text(node, node)
    return formula(world, node, scope, expected)


def _literal_text(text: Scalar, at: Node) -> ir.Formula:
    body = ir.Constant(text.text, t.Text(), text.span)
    return ir.Formula(body, body.type, at.span, frozenset(), ast.Constant(text.text))


def argument(world: World, node: Node, scope: Scope, expected: t.Type | None) -> ir.Formula:
    """What a step passes on: an expression, or `{text: …}` for a literal text, since a text may also be read from a
    defined name."""
    if not isinstance(t.without_maybe(expected) if expected is not None else None, t.Text):
        return formula(world, node, scope, expected)
    text = node.get("text") if isinstance(node, Mapping) and len(node.entries) == 1 else None
    if isinstance(text, Scalar):
        return _literal_text(text, node)
    if not isinstance(node, Scalar):
        return formula(world, node, scope, expected)
    with world.silent_pass():
        expression = formula(world, node, scope, expected)
        errors = world.problems.errors
    if not errors:
        return formula(world, node, scope, expected)
    for error in errors:
        world.problems.add(say.suggest_text(error, node.text))
    return expression


def condition(world: World, node: Node, scope: Scope) -> ir.Formula:
    """A checked yes-or-no expression."""
    return formula(world, node, scope, t.YES_NO)


def typed_expression(checker: ExpressionChecker, node: ast.expr, scope: Scope, expected: t.Type | None) -> ir.Expr:
    """The typed node of a parsed expression."""
    expected = t.without_maybe(expected) if expected is not None else None
    span = span_of(node, checker.near)
    match node:
        case ast.Constant(bool() as value):
            return ir.Constant(value, t.YES_NO, span)
        case ast.Constant(int() as value):
            return ir.Constant(value, t.Number(value, value), span)
        case ast.Constant():
            if isinstance(expected, t.Word) and "none" in expected.words:
                return names.check_word(checker, node, "none", expected, span)
            return ir.Constant(None, t.Maybe(t.NOT_YET), span)
        case ast.Name(name):
            return names.narrow_type(checker, names.check_name_read(checker, node, name, scope, expected, span), scope)
        case ast.Attribute(of, name):
            return names.narrow_type(checker, names.check_attribute(checker, node, of, name, scope, span), scope)
        case ast.Call(ast.Name(name), arguments):
            if name.startswith("."):
                return _special_form(checker, node, name, arguments, scope, expected, span)
            return names.narrow_type(
                checker, calls.check_call(checker, node, name, arguments, scope, expected, span), scope
            )
        case ast.Call(ast.Attribute() as func, arguments):
            return names.narrow_type(checker, names.check_map_entry(checker, node, func, arguments, scope, span), scope)
        case ast.Call(func):
            return checker.error(say.unknown_function(span_of(func, checker.near), span.text, ()))
        case ast.BinOp():
            return operators.check_binary(checker, node, scope, expected, span)
        case ast.UnaryOp(ast.Not(), of):
            denied = checker.expression_as(of, scope, t.YES_NO)
            return ir.Not(denied, denied.type, span)
        case ast.UnaryOp(ast.USub(), of):
            inner = checker.number(of, scope)
            if isinstance(inner.type, t.Anything):
                return inner
            return ir.Negative(inner, bounds.negate(t.as_number(inner.type)), span)
        case ast.BoolOp(operator, values):
            return operators.check_logic(checker, isinstance(operator, ast.And), values, scope, span)
        case ast.Compare(left, signs, rights):
            return comparisons.check_comparison_chain(checker, node, left, signs, rights, scope, span)
        case ast.IfExp(test, body, orelse):
            return operators.check_conditional(checker, node, test, body, orelse, scope, expected, span)
        case ast.List(items):
            element = expected.of if isinstance(expected, t.List) else None
            written = [item.id if isinstance(item, ast.Name) else "" for item in items]
            slip = checker.undeclared_words_error(
                written, element, lambda: [checker.expression(item, scope, element) for item in items]
            )
            if slip is not None:
                return checker.error(slip)
            return checker.list_literal(node, [checker.expression(item, scope, element) for item in items], span)
    raise AssertionError(f"the parser made a node that is not allowed: {node!r}")


def _special_form(
    checker: ExpressionChecker,
    node: ast.expr,
    name: str,
    arguments: list[ast.expr],
    scope: Scope,
    expected: t.Type | None,
    span: Span,
) -> ir.Expr:
    """A form that the grammar of Python lacks, which the parser writes as a call of a name with a dot."""
    match name, arguments:
        case (".where" | ".by", [of, slot]):
            return operators.check_where_or_by(checker, node, name[1:], of, slot, scope, expected, span)
        case ".otherwise", [of, instead]:
            return operators.check_otherwise(checker, node, of, instead, scope, expected, span)
        case ".compare", [left, ast.Name(word) as comparator, right]:
            checker.world.refer(span_of(comparator, checker.near), "comparators", word)
            checker.refs.add(f"comparators.{word}")
            sign = RELATION_SIGNS[comparators_of(checker.world)[word]]
            return comparisons.check_relation(checker, node, sign, left, right, scope, span)
        case ".die", [ast.Constant(int(size))]:
            return dice.check_die(checker, size, span)
        case ".pool", [number, ast.Constant(int(size))]:
            return dice.check_pool(checker, number, size, scope, span)
        case ".tagged", [of, *tags]:
            return dice.dice_with_tags(checker, of, tags, scope, span)
        case ".code", [ast.Constant(int(count))]:
            return dice.dice_code(checker, node, count, span)
    raise AssertionError(f"the parser made a form that is not known: {name}")
