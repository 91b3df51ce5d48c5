"""Operations on states: they make objects, read and change attributes, and end spans.

Each function returns a new state and leaves the old one as it was. `frame` holds the state that formulas read, and
the meter of what the run may still compute.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import NODE_TYPES, inner
from interpreter.runtime.constraints import bounded, some
from interpreter.runtime.evaluator import LARGEST, Closures, Frame
from interpreter.runtime.state import SCENE, STATE, UNDER_WAY, Pending, State, added, marks_after, put, timer, without
from interpreter.syntax.grammar import SPANS
from interpreter.syntax.schema import is_name
from interpreter.values import Thing, in_words


class Moved(NamedTuple):
    """A change of a number: its value before and after, and how much would have gone past the bound.

    `follows` names the steps to run: `when_full`, `when_hit_full`, `when_empty`, or None. `most` is the upper bound.
    """

    before: int
    after: int
    excess: int
    follows: str | None = None
    most: int | None = None


def frame_of_owner(thing: Thing, frame: Frame, state: State, key: Any = None) -> Frame:
    """The frame in which the formulas of a kind are evaluated for one object, and one word of a value with `per`."""
    made = {".meter": frame[".meter"], STATE: state, "owner": thing}
    if key is not None:
        made[ir.WORD] = key
    return made


def limits(
    closures: Closures, thing: Thing, one: ir.HeldAttribute, frame: Frame, state: State, key: Any = None
) -> tuple[int | None, int | None]:
    """The current lower and upper bound of a number of an object, which is that of a key if it has several."""
    found = limits_of(closures, one)
    return found(thing, frame if frame.get(STATE) is state else {".meter": frame[".meter"], STATE: state}, key)


class Limits(Protocol):
    """The bounds of a number of an object, at a key if it is one of several, in a frame that holds the state."""

    def __call__(self, thing: Thing, frame: Frame, key: Any = None, /) -> tuple[int | None, int | None]: ...


def limits_of(closures: Closures, one: ir.HeldAttribute) -> Limits:
    """A function that computes the bounds of a number of objects, made once."""
    kept = closures.ready.get(id(one))
    if kept is None:
        kept = closures.ready[id(one)] = one, _limits_of(closures, one)
    made: Limits = kept[1]
    return made


def _limits_of(closures: Closures, one: ir.HeldAttribute) -> Limits:
    ends = one.declared.low, one.declared.high
    if all(end is None or isinstance(end.body, ir.Constant) for end in ends):
        low, high = [end.body.value if end is not None else None for end in ends]  # type: ignore[union-attr]
        return lambda thing, frame, key=None: (low, high)
    floor, ceiling = some(closures, ends[0]), some(closures, ends[1])

    def limits_now(thing: Thing, frame: Frame, key: Any = None) -> tuple[int | None, int | None]:
        inside = frame_of_owner(thing, frame, frame[STATE], key)
        return floor(inside) if floor else None, ceiling(inside) if ceiling else None

    return limits_now


def value_at(state: State, thing: Thing, name: str, key: Any) -> Any:
    """The value of an attribute, at a key if it is a map. Raises PlayError if the object does not exist."""
    if thing.id not in state.things:
        raise PlayError(say.no_such_thing(say.NOWHERE, thing.id))
    value = state.things[thing.id].values[name]
    return value if key is None else value[key]


def changed(closures: Closures, frame: Frame, thing: Thing, name: str, key: Any, value: Any) -> State:
    """The state with another value; numbers whose bounds depend on it are clamped to these."""
    state: State = frame[STATE]
    if key is not None:
        value = {**state.things[thing.id].values[name], key: value}
    return _clamped_by(closures, frame, put(state, thing, name, value), thing, name)


def _clamped_by(closures: Closures, frame: Frame, state: State, thing: Thing, name: str) -> State:
    """The state in which each value is clamped whose bounds may depend on an attribute of an object."""
    for one in moved_by(closures.program, thing.kind, name):
        state = _clamped_attribute(closures, frame, state, thing, one)
    for one, kind in bounded_by_others(closures.program):
        for other in state.of_kind(kind):
            state = _clamped_attribute(closures, frame, state, other, one)
    return state


@once_per
def moved_by(program: ir.Program, kind: str, name: str) -> tuple[ir.HeldAttribute, ...]:
    """Points and tracks of a kind whose bounds may depend on one of its attributes."""
    has = program.kinds[kind].has
    found = []
    for one in has.values():
        bodies = [end.body for end in _ends(one) if end is not None and not isinstance(end.body, ir.Constant)]
        if one.counter and bodies and (name == one.name or any(_may_read(has, body, name) for body in bodies)):
            found.append(one)
    return tuple(found)


def _may_read(has: Mapping[str, ir.HeldAttribute], expr: ir.Expr, name: str) -> bool:
    """Whether a formula of a kind may read an attribute of its object, directly or not."""
    if isinstance(expr, ir.Attribute) and isinstance(expr.of, ir.Local) and expr.of.name == "owner":
        return expr.name == name or has[expr.name].derived is not None or has[expr.name].part is not None
    if isinstance(expr, ir.Local):
        return expr.name != ir.WORD
    return isinstance(expr, (ir.Attribute, ir.Column, ir.Apply, ir.Lookup)) or any(
        _may_read(has, one, name) for one in inner(expr)
    )


def _clamped_attribute(closures: Closures, frame: Frame, state: State, thing: Thing, one: ir.HeldAttribute) -> State:
    value = state.things[thing.id].values[one.name]
    inside = _inside(closures, frame, state, thing, one, value)
    return put(state, thing, one.name, inside) if inside != value else state


def _inside(closures: Closures, frame: Frame, state: State, thing: Thing, one: ir.HeldAttribute, value: Any) -> Any:
    """Points or a track moved to their current bounds, word by word if there are several."""
    if one.per is None:
        return _clamped(value, *limits(closures, thing, one, frame, state))
    return {key: _clamped(of, *limits(closures, thing, one, frame, state, key)) for key, of in value.items()}


@once_per
def bounded_by_others(program: ir.Program) -> tuple[tuple[ir.HeldAttribute, str], ...]:
    """Points and tracks whose bounds depend on attributes of other objects, each with its kind."""
    return tuple(
        (one, kind.name)
        for kind in program.kinds.values()
        for one in kind.has.values()
        if one.counter and any(b is not None and looks_at_others(b.body) for b in _ends(one))
    )


def looks_at_others(expr: Any) -> bool:
    """Whether a formula of a kind reads attributes of other objects than its own."""
    if isinstance(expr, ir.Attribute):
        own = isinstance(expr.of, ir.Local) and expr.of.name == "owner"
        return not own or isinstance(t.present(expr.type), t.Thing)
    if isinstance(expr, (ir.Apply, ir.Column)):
        return True
    if isinstance(expr, tuple):
        return any(map(looks_at_others, expr))
    slots = getattr(expr, "__slots__", ()) if type(expr) in NODE_TYPES else ()
    return any(looks_at_others(getattr(expr, name)) for name in slots if name not in ("type", "span"))


def _ends(one: ir.HeldAttribute) -> tuple[ir.Formula | None, ir.Formula | None]:
    return one.declared.low, one.declared.high


def _clamped(value: int, low: int | None, high: int | None) -> int:
    value = value if low is None else max(value, low)
    return value if high is None else min(value, high)


def moved(
    closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, key: Any, amount: int, down: bool
) -> Moved:
    """The change that a gain or a loss makes: it stops at the bound, and the rest is excess."""
    state: State = frame[STATE]
    before = value_at(state, thing, one.name, key)
    low, high = limits_of(closures, one)(thing, frame, key)
    bound = low if down else high
    after = before - amount if down else before + amount
    excess = 0
    if bound is not None and (after < bound if down else after > bound):
        excess, after = abs(after - bound), bound
    if abs(after) > LARGEST:
        raise PlayError(say.number_out_of_range(one.declared.span))
    return Moved(before, after, excess, _follows(before, after, excess, bound, down), high)


def _follows(before: int, after: int, excess: int, bound: int | None, down: bool) -> str | None:
    if bound is None or after != bound:
        return None
    if before != bound:
        return "when_empty" if down else "when_full"
    return "when_hit_full" if not down and excess > 0 else None


def checked_value(closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, value: Any) -> None:
    """Raises PlayError if a value does not fit its declaration; of a value with `per`, some words may be given."""
    check = bounded(closures, one.declared)
    for key, each in value.items() if one.per is not None and isinstance(value, Mapping) else ((None, value),):
        check(each, frame_of_owner(thing, frame, frame[STATE], key))


# Making ----------------------------------------------------------------------------------------------------------

MOST_THINGS = 10_000
"""How many objects there may be at once, including parts."""


def made(closures: Closures, frame: Frame, thing: Thing, given: Mapping[str, Any]) -> State:
    """The state with another object and its parts; attributes that are not given have their start values.

    `given` holds values by name, and for a part the mapping of its values. Raises PlayError for a value that is
    missing or out of bounds.
    """
    kind = closures.program.kinds[thing.kind]
    if len(frame[STATE].things) >= MOST_THINGS:
        raise PlayError(say.budget_spent(say.NOWHERE, "things", MOST_THINGS))
    state = added(frame[STATE], thing, {})
    for one in kind.has.values():
        if one.derived is not None:
            continue
        inside = {**frame, STATE: state}
        if one.part is not None:
            part = Thing(f"{thing.id}.{one.name}", one.part)
            state = made(closures, inside, part, given.get(one.name) or {})
            continue
        value = _begun(closures, inside, thing, one, given.get(one.name))
        if value is None and one.declared.required:
            raise PlayError(say.missing_key(say.NOWHERE, one.name, f"`{thing.id}`, which is a `{kind.name}`"))
        state = put(state, thing, one.name, value)
        if not one.counter:
            checked_value(closures, {**frame, STATE: state}, thing, one, value)
    return state


def _begun(closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, given: Any) -> Any:
    """The value that an attribute of a new object has: what is given, else its start; so each word of several.

    Raises PlayError if points or a track would start outside of their bounds.
    """
    if one.per is None:
        value = given if given is not None else start_of(closures, frame, thing, one)
        if one.counter and value is not None:
            within(closures, frame, thing, one, None, value, say.NOWHERE if given is not None else _place_of_start(one))
        return value
    given, made = given or {}, {}
    for key in one.per.words:
        is_given = given.get(key) is not None
        made[key] = given[key] if is_given else start_of(closures, frame, thing, one, key)
        if made[key] is None and one.declared.required:
            if not given:
                raise PlayError(say.missing_key(say.NOWHERE, one.name, f"`{thing.id}`, which is a `{thing.kind}`"))
            raise PlayError(say.word_is_missing(say.NOWHERE, None, one.name, [key]))
        if one.counter:
            within(closures, frame, thing, one, key, made[key], say.NOWHERE if is_given else _place_of_start(one))
    return made


def restarted(closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute) -> Any:
    """The value that an attribute starts again with when its span has ended, clamped to its current bounds."""
    if one.per is None:
        value = start_of(closures, frame, thing, one)
    else:
        value = {key: start_of(closures, frame, thing, one, key) for key in one.per.words}
    return _inside(closures, frame, frame[STATE], thing, one, value) if one.counter else value


def within(
    closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, key: Any, value: int, span: Span
) -> None:
    """Raises PlayError if points or a track, or those of a key, would be outside of their bounds."""
    low, high = limits(closures, thing, one, frame, frame[STATE], key)
    if _clamped(value, low, high) != value:
        raise PlayError(say.out_of_bounds(span, place_in_words(one.name, key), value, low, high))


def all_within(
    closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, key: Any, value: Any, span: Span
) -> None:
    """Raises PlayError if points or tracks would be outside of their bounds: those of a key, or all, word by word."""
    whole = one.per is not None and key is None
    for word, each in value.items() if whole else ((key, value),):
        within(closures, frame, thing, one, word, each, span)


def _place_of_start(one: ir.HeldAttribute) -> Span:
    return one.starts.span if one.starts is not None else one.declared.span


def scene_made(closures: Closures, frame: Frame, scene: ir.Scene, given: Mapping[str, Any]) -> State:
    """The state in which a scene is under way with the given inputs; attributes of other scenes are missing."""
    asked = {one.name for one in scene.rule.inputs}  # an input may be given later, when the scene is played
    own = {*scene.has, "round", *asked}
    state = added(without(frame[STATE], UNDER_WAY), UNDER_WAY, {"is": scene.rule.name})
    given = _with_defaults(closures, {**frame, STATE: state}, scene, given)
    for one in closures.program.kinds[SCENE].has.values():
        if one.derived is not None:
            continue
        value = given.get(one.name) if one.name in own else None
        awaited = value is None and one.name in asked
        if (value is None or one.per is not None) and one.name in own:
            value = _begun(closures, {**frame, STATE: state}, UNDER_WAY, one, value)
        state = put(state, UNDER_WAY, one.name, value)
        if value is not None and not one.counter and not awaited:
            checked_value(closures, {**frame, STATE: state}, UNDER_WAY, one, value)
    return state


def _with_defaults(closures: Closures, frame: Frame, scene: ir.Scene, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The inputs and values of a scene that are given, with the defaults of inputs that are not."""
    values = dict(given)
    for one in scene.rule.inputs:
        if values.get(one.name) is None and one.default is not None:
            values[one.name] = closures.of(one.default)(frame)
        frame[one.name] = values.get(one.name)
    return values


