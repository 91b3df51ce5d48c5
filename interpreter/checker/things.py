"""Check objects written as data: those of the ruleset under `things`, and those that cases give and expect.

Names are resolved and plain values are checked against their types. Errors that need an evaluation, such as a bound
that reads another value, are found when the object is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Names
from types import MappingProxyType

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.attributes import attribute_entries, attribute_of, is_part_kind, single_kinds, things_of
from interpreter.checker.declarations import value_type
from interpreter.checker.declared_names import check_value_name
from interpreter.checker.effects import required_attributes
from interpreter.checker.expressions import formula
from interpreter.checker.former_names import name_of_now
from interpreter.checker.per_word import is_word, words_given
from interpreter.checker.scope import Binding, Bindings, Scope
from interpreter.checker.vocabulary import names_of_values
from interpreter.checker.world import World
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.ir import types as t
from interpreter.runtime.state import SCENE
from interpreter.syntax.document import (
    Broken,
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries_of,
    parse_whole_number,
    text_of,
    value_at,
)
from interpreter.syntax.names import NAME, WORD
from interpreter.work_count import spend

OF_A_THING = 30
"""The units of work in which a thing is checked."""

Things = Names[str, tuple[str, Span]]
"""The objects that may be named: their kinds, and the places of their names."""

UNKNOWN = ""
"""The kind of an object with an error, which suppresses follow-up diagnostics."""

_MADE = re.compile(rf"\b([^\W\d_]{WORD}*)_[1-9][0-9]*\b")
"""The form of the name of an object that a rule makes."""

_WHOSE = re.compile(rf"({NAME})(?:\.|$)")
"""A thing whose value an expression reads, or that it names."""

_NAME = re.compile(NAME)


def objects_of_ruleset(world: World) -> dict[str, tuple[str, Span]]:
    """The objects of the ruleset, which exist in every state."""
    objects = {name: (name, world.section("kinds")[name].key.span) for name in single_kinds(world)}
    for entry in (*world.section("scenes").values(),)[:1]:
        objects[SCENE] = (SCENE, entry.key.span)
    return objects | {name: (kind, entry.key.span) for name, (kind, entry) in things_of(world).items()}


def check_things(world: World) -> None:
    """Report errors in the objects of the ruleset, and kinds with one object whose attributes lack a default."""
    things = objects_of_ruleset(world)
    known = [
        name for name in world.section("kinds") if name not in single_kinds(world) and not is_part_kind(world, name)
    ]
    for kind, section in world.section("things").items():
        if kind in things_of(world) and section is things_of(world)[kind][1]:
            continue  # a thing in place of its kind, which was reported
        world.refer(section.key.span, "kinds", kind)
        if kind in world.section("kinds") and kind not in known:
            world.problems.add(say.bad_thing(section.key.span, kind, kind in single_kinds(world)))
        elif kind not in known:
            world.problems.add(say.unknown_of(section.key.span, "kind", kind, known))
        else:
            for entry in entries_of(section.value):
                spend(OF_A_THING)
                check_value_name(world, entry.key)
                check_thing(world, kind, entry.key, entry.value, things)
    for kind in single_kinds(world):
        for one in required_attributes(_attributes(world, kind).values()):
            span = one.declared.span
            world.problems.add(say.missing_key(span, "default", f"`{one.name}` of a kind of which there is one"))


def objects_before(
    world: World, node: Node | None, scene: Node | None = None, there: Names[str, str] = MappingProxyType({})
) -> dict[str, tuple[str, Span]]:
    """The objects in a case before its rule runs. Errors in how they are written are reported.

    `scene` is the name of the scene under way, if the case gives one, and `there` the kinds of objects that an earlier
    scene has left.
    """
    things = {name: (kind, NOWHERE) for name, kind in there.items()} | objects_of_ruleset(world)
    known = [
        name for name in world.section("kinds") if name not in single_kinds(world) and not is_part_kind(world, name)
    ]
    fresh: set[str] = set()
    for entry in entries_of(node):
        name, said = entry.key.text, value_at(entry.value, "is")
        like = value_at(entry.value, "like")
        if name == SCENE and name in things:
            _check_scene(world, entry.value, said or scene)
        elif isinstance(like, Scalar) and name not in things:
            if like.text in things:
                things[name] = (things[like.text][0], entry.key.span)
                world.references[like.span] = things[like.text][1]
            else:
                things[name] = (UNKNOWN, entry.key.span)
                world.problems.add(say.no_such_thing(like.span, like.text, things))
        elif name in things:
            world.references[entry.key.span] = things[name][1]
        elif not isinstance(said, Scalar):
            help_text = f"write `is:` with one of {', '.join(known)}" if known else None
            things[name] = (UNKNOWN, entry.key.span)
            world.problems.add(say.bad_state(entry.key.span, f"nothing says what `{name}` is", help_text))
        else:
            world.refer(said.span, "kinds", said.text)
            if said.text in known:
                things[name] = (said.text, entry.key.span)
                fresh.add(name)
            else:
                things[name] = (UNKNOWN, entry.key.span)
                world.problems.add(say.unknown_of(said.span, "kind", said.text, known))
    for entry in entries_of(node):
        if things[entry.key.text][0] is not UNKNOWN:
            whole = entry.key if entry.key.text in fresh else None
            check_thing(world, things[entry.key.text][0], whole, entry.value, things)
    return things


def _check_scene(world: World, node: Node, said: Node | None) -> None:
    """Report an unknown scene under way, and a missing one if there are several."""
    known = world.section("scenes")
    if isinstance(said, Scalar):
        world.refer(said.span, "scenes", said.text)
        if said.text not in known:
            world.problems.add(say.unknown_of(said.span, "scene", said.text, known))
    elif len(known) > 1:
        help_text = f"write `is:` with one of {', '.join(known)}"
        world.problems.add(say.bad_state(node.span, "nothing says which scene it is", help_text))


def check_thing(world: World, kind: str, key: Scalar | None, node: Node, things: Things) -> None:
    """Report unknown attributes of an object and values that do not fit; with `key`, missing attributes too."""
    has = _attributes(world, kind)
    given = set()
    for entry in entries_of(node):
        name = entry.key.text
        if name in ("is", "like", "title") and name not in has:
            continue
        one = has.get(name)
        given.add(name)
        if one is None:
            entries = attribute_entries(world, kind)
            now = name_of_now(entries, name)
            if now is not None:
                given.add(now)
                world.problems.add(say.field_of_former_name(entry.key.span, kind, name, now))
            elif name not in entries:
                world.problems.add(say.unknown_field(entry.key.span, f"`{kind}`", name, has))
            continue
        world.references[entry.key.span] = one.declared.span
        if one.derived is not None:
            world.problems.add(say.derived_is_given(entry.key.span, name))
        elif one.part is not None:
            _check_part(world, one.part, name, entry.value, things)
        elif one.per is not None:
            for _, value in words_given(world, one, entry, key is not None):
                check_value_fits(world, value, one.declared.type, one.name, things)
        else:
            check_value_fits(world, entry.value, _value_type(one), name, things)
    for one in required_attributes(has.values()):
        if key is not None and one.name not in given:
            world.problems.add(say.missing_key(key.span, one.name, f"`{key.text}`, which is a `{kind}`,"))


def _value_type(one: ir.HeldAttribute) -> t.Type:
    return one.type if one.counter else value_type(one.declared)


def _check_part(world: World, kind: str, name: str, node: Node, things: Things) -> None:
    if isinstance(node, Mapping):
        check_thing(world, kind, None, node, things)
        return
    section = world.section("kinds")[kind].value
    written = value_at(section, "written_as")
    one = attribute_of(world, kind, written.text) if isinstance(written, Scalar) else None
    if one is not None:
        check_value_fits(world, node, _value_type(one), name, things)
    elif not isinstance(node, Broken):
        wanted = f"write {', '.join(attribute_entries(world, kind))}"
        world.problems.add(say.not_that_type(node.span, name, f"a `{kind}`", node.span.text, wanted))


def check_value_fits(world: World, node: Node, kind: t.Type, name: str, things: Things) -> None:
    """Report a plain value that is not of a type, and record the names in it."""
    if isinstance(kind, t.Maybe):
        if not isinstance(node, Scalar) or node.text != "none":
            check_value_fits(world, node, kind.of, name, things)
        return
    text = text_of(node)
    wrong = say.not_that_type(node.span, name, t.in_words(kind), text or node.span.text)
    match kind:
        case t.Anything() | t.Text() | t.Record() | t.Roll():
            return
        case t.Object():
            _check_thing_name(world, node, kind.kind, name, things)
        case t.List(of) if isinstance(node, Sequence):
            for item in node.items:
                check_value_fits(world, item, of, name, things)
        case t.List() if not text.lstrip().startswith("["):
            world.problems.add(wrong)
        case t.List():
            return
        case t.YesNo() if text not in ("yes", "no"):
            world.problems.add(wrong)
        case t.Word() if isinstance(node, Scalar):
            world.refer_to_word(node.span, kind, text)
            if text not in kind.words:
                world.problems.add(say.unknown_word(node.span, text, kind.name, kind.words))
        case t.Number(low, high) if (number := parse_whole_number(text)) is not None:
            if (low is not None and number < low) or (high is not None and number > high):
                world.problems.add(say.out_of_bounds(node.span, name, number, low, high))
        case t.YesNo():
            return
        case _ if not isinstance(node, Scalar) or (isinstance(kind, t.Number) and _is_unknown_name(world, text)):
            if not isinstance(node, Broken):
                world.problems.add(wrong)
        case _:
            formula(world, node, Scope(), t.NUMBER if isinstance(kind, t.Number) else kind)


def _is_unknown_name(world: World, text: str) -> bool:
    return _NAME.fullmatch(text) is not None and text not in names_of_values(world)


def _check_thing_name(world: World, node: Node, kind: str, name: str, things: Things) -> None:
    """Check an object that is given by its name or written out in place."""
    if isinstance(node, Mapping):
        check_thing(world, kind, None, node, things)
    elif isinstance(node, Scalar) and node.text in things:
        kind_named, named = things[node.text]
        world.references[node.span] = named
        if kind_named not in (kind, UNKNOWN):
            world.problems.add(say.thing_of_another_kind(node.span, node.text, kind_named, kind))
    elif isinstance(node, Scalar) and not _has_short_form(world, kind) and "." not in node.text:
        fitting = [one for one, (of, _) in things.items() if of in (kind, UNKNOWN)]
        world.problems.add(say.no_such_thing(node.span, node.text, fitting))
    elif isinstance(node, Sequence):
        world.problems.add(say.not_that_type(node.span, name, f"a `{kind}`", node.span.text))


def _has_short_form(world: World, kind: str) -> bool:
    """Whether objects of a kind have a short form, a plain value."""
    node = world.section("kinds")[kind].value
    return isinstance(node, Mapping) and "written_as" in node


def values_after(world: World, node: Node | None, things: Things) -> Iterator[tuple[Node, t.Type]]:
    """Each value that a case expects in the state afterwards, with its type. Unknown names are reported."""
    book = objects_of_ruleset(world)
    names = {
        name: Binding(t.Object(kind) if kind is not UNKNOWN else t.ANYTHING, span)
        for name, (kind, span) in things.items()
        if name not in book
    }
    for entry in entries_of(node):
        made_meanwhile = {
            match.group(): Binding(t.Object(match[1]))
            for match in _MADE.finditer(entry.key.text)
            if match[1] in world.section("kinds") and match.group() not in names
        }
        made_meanwhile |= _object_of_rule(world, entry.key.text, things)
        scope = Scope(Bindings.of({**made_meanwhile, **names}))
        expression = formula(world, entry.key, scope)
        kind = t.without_maybe(expression.type)
        if not isinstance(entry.value, Mapping):
            yield entry.value, expression.type
            continue
        if isinstance(kind, t.Map):
            yield from _word_values_after(world, kind, entry.value)
            continue
        for inner in entries_of(entry.value):
            named = _NAME.match(inner.key.text)
            if not isinstance(kind, t.Object) or named is None:
                continue
            one = attribute_of(world, kind.kind, named.group())
            if one is None:
                if named.group() not in attribute_entries(world, kind.kind):
                    has = attribute_entries(world, kind.kind)
                    world.problems.add(say.unknown_field(inner.key.span, f"`{kind.kind}`", named.group(), has))
                continue
            quote = 1 if inner.key.style else 0
            world.references[inner.key.span.part(quote, quote + named.end())] = one.declared.span
            if one.per is not None:
                for word in _NAME.finditer(inner.key.text, named.end()):
                    place = inner.key.span.part(quote + word.start(), quote + word.end())
                    world.refer_to_word(place, one.per, word.group())
            if isinstance(one.type, t.Map) and isinstance(inner.value, Mapping):
                yield from _word_values_after(world, one.type, inner.value)
                continue
            yield inner.value, one.type if named.end() == len(inner.key.text) else t.ANYTHING


def _word_values_after(world: World, kind: t.Map, node: Mapping) -> Iterator[tuple[Node, t.Type]]:
    """The values that a case expects afterwards of some words, with their type. Unknown words are reported."""
    for entry in node.entries:
        if isinstance(kind.key, t.Word):
            is_word(world, kind.key, entry.key)
        yield entry.value, kind.of


def _object_of_rule(world: World, text: str, things: Things) -> dict[str, Binding]:
    """The thing at the beginning of an expression, if no other has its name and a rule may make and name it."""
    match = _WHOSE.match(text)
    if not world.named_kinds or match is None:
        return {}
    known = {SCENE, *things, *names_of_values(world), *single_kinds(world)}
    if match[1] in known or say.nearest_name(match[1], known, sure=True):
        return {}
    kinds = tuple(world.named_kinds)
    return {match[1]: Binding(t.Object(kinds[0]) if len(kinds) == 1 else t.ANYTHING)}


def _attributes(world: World, kind: str) -> dict[str, ir.HeldAttribute]:
    attributes = {name: attribute_of(world, kind, name) for name in attribute_entries(world, kind)}
    return {name: one for name, one in attributes.items() if one is not None}
