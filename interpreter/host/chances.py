"""Odds as tables of plain data, beside those of what a house rule extends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from interpreter.diagnostics import PlayError
from interpreter.host.answers import Chance, ChanceRow, ChanceTable
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Change, Comparison, labelled
from interpreter.report.figures import percent, thinned
from interpreter.values import in_words

MOST_ROWS = 60
"""The most lines of a table; longer laws are shortened, and at least and at most are told at equal steps."""
EXACTLY, AT_LEAST, AT_MOST = "exactly", "at_least", "at_most"


def tables_of(
    odds: Odds, both: Comparison | None, of: str | None, tail: str, titles: Mapping[str, str]
) -> Iterator[ChanceTable]:
    """The results of a mechanic, and then the number `of`, if one is asked for, as `tail` says."""
    for name in odds.results:
        yield table_of(odds, both, name, EXACTLY, titles)
    if of is not None and of not in odds.results:
        yield table_of(odds, both, of, tail, titles)


def table_of(odds: Odds, both: Comparison | None, name: str, tail: str, titles: Mapping[str, str]) -> ChanceTable:
    """The law of a name. Raises PlayError where its odds are refused."""
    law = odds.of(name)
    numeric = bool(law) and all(isinstance(value, int) and not isinstance(value, bool) for value in law)
    compared = both if both is not None and _has(both, name) else None
    rows = [_row(label, change, compared is not None, titles) for label, change in _lines(odds, compared, name, tail)]
    missing = odds.missing_of(name)
    means = (
        (_mean(odds, name), _mean(compared.a, compared.in_a(name)) if compared else None) if numeric else (None, None)
    )
    return ChanceTable(
        name,
        titles.get(name, name.replace("_", " ")),
        numeric,
        tuple(rows),
        Chance.of(missing) if missing else None,
        *means,
    )


def _has(both: Comparison, name: str) -> bool:
    try:
        both.of(name)
    except (PlayError, KeyError):
        return False
    return True


def _lines(odds: Odds, both: Comparison | None, name: str, tail: str) -> Iterator[tuple[str, Change]]:
    """The lines of a law, each with the chance in the base first; without a base, both are the same."""
    if tail == EXACTLY:
        law = both.of(name) if both is not None else {value: Change(one, one) for value, one in odds.of(name).items()}
        yield from labelled(law, MOST_ROWS).items()
        return
    now: Mapping[Any, Fraction] = odds.at_least(name) if tail == AT_LEAST else odds.at_most(name)
    was: Mapping[Any, Fraction] = {}
    if both is not None:
        was = both.a.at_least(both.in_a(name)) if tail == AT_LEAST else both.a.at_most(both.in_a(name))
    values = sorted({*now, *was})
    kept = {label for label, _ in thinned(dict.fromkeys(values, Fraction(0)), MOST_ROWS)}
    for value in values:
        if in_words(value) in kept:
            after = _reached(now, value, tail)
            yield in_words(value), Change(_reached(was, value, tail) if both is not None else after, after)


def _reached(law: Mapping[Any, Fraction], value: int, tail: str) -> Fraction:
    """How likely a number reaches a value, or stays within it, also one that the law does not have."""
    if value in law:
        return law[value]
    beyond = [one for one in law if (one > value if tail == AT_LEAST else one < value)]
    if not beyond:
        return Fraction(0)
    return law[min(beyond) if tail == AT_LEAST else max(beyond)]


def _row(label: str, change: Change, compared: bool, titles: Mapping[str, str]) -> ChanceRow:
    base = Chance.of(change.a) if compared else None
    points = percent(change.difference, sign=True) if compared and change.difference else ""
    return ChanceRow(titles.get(label, label.replace("_", " ")), Chance.of(change.b), base, points)


def _mean(odds: Odds, name: str) -> str | None:
    """The mean of a number in decimals; None where it is not known."""
    try:
        return f"{float(odds.mean(name)):.4g}"
    except PlayError:
        return None
