"""What two rolls have in common, by a formula over multisets of faces."""

from __future__ import annotations

from fractions import Fraction
from math import factorial


def equal_in_order(dice: int, sides: int) -> Fraction:
    """The chance that two rolls of equal dice show the same faces: the squares of the multinomials of all multisets."""
    each = [Fraction(1, factorial(many) ** 2) for many in range(dice + 1)]
    sums = [Fraction(1)] + [Fraction(0)] * dice  # by the number of dice placed so far
    for _ in range(sides):
        sums = [sum([sums[rest] * each[n - rest] for rest in range(n + 1)], Fraction(0)) for n in range(dice + 1)]
    return sums[dice] * factorial(dice) ** 2 / Fraction(sides ** (2 * dice))
