"""What the summary of a kind shows of a thing, as it is now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interpreter.frozen import dataclass
from interpreter.runtime import objects
from interpreter.runtime.evaluator import Closures, Frame
from interpreter.runtime.state import SCENE, STATE, State
from interpreter.runtime.titles import NO_TITLES, Titles
from interpreter.values import Die, Thing, Thrown


@dataclass(frozen=True, slots=True)
class OutOf:
    """Points or a track with an upper bound: `3 of 8`."""

    now: int
    most: int

    def __str__(self) -> str:
        return f"{self.now} of {self.most}"


NO_ROOM = OutOf(0, 0)
"""Points or a track that can hold nothing: `mana` of somebody without magic."""


class ByWord(dict[str, Any]):
    """The values of an attribute with `per`, by word; a plain mapping is the summary of a part."""


def summary_of(closures: Closures, given: Frame, thing: Thing) -> dict[str, Any]:
    """The values of the attributes that the summary of its kind names, by name; of a part, those of its kind or all.

    `given` is a frame that holds the state.
    """
    kind = closures.program.kinds[thing.kind]
    return {name: _value(closures, given, thing, name) for name in kind.summary}


def _value(closures: Closures, given: Frame, thing: Thing, name: str) -> Any:
    """The value of an attribute that is stored or derived, points and tracks beside their upper bound."""
    kinds = closures.program.kinds
    one = kinds[thing.kind].has[name]
    if one.part is not None:
        part = Thing(f"{thing.id}.{name}", one.part)
        named = kinds[one.part].summary or kinds[one.part].has
        return {key: _value(closures, given, part, key) for key in named}
    if one.derived is not None:
        return closures.attribute(thing.kind, name)(thing, given)
    value = objects.value_at(given[STATE], thing, name, None)

    def beside_bound(value: Any, key: Any = None) -> Any:
        if not one.counter:
            return value
        _, most = objects.current_limits(closures, thing, one, given, given[STATE], key)
        return OutOf(value, most) if most is not None else value

    return (
        beside_bound(value)
        if one.per is None
        else ByWord({key: beside_bound(each, key) for key, each in value.items()})
    )


def things_taking_part(state: State) -> frozenset[str]:
    """The things that the scene under way names in its inputs and attributes; none outside of a scene."""
    scene = state.things.get(SCENE)
    return _things_in(scene.values.values()) if scene is not None else frozenset()


def _things_in(values: Iterable[Any]) -> frozenset[str]:
    """The names of the things in values and in lists of them."""
    found: set[str] = set()
    for one in values:
        found |= _things_in(one) if type(one) is tuple else {one.id} if isinstance(one, Thing) else set()
    return frozenset(found)


def summary_in_words(has: Mapping[str, Any], titles: Titles = NO_TITLES, kind: str = "", of: str = "") -> str:
    """A summary in words, without what is not there or can hold nothing: `wounds 2 of 6, place gate, unconscious`.

    `kind` is that of the thing, whose attributes may have titles, and `of` its name: its parts are told without it.
    """
    return ", ".join(
        titles.attribute(kind, name).replace("_", " ")
        + ("" if value is True else f" {value_in_summary(value, titles, of, _kind_of_part(titles, kind, name))}")
        for name, value in has.items()
        if not _is_nothing(value)
    )


def parted_by_count(has: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A summary in two: what is counted, a number or points and tracks out of a most, and the rest."""
    counted = {name: value for name, value in has.items() if type(value) is int or isinstance(value, OutOf)}
    return counted, {name: value for name, value in has.items() if name not in counted}


def counts_in_short(has: Mapping[str, Any], titles: Titles = NO_TITLES, kind: str = "") -> list[str]:
    """Each count of a summary in short: `wounds 2/6`, `moves 1`."""
    short = {name: f"{one.now}/{one.most}" if isinstance(one, OutOf) else one for name, one in has.items()}
    there = {name: one for name, one in short.items() if not _is_nothing(has[name])}
    return [f"{titles.attribute(kind, name).replace('_', ' ')} {one}" for name, one in there.items()]


def _kind_of_part(titles: Titles, kind: str, name: str) -> str:
    """The kind of a part."""
    of = titles.kinds.get(kind)
    return (of.has[name].part or "") if of is not None and name in of.has else ""


def _is_nothing(value: Any) -> bool:
    if isinstance(value, ByWord):
        return all(map(_is_nothing, value.values()))
    return value is None or value is False or value == () or value == NO_ROOM


def value_in_summary(value: Any, titles: Titles, of: str = "", part: str = "") -> str:
    """A value of the summary of a thing in words: `of` is the name of the thing, and `part` the kind of a part of it
    that the value tells of. Of several, the last is parted by `and`: `reeling, floored and out`."""
    if isinstance(value, ByWord):
        held = {titles.word(word).replace("_", " "): one for word, one in value.items() if not _is_nothing(one)}
        told = (f"{word}{_text_after_word(one, titles)}" for word, one in held.items())
        return f"({', '.join(told)})"
    if isinstance(value, dict):
        told = (f"{titles.attribute(part, name)} {value_in_summary(one, titles)}" for name, one in value.items())
        return f"({', '.join(told)})"
    if isinstance(value, Thing):
        is_own_part = of and value.id.startswith(f"{of}.")
        return titles.parts(value.id)[-1] if is_own_part else titles.thing(value.id)
    if isinstance(value, OutOf):
        return str(value)
    if type(value) is not tuple or not value or isinstance(value[0], Die | Thrown):
        return titles.value(value)
    return joined_with_and([value_in_summary(one, titles, of) for one in value])


def joined_with_and(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _text_after_word(value: Any, titles: Titles) -> str:
    return "" if value is True else f" {value_in_summary(value, titles)}"
