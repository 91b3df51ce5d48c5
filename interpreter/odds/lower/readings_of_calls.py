"""Readings of rolls in the records of rules that are called or caused.

Where the rule reads such a roll, too, its dice would have to be drawn so that both can read them. Instead, a hidden
step at the end of the rule reads what is read of the roll after the call, so that all readings are drawn together; and
so it is for dice that are thrown once, as a number takes less than a roll that stays open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.failures import may_fail
from interpreter.ir.passes import names_bound_inside
from interpreter.ir.traversal import equal_apart_from_spans, map_children, nodes_under
from interpreter.odds.liveness import conditions, find_reading, names_in, path_of
from interpreter.odds.lower.followed_rules import need_of_followed_rule
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.operations import Need


def read_in_called_rules(lowering: Lowering, rule: ir.Mechanic, asked: Mapping[str, Need]) -> ir.Mechanic:
    """The rule in which readings of rolls in records of other rules are what hidden steps of these have read.

    `asked` is what is needed of each of its names.
    """
    for place, step in enumerate(rule.steps):
        called = _rule_led_to(lowering, step)
        rolls = _rolls_read_by(lowering, called) if called is not None else frozenset[str]()
        rolls -= _fields_asked(asked.get(step.name, frozenset()), rolls)
        after = (rule.steps[place + 1 :], rule.outcomes, rule.also)
        if called is None or not rolls or step.name in _names_bound_inside(rule.steps[place + 1 :]):
            continue
        rolls -= _taken_otherwise(lowering, after, step.name, rolls)
        if rolls:
            steps, outcomes, also = _replace_readings(lowering, after, step.name, rolls, called)
            rule = replace(rule, steps=(*rule.steps[: place + 1], *steps), outcomes=outcomes, also=also)
    return rule


def with_hidden_readings(lowering: Lowering, rule: ir.Mechanic, asked: Iterable[str]) -> ir.Mechanic:
    """The rule with the hidden steps of which something is asked, after all others."""
    known = lowering.hidden_readings.get(rule.path, {})
    hidden = tuple([known[name] for name in asked if name in known])
    return replace(rule, steps=(*rule.steps, *hidden)) if hidden else rule


def _names_bound_inside(steps: Iterable[ir.Step]) -> set[str]:
    """The names that steps inside of these steps bind."""
    return {name for one in steps for name in names_bound_inside(one.action)}


def _rule_led_to(lowering: Lowering, step: ir.Step) -> ir.Mechanic | None:
    """The rule of whose record a step results, if all of it runs and the engine follows it."""
    if step.instead is not None or not isinstance(t.without_maybe(step.type), t.Record):
        return None
    match step.action:
        case ir.Call(name):
            rule = lowering.program.mechanics[name]
        case ir.Cause(name, later=None):
            rule = lowering.program.events[name]
            if need_of_followed_rule(lowering, rule, frozenset(), is_result=True) is None:
                return None
        case _:
            return None
    return None if any(map(lowering.may_end, rule.steps)) else rule


def _rolls_read_by(lowering: Lowering, rule: ir.Mechanic) -> frozenset[str]:
    """The rolls in the record of a rule that its own formulas read, or of which each reading is known: of dice that are
    thrown once."""
    rolls = {name for name, kind in rule.type.fields if isinstance(kind, t.Roll)}
    if not rolls:
        return frozenset()
    made = lowering.inline_rule(rule)
    read = {one.name for one in nodes_under((made.steps, made.outcomes, made.also)) if isinstance(one, ir.Local)}
    rolls -= _rolls_paired_by(made)  # readings of open pairs and of their rolls are drawn together after the call
    return frozenset(
        [one.name for one in made.steps if one.name in rolls and (one.name in read or _is_thrown_once(one))]
    )


def _rolls_paired_by(rule: ir.Mechanic) -> set[str]:
    """The rolls of a rule whose dice it pairs."""
    pairs = [one for one in nodes_under(rule.steps) if isinstance(one, ir.Pair)]
    paths = [path_of(side.body) for one in pairs for side in (one.ours, one.theirs)]
    return {path[0] for path in paths if path}


def _is_thrown_once(step: ir.Step) -> bool:
    action = step.action
    return isinstance(action, ir.RollDice) and not action.each and action.counts is None and action.again is None


def _fields_asked(need: Need, fields: frozenset[str]) -> frozenset[str]:
    return fields if () in need else frozenset([path[0] for path in need])


def _reading_of_field(program: ir.Program, node: Any, name: str, rolls: frozenset[str]) -> str | None:
    """The roll in the record of a name of which a node is a reading that depends on nothing else, and never fails: play
    may not reach it."""
    reading = find_reading(node) if isinstance(node, (ir.Builtin, ir.Converted)) else None
    if reading is None or len(reading.path) != 2 or reading.path[0] != name or reading.path[1] not in rolls:
        return None
    if may_fail(program, node):
        return None
    return None if any(map(names_in, conditions(reading))) else reading.path[1]


def _taken_otherwise(lowering: Lowering, after: Any, name: str, rolls: frozenset[str]) -> frozenset[str]:
    """The rolls in the record of a name that something else takes than readings which depend on nothing else."""
    taken: set[str] = set()

    def search(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(map(search, node))
        if node is None or _reading_of_field(lowering.program, node, name, rolls) is not None:
            return node
        if isinstance(node, ir.Builtin) and node.name == "given" and path_of(node.arguments[0]) == (name,):
            return node
        if isinstance(node, ir.Field) and isinstance(node.of, ir.Local) and node.of.name == name:
            taken.add(node.name)
        elif isinstance(node, ir.Local) and node.name == name:
            taken.update(rolls)
        else:
            map_children(node, search)
        return node

    search(after)
    return frozenset(taken)


def _replace_readings(lowering: Lowering, after: Any, name: str, rolls: frozenset[str], called: ir.Mechanic) -> Any:
    """What comes after a step with fields of its record in place of readings of these rolls in it."""

    def change(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(map(change, node))
        if node is None:
            return node
        roll = _reading_of_field(lowering.program, node, name, rolls)
        if roll is None:
            return map_children(node, change)
        record = next(one for one in nodes_under(node) if isinstance(one, ir.Local) and one.name == name)
        return ir.Field(record, _hidden_step(lowering, called, node, (name, roll)), node.type, node.span)

    return change(after)


def _hidden_step(lowering: Lowering, called: ir.Mechanic, reading: Any, path: tuple[str, str]) -> str:
    """The name of the hidden step of a rule that has a reading of the roll at a path; equal readings share it."""

    def inside(node: Any) -> Any:
        if isinstance(node, ir.Field) and path_of(node) == path:
            return ir.Local(path[1], node.type, node.span)
        return map_children(node, inside)

    body = inside(reading)
    known = lowering.hidden_readings.setdefault(called.path, {})
    for name, step in known.items():
        if isinstance(step.action, ir.Let) and equal_apart_from_spans(step.action.formula.body, body):
            return name
    name = f"read {path[1]} {len(known)}"
    formula = ir.Formula(body, body.type, body.span)
    known[name] = ir.Step(name, ir.Let(formula), body.type, f"{called.path}.{name}", body.span)
    return name
