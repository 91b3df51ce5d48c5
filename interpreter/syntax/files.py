"""Read files, regular ones and a part of limited size, only within the folder of the file that names them; and write a
file as a whole or not at all.

Every file that a user or another file names is opened here: `tests/test_links.py` holds all modules to that.

A name may come from an untrusted file: a null character, a name that is too long, and a link that is cyclic or leads
out of the folder are refused with a message.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from interpreter import diagnostics as say
from interpreter.diagnostics import RulesetError

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


def write_whole(name: str, text: str) -> None:
    """Write a text to a file atomically: after a failure, the file has either the old or the new text.

    The text is written to a new file in the same folder, synced to the disk, and renamed. The target of a link is
    written, and the link stays; a file keeps its permissions. A pipe or a device is written directly.

    Raises RulesetError if that is not possible; then nothing has changed.
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
        _replace_file(target, data, stat.S_IMODE(old.st_mode) if old is not None else None)
    except (OSError, ValueError) as error:
        raise RulesetError(say.cannot_write(short_name(name), _reason(error))) from None


def write_new(path: Path, text: str) -> None:
    """Write a text to a file that is not there yet. Raises FileExistsError if it is."""
    with path.open("x", encoding="utf-8") as file:
        file.write(text)


class GrowingFile:
    """A new text file, with its folder, to which lines are appended; each is synced to the disk.

    With `over`, it takes the place of another file as soon as it has its first line. Raises OSError where that is not
    possible, or the file is there already.
    """

    def __init__(self, path: Path, over: bool = False) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._begun = path.with_name(f".{os.urandom(8).hex()}.tmp") if over else path
        self._file = self._begun.open("x", encoding="utf-8")

    def append(self, line: str) -> None:
        """Append a line. It is there, whatever happens, when this returns."""
        self._file.write(line + "\n")
        self._file.flush()
        with suppress(OSError):  # not every file system can sync
            os.fsync(self._file.fileno())
        if self._begun != self._path:
            self._begun.replace(self._path)
            self._begun = self._path

    def close(self) -> None:
        self._file.close()


def rename_file(path: Path, suffix: str) -> None:
    """Give a file another ending. Raises RulesetError if that is not possible."""
    try:
        path.rename(path.with_suffix(suffix))
    except OSError as error:
        raise RulesetError(say.cannot_write(short_name(str(path)), _reason(error))) from None


def _replace_file(target: Path, data: bytes, mode: int | None) -> None:
    fresh = target.with_name(f".{os.urandom(8).hex()}.tmp")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            fresh.chmod(mode)
        fresh.replace(target)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise
    with suppress(OSError):  # not every system can sync a folder
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


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
