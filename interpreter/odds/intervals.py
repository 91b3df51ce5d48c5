"""Between what a chance or a mean is known to lie, where part of the probability was not followed.

What was not followed may come to anything that it is not known to differ from: the chance of a value lies between
what was found and that with everything besides that may come to it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, NamedTuple

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.odds.answer import Law
from interpreter.runtime.evaluator import LARGEST
from interpreter.values import in_words

Verdict = Literal["holds", "fails", "open"]


class Interval(NamedTuple):
    """The lowest and the highest that a number may be; both are the number where all is known.

    `missing` is how much of the probability was not followed.
    """

    low: Fraction
    high: Fraction
    missing: Fraction = Fraction(0)

    def __str__(self) -> str:
        if self.low == self.high:
            return str(self.low)
        low, high = f"{float(self.low):.6g}", f"{float(self.high):.6g}"
        return f"about {low}" if low == high else f"between {low} and {high}"

    def held_to(self, stated: Fraction, slack: Fraction | int = 0) -> Verdict:
        """Whether the number is what is stated, give or take `slack`: certainly, certainly not, or neither."""
        if stated - slack <= self.low and self.high <= stated + slack:
            return "holds"
        return "fails" if self.high < stated - slack or self.low > stated + slack else "open"


def chance_of(law: Law, value: Any) -> Interval:
    """The chance of a value, by the law of one name."""
    low = law.weights.get((value,), Fraction(0))
    never = sum(ways for least, ways in law.tails.items() if not isinstance(value, int) or value < least)
    return Interval(low, low + law.missing - Fraction(never, law.total), law.missing)


def mean_of(law: Law, name: str, kind: t.Type) -> Interval:
    """The mean of a number, by its law and its type, which bounds what was not followed.

    Raises PlayError where it may be something else than a number.
    """
    for (value,) in law.weights:
        if not isinstance(value, int):
            raise PlayError(say.no_number(name, in_words(value)))
    known = sum((chance * value for (value,), chance in law.weights.items()), Fraction(0))
    if not law.missing:
        return Interval(known, known)
    bounds = t.Number(0, 1) if isinstance(kind, t.YesNo) else t.as_number(t.present(kind))
    bottom = -LARGEST if bounds.low is None else bounds.low
    top = LARGEST if bounds.high is None else bounds.high
    in_tails = sum((Fraction(ways, law.total) for ways in law.tails.values()), Fraction(0))
    least = sum((Fraction(ways, law.total) * max(low, bottom) for low, ways in law.tails.items()), Fraction(0))
    lowest = known + least + (law.missing - in_tails) * bottom
    return Interval(lowest, known + law.missing * top, law.missing)
