"""What follows from a state alone, such as derived attributes: it is kept until something changes that it depends on.

Rules look at one state after another, which differ in a value or two, and a state that is made anew takes over what
they left as it was. Nothing that is kept changes its meaning, so runs of several threads may share it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from operator import is_not
from typing import Any

from interpreter.ir.state_reads import Read
from interpreter.runtime.state import Gathered, Holdings, State

MOST_STATES = 8
"""Of how many states is kept what follows from them."""

MOST_IMPLIED = 2_000
"""How many values of one function are kept."""

Work = Callable[..., Any]
Known = dict[Work, dict[Any, tuple[Any, int]]]
"""The values of functions, by what they are given, each with the number of elements that it takes to compute it."""


class Implied:
    """What follows from the states that were looked at last."""

    def __init__(self) -> None:
        self.of_states: dict[int, tuple[State, Known]] = {}
        self._latest: tuple[State, Known] | None = None
        self._reads: dict[Work, Callable[[], frozenset[Read] | None]] = {}
        self._affected: dict[Read, frozenset[Work]] = {}

    def add(self, work: Work, reads: Callable[[], frozenset[Read] | None]) -> None:
        """Tell what stored attributes a function may read of a state; None if that is not known."""
        self._reads[work] = reads
        self._affected = {}

    def known(self, state: State) -> Known | None:
        """What is known of a state, to be added to; None of one that still changes."""
        kept = self.of_states.get(id(state))
        if kept is not None:
            return kept[1]
        if type(state) is not State or isinstance(state.things, Gathered):
            return None
        kept = state, self._taken_over(state)
        if len(self.of_states) >= MOST_STATES:
            self.of_states.clear()
        self.of_states[id(state)] = self._latest = kept
        return kept[1]

    def _taken_over(self, state: State) -> Known:
        """What is known of the latest state and follows from this one, too."""
        if self._latest is None:
            return {}
        before, known = self._latest
        changed = attributes_changed(before, state)
        if changed is None:
            return {work: values for work, values in list(known.items()) if self._reads[work]() == frozenset()}
        kept = known.copy()
        for read in changed:
            affected = self._affected
            if read not in affected:
                affected[read] = frozenset([work for work in list(self._reads) if self._may_read(work, read)])
            for work in affected[read]:
                kept.pop(work, None)
        return kept

    def _may_read(self, work: Work, read: Read) -> bool:
        reads = self._reads[work]()
        return reads is None or read in reads


def attributes_changed(before: State, after: State) -> set[Read] | None:
    """The attributes in which two states differ, by kind and name; None where things differ, or nobody may look.

    What odds trace is not looked at, as that would count as reading it.
    """
    old, new = before.things, after.things
    if old is new:
        return set()
    if [*old] != [*new]:
        return None
    changed: set[Read] = set()
    for name in compress(new, map(is_not, new.values(), old.values())):
        held, was = new[name], old[name]
        if held.kind != was.kind or type(held) is not Holdings or type(was) is not Holdings:
            return None
        values, others = held.values, was.values
        if [*values] != [*others]:
            changed.update([(held.kind, each) for each in {**values, **others}])
        else:
            differ = map(is_not, values.values(), others.values())
            changed.update([(held.kind, each) for each in compress(values, differ)])
    return changed
