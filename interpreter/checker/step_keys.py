"""Read the keys of a step: expressions, words, and the forms of their types."""

from __future__ import annotations

from dataclasses import replace

from interpreter import ir
from interpreter.checker.expressions import formula
from interpreter.checker.expressions.coercions import convert_to_form
from interpreter.checker.scope import Scope
from interpreter.checker.world import World
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.syntax.document import Mapping, Scalar


def expression_at(world: World, node: Mapping, key: str, scope: Scope, wanted: t.Type | None) -> ir.Formula:
    """The checked expression at a key that the step has."""
    value = node.get(key)
    assert value is not None
    return formula(world, value, scope, wanted)


def optional_at(world: World, node: Mapping, key: str, scope: Scope, wanted: t.Type | None) -> ir.Formula | None:
    """The checked expression at a key, None without the key."""
    return expression_at(world, node, key, scope, wanted) if key in node else None


def word_at(node: Mapping, key: str, default: str) -> str:
    """The word at a key, the default without the key."""
    value = node.get(key)
    return value.text if isinstance(value, Scalar) else default


def error_formula(span: Span) -> ir.Formula:
    """The formula that stands for one with an error; it suppresses follow-up diagnostics."""
    return ir.Formula(ir.Constant(None, t.ANYTHING, span), t.ANYTHING, span)


def without_bounds(kind: t.Type) -> t.Type:
    """The type without bounds of numbers and of counts of dice, which a run checks."""
    match kind:
        case t.Number():
            return t.NUMBER
        case t.SingleDie() | t.Dice():
            return t.Dice()
        case t.Roll():
            return t.Roll()
    return kind


def with_stated_words(kind: t.Type, stated: t.Type) -> t.Type:
    """The type of a value for which a step states one: its own, but of the stated list of words."""
    match kind, stated:
        case t.Maybe(of), _:
            return t.maybe(with_stated_words(of, stated))
        case t.Word(), t.Word():
            return stated
        case t.List(of, least), t.List(stated_of):
            return t.List(with_stated_words(of, stated_of), least)
        case t.Anything(), _:
            return stated
    return kind


def in_form_of(expression: ir.Formula, kind: t.Type) -> ir.Formula:
    """The formula in the form of the type that it shares with its alternatives."""
    body = convert_to_form(expression.body, kind)
    return expression if body is expression.body else replace(expression, body=body, type=body.type)
