"""Read files, regular ones and a part of limited size, only within the folder of the file that names them; and write a
file as a whole or not at all.

Every file that a user or another file names is opened here: `tests/test_links.py` holds all modules to that.

A text is written to a file beside the one whose place it takes. The name of that file follows from the other, and it is
locked as long as somebody writes it: so two programs write one after the other, and what a killed one has left is
removed by the next that writes there.

A name may come from an untrusted file: a null character, a name that is too long, and a link that is cyclic or leads
out of the folder are refused with a message.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from interpreter import diagnostics as say
from interpreter.diagnostics import RulesetError

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be removed, which is a lock, too
    fcntl = None  # type: ignore[assignment]

KEY_OF_SAVE = "houserule"
"""The first key of a save, which has its form, such as `state/1`."""
MOST_SAVED = 16 << 20
"""The most bytes of a saved state, session or result."""


def is_file(path: Path) -> bool:
    """Whether a regular file with a name exists; False for an invalid name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether a folder with a name exists; False for an invalid name."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def resolve(path: Path) -> Path | None:
    """The path with every link followed; None for an invalid path or cyclic links."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return None


def file_inside(folder: Path, name: str) -> Path | None:
    """The file with a name in a folder, links followed; None if it does not exist or is outside the folder."""
    path, within = resolve(folder / name), resolve(folder)
    if path is None or within is None or not path.is_relative_to(within):
        return None
    return path if is_file(path) else None


def leads_out(path: Path) -> bool:
    """Whether a path is a link to a file outside of its own folder."""
    whole, within = resolve(path), resolve(path.parent)
    return whole is None or within is None or not whole.is_relative_to(within)


def read_bytes(path: Path, name: str, most: int) -> bytes:
    """The content of a file, at most one byte more than `most`. Raises RulesetError if it cannot be read."""
    try:
        return _read_regular(path, most + 1)
    except (OSError, ValueError) as error:
        raise RulesetError(say.cannot_read(short_name(name), _reason(error))) from None


def beginning(path: Path, most: int) -> bytes:
    """The first bytes of a file; none of one that cannot be read."""
    try:
        return _read_regular(path, most)
    except (OSError, ValueError):
        return b""


def _read_regular(path: Path, most: int) -> bytes:
    """The first bytes of a regular file: a pipe would be waited for, and a device may never end. Raises OSError."""
    opened = os.open(path, _READ_ONLY)
    try:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise OSError(0, "it is no regular file, but a folder, a pipe or a device")
        with open(opened, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(opened)


_READ_ONLY = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
"""Open a file to read it: at once, also where it is a pipe to which nobody writes."""


CAMPAIGN = "campaign.yaml"
"""The file that makes a folder a campaign."""


def is_campaign(name: str) -> bool:
    """Whether a name is that of a folder with a campaign."""
    return is_file(Path(name) / CAMPAIGN)


def read_saved(name: str) -> str:
    """The text of a saved file, or, for `-`, of standard input. Raises RulesetError if it cannot be read.

    What lies behind a link out of its folder is read only if it begins like a save: messages show what is read.
    """
    data = sys.stdin.buffer.read(MOST_SAVED + 1) if name == "-" else read_bytes(Path(name), name, MOST_SAVED)
    if len(data) > MOST_SAVED:
        raise RulesetError(say.cannot_read(short_name(name), f"it is larger than {MOST_SAVED >> 20} MiB"))
    if name != "-" and leads_out(Path(name)) and KEY_OF_SAVE.encode() not in data[:200]:
        raise RulesetError(
            say.cannot_read(short_name(name), "it is a link to another folder, and what is there is no save")
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise RulesetError(say.cannot_read(short_name(name), "it is not UTF-8 text")) from None


NOTHING = ""
"""What is seen of a name that no regular file has."""


def see(name: str) -> str:
    """A hash of what a file holds, or `NOTHING`, by which a later `write_whole` knows it again."""
    if not is_file(Path(name)):
        return NOTHING
    try:
        with Path(name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return NOTHING


def write_whole(name: str, text: str, seen: str | None = None) -> None:
    """Write a text to a file atomically: after a failure, the file has either the old or the new text.

    The text is written to a new file in the same folder, synced to the disk, and renamed. The target of a link is
    written, and the link stays; a file keeps its permissions. A pipe or a device is written directly.

    Raises RulesetError if that is not possible, or the file holds something else than was `seen` there; then nothing
    has changed.
    """
    try:
        data = text.encode("utf-8")
        target = Path(os.path.realpath(name))
        if target.is_symlink():
            raise OSError(0, "links that lead in a circle")
        old = target.stat() if target.exists() else None
        if old is not None and not stat.S_ISREG(old.st_mode):
            with target.open("wb") as file:
                file.write(data)
            return
        if old is not None and not os.access(target, os.W_OK):
            raise PermissionError(0, "permission denied")
        _replace_file(target, data, stat.S_IMODE(old.st_mode) if old is not None else None, seen)
    except (OSError, ValueError) as error:
        raise RulesetError(say.cannot_write(short_name(name), _reason(error))) from None


def write_new(path: Path, text: str) -> None:
    """Write a text to a file that is not there yet. Raises FileExistsError if it is."""
    with path.open("x", encoding="utf-8") as file:
        file.write(text)


class GrowingFile:
    """A new text file, with its folder, to which lines are appended; each is synced to the disk.

    With `over`, it takes the place of another file as soon as it has its first line, if that one is as it was `seen`.
    Raises OSError where that is not possible, or the file is there already, and RulesetError where another program
    appends to the file, or has changed it.
    """

    def __init__(self, path: Path, first: str, over: bool = False, seen: str | None = None) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._length = 0
        if over:
            with _new_file_beside(path) as (fresh, file):
                _check_is_free(path)
                _check_is_as_seen(path, seen)
                self._file = os.dup(file)  # the lock is on both
                self._append_or_close(first)
                fresh.replace(path)
            return
        self._file = os.open(path, _NEW, 0o666)
        _lock(self._file)
        try:
            self._append_or_close(first)
        except OSError:
            path.unlink()
            raise

    def _append_or_close(self, line: str) -> None:
        try:
            self.append(line)
        except OSError:
            self.close()
            raise

    def append(self, line: str) -> None:
        """Append a line. It is there, whatever happens, when this returns. Raises OSError where that is not possible;
        then nothing is appended."""
        left = memoryview(f"{line}\n".encode())
        length = self._length + len(left)
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._file, self._length)
                os.lseek(self._file, self._length, os.SEEK_SET)
            raise
        self._length = length
        with suppress(OSError):  # not every file system can sync
            os.fsync(self._file)

    def close(self) -> None:
        """Leave the file to others. It may be closed already."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


