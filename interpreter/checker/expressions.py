"""Names and types of an expression settled: the tree as it was written becomes the typed one.

`expected` goes down and types come up. Words are resolved by the type that is expected where they stand. After an
error the expression has the type that agrees with everything, so that one slip gives one message.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.scope import Scope
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.runtime import functions
from interpreter.runtime.state import SCENE
from interpreter.syntax.document import Broken, Mapping, Node, Scalar, Sequence
from interpreter.syntax.expression_parser import parse, span_of
from interpreter.syntax.grammar import VERBS
from interpreter.values import Code, Die

if TYPE_CHECKING:
    from interpreter.checker.world import World

RELATION_SIGNS = {"at least": ">=", "more than": ">", "at most": "<=", "less than": "<", "equal to": "=="}
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
DIE_WORDS = ("face", "value", "size", "part", "tags")


def formula(world: World, node: Node, scope: Scope, expected: t.Type | None = None) -> ir.Formula:
    """The checked expression that stands at a node: a scalar, a list of expressions, or a record."""
    checking = _Checking(world, node.span)
    try:
        body, tree = checking.node(node, scope, expected)
    except RecursionError:
        body, tree = checking.wrong(say.expression_too_deep(node.span)), ast.Constant(None)
    return ir.Formula(body, body.type, node.span, frozenset(checking.refs), tree, checking.resolved)


def spoken(world: World, node: Node, scope: Scope, expected: t.Type | None) -> ir.Formula:
    """A default or an answer: an expression, but what stands for text is the text itself, which has no other way."""
    if isinstance(expected, t.Text) and isinstance(node, Scalar):
        return _itself(node, node)
    return formula(world, node, scope, expected)


def _itself(text: Scalar, at: Node) -> ir.Formula:
    said = ir.Constant(text.text, t.Text(), text.span)
    return ir.Formula(said, said.type, at.span, frozenset(), ast.Constant(text.text))


def handed_on(world: World, node: Node, scope: Scope, expected: t.Type | None) -> ir.Formula:
    """What a step gives to something else: an expression, or `{text: …}` for a text itself, since one may be read, too,
    from whatever is in reach."""
    if not isinstance(t.present(expected) if expected is not None else None, t.Text):
        return formula(world, node, scope, expected)
    text = node.get("text") if isinstance(node, Mapping) and len(node.entries) == 1 else None
    if isinstance(text, Scalar):
        return _itself(text, node)
    if not isinstance(node, Scalar):
        return formula(world, node, scope, expected)
    with world.quiet():
        made = formula(world, node, scope, expected)
        slips = world.problems.errors
    if not slips:
        return formula(world, node, scope, expected)
    for slip in slips:
        world.problems.add(say.or_the_text(slip, node.text))
    return made


def condition(world: World, node: Node, scope: Scope) -> ir.Formula:
    """A checked yes-or-no expression."""
    return formula(world, node, scope, t.YES_NO)


def decides(world: World, node: Node, scope: Scope) -> str | ir.Formula | None:
    """Who is asked: a role, a kind of which there is one, a thing, or a list of things, each for itself."""
    name = node.text if isinstance(node, Scalar) else ""
    if name not in scope.names and (name in world.section("roles") or name in world.one_kinds):
        world.refer(node.span, "roles", name)
        world.refer(node.span, "kinds", name)
        return name
    things = [key for key, bound in scope.names.items() if isinstance(t.present(bound.type), t.Thing)]
    known = [*world.section("roles"), *world.one_kinds, *things]
    if name.isidentifier() and name not in scope.names and name not in world.things:
        if name not in world.strays:
            world.problems.add(say.unknown_of(node.span, "role", name, known))
        return None
    made = formula(world, node, scope)
    if isinstance(made.type, t.Maybe):
        world.problems.add(say.may_be_missing(made.span))
    elif not isinstance(made.type, (t.Thing, t.Anything)) and not asks_each(made):
        world.problems.add(say.unknown_of(node.span, "role", name, known))
    return made


def asks_each(decider: str | ir.Formula | None) -> bool:
    """Whether all of a list are asked, each for itself."""
    return isinstance(decider, ir.Formula) and isinstance(decider.type, t.List) and isinstance(decider.type.of, t.Thing)


class _Checking:
    """One expression on its way; collects what it uses of the ruleset and what its names were found to be."""

    def __init__(self, world: World, near: Span) -> None:
        self.world, self.near = world, near
        self.base: Scalar | None = None
        self.refs: set[str] = set()
        self.resolved: dict[int, Any] = {}
        self.may_lack: set[int] = set()

    # Nodes of the document

    def node(self, node: Node, scope: Scope, expected: t.Type | None) -> tuple[ir.Expr, ast.expr]:
        nothing = ast.Constant(None)
        if isinstance(node, Broken):
            return ir.Constant(None, t.ANYTHING, node.span), nothing
        if isinstance(node, Sequence):
            of = expected.of if isinstance(expected, t.List) else None
            parts = [self.node(item, scope, of) for item in node.items]
            items = ast.List([tree for _, tree in parts], ast.Load())
            made = self._list(items, [body for body, _ in parts], node.span)
            return self.fitted(made, expected), items
        if isinstance(node, Mapping):
            return self._record(node, scope, expected), nothing
        self.base = node.base
        try:
            tree = parse(node, self.world.comparators.keys())
        except PlayError as error:
            self.world.problems.add(error.diagnostic)
            return ir.Constant(None, t.ANYTHING, node.span), nothing
        return self.fitted(self.expression(tree, scope, expected), expected), tree

    def _record(self, node: Mapping, scope: Scope, expected: t.Type | None) -> ir.Expr:
        wanted = self.world.record_of(expected) if expected else None
        if wanted is None:
            return self.wrong(say.wrong_type(node.span, t.in_words(expected or t.ANYTHING), "a record"))
        fields: list[tuple[str, ir.Expr]] = []
        for entry in node.entries:
            declaration = next((d for d in wanted.has if d.name == entry.key.text), None)
            if declaration is None:
                names = [d.name for d in wanted.has]
                self.world.problems.add(say.unknown_field(entry.key.span, f"`{wanted.name}`", entry.key.text, names))
                continue
            kind = t.Maybe(declaration.type) if declaration.optional else declaration.type
            fields.append((entry.key.text, self.node(entry.value, scope, kind)[0]))
        return self._made(fields, wanted, node.span)

    def _made(self, fields: list[tuple[str, ir.Expr]], wanted: ir.RecordType, span: Span) -> ir.Expr:
        given = {name for name, _ in fields}
        self.refs.add(wanted.path)
        for declaration in wanted.has:
            if declaration.name in given:
                self.refs.add(declaration.path)
            elif declaration.default is not None:
                self.refs |= declaration.default.refs
                self.world.hiding += any(ref.startswith(("functions.", "options.")) for ref in declaration.default.refs)
                fields.append((declaration.name, declaration.default.body))
            elif declaration.required:
                self.world.problems.add(say.missing_key(span, declaration.name, f"`{wanted.name}`"))
            else:  # so that every record of a type has the same fields
                fields.append((declaration.name, ir.Constant(None, t.Maybe(declaration.type), span)))
        return ir.RecordLiteral(tuple(fields), wanted.type, span)

    # Fitting what is there to what is expected

    def fitted(self, found: ir.Expr, expected: t.Type | None) -> ir.Expr:
        if expected is None or isinstance(found.type, t.Anything) or isinstance(expected, t.Anything):
            return found
        if isinstance(found, ir.Constant) and found.value is None and isinstance(expected, t.Maybe):
            return found
        if isinstance(found.type, t.Maybe) and not isinstance(expected, t.Maybe):
            return self.wrong(self._missing(found))
        if isinstance(t.present(expected), t.List):
            found = _listed(found)
        wanted, given = t.present(expected), t.present(found.type)
        if isinstance(found, ir.ListLiteral) and not found.items and isinstance(wanted, (t.Dice, t.Roll)):
            return ir.Constant((), replace(wanted, least=0), found.span)
        if isinstance(wanted, t.Number) and isinstance(given, t.Roll) and not given.single:
            return self.wrong(say.roll_as_number(found.span))
        record = self.world.record_of(wanted)
        if record and record.written_as and not isinstance(given, t.Record):
            of = record.type.field(record.written_as) or t.ANYTHING
            if t.fits(given, of):
                return self._made([(record.written_as, self.fitted(found, of))], record, found.span)
        if not t.fits(given, wanted):
            return self.wrong(self._mismatch(found, wanted))
        return formed(found, wanted)

    def _missing(self, found: ir.Expr) -> Diagnostic:
        if isinstance(found, ir.Builtin) and found.name in ("highest", "lowest", "first", "last", "kth"):
            return say.may_be_empty(found.span, found.name)
        if self.world.references.get(found.span) in self.world.skipped_rerolls:
            return say.skipped_reroll(found.span)
        kind = t.present(found.type)
        return say.may_be_missing(found.span, of_dice=isinstance(kind, t.Roll) and not kind.single)

    def _mismatch(self, found: ir.Expr, wanted: t.Type) -> Diagnostic:
        given = t.present(found.type)
        if isinstance(wanted, t.Word) and isinstance(given, t.Word):
            strange = next((word for word in given.words if word not in wanted.words), "")
            return say.unknown_word(found.span, strange, wanted.name, wanted.words)
        told = f"`{found.span.text}`" if isinstance(found, ir.Constant) and isinstance(given, t.YesNo) else None
        return say.wrong_type(found.span, t.in_words(wanted), told or t.in_words(given))

    def wrong(self, diagnostic: Diagnostic) -> ir.Expr:
        self.world.problems.add(diagnostic)
        return ir.Constant(None, t.ANYTHING, diagnostic.span)

    def wanted(self, node: ast.expr, scope: Scope, expected: t.Type) -> ir.Expr:
        """The expression at `node`, made to be of a type."""
        return self.fitted(self.expression(node, scope, expected), expected)

    def number(self, node: ast.expr, scope: Scope) -> ir.Expr:
        return self.wanted(node, scope, t.NUMBER)

    # Expressions

    def expression(self, node: ast.expr, scope: Scope, expected: t.Type | None) -> ir.Expr:
        expected = t.present(expected) if expected is not None else None
        span = span_of(node, self.near)
        match node:
            case ast.Constant(bool() as value):
                return ir.Constant(value, t.YES_NO, span)
            case ast.Constant(int() as value):
                return ir.Constant(value, t.Number(value, value), span)
            case ast.Constant():
                if isinstance(expected, t.Word) and "none" in expected.words:
                    return self._word(node, "none", expected, span)
                return ir.Constant(None, t.Maybe(t.NOT_YET), span)
            case ast.Name(name):
                return self._known(self._name(node, name, scope, expected, span), scope)
            case ast.Attribute(of, name):
                return self._known(self._attribute(node, of, name, scope, span), scope)
            case ast.Call(ast.Name(name), arguments):
                if name.startswith("."):
                    return self._form(node, name, arguments, scope, expected, span)
                return self._call(node, name, arguments, scope, expected, span)
            case ast.Call(ast.Attribute() as func, arguments):
                return self._entry(node, func, arguments, scope, span)
            case ast.Call(func):
                return self.wrong(say.unknown_function(span_of(func, self.near), span.text, ()))
            case ast.BinOp(left, operator, right):
                return self._binary(operator, left, right, scope, expected, span)
            case ast.UnaryOp(ast.Not(), of):
                denied = self.wanted(of, scope, t.YES_NO)
                return ir.Not(denied, denied.type, span)
            case ast.UnaryOp(ast.USub(), of):
                inner = self.number(of, scope)
                if isinstance(inner.type, t.Anything):
                    return inner
                return ir.Negative(inner, bounds.negated(t.as_number(inner.type)), span)
            case ast.BoolOp(operator, values):
                return self._logic(isinstance(operator, ast.And), values, scope, span)
            case ast.Compare(left, operators, rights):
                return self._compare(node, left, operators, rights, scope, span)
            case ast.IfExp(test, body, orelse):
                return self._conditional(node, test, body, orelse, scope, expected, span)
            case ast.List(items):
                element = expected.of if isinstance(expected, t.List) else None
                return self._list(node, [self.expression(item, scope, element) for item in items], span)
        raise AssertionError(f"the parser made a node that is not allowed: {node!r}")

    def _known(self, found: ir.Expr, scope: Scope) -> ir.Expr:
        """The value with the type that the conditions around it leave."""
        path = bounds.path_of(found)
        fact = scope.facts.get(path) if path else None
        if bounds.UNKNOWN in scope.facts and (isinstance(found.type, t.Maybe) or t.least(found.type) == 0):
            fact = t.ANYTHING if isinstance(found.type, (t.Maybe, t.Dice, t.Roll, t.List)) else fact
        if fact is None or isinstance(found.type, t.Anything):
            return found
        match found:
            case ir.Local(name):
                return ir.Local(name, fact, found.span)
            case ir.Field(of, name):
                return ir.Field(of, name, fact, found.span)
            case ir.Attribute(of, kind, name):
                return ir.Attribute(of, kind, name, fact, found.span)
            case ir.Element():
                return ir.Element(fact, found.span)
        return found

    def _name(self, node: ast.expr, name: str, scope: Scope, expected: t.Type | None, span: Span) -> ir.Expr:
        if isinstance(expected, t.Word) and name in expected.words and name not in scope.names:
            return self._word(node, name, expected, span)
        if name == "base" and self.base is not None and name not in scope.names:
            self.world.formers.add(span)
            return self._former(node, self.base, scope, expected)
        if scope.die is not None and (name in DIE_WORDS or name in self.world.symbols):
            return self._die_word(scope.die, name, span)
        if name == "it":
            if scope.element is None:
                return self.wrong(say.slot_word_outside(span, name))
            return ir.Element(scope.element, span)
        binding = scope.names.get(name)
        if binding and not (
            isinstance(expected, t.Word) and name in expected.words and not t.fits(t.present(binding.type), expected)
        ):
            self.world.references[span] = binding.span
            return ir.Local(name, binding.type, span)
        if isinstance(expected, t.Word) and name in expected.words:
            return self._word(node, name, expected, span)
        if scope.owner is not None and name in self.world.holdings(scope.owner.kind):
            self.resolved[id(node)] = ir.OwnAttribute(scope.owner.kind, name)
            return self._had(ir.Local("owner", scope.owner, span), name, span, scope)
        value = self.world.named_value(name)
        if value is not None:
            self.refs.add(value.path)
            self.world.refer(span, value.path.split(".")[0], name)
            self.resolved[id(node)] = value.value
            return ir.Constant(value.value, value.type, span)
        if isinstance(expected, t.Word) and expected.words:
            return self.wrong(self._unknown_word(span, name, expected, scope))
        lists = self.world.lists_with(name)
        if expected is None and len({kind.name for kind in lists}) == 1:
            return self._word(node, name, lists[0], span)
        if expected is None and lists:
            return self.wrong(say.ambiguous_word(span, name, (kind.name for kind in lists)))
        if name in DIE_WORDS:
            return self.wrong(say.slot_word_outside(span, name))
        if name in scope.later:
            return self.wrong(say.later_name(span, name, scope.later[name]))
        if name == "base":
            return self.wrong(say.base_outside(span))
        if name in functions.FUNCTIONS or name in functions.FORMS or name in self.world.function_names:
            return self.wrong(say.not_called(span, name))
        # Where what is expected got lost in an earlier slip, this may well be a word of it.
        if name in self.world.strays or isinstance(expected, t.Anything):
            return ir.Constant(None, t.ANYTHING, span)
        if isinstance(t.present(expected) if expected else None, t.Number) and say.is_truth(name):
            return self.wrong(say.wrong_type(span, "a number", f"`{name}`"))
        own = self.world.holdings(scope.owner.kind) if scope.owner is not None else ()
        return self.wrong(say.unknown_name(span, name, [*scope.names, *own, *self.world.value_names, "options"]))

    def _former(self, node: ast.expr, former: Scalar, scope: Scope, expected: t.Type | None) -> ir.Expr:
        """`base`: the expression that a house rule has put this one in place of."""
        inner = _Checking(self.world, former.span)
        body, tree = inner.node(former, scope, expected)
        self.refs |= inner.refs
        self.resolved[id(node)] = ir.Formula(body, body.type, former.span, frozenset(), tree, inner.resolved)
        return body

    def _unknown_word(self, span: Span, name: str, expected: t.Word, scope: Scope) -> Diagnostic:
        if say.nearest_name(name, expected.words) is None and say.nearest_name(name, scope.names):
            return say.unknown_name(span, name, scope.names)
        return say.unknown_word(span, name, expected.name, expected.words)

    def _word(self, node: ast.expr, name: str, of: t.Word, span: Span) -> ir.Expr:
        self.resolved[id(node)] = name
        self.world.refer_to_word(span, of, name)
        return ir.Constant(name, of, span)

    def _die_word(self, of: t.Type, name: str, span: Span) -> ir.Expr:
        kind = self._field_type(of, name)
        if kind is None:
            return self.wrong(say.unknown_field(span, t.in_words(of), name, self._fields(of)))
        return ir.DieField(name, kind, span)

    # Fields and columns

    def _attribute(self, node: ast.expr, of: ast.expr, name: str, scope: Scope, span: Span) -> ir.Expr:
        if isinstance(of, ast.Name) and of.id == "options" and "options" not in scope.names:
            return self._option(name, span)
        inner = self.expression(of, scope, None)
        kind = t.present(inner.type)
        if isinstance(kind, t.Anything):
            return ir.Constant(None, t.ANYTHING, span)
        if isinstance(kind, t.Roll) and name in kind.parts.words:
            self.resolved[id(node)] = "part"
            self.world.refer_to_word(_last(span, name), kind.parts, name)
            some = replace(kind, least=0, single=False, parts=t.NO_PARTS)
            return ir.RollPart(inner, name, t.maybe(some) if isinstance(inner.type, t.Maybe) else some, span)
        if isinstance(kind, t.Thing):
            return self._had(inner, name, span, scope)
        if isinstance(kind, t.Map):
            self.resolved[id(node)] = {"of the values"}
            inner = _listed(inner)
            kind = t.present(inner.type)
        if isinstance(kind, (t.Roll, t.Dice, t.List)):
            element = functions.element_of(kind)
            if isinstance(element, t.Anything):
                return ir.Constant(None, t.ANYTHING, span)
            found = self._field_type(t.present(element), name)
            if found is None:
                single = t.in_words(t.present(element))
                known = self._fields(t.present(element), kind)
                return self.wrong(say.unknown_field(_last(span, name), single, name, known))
            self._refer_to_field(t.present(element), name, span)
            maps = isinstance(t.present(found), t.Map)
            if maps:
                self.resolved[id(node)] = {*self.resolved.get(id(node), ()), "of maps"}
            of_each = ir.Column(inner, name, _column_type(found, kind.least), span, maps)
            self.world.noticed.note_column(of_each)
            column: ir.Field | ir.Column = of_each
        else:
            found = self._field_type(kind, name)
            if found is None:
                return self.wrong(say.unknown_field(_last(span, name), t.in_words(kind), name, self._fields(kind)))
            self._refer_to_field(kind, name, span)
            column = ir.Field(inner, name, found, span)
        if isinstance(inner.type, t.Maybe):
            return replace(column, type=t.maybe(column.type))
        return column

    def _had(self, inner: ir.Expr, name: str, span: Span, scope: Scope) -> ir.Expr:
        """What a thing has under a name."""
        of = t.present(inner.type)
        assert isinstance(of, t.Thing)
        kind = self.world.holding_type(of.kind, name)
        if kind is None:
            known = self.world.holdings(of.kind)
            return self.wrong(say.unknown_field(_last(span, name), t.in_words(of), name, known))
        self._refer_to_field(of, name, span)
        self.refs.add(self.world.holding_path(of.kind, name))
        if of.kind == SCENE and self.world.lacks(name, scope.scene):
            kind = t.maybe(kind)
        if isinstance(kind, t.Anything):
            return ir.Constant(None, kind, span)
        return ir.Attribute(inner, of.kind, name, t.maybe(kind) if isinstance(inner.type, t.Maybe) else kind, span)

    def _entry(self, node: ast.Call, of: ast.expr, arguments: list[ast.expr], scope: Scope, span: Span) -> ir.Expr:
        """`actor.skills(swords)`: the value of a map at a key."""
        entries = self.expression(of, scope, None)
        kind = t.present(entries.type)
        if isinstance(kind, t.Anything):
            return ir.Constant(None, t.ANYTHING, span)
        if not isinstance(kind, t.Map):
            return self.wrong(say.unknown_function(span_of(of, self.near), entries.span.text, ()))
        if len(arguments) != 1:
            return self.wrong(say.wrong_count(span, entries.span.text, "1 key", len(arguments)))
        key = self.wanted(arguments[0], scope, kind.key)
        if isinstance(key.type, t.Anything):
            self.resolved[id(node)] = "entry"
            return ir.Constant(None, t.ANYTHING, span)
        whole = isinstance(kind.key, t.Word) and kind.least == len(kind.key.words)
        missing = isinstance(entries.type, t.Maybe) or (id(node) in self.may_lack and not whole)
        sure = not (whole or missing or isinstance(kind.of, t.Maybe))
        self.resolved[id(node)] = "sure entry" if sure else "entry"
        return ir.MapEntry(entries, key, t.maybe(kind.of) if missing else kind.of, span, sure)

    def _let_lack(self, node: ast.expr) -> None:
        """What is said to be missing maybe, by `otherwise` or `given(…)`, may be an entry that a map lacks."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if isinstance(node, ast.Call):
            self.may_lack.add(id(node))

    def _refer_to_field(self, of: t.Type, name: str, span: Span) -> None:
        if isinstance(of, t.Thing):
            entry = self.world.holdings(of.kind).get(name)
            if entry is not None:
                self.world.references[_last(span, name)] = entry.key.span
            return
        if isinstance(of, t.Thrown):
            of = of.throws
        named = of.named_at(name) if isinstance(of, t.Record) else None
        if named is not None:
            self.world.references[_last(span, name)] = named

    def _option(self, name: str, span: Span) -> ir.Expr:
        option = self.world.option(name)
        if option is None and name in self.world.option_names:
            return ir.Constant(None, t.ANYTHING, span)
        if option is None:
            return self.wrong(say.unknown_of(_last(span, name), "option", name, self.world.option_names))
        self.refs.add(option.path)
        self.world.hiding += 1
        self.world.refer(_last(span, name), "options", name)
        return ir.Option(name, option.type, span)

    def _field_type(self, of: t.Type, name: str) -> t.Type | None:
        tags = t.List(self.world.tag_type)
        match of:
            case t.Record():
                return of.field(name)
            case t.Thing(kind):
                return self.world.holding_type(kind, name)
            case t.Code():
                of_code: dict[str, t.Type] = {"dice": t.Dice(), "pips": t.NUMBER}
                return of_code.get(name)
            case t.Die():
                of_die: dict[str, t.Type] = {"size": t.Number(1), "tags": tags}
                return of_die.get(name)
            case t.Thrown(parts, throws):
                each = throws.field(name)
                if each is not None:
                    return each
                own = (("face", t.NUMBER), ("nth", t.Number(1)), ("counts", t.NUMBER))
                throw = t.Record("throw", (*own, *throws.fields), throws.where)
                fields: dict[str, t.Type] = {
                    "face": self.world.face_type,
                    "value": t.NUMBER,
                    "size": t.Number(1),
                    "tags": tags,
                    "throws": t.List(throw, 1),
                    "part": parts,
                    **{symbol: t.Number(0) for symbol in self.world.symbols},
                }
                return fields.get(name)
        return None

    def _fields(self, of: t.Type, whole: t.Type | None = None) -> list[str]:
        parts = list(whole.parts.words) if isinstance(whole, t.Roll) else []
        match of:
            case t.Record():
                return [name for name, _ in of.fields]
            case t.Thing(kind):
                return list(self.world.holdings(kind))
            case t.Code():
                return ["dice", "pips"]
            case t.Die():
                return ["size", "tags"]
            case t.Thrown(_, throws):
                each = [name for name, _ in throws.fields]
                return [*parts, "face", "value", "size", "tags", "throws", "part", *each, *self.world.symbols]
        return parts

    # Operators

    def _binary(
        self, operator: ast.operator, left: ast.expr, right: ast.expr, scope: Scope, expected: t.Type | None, span: Span
    ) -> ir.Expr:
        if isinstance(operator, ast.BitAnd):
            return self._joined(left, right, scope, span)
        a = self.expression(left, scope, None)
        if isinstance(a.type, t.Code) and isinstance(operator, (ast.Add, ast.Sub)):
            b = self.number(right, scope)
            if isinstance(b.type, t.Anything):
                return b
            return ir.Arithmetic("+" if isinstance(operator, ast.Add) else "-", a, b, t.Code(), span)
        a = self.fitted(a, t.NUMBER)
        b = self.number(right, scope)
        if isinstance(a.type, t.Anything) or isinstance(b.type, t.Anything):
            return ir.Constant(None, t.ANYTHING, span)
        x, y = t.as_number(a.type), t.as_number(b.type)
        if isinstance(operator, ast.Div):
            self.refs.add("rounding")
            rounding = self.world.rounding
            return ir.Quotient(a, b, rounding, True, bounds.of_quotient(x, y, rounding), span)
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}[type(operator)]
        return ir.Arithmetic(sign, a, b, bounds.of_arithmetic(sign, x, y), span)

    def _joined(self, left: ast.expr, right: ast.expr, scope: Scope, span: Span) -> ir.Expr:
        a, b = self.expression(left, scope, None), self.expression(right, scope, None)
        if isinstance(a.type, t.Anything) or isinstance(b.type, t.Anything):
            return ir.Constant(None, t.ANYTHING, span)
        if any(
            isinstance(t.present(one.type), (t.Roll, t.Thrown)) or t.is_dice_on_the_table(one.type) for one in (a, b)
        ):
            a, b = self.fitted(a, t.Roll()), self.fitted(b, t.Roll())
            if not isinstance(a.type, t.Roll) or not isinstance(b.type, t.Roll):
                return ir.Constant(None, t.ANYTHING, span)
            ours, theirs = a.type.parts, b.type.parts
            names = tuple(dict.fromkeys(ours.words + theirs.words))
            parts = t.Word("parts", names, where=(*ours.where, *theirs.where))
            throws = a.type.throws if a.type.throws == b.type.throws else t.NO_NAMES
            shows = t.hull(a.type.shows, b.type.shows)
            once = a.type.thrown_once or b.type.thrown_once
            return ir.Joined(a, b, t.Roll(a.type.least + b.type.least, False, parts, throws, shows, once), span)
        a, b = self.fitted(a, t.Dice()), self.fitted(b, t.Dice())
        return ir.Joined(a, b, t.Dice(t.least(a.type) + t.least(b.type)), span)

    def _logic(self, both: bool, values: list[ast.expr], scope: Scope, span: Span) -> ir.Expr:
        left = self.wanted(values[0], scope, t.YES_NO)
        for value in values[1:]:
            scope = scope.narrowed(bounds.facts_of(left, both))
            right = self.wanted(value, scope, t.YES_NO)
            unknown = isinstance(left.type, t.Anything) or isinstance(right.type, t.Anything)
            kind = t.ANYTHING if unknown else t.YES_NO
            left = (ir.And if both else ir.Or)(left, right, kind, left.span.to(right.span))
        return left

    def _conditional(
        self,
        node: ast.expr,
        test: ast.expr,
        body: ast.expr,
        orelse: ast.expr,
        scope: Scope,
        expected: t.Type | None,
        span: Span,
    ) -> ir.Expr:
        condition = self.wanted(test, scope, t.YES_NO)
        then = self.expression(body, scope.narrowed(bounds.facts_of(condition, True)), expected)
        hint = expected or (t.present(then.type) if isinstance(then.type, t.Word) else None)
        other = self.expression(orelse, scope.narrowed(bounds.facts_of(condition, False)), hint)
        if expected is not None and not isinstance(expected, t.Maybe):
            either = t.union(then.type, other.type)
            if either is None:
                then, other = self.fitted(then, expected), self.fitted(other, expected)
        kind = t.union(then.type, other.type)
        if kind is None:
            left, right = t.in_words(then.type), t.in_words(other.type)
            return self.wrong(say.no_common_type(span, left, right))
        self.resolved[id(node)] = kind
        return ir.Conditional(condition, formed(then, kind), formed(other, kind), kind, span)

    def _list(self, node: ast.expr, items: list[ir.Expr], span: Span) -> ir.Expr:
        kind: t.Type = t.ANYTHING
        for number, item in enumerate(items):
            together = item.type if number == 0 else t.union(kind, item.type)
            if together is None:
                left, right = t.in_words(kind), t.in_words(item.type)
                return self.wrong(say.no_common_type(item.span, left, right))
            kind = together
        if isinstance(kind, t.Roll) and kind.single:
            kind = kind.shows  # a roll of one die reads as a number, beside others of its kind too
        made = t.List(kind, len(items))
        self.resolved[id(node)] = made
        return ir.ListLiteral(tuple(formed(item, kind) for item in items), made, span)

    # Comparisons

    def _compare(
        self,
        node: ast.Compare,
        left: ast.expr,
        operators: list[ast.cmpop],
        rights: list[ast.expr],
        scope: Scope,
        span: Span,
    ) -> ir.Expr:
        if isinstance(operators[0], ast.In):
            return self._membership(node, left, rights[0], scope, span)
        if isinstance(operators[0], ast.Is):
            return self._is(node, left, rights[0], scope, span)
        result: ir.Expr | None = None
        for operator, right in zip(operators, rights, strict=True):
            one = self._sign(node, _SIGNS[type(operator)], left, right, scope, span)
            result = one if result is None else ir.And(result, one, t.YES_NO, span)
            left = right
        assert result is not None
        return result

    def _sign(self, node: ast.expr, sign: str, left: ast.expr, right: ast.expr, scope: Scope, span: Span) -> ir.Expr:
        a = self.expression(left, scope, None)
        kind = t.present(a.type)
        if isinstance(kind, t.Word):
            if sign in ("==", "!="):
                self.expression(right, scope, kind)
                return self.wrong(say.equals_for_numbers(span))
            if not kind.ranked:
                return self.wrong(say.unranked(a.span, kind.name))
            b = self.fitted(self.expression(right, scope, kind), kind)
            self.resolved[id(node)] = kind.words
            return self._compared(sign, self.fitted(a, kind), b, kind.words, span)
        if isinstance(kind, t.Thing):
            self.expression(right, scope, kind)
            return self.wrong(say.equals_for_numbers(span))
        if sign in ("==", "!=") and isinstance(kind, (t.YesNo, t.Die, t.Text)):
            b = self.wanted(right, scope, kind)
            return self._compared(sign, self.fitted(a, kind), b, None, span)
        if isinstance(kind, t.Anything):
            self.expression(right, scope, None)
            return ir.Constant(None, t.ANYTHING, span)
        b = self.expression(right, scope, None)
        if not t.reads_as_number(kind) and not (isinstance(kind, t.Roll)):
            return self.wrong(say.not_comparable(span, t.in_words(kind), t.in_words(t.present(b.type))))
        return self._compared(sign, self.fitted(a, t.NUMBER), self.fitted(b, t.NUMBER), None, span)

    def _compared(self, sign: str, a: ir.Expr, b: ir.Expr, ranks: tuple[str, ...] | None, span: Span) -> ir.Expr:
        if isinstance(a.type, t.Anything) or isinstance(b.type, t.Anything):
            return ir.Constant(None, t.ANYTHING, span)
        return ir.Comparison(sign, a, b, ranks, t.YES_NO, span)

    def _is(self, node: ast.expr, left: ast.expr, right: ast.expr, scope: Scope, span: Span) -> ir.Expr:
        a = self.expression(left, scope, None)
        kind = t.present(a.type)
        if isinstance(kind, t.Anything):
            return ir.Constant(None, t.ANYTHING, span)
        if isinstance(kind, t.Thing) and not isinstance(a.type, t.Maybe):
            other = self.fitted(self.expression(right, scope, kind), t.maybe(kind))
            return self._compared("==", a, other, None, span)
        if not isinstance(kind, (t.Word, t.Thing)):
            return self.wrong(say.is_for_words(span))
        if isinstance(a.type, t.Maybe):
            return self.wrong(self._missing(a))
        assert isinstance(kind, t.Word)
        b = self.fitted(self.expression(right, scope, kind), kind)
        same = self._compared("==", a, b, None, span)
        counting = [name for name, other in kind.counts_as if isinstance(b, ir.Constant) and other == b.value]
        if counting:
            words = ir.Constant((b.value, *counting), t.List(kind), b.span)  # type: ignore[union-attr]
            self.resolved[id(node)] = words.value
            return ir.Membership(a, words, t.YES_NO, span)
        return same

    def _membership(self, node: ast.expr, left: ast.expr, right: ast.expr, scope: Scope, span: Span) -> ir.Expr:
        if isinstance(right, ast.Name) and right.id in self.world.table_names and right.id not in scope.names:
            return self._in_table(node, left, right, scope, span)
        if isinstance(left, ast.Name) and not isinstance(right, ast.List):
            of = self.expression(right, scope, None)
            element = functions.element_of(t.present(of.type)) if isinstance(t.present(of.type), t.List) else None
            item = self.expression(left, scope, t.present(element) if element else None)
        else:
            item = self.expression(left, scope, None)
            of = self.expression(right, scope, t.List(t.present(item.type)))
        if isinstance(of.type, t.Maybe):
            return self.wrong(self._missing(of))
        if isinstance(of.type, t.Anything) or isinstance(item.type, t.Anything):
            return ir.Constant(None, t.ANYTHING, span)
        if not isinstance(of.type, t.List):
            return self.wrong(say.not_a_collection(of.span, "in", t.in_words(of.type)))
        wanted = t.present(of.type.of)
        if isinstance(wanted, t.Thrown) and isinstance(t.present(item.type), (t.Number, t.Roll)):
            return self.wrong(say.number_among_dice(item.span, of.span, isinstance(item.type, t.Number)))
        item = self.fitted(item, wanted if not isinstance(wanted, t.Number) else t.NUMBER)
        self.resolved[id(node)] = item.type
        made = ir.Membership(item, of, t.YES_NO, span)
        self.world.noticed.note(made)
        return made

    def _in_table(self, node: ast.expr, left: ast.expr, right: ast.Name, scope: Scope, span: Span) -> ir.Expr:
        table = self.world.table(right.id)
        if table is None:
            return ir.Constant(None, t.ANYTHING, span)
        item = self.wanted(left, scope, table.keys[0])
        self.resolved[id(node)] = item.type
        self.refs.add(table.path)
        self.world.refer(span_of(right, self.near), "tables", right.id)
        keys = tuple(row.key for row in table.rows if row.key is not None)
        self.resolved[id(right)] = keys
        of = ir.Constant(keys, t.List(table.keys[0]), span_of(right, self.near))
        return ir.Membership(item, of, t.YES_NO, span)

    # Forms that Python's grammar has not

    def _form(
        self, node: ast.expr, name: str, arguments: list[ast.expr], scope: Scope, expected: t.Type | None, span: Span
    ) -> ir.Expr:
        match name, arguments:
            case (".where" | ".by", [of, slot]):
                return self._slot(node, name[1:], of, slot, scope, expected, span)
            case ".otherwise", [of, instead]:
                return self._otherwise(node, of, instead, scope, expected, span)
            case ".compare", [left, ast.Name(word) as said, right]:
                self.world.refer(span_of(said, self.near), "comparators", word)
                self.refs.add(f"comparators.{word}")
                return self._sign(node, RELATION_SIGNS[self.world.comparators[word]], left, right, scope, span)
            case ".die", [ast.Constant(int(size))]:
                return self._die(size, span)
            case ".pool", [number, ast.Constant(int(size))]:
                die = self._die(size, span)
                if isinstance(die.type, t.Anything):
                    return die
                if isinstance(number, ast.Constant) and number.value == 1:
                    return die
                sure = number.value if isinstance(number, ast.Constant) else 0
                if isinstance(sure, int) and sure > functions.MOST_DICE:
                    return self.wrong(say.bad_dice(span, f"there may be at most {functions.MOST_DICE}"))
                count = self.number(number, scope)
                if isinstance(count.type, t.Anything):
                    return count
                least = max(t.as_number(count.type).low or 0, 0)
                return ir.PoolLiteral(count, die, t.Dice(least), span)
            case ".tagged", [of, *tags]:
                return self._tagged(of, tags, scope, span)
            case ".code", [ast.Constant(int(count))]:
                return self._code(node, count, span)
        raise AssertionError(f"the parser made a form that is not known: {name}")

    def _die(self, size: int, span: Span) -> ir.Expr:
        if not 1 <= size <= 1000:
            return self.wrong(say.bad_dice(span, "a die has 1 to 1000 faces"))
        return ir.Constant(Die(size), t.Die(), span)

    def _tagged(self, of: ast.expr, tags: list[ast.expr], scope: Scope, span: Span) -> ir.Expr:
        dice = self.expression(of, scope, None)
        names: list[str] = []
        for tag in tags:
            assert isinstance(tag, ast.Name)
            if tag.id in self.world.tag_type.words:
                names.append(tag.id)
                self.refs.add(f"tags.{tag.id}")
                self.world.refer(span_of(tag, self.near), "tags", tag.id)
            else:
                known = self.world.tag_type.words
                self.world.problems.add(say.unknown_of(span_of(tag, self.near), "tag", tag.id, known))
        if isinstance(dice.type, t.Anything):
            return dice
        if isinstance(dice, ir.Constant):
            return ir.Constant(dice.value._replace(tags=tuple(sorted(names))), t.Die(), span)
        return ir.Tagged(dice, tuple(sorted(names)), dice.type, span)

    def _code(self, node: ast.expr, count: int, span: Span) -> ir.Expr:
        die = self.world.code_die()
        if die is None:
            return self.wrong(say.code_without_die(span))
        if count > functions.MOST_DICE:
            return self.wrong(say.bad_dice(span, f"there may be at most {functions.MOST_DICE}"))
        self.resolved[id(node)] = Code(count, 0, die)
        return ir.Constant(Code(count, 0, die), t.Code(), span)

    def _slot(
        self,
        node: ast.expr,
        word: str,
        of: ast.expr,
        slot: ast.expr,
        scope: Scope,
        expected: t.Type | None,
        span: Span,
    ) -> ir.Expr:
        xs = self.expression(of, scope, expected)
        kind = xs.type
        if isinstance(kind, t.Maybe):
            return self.wrong(self._missing(xs))
        if isinstance(kind, t.Anything):
            return xs
        if isinstance(kind, t.Die):
            xs, kind = self.fitted(xs, t.Dice()), t.Dice(1)
        xs, kind = (listed := _listed(xs)), listed.type
        if not isinstance(kind, (t.Dice, t.Roll, t.List)):
            return self.wrong(say.not_a_collection(xs.span, word, t.in_words(kind)))
        if word == "where" and t.is_dice_on_the_table(kind) and self._looks_at_dice(slot, scope):
            xs = self.fitted(xs, t.Roll())
            kind = xs.type
        self.resolved[id(node)] = kind
        inside = self._inside(kind, scope)
        if inside is None:
            return self.wrong(say.nested_slot(span))
        if word == "by":
            if not isinstance(kind, t.List):
                return self.wrong(say.not_a_collection(xs.span, "by", t.in_words(kind)))
            key = self.number(slot, inside)
            return ir.Sorted(xs, key, kind, span)
        condition = self.wanted(slot, inside, t.YES_NO)
        return ir.Filtered(xs, condition, _fewer(kind), span)

    def _looks_at_dice(self, slot: ast.expr, scope: Scope) -> bool:
        """Whether a condition looks at dice by their words, `face == 6`, and not at elements, `it == 6`."""
        names = {one.id for one in ast.walk(slot) if isinstance(one, ast.Name)}
        words = {*DIE_WORDS, *self.world.symbols} - scope.names.keys()
        return "it" not in names and bool(names & words)

    def _inside(self, kind: t.Type, scope: Scope) -> Scope | None:
        if isinstance(kind, t.List):
            return None if scope.element is not None else replace(scope, element=kind.of)
        return None if scope.die is not None else replace(scope, die=functions.element_of(kind))

    def _otherwise(
        self, node: ast.expr, of: ast.expr, instead: ast.expr, scope: Scope, expected: t.Type | None, span: Span
    ) -> ir.Expr:
        self._let_lack(of)
        first = self.expression(of, scope, expected)
        hint = expected or (t.present(first.type) if isinstance(t.present(first.type), t.Word) else None)
        second = self.expression(instead, scope, hint)
        someone = isinstance(first, ir.MapEntry) and isinstance(first.key.type, t.Thing)  # who may have no entry
        if not isinstance(first.type, (t.Maybe, t.Anything)) and not someone:
            self.world.problems.add(say.needless_otherwise(span))
        kind = t.union(t.present(first.type), second.type)
        if kind is None:
            left, right = t.in_words(t.present(first.type)), t.in_words(second.type)
            return self.wrong(say.no_common_type(span, left, right))
        self.resolved[id(node)] = kind
        return ir.Otherwise(formed(first, kind), formed(second, kind), kind, span)

    # Calls

    def _call(
        self, node: ast.expr, name: str, arguments: list[ast.expr], scope: Scope, expected: t.Type | None, span: Span
    ) -> ir.Expr:
        if name in functions.FORMS:
            return self._special(name, arguments, scope, span)
        bound = scope.names.get(name)
        if bound is not None and isinstance(t.present(bound.type), t.Map):
            assert isinstance(node, ast.Call)
            return self._entry(node, node.func, arguments, scope, span)
        if name in functions.FUNCTIONS:
            return self._builtin(name, functions.FUNCTIONS[name], arguments, scope, span)
        if name in self.world.table_names:
            return self._lookup(name, arguments, scope, span)
        if name in self.world.function_names:
            return self._apply(name, arguments, scope, span)
        for argument in arguments:
            self.expression(argument, scope, None)
        if name in self.world.strays:
            return ir.Constant(None, t.ANYTHING, span)
        known = [*functions.FUNCTIONS, *functions.FORMS, *self.world.table_names, *self.world.function_names]
        here = Span(span.source, span.start, span.start + len(name))
        return self.wrong(say.unknown_function(here, name, known, name in VERBS))

    def _special(self, name: str, arguments: list[ast.expr], scope: Scope, span: Span) -> ir.Expr:
        if len(arguments) != 1:
            return self.wrong(say.wrong_count(span, name, "1 argument", len(arguments)))
        argument = arguments[0]
        if name == "given":
            self._let_lack(argument)
            of = self.expression(argument, scope, None)
            if not isinstance(of.type, (t.Maybe, t.Anything)):
                self.world.problems.add(say.needless_given(span))
            return ir.Builtin("given", (of,), t.YES_NO, span)
        if not (isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Div)):
            return self.wrong(say.rounding_of_no_division(span, name))
        before = "rounding" in self.refs
        a, b = self.number(argument.left, scope), self.number(argument.right, scope)
        if not before:
            self.refs.discard("rounding")
        kind = bounds.of_quotient(t.as_number(a.type), t.as_number(b.type), name)
        return ir.Quotient(a, b, name, False, kind, span)

    def _builtin(
        self, name: str, function: functions.BuiltinFunction, arguments: list[ast.expr], scope: Scope, span: Span
    ) -> ir.Expr:
        most = None if function.more else len(function.takes)
        if len(arguments) < function.fewest or (most is not None and len(arguments) > most):
            wanted = (
                f"{function.fewest}"
                if most == function.fewest
                else (f"at least {function.fewest}" if most is None else f"{function.fewest} to {most}")
            )
            return self.wrong(say.wrong_count(span, name, f"{wanted} argument{'s' * (wanted != '1')}", len(arguments)))
        checked: list[ir.Expr] = []
        for number, argument in enumerate(arguments):
            kind = function.takes[min(number, len(function.takes) - 1)]
            one = self.expression(argument, scope, None)
            if isinstance(one.type, t.Maybe):
                return self.wrong(self._missing(one))
            if kind == "number":
                one = self.fitted(one, t.NUMBER)
            elif kind == "die" and isinstance(one.type, t.Die):
                pass
            elif isinstance(one.type, t.Die) and kind != "ladder":
                one = self.fitted(one, t.Dice())
            elif isinstance(one.type, t.Thrown) and kind in ("numbers", "collection", "thrown"):
                one = self.fitted(one, t.Roll())
            one = _listed(one)
            if not functions.accepts(kind, one.type):
                found = t.in_words(one.type)
                return self.wrong(say.wrong_argument(one.span, name, functions.KINDS[kind], found))
            checked.append(one)
        if any(isinstance(one.type, t.Anything) for one in checked):
            return ir.Constant(None, t.ANYTHING, span)
        if name == "all" and isinstance(checked[0], ir.Filtered):
            checked.append(checked[0].of)
        result = function.gives(*(_of_something(one.type) for one in checked[: len(arguments)]))
        self.world.hiding += name == "without"
        made = ir.Builtin(name, tuple(checked), result, span)
        self.world.noticed.note(made)
        return made

    def _apply(self, name: str, arguments: list[ast.expr], scope: Scope, span: Span) -> ir.Expr:
        function = self.world.function(name)
        if function is None:
            return ir.Constant(None, t.ANYTHING, span)
        self.refs.add(function.path)
        self.world.hiding += 1
        self.world.refer(_head(span, name), "functions", name)
        if len(arguments) != len(function.takes):
            wanted = f"{len(function.takes)} argument{'s' * (len(function.takes) != 1)}"
            return self.wrong(say.wrong_count(span, name, wanted, len(arguments)))
        checked = [self.wanted(a, scope, d.type) for a, d in zip(arguments, function.takes, strict=True)]
        return ir.Apply(name, tuple(checked), function.type, span)

    def _lookup(self, name: str, arguments: list[ast.expr], scope: Scope, span: Span) -> ir.Expr:
        table = self.world.table(name)
        if table is None:
            return ir.Constant(None, t.ANYTHING, span)
        self.refs.add(table.path)
        self.world.refer(_head(span, name), "tables", name)
        if len(arguments) != len(table.keys):
            wanted = f"{len(table.keys)} key{'s' * (len(table.keys) != 1)}"
            return self.wrong(say.wrong_count(span, name, wanted, len(arguments)))
        checked: list[ir.Expr] = []
        for argument, key in zip(arguments, table.keys, strict=True):
            found = self.expression(argument, scope, key)
            given = t.present(found.type)
            if isinstance(key, t.Word) and isinstance(given, t.Word) and not isinstance(found.type, t.Maybe):
                missing = [word for word in given.words if word not in key.words]
                if missing and table.off == "refuse_at_load":
                    return self.wrong(say.missing_rows(found.span, name, missing))
                self._refer_rows(key, given)
                checked.append(found)
            else:
                checked.append(self.fitted(found, t.NUMBER if isinstance(key, t.Number) else key))
                # Where nothing is said of other keys, the gap in the rows is reported already.
                says = self.world.section("tables")[name].value
                said = isinstance(says, Mapping) and "off_the_rows" in says
                refuses = said and isinstance(key, t.Number) and table.off == "refuse"
                if refuses and isinstance(given, t.Number) and _on_no_row(table, len(checked) - 1, given):
                    return self.wrong(say.missing_rows(found.span, name, [_numbers_in_words(given)]))
        return ir.Lookup(name, tuple(checked), table.type, span)

    def _refer_rows(self, rows: t.Word, given: t.Word) -> None:
        """Note that rows of a table are named by the words of another list that it is looked up by."""
        for row, place in rows.where if rows.name != given.name else ():
            self.world.refer_to_word(place, given, row)


