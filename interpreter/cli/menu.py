"""What can be answered, as a menu that fits a screen: a line for each entry, and so many lines at a time."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.frozen import dataclass

MOST_LINES = 12
"""The most lines of a menu on a terminal."""

LEAST_LINES = 3
"""A menu has so many lines even where a question fills the screen."""

ELLIPSIS = "…"
"""What stands in place of what is left out."""

MORE = "m"
"""What is typed for the rest of a menu."""


@dataclass(frozen=True)
class MenuEntry:
    """A line of a menu in its `forms`, the fullest first: the first that fits the width is shown."""

    forms: tuple[str, ...]

    def line_for_width(self, width: int) -> str:
        """The line for a width; the shortest form is cut where even that does not fit. 0 is a line of any width."""
        fits = next((one for one in self.forms if not width or len(one) <= width), None)
        return fits if fits is not None else cut(self.forms[-1], width)


def cut(line: str, width: int) -> str:
    """A line of at most a width, with `…` in place of its end."""
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}{ELLIPSIS}"


@dataclass(frozen=True)
class MenuPage:
    """The `lines` of a menu that are shown at a time. If they are only a part of it, `next` is the number of the entry
    with which the next part begins; after the last part, that is the first."""

    lines: tuple[str, ...]
    is_part: bool = False
    next: int = 0


def page_of(entries: Sequence[MenuEntry], first: int, height: int, width: int, last_stays: bool) -> MenuPage:
    """The entries from number `first` on, in at most `height` lines, of which one tells how many more there are. The
    last entry is on every page if `last_stays`. Without a height, all are shown."""
    if not height or len(entries) <= height:
        return MenuPage(tuple([one.line_for_width(width) for one in entries]))
    staying = entries[-1:] if last_stays else []
    turned = entries[: len(entries) - len(staying)]
    room = max(height - 1 - len(staying), 1)
    shown, rest = turned[first : first + room], max(len(turned) - first - room, 0)
    told = f"  {ELLIPSIS:>2}  {rest} more: {MORE}" if rest else f"  {ELLIPSIS:>2}  from the beginning: {MORE}"
    lines = [*(one.line_for_width(width) for one in shown), told, *(one.line_for_width(width) for one in staying)]
    return MenuPage(tuple(lines), True, first + room if rest else 0)
