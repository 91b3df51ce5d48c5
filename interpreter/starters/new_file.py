"""Files that are about to be written, and the line that tells editors their schema."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from interpreter import bundled
from interpreter import diagnostics as say
from interpreter.diagnostics import RulesetError
from interpreter.frozen import dataclass
from interpreter.pipeline import path_in_messages
from interpreter.syntax.files import write_whole

SCHEMA = "# yaml-language-server: $schema="


@dataclass(frozen=True)
class NewFile:
    path: Path
    text: str


def schema_line(kind: str) -> str:
    """The comment that tells an editor the schema of a file: `ruleset`, `part`, `house-rule` or `scene`."""
    return f"{SCHEMA}{(bundled.schemas() / f'{kind}.json').as_posix()}\n"


def put_schema_line(text: str, kind: str) -> str:
    """A text with that comment as its first line, in place of another one."""
    return schema_line(kind) + re.sub(rf"\A{re.escape(SCHEMA)}.*\n", "", text)


def title_of(name: str) -> str:
    """`night-market` as a title: `Night market`."""
    words = re.sub(r"[-_]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def write(files: Sequence[NewFile]) -> None:
    """Write new files, all or none. Raises RulesetError if one is there already or cannot be written."""
    for file in files:
        if os.path.lexists(file.path):
            raise RulesetError(say.is_there_already(path_in_messages(file.path)))
    written: list[Path] = []
    try:
        for file in files:
            file.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(str(file.path), file.text)
            written.append(file.path)
    except (OSError, RulesetError) as error:
        for path in written:
            with suppress(OSError):
                path.unlink()
        if isinstance(error, RulesetError):
            raise
        raise RulesetError(
            say.cannot_write(path_in_messages(file.path), (error.strerror or str(error)).lower())
        ) from None
