"""A trace told short: each step of the rule that was played, and inside of what it calls only what people see.

A call becomes one line: its title and inputs, the dice that were thrown inside, the numbers that decide its outcome,
the values that the rule reads of it, and its outcome. Decisions, changes of things and caused events inside keep lines
of their own. Steps without a value (`no`, `none`, an empty list) are left out, and so is the outcome of the rule
itself, which a page shows at its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, assert_never

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.passes import written_name
from interpreter.ir.traversal import nodes_under
from interpreter.play import trace_events as ev
from interpreter.report.trace import Line, is_of_rule, says_nothing
from interpreter.report.transcript import is_unchanged

VALUES = ("step", "roll", "order", "also", "outcome")
"""The kinds of lines that show a value by its name."""


def shorten_trace(lines: Sequence[Line], rule: ir.Mechanic, program: ir.Program) -> list[Line]:
    """The lines of a run of `rule`, told short. `lines` are those of its trace that are not quiet."""
    read: dict[str, set[str]] = {}
    for one in nodes_under(rule):
        if isinstance(one, ir.Field) and isinstance(one.of, ir.Local):
            read.setdefault(one.of.name, set()).add(one.name)
        if isinstance(one, ir.Step) and isinstance(one.action, ir.Call):
            read.setdefault(one.name, set()).update(compared_names(program.mechanics[one.action.mechanic]))
    return _kept_lines(lines, 0, read)


def call_in_a_line(lines: Sequence[Line], read: AbstractSet[str], inside: AbstractSet[str]) -> Line | None:
    """The lines of a call as one: its title and inputs, its dice, its outcome, the values of the names that are `read`
    of it, and of those that are read of what it calls `inside`."""
    depth = lines[0].depth + 1
    ends = (line.text for line in lines if is_of_rule(line.event) and line.depth == depth)
    kept = _lines_of_rule(replace(lines[0], depth=0), lines[1:], next(ends, ""), read, inside)
    return next((one for one in kept if isinstance(one.event, ev.RuleCalled)), None)


def compared_names(mechanic: ir.Mechanic, also: Sequence[ir.Formula] = ()) -> set[str]:
    """The names of the numbers that the outcomes of a mechanic compare, and that the conditions `also` compare, also by
    way of named conditions."""
    steps = {one.name: one for one in nodes_under(mechanic.steps) if isinstance(one, ir.Step)}
    waiting: list[Any] = [one.condition for one in mechanic.outcomes.cases] if mechanic.outcomes is not None else []
    waiting += also
    found, seen = set[str](), set[str]()
    while waiting:
        names = {written_name(one.name) for one in nodes_under(waiting.pop()) if isinstance(one, ir.Local)} - seen
        seen |= names
        for step in (steps[name] for name in names if name in steps):
            kind = t.without_maybe(step.type)
            if isinstance(kind, t.YesNo):
                waiting.append(step.action)
            elif isinstance(kind, t.Number):
                found.add(step.name)
    return found


def _kept_lines(lines: Sequence[Line], depth: int, read: Mapping[str, set[str]] | None) -> list[Line]:
    """The lines of one level and of those below it; `read` is None below the level of the rule that was played."""
    kept: list[Line] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        end = at + 1
        while end < len(lines) and lines[end].depth > line.depth:
            end += 1
        inside, at = lines[at + 1 : end], end
        shown = replace(line, depth=depth)
        if isinstance(line.event, ev.Heading):
            outcome = ""
            if at < len(lines) and isinstance(lines[at].event, ev.StepDone) and lines[at].name == line.name:
                outcome, at = lines[at].text, at + 1
            if read is None and isinstance(line.event, ev.RuleCalled):
                kept += _with_name_of_call(_kept_lines(inside, depth, None), line)
            else:
                kept += _lines_of_rule(shown, inside, outcome, (read or {}).get(line.name, set()))
            continue
        if _is_kept(line, read is not None):
            kept.append(shown)
        kept += _kept_lines(inside, depth + 1, None)
    return kept


def _lines_of_rule(
    heading: Line, inside: Sequence[Line], outcome: str, read: AbstractSet[str], deep: AbstractSet[str] = frozenset()
) -> list[Line]:
    """The lines of a rule that was called or caused: its heading with what came of it, and what is kept below.

    `read` are the names of its values that are shown, and `deep` those of values that rules inside have computed.
    """
    below = _kept_lines(inside, heading.depth + 1, None)
    rolls = [one for one in below if one.kind == "roll"]
    results: list[str] = []
    called = isinstance(heading.event, ev.RuleCalled)
    if called:
        below = [one for one in below if one.kind != "roll"]
        results = [f"{one.shown} {one.text}" for one in rolls] if len(rolls) > 1 else [one.text for one in rolls]
    shown = {outcome, *(one.text for one in rolls)}
    for one in inside:
        names = read if one.depth == inside[0].depth else deep
        if one.name in names - {"outcome"} and one.kind in VALUES:
            results += [f"{one.shown} {one.text}"] if one.text not in shown and not says_nothing(one) else []
    if called and not (below or results or outcome):
        return []
    came = dict.fromkeys([*results, *([outcome] if outcome else [])])  # a rule inside may have computed the same
    text = f"{heading.text} → {'; '.join(came)}" if came else heading.text
    return [replace(heading, text=text), *below]


def _with_name_of_call(lines: list[Line], call: Line) -> list[Line]:
    """The lines of a call. A roll that is the only one gets the name of the call, which tells more than its own."""
    if sum(one.kind == "roll" for one in lines) != 1:
        return lines
    return [replace(one, name=call.name, title=call.title) if one.kind == "roll" else one for one in lines]


def _is_kept(line: Line, of_played: bool) -> bool:
    """Whether a line is kept: what people do and what changes at any depth, values only of the rule that was played."""
    event = line.event
    match event:
        case None | ev.RuleEnded():
            return False
        case ev.StepDone() | ev.ListSorted() | ev.FurtherRead() | ev.OutcomeReached() | ev.StagesBegun():
            shows = line.kind in VALUES and not says_nothing(line) and not is_of_rule(event)
            return shows and (of_played or line.kind == "roll")
        case ev.NumberMoved() | ev.ValueSet() | ev.EventChanged():
            return not is_unchanged(event)
        case ev.ElementAdded() | ev.ElementRemoved() | ev.PointsLapsed() | ev.ThingMade() | ev.ThingDestroyed():
            return True
        case ev.PileDrawn() | ev.PileRefilled() | ev.PutIntoPile() | ev.TakenFromPile() | ev.DiceRerolled():
            return True
        case ev.ChoiceMade() | ev.ActionDenied() | ev.EventCancelled() | ev.MasterEnded() | ev.MasterGave():
            return True
        case ev.RoundBegun() | ev.PhaseBegun() | ev.TurnBegun() | ev.GuardReached() | ev.SpanEnded():
            return True
        case ev.ThingSummarized():
            return True
        case ev.RuleCalled() | ev.EventCaused() | ev.ActionBegun() | ev.SceneBegun() | ev.ReactionDeclined():
            return False
        case ev.PassBegun() | ev.ElementBegun() | ev.DicePaired() | ev.KeyUsed() | ev.CaseHeld():
            return False
        case ev.StepSkipped() | ev.RequirementMet():
            return False
        case _:
            assert_never(event)
