"""Odds as Markdown, such as a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from interpreter.chances.crosstab import OddsColumn, telling_columns
from interpreter.chances.estimate import Estimate
from interpreter.chances.percent import error_margin, fraction_text, percent, percent_as_known
from interpreter.chances.report import Report, ReportSection, Style
from interpreter.chances.series import picture_of_laws
from interpreter.chances.shortening import USUAL_LINES, shorten
from interpreter.chances.table import NONE, SLIGHT, ChanceRow, ChanceTable, OddsPoint, with_flags_together
from interpreter.chances.words import count_of, difference, is_telling, notes_of, short_number
from interpreter.shown_text import in_markdown, in_one_line

MOST_COLUMNS = 6
"""The most results that stand side by side in a table with a line for each input."""
MOST_LINES = 12
"""The most lines of a table that is not folded away."""
MOST_VALUES = 8
"""The most values of a law of which unlikely ones are shown, too."""
LONGEST_COMMENT = 60_000
"""GitHub takes comments of 65,536 characters."""


def render(report: Report, style: Style) -> str:
    """A report as Markdown; what is too long for a comment is left out."""
    parts = [f"## {cell(report.title)}"]
    parts += ["\n".join(f"- **{name}**: {prose(text)}" for name, text in report.facts)]
    parts += _section(report, report.body)
    parts += ["\n".join([f"#### {one.title}", "", *_note(one.lines, one.listing)]) for one in report.notes]
    parts += [f"<sub>{report.closing}</sub>"] if report.closing else []
    text = "\n\n".join(filter(None, parts)) + "\n"
    if len(text) <= LONGEST_COMMENT:
        return text
    end = text.rfind("\n\n### ", 0, LONGEST_COMMENT)
    left = "The rest is too long for a comment; the format `text` has it all."
    return f"{text[: end if end > 0 else LONGEST_COMMENT]}\n\n{left}\n"


def _note(lines: Sequence[str], listing: bool) -> Sequence[str]:
    return ["```yaml", *lines, "```"] if listing else [f"- {prose(line)}" for line in lines]


def _section(report: Report, section: ReportSection) -> Iterator[str]:
    is_list = section is not report.body
    yield "\n".join(f"- {prose(line)}" if is_list else prose(line) for line in section.lines)
    if report.over:
        yield "\n".join(_point_table(section.points, [*report.over], telling_columns(section.points), False))
    elif report.together:
        yield "\n".join(_laws_together(report, section.points[0].tables))
    elif report.sides and section.points:
        yield from _comparison(report, section.points)
    else:
        for point in section.points:
            yield from _plain_tables(report, point)
    parts, most = section.shown_parts, section.most_parts
    for part in parts[:most]:
        yield from _part(report, part)
    rest = parts[most:] if most is not None else ()
    if rest:
        yield f"<details><summary>{count_of(len(rest), f'more {section.parts_name[:-1]}')}</summary>"
        for part in rest:
            yield from _part(report, part)
        yield "</details>"
    yield from map(prose, section.below)
    if section is report.body and report.link:
        yield f"[The same as a chart]({report.link})"


def _part(report: Report, part: ReportSection) -> Iterator[str]:
    """A ruleset or a rule in a report about several."""
    title = f"{cell(part.title)} ({part.reference})" if part.title and part.title != part.name else part.reference
    yield f"{'###' if part.source else '####'} {title}" + (f": {prose(part.state)}" if part.state else "")
    yield f"> {cell(part.about)}" if part.about else ""
    yield from _section(report, part)


# Chances ---------------------------------------------------------------------------------------------------------


def _plain_tables(report: Report, point: OddsPoint) -> Iterator[str]:
    """A table for each law that is compared with nothing."""
    for table in point.tables if report.named else with_flags_together(point.tables, first_alone=True):
        yield f"**{cell(table.title)}**" if table.title else ""
        shown = shorten(table, None if report.whole else USUAL_LINES)
        is_estimate = any(isinstance(row.number, Estimate) for row in shown.shares)
        heads = f"| | {shown.kind.replace('_', ' ')} | {'error' if is_estimate else 'exactly'} |"
        yield "\n".join([heads, "|---|--:|--:|", *(_plain_line(row, report.whole) for row in shown.shares)])
        yield from (cell(note) for note in notes_of(table, report.named))


def _laws_together(report: Report, tables: Sequence[ChanceTable]) -> Iterator[str]:
    """Several laws in one table with a line for each value, and one with the means of numbers."""
    picture = picture_of_laws(tables, None if report.whole else USUAL_LINES)
    yield f"| | {' | '.join(cell(one.title) for one in picture.series)} |"
    yield f"|---|{'--:|' * len(picture.series)}"
    for label, *chances in zip(picture.places, *(one.numbers for one in picture.series), strict=True):
        yield f"| {cell(label)} | {' | '.join(percent(one or NONE) for one in chances)} |"
    means = [one.mean if not one.has_flags else None for one in tables]
    if any(means):
        yield f"| mean | {' | '.join(short_number(one, one.number) if one else '' for one in means)} |"


def _plain_line(row: ChanceRow, whole: bool) -> str:
    chance = row.chance
    if isinstance(chance, Estimate):
        return f"| {cell(row.label)} | {percent_as_known(chance)} | {error_margin(chance)} |"
    return f"| {cell(row.label)} | {percent(chance)} | {fraction_text(chance, whole)} |"


def _point_table(
    points: Sequence[OddsPoint], heads: Sequence[str], shown: Sequence[OddsColumn], is_compared: bool = True
) -> Iterator[str]:
    """A table with a line for each point."""
    yield f"| {' | '.join([*map(cell, heads), *(cell(one.title) for one in shown)])} |"
    yield f"|{'---|' * len(heads)}{'--:|' * len(shown)}"
    for place, point in enumerate(points):
        at = [point.at[head] for head in heads] if point.at else [point.given or "defaults"]
        yield f"| {' | '.join([*map(cell, at), *(_cell_at(one, place, is_compared) for one in shown)])} |"


def _cell_at(column: OddsColumn, place: int, is_compared: bool) -> str:
    """What a column tells at a point: a value that is not there has no chance, and no table says nothing new."""
    table = column.tables[place]
    if table is None:
        return "="
    if column.kind == "certain" and table.certain is not None:
        before, after = map(cell, table.certain)
        return f"{before} → **{after}**" if before != after else after
    if column.kind == "deviation":
        return f"{table.deviation or 0:.4g}"
    row = column.rows[place]
    if row is None:
        return "0%"
    return _before_and_after(row) if is_compared else short_number(row, row.number)


def _before_and_after(row: ChanceRow) -> str:
    """A number before and after; one that stays is written once."""
    before, after = short_number(row, row.base), short_number(row, row.number)
    if row.base is None:
        return f"new: **{after}**"
    if not row.changes:
        return after
    return f"{before} → **{after}**" if before != after else f"{after} ({difference(row)})"


# Comparisons -----------------------------------------------------------------------------------------------------


def _comparison(report: Report, points: Sequence[OddsPoint]) -> Iterator[str]:
    """The odds of a rule at its points, and in full where they change most, if the table tells the mean alone."""
    if not report.brief:
        points = [_whole(report, one) for one in points]
    tables = list(_tables(report, points))
    text = "\n\n".join("\n".join(lines) for lines in tables)
    is_long = len(tables) > 1 and sum(map(len, tables)) > MOST_LINES
    yield _folded_section(count_of(len(points), "input"), text) if is_long else text
    yield from _law(report, points)


def _whole(report: Report, point: OddsPoint) -> OddsPoint:
    tables = point.tables if report.named else with_flags_together(point.tables)
    return replace(point, tables=tuple(shorten(one, None if report.whole else USUAL_LINES) for one in tables))


def _tables(report: Report, points: Sequence[OddsPoint]) -> Iterator[list[str]]:
    """One table with a line for each point where that fits, otherwise a table for each point."""
    shown = telling_columns(points, is_telling)
    if len(shown) > MOST_COLUMNS:
        shown = [one for one in shown if one.changes]
    if 0 < len(shown) <= MOST_COLUMNS and (len(points) > 1 or _is_long(points[0])):
        yield list(_point_table(points, ["with"], shown))
        return
    for point in points:
        yield [*([f"With {cell(point.given)}:", ""] if point.given else []), *_full_table(report, point)]


def _is_long(point: OddsPoint) -> bool:
    return len(list(_lines(point))) > MOST_LINES


def _law(report: Report, points: Sequence[OddsPoint]) -> Iterator[str]:
    """The whole law of the number of which the table shows the mean, where it changes most."""
    if len(points) == 1 and not _is_long(points[0]):
        return
    point = max(points, key=lambda one: one.size)
    table = point.largest
    if table is None or table.certain or table.mean is None or len(telling_columns(points, is_telling)) > MOST_COLUMNS:
        return
    lines = _full_table(report, replace(point, tables=(table,)))
    yield _folded_section(f"{table.title} in full, with {point.given or 'the defaults'}", "\n".join(lines))


def _full_table(report: Report, point: OddsPoint) -> list[str]:
    assert report.sides is not None
    return [f"| | {' | '.join(report.sides)} | change |", "|---|--:|--:|--:|", *_lines(point)]


def _lines(point: OddsPoint) -> Iterator[str]:
    for table in point.changing_tables:
        if table.certain:
            before, after = map(cell, table.certain)
            change = difference(table.mean) if table.mean is not None else ""
            yield f"| {cell(table.title)} | {before} | {f'**{after}**' if after != before else after} | {change} |"
            continue
        if table.title:
            yield f"| *{cell(table.title)}* | | | |"
        is_long = sum(one.is_possible for one in table.lines) > MOST_VALUES
        for row in table.lines:
            if not row.is_possible or (row.kind == "missing" and not is_telling(row)):
                continue
            if is_long and row.kind != "mean" and max(row.numbers) < SLIGHT:
                continue
            before, after = short_number(row, row.base), short_number(row, row.number)
            strong = f"**{after}**" if after != before else after
            yield f"| {cell(row.label)} | {before} | {strong} | {difference(row)} |"


def _folded_section(summary: str, text: str) -> str:
    return f"<details><summary>{cell(summary)}</summary>\n\n{text}\n\n</details>"


_CODE = re.compile(r"(`[^`]*`)")


def prose(text: str) -> str:
    """Words of a report, escaped outside of code."""
    parts = _CODE.split(re.sub("``+", "`", in_one_line(text)))  # a longer run would pair with its like alone
    return "".join(part if place % 2 else in_markdown(part) for place, part in enumerate(parts))


def cell(text: str) -> str:
    """Text in one line that cannot end a cell or begin an element of HTML."""
    return " ".join(in_markdown(text).split())
