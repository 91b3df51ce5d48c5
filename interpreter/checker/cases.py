"""What cases name: the mechanic, its inputs, options, policies and values that they speak of must be there.

How a case comes out is a matter of playing it; a name that means nothing is known before.
"""

from __future__ import annotations

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.world import World
from interpreter.document import Entry, Mapping, Node, Scalar, Sequence


def cases_checked(world: World, program: ir.Program) -> None:
    """Reports the names in cases that there are not."""
    for case in world.cases:
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
