"""Numbers that are estimated from a sample, each with its standard error."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

NORMAL_95 = 1.959963984540054
"""The half width of the 95 % interval of a normal estimate, in standard errors."""


class Estimate(Fraction):
    """An estimate from a sample of `runs`, with its standard `error`, and the ends of its 95 % interval.

    The interval from `low` to `high` of a share is Wilson's, which is never empty: a value that no run had may still
    have a chance. (E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.)
    """

    __slots__ = ("error", "high", "low", "runs")
    error: float
    low: float
    high: float
    runs: int

    @classmethod
    def share(cls, count: int, runs: int) -> Estimate:
        """The share of `count` out of `runs`."""
        one = cls(count, runs)
        p, z2 = count / runs, NORMAL_95**2
        middle = (p + z2 / (2 * runs)) / (1 + z2 / runs)
        half = NORMAL_95 * math.sqrt(p * (1 - p) / runs + z2 / (4 * runs**2)) / (1 + z2 / runs)
        one.error, one.runs = math.sqrt(p * (1 - p) / runs), runs
        one.low = max(middle - half, 0.0) if count else 0.0
        one.high = min(middle + half, 1.0) if count < runs else 1.0
        return one

    @classmethod
    def of_mean(cls, mean: Fraction, deviation: float, runs: int) -> Estimate:
        """The mean of a number over `runs`, with its standard deviation."""
        one = cls(mean)
        one.error, one.runs = deviation / math.sqrt(runs), runs
        one.low, one.high = float(mean) - NORMAL_95 * one.error, float(mean) + NORMAL_95 * one.error
        return one

    @property
    def count(self) -> int:
        """In how many runs it was so, of a share."""
        return round(self * self.runs)

    def __str__(self) -> str:
        """`0.4375 ± 0.0005`: as many places as the error allows."""
        places = min(max(1 - math.floor(math.log10(self.error)), 0), 15) if self.error else 0
        return f"{float(self):.{places}f} ± {self.error:.{places}f}" if self.error else f"{float(self):g}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)

    def __reduce__(self) -> Any:
        return _estimate, (self.numerator, self.denominator, self.error, self.low, self.high, self.runs)


def _estimate(numerator: int, denominator: int, error: float, low: float, high: float, runs: int) -> Estimate:
    estimate = Estimate(numerator, denominator)
    estimate.error, estimate.low, estimate.high, estimate.runs = error, low, high, runs
    return estimate
