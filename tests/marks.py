"""Which parameters of a test run only under the mark `thorough`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from interpreter import bundled


def thorough(values: Iterable[Any], slow: Callable[..., bool]) -> list[Any]:
    """The parameters of a test, each a value or a tuple of several, with the mark `thorough` on those that are slow."""
    rows = [one if isinstance(one, tuple) else (one,) for one in values]
    return [pytest.param(*row, marks=[pytest.mark.thorough] if slow(*row) else []) for row in rows]


LARGE = ("2d20", "d6", "fiend-wake")
"""Rulesets that take long to load or whose odds take long; one house rule of each is tried after each change."""
TRIED = ("d6-wild-five", "one-success-gets-up", "stacking-stops")


def is_slow(name: str) -> bool:
    """Whether a name is that of one of the many house rules for a large ruleset."""
    file = bundled.house_rules().get(name)
    return file is not None and file.parent.parent.name in LARGE and name not in TRIED
