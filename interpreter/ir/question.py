"""Texts that are put to people, with values in them: questions, what an answer comes to, and what an outcome tells."""

from __future__ import annotations

import re
from collections.abc import Iterable

from interpreter.frozen import dataclass
from interpreter.ir.expressions import Constant, Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Counted:
    """`{wound|wounds}`: what is said after 1, and after any other `number`, which is the value before it in the text"""

    one: str
    other: str
    number: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Said:
    """One text: `written` is that of the file, on one line; its `pieces` are text, the values between braces, and the
    words that go by the number of one."""

    written: str
    pieces: tuple[str | Formula | Counted, ...] = ()

    @property
    def pattern(self) -> str:
        """The text with `…` in place of each value, and with the words of more than one."""
        texts = (one.other if isinstance(one, Counted) else one for one in self.pieces)
        return "".join(one if isinstance(one, str) else "…" for one in texts)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TextPart:
    """`{say: "It brings {amount} Chaos.", if: amount > 0}`; `instead` is what `else` says where the condition fails."""

    say: Said
    condition: Formula | None = None
    instead: Said | None = None

    @property
    def is_always_said(self) -> bool:
        """Whether the part says something whatever holds."""
        holds = self.condition is None or (isinstance(self.condition.body, Constant) and self.condition.body.value)
        return self.instead is not None or bool(holds)

    @property
    def texts(self) -> tuple[Said, ...]:
        return (self.say,) if self.instead is None else (self.say, self.instead)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Question:
    """`ask: "{event.attacker} attacks {event.target}. Step in between?"`

    A text in parts, of which those are said whose conditions hold. A plain text is one part without a condition.
    It is no node of the program: traversal does not enter it, so that odds and simulations, which ask nobody, do not
    keep what only a question reads.
    """

    parts: tuple[TextPart, ...] = ()

    @property
    def written(self) -> str:
        """The text as if every condition held."""
        return join_texts([part.say.written for part in self.parts])

    @property
    def values(self) -> tuple[Formula, ...]:
        """The values in the text, whether their parts are said or not."""
        texts = [one for part in self.parts for one in part.texts]
        return tuple([one for text in texts for one in text.pieces if isinstance(one, Formula)])

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """All that the text reads: its conditions and its values."""
        return (*[part.condition for part in self.parts if part.condition is not None], *self.values)

    @property
    def pattern(self) -> str:
        """The text with `…` in place of each value, without parts that may be left out: always the same."""
        return join_texts([part.say.pattern for part in self.parts if part.is_always_said])

    def __bool__(self) -> bool:
        return bool(self.parts)


NO_QUESTION = Question()


_SIGN = re.compile(r"[,;:.!?](?=\s|$)\s*")
"""A sign with which a part may begin that goes on with the sentence of the part before it."""


def join_texts(texts: Iterable[str]) -> str:
    """Parts of a text, joined by one space.

    A part that begins with a sign such as `,` or `.` follows without a space; at the beginning of the whole it loses
    the sign, for there is no sentence with which it could go on.
    """
    whole = ""
    for text in texts:
        sign = _SIGN.match(text)
        if not whole:
            whole = text[sign.end() :] if sign else text
        elif text:
            whole += text if sign else f" {text}"
    return whole
