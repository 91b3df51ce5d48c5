"""Python's collector of cycles, which runs rarely in a command, and while a file is checked or a question is computed.

States and laws hold no cycles, and trees, programs and the events of a run are kept until it ends, so the collector
would find nothing; looking through them takes up to a quarter of the time. What all these hold is limited by a meter.
"""

from __future__ import annotations

import gc
from contextlib import AbstractContextManager
from threading import Lock

RARELY = 200_000
"""How many objects are made between two runs of the collector; usually, there are 700."""


class _Rarely(AbstractContextManager[None]):
    """The collector is one for the whole process, so this is one, too."""

    def __init__(self) -> None:
        self.lock, self.computing, self.usual = Lock(), 0, gc.get_threshold()

    def __enter__(self) -> None:
        with self.lock:
            if not self.computing:
                self.usual = gc.get_threshold()
                if 0 < self.usual[0] < RARELY:
                    gc.set_threshold(RARELY, *self.usual[1:])
            self.computing += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.computing -= 1
            if not self.computing:
                gc.set_threshold(*self.usual)


_RARELY = _Rarely()


def collect_garbage_rarely() -> AbstractContextManager[None]:
    """Let the collector run rarely inside; several threads may be inside at once."""
    return _RARELY
