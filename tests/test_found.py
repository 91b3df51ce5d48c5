"""What generated games have found wrong, each held by its kind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from generated.asking import Asked

import interpreter
from interpreter import PlayError, library, pipeline
from interpreter.effective import effective
from interpreter.errands import Errand
from interpreter.game import RANDOM
from interpreter.listing import listing
from interpreter.source import Source

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


@pytest.mark.parametrize("name", {**library.rulesets(), **library.house_rules()})
def test_the_effective_text_of_a_ruleset_is_the_same_ruleset(name: str) -> None:
    loaded = pipeline.from_path({**library.rulesets(), **library.house_rules()}[name])
    assert loaded.program is not None and loaded.laid is not None and loaded.world is not None
    lines = "\n".join(line.text for line in effective(loaded.laid, loaded.world.formers))
    again = pipeline.from_text(Source.of("effective.yaml", lines))
    assert again.problems.errors == [] and again.program is not None
    assert listing(again.program) == listing(loaded.program)


PAIRED = """
ruleset: paired
mechanics:
  main:
    steps:
      mine:   {roll: DICE, COUNTS}
      theirs: {roll: 2d2, counts: 1}
      pairs:  {pair: mine, with: theirs, each: {lead: LEAD}}
      total:  sum(pairs.lead)
"""


@pytest.mark.parametrize("lead", ["ours.face - theirs", "theirs.face", "ours.size"])
@pytest.mark.parametrize("counts", ["counts: 1", "counts: 1 if face >= 2 else 0", "each: {low: face == 1}, counts: 2"])
@pytest.mark.parametrize("dice", ["2d2", "2d3", "d2 & d3", "3d2"])
def test_of_dice_that_count_the_same_the_first_thrown_is_paired_first(dice: str, counts: str, lead: str) -> None:
    game = interpreter.loads(PAIRED.replace("DICE", dice).replace("COUNTS", counts).replace("LEAD", lead))
    plain = Asked(game, "main", {}, None, None, {})
    for names in (("pairs",), ("total",), ("pairs", "mine")):
        assert game.odds("main").law(*names).weights == plain.law(names)
