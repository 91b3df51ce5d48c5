"""What one question about odds may cost: counted work and memory, so that too much is refused early.

The loops that can grow count what they do before or while they do it. Counts, and not clocks, decide: a question is
refused at the same place on every machine. A unit of work takes about a
microsecond on a small machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may go through, do, and keep at a time. `memory` is in bytes."""

    states: int = 200_000
    work: int = 8_000_000
    memory: int = 200 << 20


LIMITS = Limits()
"""The limits where nobody sets others."""

STATE, ENTRY = 500, 70
"""About how many bytes a state takes that waits, and each entry of a list in it."""


ROW = 250
"""About how many bytes a row of a law takes."""


class Meter:
    """The meter of one question. Raises PlayError as soon as a limit is passed."""

    __slots__ = ("given", "limits", "states", "work")

    def __init__(self, limits: Limits | None = None) -> None:
        self.given = limits
        self.begin()

    def begin(self) -> None:
        """Begin a new question."""
        self.limits = self.given or LIMITS
        self.states = self.work = 0

    def meet(self, states: int) -> None:
        """Go through so many states."""
        self.states += states
        self.expect(0)

    def expect(self, states: int) -> None:
        """Refuse where so many more states would be too many."""
        if self.states + states > self.limits.states:
            raise PlayError(say.too_many_states(self.limits.states))

    def spend(self, work: int) -> None:
        """Do so much work."""
        self.work += work
        if self.work > self.limits.work:
            raise PlayError(say.too_much_work())

    def hold(self, memory: int) -> None:
        """Keep so many bytes at a time."""
        if memory > self.limits.memory:
            raise PlayError(say.too_much_memory(self.limits.memory >> 20))

    def unpack(self, entries: int) -> None:
        """Take a packed polynomial apart, with so many entries."""
        self.spend(entries // 2)
        self.hold(entries * ROW)

    def multiply(self, bits: int, times: int = 1) -> None:
        """Multiply whole numbers to products of so many bits."""
        self.spend(times * product(bits))


def product(bits: int) -> int:
    """The work of one multiplication to so many bits: it grows faster than their number."""
    return 1 + bits * isqrt(bits) // 20_000
