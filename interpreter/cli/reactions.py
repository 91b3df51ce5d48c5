"""Reactions of one player to the same event, shown and answered on one screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter import diagnostics as say
from interpreter.api.questions import Request
from interpreter.cli.request_text import title_of
from interpreter.diagnostics import PlayError

HINT = "numbers, all, or Enter for none>"


def lines_of_reactions(request: Request) -> Iterator[str]:
    """Each reaction with its number, who would react, and what it costs."""
    reactions = (request, *request.others)
    shown = [f"{one.title_of(one.who)}: {title_of(one)}" for one in reactions]
    width = max(map(len, shown))
    for number, (one, text) in enumerate(zip(reactions, shown, strict=True), 1):
        yield f"  {number:>2}  {text:<{width}}  {one.meanings.get('yes', '')}".rstrip()


def wanted_reactions(request: Request, text: str) -> list[int]:
    """The reactions that a text wants, by their numbers from 0: `1 3`, the names of those who react, all or none.

    Raises PlayError for a text that says something else.
    """
    reactions = (request, *request.others)
    words = [one.strip().lower() for one in re.split(r"[,\s]+", text) if one.strip()]
    if not words or words in (["no"], ["n"], ["none"], ["0"]):
        return []
    if words in (["all"], ["yes"], ["y"]):
        return list(range(len(reactions)))
    wanted: list[int] = []
    for word in words:
        of_name = [place for place, one in enumerate(reactions) if word in (one.who, one.title_of(one.who).lower())]
        place = int(word) - 1 if word.isdecimal() and word.isascii() else None
        if place is not None and 0 <= place < len(reactions):
            wanted.append(place)
        elif of_name:
            wanted += of_name
        else:
            known = [str(number) for number in range(1, len(reactions) + 1)]
            raise PlayError(say.not_one_of(say.NOWHERE, "who reacts", word, [*known, "all", "none"]))
    return sorted(set(wanted))
