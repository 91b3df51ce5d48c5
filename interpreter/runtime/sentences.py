"""Texts for people with values in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.question import Counted, Said, TextPart, join_texts
from interpreter.ir.types import Type
from interpreter.runtime.evaluator import Closures, Frame
from interpreter.runtime.state import STATE
from interpreter.runtime.titles import Titles, titles_of
from interpreter.work_count import spend

LETTERS = 50
"""The letters of a text that are written in a unit of work."""

Told = Callable[[Frame], str]


def sentence_function(closures: Closures, of: ir.Question) -> Told:
    """A text with its values in words; a value that cannot be computed is told as `…`.

    Of its parts those are told whose conditions hold; nothing of a part whose condition cannot be computed.
    """
    parts = [_part_function(closures, one) for one in of.parts]
    if len(parts) == 1 and of.parts[0].condition is None:
        return parts[0]
    return lambda given: join_texts([part(given) for part in parts])


def _part_function(closures: Closures, part: TextPart) -> Told:
    said = _text_function(closures, part.say)
    if part.condition is None:
        return said
    condition = closures.of(part.condition)
    instead = _text_function(closures, part.instead) if part.instead is not None else None

    def tell(given: Frame) -> str:
        try:
            holds = condition(given)
        except (PlayError, KeyError):  # as of a value
            return ""
        return said(given) if holds else instead(given) if instead is not None else ""

    return tell


def _text_function(closures: Closures, of: Said) -> Told:
    if all(isinstance(one, str) for one in of.pieces):
        text = "".join([one for one in of.pieces if isinstance(one, str)])
        return lambda given: text
    pieces = [
        one if isinstance(one, str) else _counted_function(closures, one) if isinstance(one, Counted)
        else _value_function(closures, one)
        for one in of.pieces
    ]  # fmt: skip
    return lambda given: "".join([one if isinstance(one, str) else one(given) for one in pieces])


def _counted_function(closures: Closures, of: Counted) -> Told:
    """The word that goes with a number; the second where that cannot be computed."""
    number = closures.of(of.number)

    def tell(given: Frame) -> str:
        try:
            return of.one if number(given) == 1 else of.other
        except (PlayError, KeyError):  # as of a value
            return of.other

    return tell


def _value_function(closures: Closures, of: ir.Formula) -> Told:
    value, kind = closures.of(of), of.type

    def tell(given: Frame) -> str:
        try:
            words = _value_in_sentence(value(given), kind, titles_of(closures.program, given.get(STATE)))
            spend(1 + len(words) // LETTERS)
            return words
        except (PlayError, KeyError):  # exact odds, which show no text, keep no values that only a text reads
            return "…"

    return tell


def _value_in_sentence(value: Any, kind: Type, titles: Titles) -> str:
    """A value in words; a list as people say it: `ann, bo and cy`, or `none`."""
    words = titles.value(value, kind)
    if not isinstance(value, tuple) or not words.startswith("["):
        return words
    *others, last = map(titles.value, value) if value else ["none"]
    return f"{', '.join(others)} and {last}" if others else last
