"""The answer of a simulation: shares and means of a sample, each with its standard error."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from interpreter.chances.estimate import Estimate
from interpreter.diagnostics import Diagnostic
from interpreter.odds.answer import Law, Odds, Values
from interpreter.simulation.chunks import Counts, OpenValue


@dataclass(frozen=True, kw_only=True)
class Simulated(Odds):
    """Odds of a rule from counted runs; every number is an `Estimate`.

    The names that were counted together (the outcome and the further readings by default) come from the same runs.
    For another name it simulates again, with the same seed.
    """

    runs: int
    seed: int
    together: tuple[str, ...] = ()
    """The names that were counted together."""
    counted: Counts = field(default_factory=dict, repr=False)
    """The number of runs for each combination of their values, with those that leave some of them open."""
    by_play: int = 0
    """How many runs were played step by step, and neither all at once nor in generated functions."""
    cut: Diagnostic | None = None
    """Why there are fewer runs than were asked for: the budget was spent. None if there are as many."""
    slips: Mapping[str, int] = field(default_factory=dict, repr=False)
    """In how many of these a function raised an error that play does not find, by its name: errors of houserule."""

    def when(self, conditions: Mapping[str, Any]) -> Simulated:
        """The shares in those runs alone in which names have certain values, as `Odds.when`; `runs` are these."""
        conditional = super().when(conditions)
        assert isinstance(conditional, Simulated)
        ours = replace(conditional, together=())
        kept = ours.law(*conditions)
        return replace(ours, runs=round(Fraction(kept.total) * self.runs / self.law(*conditions).total), _laws={})

    def counts(self, *names: str) -> Mapping[Values, int]:
        """The number of runs for each combination of values; the rest of `runs` was not decided."""
        return {values: round(share * self.runs) for values, share in self.law(*names).weights.items()}

    def law(self, *names: str) -> Law:
        """The shares of combinations of values, as fractions of the runs. Raises PlayError as `Odds.law` does."""
        if names not in self._laws and set(names) <= set(self.together) and names != self.together:
            at = [self.together.index(name) for name in names]
            counts: Counts = {}
            for values, many in self.counted.items():
                key = tuple(values[place] for place in at)
                counts[key] = counts.get(key, 0) + many
            self._laws[names] = simulated_law(counts, self.runs)
        return super().law(*names)

    @property
    def exact(self) -> bool:
        return False

    @property
    def method(self) -> str:
        """The method with its runs and seed, in words."""
        return f"simulated, {self.runs:,} run{'' if self.runs == 1 else 's'}, seed {self.seed}"

    @property
    def outcomes(self) -> Mapping[str, Estimate]:
        """The share of each outcome, in the order of the ruleset."""
        return self.of("outcome") if "outcome" in self.known else {}

    def of(self, name: str) -> Mapping[Any, Estimate]:
        """The share of each value of a name."""
        return self._estimates(super().of(name))

    def joint(self, *names: str) -> Mapping[Values, Estimate]:
        """The share of each combination of values."""
        return self._estimates(super().joint(*names))

    def mean(self, name: str) -> Estimate:
        """The mean of a number. Raises PlayError where it is none, or some runs were not decided."""
        return Estimate.of_mean(super().mean(name), self.deviation(name), self.runs)

    def deviation(self, name: str) -> float:
        """The standard deviation of a number."""
        law = self._chances_of_numbers(name)
        mean = sum((value * share for value, share in law.items()), Fraction(0))
        return math.sqrt(sum((share * (value - mean) ** 2 for value, share in law.items()), Fraction(0)))

    def at_least(self, name: str) -> Mapping[Any, Estimate]:
        """For each value of a number, the share of the runs in which it is at least so much."""
        return self._estimates(super().at_least(name))

    def at_most(self, name: str) -> Mapping[Any, Estimate]:
        """For each value of a number, the share of the runs in which it is at most so much."""
        return self._estimates(super().at_most(name))

    def missing_of(self, *names: str) -> Estimate:
        """The share of the runs that are undecided for these names."""
        return Estimate.share(round(super().missing_of(*names) * self.runs), self.runs)

    def _estimates(self, law: Mapping[Any, Fraction]) -> dict[Any, Estimate]:
        return {value: Estimate.share(round(share * self.runs), self.runs) for value, share in law.items()}


def simulated_law(counts: Counts, runs: int) -> Law:
    """Counts as shares of the runs; what is not counted or left open is missing."""
    return Law(decided_counts(counts), max(runs, 1))


def decided_counts(counts: Counts) -> Counts:
    """The counts of the runs that leave no value open."""
    return {values: many for values, many in counts.items() if OpenValue.OPEN not in values}


class Stopped(KeyboardInterrupt):
    """An interrupted simulation: `so_far` has the counts until then, or is None without any.

    `runs` is the number of runs that were asked for.
    """

    def __init__(self, so_far: Simulated | None, runs: int) -> None:
        super().__init__(f"stopped after {so_far.runs if so_far else 0} of {runs} runs")
        self.so_far = so_far
        self.runs = runs
