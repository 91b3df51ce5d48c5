"""Calls that several threads make of one session, one after the other.

Each call reads or changes the whole run: between two halves of it, no other may answer, undo or look.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import isfunction
from typing import Any, TypeVar

C = TypeVar("C", bound=type)


def one_at_a_time(of: C) -> C:
    """A class of which each public call and property waits until those of other threads on the same run are done."""
    for name, one in list(vars(of).items()):
        if name.startswith("_"):
            continue
        if isinstance(one, property) and one.fget is not None:
            setattr(of, name, property(_make_call_wait(one.fget), doc=one.__doc__))
        elif isfunction(one) and not getattr(one, _ASKS, False):
            setattr(of, name, _make_call_wait(one))
    return of


_ASKS = "asks_the_host"


def asks_the_host(call: Callable[..., Any]) -> Callable[..., Any]:
    """A call that waits for answers of the host, so that others may go on meanwhile."""
    setattr(call, _ASKS, True)
    return call


def _make_call_wait(call: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(call)
    def call_in_turn(self: Any, *given: Any, **named: Any) -> Any:
        with self._run.lock:
            return call(self, *given, **named)

    return call_in_turn
