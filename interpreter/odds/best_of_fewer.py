"""The laws of the sum of the best dice of a roll and of all rolls of fewer of its dice, in one sweep over the values.

Some of the dice are left out of each of these rolls, and take the first ranks: tails, which are higher than all others.
From the lowest value up, a state is how many dice of each group there are, and its weight is a packed polynomial of the
sum. Dice that show the next value are higher than those before, so they take the ranks that come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, prod

from interpreter.odds.fold import Axis, Group, Law
from interpreter.odds.meter import Meter
from interpreter.odds.packing import Packing, packing_of, unpack
from interpreter.odds.truncation import AtLeast

Counts = tuple[int, ...]
"""A number of dice for each group."""

MOST_BITS = 3_000_000
"""The limit on the length of a packed polynomial."""


def laws_of_best_of_fewer(groups: Sequence[Group], axes: Sequence[Axis], meter: Meter) -> dict[Counts, Law] | None:
    """The law of the only axis for each number of dice of the groups that are no tails, where tails take the first
    ranks. None where the axis is no sum of several highest dice, or where a tail may be lower than another die."""
    if len(axes) != 1 or axes[0].kind != "top" or axes[0].one or axes[0].skip or axes[0].k < 2:
        return None
    entries = [value for features, _ in groups for (value,) in features]
    lows = [value.low for value in entries if type(value) is AtLeast]
    values = sorted({value for value in entries if type(value) is not AtLeast}, key=lambda one: (one is None, one))
    if not lows or not values or values[-1] is None or values[-1] >= min(lows):
        return None
    counts = tuple([count for _, count in groups])
    most = min(axes[0].k, sum(counts))
    ways = prod([sum(features.values()) ** count for features, count in groups])
    packing = packing_of([0], [1 + most * (values[-1] - values[0])], ways)
    if packing.bits > MOST_BITS:
        return None
    packed = _polynomials(groups, values, counts, most, packing, meter)
    laws: dict[Counts, Law] = {}
    for left, poly in packed.items():
        ranked = min(max(most - sum(counts) + sum(left), 0), sum(left))
        low = values[0] * ranked
        laws[left] = {(low + value,): weight for (value,), weight in unpack(poly, packing).items()}
        meter.count_unpacking(1 + poly.bit_length() // (8 * packing.size))
    return laws


def _polynomials(
    groups: Sequence[Group], values: Sequence[int], counts: Counts, most: int, packing: Packing, meter: Meter
) -> dict[Counts, int]:
    """By how many dice of each group there are, the polynomial of the sum of those whose rank is `most` or less, each
    counted from the lowest value."""
    dice = sum(counts)
    packed = dict.fromkeys(product(*[range(count, -1, -1) for count in counts]), 0)
    packed[(0,) * len(counts)] = 1
    for value in values:
        step = 8 * packing.size * (value - values[0])
        for group, (features, _) in enumerate(groups):
            ways = features.get((value,), 0)
            if not ways:
                continue
            for left in packed:  # from the most dice of this group down, so that fewer are as they were before
                ranked = max(most - dice + sum(left), 0)
                made = packed[left]
                for shown in range(1, left[group] + 1):
                    before = packed[(*left[:group], left[group] - shown, *left[group + 1 :])]
                    if before:
                        made += (comb(left[group], shown) * ways**shown * before) << (step * min(shown, ranked))
                packed[left] = made
                meter.spend(1 + left[group] + (made.bit_length() * left[group] >> 15))
    return packed
