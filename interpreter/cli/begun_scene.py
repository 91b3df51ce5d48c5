"""The scene of a file as a terminal begins it: alone, or in the state that another scene has left."""

from __future__ import annotations

from interpreter import diagnostics as say
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.api.query import CHANCE_DICE
from interpreter.api.scene_file import SceneFile
from interpreter.api.session import Session
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.play.deciders import Policy
from interpreter.runtime.rng import Seed
from interpreter.runtime.state import State
from interpreter.saves.plan import AdoptionLine


@dataclass(frozen=True)
class Seating:
    """Who plays a scene here: the players who are `seated`, or all of its file, and the `policy` for all others; with
    `no_input`, nobody. `seed` and `dice` say how its dice fall, and `asks` what they are asked, if that is said."""

    seated: tuple[str, ...]
    policy: str | Policy | None
    seed: Seed | None
    dice: str
    no_input: bool
    asks: str | None = None


@dataclass(frozen=True)
class BegunScene:
    """A scene file at its first question: the state that was there `before`, if any, that in which it began, and what
    has changed in the rules since the state was saved."""

    session: Session
    before: State | None
    state: State
    adopted: tuple[AdoptionLine, ...]


def begin_file(
    playing: Game, file: SceneFile, before: tuple[State | None, tuple[AdoptionLine, ...]], seating: Seating
) -> BegunScene:
    """Begin the scene of a file in the state that is there before. Raises PlayError where it cannot be begun."""
    there, lines = before
    state, players = scene_file.state_of(playing, file, there), scene_file.players_of(file)
    for name in seating.seated:
        if name not in players:
            raise PlayError(say.unknown_player(name, players))
    here = {name: one for name, one in players.items() if not seating.seated or name in seating.seated}
    session = playing.begin(
        scene_file.path_of_scene(file), state=state, players=here if not seating.no_input else {}, seed=seating.seed,
        dice=seating.dice if not seating.no_input else CHANCE_DICE, policy=seating.policy,
        inputs=scene_file.inputs_of(playing, file),
    )  # fmt: skip
    return BegunScene(session, there, state, lines)
