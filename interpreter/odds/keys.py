"""Values as keys: states that differ in nothing are one state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.odds.tails import AtLeast
from interpreter.values import Throw, Thrown

PLAIN = frozenset((int, str, bool, type(None)))
"""Types of values that are keys as they are."""


def frozen(value: Any) -> Any:
    """The value as something that can be a key: equal for equal values, and for no others."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple:
        return (tuple, *map(frozen, value))
    if kind is dict:
        return (dict, *[(name, frozen(one)) for name, one in value.items()])
    if kind is Thrown:
        die, part, key, throws, worth = value
        return (Thrown, die, part, key, frozen(throws), frozen(worth))
    if kind is Throw:
        face, nth, counts, names = value
        return (Throw, face, nth, frozen(counts), frozen(names) if names else None)
    if kind is AtLeast:
        return (AtLeast, value.low)
    if isinstance(value, Mapping):
        return (dict, *[(name, frozen(one)) for name, one in value.items()])
    if isinstance(value, tuple):
        return (kind, *map(frozen, tuple.__iter__(value)))
    return value
