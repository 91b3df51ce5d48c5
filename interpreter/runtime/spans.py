"""The end of a turn, a round, a scene or the game: what lasts no longer starts again, and what is due happens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.ir.once_per import once_per
from interpreter.runtime.evaluator import Closures, Frame
from interpreter.runtime.new_objects import start_value_of
from interpreter.runtime.objects import AttributePlace, check_value, clamp_after_change, clamp_to_bounds
from interpreter.runtime.state import STATE, UNDER_WAY, Pending, State, marks_after, put_value
from interpreter.syntax.fixed_words import SPANS
from interpreter.values import Thing


def end_span(closures: Closures, frame: Frame, span: str, who: Thing | None = None) -> State:
    """The state after a turn (of `who`, or of every object), a round, a scene or the game has ended.

    Attributes that last for the span start again, its limits are reset, and elements that last for it are removed.
    """
    spans = SPANS[: SPANS.index(span) + 1]
    state: State = frame[STATE]
    inside = frame
    for thing in things_with_span(closures.program, state, span, who):
        for one in attributes_lasting(closures.program, thing.kind, span):
            if inside[STATE] is not state:
                inside = {**frame, STATE: state}
            begun = restart_value(closures, inside, thing, one)
            if begun != state.things[thing.id].values[one.name]:
                if not one.counter:
                    with say.place_errors_at(one.declared.span):
                        check_value(closures, inside, thing, one, begun)
                state = clamp_after_change(closures, frame, put_value(state, thing, one.name, begun), thing, one.name)
    if not state.marks and not state.timers:
        return state
    marks = marks_after(state.marks, spans, who if span == "turn" else None)
    timers = []
    for each in state.timers:
        over = each.span in spans and not (span == "turn" and who and not _is_of(each.thing, who))
        if each.span == "rounds" and span == "round":
            each = each._replace(rounds=each.rounds - 1)
        over = over or (each.span == "rounds" and (each.rounds <= 0 or span in ("scene", "game")))
        if not over:
            timers.append(each)
            continue
        held = list(state.things[each.thing.id].values[each.name])
        if each.value in held:
            held.remove(each.value)
            state = put_value(state, each.thing, each.name, tuple(held))
            state = clamp_after_change(closures, frame, state, each.thing, each.name)
    return replace(state, marks=marks, timers=tuple(timers))


def lapsed_points(program: ir.Program, before: State, after: State) -> tuple[tuple[AttributePlace, int, int], ...]:
    """The points that were left when something ended and then lapsed, without bookkeeping: whose, and both numbers."""
    found = []
    for thing, held in after.things.items():
        was = before.things[thing]
        if held is was or thing == UNDER_WAY.id:
            continue
        old = was.values
        for one in points_told_of(program, held.kind):
            name = one.name
            for key in one.per.words if one.per is not None else (None,):
                first, now = (of.get(name) if key is None else of[name][key] for of in (old, held.values))
                if type(first) is type(now) is int and now < first:
                    found.append((AttributePlace(Thing(thing, held.kind), name, key), first, now))
    return tuple(found)


@once_per
def points_told_of(program: ir.Program, kind: str) -> tuple[ir.HeldAttribute, ...]:
    """The points and tracks of a kind that are no bookkeeping."""
    return tuple([one for one in program.kinds[kind].has.values() if one.counter and not one.bookkeeping])


@once_per
def attributes_lasting(program: ir.Program, kind: str, span: str) -> tuple[ir.HeldAttribute, ...]:
    """The attributes of a kind that last no longer than a span."""
    spans = SPANS[: SPANS.index(span) + 1]
    return tuple(one for one in program.kinds[kind].has.values() if one.lasts in spans)


def take_due_events(state: State, span: str) -> tuple[State, tuple[Pending, ...]]:
    """The state without the events that happen when a span ends, and these events in the order of their steps."""
    if not state.pending:
        return state, ()
    spans = SPANS[: SPANS.index(span) + 1]
    now: list[Pending] = []
    left: list[Pending] = []
    for one in state.pending:
        if one.span == "rounds" and span == "round":
            one = one._replace(rounds=one.rounds - 1)
        over = one.span in spans or (one.span == "rounds" and (one.rounds <= 0 or span in ("scene", "game")))
        (now if over else left).append(one)
    return replace(state, pending=tuple(left)), tuple(now)


def things_with_span(program: ir.Program, state: State, span: str, who: Thing | None) -> list[Thing]:
    """The objects with an attribute that ends with a span, of `who` or of every object."""
    if span == "turn" and who is not None:
        own = [who.id, *[who.id + part for part in _parts_of(program, who.kind)]]
        found = [(name, state.things[name]) for name in own if name in state.things]
    else:
        found = list(state.things.items())
    return [Thing(name, held.kind) for name, held in found if attributes_lasting(program, held.kind, span)]


@once_per
def _parts_of(program: ir.Program, kind: str) -> tuple[str, ...]:
    """The suffixes of the ids of parts of a kind, nested parts included."""
    found: list[str] = []
    for one in program.kinds[kind].has.values():
        if one.part is not None:
            found += [f".{one.name}", *(f".{one.name}{further}" for further in _parts_of(program, one.part))]
    return tuple(found)


def _is_of(thing: Thing, who: Thing) -> bool:
    return thing.id == who.id or thing.id.startswith(f"{who.id}.")


def restart_value(closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute) -> Any:
    """The value that an attribute starts again with when its span has ended, clamped to its current bounds."""
    if one.per is None:
        value = start_value_of(closures, frame, thing, one)
    else:
        value = {key: start_value_of(closures, frame, thing, one, key) for key in one.per.words}
    return clamp_to_bounds(closures, frame, frame[STATE], thing, one, value) if one.counter else value
