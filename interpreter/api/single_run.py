"""One run of a rule, from a seed, from faces on the table or from the host's own dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from interpreter import diagnostics as say
from interpreter.api.instance import Held, Instance
from interpreter.api.query import PreparedRule, Query, answers, prepare
from interpreter.api.result import Result
from interpreter.collector import collect_garbage_rarely
from interpreter.diagnostics import PlayError
from interpreter.play.deciders import Answers, NeverAsked, Policy, drive
from interpreter.play.events import end_span
from interpreter.play.run import Run
from interpreter.play.unasked_answers import explain_unasked
from interpreter.report.trace import Trace
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.kept_dice import settle_dice
from interpreter.runtime.rng import FacesOnTable, FaceSource, Seed, SeededDice, fresh_seed
from interpreter.runtime.state import STATE, State
from interpreter.syntax.fixed_words import SPANS

_AS_USUAL = nullcontext()


def run_once(
    query: Query, seed: Seed | None = None, faces: Sequence[Any] | None = None, source: FaceSource | None = None
) -> Result:
    """The result of one run. Raises PlayError if the rule cannot be played."""
    prepared = prepare(query)
    return run_prepared(query.instance, prepared, answers(query, prepared), seed, faces, source)


def run_prepared(
    instance: Instance,
    prepared: PreparedRule,
    answered: Answers,
    seed: Seed | None,
    faces: Sequence[Any] | None,
    source: FaceSource | None = None,
) -> Result:
    """The result of one run of a prepared rule, with these answers; all faces and all answers must be used."""
    table = FacesOnTable(faces) if faces is not None else None
    if table is None and source is None:
        seed = fresh_seed() if seed is None else seed
    elif source is not None:
        seed = None
    thrower: FaceSource = table or source or SeededDice(seed or 0)
    end, run = dict(prepared.frame), Run(settled=answered.settled)
    is_long = prepared.rule.path.startswith("scenes.")  # elsewhere the collector has hardly anything to look through
    with say.spending_at(prepared.rule.span), collect_garbage_rarely() if is_long else _AS_USUAL:
        record = drive(prepared.walk(end, run), thrower, answered)
    if table is not None:
        table.finish()
    try:
        answered.finish()
    except NeverAsked as error:
        given = [name for name, value in prepared.frame.items() if value is not None]
        reason = explain_unasked(error.diagnostic, instance.program, prepared.rule, given, run.events)
        raise PlayError(reason) from None
    return result_of(instance, prepared, end, run, record, seed if table is None else None)


def result_of(
    instance: Instance,
    prepared: PreparedRule,
    end: Mapping[str, Any],
    run: Run,
    record: Mapping[str, Any],
    seed: Seed | None,
) -> Result:
    """The result of a run that started from the frame of a prepared rule and left the frame `end`."""
    rule, start = prepared.rule, prepared.frame
    inputs = {one.name: start.get(one.name) for one in rule.inputs}  # those that were asked for are choices
    if "actor" in start:
        inputs = {"actor": start["actor"], **inputs}
    also = {one.name: record.get(one.name) for one in rule.also}
    return Result(
        instance.program.name,
        rule.name,
        record.get("outcome"),
        also,
        {name: value for name, value in record.items() if name not in also and name != "outcome"},
        tuple(run.faces),
        tuple(run.choices),
        inputs,
        dict(instance.chosen),
        seed,
        Trace(run.events, instance.closures, start.get(STATE), instance),
        run.events,
        _settle_dice(instance, start.get(STATE)),
        _settle_dice(instance, end.get(STATE)),
        rule.path.partition(".")[0],
        prepared.part,
        prepared.ends,
        run.over,
    )


def _settle_dice(instance: Instance, state: State | None) -> State | None:
    return None if state is None else settle_dice(instance.program, state)


def state_after(
    instance: Instance,
    held: Held,
    span: str,
    who: str | None,
    faces: Sequence[Any] | None,
    seed: Seed | None,
    by: tuple[Mapping[str, Any] | None, str | Policy | None, Policy | None],
) -> tuple[State, Trace]:
    """The state when a span has ended, and the trace of the events that this causes.

    `by` are the choices, the policy and the function that answer those events.
    """
    if span not in SPANS:
        raise PlayError(say.not_one_of(say.NOWHERE, "what ends", span, SPANS))
    state = instance.state_from(held)
    if who is not None and who not in state.things:
        raise PlayError(say.no_such_thing(say.NOWHERE, who, state.things))
    table = FacesOnTable(faces) if faces is not None else None
    thrower = table or SeededDice(fresh_seed() if seed is None else seed)
    answered = instance.answers(*by, instance.reader(state))
    run, made = Run(settled=answered.settled), {**new_frame(), STATE: state}
    walk = end_span(instance.walker, span, made, run, state.thing(who) if who is not None else None)
    drive(walk, thrower, answered)
    answered.finish()
    if table is not None:
        table.finish()
    return made[STATE], Trace(run.events, instance.closures, state)
