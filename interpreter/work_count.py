"""Where work is counted: on the counter in force, which `interpreter.budget` opens.

It stands below everything else, so that whatever loops can count its work, even what words a message. A unit of work
takes about a microsecond on a small machine.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol

SLICE = 1_000
"""The units of work between two looks at the clock."""
SHORT = 32
"""Lists of at most so many elements cost nothing beside the step that reads them."""


class WorkCounter(Protocol):
    """Counts units of work, and raises an error where they are too many."""

    def spend(self, work: int) -> None:
        """Count units of work that comes next. It raises an error where they would be too many."""

    def foresee(self, work: int, memory: int) -> None:
        """The same for work that takes so many bytes of memory."""

    def affords(self, work: int) -> bool:
        """Whether so much work is done for what is told beside the answer; it is counted."""


in_force: ContextVar[WorkCounter | None] = ContextVar("counter", default=None)


def spend(work: int) -> None:
    """Count units of work that comes next, on the counter in force. Raises BudgetExceeded where they are too many."""
    counter = in_force.get()
    if counter is not None:
        counter.spend(work)


def foresee(work: int, memory: int = 0) -> None:
    """Count units of work that comes next, and bytes of memory that it takes.

    Raises BudgetExceeded where they would be too much.
    """
    counter = in_force.get()
    if counter is not None:
        counter.foresee(work, memory)


def affords(work: int) -> bool:
    """Whether the counter in force affords so much work for what is told beside the answer; it is counted."""
    counter = in_force.get()
    return counter is None or counter.affords(work)
