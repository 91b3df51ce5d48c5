"""Truncated numbers: the value of a chain of throws that is followed only to a limit has a lower bound.

The bound is enough for a rule that only asks whether 40 or more reaches a difficulty of 8, and then nothing is
missing. An operation that depends on more than the bound raises `Undecided`, and its weight is missing from the law.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.runtime.evaluator import LARGEST
from interpreter.runtime.functions import OpenNumber
from interpreter.runtime.functions import Undecided as Undecided


class AtLeast(OpenNumber):
    """A number that is `low` or more."""

    __slots__ = ("low",)

    def __init__(self, low: int) -> None:
        self.low = low

    def __repr__(self) -> str:
        return f"{self.low} or more"

    def __hash__(self) -> int:
        return hash((AtLeast, self.low))

    # A sum has the sum of the bounds; in a difference, the subtrahend must be known.

    def __pos__(self) -> AtLeast:
        return self

    def __add__(self, other: Any) -> AtLeast:
        return AtLeast(self.low + (other.low if isinstance(other, AtLeast) else other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> AtLeast:
        if isinstance(other, AtLeast):
            raise Undecided
        return AtLeast(self.low - other)

    def __mul__(self, other: Any) -> AtLeast | int:
        if other == 0:
            return 0
        if isinstance(other, AtLeast) or other < 0 or self.low < 0:
            raise Undecided
        return AtLeast(self.low * other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> AtLeast:
        if isinstance(other, AtLeast) or other <= 0:
            raise Undecided
        return AtLeast(self.low // other)

    def among(self, numbers: Sequence[Any], largest: bool) -> AtLeast:
        """The bound of the largest or the smallest of some numbers, of which this is one."""
        lows = [one.low if isinstance(one, AtLeast) else one for one in numbers]
        return AtLeast(max(lows) if largest else min(lows))

    def _undecided(self, *_: Any) -> Any:
        raise Undecided

    __rsub__ = __neg__ = __abs__ = __mod__ = __int__ = __index__ = __bool__ = __rfloordiv__ = _undecided

    # A bound decides a comparison if all numbers from the bound on give the same answer.

    def __ge__(self, other: Any) -> bool:
        if not isinstance(other, AtLeast) and self.low >= other:
            return True
        raise Undecided

    def __gt__(self, other: Any) -> bool:
        if not isinstance(other, AtLeast) and self.low > other:
            return True
        if not isinstance(other, AtLeast) and other >= LARGEST:
            return False  # no number of a run is larger
        raise Undecided

    def __lt__(self, other: Any) -> bool:
        return not self.__ge__(other)

    def __le__(self, other: Any) -> bool:
        return not self.__gt__(other)

    def __eq__(self, other: object) -> bool:
        if other is None or isinstance(other, str):
            return False
        if isinstance(other, int) and self.low > other:
            return False
        raise Undecided

    def __ne__(self, other: object) -> bool:
        return not self.__eq__(other)


UNKNOWN: Any = AtLeast(-(1 << 62))
"""The value of a die of which nothing is known."""


def has_open_keys(value: Any) -> bool:
    """Whether a map in a value has a key with only a lower bound: another key may be the same number."""
    if isinstance(value, dict):
        return any(type(key) is AtLeast or has_open_keys(one) for key, one in value.items())
    return type(value) is tuple and any(map(has_open_keys, value))
