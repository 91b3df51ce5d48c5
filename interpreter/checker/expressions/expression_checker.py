"""The state of the check of one expression, and how a value is fitted to the type that is expected."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from collections.abc import Mapping as Names
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.declared_names import comparators_of
from interpreter.checker.expressions.coercions import as_list, convert_to_form
from interpreter.checker.expressions.unthrown import unthrown_dice_slip
from interpreter.checker.scope import Scope
from interpreter.checker.vocabulary import lists_with_word, record_type_of
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.traversal import map_children
from interpreter.syntax.document import Broken, Mapping, Node, Scalar, Sequence, text_of
from interpreter.syntax.expression_parser import Agrees, parse

Check = Callable[["ExpressionChecker", ast.expr, Scope, "t.Type | None"], ir.Expr]


@dataclass(eq=False)
class ExpressionChecker:
    """The check of one expression.

    `check` types a parsed node of any kind. `refs` are the paths that the expression uses of the ruleset, `resolved`
    is what names were found to be, by the identity of the parsed node, and `may_lack` holds the calls whose map may
    lack the entry. `near` is in the source of the text that is checked. `meaning` gives the tree that a parsed one
    stands for.
    """

    world: World
    near: Span
    check: Check
    base: Scalar | None = None
    refs: set[str] = field(default_factory=set)
    resolved: dict[int, Any] = field(default_factory=dict)
    may_lack: set[int] = field(default_factory=set)
    meaning: Callable[[ast.expr], ast.expr] | None = None

    def expression(self, node: ast.expr, scope: Scope, expected: t.Type | None) -> ir.Expr:
        return self.check(self, node, scope, expected)

    def document_node(self, node: Node, scope: Scope, expected: t.Type | None) -> tuple[ir.Expr, ast.expr]:
        """The typed expression at a node of the document, and the tree that it was parsed to."""
        nothing = ast.Constant(None)
        if isinstance(node, Broken):
            return ir.Constant(None, t.ANYTHING, node.span), nothing
        if isinstance(node, Sequence):
            of = expected.of if isinstance(expected, t.List) else None
            names = [text_of(item) for item in node.items]
            slip = self.undeclared_words_error(
                names, of, lambda: [self.document_node(item, scope, of) for item in node.items]
            )
            if slip is not None:
                return self.error(slip), nothing
            parts = [self.document_node(item, scope, of) for item in node.items]
            items = ast.List([tree for _, tree in parts], ast.Load())
            listed = self.list_literal(items, [body for body, _ in parts], node.span)
            return self.fit(listed, expected), items
        if isinstance(node, Mapping):
            return self._record(node, scope, expected), nothing
        self.base, self.near = node.base, node.span
        try:
            tree = parse(node, comparators_of(self.world).keys(), self._test_of_proposal(node, scope, expected))
        except PlayError as error:
            self.world.problems.add(error.diagnostic)
            return ir.Constant(None, t.ANYTHING, node.span), nothing
        if self.meaning is not None:
            tree = self.meaning(tree)
        return self.fit(self.expression(tree, scope, expected), expected), tree

    def _test_of_proposal(self, node: Scalar, scope: Scope, expected: t.Type | None) -> Agrees:
        """What may be proposed in place of a text: what has no error there, but for misspelt names with one near.

        `roll 2d6` is no way of naming dice, but a step without its verb, unless dice are expected.
        """
        lacks_its_verb = expected is None and re.match(r"\s*(?:roll|throw)\b", node.text) is not None

        def agrees(tree: ast.expr, text: Scalar) -> bool:
            trial = ExpressionChecker(self.world, text.span, self.check, self.base)
            with self.world.silent_pass():
                meant = tree if self.meaning is None else self.meaning(deepcopy(tree))
                trial.fit(trial.expression(meant, scope, expected), expected)
                return not lacks_its_verb and all(map(say.is_misspelt, self.world.problems.errors))

        return agrees

    def undeclared_words_error(
        self, names: list[str], of: t.Type | None, check: Callable[[], object]
    ) -> Diagnostic | None:
        """The slip of a list of names that nothing defines, or only as words, so that all are meant as words."""
        if len(names) < 2 or not all(name.isidentifier() for name in names):
            return None
        with self.world.silent_pass():
            check()
            problems = self.world.problems.errors
        if not problems or not all(say.is_unlike_all(problem) for problem in problems):
            return None
        unknown = [name for name in names if name in {problem.span.text for problem in problems}]
        if len(problems) < len(names) and not all(
            lists_with_word(self.world, name) for name in names if name not in unknown
        ):
            return None
        return say.undeclared_words(problems[0].span.to(problems[-1].span), unknown, names, isinstance(of, t.Text))

    def _record(self, node: Mapping, scope: Scope, expected: t.Type | None) -> ir.Expr:
        wanted = record_type_of(self.world, expected) if expected else None
        if wanted is None:
            return self.error(say.wrong_type(node.span, t.in_words(expected or t.ANYTHING), "a record"))
        fields: list[tuple[str, ir.Expr]] = []
        for entry in node.entries:
            declaration = next((d for d in wanted.has if d.name == entry.key.text), None)
            if declaration is None:
                names = [d.name for d in wanted.has]
                self.world.problems.add(say.unknown_field(entry.key.span, f"`{wanted.name}`", entry.key.text, names))
                continue
            kind = t.Maybe(declaration.type) if declaration.optional else declaration.type
            fields.append((entry.key.text, self.document_node(entry.value, scope, kind)[0]))
        return self.record_of(fields, wanted, node.span)

    def record_of(self, fields: list[tuple[str, ir.Expr]], wanted: ir.RecordType, span: Span) -> ir.Expr:
        given = dict(fields)
        self.refs.add(wanted.path)
        for declaration in wanted.has:
            if declaration.name in given:
                self.refs.add(declaration.path)
            elif declaration.default is not None:
                self.refs |= declaration.default.refs
                self.world.inlinable += any(
                    ref.startswith(("functions.", "options.")) for ref in declaration.default.refs
                )
                # The default reads other fields, and here these are what the literal says they are.
                given[declaration.name] = _with_fields(declaration.default.body, given)
                fields.append((declaration.name, given[declaration.name]))
            elif declaration.required:
                self.world.problems.add(say.missing_key(span, declaration.name, f"`{wanted.name}`"))
            else:  # every record of a type has the same fields
                given[declaration.name] = ir.Constant(None, t.Maybe(declaration.type), span)
                fields.append((declaration.name, given[declaration.name]))
        return ir.RecordLiteral(tuple(fields), wanted.type, span)

    def fit(self, expr: ir.Expr, expected: t.Type | None) -> ir.Expr:
        """The value in the form of the expected type; an error where it does not fit."""
        if expected is None or isinstance(expr.type, t.Anything) or isinstance(expected, t.Anything):
            return expr
        if isinstance(expr, ir.Constant) and expr.value is None and isinstance(expected, t.Maybe):
            return expr
        if isinstance(t.without_maybe(expected), t.Number) and isinstance(
            t.without_maybe(expr.type), (t.SingleDie, t.Dice)
        ):
            return self.error(self.unthrown_dice_error(expr))
        if isinstance(expr.type, t.Maybe) and not isinstance(expected, t.Maybe):
            return self.error(self.missing_value_error(expr))
        if isinstance(t.without_maybe(expected), t.List):
            expr = as_list(expr)
        wanted, given = t.without_maybe(expected), t.without_maybe(expr.type)
        if isinstance(expr, ir.ListLiteral) and not expr.items and isinstance(wanted, (t.Dice, t.Roll)):
            return ir.Constant((), replace(wanted, least=0), expr.span)
        if isinstance(wanted, t.Number) and isinstance(given, t.Roll) and not given.single:
            return self.error(say.roll_as_number(expr.span))
        record = record_type_of(self.world, wanted)
        if record and record.written_as and not isinstance(given, t.Record):
            of = record.type.field(record.written_as) or t.ANYTHING
            if t.fits(given, of):
                return self.record_of([(record.written_as, self.fit(expr, of))], record, expr.span)
        if not t.fits(given, wanted):
            return self.error(self._mismatch_error(expr, wanted))
        return convert_to_form(expr, wanted)

    def unthrown_dice_error(self, expr: ir.Expr, reading: str | None = None) -> Diagnostic:
        """The slip of dice that are read as a number, by a function such as `sum`, and that nobody has thrown."""
        return unthrown_dice_slip(self.world, expr, reading)

    def untyped_node(self, operand: ir.Expr, span: Span) -> ir.Expr:
        """The node for an expression that reads what has no type: `none` and `[]` are reported, an error already is."""
        if _is_none(operand):
            return self.error(say.none_as_value(operand.span))
        if isinstance(operand, ir.ListLiteral) and not operand.items:
            return self.error(say.empty_list_without_type(operand.span))
        return ir.Constant(None, t.ANYTHING, span)

    def missing_value_error(self, expr: ir.Expr) -> Diagnostic:
        if _is_none(expr):
            return say.none_as_value(expr.span)
        if isinstance(expr, ir.Builtin) and expr.name == "rung":  # the highest of words is made of its number
            expr = expr.arguments[1]
        kind = t.without_maybe(expr.type)
        if isinstance(expr, ir.Builtin) and expr.name in ("highest", "lowest", "first", "last", "kth"):
            return say.may_be_empty(expr.span, expr.name, t.example(kind))
        if self.world.references.get(expr.span) in self.world.skipped_rerolls:
            return say.skipped_reroll(expr.span)
        of_dice = isinstance(kind, t.Roll) and not kind.single
        return say.may_be_missing(expr.span, t.example(kind), of_dice)

    def _mismatch_error(self, expr: ir.Expr, wanted: t.Type) -> Diagnostic:
        given = t.without_maybe(expr.type)
        if isinstance(wanted, t.Word) and isinstance(given, t.Word):
            unknown = next((word for word in given.words if word not in wanted.words), "")
            return say.unknown_word(expr.span, unknown, wanted.name, wanted.words)
        if isinstance(wanted, t.Number) and isinstance(given, t.Word):
            return say.word_as_number(expr.span, t.in_words(given), given.name if given.ranked else None)
        literal = f"`{expr.span.text}`" if isinstance(expr, ir.Constant) and isinstance(given, t.YesNo) else None
        return say.wrong_type(expr.span, t.in_words(wanted), literal or t.in_words(given))

    def error(self, diagnostic: Diagnostic) -> ir.Expr:
        """Report a problem; the node that stands for the expression suppresses follow-up diagnostics."""
        self.world.problems.add(diagnostic)
        return ir.Constant(None, t.ANYTHING, diagnostic.span)

    def expression_as(self, node: ast.expr, scope: Scope, expected: t.Type) -> ir.Expr:
        """The expression fitted to a type."""
        # Each call counts: an expression may be nested so deep that the stack of Python is nearly spent.
        return self.fit(self.check(self, node, scope, expected), expected)

    def number(self, node: ast.expr, scope: Scope) -> ir.Expr:
        return self.fit(self.check(self, node, scope, t.NUMBER), t.NUMBER)

    def list_literal(self, node: ast.expr, items: list[ir.Expr], span: Span) -> ir.Expr:
        kind: t.Type = t.NOT_YET  # the elements of `[]` are of any type
        for number, item in enumerate(items):
            together = item.type if number == 0 else t.union(kind, item.type)
            if together is None:
                left, right = t.in_words(kind), t.in_words(item.type)
                return self.error(say.no_common_type(item.span, left, right))
            kind = together
        if isinstance(kind, t.Roll) and kind.single:
            kind = kind.shows  # a roll of one die reads as a number, beside others of its kind too
        list_type = t.List(kind, len(items))
        self.resolved[id(node)] = list_type
        return ir.ListLiteral(tuple(convert_to_form(item, kind) for item in items), list_type, span)


def _is_none(expr: ir.Expr) -> bool:
    """Whether an expression is `none`, and no value that may be missing."""
    return isinstance(expr, ir.Constant) and expr.value is None and isinstance(expr.type, t.Maybe)


def _with_fields(default: ir.Expr, fields: Names[str, ir.Expr]) -> ir.Expr:
    """The default of a field, with the expressions of the fields that it reads in place of their names."""
    if isinstance(default, ir.Local):
        return fields.get(default.name, default)
    made: ir.Expr = map_children(default, lambda one: _with_fields(one, fields))
    return made
