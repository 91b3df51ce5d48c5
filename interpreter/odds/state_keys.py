"""Values as keys, by which equal states are merged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interpreter.odds.truncation import AtLeast
from interpreter.values import Die, Throw, Thrown


class ThrowNames(dict[str, Any]):
    """The names of a throw with plain values, hashable so that a die with them can be a key."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items())) if self else 0  # most throws have no names, and keys are hashed often


NO_NAMES: Mapping[str, Any] = ThrowNames()

PLAIN = frozenset((int, str, bool, type(None)))
"""Types of plain values, which are keys as they are: numbers, words, yes or no, and None."""

KEYS: set[type] = {int, str, bool, type(None), Die}
"""The same, and other hashable types that `frozen` has met, such as lazy rolls."""

_DICE = frozenset((Die,))


def names_of(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names of a throw, hashable if all values are plain."""
    return ThrowNames(record) if all(type(value) in PLAIN for value in record.values()) else record


def _hashable(values: tuple[Any, ...]) -> bool:
    """Whether values are dice that are keys as they are: with numbers as values, and plain names of their throws."""
    for one in values:
        if type(one) is not Thrown or type(one[4]) is not int or type(one[3]) is not tuple:
            return False
        if one[5] is not None and not PLAIN.issuperset([type(value) for _, value in one[5].names]):
            return False
        for throw in one[3]:
            if type(throw[3]) is not ThrowNames or type(throw[2]) is not int:
                return False
    return True


def freeze(value: Any, inner: Callable[[Any], Any] | None = None) -> Any:
    """A key of the value: two keys are equal if and only if the values are.

    `inner` gives the keys of the values in it, if they are not computed in the same way.
    """
    kind = type(value)
    if kind in KEYS:
        return value
    inner = inner or freeze
    if kind is tuple:
        first = type(value[0]) if value else None
        if (first is Die and _DICE.issuperset(map(type, value))) or (first is Thrown and _hashable(value)):
            return value
        return (tuple, *(value if PLAIN.issuperset(map(type, value)) else map(inner, value)))
    if kind is dict:
        if PLAIN.issuperset(map(type, value.values())):
            return (dict, *value.items())
        return (dict, *[(name, inner(one)) for name, one in value.items()])
    if kind is Thrown:
        if _hashable((value,)):
            return value
        die, part, key, throws, die_value, scoring = value
        return (Thrown, die, part, key, inner(throws), inner(die_value), inner(scoring))
    if kind is Throw:
        face, nth, counts, names = value
        return (Throw, face, nth, inner(counts), inner(names) if names else None)
    if kind is AtLeast:
        return value.key
    if isinstance(value, Mapping):
        return (dict, *[(name, inner(one)) for name, one in value.items()])
    if isinstance(value, tuple):
        more = inner(getattr(value, "many", None))  # of truncated throws
        return (kind, more, *map(inner, tuple.__iter__(value)))
    KEYS.add(kind)
    return value


def key_entries(key: Any) -> int:
    """The number of entries of a key, counted through all tuples in it: a measure of time and memory of the state."""
    if not isinstance(key, tuple):
        return 1
    return 1 + sum([key_entries(one) if isinstance(one, tuple) else 1 for one in key])


def key_of(value: Any) -> Any:
    """The same, faster for plain values."""
    return value if type(value) in PLAIN else freeze(value)
