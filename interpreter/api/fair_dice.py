"""Dice that can be proved to be fair: what not everybody may see falls from a stream of its own, and what the host
tells afterwards shows that the dice fell as they had to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.rule_steps import hidden_attributes
from interpreter.api.visibility import sources
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.play.requests import ThrowRequest
from interpreter.runtime.rng import HIDDEN, PUBLIC, DicePosition, Seed, commitments, stream_key


@dataclass(frozen=True, slots=True)
class ChanceThrow:
    """A throw by chance in a session: the number of its answer in the log, what was thrown, from which stream, how many
    numbers the stream had given before, and the faces."""

    number: int
    of: ThrowRequest
    stream: str
    start: int
    faces: tuple[Any, ...]

    def to_data(self) -> dict[str, Any]:
        """The same as plain data."""
        dice = [{"size": one.size, **({"faces": list(one.faces)} if one.faces else {})} for one in self.of.dice]
        return {
            "path": self.of.path, "stream": self.stream, "start": self.start, "dice": dice, "faces": list(self.faces),
        }  # fmt: skip


def reveal(seed: Seed | None, words: str, throws: Sequence[ChanceThrow], hidden: bool) -> dict[str, Any]:
    """What proves that dice fell as they had to: the keys of the streams and the throws from them; of the hidden stream
    only with `hidden`. Raises PlayError where the seed is no fresh one."""
    if not isinstance(seed, str):
        raise PlayError(say.nothing_to_reveal())
    streams = (PUBLIC, HIDDEN) if hidden else (PUBLIC,)
    return {
        "commitments": commitments(seed),
        "words": words,
        "keys": {one: stream_key(seed, one).hex() for one in streams},
        "throws": [one.to_data() for one in throws if one.stream in streams],
    }


def read_position(data: Any) -> DicePosition:
    """How far dice have come, from a save."""
    return data if isinstance(data, int) else (data[0], data[1])


def is_hidden_throw(program: ir.Program, of: ThrowRequest) -> bool:
    """Whether a throw, a draw or lots tell something of a value that not everybody may see."""
    return bool(hidden_attributes(program)) and bool(sources(program).result.get(of.step))
