"""What it takes to take up a save under other rules: what is told, and what somebody must decide."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from interpreter.values import to_data

LineKind = Literal[
    "default", "renamed", "converted", "aside", "back", "bound", "value", "needed", "thing", "seen", "dropped", "rule",
    "option", "step_back", "set",
]  # fmt: skip
"""What a line is about: a new attribute with its initial value, a new name, a value in another form, one that is kept
aside or is back, one out of bounds or of another type, one that is missing, a thing, who sees a value, a mark that is
dropped, a rule that has changed, an option of another value, a session that goes back to where its rules still fit, a
value that somebody has given."""


@dataclass(frozen=True)
class AdoptionLine:
    """One thing that a save and the rules differ in, in words.

    `path` is the attribute (`kinds.ship.crew`), or whatever else has changed. `old` and `new` are values by the names
    of the things. One that is `open` waits for a decision; `way` says how to give it.
    """

    kind: LineKind
    path: str
    text: str
    old: Mapping[str, Any] = field(default_factory=dict)
    new: Mapping[str, Any] = field(default_factory=dict)
    open: bool = False
    way: str = ""

    def __str__(self) -> str:
        return self.text

    def to_data(self) -> dict[str, Any]:
        """The line as plain data."""
        return {
            "kind": self.kind, "path": self.path, "text": self.text, "old": to_data(dict(self.old)),
            "new": to_data(dict(self.new)), "open": self.open, "way": self.way,
        }  # fmt: skip


@dataclass(frozen=True)
class Wishes:
    """What is decided beforehand.

    `renamed` has new names by old ones: `{"ship.sail": "canvas"}`, `{"ship": "vessel"}`. `values` are values by place:
    `{"ann.flag": 2}`. With `proposals`, everything is taken up as it is proposed: the nearest bound, the initial value.
    """

    renamed: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    proposals: bool = False

    def about(self, state: object, save: object) -> Wishes:
        """The decisions for one of the states of a save."""
        return replace(self, values=values_about(self.values, things_in(state), things_in(save)))


def values_about(values: Mapping[str, Any], here: Set[str], anywhere: Set[str]) -> dict[str, Any]:
    """Values by place, such as `ann.flag`, without those of things that are not here, but elsewhere."""
    return {place: one for place, one in values.items() if place.partition(".")[0] not in anywhere - here}


def things_in(save: object) -> Set[str]:
    """The names of the things in the data of a save, in any of its states. Whatever is malformed has none."""
    if not isinstance(save, Mapping):
        return set()
    names = {*things} if isinstance(things := save.get("things"), Mapping) else set()
    return names.union(*(things_in(save.get(key)) for key in STATES))


STATES = ("state", "boundary", "before", "after")
"""Under which keys a session and a result have states; that of a boundary is in it."""

NO_WISHES = Wishes()
