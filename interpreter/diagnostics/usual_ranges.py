"""Rewrite ranges of numbers as other tools and languages write them as `7`, `7 to 9`, `6 or less` or `10 or more`."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

_N = r"(-?\d{1,9})"
_DASH = r"(?:to|through|thru|until|[-–—−~:]|\.\.+|…)"
_MORE = r"(?:more|greater|higher|bigger|larger|better|above|over|up|plus)"
_LESS = r"(?:less|fewer|lower|smaller|worse|below|under|down)"


class MeantRange(NamedTuple):
    """A range as the language writes it; `sure` if the text can mean no other."""

    text: str
    sure: bool


def _range_text(low: str, high: str) -> str | None:
    first, last = int(low), int(high)
    if last < first and last == 0 and len(high) > 1:  # the `00` of percentile dice
        last = 10 ** len(high)
    return f"{first} to {last}" if first <= last else None


def _range_of_run(text: str) -> str | None:
    """Of `4, 5, 6`, the range of numbers that follow each other."""
    numbers = [int(one) for one in text.split(",")]
    follow = all(later == one + 1 for one, later in pairwise(numbers))
    return f"{numbers[0]} to {numbers[-1]}" if follow else None


_SURE: tuple[tuple[str, Callable[[re.Match[str]], str | None]], ...] = (
    (rf"{_N}\s*{_DASH}\s*{_N}", lambda found: _range_text(found[1], found[2])),
    (rf"(?:from\s+{_N}\s+to|between\s+{_N}\s+and)\s+{_N}", lambda found: _range_text(found[1] or found[2], found[3])),
    (rf"{_N}\s*(?:\+|(?:or|and)\s+{_MORE})", lambda found: f"{int(found[1])} or more"),
    (rf"{_N}\s*(?:or|and)\s+{_LESS}", lambda found: f"{int(found[1])} or less"),
)
_LIKELY: tuple[tuple[str, Callable[[re.Match[str]], str | None]], ...] = (
    (rf"[\[(]{_N}\s*(?:{_DASH}|,)\s*{_N}[\])]", lambda found: _range_text(found[1], found[2])),
    (rf"(?:>=|=>|≥|at\s+least|min)\s*{_N}\+?", lambda found: f"{int(found[1])} or more"),
    (rf"(?:>|{_MORE}(?:\s+than)?)\s*{_N}", lambda found: f"{int(found[1]) + 1} or more"),
    (rf"{_N}\s*(?:\.\.+|…)", lambda found: f"{int(found[1])} or more"),
    (
        rf"(?:<=|=<|≤|at\s+most|up\s+to|max|\.\.+|…)\s*{_N}|{_N}\s*[-–]",
        lambda found: f"{int(found[1] or found[2])} or less",
    ),
    (rf"(?:<|{_LESS}(?:\s+than)?)\s*{_N}", lambda found: f"{int(found[1]) - 1} or less"),
    (rf"(?:==?|exactly|only)\s*{_N}", lambda found: f"{int(found[1])}"),
    (r"-?\d{1,9}(?:\s*,\s*-?\d{1,9})+", lambda found: _range_of_run(found[0])),
)


def range_meant(text: str, named: bool = False) -> MeantRange | None:
    """The range that is meant by a text; None where it is none, or cannot be one range.

    `named` says that a name may stand before a comparison, `total >= 10`, where it is known which number is meant.
    """
    said = re.sub(r"^(?:on|with|for|a|an|if|on a|roll of)\s+(?=-?\d)", "", " ".join(text.split()).lower())
    if named:
        said = re.sub(r"^[^\W\d][\w.]*\s*(?:is\s+)?(?=[<>=≤≥])", "", said)
        said = re.sub(rf"^{_N}\s*<=\s*[^\W\d][\w.]*\s*<=\s*{_N}$", r"\1 - \2", said)
    for forms, sure in ((_SURE, said == text.lower()), (_LIKELY, False)):
        for pattern, written in forms:
            found = re.fullmatch(pattern, said)
            if found is not None and (meant := written(found)) is not None:
                return MeantRange(meant, sure)
    return None
