"""Odds as JSON: exact chances as fractions and as numbers, estimates with their errors."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from interpreter.chances.bounded import Bounded
from interpreter.chances.estimate import Estimate
from interpreter.chances.report import Report, ReportSection, Style
from interpreter.chances.table import ChanceRow, ChanceTable, OddsPoint
from interpreter.shown_text import in_json
from interpreter.values import to_data
from interpreter.work_count import spend

WRITTEN = 100
"""The bits of a fraction that are written in a unit of work."""
Data = Mapping[str, Any]


def render(report: Report, style: Style) -> str:
    """A report with what was asked, in an object for each of its sections."""
    return in_json(_section(report, report.body), indent=1) + "\n"


def _section(report: Report, section: ReportSection) -> Data:
    data = dict(section.data)
    if report.over:
        data |= {"over": {name: list(values) for name, values in report.over.items()}}
        data |= {"points": [_grid_point(point) for point in section.points]}
    elif section is report.body and section.points:
        (point,) = section.points
        data |= {"laws": {",".join(one.names): _table(one, report.sides) for one in point.tables}}
    elif section.name and section.parts_name == "parts" and report.sides:
        data |= {"points": [_worded_point(point, report.sides) for point in section.points]}
    if section.parts or section.parts_name != "parts":
        data[section.parts_name] = [_section(report, one) for one in section.parts]
    return data


def _grid_point(point: OddsPoint) -> Data:
    """A point of a grid: the law of the one thing that is asked for, or the laws of several by their titles."""
    if len(point.tables) > 1:
        laws = {one.title: {"of": one.names[0], **_table(one, None)} for one in point.tables}
        return {"at": point.at, "laws": laws, **point.data}
    (table,) = point.tables
    return {"at": point.at, "of": table.names[0], **_table(table, None), **point.data}


def _worded_point(point: OddsPoint, sides: tuple[str, str]) -> Data:
    results = [
        {"of": table.title or "outcome", "figures": [_figure(one, sides) for one in table.lines if one.is_possible]}
        for table in point.tables
    ]
    return {"given": point.given, "results": results}


def _figure(row: ChanceRow, sides: tuple[str, str]) -> Data:
    values = (str(Fraction(one)) if one is not None else None for one in (row.base, row.number))
    return {"value": row.label, "mean": row.kind == "mean", **dict(zip(sides, values, strict=True))}


def _table(table: ChanceTable, sides: tuple[str, str] | None) -> Data:
    data: dict[str, Any] = {"law": [_value(table, row) | _number(table, row, sides) for row in table.rows]}
    if table.missing is not None:
        is_plain = sides is None and not isinstance(table.missing.number, Estimate)
        data["missing"] = str(table.missing.number) if is_plain else _number(table, table.missing, sides)
    if table.why:
        data["why"] = table.why
    if table.mean is not None:
        data |= {"mean": _comparison(table.mean, sides)} if sides else _mean(table.mean.number)
    if table.deviation is not None:
        data["deviation"] = table.deviation
    return data


def _value(table: ChanceTable, row: ChanceRow) -> dict[str, Any]:
    if len(table.names) > 1:
        return {"values": dict(zip(table.names, map(to_data, row.value), strict=True))}
    return {"value": to_data(row.value)}


def _number(table: ChanceTable, row: ChanceRow, sides: tuple[str, str] | None) -> dict[str, Any]:
    if sides:
        return _comparison(row, sides)
    if isinstance(row.number, Fraction):
        spend(1 + row.number.denominator.bit_length() // WRITTEN)
    match row.number:
        case Estimate() as one:
            return {
                "count": one.count, "probability": float(one), "error": one.error, "low": one.low, "high": one.high,
            }  # fmt: skip
        case one:
            return {table.kind: str(one), "probability": float(one or 0)}


def _mean(mean: Fraction | None) -> dict[str, Any]:
    """A mean: exact as a fraction, within bounds as a decimal number beside the error that it may have."""
    match mean:
        case Estimate():
            return {"mean": float(mean), "mean_error": mean.error}
        case Bounded():
            return {"mean": str(float(mean)), "mean_error": mean.error}
    return {"mean": str(mean)}


def _comparison(row: ChanceRow, sides: tuple[str, str]) -> dict[str, Any]:
    numbers = (row.base or Fraction(0), row.number or Fraction(0))
    is_bounded = any(isinstance(one, Bounded) for one in numbers)
    a, b, difference = [str(float(one) if is_bounded else Fraction(one)) for one in (*numbers, row.difference)]
    return {
        sides[0].lower(): a,
        sides[1].lower(): b,
        "difference": difference,
        "difference_as_number": float(row.difference),
        **({"error": row.error} if row.error else {}),
    }
