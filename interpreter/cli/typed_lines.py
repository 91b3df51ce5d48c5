"""Lines that a person types, with no interrupt lost on the way.

Python runs the handler of a signal between two of its instructions. A signal that arrives after the last of them and
before the system call that waits for keys is seen only when a key is pressed. So the wait is for keys or for a byte
that the arrival of any signal writes (`signal.set_wakeup_fd`).
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from functools import cache

import click

from interpreter.cli.terminal import echo


def read_line(prompt: str) -> str:
    """The line that is typed after a prompt on standard error. Raises Abort at an interrupt or the end of the input."""
    try:
        echo(prompt, nl=False, err=True)
        line = typed_line()
    except KeyboardInterrupt as stopped:
        echo("", err=True)  # what is told next begins a line
        raise click.Abort from stopped
    if not line:
        echo("", err=True)
        raise click.Abort
    return line.strip()


def typed_line() -> str:
    """The next line of standard input with its end; empty at the end of the input."""
    if os.name == "posix" and is_on_main_thread() and sys.stdin.isatty():  # elsewhere no wait is for several things
        wait_for_input_or_signal()
    return sys.stdin.readline()


def is_on_main_thread() -> bool:
    """Whether this is the main thread: others receive no signals."""
    return threading.current_thread() is threading.main_thread()


def wait_for_input_or_signal() -> None:
    """Wait until the terminal has a line, or a key where it gives each at once. The handler of a signal that comes has
    run when this returns."""
    wakes, woken = _signal_pipe()
    before = signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    try:
        while not select.select([sys.stdin, wakes], [], [])[0].count(sys.stdin):
            os.read(wakes, 1)  # a signal whose handler raises nothing, such as a new size of the window
    finally:
        signal.set_wakeup_fd(before)


@cache
def _signal_pipe() -> tuple[int, int]:
    """The ends of the pipe that signals write to, which stays open: an interrupt could come before it is closed."""
    wakes, woken = os.pipe()
    os.set_blocking(woken, False)
    return wakes, woken
