"""Chances in columns and bars, as wide as the terminal is."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from fractions import Fraction

from interpreter.cli.terminal import Paint
from interpreter.report.figures import percent

WIDEST = 100
"""The largest width: longer lines are hard to read."""
LONGEST_BAR, SHORTEST_BAR = 40, 8
LONGEST_FRACTION = 15
CUT = "…"


def width() -> int:
    """The number of columns of the terminal, 80 if it is unknown, and at most `WIDEST`."""
    return min(shutil.get_terminal_size((80, 24)).columns, WIDEST)


def chances(
    rows: Sequence[tuple[str, Fraction]], paint: Paint, whole: bool, largest: Fraction | None = None
) -> list[str]:
    """A line for each chance: label, fraction, percent, bar.

    A narrow terminal leaves out the bar, then the fraction. With `whole`, fractions are shown in full.
    """
    fractions = column([exact(chance, whole) for _, chance in rows])
    percents = points([percent(chance) for _, chance in rows])
    labels = column(align_numbers([label for label, _ in rows]), left=True)
    room = width() - 2 - len(labels[0]) - 2 - len(fractions[0]) - 2 - len(percents[0]) - 2 if rows else 0
    if room < 0 and not whole:
        fractions, room = [""] * len(rows), room + len(fractions[0]) + 2
    top = largest or max((chance for _, chance in rows), default=Fraction(0)) or Fraction(1)
    lines = []
    for (_, chance), *cells in zip(rows, labels, fractions, percents, strict=True):
        line = "  " + "  ".join(filter(None, cells))
        drawn = bar(chance / top, min(room, LONGEST_BAR)) if room >= SHORTEST_BAR else ""
        lines.append(f"{line}  {paint(drawn, 'cyan')}" if drawn else line.rstrip())
    return lines


def exact(chance: Fraction, whole: bool = False) -> str:
    """The fraction, or `…` if it is too long for a line."""
    text = str(chance)
    return text if whole or len(text) <= LONGEST_FRACTION else CUT


def cut(values: Sequence[Fraction], whole: bool) -> bool:
    """Whether a fraction is too long to be shown."""
    return any(exact(value, whole) == CUT for value in values)


def bar(part: Fraction, room: int) -> str:
    """A bar in eighths of a column; a `#` for each column if the output cannot encode these signs.

    A bar is at most as long as the room, because a missing share may be larger than all others.
    """
    eighths = int(min(part, Fraction(1)) * room * 8 + Fraction(1, 2))
    if part and not eighths:
        eighths = 1
    full, rest = divmod(eighths, 8)
    text = "█" * full + " ▏▎▍▌▋▊▉"[rest].strip()
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return "#" * max(full, 1)
    return text


def column(texts: Sequence[str], left: bool = False) -> list[str]:
    """Texts padded to the same width."""
    wide = max(map(len, texts), default=0)
    return [text.ljust(wide) if left else text.rjust(wide) for text in texts]


def align_numbers(labels: Sequence[str]) -> list[str]:
    """Labels, with numbers aligned to the right."""
    wide = max((len(label) for label in labels if _is_number(label)), default=0)
    return [label.rjust(wide) if _is_number(label) else label for label in labels]


def _is_number(label: str) -> bool:
    return label.removeprefix("-").isdecimal()


def points(texts: Sequence[str]) -> list[str]:
    """Percents, aligned at the decimal point."""
    after = [len(text.partition(".")[2]) if "." in text else 1 for text in texts]
    most = max(after, default=0)
    return column([text + " " * (most - own) for text, own in zip(texts, after, strict=True)])


def grid(rows: Sequence[Sequence[str]], left: int = 1, paint: Paint | None = None) -> list[str]:
    """Rows of cells in columns, the first `left` of them at the left; the first row is the heading."""
    columns = [column(cells, left=number < left) for number, cells in enumerate(zip(*rows, strict=True))]
    lines = ["  " + "  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
    return [paint(lines[0], "bold"), *lines[1:]] if paint else lines
