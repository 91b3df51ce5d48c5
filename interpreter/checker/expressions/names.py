"""Check names: local names, words, fields, columns, attributes of objects, entries of maps, and options."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.attributes import attribute_entries, path_of_attribute, scene_lacks, type_of_attribute
from interpreter.checker.expressions.coercions import as_list
from interpreter.checker.expressions.expression_checker import ExpressionChecker
from interpreter.checker.scope import Scope
from interpreter.checker.vocabulary import (
    face_symbols,
    face_type_of,
    lists_with_word,
    names_of_values,
    tag_words,
    value_named,
)
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.passes import name_before
from interpreter.runtime import functions
from interpreter.runtime.state import SCENE
from interpreter.syntax.dice_notation import dice_terms
from interpreter.syntax.document import Scalar
from interpreter.syntax.expression_parser import span_of

DIE_WORDS = ("face", "value", "size", "part", "tags")


def narrow_type(checker: ExpressionChecker, expr: ir.Expr, scope: Scope) -> ir.Expr:
    """The value with its type narrowed by the conditions around it."""
    path = bounds.path_of(expr)
    fact = scope.facts.get(path) if path else None
    if bounds.UNKNOWN in scope.facts and (isinstance(expr.type, t.Maybe) or t.least_length(expr.type) == 0):
        fact = t.ANYTHING if isinstance(expr.type, (t.Maybe, t.Dice, t.Roll, t.List)) else fact
    if fact is None or isinstance(expr.type, t.Anything):
        return expr
    match expr:
        case ir.Local(name):
            return ir.Local(name, fact, expr.span)
        case ir.Field(of, name):
            return ir.Field(of, name, fact, expr.span)
        case ir.Attribute(of, kind, name):
            return ir.Attribute(of, kind, name, fact, expr.span)
        case ir.Element():
            return ir.Element(fact, expr.span)
        case ir.MapEntry(of, key):
            return ir.MapEntry(of, key, fact, expr.span, expr.sure)
        case ir.Builtin() if isinstance(expr.type, t.Maybe):
            return replace(expr, type=fact)
    return expr


def check_name_read(
    checker: ExpressionChecker, node: ast.expr, name: str, scope: Scope, expected: t.Type | None, span: Span
) -> ir.Expr:
    if isinstance(expected, t.Word) and name in expected.words and name not in scope.names:
        return check_word(checker, node, name, expected, span)
    if name == "base" and checker.base is not None and name not in scope.names:
        checker.world.base_places.add(span)
        return _replaced_expression(checker, node, checker.base, scope, expected)
    if scope.die is not None and (name in DIE_WORDS or name in face_symbols(checker.world)):
        return _die_word(checker, scope.die, name, span)
    if name == "it":
        if scope.element is None:
            return checker.error(_no_element_error(checker, scope, span))
        return ir.Element(scope.element, span)
    binding = scope.names.get(name)
    if binding and not (
        isinstance(expected, t.Word) and name in expected.words and not t.fits(t.without_maybe(binding.type), expected)
    ):
        checker.world.references[span] = binding.span
        return ir.Local(name_before(name) if binding.carried else name, binding.type, span)
    if isinstance(expected, t.Word) and name in expected.words:
        return check_word(checker, node, name, expected, span)
    if scope.owner is not None and name in attribute_entries(checker.world, scope.owner.kind):
        checker.resolved[id(node)] = ir.OwnAttribute(scope.owner.kind, name)
        return _attribute_of_object(checker, ir.Local("owner", scope.owner, span), name, span, scope)
    if _names_list_instead_of_word(name, scope, expected):
        return checker.error(say.list_instead_of_word(span, name))
    value = value_named(checker.world, name)
    if value is not None:
        checker.refs.add(value.path)
        checker.world.refer(span, value.path.split(".")[0], name)
        checker.resolved[id(node)] = value.value
        return ir.Constant(value.value, value.type, span)
    if isinstance(expected, t.Word) and expected.words:
        return checker.error(_unknown_word(checker, span, name, expected, scope))
    lists = lists_with_word(checker.world, name)
    if expected is None and len({kind.name for kind in lists}) == 1:
        return check_word(checker, node, name, lists[0], span)
    if expected is None and lists:
        return checker.error(say.ambiguous_word(span, name, (kind.name for kind in lists)))
    if name in DIE_WORDS:
        return checker.error(say.slot_word_outside(span, name, _field_of_element(checker, scope, name)))
    if name in scope.later:
        return checker.error(_slip_of_later_step(scope, name, span))
    if name == "base":
        return checker.error(say.base_outside_change(span))
    # An earlier error may have hidden the expected type; the name may be one of its words.
    if name in checker.world.strays or isinstance(expected, t.Anything):
        return ir.Constant(None, t.ANYTHING, span)
    if name in functions.FUNCTIONS or name in functions.FORMS or name in checker.world.function_names:
        return checker.error(say.function_not_called(span, name))
    if lists and isinstance(t.without_maybe(expected) if expected else None, t.YesNo):
        return checker.error(say.word_as_condition(span, name, lists[0].name))
    if isinstance(t.without_maybe(expected) if expected else None, t.Number) and say.is_truth(name):
        return checker.error(say.wrong_type(span, "a number", f"`{name}`"))
    own = attribute_entries(checker.world, scope.owner.kind) if scope.owner is not None else ()
    known = [*scope.names, *own, *names_of_values(checker.world), "options"]
    if isinstance(expected, t.List) and isinstance(expected.of, t.Word) and name in expected.of.words:
        return checker.error(say.unknown_name(span, name, known, say.list_hint(name, expected.of.name)))
    return checker.error(say.unknown_name(span, name, known, _slip_of_other_place(checker, scope, name, span)))


def _names_list_instead_of_word(name: str, scope: Scope, expected: t.Type | None) -> bool:
    """Whether a name is the list of an attribute with `per`, in a place where its word is meant."""
    each = scope.names.get(ir.WORD) if scope.owner is not None else None
    listed = each is not None and isinstance(each.type, t.Word) and each.type.name == name
    return listed and isinstance(expected, t.Word | t.Number)


def _field_of_element(checker: ExpressionChecker, scope: Scope, name: str) -> str | None:
    """How an element that `where` or `by` reads has what stands there as a plain name, None if it has none of it."""
    if scope.element is None:
        return None
    kind = t.without_maybe(scope.element)
    if isinstance(kind, t.Number):
        return "it" if name in ("face", "value") else None
    if name == "value" and isinstance(kind, t.Record):  # of a throw
        name = "counts"
    return f"it.{name}" if field_type(checker.world, kind, name) is not None else None


def _no_element_error(checker: ExpressionChecker, scope: Scope, span: Span) -> Diagnostic:
    """The slip of `it` where no list is read element by element."""
    field = say.field_after(span)
    if scope.die is not None:
        return say.slot_word_outside(span, "it", field if field in DIE_WORDS else "face")
    owners = _names_with_field(checker, scope, field) if field else []
    return say.slot_word_outside(span, "it", f"{owners[0]}.{field}" if owners else None)


def _slip_of_later_step(scope: Scope, name: str, span: Span) -> Diagnostic:
    """The slip of an expression that reads a step below it, or its own."""
    where = scope.later[name]
    if name not in scope.within:
        return say.later_name(span, name, where)
    earlier = scope.names.get("earlier")
    passes = earlier.type.of if earlier and isinstance(earlier.type, t.List) else None
    if not isinstance(passes, t.Record):
        return say.own_name(span, name, where, None)
    was = passes.field(name)
    if was is None:
        return say.own_name(
            span, name, where, say.hint_of_results_so_far(span, name, (one for one, _ in passes.fields))
        )
    begun = t.example(t.without_maybe(was)) or "0"
    in_a_throw = "face" in scope.names
    return say.own_name(
        span, name, where, say.hint_of_value_before(name, begun) if in_a_throw else say.hint_to_carry(name, begun)
    )


def _slip_of_other_place(checker: ExpressionChecker, scope: Scope, name: str, span: Span) -> str | None:
    """What a name that is not defined here is in another place, and how it is read there."""
    world = checker.world
    if name in world.option_names:
        return say.option_hint(name)
    of_element = _field_of_element(checker, scope, name)
    if of_element is not None:
        return say.owners_hint(["it"], name)
    owners = _names_with_field(checker, scope, name)
    if owners:
        return say.owners_hint(owners, name)
    if name in _OUTSIDE and (read := say.field_after(span)) in scope.names:
        return say.hint_to_read_alone(str(read))
    if name in world.table_names:
        return say.table_hint(name, re.search(r"\broll:\s*$", span.source.text[: span.start]) is not None)
    field = say.field_after(span)
    if name == "things" or name in world.section("kinds"):
        owners = _names_with_field(checker, scope, field) if field else []
        if owners and field:
            return say.owners_hint(owners, field)
        return say.kind_hint(name) if name != "things" else say.NO_LIST_OF_THINGS
    if name in world.section("mechanics"):
        return say.mechanic_hint(name)
    return say.dice_by_number(name, scope.names) or next((term.help for term in dice_terms(name)), None)


_OUTSIDE = ("inputs", "input", "steps", "step", "this", "self", "args", "params", "values", "context", "ctx", "results")
"""What other tools write before the name of an input or a step."""


def _names_with_field(checker: ExpressionChecker, scope: Scope, field: str) -> list[str]:
    """The names here whose values have a field or an attribute of this name."""
    return [
        known for known, binding in scope.names.items() if _has_field(checker, t.without_maybe(binding.type), field)
    ]


def _has_field(checker: ExpressionChecker, kind: t.Type, name: str) -> bool:
    if isinstance(kind, t.Object):
        return name in attribute_entries(checker.world, kind.kind)
    return isinstance(kind, t.Record) and name in dict(kind.fields)


def _replaced_expression(
    checker: ExpressionChecker, node: ast.expr, former: Scalar, scope: Scope, expected: t.Type | None
) -> ir.Expr:
    """`base`: the expression that a house rule replaces with this one."""
    inner = ExpressionChecker(checker.world, former.span, checker.check)
    body, tree = inner.document_node(former, scope, expected)
    checker.refs |= inner.refs
    checker.resolved[id(node)] = ir.Formula(body, body.type, former.span, frozenset(), tree, inner.resolved)
    return body


def _unknown_word(checker: ExpressionChecker, span: Span, name: str, expected: t.Word, scope: Scope) -> Diagnostic:
    if say.nearest_name(name, expected.words) is None and say.nearest_name(name, scope.names):
        return say.unknown_name(span, name, scope.names)
    return say.unknown_word(span, name, expected.name, expected.words)


def check_word(checker: ExpressionChecker, node: ast.expr, name: str, of: t.Word, span: Span) -> ir.Expr:
    checker.resolved[id(node)] = name
    checker.world.refer_to_word(span, of, name)
    return ir.Constant(name, of, span)


def _die_word(checker: ExpressionChecker, of: t.Type, name: str, span: Span) -> ir.Expr:
    kind = field_type(checker.world, of, name)
    if kind is None:
        return checker.error(say.unknown_field(span, t.in_words(of), name, field_names(checker.world, of)))
    return ir.DieField(name, kind, span)


def check_attribute(
    checker: ExpressionChecker, node: ast.expr, of: ast.expr, name: str, scope: Scope, span: Span
) -> ir.Expr:
    if isinstance(of, ast.Name) and of.id == "options" and "options" not in scope.names:
        return _option(checker, name, span)
    inner = checker.expression(of, scope, None)
    kind = t.without_maybe(inner.type)
    if isinstance(kind, t.Anything):
        return checker.untyped_node(inner, span)
    if isinstance(kind, t.Roll) and name in kind.parts.words:
        checker.resolved[id(node)] = "part"
        checker.world.refer_to_word(_span_of_last_name(span, name), kind.parts, name)
        most = (kind.most[kind.parts.words.index(name)],) if kind.most is not None else None
        some = replace(kind, least=t.fewest_of(kind, name), single=False, parts=t.NO_PARTS, most=most, fewest=None)
        return ir.RollPart(inner, name, t.maybe(some) if isinstance(inner.type, t.Maybe) else some, span)
    if isinstance(kind, t.Object):
        return _attribute_of_object(checker, inner, name, span, scope)
    if isinstance(kind, t.Map):
        if isinstance(kind.key, t.Word) and field_type(checker.world, t.without_maybe(kind.of), name) is None:
            return checker.error(say.entry_with_a_dot(_span_of_last_name(span, name), inner.span.text, name))
        checker.resolved[id(node)] = {"of the values"}
        inner = as_list(inner)
        kind = t.without_maybe(inner.type)
    if isinstance(kind, (t.Roll, t.Dice, t.List)):
        element = functions.element_of(kind)
        if isinstance(element, t.Anything):
            return checker.untyped_node(inner, span)
        kind_of_field = field_type(checker.world, t.without_maybe(element), name)
        if kind_of_field is None:
            single = t.in_words(t.without_maybe(element))
            known = field_names(checker.world, t.without_maybe(element), kind)
            return checker.error(
                say.unknown_field(_span_of_last_name(span, name), single, name, known, of_several=True)
            )
        _refer_to_field(checker, t.without_maybe(element), name, span)
        maps = isinstance(t.without_maybe(kind_of_field), t.Map)
        if maps:
            checker.resolved[id(node)] = {*checker.resolved.get(id(node), ()), "of maps"}
        of_each = ir.Column(inner, name, _column_type(kind_of_field, kind.least), span, maps)
        checker.world.die_uses.add_column(of_each)
        column: ir.Field | ir.Column = of_each
    else:
        kind_of_field = field_type(checker.world, kind, name)
        if kind_of_field is None:
            return checker.error(
                say.unknown_field(
                    _span_of_last_name(span, name), t.in_words(kind), name, field_names(checker.world, kind)
                )
            )
        _refer_to_field(checker, kind, name, span)
        column = ir.Field(inner, name, kind_of_field, span)
    if isinstance(inner.type, t.Maybe):
        return replace(column, type=t.maybe(column.type))
    return column


def _attribute_of_object(checker: ExpressionChecker, inner: ir.Expr, name: str, span: Span, scope: Scope) -> ir.Expr:
    """An attribute of an object."""
    of = t.without_maybe(inner.type)
    assert isinstance(of, t.Object)
    kind = type_of_attribute(checker.world, of.kind, name)
    if kind is None:
        known = attribute_entries(checker.world, of.kind)
        return checker.error(say.unknown_field(_span_of_last_name(span, name), t.in_words(of), name, known))
    _refer_to_field(checker, of, name, span)
    checker.refs.add(path_of_attribute(checker.world, of.kind, name))
    if of.kind == SCENE and scene_lacks(checker.world, name, scope.scene):
        kind = t.maybe(kind)
    if isinstance(kind, t.Anything):
        return ir.Constant(None, kind, span)
    return ir.Attribute(inner, of.kind, name, t.maybe(kind) if isinstance(inner.type, t.Maybe) else kind, span)


def check_map_entry(
    checker: ExpressionChecker, node: ast.Call, of: ast.expr, arguments: list[ast.expr], scope: Scope, span: Span
) -> ir.Expr:
    """`actor.skills(swords)`: the value of a map at a key."""
    entries = checker.expression(of, scope, None)
    kind = t.without_maybe(entries.type)
    if isinstance(kind, t.Anything):
        return ir.Constant(None, t.ANYTHING, span)
    if not isinstance(kind, t.Map):
        return checker.error(say.unknown_function(span_of(of, checker.near), entries.span.text, ()))
    if len(arguments) != 1:
        return checker.error(say.wrong_count(span, entries.span.text, "1 key", len(arguments)))
    key = checker.expression_as(arguments[0], scope, kind.key)
    if isinstance(key.type, t.Anything):
        checker.resolved[id(node)] = "entry"
        return ir.Constant(None, t.ANYTHING, span)
    whole = isinstance(kind.key, t.Word) and kind.least == len(kind.key.words)
    missing = isinstance(entries.type, t.Maybe) or (id(node) in checker.may_lack and not whole)
    may_be_gone = not whole or isinstance(kind.of, t.Object)
    sure = may_be_gone and not (missing or isinstance(kind.of, t.Maybe))
    checker.resolved[id(node)] = "sure entry" if sure else "entry"
    return ir.MapEntry(entries, key, t.maybe(kind.of) if missing else kind.of, span, sure)


def allow_missing_entry(checker: ExpressionChecker, node: ast.expr) -> None:
    """Let an entry be missing from its map, since `otherwise` or `given(…)` handles a missing value."""
    while isinstance(node, ast.Attribute):
        node = node.value
    if isinstance(node, ast.Call):
        checker.may_lack.add(id(node))


def _refer_to_field(checker: ExpressionChecker, of: t.Type, name: str, span: Span) -> None:
    if isinstance(of, t.Object):
        entry = attribute_entries(checker.world, of.kind).get(name)
        if entry is not None:
            checker.world.references[_span_of_last_name(span, name)] = entry.key.span
        return
    if isinstance(of, t.ThrownDie):
        of = of.throws
    named = of.named_at(name) if isinstance(of, t.Record) else None
    if named is not None:
        checker.world.references[_span_of_last_name(span, name)] = named


def _option(checker: ExpressionChecker, name: str, span: Span) -> ir.Expr:
    option = checker.world.option(name)
    if option is None and name in checker.world.option_names:
        return ir.Constant(None, t.ANYTHING, span)
    if option is None:
        return checker.error(say.unknown_of(_span_of_last_name(span, name), "option", name, checker.world.option_names))
    checker.refs.add(option.path)
    checker.world.inlinable += 1
    checker.world.refer(_span_of_last_name(span, name), "options", name)
    return ir.Option(name, option.type, span)


def field_type(world: World, of: t.Type, name: str) -> t.Type | None:
    """The type of a field of a value; None if it has none of that name."""
    tags = t.List(tag_words(world))
    match of:
        case t.Record():
            return of.field(name)
        case t.Object(kind):
            return type_of_attribute(world, kind, name)
        case t.DiceCode():
            of_code: dict[str, t.Type] = {"dice": t.Dice(), "pips": t.NUMBER}
            return of_code.get(name)
        case t.SingleDie():
            of_die: dict[str, t.Type] = {"size": t.Number(1), "tags": tags}
            return of_die.get(name)
        case t.ThrownDie(parts, throws):
            each = throws.field(name)
            if each is not None:
                return each
            own = (("face", t.NUMBER), ("nth", t.Number(1)), ("counts", t.NUMBER))
            throw = t.Record("throw", (*own, *throws.fields), throws.where)
            fields: dict[str, t.Type] = {
                "face": face_type_of(world),
                "value": t.NUMBER,
                "size": t.Number(1),
                "tags": tags,
                "throws": t.List(throw, 1),
                "part": parts,
                **{symbol: t.Number(0) for symbol in face_symbols(world)},
            }
            return fields.get(name)
    return None


def field_names(world: World, of: t.Type, whole: t.Type | None = None) -> list[str]:
    """The names of the fields of a value; of an element of a roll, those of the parts of `whole` too."""
    parts = list(whole.parts.words) if isinstance(whole, t.Roll) else []
    match of:
        case t.Record():
            return [name for name, _ in of.fields]
        case t.Object(kind):
            return list(attribute_entries(world, kind))
        case t.DiceCode():
            return ["dice", "pips"]
        case t.SingleDie():
            return ["size", "tags"]
        case t.ThrownDie(_, throws):
            each = [name for name, _ in throws.fields]
            return [*parts, "face", "value", "size", "tags", "throws", "part", *each, *face_symbols(world)]
    return parts


def _column_type(found: t.Type, rows: int) -> t.Type:
    """The type of a column of at least `rows` values, concatenated into one list; missing values are left out."""
    rows = 0 if isinstance(found, t.Maybe) else rows
    match kind := t.without_maybe(found):
        case t.Map(_, of, least):
            return t.List(t.without_maybe(of), 0 if isinstance(of, t.Maybe) else rows * least)
        case t.List(of, least):
            return t.List(of, rows * least)
        case t.Dice(least):
            return t.Dice(rows * least)
        case t.Roll(single=True):  # each reads as a number, as the elements of any list do
            return t.List(functions.element_of(kind), rows)
        case t.Roll(least):
            return replace(kind, least=rows * least, most=None, fewest=None)
    return t.List(kind, rows)


def _span_of_last_name(span: Span, name: str) -> Span:
    """The name at the end of `a.b.name`."""
    end = len(span.text)
    return span.part(end - len(name), end)
