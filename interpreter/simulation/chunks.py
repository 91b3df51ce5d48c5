"""Runs in chunks: each has a seed of its own, any executor may run it, and the counts are added up.

The counts of a chunk depend only on the seed, its number and its size, and the sizes follow from the number of runs.
So the answer is the same with one worker or with many, in this process or in others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from enum import Enum
from time import monotonic
from typing import Any

from interpreter.budget import MOST_OF_REST, Budget, meter_in_force, seconds_exceeded, within_rest
from interpreter.diagnostics import BudgetExceeded

SMALLEST, TIMES = 1 << 14, 1 << 6
"""The size of the first chunk, and how many times larger the last may be; each is twice as large as the one before."""

OUTSTANDING = 64
"""How many chunks an executor has at a time."""


class OpenValue(Enum):
    """Stands in the counts for a value that its run leaves open."""

    OPEN = "open"


Counts = dict[tuple[Any, ...], int]
"""The number of runs for each combination of values of some names; `Open.OPEN` for a value that is not decided."""

Progress = Callable[[int, int], None]
"""Called with the number of runs that are done, and the number of all runs."""


@dataclass
class Tally:
    """The number of runs so far, for each combination of values.

    `by_play` of them were played step by step, as generated functions left them to play; `slips` counts those of them
    in which such a function raised an error that play does not find, by its name.
    """

    runs: int = 0
    counts: Counts = field(default_factory=dict)
    by_play: int = 0
    slips: Counter[str] = field(default_factory=Counter)
    cut: BudgetExceeded | None = None
    """What ended the runs, if they were to be more."""

    def add(self, other: Tally) -> None:
        """Add the runs of another tally."""
        self.runs += other.runs
        self.by_play += other.by_play
        self.slips += other.slips
        self.cut = self.cut or other.cut
        for values, count in other.counts.items():
            self.counts[values] = self.counts.get(values, 0) + count


Chunk = Callable[[int, int], Tally]
"""Runs and counts a chunk of a number and a size. It can be pickled, for other processes."""


class Interrupted(KeyboardInterrupt):
    """An interrupt, with the counts so far."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self.tally = tally


def chunk_sizes(runs: int, smallest: int = SMALLEST) -> Iterator[int]:
    """The sizes of the chunks of all runs."""
    size = smallest
    while runs > 0:
        yield min(size, runs)
        runs -= size
        size = min(2 * size, smallest * TIMES)


def count_runs(
    chunk: Chunk,
    runs: int,
    executor: Executor | None = None,
    progress: Progress | None = None,
    smallest: int = SMALLEST,
) -> Tally:
    """The counts of all runs, chunk by chunk; of those before the budget in force was spent, if there are any.

    Raises Interrupted after an interrupt.
    """
    tally = Tally()
    report = progress or (lambda done, of: None)
    try:
        report(0, runs)
        if executor is None:
            with within_rest() as meter:
                for number, size in enumerate(chunk_sizes(runs, smallest)):
                    meter.look()
                    tally.add(chunk(number, size))
                    report(tally.runs, runs)
                    if tally.cut is not None:
                        break
        else:
            _submit_chunks(chunk, runs, executor, tally, report, smallest)
    except KeyboardInterrupt:
        raise Interrupted(tally) from None
    except BudgetExceeded as cut:
        if not tally.runs:
            raise
        tally.cut = cut
    return tally


def _submit_chunks(chunk: Chunk, runs: int, executor: Executor, tally: Tally, report: Progress, smallest: int) -> None:
    pending: set[Future[Tally]] = set()
    within_time = _Clock()
    try:
        for number, size in enumerate(chunk_sizes(runs, smallest)):
            while len(pending) >= OUTSTANDING:
                _collect(pending, tally, report, runs, within_time)
            pending.add(executor.submit(chunk, number, size))
        while pending:
            _collect(pending, tally, report, runs, within_time)
    except BaseException:
        for one in pending:
            one.cancel()
        raise


class _Clock:
    """Counts the seconds in which others work as if this thread did."""

    def __init__(self) -> None:
        meter = meter_in_force()
        self._budget = Budget.none if meter is None else meter.share_of_rest(MOST_OF_REST)
        self._whole = self._budget if meter is None else meter.whole
        self._begun = monotonic()

    @property
    def left(self) -> float | None:
        """The seconds that are left; None without limit. Raises BudgetExceeded where there are none."""
        if self._budget.seconds is None:
            return None
        left = self._budget.seconds - (monotonic() - self._begun)
        if left <= 0:
            raise seconds_exceeded(self._whole.seconds or 0)
        return left


def _collect(pending: set[Future[Tally]], tally: Tally, report: Progress, runs: int, clock: _Clock) -> None:
    """Wait for at least one chunk."""
    done, _ = wait(pending, clock.left, FIRST_COMPLETED)
    for one in done:
        tally.add(one.result())
        pending.remove(one)
    report(tally.runs, runs)
