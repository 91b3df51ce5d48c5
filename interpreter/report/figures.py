"""Chances for readers: percentages that show small chances, and laws short enough to be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from interpreter.frozen import dataclass
from interpreter.values import in_words

if TYPE_CHECKING:
    from interpreter.odds.answer import Odds

USUAL_LINES = 40
"""The most values of a law that are shown one by one."""
HARDLY = 1e-4 + 1e-12
"""The greatest total chance of a tail of a long law that is shown as one line, with room for rounding."""
NOT_FOLLOWED = "(not followed)"


@dataclass(frozen=True)
class Panel:
    """A law for display: its title and lines, the missing chance, and whether lines stand for several values."""

    title: str
    rows: tuple[tuple[str, Fraction], ...]
    missing: Fraction = Fraction(0)
    shortened: bool = False


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


def panels(odds: Odds, most: int | None = USUAL_LINES) -> Iterator[Panel]:
    """Panels for the results of a mechanic: the first one, and the others with all that are yes or no in one panel."""
    names = odds.results
    if names:
        yield panel(odds, names[0], most)
    flags: list[tuple[str, Fraction]] = []
    for name in names[1:]:
        law = odds.of(name)
        if is_flag(law, odds.missing_of(name)):
            flags.append((name, law.get(True, Fraction(0))))
        else:
            yield panel(odds, name, most)
    if flags:
        yield Panel("also", tuple(flags))


def is_flag(law: Mapping[Any, Any], missing: Any) -> bool:
    """Whether a law has only the values yes and no."""
    return bool(law) and not missing and all(isinstance(value, bool) for value in law)


def panel(odds: Odds, name: str, most: int | None = USUAL_LINES) -> Panel:
    """The law of one name."""
    law = odds.of(name)
    rows = shortened(law, most)
    return Panel(name, rows, odds.missing_of(name), len(rows) < len(law))


def shortened(law: Mapping[Any, Fraction], most: int | None = USUAL_LINES) -> tuple[tuple[str, Fraction], ...]:
    """A law in at most `most` lines."""
    rows: dict[str, list[Fraction]] = {}
    for value, label in labels(law, most).items():
        rows.setdefault(label, []).append(law[value])
    return tuple([(label, added(chances)) for label, chances in rows.items()])


def added(chances: Sequence[Fraction]) -> Fraction:
    """The sum of chances out of one total. It is reduced once, at the end: a law may have thousands of long ones."""
    above, below = 0, 1
    for chance in chances:
        if below % chance.denominator:
            wider = lcm(below, chance.denominator)
            above, below = above * (wider // below), wider
        above += chance.numerator * (below // chance.denominator)
    return Fraction(above, below)


def labels(law: Mapping[Any, Fraction], most: int | None = USUAL_LINES) -> dict[Any, str]:
    """The label of each value of a law, with at most `most` different labels.

    Of numbers, unlikely tails are merged (`60 or more`), and then all others in equal intervals (`10 to 14`). Of other
    values, the likeliest keep their own label, and the rest share one.
    """
    plain = {value: in_words(value) for value in law}
    numbers = [value for value in law if isinstance(value, int)]
    if most is None or len(law) <= most:
        return plain
    if len(numbers) < len(law) - 1:
        kept = set(sorted(law, key=lambda value: -law[value])[: most - 1])
        others = f"({len(law) - len(kept)} others)"
        return {value: label if value in kept else others for value, label in plain.items()}
    low, high = _low_tail(law, numbers), _low_tail(law, numbers[::-1])
    width = 1 if high - low + 4 <= most else step(high - low + 1, most - 3)
    for value in numbers:
        first = max(value // width * width, low, numbers[0])
        last = min(value // width * width + width - 1, high, numbers[-1])
        if value < low or value > high:
            plain[value] = f"{low - 1} or less" if value < low else f"{high + 1} or more"
        elif first < last:
            plain[value] = f"{first} to {last}"
    return plain


def _low_tail(law: Mapping[Any, Fraction], numbers: list[int]) -> int:
    """The first number beyond a tail of small chance."""
    so_far = 0.0
    for number in numbers:
        so_far += float(law[number])
        if so_far > HARDLY:
            return number
    return numbers[-1]


def thinned(law: Mapping[int, Fraction], most: int | None = USUAL_LINES) -> tuple[tuple[str, Fraction], ...]:
    """A law of `at least` or `at most` in at most `most` lines; of many values, those at equal steps are kept."""
    if most is None or len(law) <= most:
        return tuple((in_words(value), chance) for value, chance in law.items())
    values = list(law)
    width = step(values[-1] - values[0] + 1, most - 2)
    ends = (values[0], values[-1])
    return tuple((str(value), law[value]) for value in values if value in ends or value % width == 0)


def step(span: int, most: int) -> int:
    """The least of 2, 5, 10, 20, 50 … by which a span has no more than `most` steps."""
    size = 1
    while True:
        for width in (2 * size, 5 * size, 10 * size):
            if span // width + 2 <= most:
                return width
        size *= 10
