"""Tables of chances as plain data, beside those of what a house rule extends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from interpreter.chances.laws import compared_table, law_table, rows_of_changes, with_mean
from interpreter.chances.percent import decimal_with_exact, percent
from interpreter.chances.shortening import shorten
from interpreter.chances.table import ChanceRow, plain_words
from interpreter.diagnostics import PlayError
from interpreter.host.answers import Chance, OddsRow, OddsTable
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Comparison

MOST_ROWS = 60
"""The most lines of a table; a longer one is shortened."""

Tail = Literal["chance", "at_least", "at_most"]


def tables_of(
    odds: Odds, both: Comparison | None, of: str | None, tail: Tail, titles: Mapping[str, str]
) -> Iterator[OddsTable]:
    """The results of a mechanic, and then the number `of`, if one is asked for, as `tail` says."""
    for name in odds.results:
        yield table_of(odds, both, name, tail if name == of else "chance", titles)
    if of is not None and of not in odds.results:
        yield table_of(odds, both, of, tail, titles)


def table_of(odds: Odds, both: Comparison | None, name: str, tail: Tail, titles: Mapping[str, str]) -> OddsTable:
    """The law of a name, with words by their `titles`. Raises PlayError where its odds are refused."""
    table = with_mean(law_table(odds, name), odds)
    if both is not None:
        try:
            table = compared_table(both, name)
        except PlayError:
            both = None  # the base has no such value
    numeric = bool(table.rows) and all(type(row.value) is int for row in table.rows)  # and not yes or no
    if tail != "chance":
        change = None if both is None else both.at_least(name) if tail == "at_least" else both.at_most(name)
        rows = law_table(odds, name, tail).rows if change is None else rows_of_changes(change)
        table = replace(table, rows=rows, kind=tail)
    return OddsTable(
        name,
        titles.get(name, plain_words(name)),
        numeric,
        tuple(_row(row, titles) for row in shorten(table, MOST_ROWS).rows),
        Chance.of(table.missing.number) if table.missing is not None and table.missing.number else None,
        decimal_with_exact(table.mean.number) if table.mean is not None and table.mean.number is not None else None,
        decimal_with_exact(table.mean.base) if table.mean is not None and table.mean.base is not None else None,
    )


def _row(row: ChanceRow, titles: Mapping[str, str]) -> OddsRow:
    points = percent(row.difference, sign=True) if row.base is not None and row.differs else ""
    base = Chance.of(row.base) if row.base is not None else None
    return OddsRow(titles.get(row.label, plain_words(row.label)), Chance.of(row.chance), base, points)
