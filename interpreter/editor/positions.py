"""Offsets in a text, and the lines and columns by which editors count: both from 0, columns in units of UTF-16.

Source: Language Server Protocol 3.17, "Position" (a character outside the basic plane counts as two units).
"""

from __future__ import annotations

from interpreter.diagnostics.source import Source


def position_at(source: Source, offset: int) -> tuple[int, int]:
    """The line and the column of an offset."""
    line, column = source.position(min(offset, len(source.text)))
    before = source.line(line)[: column - 1]
    return line - 1, column - 1 + _number_of_wide_characters(before)


def offset_at(source: Source, line: int, column: int) -> int:
    """The offset of a line and a column; the end of the line, or of the text, for what lies behind it."""
    start = source.offset(max(line, 0), 0)
    end = source.text.find("\n", start)
    written = source.text[start : end if end >= 0 else len(source.text)]
    if not _number_of_wide_characters(written):
        return start + min(max(column, 0), len(written))
    units = 0
    for number, character in enumerate(written):
        if units >= column:
            return start + number
        units += 2 if ord(character) > 0xFFFF else 1
    return start + len(written)


def _number_of_wide_characters(text: str) -> int:
    """The number of characters that take two units."""
    return 0 if text.isascii() else sum(character > "\uffff" for character in text)


def carry_offset(before: str, after: str, offset: int) -> int | None:
    """Where the character at an offset of one text stands in another that was edited at one place.

    None if it lies in what was edited.
    """
    if before == after:
        return offset
    ahead = _length_of_common_prefix(before, after)
    if offset < ahead:
        return offset
    most = min(len(before), len(after)) - ahead
    behind = min(_length_of_common_prefix(before[::-1], after[::-1]), most)
    if len(before) - offset <= behind:
        return offset + len(after) - len(before)
    return None


def _length_of_common_prefix(left: str, right: str) -> int:
    """The length of the text with which both begin."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
