"""Events, what things can do, and what answers an event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter import types as t
from interpreter.checker.declarations import declaration
from interpreter.checker.expressions import formula, spoken
from interpreter.checker.mechanics import rule_of
from interpreter.checker.scope import Scope
from interpreter.checker.world import World
from interpreter.document import Entry, Mapping, Node, Scalar
from interpreter.source import Span


def event(world: World, entry: Entry) -> ir.Mechanic:
    """`events.NAME`."""
    return rule_of(world, entry, "events", Scope())


def events(world: World) -> dict[str, ir.Mechanic]:
    made = {name: world.event(name) for name in world.section("events")}
    return {name: one for name, one in made.items() if one is not None}


def actions(world: World) -> dict[str, ir.Deed]:
    """Everything that things can do."""
    made = {}
    for name, entry in world.section("actions").items():
        if isinstance(entry.value, Mapping):
            made[name] = _deed(world, entry, "actions", Scope(), None, _kind_of(world, entry.value))
    return made


def reactions(world: World) -> dict[str, ir.Reaction]:
    """Everything that answers events."""
    made = {}
    for name, entry in world.section("reactions").items():
        one = _reaction(world, entry) if isinstance(entry.value, Mapping) else None
        if one is not None:
            made[name] = one
    return made


def _reaction(world: World, entry: Entry) -> ir.Reaction | None:
    node = entry.value
    assert isinstance(node, Mapping)
    given = [key for key in ("before", "after") if key in node]
    if len(given) != 1:
        world.problems.add(say.before_or_after(entry.key.span, entry.key.text))
        return None
    named = node.get(given[0])
    if not isinstance(named, Scalar):
        return None
    world.refer(named.span, "events", named.text)
    answered = world.event(named.text)
    if answered is None:
        if named.text not in world.section("events"):
            world.problems.add(say.unknown_of(named.span, "event", named.text, world.section("events")))
        return None
    fields = tuple((one.name, t.maybe(one.type) if _may_miss(one) else one.type) for one in answered.inputs)
    before = given[0] == "before"
    more = () if before else answered.type.fields
    where = tuple((one.name, one.span) for one in answered.inputs) + (() if before else answered.type.where)
    scope = Scope().bound("event", t.Record(f"{named.text} event", (*fields, *more), where), named.span)
    deed = _deed(world, entry, "reactions", scope, answered if before else None, None)
    automatic = node.get("automatic")
    if isinstance(automatic, Scalar) and automatic.text == "yes":
        return ir.Reaction(deed, named.text, before, True)
    asked = scope.bound("actor", deed.actor.type, deed.actor.span)
    return ir.Reaction(deed, named.text, before, False, _answers(world, deed.rule.path, asked, t.YES_NO))


def _answers(world: World, path: str, scope: Scope, kind: t.Type) -> dict[str, ir.Formula]:
    """What the policies of the ruleset say to what is asked at a path."""
    return {policy: spoken(world, said, scope, kind) for policy, said in world.policy_answers(path)}


def _may_miss(one: ir.Declaration) -> bool:
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


def _deed(
    world: World, entry: Entry, section: str, outer: Scope, changes: ir.Mechanic | None, kind: Entry | None
) -> ir.Deed:
    """An action or a reaction: a rule, and who does it at what price."""
    node = entry.value
    assert isinstance(node, Mapping)
    path = f"{section}.{entry.key.text}"
    shared = kind.value if kind is not None and isinstance(kind.value, Mapping) else None
    key = node.key("actor") if "actor" in node else entry.key
    value = node.get("actor") or Scalar("", entry.key.span)
    actor = declaration(world, Entry(Scalar("actor", key.span), value), f"{path}.actor", outer)
    if not isinstance(actor.type, (t.Thing, t.Anything)):
        world.problems.add(say.wrong_type(key.span, "a kind of thing", t.in_words(actor.type)))
        actor = replace(actor, type=t.ANYTHING)
    scope = outer.bound("actor", actor.type, key.span)
    rule = rule_of(world, entry, section, scope, changes, shared.get("requires") if shared is not None else None)
    answers = {}
    for one in rule.inputs:
        wanted: t.Type = t.NUMBER if isinstance(one.type, t.Number) else one.type
        answers[one.name] = _answers(world, one.path, scope, wanted)
        scope = scope.bound(one.name, t.maybe(one.type) if _may_miss(one) else one.type, one.span)
    costs = {**_costs(world, shared, f"action_kinds.{kind.key.text}" if kind else "", actor, scope)}
    costs |= _costs(world, node, path, actor, scope)
    limit = _limit(world, node, path, scope)
    if limit is None and shared is not None and kind is not None:
        limit = _limit(world, shared, f"action_kinds.{kind.key.text}", scope)
    return ir.Deed(rule, actor, tuple(costs.values()), limit, kind.key.text if kind is not None else None, answers)


def _costs(world: World, node: Mapping | None, path: str, actor: ir.Declaration, scope: Scope) -> dict[str, ir.Cost]:
    """What it costs the actor, by the kind of points."""
    found: dict[str, ir.Cost] = {}
    if node is None or not isinstance(actor.type, t.Thing):
        return found
    for entry in _entries(node.get("cost")):
        name = entry.key.text
        one = world.holding(actor.type.kind, name)
        if one is None or not one.counter:
            counters = [key for key in world.holdings(actor.type.kind) if _counts(world, actor.type.kind, key)]
            world.problems.add(say.unknown_of(entry.key.span, "kind of points", name, counters))
            continue
        world.references[entry.key.span] = one.declared.span
        amount = formula(world, entry.value, scope, t.NUMBER)
        found[name] = ir.Cost(name, amount, f"{path}.cost.{name}", entry.key.span)
    return found


def _counts(world: World, kind: str, name: str) -> bool:
    one = world.holding(kind, name)
    return one is not None and one.counter


def _limit(world: World, node: Mapping, path: str, scope: Scope) -> ir.Limit | None:
    limit = node.get("at_most")
    if not isinstance(limit, Mapping):
        return None
    times, per = limit.get("times"), limit.get("per")
    if times is None or not isinstance(per, Scalar):
        return None
    return ir.Limit(formula(world, times, scope, t.NUMBER), per.text, f"{path}.at_most", limit.span)


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


def cancels(entry: Entry, event: str) -> bool:
    """Whether a reaction, as it is written, may cancel an event."""
    node = entry.value
    named = node.get("before") if isinstance(node, Mapping) else None
    return isinstance(named, Scalar) and named.text == event and any(_cancelling(node))


def _cancelling(node: Node) -> Iterator[Span]:
    stack = [node]
    while stack:
        here = stack.pop()
        for entry in _entries(here):
            if entry.key.text == "cancel":
                yield entry.key.span
            stack.append(entry.value)
