"""Odds as tables: the laws of what is asked for, alone or beside those that they are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from interpreter.chances.table import NOT_FOLLOWED, ChanceRow, ChanceTable, with_flags_together
from interpreter.diagnostics import PlayError
from interpreter.shown_text import in_one_line
from interpreter.values import in_words
from interpreter.work_count import spend

if TYPE_CHECKING:
    from interpreter.odds.answer import Odds
    from interpreter.odds.comparison import Comparison

OF_A_ROW = 3
"""The units of work in which a row of a law is put into words."""


def result_tables(odds: Odds) -> list[ChanceTable]:
    """The results of a mechanic: the first one, and the others with all that are yes or no together."""
    return with_flags_together((law_table(odds, name) for name in odds.results), first_alone=True)


def law_table(odds: Odds, name: str, kind: Literal["chance", "at_least", "at_most"] = "chance") -> ChanceTable:
    """The law of one name. Raises PlayError as `Odds.of`, `Odds.at_least` and `Odds.at_most` do."""
    law = odds.of(name) if kind == "chance" else odds.at_least(name) if kind == "at_least" else odds.at_most(name)
    spend(OF_A_ROW * len(law))
    rows = [ChanceRow(in_one_line(in_words(value)), chance, value=value) for value, chance in law.items()]
    return _table(odds, name, rows=tuple(rows), kind=kind)


def joint_table(odds: Odds, *names: str) -> ChanceTable:
    """The law of several names together; of two names, with the law of each, if it is exact."""
    rows = []
    for values, chance in odds.joint(*names).items():
        words = [f"{name} {in_one_line(in_words(value))}" for name, value in zip(names, values, strict=True)]
        rows.append(ChanceRow(", ".join(words), chance, value=values))
    margins = tuple(law_table(odds, name) for name in names) if len(names) == 2 and odds.exact else ()
    return _table(odds, *names, rows=tuple(rows), margins=margins)


def _table(odds: Odds, *names: str, rows: tuple[ChanceRow, ...], **more: Any) -> ChanceTable:
    missing = ChanceRow(NOT_FOLLOWED, odds.missing_of(*names), kind="missing")
    return ChanceTable(_title(*names), rows, missing, names=names, why=odds.why_of(*names), **more)


def _title(*names: str) -> str:
    return "" if names == ("outcome",) else " and ".join(names)


def with_mean(table: ChanceTable, odds: Odds) -> ChanceTable:
    """The table of a name with its mean and deviation as far as they are known, or a note why there is no mean."""
    (name,) = table.names
    try:
        mean = odds.mean(name)
    except PlayError as problem:
        is_number = not table.has_flags and not _has_words(table)
        return replace(table, note=problem.diagnostic.message if is_number else "")
    with suppress(PlayError):
        table = replace(table, deviation=odds.deviation(name))
    return replace(table, mean=ChanceRow("mean", mean, kind="mean"))


def _has_words(table: ChanceTable) -> bool:
    return any(isinstance(row.value, str) for row in table.rows)


def compared_table(both: Comparison, name: str) -> ChanceTable:
    """The law of a name on both sides, with its means. Raises PlayError if a side does not know the name."""
    a, b = both.missing_of(name)
    missing = ChanceRow(NOT_FOLLOWED, b, a, kind="missing")
    table = ChanceTable(_title(name), rows_of_changes(both.of(name)), missing, names=(name,))
    try:
        mean = both.mean(name)
    except PlayError as problem:
        return replace(table, note="" if _has_words(table) else problem.diagnostic.message)
    return replace(table, mean=ChanceRow("mean", mean.b, mean.a, kind="mean"))


def rows_of_changes(law: Mapping[Any, tuple[Fraction, Fraction]]) -> tuple[ChanceRow, ...]:
    """The rows of a law on both sides."""
    return tuple([ChanceRow(in_one_line(in_words(value)), b, a, value=value) for value, (a, b) in law.items()])


def compared_tables(both: Comparison) -> list[ChanceTable]:
    """The laws of the results of both sides; the base of those that only the second has is None."""
    known = both.results
    return [
        *(compared_table(both, name) for name in known),
        *(law_table(both.b, name) for name in both.b.results if name not in known),
    ]
