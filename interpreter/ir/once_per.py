"""Keep what a function works out of a program for as long as the program is in use, and no longer.

A host that loads many rulesets may not keep them all: `functools.lru_cache` would hold on to thousands of programs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from weakref import ref

Work = TypeVar("Work", bound=Callable[..., Any])


def once_per(work: Work) -> Work:
    """The function, carried out once for each first argument, a program or an action, and each of the others."""
    known: dict[int, tuple[ref[Any], dict[tuple[Any, ...], Any]]] = {}  # nodes by identity: they are looked up often

    @wraps(work)
    def work_once(node: Any, *others: Any) -> Any:
        found = known.get(id(node))
        if found is None:
            place = id(node)
            found = known.setdefault(place, (ref(node, lambda _: known.pop(place, None)), {}))
        of_node = found[1]
        if others not in of_node:
            of_node[others] = work(node, *others)
        return of_node[others]

    return work_once  # type: ignore[return-value]
