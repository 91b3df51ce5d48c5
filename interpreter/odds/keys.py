"""Values as keys: states that differ in nothing are one state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.odds.tails import AtLeast
from interpreter.values import Thrown

_PLAIN = (int, str, bool, type(None))


def frozen(value: Any) -> Any:
    """The value as something that can be a key: equal for equal values, and for no others."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is AtLeast:
        return (AtLeast, value.low)
    if kind is Thrown:
        return (Thrown, value.die, value.part, value.key, frozen(value.throws), frozen(value.value))
    if isinstance(value, Mapping):
        return (dict, *[(name, frozen(one)) for name, one in value.items()])
    if isinstance(value, tuple):
        return (kind, *[frozen(one) for one in tuple.__iter__(value)])
    return value
