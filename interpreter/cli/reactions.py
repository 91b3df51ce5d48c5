"""Reactions of one player to the same event, shown and answered on one screen."""

from __future__ import annotations

import re

from interpreter import diagnostics as say
from interpreter.api.questions import Request
from interpreter.cli.menu import MenuEntry
from interpreter.cli.request_text import shared_sentences, title_of, told_after
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass

HINT = "numbers, all, or Enter for none>"


@dataclass(frozen=True)
class ReactionMenu:
    """The `question` that several reactions have in common, what the ruleset says `about` all of them, and the
    `entries`: who would react, what else is asked of each, and what it costs."""

    question: str
    about: str
    entries: tuple[MenuEntry, ...]


def menu_of_reactions(request: Request) -> ReactionMenu:
    """The reactions to one event. What they have in common is said once, so that each line has room for the rest."""
    reactions = (request, *request.others)
    shared = shared_sentences([title_of(one) for one in reactions])
    names = [one.title_of(one.who) for one in reactions]
    costs = [one.meanings.get("yes", "") for one in reactions]
    abouts = {one.about for one in reactions}
    if len(abouts) > 1:
        costs = [". ".join(filter(None, (cost, one.about))) for cost, one in zip(costs, reactions, strict=True)]
    told = [f"{name}: {own}" if own else name for name, own in zip(names, shared.own, strict=True)]
    longest = max(map(len, told))
    entries = [
        MenuEntry(
            (
                f"  {number:>2}  {text:<{longest}}  {cost}".rstrip(),
                f"  {number:>2}  {text}  {cost}".rstrip(),
                f"  {number:>2}  {told_after(f'{name} ({cost})' if cost else name, own)}",
            )
        )
        for number, (name, own, text, cost) in enumerate(zip(names, shared.own, told, costs, strict=True), 1)
    ]
    return ReactionMenu(shared.text, request.about if len(abouts) == 1 else "", tuple(entries))


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
