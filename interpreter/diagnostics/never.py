"""HR916, HR917 and HR921: what can never be, by the dice and the bounds of numbers alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import list_words, nearest_name, respelling_edit


def never_holds(span: Span, sides: Sequence[tuple[str, int | None, int | None]]) -> Diagnostic:
    """`sides` are the sides of a comparison that are no constants, each with the lowest and the highest it can be."""
    why = " and ".join(f"`{text}` is {_in_words(low, high)}" for text, low, high in sides)
    message = f"`{span.text}` never holds" + (f": {why}" if why else "")
    return Diagnostic("HR916", message, span, "compare with a value that it can be, or leave the condition out",
                      severity="warning")  # fmt: skip


def no_row(span: Span, table: str, value: str, use: Span, way_out: str) -> Diagnostic:
    return Diagnostic("HR917", f"`{table}` has no row for {value}, and `{use.text}` can be that", span, way_out,
                      ((use, "it is looked up here"),), "warning")  # fmt: skip


def stray_row(span: Span, row: str, table: str, lists: Iterable[str], lacking: Iterable[str]) -> Diagnostic:
    """Of a row `sword` in a table that is read with words of other lists; `lacking` are their words without a row."""
    lists, lacking = list(lists), set(lacking)
    near = nearest_name(row, sorted(lacking), sure=True)
    way_out = f"did you mean `{near}`?" if near else f"add `{row}` to `{lists[0]}`, or remove the row"
    message = f"nothing can read this row of `{table}`: `{row}` is not a word of {list_words(lists)}"
    edits = respelling_edit(span, row, lacking) if near else ()
    return Diagnostic("HR921", message, span, way_out, severity="warning", edits=edits)


def row_out_of_reach(span: Span, table: str, use: Span | None, low: int | None, high: int | None) -> Diagnostic:
    """Of a row of numbers in a table that is only read with numbers from `low` to `high`, at `use` if at one place."""
    read = f"`{use.text}` is" if use is not None else "all that it is read with is"
    message = f"nothing can read this row of `{table}`: {read} {_in_words(low, high)}"
    notes = ((use, "it is looked up here"),) if use is not None else ()
    return Diagnostic("HR921", message, span, "remove the row, or write numbers that can come", notes, "warning")


def _in_words(low: int | None, high: int | None) -> str:
    if low is None:
        return f"{high} or less"
    return f"{low} or more" if high is None else f"{low}" if low == high else f"{low} to {high}"
