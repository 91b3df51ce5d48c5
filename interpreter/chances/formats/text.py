"""Odds for a terminal: columns and bars, as wide as the terminal is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from textwrap import wrap

from interpreter.chances.crosstab import OddsColumn, telling_columns
from interpreter.chances.estimate import Estimate
from interpreter.chances.percent import CUT, error_margin, fraction_text, percent, percent_as_known
from interpreter.chances.report import Report, ReportSection, Style
from interpreter.chances.series import SeriesPicture, TooManySeries, picture_of_laws, pictures_of_points
from interpreter.chances.shortening import USUAL_LINES, shorten
from interpreter.chances.table import (
    NONE,
    NOT_FOLLOWED,
    ChanceTable,
    OddsPoint,
    ReportNote,
    all_rows,
    with_flags_together,
)
from interpreter.chances.words import difference, notes_of, short_number

LONGEST_BAR, SHORTEST_BAR = 40, 8
NARROWEST_PICTURE = 32
"""The least room for a picture of several series beside their figures."""
LONGEST_TITLE = 20
"""The most letters of a line in the title of a column, where the columns are too wide for the page."""
SEVERAL = "*"
COLORS = ("cyan", "magenta", "yellow", "green", "blue", "red")
"""The colours of series, whose letters tell them apart without."""


def render(report: Report, style: Style) -> str:
    """A report as lines of text."""
    lines = [style.paint(report.title, "bold")] if report.title else []
    for name, text in report.facts:
        first, *more = wrap(f"{name}  {text}", style.width, initial_indent="  ", subsequent_indent="     ")
        lines += [first.replace(name, style.paint(name, "bold"), 1), *more]
    lines += _section(report, report.body, style)
    for note in report.notes:
        lines += note_lines(note, style)
    lines += ["", report.closing] if report.closing else []
    return "\n".join(lines) + "\n"


def note_lines(note: ReportNote, style: Style) -> Iterator[str]:
    """A note below an answer."""
    yield from ("", style.paint(note.title, "bold"))
    for line in note.lines:
        if note.listing:
            yield f"  {line}"
        else:
            yield from wrap(line, style.width, initial_indent="  ", subsequent_indent="    ")


def _section(report: Report, section: ReportSection, style: Style) -> Iterator[str]:
    plain = [line.replace("**", "") for line in section.lines]
    if report.over:
        yield from (f"  {line}" for line in plain)
        yield from _grid(report, style)
    elif section is report.body:
        yield from plain
        for point in section.points:
            yield from _point(report, point, style)
    for place, part in enumerate(section.shown_parts):
        yield from _part(report, part, style, place)
    for line in section.below:
        yield from ("", line)


def _part(report: Report, part: ReportSection, style: Style, place: int) -> Iterator[str]:
    """A ruleset or a rule in a report about several."""
    if part.source:
        yield from ["", ""] if place else [""]
        state = f", {part.state}" if part.state else ""
        yield style.paint(f"{part.source}: {part.title or part.name}{state}", "bold")
        yield from (f"  {line}" for line in (part.about, *part.lines) if line)
        yield from _section(report, part, style)
        return
    for point in part.points:
        yield from ("", style.paint(f"{part.name} {point.given or '(defaults)'}", "bold"))
        yield from _point(report, point, style)
    if not part.points:
        yield from ("", style.paint(part.name, "bold"))
    yield from (f"  {line}" for line in part.below)


# One point -------------------------------------------------------------------------------------------------------


def _point(report: Report, point: OddsPoint, style: Style) -> Iterator[str]:
    if report.brief:
        for table in point.changing_tables:
            yield from [f"  {table.title}"] if table.title else []
            yield from _side_by_side(report, table, style)
        return
    if report.together:
        yield from _laws_together(report, point.tables, style)
        return
    tables = list(point.tables) if report.named else with_flags_together(point.tables, not report.sides)
    crossed = _crossed_names(tables[0], style) if len(tables) == 1 and tables[0].margins else []
    if crossed:
        yield from ["", *crossed]
        return
    shown = [shorten(one, None if report.whole else USUAL_LINES) for one in tables]
    largest = None if report.named else max((row.chance for row in all_rows(shown)), default=None)
    for one in shown:
        yield ""
        yield from [style.paint(one.title, "bold")] if one.title else []
        yield from _side_by_side(report, one, style) if report.sides else _bars(report, one, largest, style)
        yield from (style.paint(f"  {note}", "dim") for note in _notes(report, one))


def _bars(report: Report, table: ChanceTable, largest: Fraction | None, style: Style) -> Iterator[str]:
    """A line for each chance: label, fraction or error, percent, bar.

    A narrow terminal leaves out the bar, then the fraction.
    """
    numbers = [row.chance for row in table.shares]
    labels = pad_column(_align_numbers([row.label for row in table.shares]), left=True)
    cells = [labels, *_chances(numbers, report.whole)]
    room = style.width - _total_width(cells) - 2
    if room < 0 and not report.whole and len(cells) == 3 and not any(isinstance(one, Estimate) for one in numbers):
        del cells[1]
        room = style.width - _total_width(cells) - 2
    top = largest or max(numbers, default=NONE) or Fraction(1)
    for one, *texts in zip(numbers, *cells, strict=True):
        line = "  " + "  ".join(texts)
        drawn = bar(Fraction(one) / top, min(room, LONGEST_BAR), style) if room >= SHORTEST_BAR else ""
        yield f"{line}  {style.paint(drawn, 'cyan')}" if drawn else line.rstrip()


def _chances(numbers: Sequence[Fraction], whole: bool) -> list[list[str]]:
    """The columns that tell chances: fractions and percents, or percents with their errors."""
    estimates = [one for one in numbers if isinstance(one, Estimate)]
    if estimates:
        return [_align_percents(map(percent_as_known, estimates)), pad_column(map(error_margin, estimates), left=True)]
    return [pad_column(fraction_text(one, whole) for one in numbers), _align_percents(map(percent, numbers))]


def _notes(report: Report, table: ChanceTable) -> Iterator[str]:
    """Notes below the rows of a law."""
    yield from notes_of(table, report.named)
    if report.sides:
        return
    is_exact = not any(isinstance(one, Estimate) for row in table.rows for one in row.numbers)
    if table.is_shortened:
        yield f"(shortened; --all shows every value{' and fraction' if is_exact else ''})"
    elif is_exact and not report.whole and any(fraction_text(row.chance) == CUT for row in table.rows):
        yield "(… is a fraction too long for the line; --all shows it)"


def _side_by_side(report: Report, table: ChanceTable, style: Style) -> Iterator[str]:
    """A line for each row of a comparison; a narrow terminal leaves out the fractions."""
    assert report.sides is not None
    rows = [row for row in table.lines if row.is_possible] if report.brief else table.shares
    (a, b), change = report.sides, "change" if report.brief else f"{report.sides[1]} - {report.sides[0]}"
    bases = _align_percents(short_number(row, row.base) for row in rows)
    numbers = _align_percents(short_number(row, row.number) for row in rows)
    changes = _align_percents(difference(row) for row in rows)
    plain = [["", *(row.label for row in rows)], [a, *bases], [b, *numbers], [change, *changes]]
    lines = grid(list(zip(*plain, strict=True)))
    if any(isinstance(one, Estimate) for row in rows for one in row.numbers):
        errors = [f"± {100 * row.error:.2g}%" if row.error else "" for row in rows]
        lines = grid(list(zip(*plain, ["", *errors], strict=True)))
    elif not report.brief:
        before = [fraction_text(row.base or NONE, report.whole) for row in rows]
        after = [fraction_text(row.chance, report.whole) for row in rows]
        full = [plain[0], [a, *before], ["", *bases], [b, *after], ["", *numbers], plain[3]]
        wide = grid(list(zip(*full, strict=True)))
        lines = wide if report.whole or max(map(len, wide)) <= style.width else lines
    yield style.paint(lines[0], "dim")
    for line, row in zip(lines[1:], rows, strict=True):
        yield style.paint(line, "bold") if row.differs else line  # more is not better: no green, no red


def _crossed_names(table: ChanceTable, style: Style) -> list[str]:
    """The joint law of two names as a table, transposed if only that fits; empty if neither fits."""
    law = {row.value: row.chance for row in table.rows}
    for turn in (1, -1):
        (down, across), (rows, heads) = table.names[::turn], (one.rows for one in table.margins[::turn])
        cells = [[f"{down} \\ {across}", *(one.label for one in heads), "any"]]
        for row in rows:
            chances = [law.get((row.value, other.value)[::turn]) for other in heads]
            percents = [percent(one) if one else "-" for one in chances]
            cells.append([row.label, *percents, percent(row.chance)])
        cells.append(["any", *(percent(one.chance) for one in heads), ""])
        lines = grid(cells, paint=style)
        if max(map(len, grid(cells))) <= style.width and len(cells) <= USUAL_LINES:
            left = [f"  {NOT_FOLLOWED}  {percent(row.chance)}" for row in table.shares[len(table.rows) :]]
            return [*lines, *left]
    return []


# A grid ----------------------------------------------------------------------------------------------------------


def _grid(report: Report, style: Style) -> Iterator[str]:
    yield from _figures_of_grid(report, telling_columns(report.body.points), style)
    try:
        pictures = pictures_of_points(report.body.points, report.over)
    except TooManySeries as many:
        yield from ("", style.paint(f"  ({many})", "dim"))
        return
    for picture in pictures:
        room = style.width - max(map(len, (picture.along, *picture.places))) - 4
        if len(picture.series) > 1 and room >= NARROWEST_PICTURE:
            yield from ("", *_picture(picture, style))


def _figures_of_grid(report: Report, shown: list[OddsColumn], style: Style) -> Iterator[str]:
    points, over = report.body.points, [*report.over]
    if report.named and len(over) == 2 and len(shown) == 1:
        lines = _crossed_points(report, shown[0])
        if max(map(len, grid(lines))) <= style.width:
            yield from ["", *grid(lines, paint=style)]
            return
    names = [[head, *(point.at[head] for point in points)] for head in over]
    for part in _tables_that_fit(names, shown, style):
        heads = [one[0].split("\n") for one in part]
        tall = max(map(len, heads))
        above = [["", *[""] * (tall - len(head) - 1), *head][-tall:] for head in heads]
        table = list(map(list, zip(*(a + one[1:] for a, one in zip(above, part, strict=True)), strict=True)))
        lines_of_part = grid(table, left=len(names))
        yield from ("", *(style.paint(line, "bold") for line in lines_of_part[:tall]), *lines_of_part[tall:])


def _cells(shown: OddsColumn) -> list[str]:
    """A column with a number for each point."""
    if shown.kind == "chance":
        return _align_percents(percent(row.chance) if row is not None else "0%" for row in shown.rows)
    if shown.kind == "deviation":
        return [f"{one.deviation or 0:.3f}" if one is not None else "" for one in shown.tables]
    return [f"{float(row.chance):.3f}" if row is not None else "" for row in shown.rows]


def _crossed_points(report: Report, shown: OddsColumn) -> list[list[str]]:
    """A table of one value over two names, the first in rows and the second in columns."""
    (down, rows), (across, heads) = report.over.items()
    cells = [one.strip() for one in _cells(shown)]
    table = [[f"{down} \\ {across}", *heads]]
    for place, value in enumerate(rows):
        table.append([value, *cells[place * len(heads) : (place + 1) * len(heads)]])
    return table


def _tables_that_fit(names: list[list[str]], shown: list[OddsColumn], style: Style) -> Iterator[list[list[str]]]:
    """The columns, divided into tables that fit the width; long titles are broken at `_`."""
    whole = [[one.title, *_cells(one)] for one in shown]
    if _total_width([*names, *whole]) > style.width:
        whole = [[_break_title(title), *cells] for title, *cells in whole]
    yield from _parts_that_fit(names, whole, style)


def _parts_that_fit(names: list[list[str]], whole: list[list[str]], style: Style) -> Iterator[list[list[str]]]:
    """Columns, divided into parts that fit the width, each of which begins with the names."""
    part: list[list[str]] = []
    for one in whole:
        if part and _total_width([*names, *part, one]) > style.width:
            yield [*names, *part]
            part = []
        part.append(one)
    yield [*names, *part]


def _break_title(title: str) -> str:
    """A title of a column in several lines."""
    lines = [part for word in re.split(r"(?<=_)|(?<=,) ", title) for part in wrap(word, LONGEST_TITLE)]
    return "\n".join(lines)


# Series in one picture -------------------------------------------------------------------------------------------


def _laws_together(report: Report, tables: Sequence[ChanceTable], style: Style) -> Iterator[str]:
    """Several laws side by side, a line for each value: its chances, and beside them, or below, all in one picture."""
    picture = picture_of_laws(tables, None if report.whole else USUAL_LINES)
    labels = ["", *_align_numbers(picture.places)]
    figures = [
        [one.mark, *_align_percents(percent(chance or NONE) for chance in one.numbers)] for one in picture.series
    ]
    if len(figures) == 2:
        a, b = picture.series
        changes = [(two or NONE) - (one or NONE) for one, two in zip(a.numbers, b.numbers, strict=True)]
        figures.append(
            [f"{b.mark} - {a.mark}", *_align_percents(percent(one, True) if one else "=" for one in changes)]
        )
    room = style.width - _total_width([labels, *figures]) - 2
    if room >= NARROWEST_PICTURE:
        drawn = list(_marks(picture, room, style))
        lines = pad_column(grid(list(zip(labels, *figures, strict=True))), left=True)
        first, *others = [f"{line}  {marks}".rstrip() for line, marks in zip(lines, drawn, strict=True)]
        yield from ("", style.paint(first, "bold"), *others, *_sign_of_several(drawn))
        return
    for part in _parts_that_fit([labels], figures, style):
        yield from ("", *grid(list(zip(*part, strict=True)), paint=style))
    yield from ("", *_picture(picture, style, report.facts))


def _picture(picture: SeriesPicture, style: Style, facts: tuple[tuple[str, str], ...] = ()) -> Iterator[str]:
    """A line for each place with a letter for each series, and below them what the letters mean, if no `facts` tell
    it."""
    named = pad_column([picture.along, *_align_numbers(picture.places)], left=True)
    drawn = list(_marks(picture, style.width - len(named[0]) - 4, style))
    for place, (label, marks) in enumerate(zip(named, drawn, strict=True)):
        line = f"  {label}  {marks}".rstrip()
        yield style.paint(line, "bold") if not place else line
    for one in picture.series if not facts else ():
        yield from wrap(f"{one.mark}  {one.title}", style.width, initial_indent="  ", subsequent_indent="     ")
    yield from _sign_of_several(drawn)


def _sign_of_several(drawn: Iterable[str]) -> list[str]:
    """What `*` means in a picture, if it is there."""
    return [f"  {SEVERAL}  several of them"] if any(SEVERAL in line for line in drawn) else []


def _marks(picture: SeriesPicture, room: int, style: Style) -> Iterator[str]:
    """The axis of a picture with the numbers at its ends, and for each place the letters of the series at theirs.

    A chance of none has no letter, and where several letters fall on one column, `SEVERAL` stands for them.
    """
    low, high = picture.range
    ends = [picture.number_in_words(one) for one in (low, high)]
    yield ends[0] + " " * max(room - len(ends[0]) - len(ends[1]), 1) + ends[1]
    for place in range(len(picture.places)):
        marks: dict[int, str] = {}
        for order, one in enumerate(picture.series):
            number = one.numbers[place]
            if number is None or (picture.kind == "chance" and not number):
                continue
            column = round((Fraction(number) - low) / (high - low) * (room - 1)) if high > low else 0
            marks[column] = SEVERAL if column in marks else style.paint(one.mark, COLORS[order % len(COLORS)])
        line, at = "", 0
        for column, mark in sorted(marks.items()):
            line, at = line + " " * (column - at) + mark, column + 1
        yield line


# Columns ---------------------------------------------------------------------------------------------------------


def bar(part: Fraction, room: int, style: Style) -> str:
    """A bar in eighths of a column; a `#` for each column if the output cannot show them.

    A bar is at most as long as the room, because a missing share may be larger than all others.
    """
    eighths = int(min(part, Fraction(1)) * room * 8 + Fraction(1, 2))
    if part and not eighths:
        eighths = 1
    full, rest = divmod(eighths, 8)
    return "█" * full + " ▏▎▍▌▋▊▉"[rest].strip() if style.has_blocks else "#" * max(full, 1)


def pad_column(texts: Iterable[str], left: bool = False) -> list[str]:
    """Texts padded to the same width."""
    texts = list(texts)
    wide = max(map(len, texts), default=0)
    return [text.ljust(wide) if left else text.rjust(wide) for text in texts]


def _align_numbers(labels: Sequence[str]) -> list[str]:
    """Labels, with numbers aligned to the right."""
    wide = max((len(label) for label in labels if _is_number(label)), default=0)
    return [label.rjust(wide) if _is_number(label) else label for label in labels]


def _is_number(label: str) -> bool:
    return label.removeprefix("-").isdecimal()


def _align_percents(texts: Iterable[str]) -> list[str]:
    """Percents, aligned at the decimal point."""
    texts = list(texts)
    after = [len(text.partition(".")[2]) if "." in text else 1 for text in texts]
    most = max(after, default=0)
    return pad_column(text + " " * (most - own) for text, own in zip(texts, after, strict=True))


def grid(rows: Sequence[Sequence[str]], left: int = 1, paint: Style | None = None) -> list[str]:
    """Rows of cells in columns, the first `left` of them at the left; the first row is the heading."""
    cells = [pad_column(one, left=place < left) for place, one in enumerate(zip(*rows, strict=True))]
    lines = ["  " + "  ".join(one).rstrip() for one in zip(*cells, strict=True)]
    return [paint.paint(lines[0], "bold"), *lines[1:]] if paint else lines


def _total_width(cells: list[list[str]]) -> int:
    """How wide columns are together."""
    return sum(2 + max((len(line) for cell in one for line in cell.split("\n")), default=0) for one in cells)
