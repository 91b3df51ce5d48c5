"""Values on a pipe between two processes that trust each other: pickled, each behind its length."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

_HEAD = struct.Struct(">Q")


def write_frame(pipe: IO[bytes], value: bytes) -> None:
    """Write a pickled value."""
    pipe.write(_HEAD.pack(len(value)))
    pipe.write(value)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> bytes | None:
    """The next pickled value; None where the other process has ended, be it in the middle of one."""
    head = pipe.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (length,) = _HEAD.unpack(head)
    value = pipe.read(length)
    return value if len(value) == length else None


def pickle_value(value: Any) -> bytes:
    """A value as bytes."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
