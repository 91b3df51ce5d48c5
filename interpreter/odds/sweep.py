"""A grid of odds: the same question for many inputs and options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from interpreter.chances.table import merge_in_order
from interpreter.odds.answer import Odds, sort_values

Ask = Callable[[Mapping[str, Any]], Odds]


@dataclass(frozen=True)
class Point:
    """One point of a grid: where it is, by name, and the odds there."""

    at: Mapping[str, Any]
    odds: Odds


@dataclass(frozen=True)
class Sweep:
    """The odds at every point of a grid; the last name varies fastest."""

    over: Mapping[str, tuple[Any, ...]]
    points: tuple[Point, ...]

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def values(self, name: str = "outcome") -> list[Any]:
        """Every value that a name may have at any point, in the order of the ruleset."""
        found: list[Any] = []
        for point in self.points:
            found = merge_in_order(found, point.odds.of(name))
        return found if any(isinstance(value, str) for value in found) else sort_values(found)

    def chances(self, value: Any, name: str = "outcome") -> list[Fraction]:
        """How likely a value is at each point."""
        return [point.odds.of(name).get(value, Fraction(0)) for point in self.points]

    def means(self, name: str) -> list[Fraction]:
        """The mean of a number at each point. Raises PlayError as `Odds.mean` does."""
        return [point.odds.mean(name) for point in self.points]

    def _repr_html_(self) -> str:
        """A chart for each point, for notebooks."""
        from interpreter.chances.notebook import sweep_in

        return sweep_in("svg", self)

    def _repr_markdown_(self) -> str:
        """A table with a line for each point, for notebooks that show no pictures."""
        from interpreter.chances.notebook import sweep_in

        return sweep_in("markdown", self)


def sweep(ask: Ask, over: Mapping[str, Sequence[Any]]) -> Sweep:
    """The answers to `ask` at every point of a grid.

    `ask` may answer by exact odds or by any other method that answers as Odds do; the grid does not know which.
    """
    axes = {name: tuple(values) for name, values in over.items()}
    places = (dict(zip(axes, values, strict=True)) for values in product(*axes.values()))
    return Sweep(axes, tuple(Point(at, ask(at)) for at in places))
