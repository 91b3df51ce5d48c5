"""Runs in chunks: each has a seed of its own, any executor may run it, and the counts are added up.

The counts of a chunk depend only on the seed, its number and its size, and the sizes follow from the number of runs.
So the answer is the same with one worker or with many, in this process or in others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

SMALLEST, TIMES = 1 << 14, 1 << 6
"""The size of the first chunk, and how many times larger the last may be; each is twice as large as the one before."""

OUTSTANDING = 64
"""How many chunks an executor has at a time."""



class Open(Enum):
    """Stands in the counts for a value that its run leaves open."""

    OPEN = "open"


Counts = dict[tuple[Any, ...], int]
"""The number of runs for each combination of values of some names; `Open.OPEN` for a value that is not decided."""

Chunk = Callable[[int, int], Counts]
"""Runs and counts a chunk of a number and a size. It can be pickled, for other processes."""

Progress = Callable[[int, int], None]
"""Called with the number of runs that are done, and the number of all runs."""


@dataclass
class Tally:
    """The number of runs so far, for each combination of values."""

    runs: int = 0
    counts: Counts = field(default_factory=dict)

    def add(self, counts: Counts, runs: int) -> None:
        self.runs += runs
        for values, count in counts.items():
            self.counts[values] = self.counts.get(values, 0) + count


class Interrupted(KeyboardInterrupt):
    """An interrupt, with the counts so far."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self.tally = tally


def sizes(runs: int, smallest: int = SMALLEST) -> Iterator[int]:
    """The sizes of the chunks of all runs."""
    size = smallest
    while runs > 0:
        yield min(size, runs)
        runs -= size
        size = min(2 * size, smallest * TIMES)


def counted(
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
            for number, size in enumerate(sizes(runs, smallest)):
                tally.add(chunk(number, size), size)
                report(tally.runs, runs)
        else:
            _submitted(chunk, runs, executor, tally, report, smallest)
    except KeyboardInterrupt:
        raise Interrupted(tally) from None
    return tally


def _submitted(chunk: Chunk, runs: int, executor: Executor, tally: Tally, report: Progress, smallest: int) -> None:
    pending: dict[Future[Counts], int] = {}
    try:
        for number, size in enumerate(sizes(runs, smallest)):
            if len(pending) >= OUTSTANDING:
                _collected(pending, tally, report, runs)
            pending[executor.submit(chunk, number, size)] = size
        while pending:
            _collected(pending, tally, report, runs)
    except BaseException:
        for one in pending:
            one.cancel()
        raise


def _collected(pending: dict[Future[Counts], int], tally: Tally, report: Progress, runs: int) -> None:
    """Wait for at least one chunk."""
    done, _ = wait(pending, return_when=FIRST_COMPLETED)
    for one in done:
        tally.add(one.result(), pending[one])
        del pending[one]
    report(tally.runs, runs)
