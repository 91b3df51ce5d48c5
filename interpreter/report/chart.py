"""Odds as a chart of horizontal bars in SVG, made with the standard library alone.

All labels are text. A title and a description give the same information to screen readers. The colours come from the
page that holds the chart, or, for a file of its own, from the reader's preference for light or dark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any
from zlib import crc32

from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.report.figures import NOT_FOLLOWED, Panel, panels, percent
from interpreter.values import in_words

if TYPE_CHECKING:
    from interpreter.odds.answer import Odds

BAR = "#4a86c5"  # enough contrast on white and on black
FONT, LETTER = 13, 7.4  # size in pixels, and how wide a letter of it is about
ROW, THICK = 24, 16
BARS = 320
FIGURES = 150
LONGEST_LABEL, LONGEST_FRACTION = 34, 12


def drawn(title: str, about: str, shown: Sequence[Panel], alone: bool = True, exact: bool = True) -> str:
    """Panels one below the other as SVG.

    `alone` is for a file of its own, which has to set its colours. Fractions are shown if they are `exact`.
    """
    labels = [label for panel in shown for label, _ in _rows(panel)]
    left = int(max((len(_short(label)) for label in labels), default=0) * LETTER) + 28
    largest = max((chance for panel in shown for _, chance in _rows(panel)), default=Fraction(0)) or Fraction(1)
    width = left + BARS + FIGURES
    body: list[str] = []
    y = 34
    for line in wrap(about, int((width - 32) / LETTER)):
        body.append(_text(16, y + 6, line, "opacity='.8'"))
        y += 18
    y += 4 if about else 0
    for number, panel in enumerate(shown):
        if number or panel.title != "outcome":
            y += 14 if number else 0
            body.append(_text(16, y + 12, panel.title, "font-weight='600'"))
            y += ROW
        for label, chance in _rows(panel):
            body.append(_bar(left, y, label, chance, largest, exact))
            y += ROW
    height = y + 8
    told = ". ".join(filter(None, [about, _told(shown, exact)]))
    name = f"houserule-{crc32((title + told).encode()):08x}"
    colors = (
        "<style>:root{color-scheme:light dark;color:#1c1c1c}"
        "@media(prefers-color-scheme:dark){:root{color:#e6e6e6}}</style>"
    )
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
        f"style='max-width:100%;height:auto' role='img' aria-labelledby='{name}-title {name}-told' "
        f"font-family='system-ui, sans-serif' font-size='{FONT}' fill='currentColor'>\n"
        f"<title id='{name}-title'>{escape(title)}</title>\n<desc id='{name}-told'>{escape(told)}</desc>\n"
        + (f"{colors}\n" if alone else "")
        + _text(16, 22, title, "font-weight='600'")
        + "\n"
        + "\n".join(body)
        + "\n</svg>\n"
    )


def picture(odds: Odds) -> str | None:
    """The chart of odds as a file of its own; None if they take too much to compute."""
    try:
        return drawn(title(odds), given(odds), list(panels(odds)), exact=odds.exact)
    except PlayError:
        return None


def in_page(odds: Odds) -> str:
    """The chart of odds as a part of a page, or the reason that there is none."""
    try:
        return drawn(title(odds), given(odds), list(panels(odds)), alone=False, exact=odds.exact)
    except PlayError as problem:
        return f"<p>{escape(str(problem.diagnostic))}</p>"


@dataclass(frozen=True)
class Bars:
    """A line of a chart in rows: its label and one chance, or two, of which the second is the new one."""

    label: str
    chances: tuple[Fraction, ...]


ROWS, HEAD, THIN, BETWEEN = 320, 17, 10, 8
"""The width of a chart in rows, the height of its labels and of a bar, and the space below a row."""
SHARE = Fraction(1, 4)
"""If no chance in a chart in rows is at least so large, the longest bar takes the whole width, else certainty does."""


@dataclass(frozen=True)
class Chart:
    """One chart of a sheet: its title, its inputs in words, and rows under a heading each."""

    title: str
    given: str
    shown: Sequence[tuple[str, Sequence[Bars]]]


def in_rows(title: str, told: str, shown: Sequence[tuple[str, Sequence[Bars]]]) -> str:
    """A chart for a narrow page: each label stands above its bar or bars. `shown` are rows under a heading each.

    `title` and `told` are for screen readers. The page colours `.bar` and `.bar.was`, and says what the two are.
    """
    body, y = _rows_of_bars(shown)
    name = f"chart-{crc32((title + told).encode()):08x}"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {ROWS} {max(y - BETWEEN, 1)}' role='img' "
        f"aria-labelledby='{name}-title {name}-told' font-size='{FONT}' fill='currentColor'>"
        f"<title id='{name}-title'>{escape(title)}</title><desc id='{name}-told'>{escape(told)}</desc>"
        f"{''.join(body)}</svg>"
    )


GAP, COLUMNS = 32, 2
"""The space around the charts of a sheet, and how many stand side by side."""


def sheet(title: str, told: str, charts: Sequence[Chart]) -> str:
    """Several charts in rows as a file of its own, with the colours of both bars and what they mean."""
    columns = min(COLUMNS, len(charts))
    heights = [64] * columns
    width = GAP + columns * (ROWS + GAP)
    parts: list[str] = []
    for one in charts:
        column = heights.index(min(heights))
        lines = [(one.title, "font-weight='600'"), *((line, "opacity='.8'") for line in wrap(one.given, 44))]
        head = [_text(0, 13 + 18 * number, text, more) for number, (text, more) in enumerate(lines)]
        body, height = _rows_of_bars(one.shown)
        top = 18 * len(lines) + 6
        told += f". {one.title}, {one.given}: {_bars_told(one.shown)}"
        x, y = GAP + column * (ROWS + GAP), heights[column]
        parts.append(f"<g transform='translate({x} {y})'>{''.join(head)}")
        parts.append(f"<g transform='translate(0 {top})'>{''.join(body)}</g></g>")
        heights[column] += top + height + GAP
    height = max(heights)
    colors = (
        "<style>:root{color-scheme:light dark;color:#1c1c1c}.bar{fill:#4a86c5}.bar.was{fill:#8a8a8a}"
        ".bar.bed{fill:currentColor;opacity:.08}@media(prefers-color-scheme:dark){:root{color:#e6e6e6}}</style>"
    )
    key = (
        f"<rect class='bar was' x='{GAP}' y='40' width='14' height='{THIN}' rx='2'/>"
        f"<rect class='bar' x='{GAP + 84}' y='40' width='14' height='{THIN}' rx='2'/>"
        + _text(GAP + 20, 49, "before", "")
        + _text(GAP + 104, 49, "after", "")
    )
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
        f"style='max-width:100%;height:auto' role='img' aria-labelledby='title told' "
        f"font-family='system-ui, sans-serif' font-size='{FONT}' fill='currentColor'>\n"
        f"<title id='title'>{escape(title)}</title>\n<desc id='told'>{escape(told)}</desc>\n{colors}\n"
        + _text(GAP, 26, title, "font-weight='600'")
        + f"{key}\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _bars_told(shown: Sequence[tuple[str, Sequence[Bars]]]) -> str:
    return "; ".join(f"{row.label} {' to '.join(map(percent, row.chances))}" for _, rows in shown for row in rows)


def _rows_of_bars(shown: Sequence[tuple[str, Sequence[Bars]]]) -> tuple[list[str], int]:
    """The elements of a chart in rows, and its height."""
    largest = max((one for _, rows in shown for row in rows for one in row.chances), default=Fraction(0)) or Fraction(1)
    is_share = largest >= SHARE
    largest = Fraction(1) if is_share else largest
    body: list[str] = []
    y = 0
    for heading, rows in shown:
        if heading:
            body.append(_text(0, y + 13, heading, "font-weight='600'"))
            y += HEAD + 4
        for row in rows:
            figures = " → ".join(percent(one) for one in row.chances)
            figures = percent(row.chances[0]) if len(set(row.chances)) == 1 else figures
            room = int((ROWS - len(figures) * LETTER) / LETTER) - 1
            label = row.label if len(row.label) <= room else row.label[: room - 1] + "…"
            body.append(_text(0, y + 13, label, ""))
            body.append(f"<text x='{ROWS}' y='{y + 13}' text-anchor='end'>{escape(figures)}</text>")
            y += HEAD
            for place, chance in enumerate(row.chances):
                width = max(round(float(chance / largest) * ROWS, 1), 1) if chance else 0
                kind = "bar was" if place + 1 < len(row.chances) else "bar"
                if is_share:
                    body.append(f"<rect class='bar bed' x='0' y='{y}' width='{ROWS}' height='{THIN}' rx='2'/>")
                if width:
                    body.append(f"<rect class='{kind}' x='0' y='{y}' width='{width:g}' height='{THIN}' rx='2'/>")
                y += THIN + (1 if place + 1 < len(row.chances) else BETWEEN)
        y += 4
    return body, y


def title(odds: Odds) -> str:
    return f"{odds.mechanic} ({odds.ruleset}), {odds.method}"


def given(odds: Odds) -> str:
    """The inputs in words: `own d8, against d6`."""
    return inputs_in_words(odds.inputs)


def inputs_in_words(inputs: Mapping[str, Any]) -> str:
    """Inputs in words, without those that are empty."""
    told = {name: _given(value) for name, value in inputs.items() if value not in (None, (), "")}
    return ", ".join(f"{name} {text}" for name, text in told.items() if text != "()")


def _given(value: Any) -> str:
    """An input in words; of a record, only the fields that are set."""
    if not isinstance(value, Mapping):
        return in_words(value)
    told = {key: item for key, item in value.items() if item not in (None, (), 0, False)}
    if len(told) == 1:
        return _given(next(iter(told.values())))
    return f"({', '.join(f'{key} {_given(item)}' for key, item in told.items())})"


def _rows(panel: Panel) -> list[tuple[str, Fraction]]:
    return [*panel.rows, *([(NOT_FOLLOWED, panel.missing)] if panel.missing else [])]


def _bar(left: int, y: int, label: str, chance: Fraction, largest: Fraction, exact: bool) -> str:
    width = round(float(chance / largest) * BARS, 1)
    if chance:
        width = max(width, 1)
    fraction = str(chance)
    shown = exact and chance and len(fraction) <= LONGEST_FRACTION
    beside = f" <tspan opacity='.7'>{fraction}</tspan>" if shown else ""
    bar = f"<rect x='{left}' y='{y}' width='{width}' height='{THICK}' rx='2' fill='{BAR}'/>" if chance else ""
    base = y + THICK - 3
    return (
        f"<text x='{left - 8}' y='{base}' text-anchor='end'>{escape(_short(label))}</text>{bar}"
        f"<text x='{left + width + 6:g}' y='{base}'>{percent(chance)}{beside}</text>"
    )


def _text(x: int, y: int, text: str, more: str) -> str:
    return f"<text x='{x}' y='{y}' {more}>{escape(text)}</text>"


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"


def _told(shown: Sequence[Panel], exact: bool) -> str:
    """The panels in words."""
    return ". ".join(
        f"{panel.title}: "
        + "; ".join(f"{label} {percent(chance)}" + (f", {chance}" if exact else "") for label, chance in _rows(panel))
        for panel in shown
    )
