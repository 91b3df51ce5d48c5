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


def asked(game: Game, event: str, state: Any, **inputs: Any) -> str:
    """The first question that an event asks, where dice lie on the table."""
    session = game.begin(event, state=state, inputs=inputs, dice="table")
    return str(session.host.requests[0].question)


def test_whoever_may_clear_out_hears_how_many_handicaps_follow() -> None:
    game = load("fiend-wake", options={"wound_overflow": "carry"})
    state = fight(game, imp={"place": "tower", "tactical_points": 1})
    told = asked(game, "mass_damage", state, place="tower", amount=13)
    assert "full tracks, each of them a handicap (a stat loses a number): 2; if you clear out, it is full, too" in told
    assert "a full track, which is a handicap" in asked(game, "mass_damage", state, place="tower", amount=7)
    assert "you have 5 wounds; if you clear out, 2." in asked(game, "mass_damage", state, place="tower", amount=5)


def test_no_roll_is_told_of_where_none_can_fail(game: Game) -> None:
    state = fight(game, lockjaw={"tactical_points": 1})
    assert "no roll could fail to stop them. Do you stop them?" in asked(game, "flight", state, who="imp", value=1)
    assert "It takes a roll of 2 or more" in asked(game, "flight", state, who="imp", value=2)


def test_whoever_is_handicapped_hears_how_many_are_too_many(game: Game) -> None:
    told = asked(game, "handicap", fight(game), sufferer="lockjaw")
    assert "This is handicap 1 of lockjaw; whoever has 3 faints, and is out." in told


def test_whoever_is_unconscious_hears_nothing_of_fainting_again(game: Game) -> None:
    state = fight(game, lockjaw={"unconscious": "yes"})
    assert asked(game, "handicap", state, sufferer="lockjaw").startswith("A stat loses its highest free number.")


@pytest.mark.parametrize(("skill", "told"), [("proposed", True), ("medicine", True), ("none_at_all", False)])
def test_a_number_of_endurance_is_told_to_matter_where_it_may_stack(game: Game, skill: str, told: bool) -> None:
    bent = game.with_options({"endurance_skill": skill})
    request = bent.begin("handicap", state=fight(bent), inputs={"sufferer": "lockjaw"}).host.requests[0]
    assert ("and in holding out" in request.meanings["lockjaw.endurance"]) is told


def test_in_the_open_the_game_host_says_whom_mass_damage_hits(game: Game) -> None:
    state = fight(game, lockjaw={"armour": "none"})
    session = game.begin("mass_damage", state=state, inputs={"place": "nowhere", "amount": 3})
    (request,) = session.host.requests
    assert (request.who, request.question) == (
        "game_master",
        "Mass damage in the open: 3 wounds. Who stands where it hits?",
    )
    session.host.answer(request.id, ["imp"])
    assert (session.host.look("imp.wounds"), session.host.look("lockjaw.wounds")) == (3, 0)


def test_whoever_shoots_hears_into_which_places_no_shot_goes(game: Game) -> None:
    field = {"is": "combat", "fighters": ["lockjaw", "imp", "other"], "places": ["keep", "tower"]}
    other = {"is": "combatant", "like": "imp", "place": "tower"}
    state = game.state({"scene": field, "lockjaw": {"ready": "rifle"}, "other": other})
    assert asked(game, "ranged_attack", state, actor="lockjaw") == "Whom do you shoot at? No shot goes into the keep."
    inside = game.state({"scene": field, "lockjaw": {"ready": "rifle", "place": "keep"}, "other": other})
    assert asked(game, "ranged_attack", inside, actor="lockjaw") == "Whom do you shoot at?"