def _on_no_row(table: ir.Table, place: int, numbers: t.Number) -> bool:
    """Whether none of the numbers is on a row of a table, as its key at a place."""
    low, high = numbers.low, numbers.high
    rows = list(table.rows)
    for _ in range(place):
        rows = [inner for row in rows if not isinstance(row.value, ir.Formula) for inner in row.value]
    return all(
        (row.low is not None and high is not None and high < row.low)
        or (row.high is not None and low is not None and low > row.high)
        for row in rows
    )


def _numbers_in_words(kind: t.Number) -> str:
    """`7`, `7 to 9`, `7 or more`: what a number can be, as a row of a table is written."""
    if kind.low is None or kind.high is None:
        return f"{kind.low} or more" if kind.high is None else f"{kind.high} or less"
    return str(kind.low) if kind.low == kind.high else f"{kind.low} to {kind.high}"


def _listed(found: ir.Expr) -> ir.Expr:
    """A map as the list of its values; all else as it is."""
    kind = t.present(found.type)
    if not isinstance(kind, t.Map):
        return found
    values = t.List(t.present(kind.of), 0 if isinstance(kind.of, t.Maybe) else kind.least)
    return ir.Converted(found, "values", t.maybe(values) if isinstance(found.type, t.Maybe) else values, found.span)


