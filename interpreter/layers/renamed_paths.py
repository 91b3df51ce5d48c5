"""Which names house rules give, and which of them belong to a rule: for comparisons of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from interpreter.layers.merge import LayerChange
from interpreter.syntax.document import Scalar


class RenamedPath(NamedTuple):
    """A name that house rules give: where it stands, in names from before, and what it was and is called."""

    scope: tuple[str, ...]
    old: str
    new: str


def renamed_paths(changes: Iterable[LayerChange]) -> tuple[RenamedPath, ...]:
    """The names that changes give, in their order; of a name that is changed twice, the first and the last one."""
    found: dict[tuple[tuple[str, ...], str], str] = {}

    def path_before(path: Sequence[str]) -> tuple[str, ...]:
        """A path in the names from before."""
        made: tuple[str, ...] = ()
        for name in path:
            old = next((old for (scope, old), new in found.items() if scope == made and new == name), name)
            made = (*made, old)
        return made

    for one in changes:
        if one.verb == "rename" and isinstance(one.value, Scalar):
            *scope, old = path_before(one.path)
            found[tuple(scope), old] = one.value.text
    return tuple([RenamedPath(scope, old, new) for (scope, old), new in found.items() if old != new])


def new_names(paths: Sequence[RenamedPath]) -> dict[tuple[str, ...], str]:
    """The new names by what they rename: the old name in a path whose other names are those of now."""
    renamed = {(*one.scope, one.old): one.new for one in paths}

    def scope_of_now(scope: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([renamed.get(scope[: place + 1], name) for place, name in enumerate(scope)])

    return {(*scope_of_now(one.scope), one.old): one.new for one in paths}


def names_for(paths: Sequence[RenamedPath], rule: str) -> tuple[dict[str, str], dict[str, str]]:
    """The new names inside the rule at a path, which may have a new name itself, and those of everything else."""
    rule = next((".".join((*scope, old)) for scope, old, new in paths if ".".join((*scope, new)) == rule), rule)
    own: dict[str, str] = {}
    others: dict[str, str] = {}
    for scope, old, new in paths:
        (own if ".".join(scope[:2]) == rule else others)[old] = new
    return own, others
