"""Inputs, fields, options, functions and record types: what is declared with a type."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.deciders import who_decides
from interpreter.checker.declared_names import check_name, check_value_name, check_words
from interpreter.checker.expressions import condition, formula
from interpreter.checker.expressions.texts import question
from interpreter.checker.known import ELEMENT, known_of
from interpreter.checker.per_word import value_or_value_by_word
from interpreter.checker.possible_answers import report_no_answer
from interpreter.checker.scope import Scope
from interpreter.checker.vocabulary import meanings_of, places_of, type_named, word_meanings
from interpreter.checker.world import World, text_at
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.by_word import formulas_by_word
from interpreter.syntax.document import Broken, Entry, Mapping, Node, Scalar, Sequence, entries_of, value_at
from interpreter.work_count import spend

OF_A_DECLARATION = 30
"""The units of work in which a declaration is checked."""


def declaration(world: World, entry: Entry, path: str, scope: Scope) -> ir.Declaration:
    """One declaration: `{type: number, from: 0, default: 2}`, or just `number`."""
    name, node = entry.key.text, entry.value
    if isinstance(node, Scalar):
        return ir.Declaration(
            name, type_named(world, node, path.startswith("kinds."), alone=True), path, entry.key.span
        )
    if not isinstance(node, Mapping):
        return ir.Declaration(name, t.ANYTHING, path, entry.key.span)
    for key in ("by", "minor", "ask", "shows"):
        if key in node and (what := _unasked_declaration(path)):
            world.problems.add(say.nobody_is_asked(node.key(key).span, key, what))
    if "formerly" in node and path.partition(".")[0] in _IN_NO_SAVE:
        world.problems.add(say.former_name_of_nothing(node.key("formerly").span))
    kind, meanings = stated_type(world, name, node, entry.key.span, path.startswith("kinds."))
    low, high = _bound_at(world, name, node, "from", scope), _bound_at(world, name, node, "to", scope)
    fewest, most = _bound_at(world, name, node, "least", scope), _bound_at(world, name, node, "most", scope)
    if isinstance(kind, t.Number):
        kind = t.Number(t.as_number(low.type).low if low else None, t.as_number(high.type).high if high else None)
    elif (low or high) and not isinstance(kind, t.Anything):
        span = node.key("from" if low else "to").span
        world.problems.add(say.wrong_type(span, "a declaration of a number", f"a declaration of {t.in_words(kind)}"))
    if isinstance(kind, t.List | t.Dice | t.Roll) and fewest and isinstance(fewest.body, ir.Constant):
        kind = replace(kind, least=max(fewest.body.value or 0, 0))
    optional = node.get("optional")
    is_optional = isinstance(optional, Scalar) and optional.text == "yes"
    default = value_or_value_by_word(world, name, node.by_key["default"], scope, kind) if "default" in node else None
    _check_default_within(world, kind, default)
    test = node.get("where")
    where = condition(world, test, replace(scope, die=None, element=kind)) if test is not None else None
    among = _values_among(world, node, scope, kind)
    if report_no_answer(world, node, kind, among, fewest, most):
        return ir.Declaration(name, t.ANYTHING, path, entry.key.span)
    return ir.Declaration(
        name,
        kind,
        path,
        entry.key.span,
        low,
        high,
        default,
        is_optional,
        where,
        text_at(node, "about"),
        tuple(meanings.items()),
        fewest,
        most,
        among,
        who_decides(world, by, scope) if (by := node.get("by")) is not None else None,
        question(world, node, scope),
        _text_of_answers(world, node, path, scope, kind),
        _where_it_is_minor(world, node, scope),
    )


def _values_among(world: World, node: Mapping, scope: Scope, kind: t.Type) -> ir.Formula | None:
    """The values among which one of a type must be; None where any may be."""
    said = node.get("among")
    if said is None:
        return None
    one = kind.of if isinstance(kind, t.List) else kind
    texts = t.List(one) if isinstance(one, t.Text) else None  # so that undeclared words are told as texts
    among = formula(world, said, scope, texts)
    if isinstance(among.type, t.Object):  # just this one
        body = ir.ListLiteral((among.body,), t.List(among.type, 1), among.span)
        among = replace(among, body=body, type=body.type)
    if not t.fits(among.type, t.List(t.NUMBER if isinstance(one, t.Number) else one)):
        world.problems.add(say.wrong_type(among.span, t.in_words(t.List(one)), t.in_words(among.type)))
    return among


def _where_it_is_minor(world: World, node: Mapping, scope: Scope) -> ir.Formula | None:
    """The condition under which an input is not asked for; it needs something to be in its place."""
    if "minor" in node and "default" not in node and "optional" not in node:
        world.problems.add(say.missing_key(node.key("minor").span, "default", "an input with `minor`"))
    said = node.get("minor")
    return condition(world, said, scope) if said is not None else None


def _text_of_answers(world: World, node: Mapping, path: str, scope: Scope, kind: t.Type) -> ir.Question:
    """What `shows` says beside each answer, which is `it`; of a list each element is an answer."""
    bounded = isinstance(kind, t.Number) and "from" in node and "to" in node
    listed = bounded or "among" in node or isinstance(kind, t.Object | t.Word | t.YesNo | t.Anything)
    if "shows" in node and not listed and not _unasked_declaration(path):
        world.problems.add(say.no_answers_to_show(node.key("shows").span, t.in_words(kind)))
    answer = kind.of if isinstance(kind, t.List) else kind
    return question(world, node, replace(scope, die=None, element=answer), "shows")


def _unasked_declaration(path: str) -> str | None:
    """What is declared at a path, if nobody is ever asked for it; an action may pass on the inputs of a mechanic."""
    section = path.partition(".")[0]
    if section == "actions" and path.endswith(".actor"):
        return "the actor, who is known before anybody is asked"
    return _NEVER_ASKED_FOR.get(section)


_IN_NO_SAVE = ("functions", "modifiers", "types")
"""The sections whose declarations no save names: a record has its fields in the values of others."""

_NEVER_ASKED_FOR = {
    "options": "an option",
    "types": "a field of a record",
    "functions": "what a function takes",
    "modifiers": "what a modifier takes",
    "events": "an input of an event, which its cause gives",
    "scenes": "an input of a scene",
}


def stated_type(
    world: World, name: str, node: Mapping, at: Span, of_a_thing: bool = False
) -> tuple[t.Type, dict[str, str]]:
    """The type that `type`, `list_of` or `one_of` of a node states, and what its words mean."""
    given = [key for key in ("type", "list_of", "one_of") if key in node]
    if len(given) != 1:
        if given:
            world.problems.add(say.two_types(at, name, given))
        else:
            world.problems.add(say.no_type_said(at, name, *(text_at(node, key) for key in ("default", "from", "to"))))
        return t.ANYTHING, {}
    value = node.get(given[0])
    if given[0] == "one_of":
        meanings = word_meanings(value) if value is not None else {}
        if not meanings and not isinstance(value, Broken):
            world.problems.add(say.empty_list_of(node.key("one_of").span, f"`{name}`"))
        if value is not None:
            check_words(world, value)
        return t.Word(name, tuple(meanings), where=places_of(value)), meanings
    if not isinstance(value, Scalar):
        return t.ANYTHING, {}
    kind = type_named(world, value, of_a_thing)
    names = world.section("names")
    words = meanings_of(world, "names", value.text) if value.text in names else {}
    return (t.List(kind) if given[0] == "list_of" else kind), words


def _bound_at(world: World, name: str, node: Mapping, key: str, scope: Scope) -> ir.Formula | None:
    return value_or_value_by_word(world, name, node.by_key[key], scope, t.NUMBER) if key in node else None


def _check_default_within(world: World, kind: t.Type, default: ir.Formula | None) -> None:
    each = formulas_by_word(default) if default is not None else None
    for one in each.values() if each is not None else ():
        _check_default_within(world, kind, one)
    if default is None or not isinstance(kind, t.Number) or not isinstance(default.body, ir.Constant):
        return
    value = default.body.value
    if kind.low is not None and kind.high is not None and kind.low > kind.high:
        return  # the bounds err, not the default
    if isinstance(value, int) and (
        (kind.low is not None and value < kind.low) or (kind.high is not None and value > kind.high)
    ):
        bounds = f"{value} is not within {kind.low if kind.low is not None else '…'} to " + (
            f"{kind.high}" if kind.high is not None else "…"
        )
        world.problems.add(say.default_outside(default.span, bounds))


def declarations(world: World, node: Node | None, path: str, scope: Scope) -> tuple[list[ir.Declaration], Scope]:
    """Declarations in order, each of which may read those before it, and the scope with all of them."""
    inputs: list[ir.Declaration] = []
    for entry in entries_of(node):
        spend(OF_A_DECLARATION)
        one = declaration(world, entry, f"{path}.{entry.key.text}", scope)
        inputs.append(one)  # under a name that it cannot have, too, so that whoever gives it is not told as well
        if check_value_name(world, entry.key):
            fitting = _fitting_words(world, one) if path.endswith(".inputs") else None  # of others, nothing checks it
            scope = scope.bound(one.name, value_type(one), entry.key.span, fitting)
    return inputs, scope


def _fitting_words(world: World, one: ir.Declaration) -> tuple[str, ...] | None:
    """The words of its list for which the `where` of a declaration may hold; None where all are."""
    kind = t.without_maybe(one.type)
    if one.where is None or not isinstance(kind, t.Word):
        return None
    return tuple(word for word in kind.words if known_of(world, one.where.body, {ELEMENT: word}) is not False)


def value_type(of: ir.Declaration) -> t.Type:
    """The type of the value that a declared name has in expressions."""
    return t.maybe(of.type) if of.optional and of.default is None else of.type


def check_option(world: World, entry: Entry) -> ir.Declaration:
    """`options.NAME`; it must have a default, so that a game can be played without setting it."""
    declared = declaration(world, entry, f"options.{entry.key.text}", Scope())
    check_name(world, entry.key)
    if declared.default is None and not isinstance(declared.type, t.Anything):
        world.problems.add(say.missing_key(entry.key.span, "default", "an option"))
    return declared


def check_record_type(world: World, entry: Entry) -> ir.RecordType:
    """`types.NAME`: the fields, and the one that a plain value sets."""
    node, name = entry.value, entry.key.text
    assert isinstance(node, Mapping)
    path = f"types.{name}"
    fields, _ = declarations(world, node.get("has"), f"{path}.has", Scope())
    written = node.get("written_as")
    written_as = written.text if isinstance(written, Scalar) else None
    where = {field.name: field.span for field in fields}
    if isinstance(written, Scalar) and written.text in where:
        world.references[written.span] = where[written.text]
    elif isinstance(written, Scalar):
        world.problems.add(say.unknown_field(written.span, f"`{name}`", written.text, where))
        written_as = say.nearest_name(written.text, where)
    kind = t.Record(name, tuple((field.name, value_type(field)) for field in fields), tuple(where.items()))
    return ir.RecordType(name, written_as, tuple(fields), kind, path)


def people_named(world: World, node: Node, key: str, others: Iterable[str]) -> tuple[str, ...]:
    """The roles and `others` that a name or a list of names under a key says."""
    named = value_at(node, key)
    items: tuple[Node | None, ...] = named.items if isinstance(named, Sequence) else (named,)
    words = [item for item in items if isinstance(item, Scalar)]
    known = [*world.section("roles"), *others]
    for word in words:
        world.refer(word.span, "roles", word.text)
        world.refer(word.span, "kinds", word.text)
        if word.text not in known:
            world.problems.add(say.not_a_role(word.span, word.text, known))
    return tuple(word.text for word in words)