def start_of(closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, key: Any = None) -> Any:
    """The start value of an attribute; with `per`, that of a word, which is the `key`."""
    inside = frame_of_owner(thing, frame, frame[STATE], key)
    formula = one.starts if one.counter else one.declared.default
    value = closures.of(formula)(inside) if formula is not None else None
    if one.counter:
        assert value is not None, "points have a start value"
        return value
    if value is None and isinstance(one.type, t.List) and not one.declared.required:
        return ()
    return value


_NO_LETTERS = re.compile(r"[^a-z0-9]+")
LONGEST_NAME = 40
"""How much of a text an object is named after."""


def fresh_name(state: State, kind: str, text: str = "") -> str:
    """A new name for an object of a kind: after a text if there is one and it makes a name, else after its kind.

    A name that an object has already gets a number.
    """
    plain = unicodedata.normalize("NFKD", text[:LONGEST_NAME]).encode("ascii", "ignore").decode().lower()
    after = _NO_LETTERS.sub("_", plain).strip("_")
    named = is_name(after) and after not in (SCENE, *say.VALUE_WORDS)
    if named and after not in state.things:
        return after
    stem, number = (after, 2) if named else (kind, state.made + 1)
    while f"{stem}_{number}" in state.things:
        number += 1
    return f"{stem}_{number}"


