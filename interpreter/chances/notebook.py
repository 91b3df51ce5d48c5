"""Odds as notebooks show them, and their question in words."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from interpreter.chances.formats.svg import chart
from interpreter.chances.laws import result_tables
from interpreter.chances.shortening import shorten
from interpreter.diagnostics import PlayError
from interpreter.values import in_words

if TYPE_CHECKING:
    from interpreter.odds.answer import Odds


def picture(odds: Odds, alone: bool = True) -> str:
    """The chart of odds, as a file of its own or as a part of a page. Raises PlayError if they take too much."""
    tables = [shorten(one) for one in result_tables(odds)]
    return chart(title_of(odds), inputs_in_words(odds.inputs), tables, alone)


def picture_or_reason(odds: Odds) -> str:
    """The chart of odds as a part of a page, or the reason that there is none."""
    try:
        return picture(odds, alone=False)
    except PlayError as problem:
        return f"<p>{escape(str(problem.diagnostic))}</p>"


def title_of(odds: Odds) -> str:
    """What odds are of, and how they were found."""
    return f"{odds.mechanic} ({odds.ruleset}), {odds.method}"


def inputs_in_words(inputs: Mapping[str, Any]) -> str:
    """Inputs in words, without those that are empty: `own d8, against d6`."""
    texts = {name: _input_in_words(value) for name, value in inputs.items() if value not in (None, (), "")}
    return ", ".join(f"{name} {text}" for name, text in texts.items() if text != "()")


def _input_in_words(value: Any) -> str:
    """An input in words; of a record, only the fields that are set."""
    if not isinstance(value, Mapping):
        return in_words(value)
    fields = {key: item for key, item in value.items() if item not in (None, (), 0, False)}
    if len(fields) == 1:
        return _input_in_words(next(iter(fields.values())))
    return f"({', '.join(f'{key} {_input_in_words(item)}' for key, item in fields.items())})"
