"""Who plays a campaign: a file in its folder, so that no two terminals play it at once."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from interpreter import diagnostics as say
from interpreter.diagnostics import RulesetError
from interpreter.syntax import files

LOCK = "lock"
"""The file in the folder of a campaign that says who plays it."""

_HOLDER = re.compile(r"process (\d{1,9}) on (.+)")


@contextmanager
def campaign_lock(folder: Path) -> Iterator[None]:
    """Inside, the campaign of a folder is played here. Raises RulesetError if somebody plays it elsewhere."""
    path = folder / LOCK
    try:
        _take(path, f"process {os.getpid()} on {_computer()}")
    except OSError as error:
        raise RulesetError(
            say.cannot_write(files.short_name(str(path)), (error.strerror or str(error)).lower())
        ) from None
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()


def _take(path: Path, holder: str) -> None:
    """Make the lock file. Raises RulesetError where it is there, unless its process on this computer is dead."""
    while True:
        with suppress(FileExistsError):
            files.write_new(path, f"{holder}\n")
            return
        there = files.read_saved(str(path)).strip()
        if not _is_dead(there):
            raise RulesetError(say.campaign_is_played(str(path.parent), there, str(path)))
        path.unlink(missing_ok=True)


def _is_dead(holder: str) -> bool:
    """Whether a holder of a lock is a process of this computer that has ended."""
    match = _HOLDER.fullmatch(holder)
    if match is None or match[2] != _computer() or os.name != "posix":  # nobody knows
        return False
    try:
        os.kill(int(match[1]), 0)
    except ProcessLookupError:
        return True
    except OSError:  # of another user
        pass
    return False


def _computer() -> str:
    return platform.node() or "this computer"
