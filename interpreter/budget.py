"""What a piece of work may take: units of work, seconds of the processor, and memory.

An entry point opens a meter `within` a budget, and whatever it calls spends from that meter, however deep. Stages that
loop spend where they loop, so that a person gets an answer in which the place and the way out stand; a process of its
own with limits of the operating system, as `interpreter.workers` has, stops what no count sees.

A unit of work takes about a microsecond on a small machine. Counts end the same work at the same point on every
machine; the clock and the memory end what the counts judge too low. The budget of an entry point that another one
calls is that of the outer one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import ClassVar, ParamSpec, TypeVar, cast

from interpreter import diagnostics as say
from interpreter.diagnostics import BudgetExceeded
from interpreter.work_count import SLICE, in_force

P = ParamSpec("P")
R = TypeVar("R")

MIB = 1 << 20

thread_time = getattr(time, "thread_time", time.process_time)
"""The seconds of the processor that this thread has taken; a browser tells only those of the process."""


@dataclass(frozen=True)
class Budget:
    """What may be taken: `seconds` of the processor, bytes of `memory`, and units of `work`; None is without limit.

    `Budget.usual`, which is `Budget()`, is for a person who waits, `Budget.strict` for what strangers send, and
    `Budget.none` has no limits. Memory is what the process grows by, where the system tells it. A unit of work takes
    about a microsecond on a small machine; counted units end the same work at the same point everywhere.
    """

    seconds: float | None = 10.0
    memory: int | None = 512 * MIB
    work: int | None = None

    usual: ClassVar[Budget]
    strict: ClassVar[Budget]
    none: ClassVar[Budget]


Budget.usual = Budget()
Budget.strict = Budget(1.0, 256 * MIB)
Budget.none = Budget(None, None)

UNITS_A_SECOND = 1_000_000
PART_OF_EXTRAS = 0.2
"""The part of the seconds of a budget that may go into what is told beside the answer."""
SELDOM = 0.005
"""The seconds between two looks at the memory, which take longer."""
SELDOM_MORE = 4 * MIB
"""The memory of one piece of work for which the memory is looked at before."""


class BudgetMeter:
    """What was spent of a budget. It raises BudgetExceeded as soon as more is spent, and each time after that.

    Most calls take so little that neither the clock nor the memory is looked at: these count from the first look.
    """

    __slots__ = ("_begun", "_extras", "_held", "_next", "_weighed", "budget", "whole", "work")

    def __init__(self, budget: Budget, whole: Budget | None = None) -> None:
        self.budget, self.work = budget, 0
        self.whole = whole or budget
        """The budget that is told, of which this one is a part."""
        self._begun: float | None = None
        self._held = 0
        self._weighed = 0.0
        self._next = SLICE
        self._extras = 0

    @property
    def seconds(self) -> float:
        """The seconds of the processor since the first look."""
        return 0.0 if self._begun is None else thread_time() - self._begun

    def spend(self, work: int) -> None:
        """Count units of work, which is done after it. It raises BudgetExceeded before a piece that would not fit."""
        self.work += work
        if self.work >= self._next:
            self.look()
            seconds = self.budget.seconds
            if work >= SLICE and seconds is not None and self.seconds + work / UNITS_A_SECOND > seconds:
                raise seconds_exceeded(self.whole.seconds or 0)

    def look(self) -> None:
        """Look at the clock and at the memory."""
        budget, whole = self.budget, self.whole
        now = thread_time()
        if self._begun is None:
            self._begun = self._weighed = now
            self._held = resident_memory()
        if budget.work is not None and self.work > budget.work:
            raise _budget_error(f"{whole.work:,} units of work")
        if budget.seconds is not None and now - self._begun > budget.seconds:
            raise seconds_exceeded(whole.seconds or 0)
        if budget.memory is not None and now - self._weighed > SELDOM:
            self._weighed = now
            if self.memory_taken > budget.memory:
                raise _budget_error(f"{(whole.memory or 0) // MIB:,} MB")
        self._next = self.work + SLICE

    def foresee(self, work: int, memory: int = 0) -> None:
        """The same for work that takes so many bytes of memory."""
        self.spend(work)
        budget, whole = self.budget, self.whole
        if budget.memory is not None and memory > SELDOM_MORE and self.memory_taken + memory > budget.memory:
            raise _budget_error(f"{(whole.memory or 0) // MIB:,} MB")

    @property
    def memory_taken(self) -> int:
        """The bytes of memory that the process has taken since the first look."""
        return resident_memory() - self._held if self._begun is not None else 0

    def affords(self, work: int) -> bool:
        """Whether so much work is done for what is told beside the answer, such as which name was meant.

        All of it together may take a part of the budget; the work is counted where it is done.
        """
        seconds = self.budget.seconds
        if seconds is not None and self._extras + work > seconds * UNITS_A_SECOND * PART_OF_EXTRAS:
            return False
        self._extras += work
        self.spend(work)
        return True

    def share_of_rest(self, share: float) -> Budget:
        """A budget for a part of the work, so that something is left for the rest of it: a share of what is left."""
        whole = self.budget
        if self._begun is None:
            self.look()
        taken = self.memory_taken
        return Budget(
            None if whole.seconds is None else max(whole.seconds - self.seconds, 0.0) * share,
            None if whole.memory is None else max(int((whole.memory - taken) * share), 0),
            None if whole.work is None else max(int((whole.work - self.work) * share), 0),
        )


def seconds_exceeded(allowed: float) -> BudgetExceeded:
    """What is raised where work has taken more than the seconds allowed."""
    return _budget_error(f"{allowed:.3g} second{'' if allowed == 1 else 's'}")


def _budget_error(allowed: str) -> BudgetExceeded:
    return BudgetExceeded(say.over_budget(allowed))


_of_each: ContextVar[Budget] = ContextVar("budget", default=Budget.usual)
"""The budget of each call of an entry point that is not within another one."""


MOST_OF_REST = 0.9
"""The share of what is left of a budget that is given to the part of the work that can end early."""


@contextmanager
def within_rest(share: float = MOST_OF_REST) -> Iterator[BudgetMeter]:
    """Count what is done in this context within a share of what is left of the budget in force.

    The default is most of it, so that what is found until it is spent can still be told.
    """
    outer = meter_in_force()
    rest = BudgetMeter(Budget.none) if outer is None else BudgetMeter(outer.share_of_rest(share), outer.whole)
    with _count(rest):
        yield rest


@contextmanager
def within(budget: Budget) -> Iterator[None]:
    """Keep all that is done in this context, in this thread, within one budget, whatever the budget around it.

    What takes more raises BudgetExceeded.
    """
    with _count(BudgetMeter(budget)):
        yield


@contextmanager
def _count(meter: BudgetMeter) -> Iterator[BudgetMeter]:
    """Count all that is done in this context on a meter."""
    meter.look()
    before = in_force.set(meter)
    try:
        yield meter
    finally:
        in_force.reset(before)
        outer = meter_in_force()
        if outer is not None:
            outer.work += meter.work


@contextmanager
def each_within(budget: Budget) -> Iterator[None]:
    """Give each call of an entry point in this context a budget of its own."""
    before = _of_each.set(budget)
    try:
        yield
    finally:
        _of_each.reset(before)


def meter_in_force() -> BudgetMeter | None:
    """The meter that is in force, if one is."""
    return cast("BudgetMeter | None", in_force.get())


def metered(call: Callable[P, R]) -> Callable[P, R]:
    """The same call, within the budget of a person unless another is in force."""

    @wraps(call)
    def call_within_budget(*given: P.args, **named: P.kwargs) -> R:
        if in_force.get() is not None:
            return call(*given, **named)
        before = in_force.set(BudgetMeter(_of_each.get()))
        try:
            return call(*given, **named)
        finally:
            in_force.reset(before)

    return call_within_budget


class _MemoryReader:
    """Tells how many bytes of memory the process has; 0 where the system does not tell.

    The file is opened once, when houserule is imported, as a host may forbid later that files are opened.
    """

    def __init__(self) -> None:
        self._page = self._file = 0
        self.open()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.open)

    def open(self) -> None:
        """Open what tells the memory of this process."""
        try:
            self._page = os.sysconf("SC_PAGE_SIZE")
            self._file = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
        except (AttributeError, OSError, ValueError):
            self._page = 0

    def __call__(self) -> int:
        try:
            return int(os.pread(self._file, 64, 0).split()[1]) * self._page if self._page else 0
        except OSError:
            return 0


resident_memory = _MemoryReader()
