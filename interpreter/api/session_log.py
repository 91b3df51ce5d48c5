"""What a session is made of: its beginning, and the log of its answers, each hashed together with all before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.runtime.rng import Seed

GIVEN, WITH, CHANCE, POLICY, STANDING = "given", "with", "chance", "policy", "standing"
"""The origin of an answer: a player or the host, the same together with another answer, the dice of the session, its
policy, or an answer that stands."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of the log: the request, the answer, its origin and, if a player gave it, the player.

    With `until`, the answer stands until this span ends: for the thing or role that was asked, or, with `for_all`, for
    everything that its player answers for, or, with `for_everybody`, for all players.
    """

    request: str
    path: str
    who: str | None
    of: str | None
    how: str
    by: str | None
    answer: Any
    until: str | None = None
    for_all: bool | None = None
    for_everybody: bool | None = None

    def to_data(self) -> dict[str, Any]:
        """The same as plain data, without the fields that are None."""
        return {key: value for key, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Beginning:
    """The arguments of a session. `seed` is None for dice on the table.

    `salt` is a random text if no seed was given: without it, a player could find the seed and secret answers by trying
    which of them give the ids of the requests. `at` is the boundary of a scene at which the session goes on, if it does
    not begin with the scene. `words` are what the players have said, from which the dice of a fresh seed fall, too.
    """

    rule: str
    given: Mapping[str, Any]
    state: Mapping[str, Any] | None
    players: Mapping[str, tuple[str, ...]]
    seed: Seed | None
    salt: str = ""
    at: Mapping[str, Any] | None = None
    words: str = ""

    def to_data(self) -> dict[str, Any]:
        """The same as plain data."""
        players = {player: list(names) for player, names in self.players.items()}
        return {
            "rule": self.rule, "given": dict(self.given), "state": self.state, "players": players, "seed": self.seed,
            "salt": self.salt, **({"at": dict(self.at)} if self.at is not None else {}),
            **({"words": self.words} if self.words else {}),
        }  # fmt: skip


def seal(before: str, data: Any) -> str:
    """The hash of data together with the seal before it. Raises PlayError for data that is not JSON."""
    try:
        text = before + json.dumps(data, ensure_ascii=True, sort_keys=True)
    except (TypeError, ValueError) as error:  # a host may pass anything
        raise PlayError(say.not_a_session(str(error).lower())) from None
    return hashlib.sha256(text.encode()).hexdigest()[:32]
