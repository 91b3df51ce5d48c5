"""Odds as charts of horizontal bars in SVG, made with the standard library alone.

All labels are text. A title and a description give the same information to screen readers. The colours come from the
page that holds the chart, or, for a file of its own, from the reader's preference for light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, log10
from textwrap import wrap
from zlib import crc32

from interpreter.chances.estimate import Estimate
from interpreter.chances.percent import percent
from interpreter.chances.report import Report, Style
from interpreter.chances.series import SeriesPicture, TooManySeries, picture_of_laws, pictures_of_points
from interpreter.chances.shortening import PAGE_LINES, USUAL_LINES, shorten
from interpreter.chances.table import NONE, ChanceRow, ChanceTable, with_flags_together
from interpreter.frozen import dataclass
from interpreter.shown_text import in_xml as escape

BAR = "#4a86c5"  # enough contrast on white and on black
FONT, LETTER = 13, 7.4  # size in pixels, and how wide a letter of it is about
ROW, THICK = 24, 16
BARS = 320
FIGURES = 150
LONGEST_LABEL, LONGEST_FRACTION = 34, 12


def render(report: Report, style: Style) -> str:
    """A report as a file of its own: the laws of one question in one chart, several series in one picture, or a sheet
    of charts, where these are more than one picture holds."""
    pictures = _pictures(report)
    if pictures:
        return _file_of_pictures(report, pictures)
    if report.sides or report.over:
        return _sheet(report)
    most = None if report.whole else USUAL_LINES
    tables = [
        shorten(one, most)
        for point in report.body.points
        for one in (point.tables if report.named else with_flags_together(point.tables, first_alone=True))
    ]
    return chart(report.subject, report.given, tables)


# A wide chart ----------------------------------------------------------------------------------------------------


def chart(title: str, given: str, tables: Sequence[ChanceTable], alone: bool = True) -> str:
    """Tables one below the other. `alone` is for a file of its own, which has to set its colours."""
    labels = [row.label for table in tables for row in table.shares]
    left = int(max((len(_short(label)) for label in labels), default=0) * LETTER) + 28
    largest = max((row.chance for table in tables for row in table.shares), default=NONE) or Fraction(1)
    width = left + BARS + FIGURES
    body: list[str] = []
    y = 34
    for line in wrap(given, int((width - 32) / LETTER)):
        body.append(_text(16, y + 6, line, "opacity='.8'"))
        y += 18
    y += 4 if given else 0
    for place, table in enumerate(tables):
        if place or table.title:
            y += 14 if place else 0
            body.append(_text(16, y + 12, table.title or "outcome", "font-weight='600'"))
            y += ROW
        for row in table.shares:
            body.append(_bar(left, y, row.label, row.chance, largest))
            y += ROW
    description = ". ".join(filter(None, [given, ". ".join(map(_table_in_words, tables))]))
    colors = (
        "<style>:root{color-scheme:light dark;color:#1c1c1c}"
        "@media(prefers-color-scheme:dark){:root{color:#e6e6e6}}</style>"
    )
    head = [*([colors] if alone else []), _text(16, 22, title, "font-weight='600'")]
    return _file(width, y + 8, title, description, [*head, *body])


def _table_in_words(table: ChanceTable) -> str:
    rows = (f"{row.label} {percent(row.chance)}{_fraction(row, ', ')}" for row in table.shares)
    return f"{table.title or 'outcome'}: {'; '.join(rows)}"


def _fraction(row: ChanceRow, before: str) -> str:
    return "" if isinstance(row.number, Estimate) else f"{before}{row.chance}"


def _file(width: int, height: int, title: str, description: str, body: Sequence[str]) -> str:
    """A picture with its title and its description."""
    name = f"houserule-{crc32((title + description).encode()):08x}"
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
        f"style='max-width:100%;height:auto' role='img' aria-labelledby='{name}-title {name}-told' "
        f"font-family='system-ui, sans-serif' font-size='{FONT}' fill='currentColor'>"
    )
    names = f"<title id='{name}-title'>{escape(title)}</title>\n<desc id='{name}-told'>{escape(description)}</desc>"
    return "\n".join([head, names, *body, "</svg>\n"])


def _bar(left: int, y: int, label: str, chance: Fraction, largest: Fraction) -> str:
    width = round(float(chance / largest) * BARS, 1)
    if chance:
        width = max(width, 1)
    fraction = str(Fraction(chance))
    shown = not isinstance(chance, Estimate) and chance and len(fraction) <= LONGEST_FRACTION
    exact_text = f" <tspan opacity='.7'>{fraction}</tspan>" if shown else ""
    bar = f"<rect x='{left}' y='{y}' width='{width}' height='{THICK}' rx='2' fill='{BAR}'/>" if chance else ""
    base = y + THICK - 3
    return (
        f"<text x='{left - 8}' y='{base}' text-anchor='end'>{escape(_short(label))}</text>{bar}"
        f"<text x='{left + width + 6:g}' y='{base}'>{percent(chance)}{exact_text}</text>"
    )


# Charts with labels above their bars -----------------------------------------------------------------------------

ROWS, HEAD, THIN, BETWEEN = 320, 17, 10, 8
"""The width of a chart in rows, the height of its labels and of a bar, and the space below a row."""
SHARE = Fraction(1, 4)
"""If no chance in a chart in rows is at least so large, the longest bar takes the whole width, else certainty does."""


def narrow_chart(title: str, description: str, tables: Sequence[ChanceTable]) -> str:
    """A chart for a narrow page: each label stands above its bar, or above the bars of both sides.

    `title` and `told` are for screen readers. The page colours `.bar` and `.bar.was`, and says what the two are.
    """
    body, y = _rows_of_bars(tables)
    name = f"chart-{crc32((title + description).encode()):08x}"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {ROWS} {max(y - BETWEEN, 1)}' role='img' "
        f"aria-labelledby='{name}-title {name}-told' font-size='{FONT}' fill='currentColor'>"
        f"<title id='{name}-title'>{escape(title)}</title><desc id='{name}-told'>{escape(description)}</desc>"
        f"{''.join(body)}</svg>"
    )


def _rows_of_bars(tables: Sequence[ChanceTable]) -> tuple[list[str], int]:
    """The elements of a chart in rows, and its height."""
    numbers = [one for table in tables for row in table.shares for one in row.numbers]
    largest = max(map(Fraction, numbers), default=NONE) or Fraction(1)
    is_share = largest >= SHARE
    largest = Fraction(1) if is_share else largest
    body: list[str] = []
    y = 0
    for table in tables:
        if table.title:
            body.append(_text(0, y + 13, table.title, "font-weight='600'"))
            y += HEAD + 4
        for row in table.shares:
            figures = " → ".join(map(percent, dict.fromkeys(row.numbers)))
            room = int((ROWS - len(figures) * LETTER) / LETTER) - 1
            label = row.label if len(row.label) <= room else row.label[: room - 1] + "…"
            body.append(_text(0, y + 13, label, ""))
            body.append(f"<text x='{ROWS}' y='{y + 13}' text-anchor='end'>{escape(figures)}</text>")
            y += HEAD
            for place, chance in enumerate(row.numbers):
                width = max(round(float(chance / largest) * ROWS, 1), 1) if chance else 0
                kind = "bar was" if place + 1 < len(row.numbers) else "bar"
                if is_share:
                    body.append(f"<rect class='bar bed' x='0' y='{y}' width='{ROWS}' height='{THIN}' rx='2'/>")
                if width:
                    body.append(f"<rect class='{kind}' x='0' y='{y}' width='{width:g}' height='{THIN}' rx='2'/>")
                y += THIN + (1 if place + 1 < len(row.numbers) else BETWEEN)
        y += 4
    return body, y


GAP, COLUMNS = 32, 2
"""The space around the charts of a sheet, and how many stand side by side."""
MOST_CHARTS = 24
"""The most charts of a sheet; those of the first rules that change."""


@dataclass(frozen=True)
class Chart:
    """One chart of a sheet: its title, its inputs in words, and its tables."""

    title: str
    given: str
    tables: tuple[ChanceTable, ...]


def _sheet(report: Report) -> str:
    """Several charts in rows, with the colours of both bars and what they mean; empty where nothing is shown."""
    every = list(_charts(report))
    charts = every[:MOST_CHARTS]
    columns = max(min(COLUMNS, len(charts)), 1)
    heights = [64] * columns
    width = GAP + columns * (ROWS + GAP)
    parts: list[str] = []
    for one in charts:
        at = heights.index(min(heights))
        lines = [(one.title, "font-weight='600'"), *((line, "opacity='.8'") for line in wrap(one.given, 44))]
        head = [_text(0, 13 + 18 * number, text, more) for number, (text, more) in enumerate(lines)]
        body, height = _rows_of_bars(one.tables)
        top = 18 * len(lines) + 6
        parts.append(f"<g transform='translate({GAP + at * (ROWS + GAP)} {heights[at]})'>{''.join(head)}")
        parts.append(f"<g transform='translate(0 {top})'>{''.join(body)}</g></g>")
        heights[at] += top + height + GAP
    title = report.subject or report.title
    description = ". ".join([_description(report, len(every)), *map(_chart_in_words, charts)])
    colors = (
        "<style>:root{color-scheme:light dark;color:#1c1c1c}.bar{fill:#4a86c5}.bar.was{fill:#8a8a8a}"
        ".bar.bed{fill:currentColor;opacity:.08}@media(prefers-color-scheme:dark){:root{color:#e6e6e6}}</style>"
    )
    heading = _text(GAP, 26, title, "font-weight='600'") + (_legend(report.sides) if report.sides else "")
    return _file(width, max(heights), title, description, [colors, heading, *parts])


def _description(report: Report, charts: int) -> str:
    if report.sides is None:
        return f"the odds at {charts} point{'s' * (charts != 1)}"
    return f"{charts} comparison{'s' * (charts != 1)} of the odds {' and '.join(report.sides)}"


def _legend(sides: tuple[str, str]) -> str:
    """What the two bars of a row mean."""
    return (
        f"<rect class='bar was' x='{GAP}' y='40' width='14' height='{THIN}' rx='2'/>"
        f"<rect class='bar' x='{GAP + 84}' y='40' width='14' height='{THIN}' rx='2'/>"
        + _text(GAP + 20, 49, sides[0], "")
        + _text(GAP + 104, 49, sides[1], "")
    )


def _charts(report: Report) -> Iterator[Chart]:
    """A chart of every point; of several rules, of each whose odds change."""
    for path in report.sections():
        for point in path[-1].points:
            if len(path) == 1:
                tables = point.tables if report.named else with_flags_together(point.tables, not report.sides)
                yield Chart(point.place, "", _drawn_tables(tables, report.sides))
            elif point.changes:
                of = f" ({path[-2].name})" if len(path) > 2 else ""
                yield Chart(f"{path[-1].title}{of}", point.given, _drawn_tables(point.changing_tables, report.sides))


def _drawn_tables(tables: Iterable[ChanceTable], sides: tuple[str, str] | None) -> tuple[ChanceTable, ...]:
    """What of tables is drawn: the chances that there are, with both sides."""
    return tuple(replace(one, rows=rows) for one in tables if (rows := tuple(_drawn_rows(one, sides))[:PAGE_LINES]))


def _drawn_rows(table: ChanceTable, sides: tuple[str, str] | None) -> Iterator[ChanceRow]:
    for row in shorten(table, PAGE_LINES).rows:
        if row.is_possible:
            yield replace(row, base=row.base or NONE, number=row.chance) if sides else row


def _chart_in_words(one: Chart) -> str:
    rows = (f"{row.label} {' to '.join(map(percent, row.numbers))}" for table in one.tables for row in table.shares)
    return f"{', '.join(filter(None, [one.title, one.given]))}: {'; '.join(rows)}"


# Several series in one picture -----------------------------------------------------------------------------------

PLOT, TALL = 520, 260
"""The width and the height of the field in which series are drawn."""
TICKS = 5
"""The most numbers on an axis, besides the first."""
LINES = ("#4a86c5", "#c0682a", "#3f8f5f", "#a05fb0", "#8f7a1a", "#c5506a")
DASHES = ("none", "7 3", "2 3", "9 3 2 3")
SHAPES = ("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "M-4-4h8v8h-8z", "M0-5L5 4H-5z", "M0-5L5 0 0 5-5 0z", "M-5-4H5L0 5z")
"""How series are drawn. Dashes and shapes tell them apart without colours: together they repeat after twenty."""


def _pictures(report: Report) -> list[SeriesPicture]:
    if report.over:
        with suppress(TooManySeries):
            return pictures_of_points(report.body.points, report.over)
    if report.together:
        return [picture_of_laws(report.body.points[0].tables, None if report.whole else USUAL_LINES)]
    return []


def _file_of_pictures(report: Report, pictures: Sequence[SeriesPicture]) -> str:
    """Pictures one below the other, each with its legend."""
    body: list[str] = []
    y = 48
    for name, text in report.facts if report.over else ():
        body.append(_text(16, y, f"{name}: {text}", "opacity='.8'"))
        y += 18
    left = max(int(len(number) * LETTER) for one in pictures for number, _ in _ticks(one)) + GAP
    for one in pictures:
        drawn, height = _lines_of_series(one)
        body.append(f"<g transform='translate({left} {y})'>{''.join(drawn)}</g>")
        y += height
    colors = (
        "<style>:root{color-scheme:light dark;color:#1c1c1c}.axis{stroke:currentColor;opacity:.15}"
        "@media(prefers-color-scheme:dark){:root{color:#e6e6e6}}</style>"
    )
    heading = _text(16, 26, report.title, "font-weight='600'")
    return _file(
        left + PLOT + GAP, y, report.title, ". ".join(map(_picture_in_words, pictures)), [colors, heading, *body]
    )


def _lines_of_series(picture: SeriesPicture) -> tuple[list[str], int]:
    """The elements of a picture from the corner of its field, and its height with its legend."""
    top = _ticks(picture)[-1][1]
    low = _ticks(picture)[0][1]
    step = PLOT / max(len(picture.places) - 1, 1)

    def height_of(number: Fraction) -> float:
        return round(float(TALL - (number - low) / (top - low) * TALL), 1)

    body = []
    for label, number in _ticks(picture):
        y = height_of(number)
        body.append(f"<path class='axis' d='M0 {y:g}H{PLOT}'/>")
        body.append(f"<text x='-8' y='{y + 4:g}' text-anchor='end'>{escape(label)}</text>")
    every = max(ceil((max(map(len, picture.places)) + 1) * LETTER / step), 1)
    for place, label in enumerate(picture.places):
        if place % every == 0:
            at_end = len(label) * LETTER / 2 > GAP and place in (0, len(picture.places) - 1)
            anchor = ("end" if place else "start") if at_end else "middle"
            x = f"{place * step:g}"
            body.append(f"<text x='{x}' y='{TALL + 20}' text-anchor='{anchor}'>{escape(_short(label))}</text>")
    body.append(f"<text x='{PLOT}' y='{TALL + 38}' text-anchor='end' opacity='.8'>{escape(picture.along)}</text>")
    for order, one in enumerate(picture.series):
        color, dash, shape = (of[order % len(of)] for of in (LINES, DASHES, SHAPES))
        at = [(place * step, height_of(n)) for place, n in enumerate(one.numbers) if n is not None]
        line = " ".join(f"{x:g},{y:g}" for x, y in at)
        y = TALL + 50 + order * ROW
        body.append(f"<g stroke='{color}' stroke-width='2' stroke-dasharray='{dash}' fill='none'>")
        body.append(f"<polyline points='{line}'/><path d='M0 {y}h40'/></g><g fill='{color}'>")
        body += [f"<path d='{shape}' transform='translate({x:g} {y:g})'/>" for x, y in [*at, (20, y)]]
        body.append(f"</g>{_text(50, y + 4, one.title, '')}")
    return body, TALL + 62 + len(picture.series) * ROW


def _ticks(picture: SeriesPicture) -> list[tuple[str, Fraction]]:
    """Round numbers that enclose those of a picture, from the lowest, at steps of 1, 2 or 5 of a power of ten."""
    low, high = picture.range
    span = high - low or Fraction(1)
    size = Fraction(10) ** floor(log10(span / TICKS))
    step = next(one * size for one in (1, 2, 5, 10, 20) if one * size * (TICKS - 1) >= span)
    first, last = floor(low / step), max(ceil(high / step), floor(low / step) + 1)
    return [(_tick_in_words(picture, number * step), number * step) for number in range(first, last + 1)]


def _tick_in_words(picture: SeriesPicture, number: Fraction) -> str:
    return f"{float(100 * number):g}%" if picture.kind == "chance" else f"{float(number):g}"


def _picture_in_words(picture: SeriesPicture) -> str:
    """Every number of a picture, for screen readers."""
    series = (
        f"{one.title}: "
        + "; ".join(
            f"{place} {picture.number_in_words(number)}"
            for place, number in zip(picture.places, one.numbers, strict=True)
            if number is not None
        )
        for one in picture.series
    )
    return f"along {picture.along}: {'. '.join(series)}"


def _text(x: int, y: int, text: str, more: str) -> str:
    return f"<text x='{x}' y='{y}' {more}>{escape(text)}</text>"


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"
