"""Several series over the same places, for one picture: each with a letter, which needs no colour to be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from string import ascii_lowercase, ascii_uppercase
from typing import Literal

from interpreter.chances.crosstab import OddsColumn, telling_columns
from interpreter.chances.percent import percent, total
from interpreter.chances.shortening import labels
from interpreter.chances.table import NOT_FOLLOWED, ChanceRow, ChanceTable, OddsPoint, merge_in_order
from interpreter.frozen import dataclass

MOST_SERIES = 10
"""The most series that one picture holds: more cannot be followed by eye."""


class TooManySeries(Exception):
    """There are so many series that a picture would hold more than can be followed."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} series are too many for one picture, which holds {MOST_SERIES}")


@dataclass(frozen=True)
class Series:
    """One series: the letter that marks it, what it is, and its number at each place; None where there is none."""

    mark: str
    title: str
    numbers: tuple[Fraction | None, ...]


@dataclass(frozen=True)
class SeriesPicture:
    """Series over the same `places`, which are values of `along`; all numbers are chances, or all are means."""

    along: str
    places: tuple[str, ...]
    series: tuple[Series, ...]
    kind: Literal["chance", "mean"] = "chance"

    @property
    def known(self) -> list[Fraction]:
        """Every number of every series."""
        return [Fraction(one) for each in self.series for one in each.numbers if one is not None]

    @property
    def range(self) -> tuple[Fraction, Fraction]:
        """The numbers at both ends of its axis: chances begin at none, means at the lowest."""
        least = Fraction(0) if self.kind == "chance" else min(self.known, default=Fraction(0))
        return least, max(self.known, default=Fraction(0))

    def number_in_words(self, number: Fraction) -> str:
        """A number of a series as people read it."""
        return percent(number) if self.kind == "chance" else f"{float(number):.4g}"


def pictures_of_points(points: Sequence[OddsPoint], over: Mapping[str, tuple[str, ...]]) -> list[SeriesPicture]:
    """The pictures of a grid: one of chances and one of means, if it has such.

    The last name of the grid runs along the picture, and each combination of the others has series of its own, but for
    chances that are none everywhere. Where nothing runs, there is no picture. Raises TooManySeries where there are more
    than can be followed.
    """
    along, places = list(over.items())[-1]
    if len(places) < 2:
        return []
    columns = [one for one in telling_columns(points) if one.kind in ("chance", "mean")]
    found: dict[str, list[tuple[str, tuple[Fraction | None, ...]]]] = {}
    for start in range(0, len(points), len(places)):
        others = ", ".join(f"{name} {value}" for name, value in points[start].at.items() if name != along)
        for column in columns:
            said = "" if others and (len(columns) == 1 or column.title == "mean") else column.title
            numbers = tuple(_number_at(column, place) for place in range(start, start + len(places)))
            if column.kind == "mean" or any(numbers):
                found.setdefault(column.kind, []).append((": ".join(filter(None, [others, said])), numbers))
    if (count := sum(map(len, found.values()))) > MOST_SERIES:
        raise TooManySeries(count)
    marks = iter(ascii_lowercase)  # capitals are what the sides of a comparison are called
    return [
        SeriesPicture(along, places, tuple(Series(next(marks), *one) for one in series), kind)
        for kind in ("chance", "mean")
        if (series := found.get(kind))
    ]


def _number_at(column: OddsColumn, place: int) -> Fraction | None:
    """The number of a column at a point: a value that is not there has no chance, and a missing table no number."""
    row = column.rows[place]
    if row is not None:
        return row.number
    return Fraction(0) if column.tables[place] is not None and column.kind == "chance" else None


def picture_of_laws(tables: Sequence[ChanceTable], most: int | None) -> SeriesPicture:
    """Several laws in one picture: the values of all run along it, in at most `most` places, or each alone for None."""
    rows = [{row.label: row for row in table.rows} for table in tables]
    values = _values_together(rows)
    parts: dict[str, list[str]] = {}
    for value, label in zip(values, labels(values, most) if most else [one.label for one in values], strict=True):
        parts.setdefault(label, []).append(value.label)
    missing = [one.missing.chance if one.missing is not None else Fraction(0) for one in tables]
    series = []
    for mark, table, own, left in zip(ascii_uppercase, tables, rows, missing, strict=False):
        shares = [_share_of(own, part) for part in parts.values()]
        series.append(Series(mark, table.title, (*shares, left) if any(missing) else tuple(shares)))
    return SeriesPicture("value", (*parts, NOT_FOLLOWED) if any(missing) else tuple(parts), tuple(series))


def _values_together(rows: Sequence[Mapping[str, ChanceRow]]) -> list[ChanceRow]:
    """Every value that a law has, once, with the highest chance that it has in one of them; numbers in their order."""
    merged: list[str] = []
    for each in rows:
        merged = merge_in_order(merged, each)
    found = [
        replace(max(there, key=lambda one: one.chance), base=None)
        for label in merged
        for there in [[each[label] for each in rows if label in each]]
    ]
    return sorted(found, key=lambda one: one.value) if all(type(one.value) is int for one in found) else found


def _share_of(own: Mapping[str, ChanceRow], part: Sequence[str]) -> Fraction:
    """The chance of some values of a law together."""
    found = [own[one].chance for one in part if one in own]
    return total(found) if found else Fraction(0)
