"""Which rules lead to which: calls, events with their reactions, actions, and what follows at bounds and turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import step_bodies

TURNS = "turns"
"""What happens when any turn begins or ends, as one rule."""


RuleGraph = Mapping[str, frozenset[str]]
"""By the path of a rule, an attribute or `TURNS`, the paths of those that it may lead to at once."""


@once_per
def rules_in_circles(program: ir.Program) -> frozenset[str]:
    """The paths of rules that may lead to themselves, through any number of others: an event whose reaction causes it
    again, an action that offers itself.

    Every change of points or of a track counts as one that may reach a bound.
    """
    leads = _rule_graph(program)
    return frozenset([path for path in leads if path in _paths_reached(leads, path)])


@once_per
def rules_with_dice(program: ir.Program) -> frozenset[str]:
    """The paths of rules that may throw dice or draw, or lead to others that do."""
    leads = _rule_graph(program)
    throw = {path for path, node in _rules(program) if any(isinstance(body, THROWS) for body in step_bodies(node))}
    return frozenset([path for path in leads if path in throw or throw & _paths_reached(leads, path)])


THROWS = (ir.RollDice, ir.Reroll, ir.Draw, ir.Order)
"""Steps that may throw dice or draw."""


@once_per
def _rule_graph(program: ir.Program) -> RuleGraph:
    return {path: frozenset(_rules_led_to(program, node)) for path, node in _rules(program)}


def _rules(program: ir.Program) -> Iterator[tuple[str, Any]]:
    """Every node that steps may lead to, by path: rules, and what follows at bounds and turns."""
    for rule in (*program.mechanics.values(), *program.events.values()):
        yield rule.path, rule
    for action in (*program.actions.values(), *[one.action for one in program.reactions.values()]):
        yield action.rule.path, action
    for kind in program.kinds.values():
        yield from [(one.path, one) for one in kind.has.values()]
    yield TURNS, None


def _rules_led_to(program: ir.Program, node: Any) -> Iterator[str]:
    """The paths of the rules that a rule may lead to at once."""
    events = program.events
    if isinstance(node, ir.Action):
        kind = t.without_maybe(node.actor.type)
        assert isinstance(kind, t.Object), "an action has an actor"
        yield from [program.kinds[kind.kind].has[cost.name].path for cost in node.costs]
    if isinstance(node, ir.Mechanic) and events.get(node.name) is node:
        yield from [one.action.rule.path for one in program.reactions.values() if node.name in one.events]
    if node is None:
        yield from [events[name].path for name in events_of_turns(program)]
    for body in step_bodies(node):
        if isinstance(body, ir.Call):
            yield program.mechanics[body.mechanic].path
        elif isinstance(body, ir.Cause):
            yield events[body.event].path
        elif isinstance(body, ir.Act):
            yield program.actions[body.action].rule.path
        elif isinstance(body, ir.Offer):
            yield from [program.actions[name].rule.path for name in body.actions]
        elif isinstance(body, ir.Turn):
            yield TURNS
        elif isinstance(body, (ir.Shift, ir.Pay)):
            targets = [body.target] if isinstance(body, ir.Shift) else [target for target, _ in body.purses]
            yield from [program.kinds[one.kind].has[one.name].path for one in targets]


@once_per
def events_of_turns(program: ir.Program) -> tuple[str, ...]:
    """The names of events that may happen when a turn begins or ends."""
    delayed = [
        one.event
        for one in step_bodies(parts_with_steps(program))
        if isinstance(one, ir.Cause) and one.later is not None
    ]
    return tuple([name for name in ("turn_begins", "turn_ends", *delayed) if name in program.events])


def parts_with_steps(program: ir.Program) -> list[Any]:
    """The parts of a program that have steps."""
    return [program.kinds, program.mechanics, program.events, program.actions, program.reactions, program.scenes]


def _paths_reached(leads: RuleGraph, start: str) -> set[str]:
    """The paths that a rule may lead to in any number of steps."""
    found: set[str] = set()
    waiting = list(leads[start])
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += leads[path]
    return found
