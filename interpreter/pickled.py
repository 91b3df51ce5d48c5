"""Pickles are for one version: another one refuses them before it reads what may have changed."""

from __future__ import annotations

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
