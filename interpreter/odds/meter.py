"""The cost of one question about odds: counted states, work and memory, so that too much is refused early.

Loops that can grow count what they do before or while they do it. Counts decide, and not clocks, so a question is
refused, or answered in part, at the same point on every machine. A unit of work takes about a microsecond on a small
machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import isqrt

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.work_count import SLICE, spend


@dataclass(frozen=True, slots=True)
class WorkLimits:
    """The limits of one question: states in all, units of work, and bytes of memory at a time."""

    states: int = 200_000
    work: int = 5_000_000
    memory: int = 200 << 20


LIMITS = WorkLimits()
"""The limits by default."""


def limits_of(seconds: float) -> WorkLimits:
    """The limits of a question that may take so many seconds on a small machine; those of memory stay as they are."""
    return WorkLimits(max(1, int(seconds * 40_000)), max(1, int(seconds * 1_000_000)), LIMITS.memory)


STATE, ENTRY = 500, 70
"""The approximate size in bytes of a state that waits, and of each entry of a list in it."""

ROW = 250
"""The approximate size in bytes of a row of a law."""

OFTEN = 50_000
"""The units of work after which it is told how far a question is: about twenty times a second."""


class Meter:
    """The meter of one question. Raises PlayError as soon as a limit is passed.

    `report` is called now and then with the work done and the work allowed; what it raises ends the question. `waited`
    are the numbers of states before each step and in it, by its name. `limits` are those of the present attempt,
    `whole` those of the question; `spent` is the work of the attempts before.
    """

    __slots__ = ("_counted", "_next", "given", "limits", "report", "spent", "states", "waited", "whole", "work")

    def __init__(self, limits: WorkLimits | None = None, report: Callable[[int, int], None] | None = None) -> None:
        self.given, self.report = limits, report
        self.limits: WorkLimits
        self.states: int
        self.work: int
        self.waited: dict[str, int]
        self._next: int
        self._counted: int
        self.begin()

    def begin(self, limits: WorkLimits | None = None) -> None:
        """Begin a new question, with limits of its own if it has some."""
        self.whole, self.spent = limits or self.given or LIMITS, 0
        self._start(self.whole)

    @contextmanager
    def count_apart(self, limits: WorkLimits) -> Iterator[None]:
        """Count a part of the question by itself, within limits of its own. It counts nothing for the question."""
        before = self.limits, self.states, self.work, self._counted, self.waited, self._next
        self._start(limits)
        try:
            yield
        finally:
            self.limits, self.states, self.work, self._counted, self.waited, self._next = before

    def begin_again(self) -> None:
        """Begin another attempt at the same question.

        All attempts together may do half as much work again as one: a refusal takes little longer than an answer.
        """
        self.spent += self.work
        limits, left = self.whole, self.whole.work * 3 // 2 - self.spent
        self._start(WorkLimits(limits.states, max(1, min(limits.work, left)), limits.memory))

    def _start(self, limits: WorkLimits) -> None:
        self.limits = limits
        self.states = self.work = self._counted = 0
        self.waited = {}
        self._next = min(SLICE, self.limits.work)

    def count_states(self, states: int) -> None:
        """Count states."""
        self.states += states
        self.refuse_too_many_states(0)

    def count_waiting_states(self, step: str, states: int) -> None:
        """Count states before a step, or in it."""
        self.waited[step] = self.waited.get(step, 0) + states

    def refuse_too_many_states(self, states: int) -> None:
        """Refuse if `states` more states exceed the limit."""
        if self.states + states > self.limits.states:
            raise PlayError(say.too_many_states(self.limits.states))

    def spend(self, work: int) -> None:
        """Count units of work."""
        self.work += work
        if self.work > self._next:
            self._report_work()

    def check_work(self, work: int) -> None:
        """Refuse if so much work, which is counted while it is done, exceeds the limit."""
        if self.work + work > self.limits.work:
            self.spend(work)

    def _report_work(self) -> None:
        """Tell how far the question is, and refuse if the work exceeds the limit, or what the meter in force allows."""
        if self.work > self.limits.work:
            raise PlayError(say.too_much_work())
        spend(self.work - self._counted)
        if self.report is not None and self.work // OFTEN > self._counted // OFTEN:
            self.report(min(self.work, self.limits.work), self.limits.work)
        self._counted = self.work
        self._next = min(self.work + SLICE, self.limits.work)

    def is_too_little_for(self, work: Fraction) -> bool:
        """Whether so much work more exceeds the limit, or as many states once more."""
        return self.work + work > self.limits.work or 2 * self.states > self.limits.states

    def check_memory(self, memory: int) -> None:
        """Refuse if `memory` bytes at a time exceed the limit."""
        if memory > self.limits.memory:
            raise PlayError(say.too_much_memory(self.limits.memory >> 20))

    def count_unpacking(self, entries: int) -> None:
        """Count the unpacking of a packed polynomial with `entries` entries."""
        self.spend(entries // 2)
        self.check_memory(entries * ROW)

    def count_multiplications(self, bits: int, times: int = 1) -> None:
        """Count multiplications with products of `bits` bits."""
        self.spend(times * work_of_product(bits))


def work_of_product(bits: int) -> int:
    """The units of work of a multiplication with a product of `bits` bits: they grow faster than the bits."""
    return 1 + bits * isqrt(bits) // 20_000
