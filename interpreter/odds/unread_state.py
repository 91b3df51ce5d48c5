"""Attributes that the rules of a question change and nothing in it reads: their changes only multiply states.

Whoever asks whether a character survives three terms of service reads none of the skills that the terms teach. Such
changes are left out, as formulas are that nothing reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import EFFECTS, nodes_under, outermost_nodes_in
from interpreter.odds.projection import check_name

Attribute = tuple[str, str]
"""The kind of the things that have an attribute, and its name."""

NUMBER_CHANGES = (ir.Shift, ir.Assign)
"""Changes that give an attribute another value and do nothing else, unless the attribute says so."""

OTHER_CHANGES = (ir.Pay, ir.Include, ir.Exclude, ir.Draw, ir.Put, ir.Take)
"""Changes that depend on what their attributes are."""


def unread_attributes(program: ir.Program, rule: ir.Mechanic, names: tuple[str, ...]) -> frozenset[Attribute]:
    """The attributes that a question about names of a rule's record does not depend on, though its rules change them.

    The question reads nothing of the state after the rule.
    """
    found = _changed_and_unread(program, rule)
    if not found:
        return frozenset()
    try:
        asked = {part for name in names for part in name.split(".")}
        asked |= {field for name in names for field in _fields_of(check_name(rule.type, name))}
    except PlayError:  # the question itself is refused
        return frozenset()
    return frozenset([attribute for attribute, steps in found.items() if not steps & asked])


@once_per
def _changed_and_unread(program: ir.Program, rule: ir.Mechanic) -> Mapping[Attribute, frozenset[str]]:
    """The attributes that a rule changes and nothing reads, with the names of the steps that change them."""
    reached = tuple(mechanics_reached(program, rule))
    if not any(True for _ in outermost_nodes_in(reached, NUMBER_CHANGES)):  # most rules change nothing
        return {}
    nodes = list(nodes_under(reached))
    others = tuple([one for one in EFFECTS if one not in (*NUMBER_CHANGES, *OTHER_CHANGES)])
    steps = [node for node in nodes if isinstance(node, ir.Step)]
    changes = [(one.name, one.action.target) for one in steps if isinstance(one.action, NUMBER_CHANGES)]
    if any(isinstance(node, (*others, ir.Turn)) for node in nodes):
        return {}
    everywhere = (program.functions, program.modifiers, program.kinds, program.tables, program.types)
    names, attributes = _what_is_read([*nodes, *nodes_under(everywhere)])
    found: dict[Attribute, set[str]] = {}
    for name, target in changes:
        found.setdefault((target.kind, target.name), set()).add(name)
    return {
        (kind, name): frozenset(by)
        for (kind, name), by in found.items()
        if (kind, name) not in attributes and not names & {name, *by} and _only_holds(program.kinds[kind].has[name])
    }


def _what_is_read(nodes: list[Any]) -> tuple[frozenset[str], frozenset[Attribute]]:
    """The names of steps and fields, and the attributes, that expressions read or that other changes depend on."""
    names: set[str] = set()
    attributes: set[Attribute] = set()
    for node in nodes:
        if isinstance(node, (ir.Attribute, ir.OwnAttribute)):
            attributes.add((node.kind, node.name))
        elif isinstance(node, (ir.Local, ir.Field, ir.Column)):
            names.add(node.name)
        elif isinstance(node, ir.Relation):  # of records, all fields are compared
            names.update(_fields_of(node.left.type))
        elif isinstance(node, ir.Membership):
            names.update(_fields_of(node.of.type))
        elif isinstance(node, OTHER_CHANGES):
            attributes |= {(one.kind, one.name) for one in nodes_under(node) if isinstance(one, ir.Lvalue)}
    return frozenset(names), frozenset(attributes)


def _only_holds(one: ir.HeldAttribute) -> bool:
    """Whether an attribute holds a value, and no change of it leads to anything else or is refused."""
    leads_on = one.when_full or one.when_hit_full or one.when_empty or one.refuses
    return not (leads_on or one.derived or one.part or one.names_thing)


def _fields_of(kind: t.Type) -> Iterator[str]:
    """The names of the fields of a type, and of those in it."""
    kind = t.without_maybe(kind)
    if isinstance(kind, t.Record):
        for name, of in kind.fields:
            yield name
            yield from _fields_of(of)
    elif isinstance(kind, (t.List, t.Map)):
        yield from _fields_of(kind.of)


def mechanics_reached(program: ir.Program, rule: ir.Mechanic) -> Iterator[ir.Mechanic]:
    """A rule, and all mechanics that it calls."""
    seen: dict[str, ir.Mechanic] = {}
    left = [rule]
    while left:
        one = left.pop()
        if one.path not in seen:
            seen[one.path] = one
            left += [program.mechanics[call.mechanic] for call in outermost_nodes_in(one, ir.Call)]
    yield from seen.values()
