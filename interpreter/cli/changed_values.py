"""The values in which two states differ, in words, as the players at a terminal may see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter import ir
from interpreter.api.players import Names
from interpreter.api.state_json import things_data
from interpreter.api.visibility import redact_state
from interpreter.runtime.state import State
from interpreter.runtime.titles import Titles, titles_of
from interpreter.shown_text import in_one_line
from interpreter.values import in_words


def changed_values(program: ir.Program, before: State, after: State, names: Names | None) -> Iterator[str]:
    """A line for each thing of both states whose values differ: `ann: crew 5 → 3`.

    `names` are those by which `seen_by` means the players; None where nothing is hidden from them.
    """
    titles = titles_of(program, after)
    old, new = (
        data if names is None else redact_state(program, state, data, names)
        for state, data in ((before, things_data(program, before)), (after, things_data(program, after)))
    )
    for thing in (one for one in new if one in old):
        changes = list(_changes_of(titles, titles.kind_of(thing), old[thing], new[thing]))
        if changes:
            yield f"{titles.thing(thing)}: {', '.join(changes)}"


def _changes_of(titles: Titles, kind: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    has = titles.kinds[kind].has
    for name in dict.fromkeys((*old, *new)):
        was, now, shown = old.get(name), new.get(name), titles.attribute(kind, name).replace("_", " ")
        if was == now:
            continue
        part = has[name].part if name in has else None
        if part is not None:
            yield from (f"{shown} {one}" for one in _changes_of(titles, part, was or {}, now or {}))
        elif isinstance(was, Mapping) and isinstance(now, Mapping):
            keys = (key for key in dict.fromkeys((*was, *now)) if was.get(key) != now.get(key))
            each = ((f"{shown}({titles.word(key)})", was.get(key), now.get(key)) for key in keys)
            yield from (
                f"{one} {value_in_words(before, titles)} → {value_in_words(after, titles)}"
                for one, before, after in each
            )
        else:
            yield f"{shown} {value_in_words(was, titles)} → {value_in_words(now, titles)}"


def value_in_words(value: Any, titles: Titles) -> str:
    """A value as data in words, the names of words and things in it by their titles."""
    if isinstance(value, Mapping):
        values = {titles.word(key): one for key, one in value.items() if one not in (None, [], {})}
        return f"({', '.join(f'{key} {value_in_words(one, titles)}' for key, one in values.items())})"
    if isinstance(value, list):
        return f"[{', '.join(value_in_words(one, titles) for one in value)}]"
    return "none" if value is None else in_one_line(in_words(value, lambda text: titles.thing_or_word(str(text))))
