"""The state that lasts from one rule to the next, as immutable data: objects and the values of their attributes.

A rule takes a state and results in another one. The two share what did not change, so that undoing a rule, refusing
one and following many paths at once are cheap.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from operator import is_
from typing import Any, NamedTuple

from interpreter.runtime.functions import COMPARED, COPIED, Bag, Undecided, charge
from interpreter.values import Thing, hashable
from interpreter.work_count import SHORT, spend

SCENE = "scene"
"""The name and the kind of the scene under way: an object whose attributes are the inputs and values of the scene."""

UNDER_WAY = Thing(SCENE, SCENE)

STATE = ".state"
"""The key of a frame that holds the state; no name in a ruleset has this form."""

TITLE = ".title"
"""The key under which an object with a title has it among its values; no attribute has this name."""


class Holdings:
    """The kind of an object and its values by name. The hash is computed once."""

    __slots__ = ("_hash", "kind", "values")

    def __init__(self, kind: str, values: Mapping[str, Any]) -> None:
        self.kind, self.values = kind, values
        self._hash: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Holdings, (self.kind, self.values)

    def with_values(self, new: Mapping[str, Any]) -> Holdings:
        """The same kind of object with other values of some names."""
        return Holdings(self.kind, {**self.values, **new})

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Holdings) and self.kind == other.kind and self.values == other.values
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.kind, frozenset((name, hashable(value)) for name, value in self.values.items())))
        return self._hash


class Mark(NamedTuple):
    """How many `times` an actor has performed what is at a path in a span that has not ended."""

    path: str
    actor: str
    span: str
    times: int


class Timer(NamedTuple):
    """An element of a list is removed when a `span` ends, or a number of rounds, counting the one under way."""

    thing: Thing
    name: str
    value: Any
    span: str
    rounds: int = 0


def make_timer(thing: Thing, name: str, value: Any, lasts: str | int) -> Timer:
    """The timer of an element that lasts for a span or a number of rounds; a negative number counts as 0."""
    if isinstance(lasts, str):
        return Timer(thing, name, value, lasts)
    return Timer(thing, name, value, "rounds", max(lasts, 0))


def timers_within(timers: tuple[Timer, ...], thing: Thing, name: str, value: Any) -> tuple[Timer, ...]:
    """The timers after the value of an attribute has changed: no element has more of them than a list holds.

    Equal elements cannot be told apart; one that stays keeps the timer that was set last.
    """
    if not any(one.thing == thing and one.name == name for one in timers):
        return timers
    left, kept = Bag(value or ()), []
    for one in reversed(charge(timers)):
        if one.thing != thing or one.name != name or left.take(one.value):
            kept.append(one)
    return tuple(reversed(kept))


class Pending(NamedTuple):
    """An event that happens when a `span` ends, or a number of rounds, counting the one under way; with its inputs."""

    event: str
    given: tuple[tuple[str, Any], ...]
    span: str
    rounds: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Objects by id, counts of limited actions, timers, pending events, and how many objects were `made`.

    The order in which objects were made is part of it, as rules go through them in this order. `beside` is what saves
    carry that no rule reads, as JSON text: values that the rules no longer hold, and what belongs to the host.
    """

    things: Mapping[str, Holdings] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    timers: tuple[Timer, ...] = ()
    made: int = 0
    pending: tuple[Pending, ...] = ()
    beside: str = ""
    _hash: int | None = field(default=None, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:  # another process hashes words otherwise
        return State, (self.things, self.marks, self.timers, self.made, self.pending, self.beside)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, State):
            return False
        try:
            if self.things is not other.things and not (self.things == other.things and self._has_same_order(other)):
                return False
            mine, theirs = ((of.marks, of.timers, of.made, of.pending) for of in (self, other))
            return mine == theirs
        except Undecided:  # odds may know of a number in them only a bound, and then follow both
            return False

    def _has_same_order(self, other: State) -> bool:
        """Whether the same objects were made in the same order; where the scene stands among them does not matter."""
        if list(self.things) == list(other.things):
            return True
        mine, theirs = ([name for name in of.things if name.partition(".")[0] != SCENE] for of in (self, other))
        return mine == theirs

    def __hash__(self) -> int:  # kept, as a state is part of the keys of many others; one that is gathered may change
        if self._hash is not None:
            return self._hash
        held = [hash(one) if one._hash is None else one._hash for one in self.things.values()]
        things = frozenset(zip(self.things, held, strict=True))
        made = hash((things, self.marks, hashable(self.timers), len(self.pending)))
        if not isinstance(self.things, Gathered):
            object.__setattr__(self, "_hash", made)
        return made

    def thing(self, name: str) -> Thing:
        return Thing(name, self.things[name].kind)

    def has(self, thing: Thing) -> Mapping[str, Any]:
        """The values of an object by name; none if it no longer exists."""
        held = self.things.get(thing.id)
        return held.values if held is not None else {}

    def of_kind(self, kind: str) -> tuple[Thing, ...]:
        """Every object of a kind, in the order in which they were made."""
        return tuple(Thing(name, kind) for name, held in charge(self.things, COMPARED).items() if held.kind == kind)