def _column_type(found: t.Type, rows: int) -> t.Type:
    """The type of a column of so many values at least, as it is strung together; who lacks one is left out of it."""
    rows = 0 if isinstance(found, t.Maybe) else rows
    match kind := t.present(found):
        case t.Map(_, of, least):
            return t.List(t.present(of), 0 if isinstance(of, t.Maybe) else rows * least)
        case t.List(of, least):
            return t.List(of, rows * least)
        case t.Dice(least):
            return t.Dice(rows * least)
        case t.Roll(single=True):  # each reads as a number, as the elements of any list do
            return t.List(functions.element_of(kind), rows)
        case t.Roll(least):
            return replace(kind, least=rows * least)
    return t.List(kind, rows)


def _last(span: Span, name: str) -> Span:
    """The name at the end of `a.b.name`."""
    return Span(span.source, span.end - len(name), span.end)


def formed(found: ir.Expr, kind: t.Type) -> ir.Expr:
    """The value in the form that values of `kind` have: one die as a pool, a thrown die as its number."""
    wanted, given = t.present(kind), t.present(found.type)
    to, made = _form_of(given, wanted)
    if to is not None:
        return ir.Converted(found, to, t.maybe(made) if isinstance(found.type, t.Maybe) else made, found.span)
    if isinstance(wanted, t.Record) and isinstance(given, t.Record) and not isinstance(found.type, t.Maybe):
        fields = [
            (name, formed(ir.Field(found, name, given.field(name) or t.maybe(of), found.span), of))
            for name, of in wanted.fields
        ]
        if any(isinstance(one, (ir.Converted, ir.RecordLiteral)) for _, one in fields):
            return ir.RecordLiteral(tuple(fields), wanted, found.span)
    return found


