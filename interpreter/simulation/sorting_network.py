"""Sorting networks: many short rows are sorted at once, by comparisons of columns in a fixed order.

Source: K. E. Batcher, "Sorting networks and their applications" (1968); D. E. Knuth, The Art of Computer Programming
3, 5.2.2, algorithm M for any number of columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

Comparison = tuple[int, int, bool, bool]
"""Two columns, whether the larger value is needed in the first, and whether the smaller is needed in the second."""


@lru_cache(1000)
def network(size: int, wanted: tuple[tuple[int, Any], ...]) -> tuple[Comparison, ...]:
    """The comparisons that put the right values at the wanted places of a descending sort.

    Wanted places with the same label may exchange their values; those with the label None may not.
    """
    kept: list[Comparison] = []
    live: dict[int, Any] = dict(wanted)
    for high, low in reversed(list(_merge_exchange(size))):
        if high not in live and low not in live:
            continue
        if high in live and low in live and live[high] is not None and live[high] == live[low]:
            continue
        kept.append((high, low, high in live, low in live))
        live[high] = live[low] = None
    return tuple(reversed(kept))


def _merge_exchange(size: int) -> Iterator[tuple[int, int]]:
    if size < 2:
        return
    top = 1 << ((size - 1).bit_length() - 1)
    step = top
    while step > 0:
        q, r, d = top, 0, step
        while True:
            for i in range(size - d):
                if i & step == r:
                    yield i, i + d
            if q == step:
                break
            d, q, r = q - step, q >> 1, step
        step >>= 1