EMPTY = State()


class Gathered(dict[str, Holdings]):
    """Objects of a state that is being read; `put_value` and `add_object` change them in place, so that this is linear.

    Only the reader may hold such a state; `finish_changes` returns an immutable one.
    """


def begin_changes(state: State) -> State:
    """A state that `put_value` and `add_object` change in place."""
    return replace(state, things=Gathered(state.things))


def finish_changes(state: State) -> State:
    """The immutable state of what was read."""
    return replace(state, things=dict(state.things))


def put_value(state: State, thing: Thing, name: str, value: Any) -> State:
    """The state with another value of an attribute; elements that have left a list have no timers."""
    held = state.things[thing.id]
    changed = held.with_values({name: value})
    if isinstance(state.things, Gathered):
        state.things[thing.id] = changed
        return state
    timers = state.timers
    if timers and not _is_grown(value, held.values.get(name)):
        timers = timers_within(timers, thing, name, value)
    if len(state.things) + len(state.timers) > SHORT:
        spend((len(state.things) + len(state.timers)) // COPIED)
    return State({**state.things, thing.id: changed}, state.marks, timers, state.made, state.pending, state.beside)


def _is_grown(value: Any, begun: Any) -> bool:
    """Whether a list still has all elements that it had, before others."""
    return type(value) is type(begun) is tuple and len(value) >= len(begun) and all(map(is_, begun, value))


def add_object(state: State, thing: Thing, values: Mapping[str, Any]) -> State:
    """The state with another object."""
    fresh = Holdings(thing.kind, values)
    if isinstance(state.things, Gathered):
        state.things[thing.id] = fresh
        return replace(state, made=state.made + 1)
    things = {**charge(state.things, COPIED), thing.id: fresh}
    return replace(state, things=things, made=state.made + 1)


def remove_object(state: State, thing: Thing) -> State:
    """The state without an object and its parts, which are also removed from lists, also of what is still to happen."""
    charge(state.things, 1)
    gone = {thing.id, *(name for name in state.things if name.startswith(f"{thing.id}."))}
    kept = {
        name: Holdings(held.kind, {key: _remove_gone(value, gone) for key, value in held.values.items()})
        for name, held in state.things.items()
        if name not in gone
    }
    timers = tuple(
        one._replace(value=_remove_gone(one.value, gone))
        for one in state.timers
        if one.thing.id not in gone and not _is_gone(one.value, gone)
    )
    marks = tuple(one for one in state.marks if one.actor not in gone)
    pending = tuple(
        one._replace(given=tuple([(name, _remove_gone(value, gone)) for name, value in one.given]))
        for one in state.pending
        if not any(_is_gone(value, gone) for _, value in one.given)
    )
    return replace(state, things=kept, marks=marks, timers=timers, pending=pending)


def add_scene(state: State, over: State) -> State:
    """The state with the scene that ended in the state `over`, so that its last values can be read."""
    scene = {name: held for name, held in over.things.items() if name == SCENE or name.startswith(f"{SCENE}.")}
    return replace(state, things={**state.things, **scene})


def _is_gone(value: Any, gone: set[str]) -> bool:
    return type(value) is Thing and value.id in gone


SEARCHED = 4
"""How many elements of a list are searched for what is gone in the time of a unit of work."""


def _remove_gone(value: Any, gone: set[str]) -> Any:
    """A value without objects that are gone: they are removed from lists, and missing elsewhere, also in records."""
    if type(value) is Thing:
        return None if value.id in gone else value
    if type(value) is tuple:
        spend(1 + len(value) // SEARCHED)
        return tuple([_remove_gone(one, gone) for one in value if not _is_gone(one, gone)])
    if type(value) is dict:
        return {name: _remove_gone(one, gone) for name, one in value.items()}
    return value


def mark_use(state: State, path: str, actor: str, span: str) -> State:
    """The state after an actor has used a limited action once more."""
    return replace(state, marks=add_mark(state.marks, path, actor, span))


Marks = tuple[Mark, ...]


def add_mark(marks: Marks, path: str, actor: str, span: str) -> Marks:
    """The marks after an actor has used a limited action once more."""
    times = times_done(marks, path, actor, span)
    others = tuple(one for one in marks if (one.path, one.actor, one.span) != (path, actor, span))
    return tuple(sorted((*others, Mark(path, actor, span, times + 1))))


def marks_after(marks: Marks, spans: Collection[str], who: Thing | None) -> Marks:
    """The marks after spans have ended; with `who`, only the marks of that actor end."""
    return tuple(one for one in marks if one.span not in spans or (who is not None and one.actor != who.id))


def times_done(marks: Marks, path: str, actor: str, span: str) -> int:
    """How often an actor has used a limited action since the span began."""
    for one in marks:
        if one.path == path and one.actor == actor and one.span == span:
            return one.times
    return 0
