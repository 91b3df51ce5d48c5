"""What people at the table read and are asked in Fiend Wake: what a choice comes to, before it is made."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import Game, load

FIGHT = {"scene": {"is": "combat", "fighters": ["lockjaw", "imp"]}}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("fiend-wake")


def fight(game: Game, **things: Any) -> Any:
    return game.state({**FIGHT, **things})


def shown(game: Game, state: Any, name: str) -> str:
    """What an action of Lockjaw says of itself."""
    return next(one.shows for one in game.possible(state, "lockjaw") if one.action == name)


@pytest.mark.parametrize(
    ("points", "told"),
    [
        (6, "for 6 Tactical Points, or 6 wounds that nothing reduces"),
        (5, "for 6 wounds that nothing reduces, since you have fewer than 6 Tactical Points"),
    ],
)
def test_the_wounds_for_caltrops_are_told_before_they_are_picked_up(game: Game, points: int, told: str) -> None:
    spikes = {"is": "place", "turn_wounds": 2, "left_by": "caltrops"}
    state = fight(game, spikes=spikes, lockjaw={"tactical_points": points, "place": "spikes"})
    assert shown(game, state, "pick_up_caltrops") == told


def burning(game: Game, weapon: str, **options: str) -> str:
    """The question whether to burn Essence for an attack."""
    asked = {"attacker": "lockjaw", "target": "imp", "weapon": weapon}
    session = game.with_options(options).begin("attack", state=fight(game), inputs=asked, dice="table")
    while True:
        (request,) = session.host.requests
        if request.path.endswith("change"):
            return str(request.question)
        session.host.answer(request.id, [4] if request.path.endswith("tosses") else False)


def test_tosses_that_stack_are_said_to_wound_only_where_they_do(game: Game) -> None:
    assert "adds a wound" in burning(game, "rifle")
    assert "adds a wound" not in burning(game, "axe")
    assert "adds a wound" in burning(game, "axe", melee_precision="wounds")
