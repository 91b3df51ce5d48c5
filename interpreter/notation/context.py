"""What is known of the names and dice of expressions while they become steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from interpreter.diagnostics import NotationReading
from interpreter.diagnostics.source import Span
from interpreter.notation.placed_text import PlacedText
from interpreter.notation.throws import ThrowStep
from interpreter.syntax.document import parse_whole_number
from interpreter.syntax.written_dice import COIN, FUDGE

DICE = "{type: dice}"
NO_DICE = "no_dice"
WELL_KNOWN = {FUDGE: (-1, 0, 1), COIN: (0, 1)}
"""Dice that expressions may name."""


class Note(NamedTuple):
    """What a part of an expression is read as, where it may have been meant otherwise."""

    span: Span
    reading: NotationReading


class Context:
    """Names, throws and notes: `given` are the values of names, `taken` the names that stand for something."""

    def __init__(self, given: Mapping[str, str], named: Iterable[str]) -> None:
        self.taken = {*given, *named}
        self.pools = {name for name, value in given.items() if declared_input(value) == DICE} | {NO_DICE}
        self.pools |= WELL_KNOWN.keys() - self.taken
        self.rolls: dict[str, ThrowStep | bool] = {}
        """Rolls by the name under which each is read; True for dice of several rolls."""
        self.reads: set[str] = set()
        self.dice: dict[str, tuple[int, ...]] = {}
        """Dice with faces of their own."""
        self.notes: list[Note] = []
        self.throws: list[ThrowStep] = []
        """Those of the expression that is read now."""
        self.in_other_words = False
        """Whether the expression that is read now is in the words of another tool."""
        self.start = 0

    def begin(self, start: int) -> None:
        """Begin with another expression, which starts at a character of what was typed."""
        self.start, self.throws, self.in_other_words = start, [], False

    def text_around(self, span: Span) -> tuple[str, str]:
        """What stands before and after a place in the expression that is read now."""
        return span.source.text[self.start : span.start], span.source.text[span.end :]

    def unused_name(self, name: str) -> str:
        """A name like this one that stands for nothing yet."""
        number, new = 1, name
        while new in self.taken:
            number += 1
            new = f"{name}_{number}"
        self.taken.add(new)
        return new

    def name_of_throw(self, throw: ThrowStep) -> str:
        """The name under which a new throw is read."""
        self.throws.append(throw)
        self.rolls[throw.read] = throw
        return throw.read

    def declare(self, dice: Iterable[tuple[str, tuple[int, ...]]]) -> None:
        for name, faces in dice:
            self.dice[name] = faces
            self.pools.add(name)
            self.taken.add(name)

    def note(self, reading: NotationReading, text: PlacedText, start: int, end: int) -> None:
        """Tell of a part of a text, once; what is proposed is about the whole of what was typed."""
        one = Note(text.origin(start, end), reading)
        if one not in self.notes:
            self.notes.append(one)


def declared_input(value: str) -> str:
    """The declaration of an input that has a value."""
    if parse_whole_number(value) is not None:
        return "{type: number}"
    return "{type: yes_no}" if value.strip() in ("yes", "no") else DICE
