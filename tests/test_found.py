"""What generated games have found wrong, each held by its kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

import interpreter
from interpreter import PlayError
from interpreter.errands import Errand
from interpreter.game import RANDOM

OF_SOME = """
ruleset: some
mechanics:
  main:
    inputs:
      few: {KIND, least: 2}
    steps:
      best:  highest(few) <= 3
      one_die: last(few) + 0
      named: "few where LOOK"
"""
FEW = {
    "type: roll": ("face > 1", {"dice": "d6", "faces": [3]}, {"dice": "2d6", "faces": [3, 4]}),
    "type: dice": ("size > 1", "d6", "2d6"),
    "list_of: number": ("it > 1", [3], [3, 4]),
}


@pytest.mark.parametrize("kind", FEW)
def test_what_there_is_at_least_of_an_input_is_there(kind: str) -> None:
    look, one, two = FEW[kind]
    text = OF_SOME.replace("KIND", kind).replace("LOOK", look)
    game = interpreter.loads(text.replace("last(few) + 0", "1") if kind == "type: dice" else text)
    with pytest.raises(PlayError) as error:
        game.roll("main", few=one, seed=1)
    assert error.value.diagnostic.code == "HR604"
    assert game.roll("main", few=two, seed=1).values["best"] in (True, False)


SOME = """
ruleset: several
mechanics:
  main:
    steps:
      kept: {choose: some, among: "[3, 1, 2]", least: LEAST, most: MOST, default: "[3, 1]"}
"""


@pytest.mark.parametrize(("least", "most"), [(0, 3), (1, 2), (2, 2)])
def test_several_that_are_chosen_by_chance_come_in_the_order_of_the_options(least: int, most: int) -> None:
    game = interpreter.loads(SOME.replace("LEAST", str(least)).replace("MOST", str(most)))
    errand = Errand(game, "main", {}, ("kept",), {}, RANDOM, 1)
    ready = game._ready("main", {}, game.reader())
    counts = replace(errand, at=ready.frame)._walked(game.rule("main"), 2000, 0)
    true = game.odds("main", policy=RANDOM).law("kept").weights
    assert set(counts) == set(true)
    assert all(abs(counts[key] / 2000 - share) < 0.06 for key, share in true.items())
