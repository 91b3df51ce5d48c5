"""A throw of dice of an expression, and the steps that it becomes."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.frozen import dataclass
from interpreter.notation.placed_text import PlacedText
from interpreter.syntax.yaml_text import quote_inside

THROWN = "rolled"
"""The name of a step that throws dice."""

Line = tuple[str, str, PlacedText, str]
"""A step: its name, what stands before a text that was typed, this text, and what stands after it."""


@dataclass
class ThrowStep:
    """A step that throws dice. `end` is where the dice end in the expression: what is thrown first ends first."""

    name: str
    end: int
    pool: PlacedText
    again: str = ""
    reroll: str = ""
    counts: str = ""
    single: bool = False
    faces: tuple[int, ...] = ()
    """What its dice may show, where that is known."""
    is_sum: bool = False
    """Whether all throws of a die count as one, even where dice are counted."""

    @property
    def read(self) -> str:
        """The name of the step with the roll."""
        return f"{self.name}_again" if self.reroll else self.name

    def lines(self) -> Iterator[Line]:
        """Its steps."""
        mark = "" if quote_inside(self.pool.text) == self.pool.text else '"'
        further = "".join(
            f", {key}: {quote_inside(text)}" for key, text in (("again", self.again), ("counts", self.counts)) if text
        )
        yield self.name, f"{{roll: {mark}", self.pool, f"{mark}{further}}}"
        if self.reroll:
            reroll = self.pool.instead(f"{self.name} where {self.reroll}")
            yield self.read, "{reroll: ", reroll, "}"
