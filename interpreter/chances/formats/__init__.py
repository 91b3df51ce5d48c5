"""The formats of odds: each is one file here, whose function `render` makes the whole text of a report.

A further file is a further format of every command that tells odds.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from interpreter.chances.report import Report, Style

FIRST = ("text", "json", "csv", "svg", "markdown")
"""The order in which `--help` lists the formats; others follow."""


def formats() -> tuple[str, ...]:
    """The names of all formats."""
    known = {one.name for one in iter_modules(__path__)}
    return (*(one for one in FIRST if one in known), *sorted(known.difference(FIRST)))


def render(form: str, report: Report, style: Style) -> str:
    """A report in a format, which is one of `formats`; it ends with the end of a line."""
    return cast(str, import_module(f"{__name__}.{form}").render(report, style))
