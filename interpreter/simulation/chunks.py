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
from typing import Any

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

    def add(self, other: Tally) -> None:
        """Add the runs of another tally."""
        self.runs += other.runs
        self.by_play += other.by_play
        self.slips += other.slips
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
    """The counts of all runs, chunk by chunk. Raises Interrupted after an interrupt."""
    tally = Tally()
    report = progress or (lambda done, of: None)
    try:
        report(0, runs)
        if executor is None:
            for number, size in enumerate(chunk_sizes(runs, smallest)):
                tally.add(chunk(number, size))
                report(tally.runs, runs)
        else:
            _submit_chunks(chunk, runs, executor, tally, report, smallest)
    except KeyboardInterrupt:
        raise Interrupted(tally) from None
    return tally


def _submit_chunks(chunk: Chunk, runs: int, executor: Executor, tally: Tally, report: Progress, smallest: int) -> None:
    pending: set[Future[Tally]] = set()
    try:
        for number, size in enumerate(chunk_sizes(runs, smallest)):
            if len(pending) >= OUTSTANDING:
                _collect(pending, tally, report, runs)
            pending.add(executor.submit(chunk, number, size))
        while pending:
            _collect(pending, tally, report, runs)
    except BaseException:
        for one in pending:
            one.cancel()
        raise


def _collect(pending: set[Future[Tally]], tally: Tally, report: Progress, runs: int) -> None:
    """Wait for at least one chunk."""
    done, _ = wait(pending, return_when=FIRST_COMPLETED)
    for one in done:
        tally.add(one.result())
        pending.remove(one)
    report(tally.runs, runs)
