"""A question on a screen: what to know for it, its text, the menu and the line for the answer, no taller than that."""

from __future__ import annotations

import os
from collections.abc import Sequence

from interpreter.cli.menu import ELLIPSIS, LEAST_LINES, MOST_LINES, MenuEntry, MenuPage, page_of
from interpreter.cli.terminal import wrap
from interpreter.frozen import dataclass


@dataclass(frozen=True)
class Prompt:
    """What stands on the screen when somebody is asked: how the scene stands, in one of several forms, the fullest
    first, lines `above` the question, the question, what the ruleset says `about` it, and the `entries` of the menu.
    `line` is where the answer is typed. If it `offers` actions, the last entry stays on every page of the menu."""

    above: tuple[str, ...]
    question: str
    about: str
    entries: tuple[MenuEntry, ...]
    line: str
    offers: bool = False
    scenes: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class FittedPrompt:
    """The part of a prompt for which a screen has room, as lines that may still be wrapped."""

    above: tuple[str, ...]
    about: str
    page: MenuPage
    scene: tuple[str, ...] = ()


def fit(prompt: Prompt, size: os.terminal_size, first: int = 0) -> FittedPrompt:
    """The prompt with the menu from entry `first` on, no taller than the screen: what does not fit is left out, first
    the fuller forms of how the scene stands, then of the lines above the question, of what is said about it, and of the
    menu. A size of 0 is no terminal, where nobody looks up: it has room for all, and tells no more than is new."""
    if not size.lines:
        return FittedPrompt(prompt.above, prompt.about, page_of(prompt.entries, 0, 0, 0, prompt.offers))
    room = size.lines - 1 - _height(prompt.question, size.columns) - _height(prompt.line, size.columns)
    most = min(max(room, LEAST_LINES), MOST_LINES)
    page = page_of(prompt.entries, first, most, size.columns, prompt.offers)
    room -= len(page.lines)
    about = _beginning(prompt.about, size.columns, room) if prompt.about else ""
    room -= _height(about, size.columns) if about else 0
    above = _last_that_fit(prompt.above, size.columns, room)
    room -= sum(_height(line, size.columns) for line in above)
    heights = ((sum(_height(line, size.columns) for line in scene), scene) for scene in prompt.scenes)
    return FittedPrompt(above, about, page, next((scene for height, scene in heights if height <= room), ()))


def _height(text: str, width: int) -> int:
    return len(wrap(text, width).split("\n"))


def _beginning(text: str, width: int, height: int) -> str:
    """The beginning of a text that takes no more lines than there is room for."""
    lines = wrap(text, width).split("\n")
    if len(lines) <= height:
        return text
    last = lines[max(height - 1, 0)]
    return "\n".join([*lines[: height - 1], f"{last[: width - 2].rstrip()} {ELLIPSIS}"]) if height > 0 else ""


def _last_that_fit(lines: Sequence[str], width: int, height: int) -> tuple[str, ...]:
    """The last lines that take no more than `height` of them together."""
    kept: list[str] = []
    for line in reversed(lines):
        height -= _height(line, width)
        if height < 0:
            break
        kept.insert(0, line)
    return tuple(kept)
