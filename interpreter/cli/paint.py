"""Colours and progress, by rich, and only where somebody looks at a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from typing import IO, TypeVar

Paint = Callable[[str, str], str]
Item = TypeVar("Item")


def wants_color(out: IO[str]) -> bool:
    """Whether to colour: `NO_COLOR` says no, `FORCE_COLOR` says yes, else only for a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or out.isatty()


def painter(out: IO[str]) -> Paint:
    """Paints text in a style such as `bold red`, or leaves it as it is where nobody would see it."""
    if not wants_color(out):
        return lambda text, style: text
    from rich.color import ColorSystem
    from rich.style import Style

    def paint(text: str, style: str) -> str:
        return Style.parse(style).render(text, color_system=ColorSystem.STANDARD) if text else text

    return paint


def progress(items: Sequence[Item], what: str) -> Iterable[Item]:
    """The items, with a bar on standard error while they are gone through, if that is a terminal."""
    if not sys.stderr.isatty():
        return items
    return _with_bar(items, what)


def _with_bar(items: Sequence[Item], what: str) -> Iterator[Item]:
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, console=Console(stderr=True), transient=True)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error for what is counted, how much of how many, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Says on a terminal that something is being worked out, once it takes longer than a second."""
    if not sys.stderr.isatty():
        yield
        return
    done = Event()

    def show() -> None:
        if done.wait(1):
            return
        from rich.console import Console

        with Console(stderr=True).status(what):  # takes itself away at the end, and gives the cursor back
            done.wait()

    thread = Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
