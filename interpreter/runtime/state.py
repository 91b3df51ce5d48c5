"""What lasts from one rule to the next, as plain data that never changes: things, and what each has by now.

A rule is given a state and gives another. What did not change is shared between the two, so that undoing, refusing
and following every way at once cost nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from interpreter.values import Thing

SCENE = "scene"
"""The name and the kind of the scene under way: a thing like others, which has what it was given and what it has."""

UNDER_WAY = Thing(SCENE, SCENE)

STATE = ".state"
"""The key of a frame that holds the state; nobody can write such a name."""


class Holdings:
    """What one thing has: values by name. Two are equal where all of it is; the hash is worked out once."""

    __slots__ = ("_hash", "kind", "values")

    def __init__(self, kind: str, values: Mapping[str, Any]) -> None:
        self.kind, self.values = kind, values
        self._hash: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Holdings, (self.kind, self.values)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Holdings) and self.kind == other.kind and self.values == other.values
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.kind, frozenset((name, _hashed(value)) for name, value in self.values.items())))
        return self._hash


def _hashed(value: Any) -> Any:
    return frozenset(value.items()) if isinstance(value, dict) else value


class Mark(NamedTuple):
    """So often has `actor` done what stands at `path`, until the `span` ends."""

    path: str
    actor: str
    span: str
    times: int


class Timer(NamedTuple):
    """An element of a list that something has is gone when a `span` ends, or so many rounds, with the one under way."""

    thing: Thing
    name: str
    value: Any
    span: str
    rounds: int = 0


def timer(thing: Thing, name: str, value: Any, lasts: str | int) -> Timer:
    """The timer of an element that lasts for a span, or so many rounds."""
    return Timer(thing, name, value, "rounds", lasts) if isinstance(lasts, int) else Timer(thing, name, value, lasts)


class Pending(NamedTuple):
    """An event that happens when a `span` ends, or so many rounds, with the one under way; and what it is given."""

    event: str
    given: tuple[tuple[str, Any], ...]
    span: str
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """`things` by id, `marks` of what was done, `timers` of what ends, what is `pending`, and how many were `made`."""

    things: Mapping[str, Holdings] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    timers: tuple[Timer, ...] = ()
    made: int = 0
    pending: tuple[Pending, ...] = ()

    def __hash__(self) -> int:
        return hash((frozenset(self.things.items()), self.marks, self.timers, len(self.pending)))

    def thing(self, name: str) -> Thing:
        return Thing(name, self.things[name].kind)

    def has(self, thing: Thing) -> Mapping[str, Any]:
        """What a thing has, by name; nothing of one that there is no more."""
        held = self.things.get(thing.id)
        return held.values if held is not None else {}

    def of_kind(self, kind: str) -> tuple[Thing, ...]:
        """Every thing of a kind, in the order in which they came."""
        return tuple(Thing(name, kind) for name, held in self.things.items() if held.kind == kind)


EMPTY = State()


class Gathered(dict[str, Holdings]):
    """Things that one reader still gathers: `put` and `added` change them in place, so that reading is linear.

    Nobody else may hold the state; `finished` gives one that never changes again.
    """


def gathering(state: State) -> State:
    """The state, to be changed in place from here on."""
    return replace(state, things=Gathered(state.things))


def finished(state: State) -> State:
    """The state when all has been gathered."""
    return replace(state, things=dict(state.things))


def put(state: State, thing: Thing, name: str, value: Any) -> State:
    """The state with another value of what a thing has."""
    held = state.things[thing.id]
    changed = Holdings(held.kind, {**held.values, name: value})
    if isinstance(state.things, Gathered):
        state.things[thing.id] = changed
        return state
    return State({**state.things, thing.id: changed}, state.marks, state.timers, state.made, state.pending)


def added(state: State, thing: Thing, values: Mapping[str, Any]) -> State:
    """The state with one more thing."""
    fresh = Holdings(thing.kind, values)
    if isinstance(state.things, Gathered):
        state.things[thing.id] = fresh
        return replace(state, made=state.made + 1)
    things = {**state.things, thing.id: fresh}
    return replace(state, things=things, made=state.made + 1)


def without(state: State, thing: Thing) -> State:
    """The state without a thing and its parts; lists no longer hold them."""
    gone = {thing.id, *(name for name in state.things if name.startswith(f"{thing.id}."))}
    kept = {
        name: Holdings(held.kind, {key: _rid(value, gone) for key, value in held.values.items()})
        for name, held in state.things.items()
        if name not in gone
    }
    timers = tuple(one for one in state.timers if one.thing.id not in gone)
    marks = tuple(one for one in state.marks if one.actor not in gone)
    pending = tuple(one for one in state.pending if not any(_is_gone(value, gone) for _, value in one.given))
    return replace(state, things=kept, marks=marks, timers=timers, pending=pending)


def _is_gone(value: Any, gone: set[str]) -> bool:
    return type(value) is Thing and value.id in gone


def _rid(value: Any, gone: set[str]) -> Any:
    if type(value) is Thing:
        return None if value.id in gone else value
    if type(value) is tuple:
        return tuple(one for one in value if not (type(one) is Thing and one.id in gone))
    return value


def marked(state: State, path: str, actor: str, span: str) -> State:
    """The state in which an actor has done something once more."""
    return replace(state, marks=with_mark(state.marks, path, actor, span))


Marks = tuple[Mark, ...]


def with_mark(marks: Marks, path: str, actor: str, span: str) -> Marks:
    """Marks when an actor has done something once more."""
    times = done(marks, path, actor, span)
    others = tuple(one for one in marks if (one.path, one.actor, one.span) != (path, actor, span))
    return tuple(sorted((*others, Mark(path, actor, span, times + 1))))


def marks_after(marks: Marks, spans: Collection[str], who: Thing | None) -> Marks:
    """Marks when spans have ended; those of a turn only of `who`, where somebody is named."""
    return tuple(one for one in marks if one.span not in spans or (who is not None and one.actor != who.id))


def done(marks: Marks, path: str, actor: str, span: str) -> int:
    """How often an actor has done something since the span began."""
    for one in marks:
        if one.path == path and one.actor == actor and one.span == span:
            return one.times
    return 0
