"""Measuring: each measurement in a process of its own, which is a copy of this one.

A copy has the modules loaded and the caches as empty as they were here, whatever was measured before; so peers can
be measured in turns, all in the same state, and what takes too long can be ended.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import sys
import time
import traceback
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

LIMIT = 10.0
"""Seconds after which a measurement is ended."""


@dataclass(frozen=True)
class Task:
    """What is measured. `ready` gives the function that is timed; what `ready` does is not counted."""

    ready: Callable[[], Callable[[], Any]]
    repeats: int = 1
    """How often the function is called for one measurement, where one call is too short to be measured."""
    clock: Callable[[], float] = time.process_time
    """Seconds of this process on its core, which others on the same machine disturb less than the clock on the wall."""


@dataclass(frozen=True)
class Beyond:
    """It took more than `seconds`, and was ended."""

    seconds: float


@dataclass(frozen=True)
class Failed:
    """It could not be done; `why` is the last line of the error."""

    why: str


Measured = float | Beyond | Failed | None
"""Seconds or bytes; None where there is nothing to measure."""


def times(tasks: Mapping[str, Task], runs: int, limit: float = LIMIT) -> dict[str, Measured]:
    """The median seconds of each task, taken in turns. A task that was ended or has failed is not tried again."""
    found: dict[str, list[float]] = {name: [] for name in tasks}
    broken: dict[str, Measured] = {}
    for _ in range(runs):
        for name, task in tasks.items():
            if name not in broken:
                one = apart(lambda task=task: _timed(task), limit)
                if isinstance(one, (Beyond, Failed)):
                    broken[name] = one
                else:
                    found[name].append(one)
    return {name: broken.get(name) or median(found[name]) for name in tasks}


def memory(tasks: Mapping[str, Task], limit: float = 4 * LIMIT) -> dict[str, Measured]:
    """The most bytes that each task holds at once, beyond what was there before; a run of its own, as it slows down."""
    return {name: apart(lambda task=task: _traced(task), limit) for name, task in tasks.items()}


def _timed(task: Task) -> float:
    work = task.ready()
    gc.collect()  # and so the pages that this process shares with its parent are copied before the clock runs
    start = task.clock()
    for _ in range(task.repeats):
        work()
    return (task.clock() - start) / task.repeats


def _traced(task: Task) -> float:
    work = task.ready()
    gc.collect()
    tracemalloc.start()
    work()
    return float(tracemalloc.get_traced_memory()[1])


def apart(work: Callable[[], Any], limit: float) -> Any:
    """What `work` gives when a copy of this process does it; Beyond where that takes too long, Failed on an error."""
    inlet, outlet = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            answer = work()
        except BaseException:
            answer = Failed(traceback.format_exc().strip().splitlines()[-1][:200])
        with os.fdopen(outlet, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(outlet)
    try:
        # What makes a task ready counts toward the limit too: it is of the same kind, and smaller.
        if not select.select([inlet], [], [], limit)[0]:
            os.kill(child, signal.SIGKILL)
            return Beyond(limit)
        with os.fdopen(os.dup(inlet), "rb") as pipe:
            return pickle.load(pipe)
    finally:
        os.close(inlet)
        os.waitpid(child, 0)
