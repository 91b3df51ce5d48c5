"""What it takes to take up a save under other rules: what is told, and what somebody must decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from interpreter.values import to_data

LineKind = Literal[
    "default", "renamed", "converted", "aside", "back", "bound", "value", "needed", "thing", "seen", "dropped", "rule",
    "option", "step_back",
]  # fmt: skip
"""What a line is about: a new attribute with its initial value, a new name, a value in another form, one that is kept
aside or is back, one out of bounds or of another type, one that is missing, a thing, who sees a value, a mark that is
dropped, a rule that has changed, an option of another value, a session that goes back to where its rules still fit."""


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


NO_WISHES = Wishes()
