"""Explain why a run never asked for an answer that was given beforehand.

A reason is given only if it is certain: it comes from the events of exactly the steps that the key of the answer
names, not from another call of the same mechanic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import UnionType

from interpreter import ir
from interpreter.diagnostics import Diagnostic
from interpreter.ir import types as t
from interpreter.ir.choice_keys import Trail, all_rules, question_keys, question_trails, trails_meant
from interpreter.play import trace_events as ev


def explain_unasked(
    unasked: Diagnostic, program: ir.Program, rule: ir.Mechanic, given: Sequence[str], events: Sequence[ev.Event]
) -> Diagnostic:
    """The diagnostic for an answer that was never asked for, with the reason if the run shows it.

    `given` are the names of the given inputs.
    """
    key = unasked.about or ""
    for trail in trails_meant(question_trails(program, rule), key):
        reason = _reason_on_trail(trail, events)
        if reason is not None:
            return replace(unasked, message=f"{unasked.message}: {reason}", help=None)
    reason = _reason_for_input(program, rule, key, given) or _reason_of_another_rule(program, rule, key)
    return replace(unasked, message=f"{unasked.message}: {reason}", help=None) if reason else unasked


def _reason_on_trail(trail: Trail, events: Sequence[ev.Event]) -> str | None:
    """Why the choice at the end of a trail was not asked, if it was not."""
    inside: Sequence[ev.Event] = events
    for place, step in enumerate(trail):
        done = [(at, event) for at, event in enumerate(inside) if _is_of(event, ev.StepDone, step)]
        if not done:
            return _reason_not_done(step, trail[place - 1] if place else None, inside, events)
        if place == len(trail) - 1:
            return None  # a price of 0, or one that can be paid in one way alone: the run does not show which
        inside = [event for at, _ in done for event in _events_inside(inside, at)]
    return None


def _is_of(event: ev.Event, kind: type | UnionType, step: ir.Step) -> bool:
    """Whether an event is of a type and about a step."""
    if not isinstance(event, kind) or isinstance(event, ev.PointsLapsed | ev.MasterEnded | ev.MasterGave):
        return False
    return event.node.path == step.path


def _events_inside(events: Sequence[ev.Event], end: int) -> Sequence[ev.Event]:
    """The events inside a step, from the place of its own event."""
    first, depth = end, events[end].depth
    while first and (
        events[first - 1].depth > depth or not isinstance(events[first - 1], ev.StepDone | ev.StepSkipped)
    ):
        if events[first - 1].depth < depth:
            break
        first -= 1
    return events[first:end]


def _reason_not_done(
    step: ir.Step, around: ir.Step | None, inside: Sequence[ev.Event], events: Sequence[ev.Event]
) -> str | None:
    """Why a step did not run although the step around it did."""
    if any(_is_of(event, ev.StepSkipped, step) for event in inside):
        condition = " ".join(step.condition.text.split()) if step.condition is not None else ""
        return f"`{step.name}` runs only if `{condition}`"
    for event in reversed(events):
        if isinstance(event, ev.RuleEnded):
            return f"the rule ended with `{event.outcome}` before"
    outcome = _outcome_of(step)
    if outcome is not None:
        return f"`{step.name}` runs only for the outcome `{outcome}`"
    action = around.action if around is not None else None
    while isinstance(action, ir.Stages):
        action = action.start
    if around is not None and isinstance(action, (ir.Repeat, ir.ForEach, ir.Pair, ir.RollDice)):
        passes = ev.PassBegun | ev.ElementBegun | ev.DicePaired
        if not any(_is_of(event, passes, around) for event in inside):
            return f"the steps of `{around.name}` ran 0 times"
    return None


def _outcome_of(step: ir.Step) -> str | None:
    """The outcome that a step belongs to, if any."""
    names = step.path.split(".")
    return names[names.index("outcomes") + 1] if "outcomes" in names[:-2] else None


def _reason_for_input(program: ir.Program, rule: ir.Mechanic, key: str, given: Sequence[str]) -> str | None:
    """Why an input of an action was not asked for."""
    one = next((one for one in rule.inputs if one.name == key), None)
    if one is None or (program.actions.get(rule.name) is None or program.actions[rule.name].rule is not rule):
        return None
    if key in given:
        return "it was given as an input"
    kind = t.without_maybe(one.type)
    listed = isinstance(kind, (t.Object, t.YesNo, t.Word)) or one.among is not None
    if not listed and not (isinstance(kind, t.Number) and one.low is not None and one.high is not None):
        return "its possible values cannot be listed, so it is not asked for; give it as an input"
    return None


def _reason_of_another_rule(program: ir.Program, rule: ir.Mechanic, key: str) -> str | None:
    """The reason that a key belongs to another rule than the one that was played."""
    names = key.split(".")

    def holds(one: ir.Mechanic) -> bool:
        return any([one.name for one in path[-len(names) :]] == names for path, _ in question_keys(program, one))

    if holds(rule):
        return None
    found = [one.name for one in all_rules(program) if one is not rule and holds(one)]
    return f"it is asked in `{found[0]}`, which `{rule.name}` never runs" if found else None
