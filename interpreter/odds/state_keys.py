"""Values as keys: states that differ in nothing are one state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.odds.truncation import AtLeast
from interpreter.values import Die, Throw, Thrown


class ThrowNames(dict[str, Any]):
    """The names of a throw, all of them numbers, words or truths, so that a die with them may be a key."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


NO_NAMES: Mapping[str, Any] = ThrowNames()

PLAIN = frozenset((int, str, bool, type(None)))
"""Types of values that are keys as they are."""

KEYS: set[type] = {int, str, bool, type(None), Die}
"""The same, and types that were found to be as good: bags and the like."""

_DICE = frozenset((Die,))


def names_of(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names of a throw, as a key if they can be one."""
    return ThrowNames(record) if all(type(value) in PLAIN for value in record.values()) else record


def _hashable(dice: tuple[Thrown, ...]) -> bool:
    """Whether dice are keys as they are: their worth is known, and so are the names of their throws."""
    for one in dice:
        if type(one[4]) is not int or type(one[3]) is not tuple:
            return False
        if one[5] is not None and not PLAIN.issuperset([type(value) for _, value in one[5].names]):
            return False
        for throw in one[3]:
            if type(throw[3]) is not ThrowNames or type(throw[2]) is not int:
                return False
    return True


def frozen(value: Any) -> Any:
    """The value as something that can be a key: equal for equal values, and for no others."""
    kind = type(value)
    if kind in KEYS:
        return value
    if kind is tuple:
        first = type(value[0]) if value else None
        if (first is Die and _DICE.issuperset(map(type, value))) or (first is Thrown and _hashable(value)):
            return value
        return (tuple, *(value if PLAIN.issuperset(map(type, value)) else map(frozen, value)))
    if kind is dict:
        if PLAIN.issuperset(map(type, value.values())):
            return (dict, *value.items())
        return (dict, *[(name, frozen(one)) for name, one in value.items()])
    if kind is Thrown:
        if _hashable((value,)):
            return value
        die, part, key, throws, worth, scoring = value
        return (Thrown, die, part, key, frozen(throws), frozen(worth), frozen(scoring))
    if kind is Throw:
        face, nth, counts, names = value
        return (Throw, face, nth, frozen(counts), frozen(names) if names else None)
    if kind is AtLeast:
        return (AtLeast, value.low)
    if isinstance(value, Mapping):
        return (dict, *[(name, frozen(one)) for name, one in value.items()])
    if isinstance(value, tuple):
        more = frozen(getattr(value, "many", None))  # of throws that were followed no further
        return (kind, more, *map(frozen, tuple.__iter__(value)))
    KEYS.add(kind)
    return value


def key_of(value: Any) -> Any:
    """The same, without a look into what is a key as it is."""
    return value if type(value) in PLAIN else frozen(value)
