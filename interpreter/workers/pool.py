"""A pool of processes, as an executor of `concurrent.futures`."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from queue import SimpleQueue
from select import select
from threading import Lock, Thread
from typing import Any, TypeVar

from interpreter import diagnostics as say
from interpreter.budget import MIB, Budget
from interpreter.diagnostics import BudgetExceeded
from interpreter.shown_text import in_one_line
from interpreter.workers.frames import pickle_value, read_frame, write_frame

R = TypeVar("R")
WALL, AT_LEAST = 10, 10.0
"""How many times the seconds of its budget a task may last by the clock, and the seconds that it may last anyway: a
busy machine takes longer, and a task that waits for something takes no work at all."""


CANCELLED = "cancelled"


class WorkerNotStarted(BrokenExecutor):
    """The process of a worker has ended before it could take a task; no other will do better."""


class Task(Future[R]):
    """A task of a pool. To cancel one that runs ends its process."""

    def __init__(self) -> None:
        super().__init__()
        self.end_process: Callable[[], None] | None = None

    def cancel(self) -> bool:
        """Keep the task from running, or end it. False where it is done already."""
        if super().cancel():
            return True
        end = self.end_process
        if end is None or self.done():
            return False
        end()
        return True


class Workers(Executor):
    """`number` processes that run tasks, each within the `budget`, be the tasks what they may.

    A task that takes more raises BudgetExceeded; where nothing in it counts its work, the system ends its process, and
    the next task has a new one. Where no process starts, tasks raise WorkerNotStarted, which says why. Tasks are
    functions that can be imported by their names; what they are given and what they return is pickled. It needs a
    system with processes that can be forked, such as Linux or macOS.
    """

    def __init__(self, number: int = 1, budget: Budget = Budget.strict) -> None:
        if budget.seconds is None or budget.memory is None:
            raise ValueError("the budget of workers limits their seconds and their memory")
        self.budget = budget
        self._tasks: SimpleQueue[tuple[Task[Any], bytes] | None] = SimpleQueue()
        self._closed, self._lock = False, Lock()
        self._processes = [_Process(budget) for _ in range(number)]
        self._threads = [Thread(target=self._serve, args=(one,), daemon=True) for one in self._processes]
        for thread in self._threads:
            thread.start()

    def submit(self, function: Callable[..., R], /, *given: Any, **named: Any) -> Task[R]:
        """Run a function in one of the processes, after what was submitted before."""
        task: Task[R] = Task()
        with self._lock:
            if self._closed:
                raise RuntimeError("these workers are shut down")
            self._tasks.put((task, pickle_value((function, given, named))))
        return task

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks, and end the processes when those that are submitted are done, or cancelled."""
        with self._lock:
            if not self._closed:
                self._closed = True
                for _ in self._threads:
                    self._tasks.put(None)
        if cancel_futures:
            for one in self._processes:
                one.ends_all = True
        if wait:
            for thread in self._threads:
                thread.join()

    def _serve(self, process: _Process) -> None:
        while (entry := self._tasks.get()) is not None:
            task, data = entry
            if process.ends_all:
                task.cancel()
            if not task.set_running_or_notify_cancel():
                continue
            task.end_process = process.end_task
            try:
                returned, value = process.run(data)
            except BaseException as error:
                returned, value = False, error
            task.end_process = None
            (task.set_result if returned else task.set_exception)(value)
        process.close()


class _Process:
    """One process, seen from the pool; see `interpreter.workers.process` for its other side."""

    def __init__(self, budget: Budget) -> None:
        assert budget.seconds is not None and budget.memory is not None
        self._seconds, self._megabytes = budget.seconds, budget.memory // MIB
        self.ends_all = False
        self._number = 0
        self._ended_by = self._not_started = ""
        told, tells = os.pipe()
        path = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._whole = subprocess.Popen(
            [sys.executable, "-m", "interpreter.workers.process", str(tells)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[tells], env=path,
        )  # fmt: skip
        os.close(tells)
        self._told = os.fdopen(told, "rb", 0)
        with suppress(BrokenPipeError):  # it has ended already, which the first task is told
            write_frame(self._tasks, pickle_value(budget))

    @property
    def _tasks(self) -> Any:
        return self._whole.stdin

    @property
    def _ends(self) -> Any:
        return self._whole.stdout

    def run(self, task: bytes) -> tuple[bool, Any]:
        """Whether a task returns, and what it returns or raises. Raises BudgetExceeded where its process is ended."""
        self._wait_until_begun()
        self._ended_by = ""
        write_frame(self._tasks, task)
        seconds = max(WALL * self._seconds, AT_LEAST)
        if not select([self._ends, self._told], [], [], seconds)[0]:
            self._end_process(f"{seconds:g} seconds by the clock")
        ready, _, _ = select([self._ends, self._told], [], [])
        if self._ends in ready and (end := read_frame(self._ends)) is not None:
            found: tuple[bool, Any] = pickle.loads(end)
            return found
        _, code = self._told.readline().split()
        self._number = 0
        return False, self._error_of_end(int(code))

    def _wait_until_begun(self) -> None:
        while not self._number:
            line = self._told.readline().split() if not self._not_started else []
            if not line:
                raise WorkerNotStarted(self._why_not_started())
            self._number = int(line[1]) if line[0] == b"begun" else 0

    def _why_not_started(self) -> str:
        """What a process that has ended before its first task said last, as a message."""
        if not self._not_started:
            assert self._whole.stderr is not None
            said = self._whole.stderr.read().decode("utf-8", "replace").strip()
            last = in_one_line(said.rpartition("\n")[2]) or f"it ended with code {self._whole.wait()}"
            self._not_started = f"the process of a worker does not start: {last}"
        return self._not_started

    def _error_of_end(self, code: int) -> Exception:
        """What a task raises whose process has ended with a code, or by a signal, whose number is negative."""
        if self._ended_by == CANCELLED:
            return CancelledError()
        if self._ended_by:
            return BudgetExceeded(say.over_budget(self._ended_by))
        if code == -signal.SIGPROF:
            return BudgetExceeded(say.over_budget(f"{self._seconds:g} seconds"))
        if code == -signal.SIGKILL:  # Linux ends a process so if the memory of the machine is short
            return BudgetExceeded(say.over_budget(f"{self._megabytes:,} MB"))
        return BrokenExecutor(f"the process of this task has ended with code {code}")

    def end_task(self) -> None:
        """End the process in which a task runs now, as it is cancelled."""
        self._end_process(CANCELLED)

    def _end_process(self, why: str) -> None:
        self._ended_by = why
        if self._number:
            with suppress(ProcessLookupError):
                os.kill(self._number, signal.SIGKILL)

    def close(self) -> None:
        """End the process."""
        with suppress(BrokenPipeError):
            self._tasks.close()
        self._whole.wait()
        self._ends.close()
        assert self._whole.stderr is not None
        self._whole.stderr.close()
        self._told.close()
