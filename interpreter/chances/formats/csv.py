"""Odds as CSV: a line for each value, or, over a grid, a line for each point."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from fractions import Fraction
from io import StringIO
from typing import Any

from interpreter.chances.bounded import Bounded
from interpreter.chances.crosstab import OddsColumn, telling_columns
from interpreter.chances.estimate import Estimate
from interpreter.chances.report import Report, ReportSection, Style
from interpreter.chances.table import NONE, ChanceRow, ChanceTable, all_rows
from interpreter.values import in_words

ESTIMATED = ("count", "probability", "error", "low", "high")


def render(report: Report, style: Style) -> str:
    """The rows of all tables of a report; lines end in a newline alone."""
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(_grid(report) if report.over else _rows(report))
    return out.getvalue()


def _grid(report: Report) -> Iterator[Iterable[Any]]:
    shown = telling_columns(report.body.points)
    yield [*report.over, *(column.title for column in shown)]
    for place, point in enumerate(report.body.points):
        yield [*point.at.values(), *(_cell(column, place) for column in shown)]


def _cell(column: OddsColumn, place: int) -> str:
    table = column.tables[place]
    if column.kind == "deviation":
        return str(table.deviation if table is not None else "")
    row = column.rows[place]
    return _number(row.number if row is not None and row.number is not None else NONE)


def _rows(report: Report) -> Iterator[Iterable[Any]]:
    paths = list(report.sections())
    depth = max(map(len, paths), default=1)
    parts = [one.parts_name.removesuffix("s") for one in paths[0][:-1]] if paths else []
    of = [*parts, "given"] if depth > 1 else []
    tables = report.tables
    joint = next((table.names for table in tables if len(table.names) > 1), ())
    yield [*of, *(joint or ("of", "value")), *_headings(report, tables)]
    for path in paths:
        yield from _section(report, path, bool(of))


def _headings(report: Report, tables: list[ChanceTable]) -> Iterable[str]:
    if report.sides:
        a, b = (side.lower() for side in report.sides)
        return a, b, "difference", f"{a}_probability", f"{b}_probability"
    if any(isinstance(row.number, Estimate) for row in all_rows(tables)):
        return ESTIMATED
    return tables[0].kind if tables else "chance", "probability"


def _section(report: Report, path: tuple[ReportSection, ...], is_part: bool) -> Iterator[Iterable[Any]]:
    for point in path[-1].points:
        start = [*(one.name for one in path[1:]), point.given] if is_part else []
        for table in point.tables:
            for row in table.shares:
                numbers = _compared_numbers(row) if report.sides else _numbers(row)
                yield [*start, *([table.title, row.label] if report.together else _labels(table, row)), *numbers]


def _labels(table: ChanceTable, row: ChanceRow) -> list[str]:
    if len(table.names) < 2:
        return [table.names[0] if table.names else table.title or "outcome", row.label]
    if row.kind == "missing":
        return [row.label, *[""] * (len(table.names) - 1)]
    return [in_words(value) for value in row.value]


def _numbers(row: ChanceRow) -> list[Any]:
    match row.number:
        case Estimate() as one:
            return [one.count, float(one), one.error, one.low, one.high]
        case one:
            return [one, float(one or 0)]


def _compared_numbers(row: ChanceRow) -> list[Any]:
    numbers = [Fraction(one) if one is not None else None for one in (row.base, row.number)]
    floats = [float(one) if one is not None else None for one in numbers]
    return [*numbers, row.difference, *floats]


def _number(value: Fraction) -> str:
    return str(float(value) if isinstance(value, Estimate | Bounded) else value)
