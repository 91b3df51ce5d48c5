"""Titles: what people read, and may type, in place of names."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import diagnostics as say
from interpreter.checker.world import World
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, entries_of, value_at

_LISTS = ("inputs", "takes", "has", "steps", "each", "then", "keys", "first_of", "outcomes", "one_of", "rungs")
"""The keys below which names stand that may have titles."""

_OF_WORDS = ("outcomes", "one_of", "rungs")
"""Those of which the names are words."""


def check_titles(world: World) -> None:
    """Report titles that two of a list have, or that are the name of another, and words that have several titles."""
    for entries in _lists_with_titles(world):
        names = {entry.key.text.casefold(): entry.key for entry in entries}
        seen: dict[str, Scalar] = {}
        for entry in entries:
            title = _title_of(entry.value)
            if title is None:
                continue
            text = _title_text(title).casefold()
            other = seen.get(text) or names.get(text.replace(" ", "_")) or names.get(text)
            if other is not None and other is not entry.key:
                world.problems.add(say.title_taken(title.span, _title_text(title), other.span))
            seen.setdefault(text, title)
    first: dict[str, Scalar] = {}
    for entry in _words(world):
        title = _title_of(entry.value)
        if title is not None and _title_text(first.setdefault(entry.key.text, title)) != _title_text(title):
            world.problems.add(
                say.two_titles(title.span, entry.key.text, _title_text(title), first[entry.key.text].span)
            )


def word_titles(world: World) -> dict[str, str]:
    """The titles of words of all lists: a word has one, whichever list it stands in."""
    titles = ((entry.key.text, _title_of(entry.value)) for entry in _words(world))
    return {word: _title_text(title) for word, title in titles if title is not None}


def _words(world: World) -> Iterator[Entry]:
    """The words of lists, ladders, tags and outcomes."""
    yield from world.section("tags").values()
    for section in ("names", "ladders"):
        for entry in world.section(section).values():
            if isinstance(entry.value, Mapping) and "rungs" not in entry.value:
                yield from entry.value.entries
    for key, entries in _inner_lists(world):
        if key in _OF_WORDS:
            yield from entries


def _lists_with_titles(world: World) -> Iterator[tuple[Entry, ...]]:
    """The entries of each list whose names may have titles."""
    for section in ("tags", "roles", "options", "kinds"):
        yield tuple(world.section(section).values())
    for section in ("names", "ladders"):
        for entry in world.section(section).values():
            if isinstance(entry.value, Mapping):
                yield entry.value.entries
    kinds = (entry.value for entry in world.section("things").values())
    yield tuple([entry for kind in kinds if isinstance(kind, Mapping) for entry in kind.entries])
    for _, entries in _inner_lists(world):
        yield entries


def _inner_lists(world: World) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """The lists inside declarations and rules, with their keys."""
    stack: list[Node] = []
    for name, section in world.sections.items():
        if name not in ("notes", "policies", "things"):
            stack += [entry.value for entry in section.values()]
    while stack:
        here = stack.pop()
        for entry in entries_of(here):
            if isinstance(entry.value, Mapping):
                stack.append(entry.value)
                if entry.key.text in _LISTS:
                    yield entry.key.text, entry.value.entries


def _title_of(node: Node) -> Scalar | None:
    title = value_at(node, "title")
    return title if isinstance(title, Scalar) else None


def _title_text(title: Scalar) -> str:
    return " ".join(title.text.split())