# Ending ----------------------------------------------------------------------------------------------------------


def ended(closures: Closures, frame: Frame, span: str, who: Thing | None = None) -> State:
    """The state after a turn (of `who`, or of every object), a round, a scene or the game has ended.

    Attributes that last for the span start again, its limits are reset, and elements that last for it are removed.
    """
    spans = SPANS[: SPANS.index(span) + 1]
    state: State = frame[STATE]
    for thing in whose(closures.program, state, span, who):
        for one in lasting(closures.program, thing.kind, span):
            begun = restarted(closures, {**frame, STATE: state}, thing, one)
            if begun != state.things[thing.id].values[one.name]:
                state = put(state, thing, one.name, begun)
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
            state = put(state, each.thing, each.name, tuple(held))
    return replace(state, marks=marks, timers=tuple(timers))


def lapsed(program: ir.Program, before: State, after: State) -> tuple[tuple[str, int, int], ...]:
    """The points that were left when something ended and then lapsed, without bookkeeping: whose, and both numbers."""
    found = []
    for thing, held in after.things.items():
        old = before.things[thing].values
        if held.values is old or thing == UNDER_WAY.id:
            continue
        for name, one in program.kinds[held.kind].has.items():
            if not one.counter or one.bookkeeping:
                continue
            for key in one.per.words if one.per is not None else (None,):
                was, now = (of.get(name) if key is None else of[name][key] for of in (old, held.values))
                if type(was) is type(now) is int and now < was:
                    found.append((in_sentence(Thing(thing, held.kind), name, key), was, now))
    return tuple(found)


