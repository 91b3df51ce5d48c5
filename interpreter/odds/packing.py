"""Polynomials packed in one whole number each, so that their product is one multiplication.

Source: Kronecker substitution.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.frozen import dataclass
from interpreter.odds.fold import Feature, Law


@dataclass(frozen=True, slots=True)
class Packing:
    """How a polynomial is packed in one whole number: a place of `size` bytes for each combination of exponents."""

    lows: tuple[int, ...]
    ranges: tuple[int, ...]
    strides: tuple[int, ...]
    size: int

    @property
    def entries(self) -> int:
        return self.strides[-1] * self.ranges[-1] if self.ranges else 1

    @property
    def bits(self) -> int:
        return 8 * self.size * self.entries


def packing_of(lows: list[int], ranges: list[int], ways: int) -> Packing:
    """A packing for axes with these lowest values and numbers of values, and for coefficients up to `ways`."""
    strides, stride = [], 1
    for one in ranges:
        strides.append(stride)
        stride *= one
    return Packing(tuple(lows), tuple(ranges), tuple(strides), (ways.bit_length() + 8) // 8)


def unpack(number: int, packing: Packing) -> Law:
    """The weight of each combination of values in a packed polynomial."""
    size, lows, ranges = packing.size, packing.lows, packing.ranges
    law: Law = {}
    data = number.to_bytes((number.bit_length() + 7) // 8 or 1, "little")
    if len(ranges) == 1:
        low = lows[0]
        for place in range(0, len(data), size):
            ways = int.from_bytes(data[place : place + size], "little")
            if ways:
                law[(low + place // size,)] = ways
        return law
    for place in range(0, len(data), size):
        ways = int.from_bytes(data[place : place + size], "little")
        if ways:
            at, values = place // size, []
            for low, width in zip(lows, ranges, strict=True):
                at, rest = divmod(at, width)
                values.append(low + rest)
            law[tuple(values)] = ways
    return law


def pack(rows: Iterable[tuple[Feature, int]], low: Sequence[int], packing: Packing) -> int:
    """The packed polynomial whose coefficients are the weights of these rows, exponents counted from `low`."""
    size, strides = 8 * packing.size, packing.strides
    made = 0
    for feature, ways in rows:
        at = 0
        for entry, least, stride in zip(feature, low, strides, strict=True):
            at += (entry - least) * stride
        made += ways << (size * at)
    return made
