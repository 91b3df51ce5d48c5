"""States that tell what is read of them, and what changes: so a law holds for every state that agrees in what was read.

A law is found from a traced state, whose things read their values from another state when rules first look at them. A
value that is set is a change, unless the thing had the same one before: then the law depends on it, as if it were read.
Source: memoization with dynamic dependencies, as in U. A. Acar et al., "Selective Memoization" (POPL 2003).
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any

from interpreter.frozen import dataclass
from interpreter.odds.state_keys import key_of
from interpreter.runtime.state import Holdings, Mark, Pending, State, Timer

Reads = dict[tuple[str, str], Any]
"""The attributes that were read, each as a thing and a name, in the order in which that first happened, with values."""


NO_CHANGES: Mapping[str, Any] = {}


class TracedValues(dict[str, Any]):
    """The values of a thing that were read or changed so far. All others are in `base`, which may be traced, too.

    Whoever looks at all of them reads all.
    """

    __slots__ = ("base", "reads", "thing")

    def __init__(self, thing: str, base: Mapping[str, Any], reads: Reads) -> None:
        super().__init__()
        self.thing, self.base, self.reads = thing, base, reads

    def __missing__(self, name: str) -> Any:
        value = self[name] = self.read(name)
        return value

    def read(self, name: str) -> Any:
        """Read a value that the thing had at the beginning."""
        value = self.base[name]
        self.reads.setdefault((self.thing, name), value)
        return value

    def with_changes(self, changes: Mapping[str, Any]) -> TracedValues:
        """The values after some have changed."""
        made = TracedValues(self.thing, self.base, self.reads)
        dict.update(made, dict.items(self))
        dict.update(made, changes)
        return made

    def __iter__(self) -> Iterator[str]:
        for name in self.base:
            self[name]
        return super().__iter__()

    def __contains__(self, name: object) -> bool:
        return name in self.base

    def __len__(self) -> int:
        return len(self.base)

    def __eq__(self, other: object) -> bool:
        iter(self)
        return super().__eq__(other)

    __hash__ = None

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self.base else default

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        iter(self)
        return super().keys()

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        iter(self)
        return super().values()

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        iter(self)
        return super().items()


class TracedHoldings(Holdings):
    """What a thing has in a traced state. `changes` are the values that differ from those at the beginning."""

    __slots__ = ("changes", "of", "reads", "thing")
    values: TracedValues

    def __init__(self, thing: str, of: Holdings, reads: Reads) -> None:  # not of its base class: there are many of them
        self.kind, self._hash = of.kind, hash(thing)
        self.thing, self.of, self.reads, self.changes = thing, of, reads, NO_CHANGES

    def __getattr__(self, name: str) -> TracedValues:
        """The values, made when somebody looks at them first."""
        assert name == "values", "all else is set from the beginning"
        made = self.values = TracedValues(self.thing, self.of.values, self.reads)
        return made

    def with_values(self, new: Mapping[str, Any]) -> TracedHoldings:
        changes = {**self.changes, **new}
        for name, value in new.items():
            before = read_untraced(self.values.base, name)
            if before is value or key_of(before) == key_of(value):
                self.values.read(name)
                del changes[name]
        made = TracedHoldings(self.thing, self.of, self.reads)
        made.values, made.changes, made._hash = self.values.with_changes(new), changes, None
        return made

    def __eq__(self, other: object) -> bool:
        """Whether both have the same changes: what else they have is the same if it was traced from the same state."""
        return self is other or (
            isinstance(other, TracedHoldings)
            and self.reads is other.reads
            and self.thing == other.thing
            and self.changes == other.changes
        )

    def __hash__(self) -> int:
        if self._hash is None:
            changes = [(name, key_of(self.changes[name])) for name in sorted(self.changes)]
            self._hash = hash((self.thing, *changes))
        return self._hash


def read_untraced(values: Mapping[str, Any], name: str) -> Any:
    """A value, without reading it."""
    while type(values) is TracedValues:
        if dict.__contains__(values, name):
            return dict.__getitem__(values, name)
        values = values.base
    return values[name]


def trace_reads(state: State, reads: Reads) -> State:
    """The same state, which adds to `reads` what is read of it."""
    things = {name: TracedHoldings(name, held, reads) for name, held in state.things.items()}
    return State(things, state.marks, state.timers, state.made, state.pending)


def read_all(state: State) -> None:
    """Read every value of a traced state."""
    for held in state.things.values():
        iter(held.values)


@dataclass(frozen=True, slots=True)
class StateChange:
    """What leads from a state to another: changed attributes, and things that were made or destroyed.

    `things` are the names of all that there are then, in order, or None where they are the same; `made` are new ones.
    """

    attributes: tuple[tuple[str, Mapping[str, Any]], ...]
    things: tuple[str, ...] | None
    made: Mapping[str, Holdings]
    marks: tuple[Mark, ...]
    timers: tuple[Timer, ...]
    number_made: int
    pending: tuple[Pending, ...]

    def apply_to(self, state: State) -> State:
        """The state after the change, from one that agrees in all that was read."""
        if self.things is None:
            things = dict(state.things)
        else:
            things = {name: self.made[name] if name in self.made else state.things[name] for name in self.things}
        for name, new in self.attributes:
            things[name] = things[name].with_values(new)
        return State(things, self.marks, self.timers, self.number_made, self.pending)


def change_to(after: State, before: State, reads: Reads) -> StateChange:
    """The change that leads from a state to the one `after`, which follows from what is `traced` of it by `reads`."""
    attributes, made = [], {}
    for name, held in after.things.items():
        if not isinstance(held, TracedHoldings):
            made[name] = held
            continue
        assert held.reads is reads, "a state follows from the one that was traced last"
        if held.changes:
            attributes.append((name, held.changes))
    same = not made and list(after.things) == list(before.things)
    things = None if same else tuple(after.things)
    return StateChange(tuple(attributes), things, made, after.marks, after.timers, after.made, after.pending)
