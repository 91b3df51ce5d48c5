"""Lines that fit a terminal; colours and progress bars, made by rich, only on a terminal."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, TypeVar

import click

from interpreter.shown_text import on_terminal

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

    from interpreter.chances.report import Report, Style

Paint = Callable[[str, str], str]
Progress = Callable[[int, int], None]
"""Called with the number done and the total."""

Item = TypeVar("Item")


STYLES = re.compile(r"\x1b\[[0-9;]*m")
"""What paints text, which takes no room."""


PREVIOUS_LINE = "\x1b[1A\x1b[2K"
"""What moves to the line above on a terminal, and clears it."""


def clear_previous_line() -> None:
    """Clear the line above on a terminal."""
    click.echo(PREVIOUS_LINE, nl=False, color=True)  # it is no colour, and stays where there are none


def clear_screen() -> None:
    """Empty the screen of a terminal, with nothing above it."""
    click.echo("\x1b[H\x1b[2J\x1b[3J", nl=False, color=True)


def can_write_over(end: IO[str]) -> bool:
    """Whether an end of a conversation is a terminal that can write over a line."""
    return end.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def echo(text: str = "", nl: bool = True, err: bool = False, color: bool | None = None) -> None:
    """Write text to standard output, or with `err` to standard error: what every command writes passes here."""
    click.echo(on_terminal(text), nl=nl, err=err, color=color)


def print_wrapped(text: str, err: bool = False, nl: bool = True) -> None:
    """Write text whose lines are broken between words where the terminal ends."""
    out = sys.stderr if err else sys.stdout
    width = terminal_width(out)
    echo(wrap(text, width) if width else text, err=err, nl=nl, color=wants_color(out))


def terminal_width(out: IO[str]) -> int:
    """The width of a terminal; 0 where the output is none, or tells no width."""
    return terminal_size(out).columns


def terminal_size(out: IO[str]) -> os.terminal_size:
    """The size of a terminal as it is now; 0 and 0 where the output is none, or tells no size."""
    if not out.isatty():
        return os.terminal_size((0, 0))
    try:
        return os.get_terminal_size(out.fileno())
    except (OSError, ValueError):
        return os.terminal_size((0, 0))


def wrap(text: str, width: int) -> str:
    """Text in lines of at most a width; a longer line goes on below, two signs deeper, and no word is broken."""
    return "\n".join(_wrap_line(line, width) for line in text.split("\n"))


def _wrap_line(line: str, width: int) -> str:
    indent = len(line) - len(line.lstrip(" ")) + 2
    text, room = "", width
    for part in re.findall(r" *[^ ]+| +$", line):
        size = len(STYLES.sub("", part))
        if text and size > room:
            text, part = f"{text}\n{' ' * indent}", part.lstrip(" ")
            room, size = width - indent, len(STYLES.sub("", part))
        text, room = text + part, room - size
    return text


def wants_color(out: IO[str]) -> bool:
    """Whether to colour: `NO_COLOR` says no, `FORCE_COLOR` says yes, else only for a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or out.isatty()


def painter(out: IO[str]) -> Paint:
    """Paints text in a style such as `bold red`, or leaves it plain if the output has no colours."""
    if not wants_color(out):
        return lambda text, style: text
    from rich.color import ColorSystem
    from rich.style import Style

    def paint(text: str, style: str) -> str:
        return Style.parse(style).render(text, color_system=ColorSystem.STANDARD) if text else text

    return paint


WIDEST = 100
"""The largest width of a page: longer lines are hard to read."""


def style_of(out: IO[str]) -> Style:
    """How a page looks at an output: as wide as the terminal, 80 columns if that is unknown, and in its colours."""
    from interpreter.chances.report import Style

    width = min(shutil.get_terminal_size((80, 24)).columns, WIDEST)
    try:
        "█▏".encode(getattr(out, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return Style(width, painter(out), has_blocks=False)
    return Style(width, painter(out))


def write_report(report: Report, form: str) -> None:
    """Write a report about odds in a format."""
    from interpreter.chances.formats import render

    echo(render(form, report, style_of(sys.stdout)), nl=False, color=True)


def with_progress_bar(items: Sequence[Item], what: str) -> Iterable[Item]:
    """The items, with a progress bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        return items
    return _track_items(items, what)


def _track_items(items: Sequence[Item], what: str) -> Iterator[Item]:
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, console=Console(stderr=True), transient=True)


@contextmanager
def count_progress(what: str) -> Iterator[Progress | None]:
    """A progress bar on standard error for a count, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with _progress_bar() as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


@contextmanager
def wait_progress(what: str, counted: str = "") -> Iterator[Progress | None]:
    """Show on a terminal that something is being computed, once it takes longer than a second.

    The bar pulses until it gets a number done and a total, which `counted` words.
    """
    if not sys.stderr.isatty():
        yield None
        return
    done, count = Event(), (0, 0)

    def tell(now: int, of: int) -> None:  # called very often, so it must be cheap
        nonlocal count
        count = now, of

    def show() -> None:
        if done.wait(1):
            return
        with _progress_bar() as bar:
            task = bar.add_task(what, total=None)
            while True:
                now, of = count
                if of:
                    said = f"{what}, {counted.format(of)}" if counted else what
                    bar.update(task, description=said, completed=now, total=of)
                if done.wait(0.1):
                    return

    thread = Thread(target=show, daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        done.set()
        thread.join()


def _progress_bar() -> Bars:
    """A bar on standard error, which disappears at the end."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True)
