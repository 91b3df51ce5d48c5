"""The law of the sum of hundreds of equal dice, whose packed polynomial would be too long to multiply.

Source: D. E. Knuth, "The Art of Computer Programming" 2, 4.7, for powers of a polynomial, coefficient by coefficient
(J. C. P. Miller).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.odds.meter import ROW, Meter


def long_sum(features: Mapping[tuple[int, ...], int], count: int, meter: Meter) -> dict[tuple[Any, ...], int]:
    """The law of the sum of a number of equal dice.

    The coefficients `c` of the power `P = p^n` follow from `p · P' = n · p' · P`. For dice that show each of `s`
    numbers equally often, `p` is `(1 - x^s) / (1 - x)`, and five terms are enough whatever `s` is.
    """
    low = min(value for (value,) in features)
    width = max(value for (value,) in features) - low
    ways = [features.get((low + place,), 0) for place in range(width + 1)]
    one, length = ways[0], count * width
    words = 1 + (sum(ways) ** count).bit_length() // 64
    made = [one**count]
    if width and ways == [one] * (width + 1):
        size = width + 1
        for m in range(length // 2):
            meter.spend(4 + words // 8)
            back = (m + 1 - size) - count * size
            total = (m + count) * made[m]
            if m + 1 >= size:
                total += back * made[m + 1 - size]
            if m >= size:
                total += (count * size - count - (m - size)) * made[m - size]
            made.append(total // (m + 1))
        made += made[: length + 1 - len(made)][::-1]
    else:
        steps = [(place, weight) for place, weight in enumerate(ways) if place and weight]
        for m in range(1, length + 1):
            meter.spend(len(steps) * (2 + words // 8))
            total = sum([(place * (count + 1) - m) * weight * made[m - place] for place, weight in steps if place <= m])
            made.append(total // (m * one))
    meter.check_memory(len(made) * (ROW + 8 * words))
    return {(low * count + place,): weight for place, weight in enumerate(made) if weight}
