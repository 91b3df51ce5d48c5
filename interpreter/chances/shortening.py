"""Laws short enough to be read: unlikely tails and intervals of numbers, and rare words, as one line each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from interpreter.chances.percent import total
from interpreter.chances.table import ChanceRow, ChanceTable

USUAL_LINES = 40
"""The most values of a law that are shown one by one."""
PAGE_LINES = 16
"""The same on a page, and in a narrow chart."""
HARDLY = 1e-4 + 1e-12
"""The greatest total chance of a tail of a long law that is shown as one line, with room for rounding."""


def shorten(table: ChanceTable, most: int | None = USUAL_LINES) -> ChanceTable:
    """A table in at most `most` rows, in the same way for both sides; all of it for None.

    Of chances of at least or at most as much, those at equal steps are kept.
    """
    if most is None or len(table.rows) <= most:
        return table
    if table.kind != "chance":
        return replace(table, rows=_thin_out(table.rows, most), is_shortened=True)
    parts: dict[str, list[ChanceRow]] = {}
    for label, row in zip(labels(table.rows, most), table.rows, strict=True):
        parts.setdefault(label, []).append(row)
    rows = tuple([_merge_rows(label, one) for label, one in parts.items()])
    return replace(table, rows=rows, is_shortened=len(rows) < len(table.rows))


def _merge_rows(label: str, rows: Sequence[ChanceRow]) -> ChanceRow:
    """Several values as one row."""
    if len(rows) == 1:
        return replace(rows[0], label=label)
    return ChanceRow(label, _total_of_known([row.number for row in rows]), _total_of_known([row.base for row in rows]))


def _total_of_known(numbers: Sequence[Fraction | None]) -> Fraction | None:
    known = [one for one in numbers if one is not None]
    return total(known) if known else None


def labels(rows: Sequence[ChanceRow], most: int) -> list[str]:
    """The label of each row, with at most `most` different labels.

    Of numbers, unlikely tails are merged (`60 or more`), and then all others in equal intervals (`10 to 14`). Of other
    values, the likeliest keep their own label, and the rest share one.
    """
    plain = [row.label for row in rows]
    chances = [sum(map(float, row.numbers)) / len(row.numbers) for row in rows]
    numbers = [(row.value, one) for row, one in zip(rows, chances, strict=True) if isinstance(row.value, int)]
    if len(rows) <= most:
        return plain
    if len(numbers) < len(rows) - 1:
        kept = set(sorted(range(len(rows)), key=lambda place: -chances[place])[: most - 1])
        others = f"({len(rows) - len(kept)} others)"
        return [label if place in kept else others for place, label in enumerate(plain)]
    first, last = numbers[0][0], numbers[-1][0]
    low, high = _low_tail(numbers), _low_tail(numbers[::-1])
    width = 1 if high - low + 4 <= most else step_size(high - low + 1, most - 3)

    def label(row: ChanceRow) -> str:
        if not isinstance(row.value, int):
            return row.label
        if row.value < low or row.value > high:
            return f"{low - 1} or less" if row.value < low else f"{high + 1} or more"
        start = row.value // width * width
        start, end = max(start, low, first), min(start + width - 1, high, last)
        return f"{start} to {end}" if start < end else row.label

    return [label(row) for row in rows]


def _low_tail(numbers: Sequence[tuple[int, float]]) -> int:
    """The first number beyond a tail of small chance."""
    so_far = 0.0
    for number, chance in numbers:
        so_far += chance
        if so_far > HARDLY:
            return number
    return numbers[-1][0]


def _thin_out(rows: Sequence[ChanceRow], most: int) -> tuple[ChanceRow, ...]:
    """At most `most` rows of numbers, at equal steps."""
    first, last = rows[0].value, rows[-1].value
    width = step_size(last - first + 1, most - 2)
    return tuple(row for row in rows if row.value in (first, last) or row.value % width == 0)


def step_size(span: int, most: int) -> int:
    """The least of 2, 5, 10, 20, 50 … by which a span has no more than `most` steps."""
    size = 1
    while True:
        for width in (2 * size, 5 * size, 10 * size):
            if span // width + 2 <= most:
                return width
        size *= 10
