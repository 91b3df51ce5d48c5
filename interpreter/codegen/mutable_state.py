"""The state of a run in generated functions, which change it in place, where play replaces a frozen one."""

from __future__ import annotations

from typing import Any

from interpreter.runtime.state import Holdings, Mark, Pending, State, Timer
from interpreter.values import Thing


class MutableState:
    """The fields of `interpreter.runtime.state.State`, for formulas to read; made to be changed.

    `has_by_id` maps the id of each object to its values: the same mappings that `things` holds.
    """

    def __init__(self) -> None:
        self.things: dict[str, Holdings] = {}
        self.has_by_id: dict[str, dict[str, Any]] = {}
        self.marks: tuple[Mark, ...] = ()
        self.timers: tuple[Timer, ...] = ()
        self.pending: tuple[Pending, ...] = ()
        self.made = 0

    def of_kind(self, kind: str) -> tuple[Thing, ...]:
        """Every object of a kind, in the order in which they were made."""
        return tuple([Thing(name, kind) for name, held in self.things.items() if held.kind == kind])

    def freeze(self) -> State:
        """A copy that does not change."""
        things = {name: Holdings(held.kind, dict(held.values)) for name, held in self.things.items()}
        return State(things, self.marks, self.timers, self.made, self.pending)

    def set(self, state: State) -> None:
        """Copy another state into this one."""
        self.things.clear()
        self.has_by_id.clear()
        for name, held in state.things.items():
            values = self.has_by_id[name] = dict(held.values)
            self.things[name] = Holdings(held.kind, values)
        self.marks, self.timers, self.pending, self.made = state.marks, state.timers, state.pending, state.made
