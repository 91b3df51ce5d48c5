"""A scene file that is ready to be played: its game, the state it begins with, its inputs, and its players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from interpreter import bundled as bundled_files
from interpreter import diagnostics as say
from interpreter.api import arguments, scene_file
from interpreter.api.game import Game
from interpreter.api.host_texts import Resolve, Wanted, finder_for
from interpreter.api.input_data import input_data
from interpreter.api.query import CHANCE_DICE, Query, prepare
from interpreter.api.session import Session
from interpreter.diagnostics import RulesetError
from interpreter.diagnostics.source import Source
from interpreter.play.deciders import Policy
from interpreter.runtime.rng import Seed
from interpreter.runtime.state import State


@dataclass(frozen=True)
class PlayableScene:
    """A scene of a game as a file describes it.

    `inputs` are those that the file gives, as plain data. `players` maps each player to the things and roles of that
    player.
    """

    name: str
    title: str
    about: str
    game: Game
    rule: str
    state: State
    inputs: Mapping[str, Any]
    players: Mapping[str, tuple[str, ...]]

    def begin(
        self,
        *,
        players: Mapping[str, Sequence[str] | str] | None = None,
        seed: Seed | None = None,
        words: str = "",
        dice: str = CHANCE_DICE,
        policy: str | Policy | None = None,
    ) -> Session:
        """A session of the scene at its first question, with other `players` if any are given; see `Game.begin`."""
        return self.game.begin(
            self.rule,
            state=self.state,
            players=self.players if players is None else players,
            seed=seed,
            words=words,
            dice=dice,
            policy=policy,
            inputs=self.inputs,
        )


@arguments.with_checked_arguments
def load_scene(
    path: str | PathLike[str],
    *,
    text: str | None = None,
    resolve: Resolve | None = None,
    bundled: bool = True,
    allow: Sequence[str] = (),
) -> PlayableScene:
    """The scene of a file, with its game and its house rules. A bundled scene may be given by its name alone.

    Its things need not meet the requirements of their kinds that `allow` names.

    With `text` or `resolve`, no file is opened but those of bundled rulesets: `path` is then what messages call the
    text, or the name of the scene for which `resolve` is asked, and all else is as for `loads`.

    Raises RulesetError with everything that is wrong with the file or its ruleset, PlayError for a value, a player or
    an option that does not fit.
    """
    if text is None and resolve is None:
        file = scene_file.read(scene_file.find_scene_file(path))
        return scene_of(file, scene_file.game_of(file).allowing(allow))
    finder = finder_for(resolve, bundled)
    source = Source.of(str(path), text) if text is not None else finder.ask(Wanted(str(path), "", "scene"))
    if source is not None:
        file = scene_file.from_text(source)
    elif bundled and str(path) in bundled_files.scenes():
        file = scene_file.read(bundled_files.scenes()[str(path)])
    else:
        raise RulesetError(say.no_such_text(str(path)))
    return scene_of(file, scene_file.game_of(file, finder).allowing(allow))


def scene_of(file: scene_file.SceneFile, game: Game) -> PlayableScene:
    """The scene of a file in a game that is loaded. Raises PlayError and RulesetError as `load_scene` does."""
    rule, state = scene_file.path_of_scene(file), scene_file.state_of(game, file)
    written = scene_file.inputs_of(game, file)
    values = prepare(Query(game, rule, written, state)).frame
    inputs = {name: input_data(values[name]) for name in written if values[name] is not None}
    players = scene_file.players_of(file)
    return PlayableScene(file.name, file.title, file.about, game, rule, state, inputs, players)
