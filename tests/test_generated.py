"""Generated games: whatever combines, every way of playing and counting comes to what plain enumeration comes to.

`python -m tests.generated 20000` holds more of them, and makes small what fails; so do the variables
`GENERATED_COUNT` and `GENERATED_SEED` here.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from generated.constructs import language
from generated.games import game, grown
from generated.grower import usage
from generated.hold import CHECKS, held
from generated.report import Tally, constructs
from marks import thorough

FIRST = int(os.environ.get("GENERATED_SEED", "0"))
COUNT = int(os.environ.get("GENERATED_COUNT", "36"))


@pytest.mark.parametrize("seed", thorough(range(FIRST, FIRST + COUNT), lambda seed: seed >= FIRST + COUNT // 3))
def test_everything_holds_of_a_game(seed: int) -> None:
    verdict = held(game(seed))
    assert verdict.well, f"{verdict.kind}: {verdict.about}"


@pytest.mark.thorough
def test_nearly_all_that_is_generated_is_sound_and_small_enough_to_walk() -> None:
    tally = Tally()
    for seed in range(1_000_000, 1_000_096):
        verdict = held(game(seed), checks={})
        tally.add(verdict.kind, verdict.about, verdict.held, set())
    assert tally.kinds["too much"] < 0.15 * tally.games
    assert tally.kinds["rejected"] < 0.15 * tally.games


def test_the_table_of_weights_knows_the_whole_language() -> None:
    known = {kind: list(rows) for kind, rows in usage().items()}
    assert known == {kind: [one.partition(" ")[2] for one in ones] for kind, ones in language().items()}


@pytest.mark.thorough
def test_what_no_game_uses_is_listed_with_a_reason() -> None:
    tally = Tally()
    for seed in range(1500):
        tally.add("agreed", "", Counter(), constructs(grown(seed)))
        if seed >= 300 and not any(not why for _, why in tally.unused()):
            break
    assert [one for one, why in tally.unused() if not why] == []


def test_everything_that_is_held_is_held() -> None:
    left = set(CHECKS)
    for seed in range(200):
        found = held(game(seed), checks={name: CHECKS[name] for name in CHECKS if name in left}).held
        left -= {name for name in left if f"held: {name}" in found}
        if not left:
            break
    assert not left
