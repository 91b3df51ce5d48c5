"""The record of a session for one viewer: it is continued as the run goes on, and told from where a client left off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from interpreter.api.instance import Instance
from interpreter.api.logged_run import LoggedRun
from interpreter.api.players import Viewer
from interpreter.api.visibility import Redactor, redactor_for
from interpreter.play import trace_events as ev
from interpreter.report.trace import Line, Wording

BEFORE_ALL = ""
"""The cursor of a client that has no line yet."""


@dataclass(frozen=True)
class News:
    """What is new in a record for a client that has some of its lines: it keeps the first `start` of them and appends
    `lines`. The `cursor` stands for what it has then."""

    start: int
    lines: tuple[Line, ...]
    cursor: str


class SeatRecord:
    """The lines of a run as one viewer may see them, and how they have changed since they were first told.

    Lines that were told may read otherwise later: after an undo, where a secret has become known, and where a later
    event adds to an earlier line. Each time that something has changed, the record notes from which line on.
    """

    def __init__(self, game: Instance, run: LoggedRun, viewer: Viewer) -> None:
        self._game, self._run, self._viewer = game, run, viewer
        self._events: list[ev.Event] = []
        self._number = 0
        self._redactor: Redactor | None = None
        self._wording = Wording(game.closures, run.first_state)
        self._told: list[Line] = []
        self._cuts: list[int] = []
        self._number_at = {BEFORE_ALL: 0}
        self._cursor = BEFORE_ALL

    def lines(self) -> Sequence[Line]:
        """All lines so far."""
        events, redactor = self._run.course.run.events, self._redactor_now()
        if events is not self._events or not _continues(redactor, self._redactor):
            self._events, self._number = events, 0
            self._wording = Wording(self._game.closures, self._run.first_state)
        self._redactor = redactor
        new = events[self._number :]
        self._number = len(events)
        return self._wording.lines(new if redactor is None else redactor.redact(new))

    def _redactor_now(self) -> Redactor | None:
        """What hides from the viewer what it may not see of the run as it stands; None where nothing is hidden."""
        names = self._run.players.names_seen_by(self._viewer)
        states = (self._run.first_state, self._run.state)
        return redactor_for(self._game.program, states, names) if names is not None else None

    def news(self, since: str) -> News:
        """What is new after a cursor: all lines where the cursor is none of this record. Quiet lines are left out."""
        told = [line for line in self.lines() if not line.quiet]
        same = length_of_same_beginning(self._told, told)
        if same < max(len(self._told), len(told)):
            self._cuts.append(same)
            self._cursor = _cursor_after(self._cursor, same, told[same:])
            self._number_at[self._cursor] = len(self._cuts)
        self._told = told
        known = self._number_at.get(since)
        start = min(self._cuts[known:], default=len(told)) if known is not None else 0
        return News(start, tuple(told[start:]), self._cursor)


def _continues(now: Redactor | None, before: Redactor | None) -> bool:
    return now.continues(before) if now is not None and before is not None else now is before


def length_of_same_beginning(old: Sequence[Line], new: Sequence[Line]) -> int:
    changed = (n for n, (one, other) in enumerate(zip(old, new, strict=False)) if one is not other and one != other)
    return next(changed, min(len(old), len(new)))


def _cursor_after(cursor: str, cut: int, lines: Sequence[Line]) -> str:
    """The cursor for what a client has that keeps some of the lines of another cursor and appends new ones."""
    text = "\n".join([cursor, str(cut), *map(str, lines)])
    return f"{cut + len(lines)}-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}"
