"""Which parameters of a test run only in `.ci/run`, or only at night."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations, count, product
from pathlib import Path
from typing import Any

import pytest

from interpreter import bundled


def thorough(values: Iterable[Any], slow: Callable[..., bool], every: int = 1) -> list[Any]:
    """The parameters of a test, each a value or a tuple of several, with the mark `thorough` on those that are slow.

    Of these, `.ci/run` tries one in so many; the others have the mark `nightly`.
    """
    rows = [one if isinstance(one, tuple) else (one,) for one in values]
    number = count()
    marks = [
        [] if not slow(*row) else [pytest.mark.nightly if next(number) % every else pytest.mark.thorough]
        for row in rows
    ]
    return [pytest.param(*row, marks=mark) for row, mark in zip(rows, marks, strict=True)]


def at_night(values: Iterable[Any], slow: Callable[..., bool]) -> list[Any]:
    """The parameters of a test, with the mark `nightly` on those that are slow."""
    rows = [one if isinstance(one, tuple) else (one,) for one in values]
    return [pytest.param(*row, marks=[pytest.mark.nightly] if slow(*row) else []) for row in rows]


def grid(*lists: Iterable[Any], every: int = 1) -> list[Any]:
    """The rows of a full product of these lists, each a parameter of a test.

    `.ci/run` tries rows in which every pair of values of two lists occurs, and one in so many of them is tried after
    each change; the other rows of the product have the mark `nightly`.
    """
    values = [list(one) for one in lists]
    rows = pairwise(values)
    marks: dict[tuple[int, ...], list[pytest.MarkDecorator]] = {
        row: [pytest.mark.thorough] if number % every else [] for number, row in enumerate(rows)
    }
    return [
        pytest.param(
            *(one[place] for one, place in zip(values, row, strict=True)), marks=marks.get(row, [pytest.mark.nightly])
        )
        for row in product(*(range(len(one)) for one in values))
    ]


def sample(values: Iterable[Any], first: int, most: int) -> list[Any]:
    """The parameters of a test of which any share would do: the first ones, more in `.ci/run`, and all at night."""
    rows = [one if isinstance(one, tuple) else (one,) for one in values]
    marks = [[], [pytest.mark.thorough], [pytest.mark.nightly]]
    return [pytest.param(*row, marks=marks[(n >= first) + (n >= most)]) for n, row in enumerate(rows)]


def pairwise(values: list[list[Any]]) -> list[tuple[int, ...]]:
    """Rows of places in these lists in which every pair of places of two lists occurs.

    It is the greedy algorithm of AETG (Cohen and others, 1997) without its random choice: each row begins with a pair
    that is missing, and takes in every other list the place that adds the most pairs.
    """
    missing = {
        ((a, x), (b, y))
        for a, b in combinations(range(len(values)), 2)
        for x, y in product(range(len(values[a])), range(len(values[b])))
    }
    rows = []
    while missing:
        row = dict(min(missing))
        for place in range(len(values)):
            if place not in row:
                others = list(row.items())
                row[place] = max(
                    range(len(values[place])),
                    key=lambda x, place=place, others=others: sum(
                        tuple(sorted([(place, x), other])) in missing for other in others
                    ),
                )
        missing -= set(combinations(sorted(row.items()), 2))
        rows.append(tuple(row[place] for place in range(len(values))))
    return rows


LARGE = ("2d20", "d6", "fiend-wake")
"""Rulesets that take long to load or whose odds take long."""


@cache
def tried() -> frozenset[str]:
    """The house rules that are tried after each change: the first of each ruleset, by the name of its file."""
    by_game: dict[Path, list[str]] = {}
    for name, file in bundled.house_rules().items():
        by_game.setdefault(file.parent, []).append(name)
    return frozenset(min(names) for names in by_game.values())


def is_slow(name: str) -> bool:
    """Whether a name is that of a house rule that only `.ci/run` tries."""
    return name in bundled.house_rules() and name not in tried()
