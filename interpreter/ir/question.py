"""Texts that are put to people, with values in them: questions, what an answer comes to, and what an outcome tells."""

from __future__ import annotations

from interpreter.ir.expressions import Formula
from interpreter.ir.node import dataclass


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Question:
    """`ask: "{event.attacker} attacks {event.target}. Step in between?"`

    `written` is the text of the file, on one line; `parts` are its pieces: text, and the values between braces.
    It is no node of the program: traversal does not enter it, so that odds and simulations, which ask nobody, do not
    keep what only a question reads.
    """

    written: str
    parts: tuple[str | Formula, ...] = ()

    @property
    def values(self) -> tuple[Formula, ...]:
        """The values in the text."""
        return tuple([one for one in self.parts if isinstance(one, Formula)])

    @property
    def pattern(self) -> str:
        """The text with `…` in place of each value."""
        return "".join(one if isinstance(one, str) else "…" for one in self.parts)

    def __bool__(self) -> bool:
        return bool(self.written)


NO_QUESTION = Question("")
