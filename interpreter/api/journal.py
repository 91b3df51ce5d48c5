"""A session under way as a file that only grows: its save as it began, then one line for each change of its log.

Each line is on the disk before the next question is shown, so that whatever ends the program loses at most the answer
that is being typed. A half last line, which a crash may leave, is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from interpreter.api.session import Session
from interpreter.saves.header import kind_of_save
from interpreter.syntax.files import GrowingFile
from interpreter.syntax.json_text import NotJson, read_json

UNKNOWN = ("seal", "open", "over", "now")
"""What of a saved session a journal does not have: it follows from the log."""


class Journal:
    """The journal of a session in a new file, whose folder is made if it is not there, or, with `over`, in the place of
    another file, if that is as it was `seen`. It raises OSError where that is not possible, or the file is there
    already, and RulesetError where another program plays it."""

    def __init__(self, path: Path, session: Session, over: bool = False, seen: str | None = None) -> None:
        self.path = path
        self._written: list[dict[str, Any]] = session.progress()["log"]
        self._boundary: int | None = None
        self._file = GrowingFile(path, session.to_json(with_rules=True), over, seen)

    def note(self, session: Session) -> None:
        """Append what has changed since the last time. Raises OSError where that is not possible; the next time tries
        it again."""
        progress = session.progress(self._boundary)
        log = progress["log"]
        kept = _same_beginning(self._written, log)
        self._file.append(json.dumps({**progress, "log": log[kept:], "kept": kept}, ensure_ascii=False))
        self._boundary, self._written = session.boundary_number, log

    def close(self) -> None:
        self._file.close()


def _same_beginning(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> int:
    """How many answers two logs have in common from their beginning."""
    if before == now[: len(before)]:  # the usual case
        return len(before)
    return next(
        (n for n, pair in enumerate(zip(before, now, strict=False)) if pair[0] != pair[1]), min(len(before), len(now))
    )


def session_in(text: str) -> Mapping[str, Any] | None:
    """The saved session that a text is, or the session of a journal; None if it is neither.

    Without its seal and its open requests, the session of a journal is held to its digest when it is resumed.
    """
    first, _, rest = text.partition("\n")
    if not first.lstrip().startswith("{"):
        return None
    with suppress(NotJson):
        data = read_json(first if rest.strip().startswith("{") else text)
        if kind_of_save(data) == "session":
            return _with_lines(dict(data), rest) if rest.strip() else data
    return None


def _with_lines(data: dict[str, Any], lines: str) -> dict[str, Any]:
    """The data of a session after the changes of its journal."""
    for text in lines.split("\n"):
        line: Any = None
        with suppress(NotJson):
            line = read_json(text)
        if not isinstance(line, Mapping) or not isinstance(line.get("log"), list):
            break  # half a line, which is the last
        kept = line.get("kept")
        data["log"] = [*data["log"][: kept if isinstance(kept, int) else 0], *line["log"]]
        data.update({key: value for key, value in line.items() if key not in ("log", "kept")})
        data.update(dict.fromkeys(UNKNOWN))
    return data
