"""Values for each word of a list: `to: {pistol: 6, rifle: 30}` beside `per: weapon`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from collections.abc import Mapping as Names
from functools import reduce

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.expressions import formula, formula_or_text
from interpreter.checker.scope import Scope
from interpreter.checker.world import World
from interpreter.ir import types as t
from interpreter.syntax.document import Broken, Entry, Mapping, Node, Scalar


def words_of(scope: Scope) -> t.Word | None:
    """The list of the word that the formulas of an attribute with `per` may read in a scope; None without `per`."""
    bound = scope.names.get(ir.WORD) if scope.owner is not None else None
    return bound.type if bound is not None and isinstance(bound.type, t.Word) else None


def value_or_value_by_word(world: World, name: str, entry: Entry, scope: Scope, expected: t.Type) -> ir.Formula:
    """The value under a key of the attribute of a name: an expression, or one for each word."""
    node, words = entry.value, words_of(scope)
    if not isinstance(node, Mapping):
        return formula_or_text(world, node, scope, expected)
    if words is None:
        if isinstance(expected, (t.Number, t.YesNo, t.Word)):
            world.problems.add(say.value_not_by_word(node.span, name))
            return _missing_value(node)
        return formula(world, node, scope, expected)
    return _formula_by_word(world, name, entry, node, words, scope, expected)


def _formula_by_word(
    world: World, name: str, entry: Entry, node: Mapping, words: t.Word, scope: Scope, expected: t.Type
) -> ir.Formula:
    """One formula that reads the word: `a if word == pistol else b`."""
    formulas: dict[str, tuple[Entry, ir.Formula]] = {}
    for each in node.entries:
        expression = formula_or_text(world, each.value, scope, expected)
        if is_word(world, words, each.key):
            formulas[each.key.text] = each, expression
    missing = [word for word in words.words if word not in formulas]
    if missing and len(formulas) == len(node.entries):
        world.problems.add(say.word_is_missing(entry.key.span, entry.key.text, name, missing))
    if missing or not formulas:
        return _missing_value(node)
    kind = reduce(lambda one, other: t.union(one, other) or t.ANYTHING, [made.type for _, made in formulas.values()])
    return _chain_of_conditions(node, words, formulas, kind)


def _chain_of_conditions(
    node: Mapping, words: t.Word, formulas: Names[str, tuple[Entry, ir.Formula]], kind: t.Type
) -> ir.Formula:
    (_, last), *others = reversed(list(formulas.values()))
    body, tree, refs, resolved = last.body, last.tree, last.refs, dict(last.resolved)
    for entry, made in others:
        word, at = entry.key.text, entry.key.span
        same = ir.Relation("==", ir.Local(ir.WORD, words, at), ir.Constant(word, words, at), None, t.YES_NO, at)
        body = ir.Conditional(same, made.body, body, kind, node.span)
        named = ast.Constant(word)
        test = ast.Compare(ast.Name(ir.WORD), [ast.Is()], [named])
        assert tree is not None and made.tree is not None, "what is checked was parsed"
        tree = ast.IfExp(test, made.tree, tree)
        refs, resolved = refs | made.refs, {**resolved, **made.resolved, id(tree): kind}
    return ir.Formula(body, kind, node.span, refs, tree, resolved)


def _missing_value(node: Node) -> ir.Formula:
    body = ir.Constant(None, t.ANYTHING, node.span)
    return ir.Formula(body, body.type, node.span, tree=ast.Constant(None))


def values_by_key(world: World, one: ir.HeldAttribute, entry: Entry) -> Iterator[tuple[Scalar | None, Node]]:
    """What is written under the name of points: one amount, or an amount for each key, which is then a word or an
    expression that is one. Slips are reported."""
    name, node = entry.key.text, entry.value
    if one.per is None:
        if isinstance(node, Mapping):
            if not isinstance(one.type, t.Anything):
                world.problems.add(say.value_not_by_word(node.span, name))
        else:
            yield None, node
    elif isinstance(node, Mapping):
        yield from ((each.key, each.value) for each in node.entries)
    elif not isinstance(node, Broken):
        word = one.per.words[0] if one.per.words else "…"
        world.problems.add(say.word_not_given(node.span, name, f"{name}: {{{word}: {node.span.text}}}"))


def is_word(world: World, words: t.Word, key: Scalar) -> bool:
    """Whether a key is a word of a list; it is reported if not."""
    world.refer_to_word(key.span, words, key.text)
    if key.text not in words.words:
        world.problems.add(say.unknown_word(key.span, key.text, words.name, words.words))
    return key.text in words.words


def words_given(world: World, one: ir.HeldAttribute, entry: Entry, whole: bool = True) -> Iterator[tuple[str, Node]]:
    """The values that are given to an attribute with `per`, by word. Slips are reported, of a `whole` attribute also a
    word that has no value and no start."""
    assert one.per is not None, "the attribute has a value for each word"
    node, words = entry.value, one.per
    if not isinstance(node, Mapping):
        if not isinstance(node, Broken):
            instead = say.value_of_each(words.words, node.span.text)
            world.problems.add(say.not_that_type(node.span, one.name, t.in_words(one.type), node.span.text, instead))
        return
    for each in node.entries:
        if is_word(world, words, each.key):
            yield each.key.text, each.value
    missing = [word for word in words.words if word not in node]
    if whole and missing and not one.counter and one.declared.required:
        world.problems.add(say.word_is_missing(entry.key.span, None, one.name, missing))
