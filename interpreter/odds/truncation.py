"""Truncated numbers: the value of a chain of throws that is followed only to a limit has a lower bound.

The bound is enough for a rule that only asks whether 40 or more reaches a difficulty of 8, and then nothing is
missing. An operation that depends on more than the bound raises `Undecided`, and its weight is missing from the law.

Beside the bound, a number may carry its mean: the mean of the number in all runs that share the state it is in, exactly
or between two bounds. Adding, subtracting, and multiplying by a known number keep it exact, whatever depends on what,
as the mean of a sum is the sum of the means, and so does `abs` of what is not below 0. Halves, the largest or smallest
of several numbers, and the sum of the best of them have a mean within bounds: none of these grows faster than the
numbers together that it reads. Every other operation loses the mean. So does what tells the runs of a state apart by
the same dice later.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, Literal

from interpreter.diagnostics import PlayError
from interpreter.ir.types import LARGEST
from interpreter.runtime.functions import OpenNumber
from interpreter.runtime.functions import Undecided as Undecided

Tails = Literal["all", "few", "short"]
"""Which lower bounds are followed of a number that is read of chains: all of them; all, if few are beside other numbers
that differ; or a few, with exact means, one of which is for the whole upper tail."""


class ManyBounds(PlayError):
    """Raised where tails are too many for their bounds to be followed, and are better short."""


LOWEST = -(1 << 62)
"""The lower bound of a number of which none is known; every number of a run is larger."""


class AtLeast(OpenNumber):
    """A number that is `low` or more. Its mean is above that by `above` or more, and by `most` at the most.

    Both are None where nothing is known of the mean; they are equal where it is known exactly, as without `most`.
    """

    __slots__ = ("above", "low", "most")

    def __init__(self, low: int, above: Fraction | None = None, most: Fraction | None = None) -> None:
        self.low = low
        self.above = above
        self.most = above if most is None else most

    @property
    def mean(self) -> Fraction | None:
        """The mean of the number in the runs of its state; None if it is not known exactly."""
        return None if self.above is None or self.above != self.most else self.low + self.above

    @property
    def mean_between(self) -> tuple[Fraction, Fraction] | None:
        """The lower and the upper bound of that mean; None if nothing is known of it."""
        if self.above is None or self.most is None:
            return None
        return self.low + self.above, self.low + self.most

    @property
    def key(self) -> tuple[Any, ...]:
        """The number as plain data: two are equal if bound and mean are, so no states with unequal means merge."""
        if self.above is None or self.most is None:
            return (AtLeast, self.low)
        known = (AtLeast, self.low, self.above.numerator, self.above.denominator)  # hashed faster than a fraction
        return known if self.above == self.most else (*known, self.most.numerator, self.most.denominator)

    @property
    def bound(self) -> AtLeast:
        """The number without its mean."""
        return self if self.above is None else AtLeast(self.low)

    def mix(self, ways: int, other: AtLeast, more: int) -> AtLeast:
        """This number in so many of the ways, and another with the same bound in the others."""
        if self.above is None or other.above is None or self.most is None or other.most is None:
            return self.bound
        total = ways + more
        return AtLeast(
            self.low, (self.above * ways + other.above * more) / total, (self.most * ways + other.most * more) / total
        )

    def __repr__(self) -> str:
        return f"{self.low} or more"

    def __hash__(self) -> int:
        # As text: whole numbers such as -1 and -2 have one hash, and keys of one hash are compared, which raises.
        return hash((*self.key, str(self.low)))

    # A sum has the sum of the bounds. Of what a number is subtracted from, only the mean is left, if it is known.

    def __pos__(self) -> AtLeast:
        return self

    def __add__(self, other: Any) -> AtLeast:
        if not isinstance(other, AtLeast):
            return AtLeast(self.low + other, self.above, self.most)
        if self.above is None or other.above is None or self.most is None or other.most is None:
            return AtLeast(self.low + other.low)
        return AtLeast(self.low + other.low, self.above + other.above, self.most + other.most)

    __radd__ = __add__

    def __sub__(self, other: Any) -> AtLeast:
        if isinstance(other, AtLeast):
            return self.__add__(other._times_mean(-1))
        return AtLeast(self.low - other, self.above, self.most)

    def __rsub__(self, other: Any) -> AtLeast:
        return self._times_mean(-1).__add__(other)

    def __neg__(self) -> AtLeast:
        return self._times_mean(-1)

    def __mul__(self, other: Any) -> AtLeast | int:
        if isinstance(other, AtLeast):
            raise Undecided
        if other == 0:
            return 0
        if other < 0 or self.low < 0:
            return self._times_mean(other)
        if self.above is None or self.most is None:
            return AtLeast(self.low * other)
        return AtLeast(self.low * other, self.above * other, self.most * other)

    __rmul__ = __mul__

    def _times_mean(self, factor: int) -> AtLeast:
        """The product with a number, of which only the mean is known. Raises Undecided if that of this one is not."""
        if self.mean_between is None:
            raise Undecided
        least, most = sorted([bound * factor for bound in self.mean_between])
        return AtLeast(LOWEST, least - LOWEST, most - LOWEST)

    def __floordiv__(self, other: Any) -> AtLeast:
        """The whole quotient: what is cut off lies between 0 and 1 - 1/n of the number divided by."""
        if isinstance(other, AtLeast) or other <= 0:
            raise Undecided
        low, rest = divmod(self.low, other)
        if self.above is None or self.most is None or other == 1:
            return AtLeast(low, self.above, self.most)
        return AtLeast(low, max(Fraction(0), (self.above + rest + 1 - other) / other), (self.most + rest) / other)

    def __abs__(self) -> AtLeast:
        if self.low >= 0:
            return self
        if self.mean_between is None or self.most is None:
            return AtLeast(0)
        least, most = self.mean_between
        return AtLeast(0, max(Fraction(0), least, -most), self.most - self.low)

    def extreme_of(self, numbers: Sequence[Any], largest: bool) -> AtLeast:
        """The bound of the largest or the smallest of some numbers, of which this is one."""
        lows = [one.low if isinstance(one, AtLeast) else one for one in numbers]
        bounds = [one for one in numbers if isinstance(one, AtLeast)]
        if largest:
            return bounds[0] if len(bounds) == 1 and bounds[0].low == max(lows) else bound_at_lows(max(lows), bounds)
        low = min(lows)
        between = [one.mean_between if isinstance(one, AtLeast) else (one, one) for one in numbers]
        highest = [one[1] for one in between if one is not None]  # the mean of the smallest is no higher than any
        return AtLeast(low, Fraction(0), Fraction(min(highest) - low)) if highest else AtLeast(low)

    def _raise_undecided(self, *_: Any) -> Any:
        raise Undecided

    __mod__ = __int__ = __index__ = __bool__ = __rfloordiv__ = _raise_undecided

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


def bound_at_lows(value: int, tails: Sequence[AtLeast]) -> AtLeast:
    """What is `value` where some numbers are as low as they may be, and grows no faster than they do together.

    Such are the largest of several numbers, the k-th, and the sum of the best of them, whichever of them rank first.
    """
    above = [one.most for one in tails if one.most is not None]
    return AtLeast(value, Fraction(0), sum(above, Fraction(0))) if len(above) == len(tails) else AtLeast(value)


def cap_value(value: Any, cap: int | None) -> Any:
    """A number as one that is `cap` or more, where it is more; every other value as it is."""
    if cap is None or not (value.low if type(value) is AtLeast else value if type(value) is int else cap) > cap:
        return value
    return AtLeast(cap)


def cap_law(rows: list[tuple[tuple[Any, ...], int]], cap: int) -> list[tuple[tuple[Any, ...], int]]:
    """A law with its numbers capped; rows that are then equal are one."""
    made: dict[tuple[Any, ...], tuple[tuple[Any, ...], int]] = {}
    for row, ways in rows:
        values = tuple([cap_value(value, cap) for value in row])
        key = tuple([value.key if type(value) is AtLeast else value for value in values])
        made[key] = values, ways + (made[key][1] if key in made else 0)
    return list(made.values())


IN_A_TAIL = 10**14
"""One in so many is the chance of a tail that is one bound."""


def shorten_tail(rows: list[tuple[tuple[Any, ...], int]], total: int) -> list[tuple[tuple[Any, ...], int]]:
    """The law of one number, whose upper tail is one bound with its mean, if chains give it a tail without end."""
    if not any(type(value) is AtLeast for (value,), _ in rows):
        return rows
    if not all(type(value) in (int, AtLeast) for (value,), _ in rows):
        return rows
    ordered = sorted(rows, key=lambda row: low_of(row[0][0]), reverse=True)
    weights = [weight for weight in accumulate([ways for _, ways in ordered]) if weight * IN_A_TAIL <= total]
    tail = len(weights)
    if tail < 2:
        return rows
    low = min(low_of(value) for (value,), _ in ordered[:tail])
    beyond, weight = AtLeast(low, Fraction(0)), 0
    for (value,), ways in ordered[:tail]:
        beyond = beyond.mix(weight, _lower_bound(value, low), ways)
        weight += ways
    return [*ordered[tail:], ((beyond,), weight)]


MOST_BOUNDS = 8
"""How many different bounds the law of one number keeps where its tail is shortened."""


def merge_bounds(rows: list[tuple[tuple[Any, ...], int]]) -> list[tuple[tuple[Any, ...], int]]:
    """The law of one number with no more than a few bounds: neighbors become one, with the lower bound of the lowest.

    Their means stay. What is decided by less than their bounds stays decided, and more is decided only where another
    number lies as far up as those that chains without end lead to.
    """
    bounds = sorted([row for row in rows if type(row[0][0]) is AtLeast], key=lambda row: row[0][0].low)
    if len(bounds) <= MOST_BOUNDS:
        return rows
    made = [row for row in rows if type(row[0][0]) is not AtLeast]
    size = -(-len(bounds) // MOST_BOUNDS)
    for first in range(0, len(bounds), size):
        low = bounds[first][0][0].low
        merged, weight = AtLeast(low, Fraction(0)), 0
        for (value,), ways in bounds[first : first + size]:
            merged = merged.mix(weight, _lower_bound(value, low), ways)
            weight += ways
        made.append(((merged,), weight))
    return made


def _lower_bound(value: Any, low: int) -> AtLeast:
    """A number as one that is `low`, which is no higher, or more."""
    if not isinstance(value, AtLeast):
        return AtLeast(low, Fraction(value - low))
    if value.above is None or value.most is None:
        return AtLeast(low)
    return AtLeast(low, value.above + value.low - low, value.most + value.low - low)


def low_of(value: Any) -> Any:
    """The lower bound of a number of which only that is known; any other value as it is."""
    return value.low if type(value) is AtLeast else value


UNKNOWN: Any = AtLeast(LOWEST)
"""The value of a die of which nothing is known."""


def has_open_keys(value: Any) -> bool:
    """Whether a map in a value has a key with only a lower bound: another key may be the same number."""
    if isinstance(value, dict):
        return any(type(key) is AtLeast or has_open_keys(one) for key, one in value.items())
    return type(value) is tuple and any(map(has_open_keys, value))
