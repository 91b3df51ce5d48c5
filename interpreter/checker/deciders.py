"""Check who is asked, under `by`, and who has a role in a call: a role, a thing, or one of two.

Which of two it is hangs on a condition, or on whether a thing is there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence as Several

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.attributes import single_kinds, things_of
from interpreter.checker.expressions import formula, typed_expression
from interpreter.checker.expressions.expression_checker import Check, ExpressionChecker
from interpreter.checker.expressions.names import allow_missing_entry
from interpreter.checker.scope import Scope
from interpreter.checker.world import World
from interpreter.ir import types as t
from interpreter.syntax.document import Node, Scalar, Sequence, text_of
from interpreter.syntax.expression_parser import span_of


def who_decides(world: World, node: Node, scope: Scope) -> str | ir.Formula | None:
    """Who is asked: a role, a kind with one object, an object, or a list of objects that are asked one by one.

    Of `defender if weaker else attacker` and `helper otherwise game_master`, the formula gives the name of a role, or a
    thing.
    """
    name = text_of(node)
    if name not in scope.names and (name in world.section("roles") or name in single_kinds(world)):
        world.refer(node.span, "roles", name)
        world.refer(node.span, "kinds", name)
        return name
    things = [key for key, bound in scope.names.items() if isinstance(t.without_maybe(bound.type), t.Object)]
    roles = [*world.section("roles"), *single_kinds(world)]
    known = [*roles, *things]
    problem = _slip(world, node, scope, roles, known)
    if problem is not None:
        if name not in world.strays:
            world.problems.add(problem)
        return None
    if _names_a_role_of_two(world, name, scope, roles):
        asked = t.Word("role", tuple(roles))
        return formula(world, node, scope, asked, check=_check_of_persons(asked, known))
    expression = formula(world, node, scope)
    if isinstance(expression.type, t.Maybe):
        world.problems.add(say.may_be_missing(expression.span, t.example(t.without_maybe(expression.type))))
    elif not isinstance(expression.type, (t.Object, t.Anything)) and not is_each_asked(expression):
        world.problems.add(say.not_a_role(node.span, name, known))
    return expression


def is_each_asked(decider: str | ir.Formula | None) -> bool:
    """Whether every element of a list is asked, one by one."""
    return (
        isinstance(decider, ir.Formula) and isinstance(decider.type, t.List) and isinstance(decider.type.of, t.Object)
    )


# One of several -----------------------------------------------------------------------------------------------------


def _names_a_role_of_two(world: World, text: str, scope: Scope, roles: Several[str]) -> bool:
    words = set(re.findall(r"\w+", text))
    if words.isdisjoint(("if", "otherwise")):
        return False
    if any(role in words and role not in scope.names for role in roles):
        return True
    last = re.search(r"\b(?:else|otherwise)\s+([^\W\d]\w*)$", text)  # a misspelt role
    return last is not None and last[1] not in scope.names and last[1] not in things_of(world)


def _check_of_persons(asked: t.Word, known: Several[str]) -> Check:
    """The check of an expression of the type `asked`: roles and things stand on both sides of `if` and `otherwise`."""

    def check_person(checker: ExpressionChecker, node: ast.expr, scope: Scope, expected: t.Type | None) -> ir.Expr:
        if expected is not asked:
            return typed_expression(checker, node, scope, expected)
        span = span_of(node, checker.near)
        match node:
            case ast.IfExp(test, body, orelse):
                holds = checker.expression_as(test, scope, t.YES_NO)
                then, other = (
                    check_person(checker, side, scope.narrow(bounds.facts_of(holds, so)), asked)
                    for side, so in ((body, True), (orelse, False))
                )
                checker.resolved[id(node)] = asked
                return ir.Conditional(holds, then, other, asked, span)
            case ast.Call(ast.Name(".otherwise"), [of, instead]):
                allow_missing_entry(checker, of)
                first = (
                    check_person(checker, of, scope, asked) if is_role(of, scope) else check_thing(checker, of, scope)
                )
                other = check_person(checker, instead, scope, asked)
                if not isinstance(first.type, t.Maybe | t.Anything):
                    checker.world.problems.add(say.needless_otherwise(span))
                checker.resolved[id(node)] = asked
                return ir.Otherwise(first, other, asked, span)
            case ast.Name(name) if is_role(node, scope):
                for section in ("roles", "kinds"):
                    checker.world.refer(span, section, name)
                checker.resolved[id(node)] = name
                return ir.Constant(name, asked, span)
            case ast.Constant(None):
                return checker.error(say.nobody_to_ask(span))
        one = check_thing(checker, node, scope)
        if isinstance(one.type, t.Maybe):
            return checker.error(say.may_be_missing(span, t.example(t.without_maybe(one.type))))
        return one

    def is_role(node: ast.expr, scope: Scope) -> bool:
        return isinstance(node, ast.Name) and node.id not in scope.names and node.id in asked.words

    def check_thing(checker: ExpressionChecker, node: ast.expr, scope: Scope) -> ir.Expr:
        """Check a thing, which may be missing."""
        span = span_of(node, checker.near)
        if isinstance(node, ast.Name) and node.id not in scope.names and node.id not in things_of(checker.world):
            return checker.error(say.not_a_role(span, node.id, known))
        one = typed_expression(checker, node, scope, None)
        if not isinstance(t.without_maybe(one.type), t.Object | t.Anything):
            return checker.error(say.not_a_role(span, span.text, known))
        return one

    return check_person


# Slips -------------------------------------------------------------------------------------------------------------


def _slip(world: World, node: Node, scope: Scope, roles: Several[str], known: Several[str]) -> say.Diagnostic | None:
    """What is wrong with who is asked where that can be told from the words alone."""
    name = text_of(node)
    if (quoted := re.fullmatch(r"'(\w+)'|\"(\w+)\"", name)) is not None:
        return say.role_in_quotes(node.span, quoted[1] or quoted[2])
    article = re.match(r"(?:the|a|an)\s+(?=\w+$)", name)
    if article and name[article.end() :] in known:
        return say.article_before(node.span, article[0].strip(), name[article.end() :])
    words = re.findall(r"\w+", name)
    if words.count("if") > words.count("else") and words[0] in known:
        return say.asked_otherwise(node.span, name, next((one for one in known if one not in words), "game_master"))
    if name.isidentifier() and name not in scope.names and name not in things_of(world):
        return say.not_a_role(node.span, name, known)
    if re.fullmatch(r"[^\W\d_]\w*(?: \w+)+", name) and not re.search(
        r"\b(?:if|else|otherwise|where|by|and|or)\b", name
    ):
        return say.not_a_role(node.span, name, known)
    if (named := _two_persons_in(node, roles)) is not None:
        return say.two_are_asked(node.span, *named)
    return None


_BOTH = r"\[?\s*(\w+)\s*(?:,|&|/|\||\+|\band\b|\bor\b)\s*(\w+)\s*\]?"


def _two_persons_in(node: Node, roles: Several[str]) -> tuple[str, str] | None:
    """Two who are named together, of whom one at least is a role, though one is asked."""
    items = [one.text for one in node.items if isinstance(one, Scalar)] if isinstance(node, Sequence) else []
    match = re.fullmatch(_BOTH, ", ".join(items) if items else text_of(node))
    return (match[1], match[2]) if match is not None and (match[1] in roles or match[2] in roles) else None
