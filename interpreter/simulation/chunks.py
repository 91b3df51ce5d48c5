"""Runs in chunks: each with a seed of its own, carried by whoever may, and added up.

What a chunk comes to depends on the seed, its number and its size alone, and the sizes follow from the number of runs.
So the answer is the same with one worker or with many, in this process or elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any

SMALLEST, TIMES = 1 << 14, 1 << 6
"""The size of the first chunk, soon over, and how much larger the last may be: each is twice the one before."""

OUTSTANDING = 64
"""How many chunks are handed to an executor at a time."""

Counts = dict[tuple[Any, ...], int]
Chunk = Callable[[int, int], Counts]
"""What counts the runs of a chunk, by its number and its size. To go to other processes it can be pickled."""

Progress = Callable[[int, int], None]
"""Is told how many runs are done, and of how many."""


@dataclass
class Tally:
    """How often each combination of values came up in the runs so far."""

    runs: int = 0
    counts: Counts = field(default_factory=dict)

    def add(self, counts: Counts, runs: int) -> None:
        self.runs += runs
        for values, count in counts.items():
            self.counts[values] = self.counts.get(values, 0) + count


class Interrupted(KeyboardInterrupt):
    """Stopped by hand, with what was counted so far."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self.tally = tally


def sizes(runs: int, smallest: int = SMALLEST) -> Iterator[int]:
    """The chunks of so many runs."""
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
    """All chunks of so many runs. Raises Cut where somebody stops it."""
    tally = Tally()
    told = progress or (lambda done, of: None)
    try:
        told(0, runs)
        if executor is None:
            for number, size in enumerate(sizes(runs, smallest)):
                tally.add(chunk(number, size), size)
                told(tally.runs, runs)
        else:
            _carried(chunk, runs, executor, tally, told, smallest)
    except KeyboardInterrupt:
        raise Interrupted(tally) from None
    return tally


def _carried(chunk: Chunk, runs: int, executor: Executor, tally: Tally, told: Progress, smallest: int) -> None:
    going: dict[Future[Counts], int] = {}
    try:
        for number, size in enumerate(sizes(runs, smallest)):
            if len(going) >= OUTSTANDING:
                _gathered(going, tally, told, runs)
            going[executor.submit(chunk, number, size)] = size
        while going:
            _gathered(going, tally, told, runs)
    except BaseException:
        for one in going:
            one.cancel()
        raise


def _gathered(going: dict[Future[Counts], int], tally: Tally, told: Progress, runs: int) -> None:
    """Wait for at least one chunk."""
    done, _ = wait(going, return_when=FIRST_COMPLETED)
    for one in done:
        tally.add(one.result(), going[one])
        del going[one]
    told(tally.runs, runs)
