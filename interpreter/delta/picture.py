"""What a change does to the odds as one SVG: for each point two bars a result, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from interpreter.delta.figures import PointDelta
from interpreter.delta.rulesets import FolderDelta
from interpreter.report import chart
from interpreter.report.chart import Bars
from interpreter.rulebook.chances import MOST_ROWS

MOST_CHARTS = 24
"""The most points in one picture; those of the first rules that change."""


def picture(delta: FolderDelta) -> str | None:
    """The chart of every point whose odds change, as a file of its own; None if none does."""
    charts = list(_charts(delta))
    if not charts:
        return None
    told = f"{len(charts)} comparisons" if len(charts) > 1 else "1 comparison"
    return chart.sheet("What this does to the odds", f"{told} of the odds before and after", charts[:MOST_CHARTS])


def _charts(delta: FolderDelta) -> Iterator[chart.Chart]:
    for ruleset in delta.rulesets:
        for rule in ruleset.changing:
            for point in rule.points:
                if point.changes:
                    yield chart.Chart(f"{rule.title} ({ruleset.name})", point.given, _rows(point))


def _rows(point: PointDelta) -> list[tuple[str, list[Bars]]]:
    none = Fraction(0)
    return [
        (panel.title, [Bars(one.label, (one.before or none, one.after or none)) for one in figures[:MOST_ROWS]])
        for panel in point.changing
        if (figures := [one for one in panel.figures if not one.is_mean and one.is_possible])
    ]
