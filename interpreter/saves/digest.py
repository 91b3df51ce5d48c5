"""A hash of what happened in a run: two runs with the same digest told people the same, in whatever words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

from interpreter import ir
from interpreter.diagnostics import Diagnostic
from interpreter.ir.traversal import NODE_TYPES
from interpreter.play.requests import Choice
from interpreter.play.trace_events import Event, ThingSummarized
from interpreter.runtime.state import State
from interpreter.values import in_words

PASSED_OVER = {"depth", "told", "why", "phases"}
"""The fields of events that only tell people something, or how many phases a round has."""


class Digest:
    """The digest of a list of events that grows; it hashes only those that are new since it was last asked."""

    def __init__(self) -> None:
        self._events: Sequence[Event] = ()
        self._number, self._hash = 0, hashlib.sha256()

    def of(self, events: Sequence[Event]) -> str:
        """The digest of these events, as 16 hexadecimal digits. Summaries are no part of it."""
        if events is not self._events or len(events) < self._number:
            self._events, self._number, self._hash = events, 0, hashlib.sha256()
        for event in events[self._number :]:
            if not isinstance(event, ThingSummarized):
                kind: type = type(event)
                values = [_plain(_value_of(event, name)) for name in _names_kept(kind)]
                self._hash.update(repr((kind.__name__, values)).encode())
        self._number = len(events)
        return self._hash.hexdigest()[:16]


@lru_cache(maxsize=256)
def _names_kept(kind: type) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.name not in PASSED_OVER)


def _value_of(event: Event, name: str) -> Any:
    """A value of an event; of the inputs of a rule, only those that it declares, for its frame grows while it runs."""
    value, rule = getattr(event, name), getattr(event, "node", None)
    if name == "inputs" and isinstance(rule, ir.Mechanic):
        return {one.name: value.get(one.name) for one in rule.inputs}
    return value


def _plain(value: Any) -> Any:
    """A value as text that does not depend on titles and places: a construct as its path, a record by its names."""
    if type(value) in NODE_TYPES or isinstance(value, Choice):
        return getattr(value, "path", type(value).__name__)
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in sorted(value.items(), key=repr) if not str(name).startswith(".")}
    if isinstance(value, (State, Diagnostic)):
        return ""
    if isinstance(value, (tuple, list)) and any(type(one) in NODE_TYPES or isinstance(one, tuple) for one in value):
        return [_plain(one) for one in value]
    return in_words(value)
