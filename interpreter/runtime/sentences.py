"""Texts for people with values in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.runtime.evaluator import Closure, Closures, Frame
from interpreter.values import in_words


def sentence(closures: Closures, of: ir.Question) -> Callable[[Frame], str]:
    """A text with its values in words; a value that cannot be computed is told as `…`."""
    if not of.values:
        text = "".join([one for one in of.parts if isinstance(one, str)])
        return lambda given: text
    parts = [one if isinstance(one, str) else closures.of(one) for one in of.parts]

    def told(value: Closure, given: Frame) -> str:
        try:
            return _in_sentence(value(given))
        except (PlayError, KeyError):  # exact odds, which show no text, keep no values that only a text reads
            return "…"

    return lambda given: "".join([one if isinstance(one, str) else told(one, given) for one in parts])


def _in_sentence(value: Any) -> str:
    """A value in words; a list as people say it: `ann, bo and cy`, or `none`."""
    words = in_words(value)
    if not isinstance(value, tuple) or not words.startswith("["):
        return words
    *others, last = map(in_words, value) if value else ["none"]
    return f"{', '.join(others)} and {last}" if others else last
