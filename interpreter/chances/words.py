"""The rows of a comparison in words, as short as a reader needs them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from interpreter.chances.percent import decimal_with_exact, percent
from interpreter.chances.table import SLIGHT, ChanceRow, ChanceTable
from interpreter.values import in_words


def short_number(row: ChanceRow, value: Fraction | None) -> str:
    """A number of a row: a chance in percent, or a mean; `-` where there is none."""
    if value is None:
        return "-"
    if row.kind != "mean":
        return percent(value)
    return f"{float(value):.4g}" if not row.slack else f"{float(value):.3g}"


def difference(row: ChanceRow) -> str:
    """The difference with its sign, `=` where there is none, or which side alone has a number."""
    if row.base is None or row.number is None:
        return "new" if row.base is None else "gone"
    if not row.differs:
        return "="
    return f"{float(row.difference):+.3g}" if row.kind == "mean" else percent(row.difference, sign=True)


def is_telling(row: ChanceRow) -> bool:
    """Whether a chance is worth a place: that of what was not followed, or of no value, only where it can be seen."""
    if row.kind == "missing":
        return max(row.numbers) >= SLIGHT
    return row.is_possible and (row.label != in_words(None) or abs(row.difference) >= SLIGHT)


def mean_in_words(table: ChanceTable) -> str:
    """The mean of a number, with its deviation, or with the change between both sides."""
    row = table.mean
    assert row is not None and row.number is not None
    if row.base is not None:
        change = decimal_with_exact(row.difference, sign=True)
        if row.error:
            change = f"{float(row.difference):+.3g} ± {row.error:.2g}"
        return f"mean {decimal_with_exact(row.base)} and {decimal_with_exact(row.number)}, change {change}"
    if table.deviation is None:
        return f"mean {decimal_with_exact(row.number)}"
    return f"mean {decimal_with_exact(row.number)}, deviation {table.deviation:.3f}".rstrip("0").rstrip(".")


def notes_of(table: ChanceTable, named: bool) -> Iterator[str]:
    """What is to be known of a law besides its rows; means are told where single values are `named`."""
    if table.why and table.missing is not None:
        most = percent(table.missing.chance)
        yield f"(each chance is at least this, and at most {most} more: {table.why})"
    if named and table.kind == "chance" and (table.note or (table.mean is not None and not table.has_flags)):
        yield table.note or mean_in_words(table)


def count_of(count: int, what: str) -> str:
    """`1 rule`, `2 rules`."""
    return f"{count} {what}" + ("" if count == 1 else "s")
