"""Files that are watched: what each ruleset was read from, and whether any of it has changed since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from interpreter import pipeline
from interpreter.diagnostics.source import Source
from interpreter.syntax import files

EVERY = 0.2
"""Seconds between two looks at the files."""

Stamp = tuple[int, int] | None
"""The time and the size of a file; None while there is none."""


def file_stamp(path: Path) -> Stamp:
    """What changes when a file is written."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


@dataclass
class NotingReader:
    """Reads files, and notes how each was when it was read."""

    read: dict[Path, Stamp] = field(default_factory=dict)

    def __call__(self, path: Path) -> Source:
        self.read[files.resolve(path) or path] = file_stamp(path)  # before it is read: a later write is noticed
        return pipeline.read(path)

    def is_stale(self) -> bool:
        """Whether a file is not as it was read."""
        return any(file_stamp(path) != before for path, before in self.read.items())


def yaml_files(folders: Iterable[Path]) -> frozenset[Path]:
    """The YAML files of folders, also of those inside."""
    return frozenset(file for one in folders for ending in pipeline.ENDINGS for file in one.rglob(f"*{ending}"))
