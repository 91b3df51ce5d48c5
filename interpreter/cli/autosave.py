"""Where a game at the terminal lies: a journal that grows with every answer, and files that are not overwritten."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from interpreter import diagnostics as say
from interpreter.api.journal import Journal, session_in
from interpreter.api.session import Session
from interpreter.diagnostics import RulesetError
from interpreter.saves.header import kind_of_save
from interpreter.syntax import files
from interpreter.syntax.json_text import NotJson, read_json

MOST_NAMES = 1_000
"""How many games of one name may begin in the same second."""


def state_folder() -> Path:
    """The folder for what programs keep of a user, as the XDG base directories say."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(home) / "houserule"


class Autosave:
    """The journal of whatever session is played; without a `file`, one of its own in the folder of the user.

    A `file` is what it was when it was `seen`, and is played nowhere else: else `note` raises RulesetError. Where
    nothing can be written, as on a full disk, `problem` says so, and the next time tries it again.
    """

    def __init__(self, name: str, file: Path | None = None, seen: str | None = None) -> None:
        self._name, self._file, self._seen = name, file, seen
        self._session: Session | None = None
        self._journal: Journal | None = None
        self.problem = ""

    @property
    def path(self) -> Path | None:
        return self._journal.path if self._journal is not None else None

    def note(self, session: Session) -> None:
        """Put on the disk what has happened since the last time."""
        try:
            if self._journal is None or session is not self._session:
                self._begin(session)
            else:
                self._journal.note(session)
            self.problem = ""
        except OSError as error:
            self.problem = (error.strerror or str(error)).lower()

    def _begin(self, session: Session) -> None:
        self.close()
        self._journal = None
        self._session = session
        if self._file is not None:
            self._journal = Journal(self._file, session, over=True, seen=self._seen)
            self._file = None  # another session, such as one that is loaded, gets a file of its own
            return
        stem = f"{self._name}-{datetime.now():%Y%m%d-%H%M%S}"
        for number in range(1, MOST_NAMES):
            with suppress(FileExistsError):
                self._journal = Journal(state_folder() / f"{stem}{f'-{number}' if number > 1 else ''}.journal", session)
                return

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()

    def finish(self) -> None:
        """End the journal of a session that is over: its file becomes a save like any other."""
        if self._journal is not None and self._session is not None and not self.problem:
            self._journal.close()
            with suppress(RulesetError):
                files.write_whole(str(self._journal.path), self._session.to_json(with_rules=True) + "\n")


def check_replaceable(name: str | None, session: Session | None = None) -> str:
    """What is seen of a file that may be replaced, if one is named. Raises RulesetError if one is there that is neither
    a saved state nor a save of the same session."""
    seen = files.see(name) if name is not None else files.NOTHING
    if name is None or not Path(name).exists() or not files.is_file(Path(name)):
        return seen
    text = files.read_saved(name)
    saved = session_in(text)
    if saved is None and session is None:
        with suppress(NotJson):
            if kind_of_save(read_json(text)) == "state":
                return seen
    if saved is None or session is None or not _is_same_game(saved, session):
        raise RulesetError(say.file_is_there(name))
    return seen


def free_name_beside(name: str) -> str:
    """A name that no file has yet: `duel-2.json` beside `duel.json`."""
    path = Path(name)
    names = (str(path.with_name(f"{path.stem}-{number}{path.suffix}")) for number in count(2))
    return next(one for one in names if not os.path.lexists(one))


def _is_same_game(saved: Mapping[str, Any], session: Session) -> bool:
    """Whether a saved session is an earlier save of this one. Two sessions that were begun with the same seed have no
    salt and cannot be told apart by their beginnings, so that the log of the one must begin that of the other."""
    now = session.beginning.to_data()
    if not all(saved.get(key) == now[key] for key in ("rule", "seed", "salt", "players")):
        return False
    log = [one.to_data() for one in session.log]
    return bool(now["salt"]) or saved["log"] == log[: len(saved["log"])]
