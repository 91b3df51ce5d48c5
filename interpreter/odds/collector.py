"""Python's collector of cycles, which runs rarely while a question is computed.

States and laws hold no cycles, so it would find nothing, and looking through them takes up to a quarter of the time.
What a question holds is limited by its meter.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

RARELY = 200_000
"""How many objects are made between two runs of the collector; usually, there are 700."""

_lock = Lock()
_computing = 0
_usual = gc.get_threshold()


@contextmanager
def collect_garbage_rarely() -> Iterator[None]:
    """Let the collector run rarely inside; several threads may be inside at once."""
    global _computing, _usual  # the collector is one for the whole process
    with _lock:
        if not _computing:
            _usual = gc.get_threshold()
            if 0 < _usual[0] < RARELY:
                gc.set_threshold(RARELY, *_usual[1:])
        _computing += 1
    try:
        yield
    finally:
        with _lock:
            _computing -= 1
            if not _computing:
                gc.set_threshold(*_usual)