@once_per
def lasting(program: ir.Program, kind: str, span: str) -> tuple[ir.HeldAttribute, ...]:
    """The attributes of a kind that last no longer than a span."""
    spans = SPANS[: SPANS.index(span) + 1]
    return tuple(one for one in program.kinds[kind].has.values() if one.lasts in spans)


def due(state: State, span: str) -> tuple[State, tuple[Pending, ...]]:
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


def whose(program: ir.Program, state: State, span: str, who: Thing | None) -> list[Thing]:
    """The objects with an attribute that ends with a span, of `who` or of every object."""
    if span == "turn" and who is not None:
        own = [who.id, *[who.id + part for part in _parts_of(program, who.kind)]]
        found = [(name, state.things[name]) for name in own if name in state.things]
    else:
        found = list(state.things.items())
    return [Thing(name, held.kind) for name, held in found if lasting(program, held.kind, span)]


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


def included(state: State, thing: Thing, name: str, value: Any, lasts: str | int | None) -> State:
    """The state with another element in a list; `lasts` is a span or a number of rounds."""
    state = put(state, thing, name, (*state.things[thing.id].values[name], value))
    if lasts is None:
        return state
    return replace(state, timers=(*state.timers, timer(thing, name, value, lasts)))


def excluded(state: State, thing: Thing, name: str, value: Any) -> State | None:
    """The state without an element of a list; None if the list does not have it."""
    held = list(state.things[thing.id].values[name])
    if value not in held:
        return None
    held.remove(value)
    return put(state, thing, name, tuple(held))


def in_sentence(thing: Thing, name: str, key: Any) -> str:
    """The name of an attribute of an object in a message."""
    return f"{thing.id}.{place_in_words(name, key)}"


def place_in_words(name: str, key: Any) -> str:
    """The name of an attribute, with its key if it is one value of several: `ammo(rifle)`."""
    return name if key is None else f"{name}({in_words(key)})"
