"""The duel that is written by hand for the benchmark comes to the same ends as the ruleset's, from the same faces."""

from __future__ import annotations

from typing import Any

import pytest
from benchmarks.by_hand import Duel, Fighter
from benchmarks.fights import LONG_DUEL, Fight
from marks import sample

from interpreter import Result

SCORES = ("cunning", "spirit", "resolve", "essence", "grace", "power", "endurance")


@pytest.fixture(scope="module")
def duel() -> Fight:
    return Fight.read(LONG_DUEL)


def left_by_rules(fight: Fight, result: Result) -> dict[str, Any]:
    """What is told of the fighters at the end."""
    state = result.state
    assert state is not None

    def told(name: str) -> dict[str, Any]:
        look = {key: fight.game.look(state, f"{name}.{key}") for key in ("wounds", "unconscious")}
        lost = {score: list(fight.game.look(state, f"{name}.{score}.handicapped")) for score in SCORES}
        return {**look, "lost": lost}

    return {"outcome": result.outcome, "rounds": result.values["rounds"], "brakk": told("brakk"), "dorn": told("dorn")}


def left_by_hand(duel: Duel) -> dict[str, Any]:
    def told(one: Fighter) -> dict[str, Any]:
        lost = {name: score.handicapped for name, score in one.scores.items()}
        return {"wounds": one.wounds, "unconscious": one.unconscious, "lost": lost}

    return {"outcome": duel.outcome, "rounds": duel.rounds, **{one.name: told(one) for one in duel.fighters}}


@pytest.mark.parametrize("part", sample(range(10), 0, 2))
def test_the_duel_by_hand_comes_to_the_same_ends_from_the_same_faces(duel: Fight, part: int) -> None:
    for seed in range(part * 20, part * 20 + 20):
        result = duel.played(seed)
        faces = iter(result.faces)
        by_hand = Duel(lambda size: next(faces)).fight()  # noqa: B023
        assert left_by_hand(by_hand) == left_by_rules(duel, result), seed
        assert next(faces, None) is None, "it threw as many dice"
        assert by_hand.rounds >= 10, "a fight of some length"
