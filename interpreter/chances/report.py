"""What a command tells of odds, for every format: words, the odds at points, and parts of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any

from interpreter.chances.table import ChanceTable, OddsPoint, ReportNote
from interpreter.frozen import dataclass


@dataclass(frozen=True)
class ReportSection:
    """A part of a report: its title, lines of words, the odds at points, further lines, and parts of its own.

    `name` is what one types for it, and `kind` what else it is than a mechanic. `about` is what its author says of it,
    `source` the file that it is about, and `state` what became of it. Words may have `code` and **emphasis**. `data` is
    what programs are told of it; what is `aside` is for them alone. `parts_name` says what the parts are; after the
    first `most_parts`, they are less important.
    """

    title: str = ""
    name: str = ""
    kind: str = ""
    about: str = ""
    source: str = ""
    state: str = ""
    lines: tuple[str, ...] = ()
    points: tuple[OddsPoint, ...] = ()
    below: tuple[str, ...] = ()
    parts: tuple[ReportSection, ...] = ()
    parts_name: str = "parts"
    most_parts: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    aside: bool = False

    @property
    def shown_parts(self) -> tuple[ReportSection, ...]:
        """The parts that people are shown."""
        return tuple(one for one in self.parts if not one.aside)

    @property
    def reference(self) -> str:
        """The name to type, with the kind where it is no mechanic, as an action may be called like one."""
        return f"{self.kind} `{self.name}`" if self.kind else f"`{self.name}`"


@dataclass(frozen=True)
class Report:
    """What a command tells of odds.

    `title` says what was asked, and `subject` and `given` the same for a picture. Two `sides` are what bases and
    numbers are called, each with what it is, if anything more is said of it. The points are those of a grid `over`
    some names, or else few. `together` says that the laws of a point stand side by side. `named` says whether single
    values were asked for, `whole` that all values and fractions are wanted in full, and `brief` that means stand among
    chances and fractions nowhere.
    """

    title: str
    body: ReportSection
    subject: str = ""
    given: str = ""
    sides: tuple[str, str] | None = None
    facts: tuple[tuple[str, str], ...] = ()
    over: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    together: bool = False
    named: bool = False
    whole: bool = False
    brief: bool = False
    notes: tuple[ReportNote, ...] = ()
    closing: str = ""
    link: str = ""
    """Where a comment says that a chart of it can be seen."""

    @property
    def tables(self) -> list[ChanceTable]:
        """The tables of all points."""
        return [one for path in self.sections() for point in path[-1].points for one in point.tables]

    def sections(self) -> Iterator[tuple[ReportSection, ...]]:
        """Every section that has points and is shown, after those that it is part of."""
        return _sections_with_points((self.body,))


def _sections_with_points(path: tuple[ReportSection, ...]) -> Iterator[tuple[ReportSection, ...]]:
    if path[-1].points:
        yield path
    for one in path[-1].shown_parts:
        yield from _sections_with_points((*path, one))


@dataclass(frozen=True)
class Style:
    """How wide a text may be, how parts of it are painted, and whether the output can show eighths of a block."""

    width: int = 80
    paint: Callable[[str, str], str] = lambda text, style: text
    has_blocks: bool = True
