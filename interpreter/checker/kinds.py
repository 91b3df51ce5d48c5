"""Check kinds: the attributes of their objects, and the steps that run when a track is full or points are gone.

An attribute is checked when it is first used, so that a derived value may read any other. The steps of a kind may
cause events that take objects of that kind, so they are checked last.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Names
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.attributes import (
    attribute_entries,
    attribute_of,
    is_part_kind,
    path_of_attribute,
    single_kinds,
)
from interpreter.checker.call_arguments import EnclosingRule
from interpreter.checker.declarations import declaration, people_named
from interpreter.checker.declared_names import check_name, check_value_name
from interpreter.checker.expressions import formula
from interpreter.checker.mechanics import requirements
from interpreter.checker.per_word import value_or_value_by_word
from interpreter.checker.scope import Binding, Bindings, Scope
from interpreter.checker.steps import check_steps
from interpreter.checker.vocabulary import type_named, word_list
from interpreter.checker.world import World, text_at
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.by_word import formulas_by_word
from interpreter.ir.traversal import nodes_under
from interpreter.runtime.state import SCENE
from interpreter.syntax.document import Entry, Mapping, Scalar, items_of, text_of
from interpreter.syntax.fixed_words import EVERYBODY, SPANS

COUNTERS = ("points", "track")


def owner_scope(kind: str) -> Scope:
    """The scope of formulas of a kind: `owner` is the object, and its attributes are defined by their plain names."""
    owner = t.Object(kind)
    return Scope(Bindings.of({"owner": Binding(owner)}), owner=owner)


def attribute(world: World, kind: str, entry: Entry) -> ir.HeldAttribute:
    """One entry of `has`, without the steps that run at its bounds."""
    name, node = entry.key.text, entry.value
    path = path_of_attribute(world, kind, name)
    check_value_name(world, entry.key)
    scope = owner_scope(kind)
    if path.startswith("scenes."):
        scope = replace(scope, scene=path.split(".")[1])
    per = _words_of_attribute(world, node) if isinstance(node, Mapping) else None
    if per is not None and per.words:
        scope = scope.bound(ir.WORD, per)
    if ".inputs." in path and path.startswith("scenes."):
        return _scene_input(world, entry, path, scope)
    if not isinstance(node, Mapping):
        declared = declaration(world, entry, path, scope)
        return ir.HeldAttribute(declared, declared.type, part=_kind_of_part(world, declared.type))
    if "is" in node:
        return _derived_attribute(world, name, path, entry, node, scope, per)
    if _word_at(node, "type") in COUNTERS:
        return _counter(world, name, path, entry, node, scope, per)
    for key in ("length", "past_full", "when_full", "when_hit_full", "when_empty", "starts"):
        if key in node:
            world.problems.add(say.key_only_for_counters(node.key(key).span, key))
    if (part := _word_at(node, "type")) in world.section("kinds") and is_part_kind(world, part):
        refused = [key for key in ("default", "optional", "per") if key in node]
        if refused:
            return _refused_part(world, entry, path, part, refused)
    declared = declaration(world, entry, path, scope)
    held = _lasting_type(declared.type)
    kind_of = held if declared.default is not None or not declared.optional else t.maybe(held)
    if per is not None and isinstance(t.without_maybe(kind_of), t.List):
        world.problems.add(say.list_per_word(entry.key.span, name, per.name))
    return ir.HeldAttribute(
        declared, _type_by_word(per, kind_of), part=_kind_of_part(world, declared.type), per=per,
        lasts=_lasting_span(world, node), seen_by=_who_may_see(world, node),
        bookkeeping=_word_at(node, "bookkeeping") == "yes",
    )  # fmt: skip


def _type_by_word(per: t.Word | None, kind: t.Type) -> t.Type:
    """The type of a value, or of one for each word."""
    return t.Map(per, kind, len(per.words)) if per is not None else kind


def _scene_input(world: World, entry: Entry, path: str, scope: Scope) -> ir.HeldAttribute:
    """An input of a scene as its attribute; the caller gives the value, so it has no default here."""
    declared = declaration(world, entry, path, scope)
    return ir.HeldAttribute(replace(declared, default=None, optional=True), _lasting_type(declared.type))


def _lasting_type(kind: t.Type) -> t.Type:
    """The type of a value that lasts: a list loses elements that are drawn, taken, removed or destroyed."""
    return replace(kind, least=0) if isinstance(kind, t.List) else kind


def _kind_of_part(world: World, kind: t.Type) -> str | None:
    return kind.kind if isinstance(kind, t.Object) and is_part_kind(world, kind.kind) else None


def _refused_part(world: World, entry: Entry, path: str, kind: str, keys: list[str]) -> ir.HeldAttribute:
    """A part with keys that no part has; each is reported, and one for each word passes for anything."""
    name = entry.key.text
    for key in keys:
        world.problems.add(say.part_is_there(entry.key.span, name, kind, key))
    kind_of_part: t.Type = t.ANYTHING if "per" in keys else t.Object(kind)
    return ir.HeldAttribute(
        ir.Declaration(name, kind_of_part, path, entry.key.span), kind_of_part, part=_kind_of_part(world, kind_of_part)
    )


def _derived_attribute(
    world: World, name: str, path: str, entry: Entry, node: Mapping, scope: Scope, per: t.Word | None
) -> ir.HeldAttribute:
    """A value that is worked out, or one for each word, whose expression then reads the word."""
    for other in node.entries:
        if other.key.text not in ("is", "type", "list_of", "per", "about", "cites", "seen_by"):
            world.problems.add(say.derived_has_no(other.key.span, other.key.text, name))
    wanted: t.Type | None = None
    named = node.get("type") or node.get("list_of")
    if isinstance(named, Scalar):
        wanted = type_named(world, named)
        wanted = t.List(wanted) if "list_of" in node else wanted
    value = node.get("is")
    assert value is not None
    expression = formula(world, value, scope, wanted)
    kind = wanted or expression.type
    if per is not None and isinstance(t.without_maybe(kind), t.List):
        world.problems.add(say.list_per_word(entry.key.span, name, per.name))
    declared = ir.Declaration(name, kind, path, entry.key.span, about=text_at(node, "about"))
    return ir.HeldAttribute(
        declared, _type_by_word(per, kind), derived=expression, per=per, seen_by=_who_may_see(world, node)
    )


def _counter(
    world: World, name: str, path: str, entry: Entry, node: Mapping, scope: Scope, per: t.Word | None
) -> ir.HeldAttribute:
    """Points or a track: a number within bounds, or one for each word, with steps that run when it reaches them."""
    track = _word_at(node, "type") == "track"
    foreign = ("default", "optional", "least", "most", "list_of", "one_of", "among", "where")
    for key in (*foreign, *(("from", "to") if track else ("length",))):
        if key in node:
            world.problems.add(say.key_not_allowed(node.key(key).span, key, "a track" if track else "points"))
    if track and "length" not in node:
        world.problems.add(say.missing_key(entry.key.span, "length", "a track"))

    def formula_at(key: str) -> ir.Formula | None:
        return value_or_value_by_word(world, name, node.by_key[key], scope, t.NUMBER) if key in node else None

    low, high = (None if track else formula_at("from")) or _number(0, entry), formula_at("length" if track else "to")
    starts_node = node.get("starts")
    if _starts_full(world, scope, node):
        starts = high or low
        if high is None and starts_node is not None and not ({"to", "length"} & node.by_key.keys()):
            world.problems.add(say.full_of_what(starts_node.span, name))
    else:
        starts = formula_at("starts") or low
    floor = t.as_number(low.type).low
    kind = t.Number(floor, t.as_number(high.type).high if high is not None else None)
    several = any(key in node for key in ("list_of", "one_of"))  # was reported; what reads it is not told again
    if _report_reversed_bounds(world, low, high):
        pass  # it is told
    elif starts_node is not None and starts is not high:
        _check_start_within(world, starts, low, high)
    if high is None:
        for key in ("past_full", "when_full", "when_hit_full"):
            if key in node:
                world.problems.add(say.no_upper_bound(node.key(key).span, key, name))
    about = text_at(node, "about")
    number_type: t.Type = t.ANYTHING if several else kind
    whole = t.ANYTHING if several or (per is None and "per" in node) else _type_by_word(per, kind)
    declared = ir.Declaration(name, number_type, path, entry.key.span, low, high, starts, about=about)
    return ir.HeldAttribute(
        declared,
        whole,
        counter=True,
        starts=starts,
        per=per,
        lasts=_lasting_span(world, node),
        refuses=_word_at(node, "past_full") == "refuse",
        seen_by=_who_may_see(world, node),
        bookkeeping=_word_at(node, "bookkeeping") == "yes",
    )


def _report_reversed_bounds(world: World, low: ir.Formula, high: ir.Formula | None) -> bool:
    """Report an upper bound that is always below the lower one, also if it is that of one word."""
    words = [word for of in (low, high) if of is not None for word in formulas_by_word(of) or ()]
    if words:
        directions = [
            _report_reversed_bounds(world, _formula_of_word(low, word), _formula_of_word(high, word))
            for word in dict.fromkeys(words)
            if high
        ]
        return any(directions)
    least, most = t.as_number(low.type).low, t.as_number(high.type).high if high is not None else None
    if high is None or least is None or most is None or least <= most:
        return False
    world.problems.add(say.empty_range(high.span, f"{least} to {most}"))
    return True


def _check_start_within(world: World, starts: ir.Formula, low: ir.Formula, high: ir.Formula | None) -> None:
    """Report a start that is always outside the bounds; others are refused when the object is made."""
    words = [word for of in (starts, low, high) if of is not None for word in formulas_by_word(of) or ()]
    if words:
        for word in dict.fromkeys(words):
            _check_start_within(
                world,
                _formula_of_word(starts, word),
                _formula_of_word(low, word),
                _formula_of_word(high, word) if high is not None else None,
            )
        return
    start, floor = t.as_number(starts.type), t.as_number(low.type).low
    top = t.as_number(high.type).high if high is not None else None
    below = start.high is not None and floor is not None and start.high < floor
    above = start.low is not None and top is not None and start.low > top
    if below or above:
        value = start.high if below else start.low
        within = f"{'…' if floor is None else floor} to {'…' if top is None else top}"
        world.problems.add(say.default_outside(starts.span, f"{value} is not within {within}", "start"))


def _formula_of_word(of: ir.Formula, word: str) -> ir.Formula:
    """The formula that is written for a word."""
    each = formulas_by_word(of)
    return each[word] if each is not None else of


def _number(value: int, entry: Entry) -> ir.Formula:
    body = ir.Constant(value, t.Number(value, value), entry.key.span)
    return ir.Formula(body, body.type, say.NOWHERE)  # it has no place in the text


def _starts_full(world: World, scope: Scope, node: Mapping) -> bool:
    """Whether points or a track start at their upper bound: `starts: full`, unless the kind has something so called."""
    return _word_at(node, "starts") == "full" and (
        scope.owner is None or "full" not in attribute_entries(world, scope.owner.kind)
    )


def _words_of_attribute(world: World, node: Mapping) -> t.Word | None:
    named = node.get("per")
    if not isinstance(named, Scalar):
        return None
    for section in ("names", "ladders", "tables"):
        world.refer(named.span, section, named.text)
    words = word_list(world, named.text)
    if words is None:
        known = [*world.section("names"), *world.section("ladders"), *world.section("tables")]
        world.problems.add(say.unknown_of(named.span, "list of words", named.text, known))
    return words


def _lasting_span(world: World, node: Mapping) -> str | None:
    lasts = node.get("lasts")
    if isinstance(lasts, Mapping):
        world.problems.add(say.rounds_of_what(node.key("lasts").span))
    return lasts.text if isinstance(lasts, Scalar) and lasts.text in SPANS else None


def _who_may_see(world: World, node: Mapping) -> tuple[str, ...] | None:
    """Who may see a value: `owner`, roles, kinds with one object; None without `seen_by`, and for everybody."""
    if "seen_by" not in node:
        return None
    words = people_named(world, node, "seen_by", (*single_kinds(world), "owner", EVERYBODY))
    return None if EVERYBODY in words else words


def _word_at(node: Mapping, key: str) -> str:
    value = node.get(key)
    return text_of(value)


# Whole kinds -----------------------------------------------------------------------------------------------------


def all_kinds(world: World) -> dict[str, ir.Kind]:
    """Every kind without an error, by its name."""
    section = world.section("kinds")
    return {name: made for name in section if (made := world.kind(name)) is not None}


def check_kind(world: World, entry: Entry) -> ir.Kind:
    """`kinds.NAME`, with the steps that run when a track of its objects is full or points are gone."""
    name, node = entry.key.text, entry.value
    assert isinstance(node, Mapping)
    if name in single_kinds(world):
        check_value_name(world, entry.key)
    else:
        check_name(world, entry.key)
    has = {
        key: add_hooks(world, name, key, one)
        for key in attribute_entries(world, name)
        if (one := attribute_of(world, name, key))
    }
    written = node.get("written_as")
    if isinstance(written, Scalar) and written.text not in has:
        world.problems.add(say.unknown_field(written.span, f"`{name}`", written.text, has))
    elif isinstance(written, Scalar):
        world.references[written.span] = has[written.text].declared.span
    ordered = {key: has[key] for key in order_by_dependence(world, name, has)}
    for other in (one for one in ordered.values() if one.part is not None):
        _report_circle_of_parts(world, name, other)
    return ir.Kind(
        name,
        ordered,
        _word_at(node, "one") == "yes",
        _word_at(node, "part") == "yes",
        written.text if isinstance(written, Scalar) and written.text in has else None,
        text_at(node, "about"),
        f"kinds.{name}",
        entry.key.span,
        _summary_attributes(world, name, node, has),
        _requirements_of_things(world, name, node),
    )


def _summary_attributes(world: World, kind: str, node: Mapping, has: Names[str, ir.HeldAttribute]) -> tuple[str, ...]:
    """The attributes that a record of play shows of each thing of a kind."""
    written = node.get("summary")
    names = []
    for one in items_of(written):
        if not isinstance(one, Scalar):
            continue
        if one.text not in has:
            world.problems.add(say.unknown_field(one.span, f"`{kind}`", one.text, has))
        else:
            world.references[one.span] = has[one.text].declared.span
            names.append(one.text)
    return tuple(names)


def _requirements_of_things(world: World, kind: str, node: Mapping) -> tuple[ir.Requirement, ...]:
    """What a kind requires of its things; a requirement that reads the scene under way is reported."""
    found = tuple(requirements(world, node.get("requires"), owner_scope(kind), f"kinds.{kind}"))
    for one in found:
        place = _place_of_scene(world, one.condition.body, set())
        if place is not None:
            world.problems.add(say.legal_without_scene(place, one.name, kind))
    return found


def _place_of_scene(world: World, read: object, seen: set[str]) -> Span | None:
    """Where an expression reads the scene under way, perhaps through a derived value or a function; None if nowhere."""
    for node in nodes_under(read):
        inner: object = None
        match node:
            case ir.Constant(type=t.Object(kind), span=place) if kind == SCENE:
                return place
            case ir.Attribute(kind=kind, name=name) if f"{kind}.{name}" not in seen:
                seen.add(f"{kind}.{name}")
                one = attribute_of(world, kind, name)
                inner = one.derived if one is not None else None
            case ir.Apply(name=name) if name not in seen:
                seen.add(name)
                called = world.function(name)
                inner = called.gives if called is not None else None
        if inner is not None and _place_of_scene(world, inner, seen) is not None:
            here: Span = node.span
            return here
    return None


def add_hooks(world: World, kind: str, name: str, one: ir.HeldAttribute) -> ir.HeldAttribute:
    node = attribute_entries(world, kind)[name].value
    if not isinstance(node, Mapping) or not one.counter:
        return one
    scope = owner_scope(kind).bound("excess", t.Number(0)).bound("before", one.declared.type)
    if one.per is not None:
        scope = scope.bound(ir.WORD, one.per)

    def hook(key: str) -> tuple[ir.Step, ...]:
        return check_steps(world, node.get(key), scope, f"{one.path}.{key}", EnclosingRule(f"{kind}.{name}"))[0]

    return replace(one, when_full=hook("when_full"), when_hit_full=hook("when_hit_full"), when_empty=hook("when_empty"))


def order_by_dependence(world: World, kind: str, has: dict[str, ir.HeldAttribute]) -> list[str]:
    """The names, each after those that its start and bounds depend on; cyclic ones are reported."""
    done: dict[str, None] = {}
    open_: list[str] = []

    def visit(name: str) -> None:
        if name in done:
            return
        if name in open_:
            circle = [*open_[open_.index(name) :], name]
            world.problems.add(say.cyclic_declarations(has[name].declared.span, circle))
            return
        open_.append(name)
        for other in dict.fromkeys(_reads(has[name])):
            if other in has and other != name:
                visit(other)
        open_.pop()
        done[name] = None

    for name in has:
        visit(name)
    return list(done)


def _reads(one: ir.HeldAttribute) -> Iterator[str]:
    """The attributes of the same object that a value is computed from."""
    declared = one.declared
    for node in nodes_under((one.derived, one.starts, declared.default, declared.low, declared.high, declared.among)):
        if isinstance(node, ir.Attribute) and isinstance(node.of, ir.Local) and node.of.name == "owner":
            yield node.name


def _report_circle_of_parts(world: World, kind: str, one: ir.HeldAttribute) -> None:
    """Report a part that contains, directly or not, an object of the kind that it is part of."""
    order = list(world.section("kinds"))
    seen: set[str] = set()
    todo: list[tuple[str | None, list[str]]] = [(one.part, [kind])]
    while todo:
        part, trail = todo.pop()
        if part is None or part in seen:
            continue
        if part == kind:
            if kind == min(trail, key=order.index):  # a cycle is reported once, at its first kind
                world.problems.add(say.cyclic_declarations(one.declared.span, [*trail, kind]))
            return
        seen.add(part)
        inner = [attribute_of(world, part, name) for name in attribute_entries(world, part)]
        todo += [(two.part, [*trail, part]) for two in inner if two is not None]
