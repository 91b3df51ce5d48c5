"""The process of a worker: `python -m interpreter.workers.process`, which only a pool starts.

It imports what tasks need once, and then forks a process in which they run, and another one whenever that has ended.
So a task that is ended by the system takes nothing with it, and the next one begins a few milliseconds later in a
process without any trace of it.

Standard input brings a pickled task, and standard output takes its pickled end; a task itself has neither. The pipe of
the argument tells the number of each process that was forked, and how it ended.
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

import interpreter.api.exact_odds
import interpreter.api.load
import interpreter.api.session  # noqa: F401
from interpreter import diagnostics as say
from interpreter.budget import MIB, Budget, within
from interpreter.diagnostics import BudgetExceeded
from interpreter.workers.frames import pickle_value, read_frame, write_frame

TIMES, GRACE = 2, 0.5
"""How many times the memory and the seconds of its budget the system allows a task, and how many seconds beside them:
the meter of the task, which tells where it was, comes first."""


def main() -> None:
    """Fork processes that run tasks until there is no further task."""
    with suppress(ImportError):  # its threads take address space, which is no work of a task
        import numpy  # noqa: F401
    told = int(sys.argv[1])
    tasks, ends = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    budget: Budget = pickle.loads(read_frame(tasks) or b"")
    assert budget.seconds is not None and budget.memory is not None
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 2)  # what kept it from starting was to be told there, and from now on nobody reads it
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)  # what a task prints is no reply
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # what was imported stays: to look through it takes a tenth of a second of a task
    while True:
        number = os.fork()
        if number == 0:
            os.close(told)
            _limit_process(budget.memory)
            _run_tasks(budget, budget.seconds, tasks, ends)
            os._exit(0)
        os.write(told, b"begun %d\n" % number)
        _, status = os.waitpid(number, 0)
        os.write(told, b"ended %d\n" % os.waitstatus_to_exitcode(status))
        if status == 0:
            return


def _limit_process(memory: int) -> None:
    """Let the system limit this process: its memory, and that it writes neither files nor what it held as it died."""
    with open("/proc/self/statm") as sizes:
        now = int(sizes.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    most = now + TIMES * memory
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    for none in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        resource.setrlimit(none, (0, 0))


def _run_tasks(budget: Budget, seconds: float, tasks: IO[bytes], ends: IO[bytes]) -> None:
    while (task := read_frame(tasks)) is not None:
        signal.setitimer(signal.ITIMER_PROF, TIMES * seconds + GRACE)  # whose signal ends the process
        end = _end_of_task(budget, task)
        signal.setitimer(signal.ITIMER_PROF, 0)
        write_frame(ends, end)


def _end_of_task(budget: Budget, task: bytes) -> bytes:
    """What a task returns, or the exception that it raises, pickled."""
    function: Callable[..., Any]
    try:
        with within(budget):
            function, given, named = pickle.loads(task)
            return pickle_value((True, function(*given, **named)))
    except MemoryError:
        return pickle_value((False, BudgetExceeded(say.over_budget(f"{(budget.memory or 0) // MIB:,} MB"))))
    except Exception as error:
        try:
            return pickle_value((False, error))
        except Exception:
            return pickle_value((False, RuntimeError(f"{type(error).__name__}: {error}")))


if __name__ == "__main__":
    main()
