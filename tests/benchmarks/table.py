"""Tables of what was measured, as aligned text and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .clock import Beyond, Failed, Measured


@dataclass
class Table:
    """A table under a title; the first column is words, the others are numbers. `notes` stand below it."""

    title: str
    header: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def text(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) if place == 0 else cell.rjust(width)
                      for place, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip()
            for row in (self.header, *self.rows)
        ]  # fmt: skip
        return "\n".join([self.title, "", *lines, *([""] if self.notes else []), *self.notes])

    def markdown(self) -> str:
        rows = [self.header, ["---", *["--:"] * (len(self.header) - 1)], *self.rows]
        lines = [f"| {' | '.join(row)} |" for row in rows]
        return "\n".join([f"## {self.title}", "", *lines, *([""] if self.notes else []), *self.notes])


def milliseconds(found: Measured) -> str:
    """`1.53`, `> 10 s`, `failed`, or nothing."""
    if isinstance(found, float):
        found *= 1000
        return f"{found:.0f}" if found >= 100 else f"{found:.1f}" if found >= 1 else f"{found:.2f}"
    return _other(found)


def megabytes(found: Measured) -> str:
    """`18.2`, and the like."""
    return f"{found / 1e6:.1f}" if isinstance(found, float) else _other(found)


def ratio(ours: Measured, theirs: Measured) -> str:
    """How many times as fast ours is: `12`, `> 50` where theirs was ended."""
    if not isinstance(ours, float) or not ours:
        return ""
    if isinstance(theirs, Beyond):
        return f"> {_short(theirs.seconds / ours)}"
    return _short(theirs / ours) if isinstance(theirs, float) else ""


def each_second(found: Measured) -> str:
    """How often a second what takes so long can be done."""
    return f"{1 / found:,.0f}" if isinstance(found, float) and found else _other(found)


def _other(found: Measured) -> str:
    if isinstance(found, Beyond):
        return f"> {found.seconds:g} s"
    return "failed" if isinstance(found, Failed) else ""


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}"


def failures(rows: dict[str, Measured]) -> list[str]:
    """A sentence for each that failed."""
    return [f"{name} failed: {one.why}" for name, one in rows.items() if isinstance(one, Failed)]
