"""What a check of files found, kept for the next command on them: a checked ruleset to play, or its problems.

A value is found again by what a command names, and holds as long as the text of every file that was read is the same,
and so are houserule and Python. It lies in the cache folder of the user, as the XDG base directories say. Nothing needs
it: what is lost, broken, from somebody else or of another version is made anew.

A value is a pickle. It is read only where the folder and the file belong to the user and nobody else may write there,
which is what Python asks of its own compiled modules, and it makes nothing but values of this package.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from interpreter import bundled, pipeline
from interpreter.budget import meter_in_force
from interpreter.diagnostics import RulesetError
from interpreter.diagnostics.source import Source
from interpreter.syntax import files

Kept = TypeVar("Kept")

MOST_BYTES, MOST_FILES = 32 << 20, 64
"""The largest value that is read, and how many values are kept."""
_OTHER_TYPES = {"builtins": ("set", "frozenset"), "fractions": ("Fraction",), "pathlib": ("PosixPath", "WindowsPath")}
"""Types of Python that values have; the syntax trees of formulas are of `ast`."""


def make_with_cache(
    what: str, names: tuple[str, ...], make: Callable[[pipeline.Reader], Kept], is_kept: Callable[[Kept], bool]
) -> Kept:
    """What `make` makes of the files that it reads with a reader, or what it made of the same files before.

    `names` are the ruleset and its layers, and `what` is made of them; `is_kept` says whether a value may be kept.
    """
    if os.environ.get("HOUSERULE_CACHE") == "off":
        return make(pipeline.read)
    place = _folder() / _hash(repr((_version(), _budget(), what, names, _files_around(names))).encode())
    with suppress(_NotKept):
        return _read(place)  # type: ignore[no-any-return]
    read: dict[Path, str] = {}

    def note(path: Path) -> Source:
        source = pipeline.read(path)
        read[path] = _hash(source.text.encode())
        return source

    value = make(note)
    if is_kept(value) and _decide_alone(read):
        _write(place, read, value)
    return value


def _decide_alone(read: dict[Path, str]) -> bool:
    """Whether no further file could change what the names of these mean: all are bundled, or in one folder."""
    shipped = bundled.schemas().parent / "rulesets"
    own = [path for path in read if not path.resolve().is_relative_to(shipped)]
    return all(path.suffix == ".yaml" for path in own) and len({path.parent.resolve() for path in own}) < 2


def _files_around(names: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    """The files that names mean, and all that lie beside them and in the working folder: what a ruleset extends is
    searched for there, and a warning tells of a file that a bundled ruleset hides."""
    found = [Path.cwd() / "any", *(pipeline.find_ruleset(name).absolute() for name in names)]
    return [(str(path), sorted(one.name for one in path.parent.glob("*.y*ml"))) for path in found]


# The place -----------------------------------------------------------------------------------------------------------


def _folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "houserule" / "checks"


def _version() -> tuple[str, str]:
    """What tells one state of this package, and of Python, from another: somebody may be working on it."""
    package = Path(__file__).parent.parent
    return sys.version, _hash(repr(sorted(_files_below(str(package)))).encode())


def _files_below(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as found:
        for one in found:
            if one.is_dir(follow_symlinks=False) and one.name != "__pycache__":
                yield from _files_below(one.path)
            elif one.name.endswith(".py"):
                status = one.stat()
                yield one.path, status.st_size, status.st_mtime_ns


def _budget() -> str:
    meter = meter_in_force()
    return repr(meter.whole if meter is not None else None)


def _hash(data: bytes | memoryview) -> str:
    return hashlib.blake2b(data, digest_size=20).hexdigest()


# The value -----------------------------------------------------------------------------------------------------------


class _NotKept(Exception):
    """There is no value that still holds."""


class _Unpickler(pickle.Unpickler):
    """Makes values of this package, syntax trees and a few values of Python, and calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name)
        home = getattr(found, "__module__", "")
        if isinstance(found, type):
            known = _is_own(home) or issubclass(found, ast.AST) or name in _OTHER_TYPES.get(module, ())
        else:
            known = _is_own(home, ".checker.") and callable(found)  # how declarations are checked
        if not known or "." in name:
            raise pickle.UnpicklingError(name)
        return found


def _is_own(module: str, part: str = ".") -> bool:
    return module.startswith(__name__.partition(".")[0] + part)


def _read(place: Path) -> Any:
    """The value that a place holds. Raises _NotKept where there is none of the same files."""
    try:
        if not (files.is_only_ours(place.parent) and files.is_only_ours(place)):
            raise _NotKept
        data = memoryview(files.read_bytes(place, place.name, MOST_BYTES))
        if _hash(data[_DIGEST:]).encode() != bytes(data[:_DIGEST]):
            raise _NotKept
        with _without_collector():
            stream = io.BytesIO(data[_DIGEST:])
            for path, text in _Unpickler(stream).load().items():
                if _hash(pipeline.read(Path(path)).text.encode()) != text:
                    raise _NotKept
            return _Unpickler(stream).load()
    except (RulesetError, OSError, *_STRANGE):
        raise _NotKept from None


_DIGEST = 40
_STRANGE = (pickle.UnpicklingError, AttributeError, ImportError, TypeError, ValueError, EOFError, LookupError)
"""What reading raises of a pickle that is none, or of other classes."""


def _write(place: Path, read: dict[Path, str], value: Any) -> None:
    stream = io.BytesIO()
    try:
        pickle.dump({str(path): text for path, text in read.items()}, stream, pickle.HIGHEST_PROTOCOL)
        pickle.dump(value, stream, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
        return
    data = stream.getvalue()
    if len(data) < MOST_BYTES:
        with suppress(OSError, RulesetError):
            files.write_cached(place, _hash(data).encode() + data, MOST_FILES)


@contextmanager
def _without_collector() -> Iterator[None]:
    """A pickle makes many values and no cycle that is dropped."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
