"""Two odds side by side: how a house rule, an option or another input changes each chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from interpreter.chances.percent import error_of_difference
from interpreter.chances.table import merge_in_order
from interpreter.odds.answer import Odds, results_of, sort_values


class Change(NamedTuple):
    """A number on both sides."""

    a: Fraction
    b: Fraction

    @property
    def difference(self) -> Fraction:
        """The second less the first."""
        return self.b - self.a

    @property
    def error(self) -> float:
        """The standard error of the difference of two samples; of numbers within bounds, the most that it may be off;
        0 for exact numbers."""
        return error_of_difference(self.a, self.b)


class Renamed(NamedTuple):
    """What `a` calls otherwise than `b`: the names and outcomes of the rule itself, and the words of all else."""

    own: Mapping[str, str] = {}
    others: Mapping[str, str] = {}


NOTHING_RENAMED = Renamed()


@dataclass(frozen=True)
class Comparison:
    """Two odds, `a` and `b`, side by side. A value that one side does not know has the chance 0 there.

    What is `renamed` is one, under the new name.
    """

    a: Odds
    b: Odds
    renamed: Renamed = NOTHING_RENAMED

    def in_a(self, name: str) -> str:
        """What a name is called in `a`."""
        return next((old for old, new in self.renamed.own.items() if new == name and old in self.a.known), name)

    def in_b(self, name: str) -> str:
        """What a name is called in `b`."""
        return self.renamed.own.get(name, name) if name not in self.b.known else name

    def _law_in_words_of_b(self, name: str, law: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
        """The law of a name of `a` with the words of `b`."""
        own = name == "outcome"
        words = self.renamed.own if own else {**self.renamed.own, **self.renamed.others}
        made: dict[Any, Fraction] = {}
        for value, chance in law.items():
            newly = words.get(value, value) if isinstance(value, str) else value
            made[newly] = made.get(newly, Fraction(0)) + chance
        return made

    @property
    def results(self) -> tuple[str, ...]:
        """The names, as `b` calls them, that are shown where none are asked for: the results that both sides have."""
        shared = [self.in_b(name) for name in self.a.known if self.in_b(name) in self.b.known]
        return results_of(shared, self.b.composite)

    @property
    def outcomes(self) -> Mapping[str, Change]:
        """How likely each outcome is on both sides."""
        return _pair_chances(self._law_in_words_of_b("outcome", self.a.outcomes), self.b.outcomes)

    def of(self, name: str) -> Mapping[Any, Change]:
        """How likely each value of a name is on both sides. Raises PlayError if a side does not know the name."""
        law = _pair_chances(self._law_in_words_of_b(name, self.a.of(self.in_a(name))), self.b.of(self.in_b(name)))
        if any(isinstance(value, str) for value in law):
            return law
        return {value: law[value] for value in sort_values(law)}

    def at_least(self, name: str) -> Mapping[int, Change]:
        """For each value of a number, how likely it is to reach that much on both sides."""
        return {
            value: Change(*(_chance_of_at_least(law, value) for law in laws))
            for laws in [(self.a.at_least(self.in_a(name)), self.b.at_least(self.in_b(name)))]
            for value in self.of(name)
        }

    def at_most(self, name: str) -> Mapping[int, Change]:
        """For each value of a number, how likely it is to be no more than that on both sides."""
        return {
            value: Change(*(_chance_of_at_most(law, value) for law in laws))
            for laws in [(self.a.at_most(self.in_a(name)), self.b.at_most(self.in_b(name)))]
            for value in self.of(name)
        }

    def mean(self, name: str) -> Change:
        """The means of a number. Raises PlayError as `Odds.mean` does."""
        return Change(self.a.mean(self.in_a(name)), self.b.mean(self.in_b(name)))

    def missing_of(self, *names: str) -> Change:
        """The chances of what was not followed to its end; differences are exact if both are 0."""
        return Change(self.a.missing_of(*map(self.in_a, names)), self.b.missing_of(*map(self.in_b, names)))

    @property
    def missing(self) -> Change:
        """The same for the outcomes."""
        return Change(self.a.missing, self.b.missing)

    def _repr_html_(self) -> str:
        """Charts with both sides, for notebooks."""
        from interpreter.chances.notebook import comparison_in

        return comparison_in("svg", self)

    def _repr_markdown_(self) -> str:
        """A table with both sides, for notebooks that show no pictures."""
        from interpreter.chances.notebook import comparison_in

        return comparison_in("markdown", self)


def compare(a: Odds, b: Odds, renamed: Mapping[str, str] | Renamed | None = None) -> Comparison:
    """Two odds side by side, of one ruleset under two house rules, of two rulesets, or of two inputs.

    `renamed` has names and words of `a` that are called otherwise in `b`, such as an outcome that a house rule renames.
    """
    return Comparison(a, b, renamed if isinstance(renamed, Renamed) else Renamed(renamed or {}))


def _pair_chances(a: Mapping[Any, Fraction], b: Mapping[Any, Fraction]) -> dict[Any, Change]:
    none = Fraction(0)
    return {key: Change(a.get(key, none), b.get(key, none)) for key in merge_in_order(a, b)}


def _chance_of_at_least(law: Mapping[int, Fraction], value: int) -> Fraction:
    return next((chance for reached, chance in law.items() if reached >= value), Fraction(0))


def _chance_of_at_most(law: Mapping[int, Fraction], value: int) -> Fraction:
    """How likely a number is no more than a value, also one that its law does not have."""
    return next((chance for one, chance in reversed([*law.items()]) if one <= value), Fraction(0))
