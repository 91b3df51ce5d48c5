"""Steps that change what lasts."""

from __future__ import annotations

from collections.abc import Callable

from .dice import NOTHING, Step
from .grower import Grower, Scope

MAKERS: dict[str, Callable[[Grower, Scope], Step]] = {}


def for_things(g: Grower, s: Scope) -> Step:
    return NOTHING
