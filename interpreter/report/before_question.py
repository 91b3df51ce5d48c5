"""What a person may know before a question: what came since the last one, and what it depends on.

Of what was computed, people are told the dice and the values on which the question or an outcome depends, as long as
the rule that computed them runs: the steps of a formula, what the text of the question says and what is nothing are
left out. Of an action or event that is over, they are told what the record tells, and so they are of what a scene has
called in an earlier round, phase, turn or pass of a loop: the question is not about it.
Where the ruleset says beside each answer what it comes to, they need no computed value: they are told the throws of
rules that are over, and what the question is for, which is the action or event that runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, assert_never

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.passes import written_name
from interpreter.ir.traversal import inner_expressions, nodes_under, rule_at
from interpreter.play import trace_events as ev
from interpreter.play.requests import RollUnderWay
from interpreter.report.short import call_in_a_line, compared_names
from interpreter.report.trace import NOTHING, GivenInput, Line, Trace, says_nothing
from interpreter.report.transcript import record_lines
from interpreter.runtime.evaluator import Closures
from interpreter.runtime.state import EMPTY, State


def lines_before(
    closures: Closures,
    events: Sequence[ev.Event],
    on_table: Iterable[RollUnderWay],
    start: int = 0,
    state: State | None = EMPTY,
) -> list[Line]:
    """The lines of the events from number `start` on, and then one for each roll under way; things have the titles of a
    `state`."""
    told = [line for line in Trace(list(events[start:]), closures, state) if not line.quiet]
    depth = told[-1].depth if told else 0
    shown = closures.program.titles
    rolls = [
        Line(depth, "table", one.name, f"{one.shown} on the table", one.path, title=shown.get(one.path, ""))
        for one in on_table
    ]
    return [*told, *rolls]


def headings_around(events: Sequence[ev.Event], start: int, depth: int) -> list[ev.Event]:
    """The events before number `start` that begin the rules which still run there, the outermost first; `depth` is that
    of the event at `start`, or of the step that asks if there is none."""
    headings: list[ev.Event] = []
    lowest = min((one.depth for one in (*events[start : start + 1],)), default=depth)
    changed: dict[int, dict[str, Any]] = {}
    for event in reversed(events[:start]):
        if isinstance(event, ev.EventChanged):  # by a reaction, which stands below the event that it changes
            changed[event.depth] = {name: now for name, (_, now) in event.inputs.items()} | changed.get(event.depth, {})
        elif isinstance(event, ev.EventCaused):
            for one in [changed.pop(at) for at in tuple(changed) if at > event.depth]:
                event = replace(event, inputs={**event.inputs, **one})
        if event.depth < lowest:
            lowest = event.depth
            headings += [event] if isinstance(event, ev.Heading) else []
        if isinstance(event, ev.RoundBegun):
            break
    return headings[::-1]


@dataclass(frozen=True, slots=True)
class Before:
    """What came before a question: the lines of the `record`, and what was `computed` for the question. `depth` is that
    of the step that asks."""

    record: tuple[Line, ...]
    computed: tuple[Line, ...]
    depth: int

    @property
    def lines(self) -> list[Line]:
        """All of it as people read it, in lines whose text may be everything."""
        return [*record_lines(self.record, over=False, depth=self.depth), *self.computed]


Rule = ir.Mechanic | ir.Scene
"""What has steps: of a scene, those of its phases."""


@dataclass(frozen=True, slots=True)
class ThrownCall(Line):
    """The line of a finished call in which dice were thrown, with the events that tell these."""

    throws: tuple[ev.Event, ...] = ()


SAYS_NOTHING = (*NOTHING, "{}", "0", "yes")
"""Values that say nothing without the step that reads them."""


def summarize_before_question(
    around: Sequence[Line], lines: Sequence[Line], depth: int, at: str, who: str | None, rule: str, program: ir.Program
) -> Before:
    """What of the lines before a question people are told.

    `around` are the headings of the rules that still ran where `lines` begin, `depth` is that of the step that asks,
    whose path is `at`, `who` is asked, and `rule` is the path of the one with which the run began.
    """

    def rule_of(path: str) -> Rule | None:
        section, name = (*path.split("."), "")[:2]
        return program.scenes.get(name) if section == "scenes" else rule_at(program, path)

    table = [replace(line, depth=0) for line in lines if line.kind == "table"]
    every = [*around, *(line for line in lines if line.kind != "table")]
    record: list[Line] = []
    computed: dict[str, Line] = {}
    asks, running = rule_of(at), [rule_of(rule)]
    choice = _choice_at(asks, at) if asks is not None else None
    explained = choice is not None and bool(choice.shows)
    begun = 0
    parts = list(_lines_without_finished(every, depth))
    innermost = next((part for part, runs in reversed(parts) if runs and _is_call(part[0])), None)
    for part, runs in parts:
        line, begun = part[0], begun + len(part)
        if _is_call(line):
            called = rule_of(line.path)
            if runs:
                summary = None
                if not explained and (called is asks or (not at and part is innermost)):
                    summary = _running_call(line, called, at, who)
                running.append(called)
            elif isinstance(running[-1], ir.Scene) and _is_behind(part[0].depth, every[begun:], depth):
                summary = None
            else:
                summary = _finished_call(part, called, running[-1], at)
            if begun > len(around):
                computed |= {summary.text: summary} if summary is not None else {}
                record += [one for one in part[1:] if summary is None or one.kind not in ("roll", "outcome")]
            continue
        if runs and isinstance(line.event, ev.Heading):
            running.append(rule_of(line.path))
        if begun <= len(around):
            continue
        if not _is_computed(line) or len(part) > 1:
            record += part
        elif not explained and _is_told(line, rule_of(line.path), at):
            key = line.path if line.kind == "step" else f"{line.path} {line.text}"
            computed.pop(key, None)  # a later pass of a loop takes its place
            computed[key] = replace(line, depth=0, cites=())
    happens = next((part[0] for part, runs in reversed(parts) if runs and isinstance(part[0].event, Happening)), None)
    if explained and happens is not None:
        thrown = {text: one for text, one in computed.items() if isinstance(one, ThrownCall)}
        computed, table = {**thrown, "": replace(happens, depth=0, name="", cites=())}, []
    return Before(tuple(record), (*computed.values(), *table), depth)


Happening = ev.ActionBegun | ev.EventCaused
"""What begins something in the game, and not only a rule for it."""

Beginning = ev.Heading | ev.TurnBegun | ev.PhaseBegun
"""What others follow one level deeper, until it is over."""

Stage = ev.RoundBegun | ev.PhaseBegun | ev.TurnBegun | ev.ElementBegun | ev.PassBegun
"""With what a scene goes on to something else. Of what it did before, only the record tells."""


def _is_call(line: Line) -> bool:
    return isinstance(line.event, ev.RuleCalled)


def _is_computed(line: Line) -> bool:
    """Whether a line shows a value that a rule has computed, and nothing of what happens."""
    event = line.event
    match event:
        case ev.StepDone() | ev.StagesBegun():
            return line.kind in ("step", "roll")
        case None | ev.ListSorted() | ev.FurtherRead() | ev.OutcomeReached() | ev.RuleEnded() | ev.CaseHeld():
            return False
        case ev.PassBegun() | ev.ElementBegun() | ev.DicePaired() | ev.DiceRerolled() | ev.KeyUsed():
            return False
        case ev.StepSkipped() | ev.RequirementMet() | ev.RuleCalled() | ev.EventCaused() | ev.ActionBegun():
            return False
        case _ if isinstance(event, ev.Progress | ev.Decision | ev.Change):
            return False
        case _:
            assert_never(event)


def _is_behind(call: int, later: Iterable[Line], asks: int) -> bool:
    """Whether a scene that called a rule at the depth `call` has gone on since then: by the lines that came `later`, or
    by the depth of the step that `asks`."""
    return asks < call or any(isinstance(line.event, Stage) and line.depth < call for line in later)


def _lines_without_finished(lines: Sequence[Line], depth: int) -> Iterator[tuple[Sequence[Line], bool]]:
    """The lines one by one, but what is over with all lines that belong to it; and whether it still runs."""
    at = 0
    while at < len(lines):
        end = at + 1
        if isinstance(lines[at].event, Beginning):
            while end < len(lines) and lines[end].depth > lines[at].depth:
                end += 1
            if end == len(lines) and depth > lines[at].depth:
                end = at + 1
                yield lines[at:end], True
                at = end
                continue
        yield lines[at:end], False
        at = end


def _is_told(line: Line, rule: Rule | None, at: str) -> bool:
    """Whether people are told a value that a rule which still runs has computed."""
    if line.kind == "roll":
        return True
    return not says_nothing(line, SAYS_NOTHING) and rule is not None and line.name not in _omitted_names(rule, at)


@lru_cache(1_000)
def _omitted_names(rule: Rule, at: str) -> frozenset[str]:
    """The names of the steps of a rule that only other steps read, that the question of the step `at` tells itself, or
    that lines of their own tell; and of the stages of such values."""
    own_lines = {one.name for one in _steps(rule) if isinstance(one.action, TOLD_BY_LINES)}
    left_out = (_names_read(rule) - _names_depended_on(rule, at)) | own_lines | _names_said(_choice_at(rule, at))
    values = [one.action for one in _steps(rule) if one.name in left_out]
    stages = {stage.name for value in values if isinstance(value, ir.Stages) for stage in value.then}
    return frozenset(left_out | stages)


TOLD_BY_LINES = (ir.Act, ir.Offer, ir.Choose, ir.ChooseEach, ir.Pay, ir.Cause, ir.Call, ir.Repeat, ir.ForEach)
"""The actions of steps whose result is told by the lines of what happens in them."""


@lru_cache(1_000)
def _names_depended_on(rule: Rule, at: str) -> frozenset[str]:
    """The names of the steps on whose values the question of the step `at`, further throws or an outcome depend."""
    asking = next((one for one in _steps(rule) if one.path == at), None)
    conditions = [one.action.again for one in _steps(rule) if isinstance(one.action, ir.RollDice)]
    conditions += [asking.condition] if asking is not None else []
    mechanic = rule.rule if isinstance(rule, ir.Scene) else rule
    decide = compared_names(mechanic, [one for one in conditions if one is not None])
    choice = _choice_at(rule, at)
    limits = (choice.where, choice.together, choice.low, choice.high, choice.most, choice.least) if choice else ()
    return frozenset(decide | _names_read(limits))


def _steps(rule: Rule) -> Iterator[ir.Step]:
    return (one for one in nodes_under(rule) if isinstance(one, ir.Step))


def _choice_at(rule: Rule, at: str) -> ir.Choose | None:
    """The choice of the step `at` of a rule."""
    action = next((one.action for one in _steps(rule) if one.path == at), None)
    choice = action.choice if isinstance(action, ir.ChooseEach) else action
    return choice if isinstance(choice, ir.Choose) else None


def _names_read(nodes: object) -> set[str]:
    """The names that formulas read."""
    return {written_name(one.name) for one in nodes_under((nodes,)) if isinstance(one, ir.Local)}


def _names_said(choice: ir.Choose | None) -> set[str]:
    """The names whose values the text of a question and its list of options tell.

    A part of the text that is not said counts, too: its author has decided where the value matters.
    """
    values = [*choice.ask.values, *([choice.among] if choice.among is not None else [])] if choice is not None else []
    waiting, names = [one.body for one in values], set[str]()
    while waiting:
        here = waiting.pop()
        if isinstance(here, ir.Local):
            names.add(written_name(here.name))  # also of what a pass carries on
        elif not isinstance(here, ir.Field):  # which tells one field of many
            waiting += inner_expressions(here)
    return names


def _running_call(line: Line, asks: Rule | None, at: str, who: str | None) -> Line | None:
    """The call of the rule that asks, with the inputs of which its question says nothing; it names `who` is asked."""
    known = _names_said(_choice_at(asks, at)) if asks is not None else set()
    asked = line.titles.who(who) if who is not None else None
    inputs = [
        one for one in line.inputs if _says_something(one) and one.declared.name not in known and one.said != asked
    ]
    return replace(_with_inputs(line, inputs), depth=0, name="", cites=()) if inputs else None


def _finished_call(lines: Sequence[Line], callee: Rule | None, caller: Rule | None, at: str) -> Line | None:
    """A call that is over, in a line, if dice were thrown in it or the question or an outcome depends on it: what was
    given, the dice, and the values that matter to the rule that called."""
    line = lines[0]
    parts = [part for part, _ in _lines_without_finished(lines[1:], line.depth)]
    without = [one for part in parts for one in part if not isinstance(part[0].event, Happening)]
    throws = tuple([one.event for one in without if one.event is not None and one.kind == "roll"])
    acted = any(isinstance(one.event, ev.ActionBegun | ev.TurnBegun) for one in lines)
    if (
        not isinstance(callee, ir.Mechanic)
        or acted
        or not (throws or (caller and line.name in _names_depended_on(caller, at)))
    ):
        return None
    fields = _fields_read(caller, line.name) if caller is not None else frozenset[str]()
    head = _with_inputs(line, [one for one in line.inputs if _says_something(one)])
    summary = call_in_a_line([head, *without], compared_names(callee) | fields, fields)
    if summary is None:
        return None
    if throws:
        return ThrownCall(0, "thrown", "", summary.text, summary.path, event=summary.event, throws=throws)
    return Line(0, "call", "", summary.text, summary.path, event=summary.event)


@lru_cache(1_000)
def _fields_read(rule: Rule, name: str) -> frozenset[str]:
    """The fields of a step that a rule reads, and the fields of these."""
    fields = set[str]()
    for one in nodes_under(rule):
        if isinstance(one, ir.Field):
            path, of = [one.name], one.of
            while isinstance(of, ir.Field):
                path, of = [*path, of.name], of.of
            fields |= set(path) if isinstance(of, ir.Local) and of.name == name else set()
    return frozenset(fields)


def _with_inputs(call: Line, inputs: Sequence[GivenInput]) -> Line:
    """A call that tells these of its inputs."""
    title = call.event.node.title if isinstance(call.event, ev.RuleCalled) else ""
    words = ", ".join(one.words for one in inputs)
    return replace(call, text=f"{title}{': ' if words else ''}{words}")


def _says_something(given: GivenInput) -> bool:
    """Whether an input, `difficulty 7`, has a value that says something."""
    return given.said not in SAYS_NOTHING or isinstance(t.without_maybe(given.declared.type), t.Text)
