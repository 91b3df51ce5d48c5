"""Chances and means for readers: percentages that show small chances, and what is known of a number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor, hypot, lcm, log10

from interpreter.chances.bounded import Bounded
from interpreter.chances.estimate import Estimate

LONGEST_FRACTION = 15
CUT = "…"


def percent(chance: Fraction, sign: bool = False) -> str:
    """`12.5%`. A chance between 0 and 1 is never written as `0.0%` or `100.0%`."""
    mark = "-" if chance < 0 else "+" if sign and chance > 0 else ""
    size = abs(chance) * 100
    if size in (0, 100):
        return f"{mark}{size}%"
    nearest = min(size, 100 - size) if size < 100 else size
    for digits in range(1, 5):
        if nearest * 10**digits >= 1:
            whole, rest = divmod(int(size * 10**digits + Fraction(1, 2)), 10**digits)
            return f"{mark}{whole}.{rest:0{digits}}%"
    return f"{mark}{float(size):.0e}%".replace("e-0", "e-") if size < 1 else f"{mark}>99.9999%"


def percent_as_known(share: Estimate) -> str:
    """`12.497%`: with as many decimals as the standard error justifies."""
    return f"{100 * float(share):.{_decimals(share)}f}%" if share.error else percent(share)


def error_margin(share: Estimate) -> str:
    """`± 0.033%`: the standard error; for a share of 0 or 1, the bound of its confidence interval."""
    if share.error:
        return f"± {100 * share.error:.{_decimals(share)}f}%"
    return f"up to {100 * share.high:.2g}%" if not share else f"from {100 * share.low:.4g}%"


def _decimals(share: Estimate) -> int:
    return max(1 - floor(log10(100 * share.error)), 0)


def fraction_text(chance: Fraction, whole: bool = False) -> str:
    """The fraction, or `…` if it is too long for a line."""
    text = str(chance)
    return text if whole or len(text) <= LONGEST_FRACTION else CUT


def decimal_with_exact(value: Fraction, sign: bool = False) -> str:
    """`7`, `6.5`, `4.472 (161/36)`: a fraction as a decimal, with the exact value if that is short, or with its error,
    as in `17.405138 ± 3.9e-15`."""
    if isinstance(value, Bounded | Estimate):
        return f"{'+' if sign and value > 0 else ''}{value}"
    shown = f"{float(value):{'+' if sign and value else ''}.3f}".rstrip("0").rstrip(".")
    if Fraction(shown) == value or len(str(value)) > LONGEST_FRACTION:
        return shown
    return f"{shown} ({value})"


def error_of_difference(a: Fraction, b: Fraction) -> float:
    """The standard error of the difference of two samples; of numbers within bounds, the most that it may be off;
    0 for exact numbers."""
    bounded = sum([one.error for one in (a, b) if isinstance(one, Bounded)])
    return bounded + hypot(*[one.error for one in (a, b) if isinstance(one, Estimate)])


def total(chances: Sequence[Fraction]) -> Fraction:
    """The sum of chances of one law; that of shares of one sample is such a share."""
    sample = chances[0] if chances else None
    if isinstance(sample, Estimate):
        return Estimate.share(sum(one.count for one in chances if isinstance(one, Estimate)), sample.runs)
    # It is reduced once, at the end: a law may have thousands of long fractions.
    above, below = 0, 1
    for chance in chances:
        if below % chance.denominator:
            wider = lcm(below, chance.denominator)
            above, below = above * (wider // below), wider
        above += chance.numerator * (below // chance.denominator)
    return Fraction(above, below)
