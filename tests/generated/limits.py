"""A limit of time and memory: what is refused is refused within it, and what can be worked out is, too."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SECONDS, MEGABYTES = 10, 300
ALL_MEMORY = 4 << 30
"""What one process may have at most, so that a game that wants everything ends in a MemoryError."""


class OverLimit(BaseException):
    """It took too long, or too much memory. No `except Exception` catches it."""


@contextmanager
def within_limits() -> Iterator[None]:
    """Raises OverLimit where something takes too much processor time or memory. Only in a main thread.

    One inside of another is timed alone, and the outer one begins again after it.
    """

    def ring(number: int, at: FrameType | None) -> None:
        raise OverLimit(f"slow: more than {SECONDS} s")

    before = signal.signal(signal.SIGPROF, ring)
    began = _peak(afresh=True)
    outer, _ = signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        signal.setitimer(signal.ITIMER_PROF, SECONDS if outer else 0)
    grown = _peak(afresh=False) - began
    if grown > MEGABYTES << 20:
        raise OverLimit(f"slow: {grown >> 20} MB")


def limit_memory() -> None:
    """Let this process end in a MemoryError before it takes the memory of everybody."""
    resource.setrlimit(resource.RLIMIT_AS, (ALL_MEMORY, ALL_MEMORY))


def _peak(afresh: bool) -> int:
    """The most memory that this process has had, in bytes; with `afresh` it is counted from now on, where it can be."""
    try:
        if afresh:
            Path("/proc/self/clear_refs").write_text("5")
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
