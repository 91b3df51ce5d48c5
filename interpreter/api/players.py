"""The players of a session, who of them answers for what, and who else looks on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Any

from interpreter import diagnostics as say
from interpreter.api import arguments
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.frozen import dataclass
from interpreter.play.requests import Choice, ThrowRequest

Names = frozenset[str]
"""The things and roles that a player answers for."""


class Onlooker(Enum):
    """A viewer who is no player: a spectator sees what everybody sees, and the host sees all."""

    SPECTATOR = "spectator"
    HOST = "host"


SPECTATOR, HOST = Onlooker.SPECTATOR, Onlooker.HOST

Viewer = str | Onlooker
"""Who looks at a session: a player by name, `SPECTATOR` or `HOST`."""


@dataclass(frozen=True)
class Players:
    """The players, each with the names of the things and roles that the player answers for."""

    names: Mapping[str, tuple[str, ...]]

    def names_of(self, player: str) -> Names:
        """The things and roles that a player answers for. Raises PlayError where there is no such player."""
        if player not in self.names:
            raise PlayError(say.unknown_player(player, self.names))
        return frozenset(self.names[player])

    def after_giving(self, name: str, player: str) -> Players:
        """The players after a thing or role was given to one of them."""
        others = {one: tuple(each for each in has if each != name) for one, has in self.names.items()}
        return Players({one: (*has, name) if one == player else has for one, has in others.items()})

    def read_viewer(self, value: object) -> Viewer:
        """A viewer that a host names. Raises PlayError where it is none, or no player of this session."""
        if isinstance(value, Onlooker):
            return value
        if not isinstance(value, str):
            raise PlayError(say.misfit_argument("viewer", value, "the name of a player, `SPECTATOR` or `HOST`"))
        player = arguments.text("viewer", value)
        self.names_of(player)
        return player

    def names_seen_by(self, viewer: Viewer) -> Names | None:
        """The names by which `seen_by` means a viewer; None for the host, from whom nothing is hidden. Raises PlayError
        where there is no such player."""
        if isinstance(viewer, str):
            return self.names_of(viewer)
        return frozenset() if viewer is SPECTATOR else None

    def player_for(self, name: str | None) -> str | None:
        """The player who answers for a thing or role, or None; the player of a thing answers for its parts, too."""
        while name:
            for player, names in self.names.items():
                if name in names:
                    return player
            name = name.rpartition(".")[0]
        return None

    def player_of(self, of: Choice | ThrowRequest) -> str | None:
        """The player who answers a request, or None."""
        return self.player_for(of.by if isinstance(of, Choice) else None)


def players_of(players: Mapping[str, Sequence[str] | str]) -> Mapping[str, tuple[str, ...]]:
    """The names that each player of a session answers for."""
    return MappingProxyType(arguments.players("players", players))


def check_players(
    players: Mapping[str, tuple[str, ...]],
    things: Mapping[str, Any],
    roles: Mapping[str, str],
    places: Mapping[tuple[str, str], Span] = MappingProxyType({}),
) -> None:
    """Raises PlayError if players answer for an unknown name, or two for the same; `places` are the places of names in
    a file."""
    by: dict[str, str] = {}
    for player, names in players.items():
        for name in names:
            place = places.get((player, name), NOWHERE)
            if name not in things and name not in roles:
                raise PlayError(say.plays_nobody(player, name, [*things, *roles], place))
            if by.setdefault(name, player) != player:
                raise PlayError(say.played_by_two(name, by[name], player, place))
