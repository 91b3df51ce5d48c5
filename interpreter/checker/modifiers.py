"""Check modifiers: what a manoeuvre or a circumstance adds to the fields of a record."""

from __future__ import annotations

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.declarations import declarations
from interpreter.checker.declared_names import check_name
from interpreter.checker.expressions import formula
from interpreter.checker.scope import Scope
from interpreter.checker.world import World, text_at
from interpreter.ir import types as t
from interpreter.syntax.document import Entry, Mapping, Scalar, entries_of


def modifiers(world: World) -> dict[str, ir.Modifier]:
    """The modifiers of a ruleset, checked with the record types that they are added to."""
    by_name = {}
    for name, entry in world.section("modifiers").items():
        check_name(world, entry.key)
        one = _modifier(world, entry) if isinstance(entry.value, Mapping) else None
        if one is not None:
            by_name[name] = one
    return by_name


def _modifier(world: World, entry: Entry) -> ir.Modifier | None:
    node, name = entry.value, entry.key.text
    assert isinstance(node, Mapping)
    path = f"modifiers.{name}"
    to, by, adds = node.get("to"), node.get("by"), node.get("adds")
    if isinstance(by, Scalar):
        world.refer(by.span, "roles", by.text)
    if isinstance(by, Scalar) and by.text not in world.section("roles"):
        world.problems.add(say.not_a_role(by.span, by.text, world.section("roles")))
    if not isinstance(to, Scalar):
        return None
    world.refer(to.span, "types", to.text)
    record = world.record(to.text)
    if record is None:
        if to.text not in world.section("types"):
            world.problems.add(say.unknown_of(to.span, "type", to.text, world.section("types")))
        return None
    takes, scope = declarations(world, node.get("takes"), f"{path}.takes", Scope())
    added = []
    for field in entries_of(adds):
        declared = next((one for one in record.has if one.name == field.key.text), None)
        if declared is None:
            names = [one.name for one in record.has]
            world.problems.add(say.unknown_field(field.key.span, f"`{record.name}`", field.key.text, names))
            continue
        world.references[field.key.span] = declared.span
        wanted: t.Type = t.NUMBER if isinstance(declared.type, t.Number) else declared.type
        if not isinstance(wanted, (t.Number, t.Dice, t.SingleDie, t.YesNo, t.List, t.Anything)):
            world.problems.add(
                say.wrong_type(field.key.span, "a number, dice, a die, yes or no or a list", t.in_words(wanted))
            )
        added.append((field.key.text, formula(world, field.value, scope, wanted)))
    title = text_at(node, "title") or name.replace("_", " ").capitalize()
    return ir.Modifier(
        name, to.text, tuple(takes), tuple(added), title, by.text if isinstance(by, Scalar) else None, path
    )
