"""Runs cases of promises in workers."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import random
import resource
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field

import interpreter
from interpreter.budget import Budget, within
from interpreter.diagnostics import HouseruleError
from interpreter.workers import Workers
from promises import makers

SLOWER = 1.5
"""How much longer than its budget a case may take until it is refused."""
PATIENCE = 10
"""How many times the seconds of its cases a task may take: a busy machine gives each process a small share of a core,
and the seconds of the processor are counted for each case."""

_prepared: set[str] = set()


@dataclass(frozen=True)
class Promise:
    """What holds of so many cases that a maker makes; each case is `of` so many things, and a `batch` is one task."""

    name: str
    about: str
    whole: int
    of: int = 1
    batch: int = 25


PROMISES = (
    Promise("expression", "expressions that a player types", 200_000),
    Promise("file", "rulesets, changed here and there, loaded and played", 100_000),
    Promise("layer_or_state", "house rules and saves, changed here and there", 50_000),
    Promise("host_calls", "calls of the host protocol", 100_000, 20),
    Promise("costly", "small rulesets that may take long", 20_000, batch=2),
    Promise("large", "rulesets of up to 1 MB, with very many of something", 5_000, batch=2),
)


@dataclass
class Found:
    """What was found of some cases: the seeds of those that failed with why, and the worst of all."""

    cases: int = 0
    failures: list[tuple[int, str]] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)
    memory: int = 0

    def add(self, other: Found) -> None:
        """Add what was found of others."""
        self.cases += other.cases
        self.failures += other.failures
        self.slowest = max(self.slowest, other.slowest)
        self.memory = max(self.memory, other.memory)


def run_cases(name: str, seeds: range, budget: Budget) -> Found:
    """Run cases in this process, each within the budget."""
    make, found = getattr(makers, name), Found()
    if name not in _prepared:
        _prepared.add(name)
        _import_everything()
        with suppress(HouseruleError), within(budget):
            make(random.Random(0))  # what is loaded once is no work of a case
    for seed in seeds:
        begun = time.process_time()
        why = ""
        try:
            with within(budget):
                make(random.Random(seed))
        except Exception as error:
            why = "" if isinstance(error, HouseruleError) else f"{type(error).__name__}: {error}"
        took = time.process_time() - begun
        found.cases += 1
        found.slowest = max(found.slowest, (took, seed))
        if took > SLOWER * budget.seconds:
            why = why or f"{took:.1f} seconds"
        if why:
            found.failures.append((seed, why[:200]))
    found.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return found


def _import_everything() -> None:
    """Import what a case may be the first to need."""
    for found in pkgutil.walk_packages(interpreter.__path__, "interpreter."):
        if not found.name.endswith(("__main__", "process", "pytest_plugin")):
            importlib.import_module(found.name)
    gc.freeze()  # as it is for what a worker imports


def run_promise(promise: Promise, cases: int, seconds: float, first: int, budget: Budget) -> Found:
    """Run cases of one promise in workers, until all are run or the time is over."""
    found, until = Found(), time.monotonic() + seconds
    # A batch is a task, so a worker may take its cases together; each has the budget for itself.
    of_batch = Budget(PATIENCE * budget.seconds * promise.batch, 2 * budget.memory)
    with Workers(_cores(), of_batch) as workers:
        seeds = iter(range(first, first + cases // promise.of, promise.batch))
        pending: dict[Future[Found], range] = {}
        for begin in seeds:
            batch = range(begin, min(begin + promise.batch, first + cases // promise.of))
            pending[workers.submit(run_cases, promise.name, batch, budget)] = batch
            if len(pending) >= 4:
                _collect(pending, found)
            if time.monotonic() > until:
                break
        while pending:
            _collect(pending, found)
    return found


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _collect(pending: dict[Future[Found], range], found: Found) -> None:
    first = next(iter(pending))
    batch = pending.pop(first)
    try:
        found.add(first.result())
    except Exception as error:
        found.failures.append((batch.start, f"one of {len(batch)} ended its process: {error}"[:200]))
