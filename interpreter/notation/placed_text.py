"""A text that is rewritten part by part, and still knows where in what was typed each of its characters comes from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.syntax.names import NAME


@dataclass(frozen=True)
class PlacedText:
    """A text with the place in the source, from a character up to another, that each of its characters comes from."""

    text: str
    origins: tuple[tuple[int, int], ...]
    source: Source

    @staticmethod
    def of(source: Source, start: int = 0) -> PlacedText:
        return PlacedText(source.text[start:], tuple((at, at + 1) for at in range(start, len(source.text))), source)

    def part(self, start: int, end: int) -> PlacedText:
        return PlacedText(self.text[start:end], self.origins[start:end], self.source)

    def instead(self, text: str) -> PlacedText:
        """Another text that comes from the whole of this one."""
        origin = (self.origins[0][0], self.origins[-1][1]) if self.origins else (0, len(self.source.text))
        return PlacedText(text, (origin,) * len(text), self.source)

    def origin(self, start: int, end: int) -> Span:
        places = self.origins[max(start, 0) : max(end, start + 1)]
        if not places:  # after the end
            last = self.origins[-1][1] if self.origins else 0
            return Span(self.source, last, last)
        start = min(one for one, _ in places)
        return Span(self.source, start, max(start, *(one for _, one in places)))

    def __add__(self, other: PlacedText) -> PlacedText:
        return PlacedText(self.text + other.text, self.origins + other.origins, self.source)

    def edit(self, edits: Sequence[TextEdit], start: int = 0, end: int | None = None) -> PlacedText:
        """The part from `start` up to `end` with edits, which do not overlap."""
        end = len(self.text) if end is None else end
        edited = self.part(start, start)
        at = start
        for edit in sorted(edits, key=lambda one: one.start):
            edited, at = edited + self.part(at, edit.start) + edit.text, edit.end
        return edited + self.part(at, end)

    def with_names(self, names: Mapping[str, str]) -> PlacedText:
        edits = [
            TextEdit(match.start(), match.end(), self.part(*match.span()).instead(names[match[0]]))
            for match in re.finditer(rf"(?<![\w.]){NAME}", self.text)
            if match[0] in names
        ]
        return self.edit(edits)


class TextEdit(NamedTuple):
    start: int
    end: int
    text: PlacedText


class TextPlace(NamedTuple):
    start: int
    text: PlacedText
