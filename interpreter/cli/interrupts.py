"""Being stopped from outside: by Ctrl-C, or by SIGTERM, which `timeout`, containers and service managers send."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Terminated(KeyboardInterrupt):
    """Stopped by SIGTERM; what is done at Ctrl-C is done then too."""


@contextmanager
def terminable() -> Iterator[None]:
    """Within it SIGTERM is raised as Terminated, once: a second one ends the program at once."""
    if threading.current_thread() is not threading.main_thread():  # signals go to the main thread alone
        yield
        return

    def stop(number: int, frame: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before if before is not None else signal.SIG_DFL)


def exit_code(stopped: BaseException) -> int:
    """The exit code of a command that was stopped: 128 and the number of the signal, as shells have it."""
    cause: BaseException | None = stopped
    while cause is not None:
        if isinstance(cause, Terminated):
            return 128 + signal.SIGTERM
        cause = cause.__cause__ or cause.__context__
    return 128 + signal.SIGINT


GRACE = 5
"""Seconds that a process which shares the work goes on waiting when SIGTERM was sent to it and its parent alike."""


def leave_to_parent() -> None:
    """For processes that share the work: their parent is stopped with them, tells what was counted, and ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_later)


def _end_later(number: int, frame: Any) -> None:
    threading.Event().wait(GRACE)
    os._exit(128 + number)
