"""Operations on states: they read and change attributes of objects within their bounds, and destroy objects.

Each function returns a new state and leaves the old one as it was. `frame` holds the state that formulas read, and
the meter of what the run may still compute.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.limits import lasting_part
from interpreter.ir.once_per import once_per
from interpreter.ir.state_reads import attributes_read
from interpreter.ir.traversal import inner_expressions
from interpreter.ir.types import LARGEST
from interpreter.runtime.constraints import constraints_check, optional_closure
from interpreter.runtime.evaluator import Closures, Frame
from interpreter.runtime.functions import charge
from interpreter.runtime.state import STATE, State, make_timer, put_value, remove_object
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


def current_limits(
    closures: Closures, thing: Thing, one: ir.HeldAttribute, frame: Frame, state: State, key: Any = None
) -> tuple[int | None, int | None]:
    """The current lower and upper bound of a number of an object, which is that of a key if it has several."""
    found = limits_function(closures, one)
    return found(thing, frame if frame.get(STATE) is state else {".meter": frame[".meter"], STATE: state}, key)


class BoundsOf(Protocol):
    """The bounds of a number of an object, at a key if it is one of several, in a frame that holds the state."""

    def __call__(self, thing: Thing, frame: Frame, key: Any = None, /) -> tuple[int | None, int | None]: ...


def limits_function(closures: Closures, one: ir.HeldAttribute) -> BoundsOf:
    """A function that computes the bounds of a number of objects, made once."""
    kept = closures.ready.get(id(one))
    if kept is None:
        kept = closures.ready[id(one)] = one, _limits_of(closures, one)
    made: BoundsOf = kept[1]
    return made


def _limits_of(closures: Closures, one: ir.HeldAttribute) -> BoundsOf:
    ends = one.declared.low, one.declared.high
    if all(end is None or isinstance(end.body, ir.Constant) for end in ends):
        low, high = [end.body.value if end is not None else None for end in ends]  # type: ignore[union-attr]
        return lambda thing, frame, key=None: (low, high)
    floor, ceiling = optional_closure(closures, ends[0]), optional_closure(closures, ends[1])

    def limits_now(thing: Thing, frame: Frame, key: Any = None) -> tuple[int | None, int | None]:
        inside = frame_of_owner(thing, frame, frame[STATE], key)
        return floor(inside) if floor else None, ceiling(inside) if ceiling else None

    return limits_now


def value_at(state: State, thing: Thing, name: str, key: Any) -> Any:
    """The value of an attribute, at a key if it is a map. Raises PlayError if the object does not exist."""
    if thing.id not in state.things:
        raise PlayError(say.destroyed_thing(say.NOWHERE, thing.id))
    value = state.things[thing.id].values[name]
    return value if key is None else value[key]


def change_value(closures: Closures, frame: Frame, thing: Thing, name: str, key: Any, value: Any) -> State:
    """The state with another value; numbers whose bounds depend on it are clamped to these."""
    state: State = frame[STATE]
    if key is not None:
        value = {**state.things[thing.id].values[name], key: value}
    return clamp_after_change(closures, frame, put_value(state, thing, name, value), thing, name)


def clamp_after_change(closures: Closures, frame: Frame, state: State, thing: Thing, name: str) -> State:
    """The state in which each value is clamped whose bounds may depend on an attribute of an object."""
    return _clamp_in_turn(closures, frame, state, _numbers_bounded_by(closures.program, state, thing, name))


def _numbers_bounded_by(
    program: ir.Program, state: State, thing: Thing, name: str
) -> Iterator[tuple[Thing, ir.HeldAttribute]]:
    """Points and tracks whose bounds may depend on an attribute of an object, and whose they are."""
    yield from ((thing, one) for one in numbers_moved_by(program, thing.kind, name))
    yield from _pairs_of_every(state, numbers_bounded_by_others(program, thing.kind, name))


def _pairs_of_every(
    state: State, ones: tuple[tuple[ir.HeldAttribute, str], ...]
) -> Iterator[tuple[Thing, ir.HeldAttribute]]:
    return ((thing, one) for one, kind in ones for thing in state.of_kind(kind))


def _clamp_in_turn(
    closures: Closures, frame: Frame, state: State, first: Iterable[tuple[Thing, ir.HeldAttribute]]
) -> State:
    """The state in which points and tracks are clamped, and those whose bounds depend on them in turn.

    This ends, as no bound depends on the number that it bounds, not even through others (HR309).
    """
    todo = deque([first])
    while todo:
        for thing, one in todo.popleft():
            value = state.things[thing.id].values[one.name]
            inside = clamp_to_bounds(closures, frame, state, thing, one, value)
            if inside != value:
                state = put_value(state, thing, one.name, inside)
                todo.append(_numbers_bounded_by(closures.program, state, thing, one.name))
    return state


@once_per
def numbers_moved_by(program: ir.Program, kind: str, name: str) -> tuple[ir.HeldAttribute, ...]:
    """Points and tracks of a kind whose bounds may depend on one of its attributes."""
    ones = [one for one in program.kinds[kind].has.values() if one.counter and _has_moving_bound(one)]
    return tuple([one for one in ones if one.name == name or _may_move(program, kind, name, one)])


def _may_move(program: ir.Program, kind: str, name: str, one: ir.HeldAttribute) -> bool:
    """Whether the bounds of points or a track may depend on an attribute of a kind."""
    reads = [attributes_read(program, end.body) for end in _bound_formulas(one) if end is not None]
    return any(read is None or (kind, name) in read for read in reads)


def _has_moving_bound(one: ir.HeldAttribute) -> bool:
    """Whether points or a track have a bound that is not always the same."""
    return any(end is not None and not isinstance(end.body, ir.Constant) for end in _bound_formulas(one))


def clamp_to_bounds(
    closures: Closures, frame: Frame, state: State, thing: Thing, one: ir.HeldAttribute, value: Any
) -> Any:
    """Points or a track moved to their current bounds, word by word if there are several."""
    if one.per is None:
        return clamp(value, *current_limits(closures, thing, one, frame, state))
    return {key: clamp(of, *current_limits(closures, thing, one, frame, state, key)) for key, of in value.items()}


@once_per
def numbers_bounded_by_others(program: ir.Program, kind: str, name: str) -> tuple[tuple[ir.HeldAttribute, str], ...]:
    """Points and tracks whose bounds may depend on this attribute of other objects, each with its kind."""
    return tuple(
        (one, whose)
        for one, whose in _numbers_with_moving_bounds(program)
        if _may_move(program, kind, name, one)
        and any(
            end is not None and _reads_other_objects(program.kinds[whose].has, end.body) for end in _bound_formulas(one)
        )
    )


@once_per
def _numbers_with_moving_bounds(program: ir.Program) -> tuple[tuple[ir.HeldAttribute, str], ...]:
    """Points and tracks with a bound that is not always the same, each with its kind."""
    return tuple(
        (one, kind.name)
        for kind in program.kinds.values()
        for one in kind.has.values()
        if one.counter and _has_moving_bound(one)
    )


def _reads_other_objects(has: Mapping[str, ir.HeldAttribute], expr: ir.Expr) -> bool:
    """Whether a formula of a kind reads attributes of other objects than its own, perhaps through derived ones."""
    if isinstance(expr, ir.Attribute):
        if not (isinstance(expr.of, ir.Local) and expr.of.name == "owner") or isinstance(
            t.without_maybe(expr.type), t.Object
        ):
            return True
        derived = has[expr.name].derived
        return derived is not None and _reads_other_objects(has, derived.body)
    return isinstance(expr, (ir.Apply, ir.Lookup, ir.Column)) or any(
        _reads_other_objects(has, one) for one in inner_expressions(expr)
    )


def _bound_formulas(one: ir.HeldAttribute) -> tuple[ir.Formula | None, ir.Formula | None]:
    return one.declared.low, one.declared.high


def clamp(value: int, low: int | None, high: int | None) -> int:
    value = value if low is None else max(value, low)
    return value if high is None else min(value, high)


def move_number(
    closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, key: Any, amount: int, down: bool
) -> Moved:
    """The change that a gain or a loss makes: it stops at the bound, and the rest is excess."""
    state: State = frame[STATE]
    before = value_at(state, thing, one.name, key)
    low, high = limits_function(closures, one)(thing, frame, key)
    bound = low if down else high
    after = before - amount if down else before + amount
    excess = 0
    if bound is not None and (after < bound if down else after > bound):
        excess, after = abs(after - bound), bound
    if abs(after) > LARGEST:
        raise PlayError(say.number_out_of_range(one.declared.span))
    return Moved(before, after, excess, _steps_that_follow(before, after, excess, bound, down), high)


def _steps_that_follow(before: int, after: int, excess: int, bound: int | None, down: bool) -> str | None:
    if bound is None or after != bound:
        return None
    if before != bound:
        return "when_empty" if down else "when_full"
    return "when_hit_full" if not down and excess > 0 else None


def check_value(
    closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, value: Any, saved: bool = False
) -> None:
    """Raises PlayError if a value does not fit its declaration; of a value with `per`, some words may be given.

    A value that was `saved` is only held to what play never breaks.
    """
    check = constraints_check(closures, lasting_part(closures.program, one.declared) if saved else one.declared)
    if not saved:
        _check_exists(frame[STATE], one, value)
    for key, each in value.items() if one.per is not None and isinstance(value, Mapping) else ((None, value),):
        check(each, frame_of_owner(thing, frame, frame[STATE], key))


def _check_exists(state: State, one: ir.HeldAttribute, value: Any) -> None:
    """Raises PlayError if a value names an object that was destroyed."""
    kind = t.without_maybe(one.declared.type)
    of_list = isinstance(kind, t.List) and isinstance(t.without_maybe(kind.of), t.Object)
    if value is None or not (of_list or isinstance(kind, t.Object)):
        return
    for each in value.values() if isinstance(value, Mapping) else (value,):
        for thing in charge(each, 1) if type(each) is tuple else (each,):
            if thing is not None and not exists(state, thing):
                raise PlayError(say.destroyed_thing(say.NOWHERE, thing.id))


def check_within(
    closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, key: Any, value: int, span: Span
) -> None:
    """Raises PlayError if points or a track, or those of a key, would be outside of their bounds."""
    low, high = current_limits(closures, thing, one, frame, frame[STATE], key)
    if clamp(value, low, high) != value:
        raise PlayError(say.out_of_bounds(span, place_in_words(one.name, key), value, low, high))


def check_all_within(
    closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, key: Any, value: Any, span: Span
) -> None:
    """Raises PlayError if points or tracks would be outside of their bounds: those of a key, or all, word by word."""
    whole = one.per is not None and key is None
    for word, each in value.items() if whole else ((key, value),):
        check_within(closures, frame, thing, one, word, each, span)


def add_element(state: State, thing: Thing, name: str, value: Any, lasts: str | int | None) -> State:
    """The state with another element in a list; `lasts` is a span or a number of rounds."""
    state = put_value(state, thing, name, (*state.things[thing.id].values[name], value))
    if lasts is None:
        return state
    return replace(state, timers=(*state.timers, make_timer(thing, name, value, lasts)))


def remove_element(state: State, thing: Thing, name: str, value: Any) -> State | None:
    """The state without an element of a list; None if the list does not have it."""
    held = list(state.things[thing.id].values[name])
    if value not in held:
        return None
    held.remove(value)
    return put_value(state, thing, name, tuple(held))


def destroy_object(closures: Closures, frame: Frame, thing: Thing) -> State:
    """The state without an object; numbers whose bounds depended on it are clamped."""
    state = remove_object(frame[STATE], thing)
    return _clamp_in_turn(closures, frame, state, _pairs_of_every(state, _numbers_with_moving_bounds(closures.program)))


class AttributePlace(NamedTuple):
    """The attribute of an object, or one value of several by its key; in words `ann.ammo(rifle)`."""

    thing: Thing
    name: str
    key: Any = None

    def __str__(self) -> str:
        return place_in_sentence(*self)


def place_in_sentence(thing: Thing, name: str, key: Any) -> str:
    """The name of an attribute of an object in a message."""
    return f"{thing.id}.{place_in_words(name, key)}"


def exists(state: State, thing: Thing) -> bool:
    """Whether an object has not been destroyed."""
    held = state.things.get(thing.id)
    return held is not None and held.kind == thing.kind


def place_in_words(name: str, key: Any) -> str:
    """The name of an attribute, with its key if it is one value of several: `ammo(rifle)`."""
    return name if key is None else f"{name}({in_words(key)})"
