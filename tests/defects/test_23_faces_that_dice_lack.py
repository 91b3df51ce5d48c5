"""A die is turned only to a face that it has: where a check cannot know, play, odds and simulation stop alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from generated.hold import CHECKS, held

import interpreter
from interpreter import Game
from interpreter.diagnostics import PlayError

TURNS = {
    "placed": "{place: d6 & 2d4, showing: n}",
    "placed, a die of the ruleset": "{place: odd_die, showing: n}",
    "turned": "{reroll: rolled, to: n}",
    "turned, some": "{reroll: rolled where size == 4, to: n}",
    "turned, one": "{reroll: rolled by size, most: 1, to: n}",
    "turned, of what counts": "{reroll: counted, to: n}",
    "turned in a stage": "{roll: d4, then: {turned: {reroll: a, to: n}}}",
}
LACKS = dict.fromkeys(TURNS, 5) | {"placed, a die of the ruleset": 2}
HAS = dict.fromkeys(TURNS, 4) | {"placed, a die of the ruleset": 3}


def text_of(turn: str) -> str:
    return f"""\
ruleset: turned
dice: {{odd_die: {{faces: [1, 3, 5]}}}}
mechanics:
  main:
    inputs: {{n: {{type: number, from: 0, to: 9, default: 4}}}}
    steps:
      rolled: {{roll: d6 & d4}}
      counted: {{roll: d4, counts: face + 1}}
      a: {TURNS[turn]}
      total: sum(a)
"""


WAYS: dict[str, Callable[[Game, int], Any]] = {
    "play": lambda game, n: game.roll("main", seed=1, inputs={"n": n}),
    "odds": lambda game, n: game.odds("main", inputs={"n": n}).law("total"),
    "simulation": lambda game, n: game.simulate("main", runs=20, seed=1, of=["total"], inputs={"n": n}),
}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("way", WAYS)
def test_a_face_that_a_die_lacks_stops_every_way_of_answering(way: str, turn: str) -> None:
    game = interpreter.loads(text_of(turn))
    with pytest.raises(PlayError) as error:
        WAYS[way](game, LACKS[turn])
    assert error.value.diagnostic.code == "HR418"
    assert f"cannot be turned to `{LACKS[turn]}`" in error.value.diagnostic.message
    WAYS[way](game, HAS[turn])


@pytest.mark.parametrize("turn", TURNS)
def test_a_face_that_all_have_is_shown(turn: str) -> None:
    text = text_of(turn).replace("default: 4", f"default: {HAS[turn]}")
    verdict = held(text, checks={name: CHECKS[name] for name in CHECKS if name != "cases"})
    assert verdict.kind == "agreed", verdict
