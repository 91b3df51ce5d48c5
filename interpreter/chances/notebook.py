"""Odds, comparisons and sweeps as notebooks show them, and their question in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from interpreter.chances.formats import render
from interpreter.chances.formats.svg import chart
from interpreter.chances.laws import compared_table, law_table, result_tables
from interpreter.chances.report import Report, ReportSection, Style
from interpreter.chances.shortening import shorten
from interpreter.chances.table import OddsPoint
from interpreter.diagnostics import PlayError
from interpreter.values import in_words

if TYPE_CHECKING:
    from interpreter.odds.answer import Odds
    from interpreter.odds.comparison import Comparison
    from interpreter.odds.sweep import Sweep


def picture(odds: Odds, alone: bool = True) -> str:
    """The chart of odds, as a file of its own or as a part of a page. Raises PlayError if they take too much."""
    tables = [shorten(one) for one in result_tables(odds)]
    return chart(title_of(odds), inputs_in_words(odds.inputs), tables, alone)


def picture_or_reason(odds: Odds) -> str:
    """The chart of odds as a part of a page, or the reason that there is none."""
    try:
        return picture(odds, alone=False)
    except PlayError as problem:
        return f"<p>{escape(str(problem.diagnostic))}</p>"


def comparison_in(form: str, both: Comparison) -> str:
    """A comparison in a format of odds, or the reason that there is none, as HTML."""

    def report() -> Report:
        points = (OddsPoint("", tuple(compared_table(both, name) for name in both.results)),)
        sides = tuple((letter, _side_in_words(one)) for letter, one in (("A", both.a), ("B", both.b)))
        return Report(title_of(both.b), ReportSection(points=points), sides=("A", "B"), facts=sides)

    return _render_or_reason(form, report)


def sweep_in(form: str, swept: Sweep) -> str:
    """A sweep in a format of odds, of the first result, or the reason that there is none, as HTML."""

    def report() -> Report:
        points = tuple(
            OddsPoint("", (law_table(one.odds, one.odds.results[0]),), _place_in_words(one.at)) for one in swept
        )
        over = {name: tuple(map(in_words, values)) for name, values in swept.over.items()}
        title = title_of(swept.points[0].odds) if swept.points else "no point"
        return Report(title, ReportSection(points=points), over=over)

    return _render_or_reason(form, report)


def _render_or_reason(form: str, report: Callable[[], Report]) -> str:
    try:
        return render(form, report(), Style())
    except PlayError as problem:
        return f"<p>{escape(str(problem.diagnostic))}</p>"


def _side_in_words(odds: Odds) -> str:
    return ", ".join(filter(None, [odds.ruleset, inputs_in_words(odds.inputs)]))


def _place_in_words(at: Mapping[str, Any]) -> dict[str, str]:
    return {name: in_words(value) for name, value in at.items()}


def title_of(odds: Odds) -> str:
    """What odds are of, and how they were found."""
    return f"{odds.mechanic} ({odds.ruleset}), {odds.method}"


def inputs_in_words(inputs: Mapping[str, Any]) -> str:
    """Inputs in words, without those that are empty: `own d8, against d6`."""
    texts = {name: _input_in_words(value) for name, value in inputs.items() if value not in (None, (), "")}
    return ", ".join(f"{name} {text}" for name, text in texts.items() if text != "()")


def _input_in_words(value: Any) -> str:
    """An input in words; of a record, only the fields that are set."""
    if not isinstance(value, Mapping):
        return in_words(value)
    fields = {key: item for key, item in value.items() if item not in (None, (), 0, False)}
    if len(fields) == 1:
        return _input_in_words(next(iter(fields.values())))
    return f"({', '.join(f'{key} {_input_in_words(item)}' for key, item in fields.items())})"
