"""Laws that are kept by what was read of the state: each holds for every state that agrees in that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.odds.open_rolls import holds_open_roll
from interpreter.odds.operations import EndedValue, Law, WithState
from interpreter.odds.state_keys import PLAIN, freeze
from interpreter.odds.traced_state import Reads, StateChange, change_to, read_all, read_untraced
from interpreter.runtime.state import STATE, State
from interpreter.values import Thing

AS_THEY_ARE = PLAIN | {Thing}
"""Types of values that are their own keys here."""


@dataclass(slots=True, eq=False)
class KeptLaw:
    """A law whose results hold changes of the state in place of states, if any does; `whole` if nothing negligible is
    missing from it."""

    law: Law
    changes: list[StateChange | None] | None
    whole: bool

    @property
    def changed_results(self) -> int:
        """How many results hold a change."""
        return len(self.changes) if self.changes is not None else 0

    def from_state(self, state: State) -> Law:
        """The law from a state that agrees in what was read."""
        rows, total = self.law
        if self.changes is None:
            return self.law
        both = zip(rows, self.changes, strict=True)
        return [
            (value if to is None else _replace_state(value, to.apply_to(state)), ways) for (value, ways), to in both
        ], total


@dataclass(slots=True, eq=False)
class _Read:
    """What was read next, after the same values: an attribute of a thing, and what follows for each value of it.

    Most reads had one value only, the `first`: a dictionary for each would take four times the memory.
    """

    thing: str
    name: str
    first: Any
    then: _Read | KeptLaw | None = None
    others: dict[Any, _Read | KeptLaw] | None = None

    def follow(self, key: Any) -> _Read | KeptLaw | None:
        """What follows for the value of a key."""
        if self.first == key:
            return self.then
        return self.others.get(key) if self.others is not None else None

    def put(self, key: Any, then: _Read | KeptLaw) -> None:
        """Let something follow for the value of a key."""
        if self.first == key:
            self.then = then
        elif self.others is None:
            self.others = {key: then}
        else:
            self.others[key] = then


@dataclass(slots=True, eq=False)
class LawsByReads:
    """The laws of a block or a step from frames that differ only in the state.

    What is read first is always the same, and what is read next follows from the values before it, as play is certain.
    So the laws are the leaves of a tree, for each set of things that there are.
    """

    _begins: dict[Any, _Read | KeptLaw] = field(default_factory=dict)

    def find(self, state: State) -> KeptLaw | None:
        """The law from a state, if it is known. What it depends on is read of the state."""
        things, at = state.things, self._begins.get(_key_beside_attributes(state))
        while type(at) is _Read:
            at = at.follow(_key(things[at.thing].values[at.name]))
        assert at is None or isinstance(at, KeptLaw)
        return at

    def keep(self, law: Law, whole: bool, state: State, reads: Reads, through: State) -> KeptLaw:
        """Keep a law that was found from `state`, of which `reads` was read, through another one that traces it."""
        rows, total = law
        if any(holds_open_roll(value) for value, _ in rows):
            read_all(through)  # what is drawn later may read anything
        changes = [_change_in(value, state, reads) for value, _ in rows]
        if any(changes):
            both = zip(rows, changes, strict=True)
            rows = [(value if to is None else _replace_state(value, None), ways) for (value, ways), to in both]
        kept = KeptLaw((rows, total), changes if any(changes) else None, whole)
        known: set[tuple[str, str]] = set()
        begin = _key_beside_attributes(state)
        at, before = self._begins.get(begin), None
        while type(at) is _Read:  # as far as others have read the same
            known.add((at.thing, at.name))
            key = _key(read_untraced(state.things[at.thing].values, at.name))
            before, at = (at, key), at.follow(key)
        then: _Read | KeptLaw = kept
        for thing, name in reversed([of for of in reads if of not in known]):
            then = _Read(thing, name, _key(reads[thing, name]), then)
        if before is None:
            self._begins[begin] = then
        else:
            before[0].put(before[1], then)
        return kept


def _key(value: Any) -> Any:
    return value if type(value) in AS_THEY_ARE else freeze(value)


def _key_beside_attributes(state: State) -> Any:
    """What a law depends on beside attributes: the things that there are, marks, and what is still to happen."""
    kinds = tuple([held.kind for held in state.things.values()])
    later = (freeze(state.timers), freeze(state.pending)) if state.timers or state.pending else None
    return (tuple(state.things), kinds, state.marks, state.made, later)


def _change_in(value: Any, state: State, reads: Reads) -> StateChange | None:
    """The change of the state that a result holds, if it holds a state."""
    after = value.get(STATE) if type(value) is dict else getattr(value, "state", None)
    return change_to(after, state, reads) if isinstance(after, State) else None


def _replace_state(value: Any, state: State | None) -> Any:
    """A result with another state."""
    if isinstance(value, Mapping):
        return {**value, STATE: state}
    assert isinstance(value, (EndedValue, WithState))
    return replace(value, state=state)
