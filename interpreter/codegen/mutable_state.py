"""The state of a run that is only counted: one that changes, where the walk exchanges one for another."""

from __future__ import annotations

from typing import Any

from interpreter.runtime.state import Holdings, Mark, Pending, State, Timer
from interpreter.values import Thing


class MutableState:
    """What lasts, as `interpreter.runtime.state.State` has it; what formulas read of that one they can read of this.

    `has_by_id` holds the values that each thing has by its id: the very mappings that `things` have.
    """

    def __init__(self) -> None:
        self.things: dict[str, Holdings] = {}
        self.has_by_id: dict[str, dict[str, Any]] = {}
        self.marks: tuple[Mark, ...] = ()
        self.timers: tuple[Timer, ...] = ()
        self.pending: tuple[Pending, ...] = ()
        self.made = 0

    def of_kind(self, kind: str) -> tuple[Thing, ...]:
        """Every thing of a kind, in the order in which they came."""
        return tuple([Thing(name, kind) for name, held in self.things.items() if held.kind == kind])

    @property
    def still(self) -> State:
        """The state as it is now, which does not change any more."""
        things = {name: Holdings(held.kind, dict(held.values)) for name, held in self.things.items()}
        return State(things, self.marks, self.timers, self.made, self.pending)

    def become(self, state: State) -> None:
        """Be as another state is."""
        self.things.clear()
        self.has_by_id.clear()
        for name, held in state.things.items():
            values = self.has_by_id[name] = dict(held.values)
            self.things[name] = Holdings(held.kind, values)
        self.marks, self.timers, self.pending, self.made = state.marks, state.timers, state.pending, state.made
