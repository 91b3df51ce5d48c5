"""Text that knows its name, and places in it.

A span counts characters from the start of its source; line and column are worked out only when somebody looks.
Line breaks are normalised and a byte order mark is dropped before anything else sees the text.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Source:
    """A named text. `name` is what a diagnostic prints before the line: a path, or what the host calls it."""

    name: str
    text: str

    @staticmethod
    def of(name: str, text: str) -> Source:
        """The source of `text` with every kind of line break made a newline and without a byte order mark."""
        return Source(name, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at `offset`."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The character at a line and a column, both from 0 (as YAML marks count them)."""
        if line >= len(self._line_starts):
            return len(self.text)
        return min(self._line_starts[line] + column, len(self.text))

    def line(self, number: int) -> str:
        """The text of a line, numbered from 1, without its line break."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` up to, not including, `end`, in characters of `source`."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of `other`; just this span if `other` is in another text."""
        if other.source is not self.source:
            return self
        return Span(self.source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"

    def __repr__(self) -> str:
        return f"<{self}>"


NOWHERE = Span(Source("", ""), 0, 0)
