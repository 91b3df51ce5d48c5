"""Changes of a text: places, each with what should stand there."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from interpreter.diagnostics.source import Source, Span

Edit = tuple[Span, str]
"""A place, and the text that replaces it."""


def apply_edits(source: Source, edits: Iterable[Edit]) -> str:
    """The text of a file with edits; of several at one place the first counts."""
    text, end = source.text, len(source.text) + 1
    for place, new in sorted(dict.fromkeys(edits), key=lambda one: (one[0].start, one[0].end), reverse=True):
        if place.end <= end:
            text, end = text[: place.start] + new + text[place.end :], place.start
    return text


def difference(source: Source, text: str) -> str:
    """The lines that change, as a patch."""
    before, after = source.text.splitlines(), text.splitlines()
    return "\n".join(difflib.unified_diff(before, after, source.name, source.name, lineterm="", n=2))