def is_only_ours(path: Path) -> bool:
    """Whether a file or a folder is there, and nobody but the user may write to it."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    if not hasattr(os, "geteuid"):
        return True  # Windows, where each user has folders of their own
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def write_cached(path: Path, data: bytes, most: int) -> None:
    """Put data that may be lost into a folder of their own, and leave the newest files there, at `most` so many.

    Raises OSError or RulesetError where it cannot be written.
    """
    path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
    with _new_file_beside(path) as (fresh, file):
        _write_all(file, data)
        fresh.chmod(0o600)
        if fcntl is None:
            os.close(file)  # an open file cannot be renamed there
        fresh.replace(path)
    there = sorted(path.parent.iterdir(), key=lambda one: one.stat().st_mtime)
    for old in there[:-most]:
        old.unlink(missing_ok=True)


def rename_file(path: Path, suffix: str) -> None:
    """Give a file another ending. Raises RulesetError if that is not possible."""
    try:
        path.rename(path.with_suffix(suffix))
    except OSError as error:
        raise RulesetError(say.cannot_write(short_name(str(path)), _reason(error))) from None


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)

PATIENCE = 5.0
"""Seconds that another program may take to write the same file."""


@contextmanager
def _new_file_beside(target: Path) -> Iterator[tuple[Path, int]]:
    """A new file to take the place of another, by its path and open for writing. It is removed if it does not.

    It is nobody else's: a second program waits until this one is done. Raises OSError if that takes too long.
    """
    fresh = target.with_name(f".{target.name[:60]}.tmp")
    end = time.monotonic() + PATIENCE
    while (file := _claim(fresh)) is None:
        if time.monotonic() > end:
            raise OSError(0, "another program is writing it")
        time.sleep(0.01)
    try:
        yield fresh, file
    finally:
        with suppress(OSError):
            if _is_at(fresh, file):  # it has not taken its place
                fresh.unlink()
        with suppress(OSError):
            os.close(file)


def _claim(path: Path) -> int | None:
    """A new file of this name, open and locked; None as long as another program has one. What a program that was killed
    has left there is removed."""
    try:
        file = os.open(path, _NEW, 0o666)
    except FileExistsError:
        _remove_unless_locked(path)
        return None
    if _lock(file) and _is_at(path, file):
        return file
    os.close(file)  # another program took it for one that was left, before it was locked
    return None


def _remove_unless_locked(path: Path) -> None:
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return
    try:
        if _lock(file) and _is_at(path, file):
            path.unlink()
    finally:
        os.close(file)


def _lock(file: int) -> bool:
    """Lock an open file until it is closed; whether no other program has locked it."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # not every file system can lock
        pass
    return True


def _is_at(path: Path, file: int) -> bool:
    """Whether a path is that of an open file."""
    try:
        return os.path.samestat(os.fstat(file), path.lstat())
    except FileNotFoundError:
        return False


def _check_is_free(path: Path) -> None:
    """Raises RulesetError if another program appends lines to a file."""
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return
    try:
        if not _lock(file):
            raise RulesetError(say.file_is_in_use(short_name(str(path))))
    finally:
        os.close(file)


def _check_is_as_seen(path: Path, seen: str | None) -> None:
    """Raises RulesetError if a file holds something else than was seen there."""
    if seen is not None and see(str(path)) != seen:
        raise RulesetError(say.file_has_changed(short_name(str(path))))


def _replace_file(target: Path, data: bytes, mode: int | None, seen: str | None) -> None:
    with _new_file_beside(target) as (fresh, file):
        _check_is_as_seen(target, seen)
        _write_all(file, data)
        os.fsync(file)
        if mode is not None:
            fresh.chmod(mode)
        if fcntl is None:
            os.close(file)  # an open file cannot be renamed there
        fresh.replace(target)
    with suppress(OSError):  # not every system can sync a folder
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _write_all(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeError):
        return "a character of it cannot be written"
    return (getattr(error, "strerror", None) or str(error)).lower()


def printable(name: str) -> str:
    """A text in which characters that cannot be printed are escaped."""
    return name if name.isprintable() else name.encode("unicode_escape").decode()


def short_name(name: str, most: int = 80) -> str:
    """A name for a message: characters that cannot be printed are escaped, and a very long name is cut."""
    shown = printable(name)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"
