"""Readings of a roll that are worked out when it is drawn, which is before play reaches them.

Play may never reach them: a condition skips their step, or the mechanic ends before. So a formula that fails is no
error yet: all dice are drawn instead, and the step itself reports the error, if it is reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError


class FailedAhead(Exception):
    """A formula failed that play has not reached yet."""


@contextmanager
def mark_failures_ahead(frame: Mapping[str, Any], names: Iterable[str]) -> Iterator[None]:
    """Raises FailedAhead where a formula is refused, or fails as something that it reads under these names is
    missing."""
    try:
        yield
    except PlayError as error:
        if error.diagnostic.code in say.TOO_LARGE:
            raise
        raise FailedAhead from error
    except (TypeError, AttributeError) as error:
        if not any(_may_be_missing(frame.get(name)) for name in names):
            raise
        raise FailedAhead from error


def _may_be_missing(value: Any) -> bool:
    """Whether a value is missing, or holds one that is."""
    if isinstance(value, Mapping):
        return any(map(_may_be_missing, value.values()))
    return value is None or (type(value) is tuple and any(map(_may_be_missing, value)))
