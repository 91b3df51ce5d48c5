"""What a rule passes to the rules that it calls and the events that it causes: inputs and roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Names
from dataclasses import field

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.deciders import is_each_asked, who_decides
from interpreter.checker.expressions import argument
from interpreter.checker.scope import Scope
from interpreter.checker.step_keys import without_bounds
from interpreter.checker.world import World
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.syntax.document import Node, entries_of


@dataclass(frozen=True, slots=True)
class EnclosingRule:
    """The rule that steps belong to: what it passes inputs to, its inputs, and the events that it may change."""

    name: str = ""
    passes: frozenset[str] = frozenset()
    inputs: Names[str, ir.Declaration] = field(default_factory=dict)
    events: tuple[ir.Mechanic, ...] = ()


def roles_of_call(world: World, node: Node | None, scope: Scope) -> Iterator[tuple[str, ir.Formula | str]]:
    """Who has each role in a call: one thing, or another role."""
    for entry in entries_of(node):
        world.refer(entry.key.span, "roles", entry.key.text)
        who = who_decides(world, entry.value, scope)
        if entry.key.text not in world.section("roles"):
            world.problems.add(say.unknown_of(entry.key.span, "role", entry.key.text, world.section("roles")))
        elif is_each_asked(who):
            world.problems.add(say.several_in_a_role(entry.value.span, entry.key.text))
        elif who is not None:
            yield entry.key.text, who


Passed = Callable[[tuple[ir.Declaration, ...], Node | None, str, Span], list[tuple[str, ir.Formula]]]


def arguments_from(world: World, scope: Scope, rule: EnclosingRule) -> Passed:
    """The arguments of a rule that is called or caused: those of `with`, and the inputs that this rule passes on."""

    def arguments_for(
        inputs: tuple[ir.Declaration, ...], values: Node | None, name: str, at: Span
    ) -> list[tuple[str, ir.Formula]]:
        given: list[tuple[str, ir.Formula]] = []
        wanted = {one.name: one for one in inputs}
        misspelt: list[str] = []
        for entry in entries_of(values):
            one = wanted.pop(entry.key.text, None)
            if one is None:
                names = [i.name for i in inputs]
                world.problems.add(say.unknown_input(entry.key.span, entry.key.text, name, names))
                misspelt.append(entry.key.text)
                continue
            world.references[entry.key.span] = one.span
            given.append((one.name, argument(world, entry.value, scope, accepted_type(one))))
        for other in misspelt:  # an input that is there in other letters is not told to be missing as well
            wanted.pop(say.nearest_name(other, wanted) or "", None)
        for one in wanted.values():
            if name in rule.passes and one.name in rule.inputs:
                own = scope.names[one.name]
                body = ir.Local(one.name, own.type, at)
                if not t.fits(own.type, accepted_type(one)):
                    world.problems.add(say.wrong_type(own.span, t.in_words(one.type), t.in_words(own.type)))
                given.append((one.name, ir.Formula(body, own.type, at)))
            elif one.required:
                world.problems.add(say.missing_key(at, one.name, f"`{name}`"))
        return given

    return arguments_for


def accepted_type(one: ir.Declaration) -> t.Type:
    """The type accepted_type for an input: a run checks bounds, and an input that is not required may be missing."""
    kind: t.Type = one.type if isinstance(one.type, t.SingleDie) else without_bounds(one.type)
    return kind if one.required else t.maybe(kind)
