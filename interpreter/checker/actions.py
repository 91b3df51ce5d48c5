"""Check events, actions and reactions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.attributes import attribute_entries, attribute_of
from interpreter.checker.declarations import declaration, people_named
from interpreter.checker.effects import check_amount
from interpreter.checker.expressions import formula, formula_or_text
from interpreter.checker.expressions.texts import question
from interpreter.checker.mechanics import rule_of
from interpreter.checker.per_word import values_by_key
from interpreter.checker.policies import answers_of_policies
from interpreter.checker.scope import Scope
from interpreter.checker.world import World
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.ir import types as t
from interpreter.ir.consent import path_of_consent
from interpreter.syntax.document import Broken, Entry, Mapping, Node, Scalar, Sequence, entries_of, value_at
from interpreter.syntax.fixed_words import EVERYBODY


def check_event(world: World, entry: Entry) -> ir.Mechanic:
    """`events.NAME`."""
    rule = rule_of(world, entry, "events", Scope())
    return replace(rule, by=people_named(world, entry.value, "by", (*world.section("kinds"), EVERYBODY)))


def events(world: World) -> dict[str, ir.Mechanic]:
    rules_by_name = {name: world.event(name) for name in world.section("events")}
    return {name: one for name, one in rules_by_name.items() if one is not None}


def actions(world: World) -> dict[str, ir.Action]:
    """Every action of a ruleset."""
    actions_by_name = {name: world.action(name) for name in world.section("actions")}
    return {name: one for name, one in actions_by_name.items() if one is not None}


def check_action(world: World, entry: Entry) -> ir.Action | None:
    """`actions.NAME`."""
    if not isinstance(entry.value, Mapping):
        return None
    return _action_of(world, entry, "actions", Scope(), [], _kind_of(world, entry.value))


def reactions(world: World) -> dict[str, ir.Reaction]:
    """Every reaction of a ruleset."""
    reactions_by_name = {}
    for name, entry in world.section("reactions").items():
        one = _reaction(world, entry) if isinstance(entry.value, Mapping) else None
        if one is not None:
            reactions_by_name[name] = one
    return reactions_by_name


def _reaction(world: World, entry: Entry) -> ir.Reaction | None:
    node = entry.value
    assert isinstance(node, Mapping)
    given = [key for key in ("before", "after") if key in node]
    if len(given) != 1:
        world.problems.add(say.reaction_without_event(entry.key.span, entry.key.text))
        return None
    named = node.get(given[0])
    items = named.items if isinstance(named, Sequence) else (named,)
    answered: list[ir.Mechanic] = []
    for item in items:
        if not isinstance(item, Scalar):
            continue
        world.refer(item.span, "events", item.text)
        one = world.event(item.text)
        if one is not None:
            answered.append(one)
        elif item.text not in world.section("events"):
            world.problems.add(say.unknown_of(item.span, "event", item.text, world.section("events")))
    if not answered or named is None:
        return None
    before = given[0] == "before"
    names = tuple(one.name for one in answered)
    where = tuple((one.name, one.span) for one in answered[0].inputs) + (() if before else answered[0].type.where)
    event_type = t.Record(f"{' or '.join(names)} event", _common_fields(answered, before), where)
    scope = Scope().bound("event", event_type, named.span)
    own_action = _action_of(world, entry, "reactions", scope, answered if before else [], None)
    automatic = node.get("automatic")
    if isinstance(automatic, Scalar) and automatic.text == "yes":
        return ir.Reaction(own_action, names, before, True)
    asked = scope.bound("actor", own_action.actor.type, own_action.actor.span)
    answers = _policy_answers(world, own_action.rule.path, asked, t.YES_NO)
    return ir.Reaction(own_action, names, before, False, answers, question(world, node, asked))


def _common_fields(events: list[ir.Mechanic], before: bool) -> tuple[tuple[str, t.Type], ...]:
    """The fields that several events share: inputs, and after the event its results."""
    fields = [
        {
            **{one.name: t.maybe(one.type) if _may_be_missing(one) else one.type for one in event.inputs},
            **({} if before else dict(event.type.fields)),
        }
        for event in events
    ]
    found = []
    for name, kind in fields[0].items():
        together: t.Type | None = kind
        for other in fields[1:]:
            together = t.union(together, other[name]) if name in other and together is not None else None
        if together is not None:
            found.append((name, together))
    return tuple(found)


def _policy_answers(world: World, path: str, scope: Scope, kind: t.Type) -> dict[str, tuple[ir.PolicyAnswer, ...]]:
    """The answers of the policies to the question at a path."""
    return answers_of_policies(world, path, lambda said: formula_or_text(world, said, scope, kind))


def _may_be_missing(one: ir.Declaration) -> bool:
    return one.optional and one.default is None


def _kind_of(world: World, node: Mapping) -> Entry | None:
    named = node.get("kind")
    if not isinstance(named, Scalar):
        return None
    world.refer(named.span, "action_kinds", named.text)
    entry = world.section("action_kinds").get(named.text)
    if entry is None:
        world.problems.add(say.unknown_of(named.span, "kind of action", named.text, world.section("action_kinds")))
    return entry


def _action_of(
    world: World, entry: Entry, section: str, outer: Scope, changes: list[ir.Mechanic], kind: Entry | None
) -> ir.Action:
    """An action or a reaction: a rule with its actor and its costs."""
    node = entry.value
    assert isinstance(node, Mapping)
    path = f"{section}.{entry.key.text}"
    shared = kind.value if kind is not None and isinstance(kind.value, Mapping) else None
    key = node.key("actor") if "actor" in node else entry.key
    value = _actor_or_report(world, node, key.span, section, outer)
    actor = declaration(world, Entry(Scalar("actor", key.span), value), f"{path}.actor", outer)
    if not isinstance(actor.type, (t.Object, t.Anything)):
        world.problems.add(say.wrong_type(key.span, "a kind of thing", t.in_words(actor.type)))
        actor = replace(actor, type=t.ANYTHING)
    scope = outer.bound("actor", actor.type, key.span)
    priced = [one.key.text for part in (shared, node) if part is not None for one in entries_of(part.get("cost"))]
    own = {one.key.text for key in ("inputs", "steps") for one in entries_of(node.get(key))}
    if section == "actions" and priced and "spent" not in own:  # a name that the author declares comes first
        spent = t.Record("spent", tuple((name, t.NUMBER) for name in dict.fromkeys(priced)))
        outer_scope = scope.bound("spent", spent, entry.key.span)
    else:
        outer_scope = scope
    up = _upgrade_declarations(shared, node)
    more = (_upgrade_input(path, entry.key.span),) if up else ()
    requires = shared.get("requires") if shared is not None else None
    rule = rule_of(world, entry, section, outer_scope, changes, requires, more)
    shows = question(world, node, scope, "shows")
    answers = {}
    for one in rule.inputs:
        wanted: t.Type = t.NUMBER if isinstance(one.type, t.Number) else one.type
        asked = f"{path}.inputs.{one.name}"  # `upgraded` is asked like any other, and has the path of the upgrade
        answers[one.name] = _policy_answers(world, asked, scope, wanted)
        scope = scope.bound(one.name, t.maybe(one.type) if _may_be_missing(one) else one.type, one.span)
    costs = {**_costs(world, shared, _path_of(kind), actor, scope)}
    costs |= _costs(world, node, path, actor, scope)
    limit = _use_limit(world, node, path, scope)
    if limit is None and shared is not None:
        limit = _use_limit(world, shared, _path_of(kind), scope)
    upgrade = _upgrade(world, up, path, tuple(costs), scope) if up else None
    name = kind.key.text if kind is not None else None
    paid = tuple(cost for each in costs.values() for cost in each)
    refuse = node.get("may_refuse")
    action = ir.Action(rule, actor, paid, limit, name, upgrade, answers, shows)
    if not isinstance(refuse, Scalar) or refuse.text != "yes":
        return action
    consent = _policy_answers(world, path_of_consent(rule), scope, t.YES_NO)
    return replace(action, may_refuse=True, pays=consent)


def _actor_or_report(world: World, node: Mapping, at: Span, section: str, outer: Scope) -> Node:
    """What declares the actor; what names no kind is reported here, with the kinds of things of the event."""
    value = node.get("actor")
    named = value.get("type") if isinstance(value, Mapping) else value
    event = t.without_maybe(outer.names["event"].type) if "event" in outer.names else None
    fields = event.fields if isinstance(event, t.Record) else ()
    likely = [(name, kind.kind) for name, of in fields if isinstance(kind := t.without_maybe(of), t.Object)]
    kinds = list(world.section("kinds"))
    if value is None:
        of = "a reaction" if section == "reactions" else "an action"
        world.problems.add(say.no_actor(at, of, kinds, likely))
        return Broken(at)
    if not isinstance(named, Scalar) or named.text in kinds or named.text in world.strays or not named.text:
        return value
    if say.nearest_name(named.text, kinds, sure=True) is not None:  # a misspelt kind
        return value
    world.problems.add(say.not_an_actor(named.span, named.text, kinds, likely))
    return Broken(at)


def _path_of(kind: Entry | None) -> str:
    return f"action_kinds.{kind.key.text}" if kind is not None else ""


def _upgrade_input(path: str, span: Span) -> ir.Declaration:
    """The input that selects the upgrade of an action to another kind."""
    no = ir.Constant(False, t.YES_NO, NOWHERE)  # it has no place in the text
    return ir.Declaration("upgraded", t.YES_NO, f"{path}.upgrade", span, default=ir.Formula(no, no.type, NOWHERE))


def _upgrade_declarations(shared: Mapping | None, node: Mapping) -> list[Mapping]:
    """The declarations of an upgrade: that of the action first, then that of its kind."""
    said = [part.get("upgrade") for part in (node, shared) if part is not None]
    return [one for one in said if isinstance(one, Mapping)]


def _upgrade(world: World, said: list[Mapping], path: str, costs: tuple[str, ...], scope: Scope) -> ir.Upgrade | None:
    to = next((one for part in said if (one := part.get("to")) is not None), None)
    if not isinstance(to, Scalar):
        world.problems.add(say.missing_key(said[0].span, "to", "an upgrade"))
        return None
    world.refer(to.span, "action_kinds", to.text)
    entry = world.section("action_kinds").get(to.text)
    if entry is None:
        world.problems.add(say.unknown_of(to.span, "kind of action", to.text, world.section("action_kinds")))
        return None
    named = [_names(part.get("waives")) for part in said if part.get("waives") is not None]
    for word in named[0] if named else ():
        if word.text not in costs and len(named) == 1 and said[0].get("waives") is not None and len(said) == 2:
            world.problems.add(say.unknown_of(word.span, "cost", word.text, costs))
    waives = tuple(word.text for word in named[0]) if named else ()
    counted = tuple(dict.fromkeys(word.text for words in named for word in words if word.text in costs))
    counts = next((one for part in said if (one := part.get("counts_as")) is not None), None)
    counts_as = formula(world, counts, scope, t.NUMBER) if counts is not None else None
    other = entry.value if isinstance(entry.value, Mapping) else None
    limit = _use_limit(world, other, f"action_kinds.{to.text}", scope) if other is not None else None
    return ir.Upgrade(to.text, limit, waives, counted, counts_as, f"{path}.upgrade")


def _names(node: Node | None) -> list[Scalar]:
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


def _costs(
    world: World, node: Mapping | None, path: str, actor: ir.Declaration, scope: Scope
) -> dict[str, list[ir.Cost]]:
    """The costs for the actor, by the name of the points: several if there are some of each word."""
    costs: dict[str, list[ir.Cost]] = {}
    if node is None or not isinstance(actor.type, t.Object):
        return costs
    for entry in entries_of(node.get("cost")):
        name = entry.key.text
        one = attribute_of(world, actor.type.kind, name)
        if one is None or not one.counter:
            if one is not None and isinstance(one.declared.type, t.Anything):  # what it is was reported
                continue
            counters = [
                key for key in attribute_entries(world, actor.type.kind) if _is_counter(world, actor.type.kind, key)
            ]
            world.problems.add(say.unknown_of(entry.key.span, "kind of points", name, counters))
            continue
        world.references[entry.key.span] = one.declared.span
        at = f"{path}.cost.{name}"
        for key, node_of in values_by_key(world, one, entry):
            where = entry.key.span if key is None else key.span
            word = formula(world, key, scope, one.per) if key is not None else None
            amount = formula(world, node_of, scope, t.NUMBER)
            check_amount(world, amount, "pay", name)
            cost = ir.Cost(name, amount, at if key is None else f"{at}.{key.text}", where, word)
            costs.setdefault(name, []).append(cost)
    return costs


def _is_counter(world: World, kind: str, name: str) -> bool:
    one = attribute_of(world, kind, name)
    return one is not None and one.counter


def _use_limit(world: World, node: Mapping, path: str, scope: Scope) -> ir.UseLimit | None:
    limit = node.get("at_most")
    if not isinstance(limit, Mapping):
        return None
    times, per = limit.get("times"), limit.get("per")
    if times is None or not isinstance(per, Scalar):
        return None
    return ir.UseLimit(formula(world, times, scope, t.NUMBER), per.text, f"{path}.at_most", limit.span)


def may_cancel(entry: Entry, event: str) -> bool:
    """Whether the text of a reaction may cancel an event."""
    node = entry.value
    named = value_at(node, "before")
    words = _names(named) if isinstance(named, Sequence) else [named]
    named_here = any(isinstance(word, Scalar) and word.text == event for word in words)
    return named_here and any(_places_of_cancel(node))


def _places_of_cancel(node: Node) -> Iterator[Span]:
    stack = [node]
    while stack:
        here = stack.pop()
        for entry in entries_of(here):
            if entry.key.text == "cancel":
                yield entry.key.span
            stack.append(entry.value)
