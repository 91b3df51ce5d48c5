"""A round is short: how often a terminal asks a group that fights, and that nothing but minor questions is left out."""

from __future__ import annotations

import pytest
import short_rounds

from interpreter import Game, load

MOST = {"castle": 56, "four-against-four": 60, "duel": 21}
"""The most questions of the first round of a scene of Fiend Wake, over the seeds below."""


@pytest.fixture(scope="module")
def game() -> Game:
    return load("fiend-wake")


@pytest.mark.parametrize("seed", (1, 2, 3))
@pytest.mark.parametrize("scene", MOST)
def test_the_first_round_asks_few_questions(game: Game, scene: str, seed: int) -> None:
    asked = short_rounds.first_round(game, scene, seed)
    counted = dict(short_rounds.questions(asked))
    assert len(asked) <= MOST[scene], counted
    # The group fights: nobody is spared questions by doing little.
    assert counted["mechanics.take_turn.moves"] >= 9 and counted["events.handicap.score"] >= 3, counted
    assert scene != "four-against-four" or counted["reactions.intercept.intercept"] >= 2, counted
