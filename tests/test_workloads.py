"""The workloads that speed is measured with have exactly the laws that plain Python gives, in every way to say them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from marks import thorough
from workloads import HERE, RULES, WORKLOADS, Law, reference

import interpreter
from interpreter.api.game import Game

load = cache(interpreter.load)
REFERENCE = reference()


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_mechanic_of_its_own(name: str) -> None:
    odds = load(RULES).odds(WORKLOADS[name].mechanic, inputs=WORKLOADS[name].inputs)
    assert odds.law(*WORKLOADS[name].asked).weights == REFERENCE[name]
    assert odds.missing_of(*WORKLOADS[name].asked) == 0


# The bundled rulesets, where they can say the same ------------------------------------------------------------------


def law(game: Game, mechanic: str, *asked: str, **inputs: Any) -> Law:
    odds = game.odds(mechanic, inputs=inputs)
    assert odds.missing_of(*asked) == 0
    return dict(odds.law(*asked).weights)


def contest(**inputs: Any) -> Law:
    """A contest of Jadeclaw, with its two kinds of failure taken together as the workload does."""
    found: Law = {}
    names = {"overwhelming_success": "overwhelming", "failure": "fail", "overwhelming_failure": "fail"}
    for (outcome,), weight in law(load("jadeclaw"), "contest", "outcome", **inputs).items():
        key = (names.get(outcome, outcome),)
        found[key] = found.get(key, 0) + weight
    return found


def damage(blow: str, soak: str) -> Law:
    return law(load("jadeclaw"), "damage_roll", "hits", damage=blow, soak=soak)


def check(code: str) -> Law:
    """A check of D6 where a 1 of the wild die is taken away together with the highest die."""
    game = load(HERE / "bundled-d6.yaml").with_options({"cf_also_drop_wild": True})
    return law(game, "check", "total", code=code, difficulty=10)


BUNDLED: dict[str, Callable[[], Law]] = {
    "W1": lambda: contest(own="2d12 & d10 & d8", against="3d10 & d6"),
    "W2": lambda: damage("3d12 & d10 & d8", "2d12 & d8"),
    "W2L": lambda: damage("8d12 & d8", "8d12 & d6"),
    "W3": lambda: contest(own={"dice": "2d12 & d10 & d8", "penalties": 2}, against="3d10 & d6"),
    "W4": lambda: check("5D+2"),
    "W4L": lambda: check("20D"),
    "W5": lambda: law(load(HERE / "bundled-fiend-wake.yaml"), "roll", "total", stat=9, skill=5, difficulty=10),
    "W6": lambda: law(
        load("2d20"), "test", "successes", "complications", target=14, focus=4, dice=5, complication_range=2
    ),
}


@pytest.mark.parametrize("name", thorough(BUNDLED, lambda name: name == "W4L"))
def test_a_bundled_mechanic(name: str) -> None:
    assert BUNDLED[name]() == REFERENCE[name]
