"""Whole fights: the same duel by the ruleset and by hand, fights a second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter import Game, Result
from interpreter.api import scene_file
from interpreter.runtime.rng import Pcg32
from interpreter.runtime.state import State

from .by_hand import Duel
from .clock import Measured, Task, times
from .table import Table, each_second, failures, ratio

LONG_DUEL = Path(__file__).parent / "scenes" / "duel.yaml"
FIGHTS = 10
POLICY = "steady"


@dataclass(frozen=True)
class Fight:
    """A scene file, ready to be played."""

    game: Game
    state: State
    scene: str
    given: Any

    @staticmethod
    def read(path: Path) -> Fight:
        file = scene_file.read(path)
        game = scene_file.game_of(file)
        return Fight(
            game, scene_file.state_of(game, file), scene_file.path_of_scene(file), scene_file.inputs_of(game, file)
        )

    def played(self, seed: int) -> Result:
        """The fight from a seed, with all that is told of it."""
        return self.game.play(self.scene, state=self.state, seed=seed, policy=POLICY, inputs=self.given)

    def simulated(self, runs: int) -> Any:
        """So many fights, counted."""
        return self.game.simulate(
            self.scene, state=self.state, seed=1, policy=POLICY, inputs=self.given, runs=runs, of=["outcome", "rounds"]
        )


def by_hand(seed: int) -> Duel:
    """The same fight in plain Python, with the same generator."""
    below = Pcg32(seed).below
    return Duel(lambda size: below(size) + 1).fight()


def fights(runs: int) -> Table:
    """Fights a second: simulated, played with their trace, and by hand."""
    fight = Fight.read(LONG_DUEL)
    table = Table(
        f"Whole fights a second (median of {runs})", ["", "simulated", "with trace", "by hand", "simulated/by hand"]
    )
    tasks = {
        "simulated": Task(_warm(lambda: fight.simulated(FIGHTS), lambda: fight.simulated(2))),
        "told": Task(_warm(lambda: [fight.played(seed) for seed in range(FIGHTS)], lambda: fight.played(0))),
        "by hand": Task(_warm(lambda: [by_hand(seed) for seed in range(FIGHTS)], lambda: by_hand(0))),
    }
    found: dict[str, Measured] = times(tasks, runs)
    one = {name: of / FIGHTS if isinstance(of, float) else of for name, of in found.items()}
    shown = [each_second(one[name]) for name in tasks]
    table.rows.append(["duel in plate", *shown, ratio(one["by hand"], one["simulated"])])
    table.notes += failures(found)
    return table


def _warm(work: Callable[[], Any], once: Callable[[], Any]) -> Callable[[], Callable[[], Any]]:
    def ready() -> Callable[[], Any]:
        once()
        return work

    return ready
