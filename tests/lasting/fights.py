"""Random fights: the scene files of the bundled rulesets, with any legal answer to every question."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from interpreter import bundled
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.api.result import Result
from interpreter.api.scene_file import SceneFile
from interpreter.runtime.state import State
from lasting.play import at_random

FILES = sorted(file for first in bundled.rulesets().values() for file in first.parent.glob("scenes/*.yaml"))
ROUNDS = 3


@cache
def scene(path: Path) -> tuple[SceneFile, Game, State]:
    """A scene file with its game, and the state that it begins with."""
    file = scene_file.read(path)
    game = scene_file.game_of(file)
    return file, game, scene_file.state_of(game, file)


@cache
def fought(path: Path, seed: int, rounds: int | None = ROUNDS) -> Result:
    """So many rounds of it."""
    file, game, state = scene(path)
    policy = at_random(random.Random(seed))
    return game.play(
        scene_file.path_of_scene(file),
        state=state,
        rounds=rounds,
        seed=seed,
        policy=policy,
        inputs=scene_file.inputs_of(game, file),
    )
