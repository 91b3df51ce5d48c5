"""W1 and W2 sampled by hand with NumPy on one core: what simulation could be at its best."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

CHUNK = 1 << 15
"""Runs at a time: the columns stay in the cache of one core."""

FIVE = ((0, 1), (3, 4), (2, 4), (2, 3), (1, 4), (0, 3), (0, 2), (1, 3), (1, 2))
THREE = ((0, 2), (0, 1), (1, 2))
"""Networks that sort so many columns, the highest first."""


def generator(seed: int = 7) -> Any:
    return np.random.Generator(np.random.SFC64(seed))


def die(chance: Any, size: int) -> Any:
    return chance.integers(1, size + 1, size=CHUNK, dtype=np.uint8)


def contest(chance: Any, runs: int) -> Any:
    """W1: how often each pair of highest faces came; every rule of outcomes is then a table."""
    counted = np.zeros(256, np.int64)
    for _ in range(runs // CHUNK):
        own = [die(chance, size) for size in (12, 12, 10, 8)]
        against = [die(chance, size) for size in (10, 10, 10, 6)]
        mine = np.maximum(np.maximum(own[0], own[1]), np.maximum(own[2], own[3]))
        theirs = np.maximum(np.maximum(against[0], against[1]), np.maximum(against[2], against[3]))
        counted += np.bincount(mine * 16 + theirs, minlength=256)
    return counted


def damage(chance: Any, runs: int) -> Any:
    """W2: how often each number of hits came."""
    counted = np.zeros(16, np.int64)
    for _ in range(runs // CHUNK):
        blow = [die(chance, size) for size in (12, 12, 12, 10, 8)]
        soak = [die(chance, size) for size in (12, 12, 8)]
        _sort(blow, FIVE)
        _sort(soak, THREE)
        hits = (soak[0] == 1).astype(np.uint8)
        for place in range(5):
            against = soak[place] if place < 3 else np.uint8(1)
            hits += blow[place] > against
            hits += blow[place] >= against + np.uint8(5)
        counted += np.bincount(hits, minlength=16)
    return counted


def _sort(columns: list[Any], network: tuple[tuple[int, int], ...]) -> None:
    for i, j in network:
        low = np.minimum(columns[i], columns[j])
        np.maximum(columns[i], columns[j], out=columns[i])
        columns[j] = low


SAMPLED: dict[str, Callable[[Any, int], Any]] = {"W1": contest, "W2": damage}
