"""Pickles are for one version: another one refuses them before it reads what may have changed.

So a pickle names nothing before the gate but what stands in this file, which stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.version import VERSION


class VersionGate:
    """Stands first in a pickle. What comes after it is read only by the version that wrote it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return check_version, (VERSION,)


def check_version(version: str) -> VersionGate:
    """Raises PlayError for a pickle of another version."""
    if version != VERSION:
        raise PlayError(say.pickle_of_another_version(version, VERSION))
    return VersionGate()


def reduce_by(maker: Callable[..., Any], *given: Any) -> tuple[Any, ...]:
    """What `__reduce__` returns of a value that a function of a module makes again from what is given."""
    return make_again, (VersionGate(), maker.__module__, maker.__name__, *given)


def make_again(gate: VersionGate, module: str, maker: str, *given: Any) -> Any:
    """The value that a function makes; it is found only after the gate."""
    return getattr(import_module(module), maker)(*given)
