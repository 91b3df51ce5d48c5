"""The bounds of a chance or a mean, where part of the probability was not followed.

What was not followed may have any value that its lower bound allows. So the chance of a value is at least the weight
that was found for it, and at most this with all missing weight that may have the value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.types import LARGEST
from interpreter.odds.answer import Law, test_of
from interpreter.values import in_words

Verdict = Literal["holds", "fails", "open"]


class Interval(NamedTuple):
    """The lower and the upper bound of a number; both are the number if nothing is missing.

    `missing` is the part of the probability that was not followed.
    """

    low: Fraction
    high: Fraction
    missing: Fraction = Fraction(0)

    def __str__(self) -> str:
        if self.low == self.high:
            return str(self.low)
        low, high = f"{float(self.low):.6g}", f"{float(self.high):.6g}"
        return f"about {low}" if low == high else f"between {low} and {high}"

    def compare_with(self, stated: Fraction, slack: Fraction | int = 0) -> Verdict:
        """Whether the number equals the stated one within `slack`: it holds, it fails, or both are possible."""
        if stated - slack <= self.low and self.high <= stated + slack:
            return "holds"
        return "fails" if self.high < stated - slack or self.low > stated + slack else "open"


def chance_of(law: Law, value: Any) -> Interval:
    """The chance of a value, from the law of one name."""
    return Interval(*law.between(value), law.missing)


def joint_chance_of(law_of: Callable[..., Law], values_of: Mapping[str, Sequence[Any]]) -> Interval:
    """The chance that each name has one of its meant values, words or numbers, all at once.

    `law_of` gives the joint law of some names. If some of it is missing, the law of each name alone says more: what
    was not followed cannot have a value that this law has in full.
    """
    together = tuple(values_of)
    law, tests = law_of(*together), [test_of(list(values)) for values in values_of.values()]
    rows = [
        ([holds(value) for holds, value in zip(tests, values, strict=True)], share)
        for values, share in law.weights.items()
    ]
    low = sum((share for held, share in rows if all(held)), Fraction(0))
    high = low + law.missing
    for place, name in enumerate(together if law.missing else ()):
        others = sum((share for held, share in rows if held[place] and not all(held)), Fraction(0))
        high = min(high, _highest_chance_of_any(law_of(name), values_of[name]) - others)
    return Interval(low, max(low, high), law.missing)


def _highest_chance_of_any(law: Law, values_of: Sequence[Any]) -> Fraction:
    """The highest chance that a value is one of those meant, from the law of one name."""
    holds = test_of(list(values_of))
    known = sum((share for (value,), share in law.weights.items() if holds(value)), Fraction(0))
    numbers = [value for value in values_of if isinstance(value, int)]
    never = sum(ways for least, ways in law.tails.items() if all(value < least for value in numbers))
    return known + law.missing - Fraction(never, law.total)


def mean_of(law: Law, name: str, kind: t.Type) -> Interval:
    """The mean of a number, from its law and its type, which bounds what was not followed.

    Raises PlayError if a value is no number.
    """
    for (value,) in law.weights:
        if not isinstance(value, int):
            raise PlayError(say.no_number(name, in_words(value)))
    low, high = law.mean_between(*range_of(kind))
    return Interval(low, high, law.missing if low != high else Fraction(0))


def range_of(kind: t.Type) -> tuple[int, int]:
    """The lowest and the highest number that a value of a type may be; yes counts 1."""
    bounds = t.Number(0, 1) if isinstance(kind, t.YesNo) else t.as_number(t.without_maybe(kind))
    return -LARGEST if bounds.low is None else bounds.low, LARGEST if bounds.high is None else bounds.high
