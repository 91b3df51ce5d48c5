"""Random fights: the scene files of the bundled rulesets, with any legal answer to every question."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from interpreter import library, scenefile
from interpreter.game import Game, Result
from interpreter.scenefile import SceneFile
from interpreter.state import State
from lasting.play import at_random

FILES = sorted(file for first in library.rulesets().values() for file in first.parent.glob("scenes/*.yaml"))
ROUNDS = 3


@cache
def scene(path: Path) -> tuple[SceneFile, Game, State]:
    """A scene file with its game, and the state that it begins with."""
    file = scenefile.read(path)
    game = scenefile.game_of(file)
    return file, game, scenefile.state_of(game, file)


@cache
def fought(path: Path, seed: int, rounds: int | None = ROUNDS) -> Result:
    """So many rounds of it."""
    file, game, state = scene(path)
    policy = at_random(random.Random(seed))
    return game.play(
        scenefile.played(file), state=state, rounds=rounds, seed=seed, policy=policy, inputs=scenefile.given(game, file)
    )
