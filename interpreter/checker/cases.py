"""What cases name: the mechanic, its inputs, options, policies and values that they speak of must be there.

How a case comes out is a matter of playing it; a name that means nothing is known before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.world import World
from interpreter.diagnostics import PlayError
from interpreter.document import Entry, Mapping, Node, Scalar, Sequence
from interpreter.expressions.parser import parse, span_of
from interpreter.source import Span


def cases_checked(world: World, program: ir.Program) -> None:
    """Reports the names in cases that there are not."""
    for case in world.cases:
        if isinstance(case, Mapping):
            _references(world, program, case)
        # What a layer does to the cases of its base shows when they are played.
        if isinstance(case, Mapping) and case.span.source.name not in world.lower:
            _case(world, program, case)


def _case(world: World, program: ir.Program, case: Mapping) -> None:
    for option in _entries(case.get("options")):
        if option.key.text not in world.section("options"):
            known = world.section("options")
            world.problems.add(say.unknown_option(option.key.span, option.key.text, known))
    policy, mechanic = case.get("policy"), case.get("mechanic")
    if isinstance(policy, Scalar) and policy.text not in program.policies:
        world.problems.add(say.unknown_of(policy.span, "policy", policy.text, program.policies))
    if not isinstance(mechanic, Scalar):
        return
    if mechanic.text not in world.section("mechanics"):
        known = world.section("mechanics")
        world.problems.add(say.unknown_of(mechanic.span, "mechanic", mechanic.text, known))
    elif mechanic.text in program.mechanics and "error" not in case and _is_sound(world, mechanic.text):
        _values(world, program.mechanics[mechanic.text], case)


def _is_sound(world: World, mechanic: str) -> bool:
    """Whether all inputs and values of a mechanic are known: a slip in it, or in one it passes on, hides some."""
    node = world.section("mechanics")[mechanic].value
    if isinstance(node, Mapping) and "passes" in node:
        return not world.problems.errors
    source = node.span.source
    return not any(
        one.span.source is source and node.span.start <= one.span.start <= node.span.end
        for one in world.problems.errors
    )


def _values(world: World, rule: ir.Mechanic, case: Mapping) -> None:
    inputs = [one.name for one in rule.inputs]
    grid = case.get("each")
    named = grid.get("given") if isinstance(grid, Mapping) else None
    given = [entry.key for entry in _entries(case.get("given"))]
    given += [item for item in named.items if isinstance(item, Scalar)] if isinstance(named, Sequence) else []
    for key in given:
        if key.text.split(".")[0] not in inputs:
            world.problems.add(say.unknown_input(key.span, key.text.split(".")[0], rule.name, inputs))
    values = [name for name, _ in rule.type.fields]
    for entry in (*_entries(case.get("expect")), *_entries(case.get("mean"))):
        if entry.key.text.split(".")[0] not in values:
            world.problems.add(say.no_such_value(entry.key.span, entry.key.text.split(".")[0], values))


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _references(world: World, program: ir.Program, case: Mapping) -> None:
    """Note what a case names, so that a house rule that renames it carries the case along."""
    for option in _entries(case.get("options")):
        world.refer(option.key.span, "options", option.key.text)
    mechanic, policy, expression = case.get("mechanic"), case.get("policy"), case.get("evaluate")
    if isinstance(expression, Scalar):
        _refer_in_expression(world, expression)
    if isinstance(policy, Scalar):
        world.refer(policy.span, "policies", policy.text)
    if not isinstance(mechanic, Scalar) or mechanic.text not in program.mechanics:
        return
    world.refer(mechanic.span, "mechanics", mechanic.text)
    rule = program.mechanics[mechanic.text]
    inputs = {one.name: one.span for one in rule.inputs}
    grid = case.get("each")
    listed = grid.get("given") if isinstance(grid, Mapping) else None
    given = [entry.key for entry in _entries(case.get("given"))]
    given += [item for item in listed.items if isinstance(item, Scalar)] if isinstance(listed, Sequence) else []
    for key in given:
        _refer_to_path(world, key, inputs)
    aimed = [grid.get(name) for name in ("expect", "mean")] if isinstance(grid, Mapping) else []
    aims = [node for node in aimed if isinstance(node, Scalar)]
    wanted = [entry.key for name in ("expect", "mean") for entry in _entries(case.get(name))]
    for key in (*wanted, *aims):
        _refer_to_path(world, key, dict(rule.type.where))
    choices = {step.name: step.span for one in program.mechanics.values() for step in _choices(one.steps)}
    for entry in _entries(case.get("choices")):
        name, place = entry.key.text.rsplit(".", 1)[-1], entry.key.span
        if name in choices:
            world.references[Span(place.source, place.end - len(name), place.end)] = choices[name]


def _refer_in_expression(world: World, expression: Scalar) -> None:
    try:
        tree = parse(expression, world.comparators.keys())
    except PlayError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            place = span_of(node, expression.span)
            for section in ("functions", "tables", "comparators"):
                world.refer(place, section, node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "options":
            end = node.end_col_offset or 0
            world.refer(Span(expression.span.source, end - len(node.attr), end), "options", node.attr)


def _refer_to_path(world: World, key: Scalar, named: dict[str, Span]) -> None:
    head = key.text.split(".")[0]
    if head in named:
        world.references[Span(key.span.source, key.span.start, key.span.start + len(head))] = named[head]


def _choices(steps: tuple[ir.Step, ...]) -> Iterator[ir.Step]:
    """Every choice among steps, those inside others too."""
    for step in steps:
        action = step.action
        if isinstance(action, ir.Choose):
            yield step
        elif isinstance(action, ir.Stages):
            yield from _choices(action.then)
        elif isinstance(action, (ir.Toss, ir.Repeat, ir.Pair)):
            yield from _choices(action.each)
        elif isinstance(action, ir.Block):
            yield from _choices(action.steps)
