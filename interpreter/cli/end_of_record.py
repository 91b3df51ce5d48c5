"""The end of the record of a session, of which a terminal shows what is new: only this is made at each question."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.api.record import length_of_same_beginning
from interpreter.api.session import Session
from interpreter.cli.typed_answers import seat_at_terminal
from interpreter.play import trace_events as ev
from interpreter.report.trace import Line
from interpreter.report.transcript import RecordWording

Heading = ev.RoundBegun | ev.TurnBegun
"""What begins a part of a record before which no line changes any more, unless an answer is taken back."""


class EndOfRecord:
    """The record of a session from its last turn or round on, or from one before; `verbose` gives every step."""

    def __init__(self, session: Session, verbose: bool) -> None:
        self.session = session
        self._verbose = verbose
        self._lines: Sequence[Line] = ()
        self._start = 0
        self._before = RecordWording(session.game.program.reactions)
        """What has read the lines before the start."""

    def lines(self) -> Sequence[Line]:
        """The lines from where it begins up to now."""
        self._read_news()
        since, session = self._lines[self._start :], self.session
        if self._verbose:
            return [line for line in since if not line.quiet]
        return self._before.from_here().read(since).record(session.over, session.depth)

    def begin_at_last_turn(self) -> bool:
        """Leave out what came before the last turn or round; False if nothing did that was not left out before."""
        self._read_news()
        was, last = self._start, max(self._headings(), default=0)
        self._begin_at(last)
        return last > was

    def begin_anew(self) -> None:
        """Leave out nothing."""
        self._begin_at(0)

    def _begin_at(self, start: int) -> None:
        if start < self._start:
            self._start, self._before = 0, RecordWording(self._before.reactions)
        self._before = self._before.from_here().read(self._lines[self._start : start])
        self._start = start

    def _headings(self) -> list[int]:
        return [number for number, line in enumerate(self._lines) if isinstance(line.event, Heading)]

    def _read_news(self) -> None:
        lines = seat_at_terminal(self.session).lines()
        same = length_of_same_beginning(self._lines, lines)
        begun = sum(number < self._start for number in self._headings()) if same < self._start else None
        if begun is not None:
            self.begin_anew()
        self._lines = lines
        if begun is not None:  # there may be more or fewer lines before
            self._begin_at(next(iter(self._headings()[begun:]), 0))
