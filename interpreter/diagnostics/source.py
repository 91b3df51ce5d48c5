"""Text that knows its name, and places in it.

A span counts characters from the start of its source; line and column are worked out only when somebody looks.
Line breaks are normalised and a byte order mark is dropped before anything else sees the text.
Where a text is read as another than that of its file, spans count the characters of the file and have the other text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from interpreter.frozen import dataclass
from interpreter.shown_text import in_one_line


@dataclass(frozen=True)
class Source:
    """A named text. `name` is what a diagnostic prints before the line: a path, or what the host calls it."""

    name: str
    text: str

    @staticmethod
    def of(name: str, text: str) -> Source:
        """The source of `text` with every kind of line break made a newline and without a byte order mark."""
        return Source(name, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))

    @property
    def file(self) -> Source:
        """The text as it stands in the file."""
        return self

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

    def text_between(self, start: int, end: int) -> str:
        """What is written from `start` up to `end`."""
        return self.text[start:end]

    def part(self, start: int, first: int, end: int) -> Span:
        """The place of the characters from `first` up to `end` of what is written from `start` on."""
        return Span(self, start + first, start + end)

    def distance(self, start: int, place: int) -> int:
        """The number of characters that are written from `start` up to `place`."""
        return place - start


Replacement = tuple[int, int, str]
"""Where something starts and ends in a file, and what it is read as."""


@dataclass(frozen=True)
class RewrittenSource(Source):
    """The text of a file of which parts are read as something else: as new names of house rules, or unescaped.

    Places in it are those of the file, and what is written at a place is what it is read as.
    """

    whole: Source
    replacements: tuple[Replacement, ...]

    @staticmethod
    def of_parts(source: Source, replacements: Iterable[Replacement]) -> RewrittenSource:
        """A source with further replacements, which also replace the earlier ones inside them."""
        new = tuple(replacements)
        before = source.replacements if isinstance(source, RewrittenSource) else ()
        kept = [one for one in before if not any(start <= one[0] and one[1] <= end for start, end, _ in new)]
        return RewrittenSource(source.name, source.text, source.file, tuple(sorted((*kept, *new))))

    @property
    def file(self) -> Source:
        return self.whole

    @property
    def _line_starts(self) -> list[int]:  # worked out once for the file
        return self.whole._line_starts

    def text_between(self, start: int, end: int) -> str:
        pieces = []
        for first, last, text in self.replacements:
            if start <= first and last <= end:
                pieces += [self.text[start:first], text]
                start = last
        return "".join((*pieces, self.text[start:end]))

    def part(self, start: int, first: int, end: int) -> Span:
        return Span(self, self._place(start, first), self._place(start, end))

    def distance(self, start: int, place: int) -> int:
        before = (one for one in self.replacements if start <= one[0] and one[1] <= place)
        return place - start + sum(len(text) - (last - first) for first, last, text in before)

    def _place(self, start: int, count: int) -> int:
        """The place that many characters behind `start`; within a replacement, at most the end of what it replaces."""
        for first, last, text in self.replacements:
            if first < start:
                continue
            if count < first - start:
                break
            count -= first - start
            if count < len(text):
                return min(first + count, last)
            start, count = last, count - len(text)
        return start + count


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
        return self.source.text_between(self.start, self.end)

    @property
    def in_file(self) -> Span:
        """The same place with what stands in the file."""
        return Span(self.source.file, self.start, self.end)

    def part(self, first: int, end: int) -> Span:
        """The characters of the text of this span from `first` up to `end`."""
        return self.source.part(self.start, first, end)

    def holds(self, other: Span) -> bool:
        """Whether another span starts in this one."""
        return other.source.file == self.source.file and self.start <= other.start <= self.end

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of `other`; just this span if `other` is in another text."""
        source = self.source
        if other.source.file != source.file:
            return self
        if other.source is not source and isinstance(other.source, RewrittenSource):
            source = RewrittenSource.of_parts(source, other.source.replacements)
        return Span(source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{in_one_line(self.source.name)}:{line}:{column}"

    def __repr__(self) -> str:
        return f"<{self}>"


NOWHERE = Span(Source("", ""), 0, 0)
