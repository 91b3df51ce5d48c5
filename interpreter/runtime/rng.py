"""Sources of faces: two small documented generators, or the dice on the table.

A seed that is a whole number is for repeating: it gives the same faces on every platform and in every version, by PCG32
(XSH-RR 64/32; M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
Number Generation", 2014). Its published test vectors are in the tests. Whoever sees some of its faces can work out the
others.

A seed that is drawn afresh has 128 bits from the operating system, written as 32 hexadecimal digits. Its faces come
from HMAC-SHA-256, so that nobody can work out the seed or other faces from those that they see:

    key of a stream = HMAC(seed, "houserule dice: public"), or "… hidden"
    block n = HMAC(key, "n words"), with n from 0; `words` are what players have said, or nothing

A block is eight numbers of 32 bits, the highest byte first. What people may not all see comes from the hidden stream.

Both make faces by the unbiased bounded draw of the reference implementation of PCG, of whole numbers only.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
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
from interpreter.work_count import spend

_MULTIPLIER = 6364136223846793005
_MASK64 = (1 << 64) - 1
_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)
_FRESH = re.compile(r"[0-9a-f]{32}", re.ASCII)
STREAM = 54
"""The stream of PCG32 that all seeds use: that of its published demonstration."""


Seed = int | str
"""What dice fall by: a whole number, or the 32 hexadecimal digits of a fresh seed."""

DicePosition = int | tuple[int, int]
"""How far the dice of a seed have come: the state of PCG32, or how many numbers each stream has given."""

PUBLIC, HIDDEN = "public", "hidden"
"""The streams of a fresh seed: for what everybody may see, and for all else."""


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


class Draws(Protocol):
    """Gives random numbers."""

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each as likely as any other."""


class HashedNumbers:
    """The numbers of a stream of a fresh seed; `position` is how many of 32 bits were taken."""

    __slots__ = ("_block", "_key", "_numbers", "_words", "position")

    def __init__(self, key: bytes, words: str = "") -> None:
        self._key, self._words = key, words
        self._block, self._numbers = -1, ()
        self.position = 0

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each as likely as any other; draws again where a bias would begin."""
        threshold = (1 << 32) % bound
        while True:
            block, place = divmod(self.position, 8)
            if block != self._block:
                digest = hmac.digest(self._key, f"{block} {self._words}".encode(), "sha256")
                self._block, self._numbers = block, struct.unpack(">8I", digest)
            self.position += 1
            drawn: int = self._numbers[place]
            if drawn >= threshold:
                return drawn % bound


def fresh_seed() -> str:
    """A seed for dice that nobody can predict: 128 random bits as 32 hexadecimal digits."""
    return os.urandom(16).hex()


def fresh_number() -> int:
    """A random seed for what need not be secret, such as simulations: short enough to be read out."""
    return int.from_bytes(os.urandom(4))


def fresh_salt() -> str:
    """A random salt that cannot be guessed."""
    return os.urandom(16).hex()


def is_fresh_seed(seed: object) -> bool:
    """Whether a seed is of the kind that is drawn afresh, and not a whole number."""
    return isinstance(seed, str) and _FRESH.fullmatch(seed) is not None


def number_of(seed: Seed) -> int:
    """The seed of what draws from whole numbers only."""
    return int(seed, 16) if isinstance(seed, str) else seed


def stream_key(seed: str, stream: str) -> bytes:
    """The key of a stream of a fresh seed."""
    return hmac.digest(bytes.fromhex(seed), f"houserule dice: {stream}".encode(), "sha256")


def commitments(seed: str) -> dict[str, str]:
    """By stream, what can be told of a fresh seed before its dice fall: a hash of the key, which is told afterwards."""
    return {stream: hashlib.sha256(stream_key(seed, stream)).hexdigest() for stream in (PUBLIC, HIDDEN)}


class GeneratorDice:
    """Random faces from a generator."""

    def __init__(self, generator: Draws) -> None:
        self.generator = generator

    def throw(self, dice: Sequence[Die]) -> list[Face]:
        draw = self.generator.below
        spend(len(dice))
        return [die.faces[draw(die.size)] if die.faces else draw(die.size) + 1 for die in dice]


class SeededDice(GeneratorDice):
    """Random faces from a seed; `hidden` throws those that not everybody may see.

    For a whole number, these are the same dice. `words` are what the players have said, for a fresh seed.
    """

    def __init__(self, seed: Seed, words: str = "") -> None:
        self._seed, self._words = seed, words
        if isinstance(seed, str):
            self.generator = self._public = HashedNumbers(stream_key(seed, PUBLIC), words)
        else:
            self.generator = self._pcg = Pcg32(seed)

    @cached_property
    def _hidden(self) -> HashedNumbers:
        """Its key is made when it is first needed, which most rolls never do."""
        return HashedNumbers(stream_key(str(self._seed), HIDDEN), self._words)

    @property
    def hidden(self) -> GeneratorDice:
        return GeneratorDice(self._hidden) if isinstance(self._seed, str) else self

    @property
    def position(self) -> DicePosition:
        """How far the dice have come, from which they can go on."""
        return (self._public.position, self._hidden.position) if isinstance(self._seed, str) else self._pcg.state

    @position.setter
    def position(self, position: DicePosition) -> None:
        if isinstance(position, int):
            self._pcg.state = position
        else:
            self._public.position, self._hidden.position = position


class FacesOnTable:
    """Faces of dice on the table, in the order in which they are requested."""

    def __init__(self, faces: Sequence[Face | Scalar]) -> None:
        self.faces = list(faces)
        self.thrown: list[Die] = []

    @property
    def number_used(self) -> int:
        """How many of the faces are used."""
        return len(self.thrown)

    def throw(self, dice: Sequence[Die]) -> list[Face]:
        answer = []
        for die in dice:
            if self.number_used >= len(self.faces):
                raise PlayError(say.too_few_faces(str(die), len(self.faces), dice_in_order_of_throws(self.thrown)))
            try:
                answer.append(canonical_face(die, self.faces[self.number_used]))
            except PlayError as error:
                raise PlayError(say.with_dice_before(error.diagnostic, dice_in_order_of_throws(self.thrown))) from None
            self.thrown.append(die)
        return answer

    def finish(self) -> None:
        """Raises PlayError if faces are left that were not requested."""
        if self.number_used < len(self.faces):
            first = self.faces[self.number_used]
            span = first.span if isinstance(first, Scalar) else say.NOWHERE
            raise PlayError(
                say.too_many_faces(span, self.number_used, len(self.faces), dice_in_order_of_throws(self.thrown))
            )


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