def _form_of(given: t.Type, wanted: t.Type) -> tuple[str | None, t.Type]:
    """How a value is made to have the form of another type, and its type then; None where it has that form."""
    match wanted, given:
        case (t.Number(), t.Roll() | t.Thrown()):
            return "number", t.as_number(given)
        case t.Dice(), t.Die():
            return "dice", t.Dice(1)
        case t.Roll(), t.Thrown(parts, throws):
            return "dice", t.Roll(1, True, parts, throws)
        case t.Roll(), t.List(t.Thrown(parts, throws), least):  # one of each pass: together they are a roll
            return "dice", t.Roll(least, False, parts, throws)
        case t.List(wanted_of), t.List(of, least):
            to, made = _form_of(t.present(of), t.present(wanted_of))
            if to in ("number", "dice"):
                return f"each {to}", t.List(t.maybe(made) if isinstance(of, t.Maybe) else made, least)
    return None, given


def _of_something(kind: t.Type) -> t.Type:
    """The type of a collection; nothing says what `[]` is a list of, so it is one of numbers."""
    return t.List(t.NUMBER) if kind == t.List(t.ANYTHING) else kind


def _fewer(kind: t.Type) -> t.Type:
    fewer: Callable[[t.Type], t.Type] = functions.FUNCTIONS["without"].gives
    return fewer(kind)


def _head(span: Span, name: str) -> Span:
    """The name at the start of a call."""
    return Span(span.source, span.start, span.start + len(name))
