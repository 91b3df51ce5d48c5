"""What commands tell of a grid: the values that vary, and a report of what is asked for at every point."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from interpreter import diagnostics as say
from interpreter.chances.bounded import Bounded
from interpreter.chances.crosstab import telling_columns
from interpreter.chances.estimate import Estimate
from interpreter.chances.laws import law_table
from interpreter.chances.report import Report, ReportSection
from interpreter.chances.table import ChanceRow, ChanceTable, OddsPoint
from interpreter.cli.rulesets import parse_value
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.odds.sweep import Sweep
from interpreter.simulation.answer import Simulated
from interpreter.syntax import document
from interpreter.values import in_words

LONGEST_RANGE = 1000


def axes_of(over: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    """The names of `--over`, each with its values. Raises PlayError where a text does not name any."""
    return dict(map(_axis, over))


def _axis(text: str) -> tuple[str, tuple[Any, ...]]:
    """`own=d4,d6` and `skill=1..5`: a name with its values."""
    name, sign, values = text.partition("=")
    if not sign or not name.strip() or not values.strip():
        raise PlayError(say.bad_axis(text))
    axis_values: list[Any] = []
    for part in re.split(r",(?![^\[{(]*[\]})])", values):  # not at commas inside brackets
        span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", part.strip())
        if span is None:
            axis_values.append(part.strip())
            continue
        low, high = int(span[1]), int(span[2])
        if not low <= high < low + LONGEST_RANGE:
            raise PlayError(say.bad_axis(text))
        axis_values += map(str, range(low, high + 1))
    return name.strip(), tuple(parse_value(name.strip(), one) if one[:1] in "[{" else one for one in axis_values)


def point_in_words(value: Any) -> str:
    """A point of a grid as it was typed."""
    return value.span.text if isinstance(value, document.Mapping | document.Sequence) else in_words(value)


@dataclass(frozen=True)
class GridPart:
    """What is asked for at every point: a `name` of a grid of odds, under a `title` if more than one is."""

    title: str
    name: str
    swept: Sweep


def grid_report(title: str, parts: Sequence[GridPart], only: str | None, data: Mapping[str, Any]) -> Report:
    """The report of a grid, of which `only` one value is shown, if one is given. Raises PlayError if none has it."""
    swept = parts[0].swept
    odds = swept.points[0].odds
    runs = {"runs": odds.runs, "seed": odds.seed} if isinstance(odds, Simulated) else {}
    tables = [_tables(one, only) for one in parts]
    if only is not None and not any(one.rows for each in tables for one in each):
        known = [in_words(value) for one in parts for value in one.swept.values(one.name)]
        raise PlayError(say.unknown_of(say.NOWHERE, "value", only, dict.fromkeys(known)))
    points = tuple(
        OddsPoint("", there, {key: point_in_words(value) for key, value in point.at.items()}, runs)
        for point, there in zip(swept, zip(*tables, strict=True), strict=True)
    )
    return Report(
        title,
        ReportSection(points=points, lines=tuple(_notes(points, parts[0].name, only)), data=data),
        over={key: tuple(map(point_in_words, values)) for key, values in swept.over.items()},
        named=only is not None,
    )


def _tables(part: GridPart, only: str | None) -> list[ChanceTable]:
    """The law at each point: with the mean, and perhaps the deviation, of a number, or with one value alone."""
    swept, name = part.swept, part.name
    tables = [replace(law_table(point.odds, name), title=part.title) for point in swept]
    if only is not None:
        return [replace(one, rows=tuple(row for row in one.rows if row.label == only)) for one in tables]
    values = [row.value for table in tables for row in table.rows]
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return tables
    tables = [
        replace(table, mean=ChanceRow("mean", mean, kind="mean"))
        for table, mean in zip(tables, swept.means(name), strict=True)
    ]
    if any(len(table.shares) > len(table.rows) for table in tables):
        return tables
    return [replace(table, deviation=point.odds.deviation(name)) for table, point in zip(tables, swept, strict=True)]


def _notes(points: Sequence[OddsPoint], name: str, only: str | None) -> Iterator[str]:
    """By how much the numbers may be off at the most, and which value is shown."""
    shown = [row for column in telling_columns(points) for row in column.rows if row is not None]
    numbers = [row.number for row in shown]
    if error := max((one.error for one in numbers if isinstance(one, Estimate)), default=0.0):
        of_mean = any(row.kind == "mean" for row in shown)
        yield f"standard errors up to {f'{error:.2g}' if of_mean else f'{100 * error:.2g}%'}"
    if bound := max((one.error for one in numbers if isinstance(one, Bounded)), default=0.0):
        yield f"means are off by {bound:.2g} at the most"
    if only is not None and len(points[0].at) == 2:
        yield f"{name}: {only}"
