"""Check scenes: inputs and attributes, the steps before the first round, the phases of a round, and outcomes.

What a scene has is checked as what things have is (`kinds.py`): the scene under way is one more thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.attributes import attribute_entries, attribute_of, scene_attributes
from interpreter.checker.call_arguments import EnclosingRule
from interpreter.checker.declarations import declarations
from interpreter.checker.declared_names import check_name
from interpreter.checker.expressions import condition
from interpreter.checker.expressions.texts import question
from interpreter.checker.kinds import add_hooks, order_by_dependence
from interpreter.checker.mechanics import outcomes_ended_with, requirements
from interpreter.checker.outcomes import words_of
from interpreter.checker.scope import Scope
from interpreter.checker.steps import check_steps, guard_of
from interpreter.checker.world import World, text_at
from interpreter.ir import types as t
from interpreter.ir.traversal import outermost_nodes_in
from interpreter.runtime.state import SCENE
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence, entries_of, value_at
from interpreter.syntax.fixed_words import BOUNDARIES


def scenes(world: World) -> dict[str, ir.Scene]:
    """Every scene of a ruleset."""
    scenes_by_name = {name: world.scene(name) for name in world.section("scenes")}
    _check_boundary_events(world)
    _report_differing_attributes(world)
    return {name: one for name, one in scenes_by_name.items() if one is not None}


def check_scene(world: World, entry: Entry) -> ir.Scene:
    """`scenes.NAME`."""
    name, node = entry.key.text, entry.value
    assert isinstance(node, Mapping)
    check_name(world, entry.key, called=True)
    path = f"scenes.{name}"
    inputs, scope = declarations(world, node.get("inputs"), f"{path}.inputs", Scope(scene=name))
    rule = EnclosingRule(name)
    requires = tuple(requirements(world, node.get("requires"), scope, path))
    opening, scope = check_steps(world, node.get("steps"), scope, f"{path}.steps", rule)
    scope = scope.without_state_facts()
    phases = tuple(_phases(world, node.get("round"), scope, f"{path}.round", rule))
    guard = guard_of(world, node, scope, "the scene is over before its first round")
    outcomes = tuple(_outcomes(world, node.get("outcomes"), scope, f"{path}.outcomes", rule, opening))
    bodies = [node.get("steps"), *(_steps_of(phase) for phase in entries_of(node.get("round")))]
    ends = [end for body in bodies for end in outcomes_ended_with(body)]
    words = words_of(ir.Outcomes(outcomes), f"outcomes of {name}", tuple(dict.fromkeys(end.text for end in ends)))
    declared = [one.name for one in outcomes]
    for end in ends:
        world.refer_to_word(end.span, words, end.text)
        if end.text not in declared:
            world.problems.add(say.unknown_of(end.span, "outcome", end.text, declared))
    _report_unreached(world, outcomes, {end.text for end in ends})
    fields = [(one.name, t.maybe(one.type)) for one in opening]
    fields += [("outcome", t.maybe(words)), ("rounds", t.Number(0))]
    where = tuple((one.name, one.span) for one in opening)
    return ir.Scene(
        ir.Mechanic(
            name,
            text_at(node, "title") or name.replace("_", " ").capitalize(),
            text_at(node, "about"),
            tuple(inputs),
            requires,
            opening,
            None,
            (),
            t.Record(name, tuple(fields), where),
            path,
            entry.key.span,
        ),
        tuple(one.key.text for one in entries_of(node.get("has"))),
        phases,
        guard,
        outcomes,
    )


def _steps_of(phase: Entry) -> Node | None:
    return value_at(phase.value, "steps")


def _phases(world: World, node: Node | None, scope: Scope, path: str, rule: EnclosingRule) -> Iterator[ir.Phase]:
    for entry in entries_of(node):
        name = entry.key.text
        check_name(world, entry.key)
        if not isinstance(entry.value, Mapping):
            continue
        checked_steps, _ = check_steps(world, entry.value.get("steps"), scope, f"{path}.{name}.steps", rule)
        title = text_at(entry.value, "title") or name.replace("_", " ").capitalize()
        fields = tuple((one.name, t.maybe(one.type)) for one in checked_steps)
        kind = t.Record(name, fields, tuple((one.name, one.span) for one in checked_steps))
        yield ir.Phase(
            name, title, text_at(entry.value, "about"), checked_steps, kind, f"{path}.{name}", entry.key.span
        )


def _outcomes(
    world: World, node: Node | None, scope: Scope, path: str, rule: EnclosingRule, opening: tuple[ir.Step, ...]
) -> Iterator[ir.Outcome]:
    for entry in entries_of(node):
        check_name(world, entry.key)
        value = entry.value
        test = value.get("if") if isinstance(value, Mapping) else value
        when = condition(world, test, scope) if test is not None else None
        place = f"{path}.{entry.key.text}"
        done: tuple[ir.Step, ...] = ()
        sentence = ir.NO_QUESTION
        if isinstance(value, Mapping):
            inside = scope
            for one in _steps_not_run(opening, entry.key.text):
                inside = inside.bound(one.name, t.maybe(one.type), one.span)
            sentence = question(world, value, inside, "tells")
            done, _ = check_steps(world, value.get("steps"), inside, f"{place}.steps", rule)
            for end in outcomes_ended_with(value.get("steps")):
                world.problems.add(say.end_of_an_end(end.span))
        yield ir.Outcome(
            entry.key.text, when, place, entry.key.span, steps=done, tells=sentence, about=text_at(value, "about")
        )


def _steps_not_run(opening: tuple[ir.Step, ...], outcome: str) -> Iterator[ir.Step]:
    """The steps before the first round, from the first one that may end the scene with an outcome."""
    return dropwhile(lambda one: all(end.outcome != outcome for end in outermost_nodes_in(one, ir.End)), opening)


def _report_unreached(world: World, outcomes: tuple[ir.Outcome, ...], ends: set[str]) -> None:
    """Report outcomes without a condition that no step ends with: they are never reached."""
    for one in outcomes:
        if one.condition is None and one.name not in ends:
            world.problems.add(say.outcome_without_end(one.span, one.name))


# Rules for all scenes ---------------------------------------------------------------------------------------


def _check_boundary_events(world: World) -> None:
    """Report other inputs than `who` of the events of turns, and any input of the other events of boundaries."""
    for name in BOUNDARIES:
        event = world.event(name)
        wanted = {"who"} if name.startswith("turn") else set()
        if event is not None and {one.name for one in event.inputs} != wanted:
            world.problems.add(say.boundary_takes(event.span, name, bool(wanted)))


def _report_differing_attributes(world: World) -> None:
    """Report attributes that scenes declare differently: `scene.NAME` has one type in all of them."""
    for name, one in scene_attributes(world).items():
        if name == "round":
            world.problems.add(say.reserved_name(one.entry.key.span, name, "it is the number of the round"))
        for scene_name, entry in one.scenes[1:]:
            if not _have_same_text(entry.value, one.entry.value):
                world.problems.add(
                    say.other_in_scene(entry.key.span, name, scene_name, one.scenes[0][0], one.entry.key.span)
                )
        if one.section == "has":
            attribute = attribute_of(world, SCENE, name)
            if (
                attribute is not None
                and attribute.declared.required
                and attribute.derived is None
                and not attribute.counter
            ):
                world.problems.add(say.missing_key(one.entry.key.span, "default", "what a scene has"))


def _have_same_text(one: Node, other: Node) -> bool:
    """Whether two declarations have the same text."""
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return one.text.split() == other.text.split()
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        keys = [key for key in one.by_key if key not in ("about", "cites")]
        others = [key for key in other.by_key if key not in ("about", "cites")]
        return set(keys) == set(others) and all(
            _have_same_text(one.by_key[k].value, other.by_key[k].value) for k in keys
        )
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        return len(one.items) == len(other.items) and all(map(_have_same_text, one.items, other.items))
    return False


def scene_kind(world: World) -> ir.Kind | None:
    """The scene under way as an object, with the inputs and attributes of every scene."""
    if not world.section("scenes"):
        return None
    attributes = {
        name: one for name in attribute_entries(world, SCENE) if (one := attribute_of(world, SCENE, name)) is not None
    }
    has = {name: add_hooks(world, SCENE, name, one) for name, one in attributes.items()}
    ordered = {name: has[name] for name in order_by_dependence(world, SCENE, has)}
    span = next(iter(world.section("scenes").values())).key.span
    return ir.Kind(SCENE, ordered, False, False, None, "The scene under way.", "scenes", span)
