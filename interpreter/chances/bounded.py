"""Numbers that are known within bounds which hold for certain, unlike those of an estimate."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any


class Bounded(Fraction):
    """A number that lies between `low` and `high`: the middle of them, which is off by no more than `error`."""

    __slots__ = ("high", "low")
    low: Fraction
    high: Fraction

    @classmethod
    def between(cls, low: Fraction, high: Fraction) -> Bounded:
        """The middle of two bounds."""
        one = cls((low + high) / 2)
        one.low, one.high = low, high
        return one

    @property
    def error(self) -> float:
        """By how much the number may be off, with what is lost where it is written as a `float`."""
        return float((self.high - self.low) / 2 + abs(Fraction(self)) / 2**52)

    def __str__(self) -> str:
        """`17.4051 ± 3.9e-15`."""
        places = min(max(1 - math.floor(math.log10(self.error)), 0), 6)
        return f"{float(self):.{places}f} ± {self.error:.2g}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)

    def __reduce__(self) -> Any:
        return Bounded.between, (self.low, self.high)
