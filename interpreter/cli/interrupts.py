"""Interrupts: Ctrl-C, and SIGTERM, which `timeout`, containers and service managers send."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Terminated(KeyboardInterrupt):
    """Raised at SIGTERM; it is handled like Ctrl-C."""


@contextmanager
def raise_on_sigterm() -> Iterator[None]:
    """Inside, SIGTERM raises Terminated, and so does SIGHUP, which a closed terminal sends; once: a second SIGTERM ends
    the program at once. A second SIGHUP does not, for the system sends one where a terminal closes, and the shell in it
    another."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread receives signals
        yield
        return

    signals = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]

    def stop(number: int, frame: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for one in signals[1:]:
            signal.signal(one, signal.SIG_IGN)
        raise Terminated

    before = {number: signal.signal(number, stop) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Let signals that stop the program wait until this is done: while a game is saved, no second one may stop that."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def exit_code(stopped: BaseException) -> int:
    """The exit code of a command that was stopped: 128 plus the number of the signal, as in shells."""
    cause: BaseException | None = stopped
    while cause is not None:
        if isinstance(cause, Terminated):
            return 128 + signal.SIGTERM
        cause = cause.__cause__ or cause.__context__
    return 128 + signal.SIGINT


GRACE = 5
"""Seconds that a worker waits for its parent to end it after SIGTERM, which may have gone to both."""


def ignore_interrupts() -> None:
    """Make a worker ignore interrupts: the parent is interrupted too, prints what was counted and ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit_after_grace)


def _exit_after_grace(number: int, frame: Any) -> None:
    threading.Event().wait(GRACE)
    os._exit(128 + number)
