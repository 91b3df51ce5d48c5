"""Check a mechanic: its inputs and those that it passes on, requirements, steps and outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Sequence_
from dataclasses import replace
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.call_arguments import EnclosingRule
from interpreter.checker.declarations import declarations, value_type
from interpreter.checker.declared_names import check_name, check_value_name
from interpreter.checker.expressions import condition
from interpreter.checker.outcomes import check_outcomes, further_reading, words_of
from interpreter.checker.scope import Scope
from interpreter.checker.steps import check_steps
from interpreter.checker.world import World, text_at
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.traversal import locals_in
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, entries_of, items_of, value_at


def check_mechanic(world: World, entry: Entry) -> ir.Mechanic:
    """`mechanics.NAME`, checked, with the type of its result."""
    with say.spending_at(entry.key.span):
        return rule_of(world, entry, "mechanics", Scope())


def rule_of(
    world: World,
    entry: Entry,
    section: str,
    outer: Scope,
    events: Sequence_[ir.Mechanic] = (),
    more: Node | None = None,
    implied: tuple[ir.Declaration, ...] = (),
) -> ir.Mechanic:
    """One rule of a section: a mechanic, an event, an action or a reaction, which have the same parts.

    `outer` defines names besides the inputs; a reaction before `events` may change them; `more` are requirements of the
    kind of an action; `implied` are inputs that the text does not declare.
    """
    node, name = entry.value, entry.key.text
    assert isinstance(node, Mapping)
    check_name(world, entry.key, called=section in ("mechanics", "events"))
    inlinable, path = world.inlinable, f"{section}.{name}"
    inputs, scope = declarations(world, node.get("inputs"), f"{path}.inputs", outer)
    for one in implied:
        inputs.append(one)
        scope = scope.bound(one.name, one.type, one.span)
    passes = _passed_mechanics(world, node)
    own = {one.name for one in inputs}
    for one in _inputs_passed_on(world, node, passes):
        if one.name not in own:
            own.add(one.name)
            inputs.append(one)
            scope = scope.bound(one.name, value_type(one), one.span)
    rule = EnclosingRule(name, frozenset(passes), {one.name: one for one in inputs}, tuple(events))
    requires = (*requirements(world, more, scope, path), *requirements(world, node.get("requires"), scope, path))
    body = node.get("steps")
    checked_steps, inside = check_steps(world, body, scope, f"{path}.steps", rule)
    early, results, at = _texts_of_verb(body, "end"), node.get("outcomes"), f"{path}.outcomes"
    ended_at = [*early, *(end for done in _outcome_steps(results) for end in _texts_of_verb(done, "end"))]
    ends = tuple(dict.fromkeys(end.text for end in ended_at))
    checked = check_outcomes(world, results, inside, at, rule, ends) if isinstance(results, Mapping) else None
    words: t.Word | None = None
    if checked is not None or ends:
        words = words_of(checked, f"outcomes of {name}", ends) if checked else t.Word(f"outcomes of {name}", ends)
        for end in ended_at:
            world.refer_to_word(end.span, words, end.text)
    also = tuple(_further_readings(world, node, inside, path, rule))
    named = [*checked_steps, *(step for outcome in (checked.cases if checked else ()) for step in outcome.steps)]
    where = (*((one.name, one.span) for one in named), *_places_of_names(node.get("also")))
    kind = t.Record(name, _record_fields(checked_steps, checked, words, also, ended=bool(early)), where)
    return ir.Mechanic(
        name,
        text_at(node, "title") or name.replace("_", " ").capitalize(),
        text_at(node, "about"),
        tuple(inputs),
        requires,
        checked_steps,
        checked,
        also,
        kind,
        path,
        entry.key.span,
        world.inlinable > inlinable,
    )


def _record_fields(
    inner: tuple[ir.Step, ...],
    checked: ir.Outcomes | None,
    words: t.Word | None,
    also: tuple[ir.Also, ...],
    ended: bool,
) -> tuple[tuple[str, t.Type], ...]:
    """The fields of a rule's record: its steps, its outcome, the steps of outcomes, and what is judged beside it.

    Where a step may have `ended` the rule, nothing is judged beside it.
    """
    cases = checked.cases if checked else ()
    return (
        *((one.name, one.type) for one in inner),
        *([("outcome", words if checked else t.Maybe(words))] if words else []),
        *((one.name, t.maybe(one.type)) for outcome in cases for one in outcome.steps),
        *((one.name, t.maybe(one.type) if ended else one.type) for one in also),
    )


def _places_of_names(section: Node | None) -> Iterator[tuple[str, Span]]:
    """The places of the names of a section."""
    for entry in entries_of(section):
        yield entry.key.text, entry.key.span


def requirements(world: World, wanted: Node | None, scope: Scope, path: str) -> Iterator[ir.Requirement]:
    for entry in entries_of(wanted):
        check_name(world, entry.key)
        test = entry.value.get("is") if isinstance(entry.value, Mapping) else entry.value
        if test is not None:
            expression = condition(world, test, scope)
            about = text_at(entry.value, "about") if isinstance(entry.value, Mapping) else ""
            yield ir.Requirement(
                entry.key.text, expression, f"{path}.requires.{entry.key.text}", entry.value.span, about
            )


def _further_readings(world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule) -> Iterator[ir.Also]:
    readings = node.get("also")
    for entry in entries_of(readings):
        if not check_value_name(world, entry.key):
            continue
        name, place = entry.key.text, f"{path}.also.{entry.key.text}"
        if name in scope.names or name == "outcome":
            taken = scope.names[name].span if name in scope.names else entry.key.span
            world.problems.add(say.name_taken(entry.key.span, name, taken))
            continue
        reading, kind = further_reading(world, entry, scope, place, rule)
        yield ir.Also(name, reading, kind, place, text_at(entry.value, "about"))


def _passed_mechanics(world: World, node: Mapping) -> list[str]:
    """The mechanics that `passes` names; each must be called exactly once."""
    named = node.get("passes")
    names = []
    for item in items_of(named):
        if not isinstance(item, Scalar):
            continue
        calls = [call for call in _texts_of_verb(node.get("steps"), "call") if call.text == item.text]
        world.refer(item.span, "mechanics", item.text)
        if item.text not in world.section("mechanics"):
            world.problems.add(say.unknown_of(item.span, "mechanic", item.text, world.section("mechanics")))
        elif not calls:
            called = [call.text for call in _texts_of_verb(node.get("steps"), "call")]
            if item.text not in world.strays and all(name in world.section("mechanics") for name in called):
                world.problems.add(say.passes_without_call(item.span, item.text))
        else:
            if len(calls) > 1:
                world.problems.add(say.called_twice(calls[1].span, item.text, calls[0].span))
            names.append(item.text)
    return names


def _inputs_passed_on(world: World, node: Mapping, passes: list[str]) -> Iterator[ir.Declaration]:
    """The inputs of passed mechanics that the call does not set: they are inputs of this mechanic too."""
    for name in passes:
        callee = world.mechanic(name)
        if callee is None:
            continue
        values = None
        for call in _long_steps(node.get("steps")):
            called = call.get("call")
            if isinstance(called, Scalar) and called.text == name:
                values = call.get("with")
        given = {entry.key.text for entry in values.entries} if isinstance(values, Mapping) else set()
        for one in callee.inputs:
            if one.name not in given:
                yield _input_as_own(one, given - _inputs_of_same_name(node, values))


def _inputs_of_same_name(node: Mapping, values: Node | None) -> set[str]:
    """The inputs of a rule that a call passes under the same name: `with: {who: who}`."""
    own, entries = node.get("inputs"), entries_of(values)
    names = {one.key.text for one in entries if isinstance(one.value, Scalar) and one.value.text == one.key.text}
    return names & set(own.by_key) if isinstance(own, Mapping) else set()


def _input_as_own(one: ir.Declaration, given: set[str]) -> ir.Declaration:
    """The input as the rule that passes it on has it.

    Formulas that read inputs given by the call are left to the called rule, where those inputs are known.
    """
    formulas = ("low", "high", "default", "where", "fewest", "most", "among")
    left: dict[str, Any] = {key: None for key in formulas if _reads_any_of(getattr(one, key), given)}
    return replace(one, **left, optional=one.optional or "default" in left)


def _reads_any_of(formula: ir.Formula | None, names: set[str]) -> bool:
    return formula is not None and not names.isdisjoint(locals_in(formula.body))


def _long_steps(steps: Node | None) -> Iterator[Mapping]:
    """Every step in its long form, nested ones too."""
    for entry in entries_of(steps):
        one: Node | None = entry.value
        while isinstance(one, Mapping):
            yield one
            for key in ("each", "then", "steps"):
                yield from _long_steps(one.get(key))
            one = one.get("start")


def _outcome_steps(outcomes: Node | None) -> Iterator[Node | None]:
    for entry in entries_of(outcomes):
        yield value_at(entry.value, "steps")


def _texts_of_verb(steps: Node | None, verb: str) -> list[Scalar]:
    """The value of a verb in every step, nested ones too, such as the mechanics that are called."""
    nodes = [step.get(verb) for step in _long_steps(steps)]
    return [one for one in nodes if isinstance(one, Scalar)]


def outcomes_ended_with(body: Node | None) -> list[Scalar]:
    """The outcomes that steps end with."""
    return _texts_of_verb(body, "end")


def all_mechanics(world: World) -> dict[str, ir.Mechanic]:
    rules_by_name = {name: world.mechanic(name) for name in world.section("mechanics")}
    return {name: one for name, one in rules_by_name.items() if one is not None}


def entry_of(world: World, name: str) -> Entry:
    return world.section("mechanics")[name]
