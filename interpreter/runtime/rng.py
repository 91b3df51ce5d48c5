"""Sources of faces: a small documented generator, or the dice on the table.

The generator is PCG32 (XSH-RR 64/32; M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
Algorithms for Random Number Generation", 2014), with the unbiased bounded draw of the reference implementation. It
is whole numbers only, so a seed gives the same faces on every platform and in every version; its published test
vectors are in the tests. Not for secrets.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Protocol

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Span
from interpreter.syntax.document import Scalar
from interpreter.values import (
    Die,
    Face,
    dice_in_words,
    faces_in_words,
    faces_of,
    has_face_within,
    in_words,
    is_same_in_writing,
)

_MULTIPLIER = 6364136223846793005
_MASK64 = (1 << 64) - 1
_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)
STREAM = 54
"""The stream of PCG32 that all seeds use: that of its published demonstration."""


class FaceSource(Protocol):
    """Answers requests for faces."""

    def throw(self, dice: Sequence[Die]) -> list[Face]:
        """One face for each die, in order."""


class Pcg32:
    """PCG32: `state` and `increment` are 64-bit; each `next` gives 32 bits."""

    __slots__ = ("increment", "state")

    def __init__(self, seed: int, stream: int = STREAM) -> None:
        self.increment = (stream << 1 | 1) & _MASK64
        self.state = 0
        self.next()
        self.state = (self.state + seed) & _MASK64
        self.next()

    def next(self) -> int:
        """The next 32 bits, as a number from 0."""
        return self.below(1 << 32)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each as likely as any other; draws again where a bias would begin."""
        threshold = (1 << 32) % bound
        while True:
            old = self.state
            self.state = (old * _MULTIPLIER + self.increment) & _MASK64
            shifted = ((old >> 18) ^ old) >> 27 & 0xFFFFFFFF
            rotation = old >> 59
            drawn = (shifted >> rotation | shifted << (-rotation & 31)) & 0xFFFFFFFF
            if drawn >= threshold:
                return drawn % bound


def fresh_seed() -> int:
    """A random seed, short enough to be read out."""
    return int.from_bytes(os.urandom(4))


def fresh_salt() -> str:
    """A random salt that cannot be guessed."""
    return os.urandom(16).hex()


class SeededDice:
    """Random faces from a seed."""

    def __init__(self, seed: int) -> None:
        self.generator = Pcg32(seed)

    def throw(self, dice: Sequence[Die]) -> list[Face]:
        draw = self.generator.below
        return [die.faces[draw(die.size)] if die.faces else draw(die.size) + 1 for die in dice]


class FacesOnTable:
    """Faces of dice on the table, in the order in which they are requested."""

    def __init__(self, faces: Sequence[Face | Scalar]) -> None:
        self.faces = list(faces)
        self.thrown: list[Die] = []

    @property
    def used(self) -> int:
        return len(self.thrown)

    def throw(self, dice: Sequence[Die]) -> list[Face]:
        answer = []
        for die in dice:
            if self.used >= len(self.faces):
                raise PlayError(say.too_few_faces(str(die), len(self.faces), dice_in_order_of_throws(self.thrown)))
            try:
                answer.append(canonical_face(die, self.faces[self.used]))
            except PlayError as error:
                raise PlayError(say.with_dice_before(error.diagnostic, dice_in_order_of_throws(self.thrown))) from None
            self.thrown.append(die)
        return answer

    def finish(self) -> None:
        """Raises PlayError if faces are left that were not requested."""
        if self.used < len(self.faces):
            first = self.faces[self.used]
            span = first.span if isinstance(first, Scalar) else say.NOWHERE
            raise PlayError(say.too_many_faces(span, self.used, len(self.faces), dice_in_order_of_throws(self.thrown)))


def dice_in_order_of_throws(dice: Iterable[Die]) -> str:
    """Dice in the order in which they were thrown: `d20, 2d6, d4`."""
    runs = [dice_in_words(run) for _, run in groupby(dice)]
    return ", ".join(runs if len(runs) <= MOST_TOLD else ["…", *runs[-MOST_TOLD:]])


MOST_TOLD = 12
"""The most kinds of dice in a row that a message about their order lists."""


def canonical_face(die: Die, written: Face | Scalar) -> Face:
    """A face of a die in its canonical form. Raises PlayError for a face that the die does not have."""
    face = written.text if isinstance(written, Scalar) else written
    if type(face) is str and face in faces_of(die):  # perhaps an element of a pile, which may look like a number
        return face
    if isinstance(face, Mapping):  # a record of a pile, as a host gives it
        face = in_words(face)
    if isinstance(face, str) and face.lstrip().startswith("{"):
        face = next((one for one in faces_of(die) if is_same_in_writing(str(one), face)), face)
    elif isinstance(face, str):
        number = _NUMBER.fullmatch(face.strip())
        face = int(face) if number else " + ".join(sorted(part.strip() for part in face.split("+")))
    if type(face) not in (int, str) or face not in faces_of(die):
        span = written.span if isinstance(written, Scalar) else say.NOWHERE
        raise PlayError(say.no_such_face(span, str(die), face, faces_in_words(die)))
    return face


def check_dice_have_face(dice: Iterable[Die], face: int, span: Span) -> None:
    """Raises PlayError if a die is turned to a face that it does not have."""
    for die in dict.fromkeys(dice):
        if not has_face_within(die, face, face):
            raise PlayError(say.cannot_show(span, str(die), str(face), faces_in_words(die)))
