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
def working_ahead(frame: Mapping[str, Any], names: Iterable[str]) -> Iterator[None]:
    """Raises FailedAhead where a formula is refused, or fails as one of the names that it reads is missing."""
    try:
        yield
    except PlayError as error:
        if error.diagnostic.code in say.TOO_LARGE:
            raise
        raise FailedAhead from error
    except (TypeError, AttributeError) as error:
        if all(frame.get(name) is not None for name in names):
            raise
        raise FailedAhead from error
