"""Dice that the steps of each throw roll, or that steps keep in a thing time after time, are told apart.

Odds and simulation took dice of the same step for the same dice.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from enumeration import by_enumeration

import interpreter
from interpreter.api.game import Game

READ = {
    "which are left": ("count(without(hand, highest(hand, 1)))", "sum(without(hand, highest(hand, 1)))"),
    "which are in another": (
        "count(common(hand, lowest(hand, 2)))",
        "sum(common(hand, without(hand, lowest(hand, 1))))",
    ),
}

KEPT = "c: {roll: d2}; hand: {is: h.dice, if: given(h.dice), else: c}"

HANDS = {
    "throws": "a: {roll: 2d2, each: {got: {roll: 2d2}}}; hand: a.throws.got",
    "parts": "a: {roll: {red: 1d2, blue: 1d2}, each: {got: {roll: d2}}}; hand: a.throws.got",
    "a chain": "a: {roll: 2d2, again: face == 2 and nth < 2, each: {got: {roll: d2}}}; hand: a.throws.got",
    "a chain without end": "a: {roll: d2, again: face == 2 and count(earlier) < 2, each: {got: {roll: d2}}};"
    " hand: a.throws.got",
    "steps of steps": "a: {roll: 2d2, each: {b: {steps: {got: {roll: 2d2}}}}}; hand: a.throws.b.got",
    "passes": "a: {repeat: 2, each: {got: {roll: 2d2}}}; hand: a.got",
    "throws in passes": "a: {repeat: 2, each: {b: {roll: 2d2, each: {got: {roll: d2}}}}}; hand: a.b.throws.got",
    "passes in throws": "a: {roll: 2d2, each: {b: {repeat: 2, each: {got: {roll: d2}}}}}; hand: a.throws.b.got",
    "pairs": "b: {roll: 2d2}; a: {pair: b, with: b, each: {got: {roll: 2d2}}}; hand: a.got",
    "calls": "a: {call: draw}; b: {call: draw}; hand: a.got & b.got",
    "calls in throws": "a: {roll: 2d2, each: {b: {call: draw}}}; hand: a.throws.b.got",
    "a reroll": "b: {roll: 2d2, each: {got: {roll: d2}}}; a: {reroll: b where face == 1};"
    " hand: a.throws.got & b.throws.got",
    "a reroll of the lowest": "b: {roll: 2d2, each: {got: {roll: d2}}}; a: {reroll: 'lowest(b, 1)'};"
    " hand: a.throws.got & b.throws.got",
    "dice that are turned": "b: {roll: 2d2, each: {got: {roll: d2}}}; a: {reroll: b where face == 1, to: 2};"
    " hand: a.throws.got & b.throws.got",
    "kept by calls": "a: {call: keep, with: {h: h}}; b: {call: keep, with: {h: h}}; " + KEPT,
    "kept and given by calls": "a: {call: keep, with: {h: h}}; b: {call: keep, with: {h: h}}; "
    "d: {call: peek, with: {h: h}}; hand: 'without(d.had, a.got) & b.got'",
    "kept in a block": "b: {steps: {d: {roll: 2d2}, kept: {set: h.dice, to: d}}}; a: {call: peek, with: {h: h}}; "
    "hand: 'without(a.had, b.d)'",
    "kept by throws": "a: {roll: 2d2, each: {b: {call: keep, with: {h: h}}}}; " + KEPT,
    "kept by a chain": "a: {roll: d2, again: face == 2 and nth < 2, each: {b: {call: keep, with: {h: h}}}}; " + KEPT,
    "kept by passes": "a: {repeat: 2, each: {b: {call: keep, with: {h: h}}}}; " + KEPT,
}


def a_game(hand: str, read: str) -> Game:
    n, s = READ[read]
    steps = "".join(f"\n      {step.strip()}" for step in hand.split(";"))
    return interpreter.loads(
        f"""
ruleset: hands
kinds: {{box: {{has: {{dice: {{type: roll, optional: yes}}}}}}}}
mechanics:
  draw: {{steps: {{got: {{roll: 2d2}}}}}}
  keep:
    inputs: {{h: box}}
    steps:
      got:    {{roll: 2d2}}
      all_of: {{is: got & h.dice, if: given(h.dice)}}
      kept:   {{set: h.dice, to: all_of if given(all_of) else got}}
  peek:
    inputs: {{h: box}}
    steps: {{no_die: {{roll: d2}}, had: {{is: h.dice, if: given(h.dice), else: no_die}}}}
  main:
    inputs: {{h: box}}
    steps:{steps}
      n: "{n}"
      s: "{s}"
"""
    )


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("hand", HANDS)
def test_they_are_as_many_as_are_thrown(hand: str, read: str) -> None:
    game = a_game(HANDS[hand], read)
    state = game.state(box={"is": "box"})
    asked: dict[str, Any] = {"inputs": {"h": "box"}, "state": state}
    expected = by_enumeration(game, "main", state, ("n", "s"), {"h": "box"})
    assert game.odds("main", **asked).law("n", "s").weights == expected
    found = game.simulate("main", runs=2000, seed=7, **asked).law("n", "s").weights
    assert all(abs(found.get(key, 0) - chance) < Fraction(6, 100) for key, chance in expected.items())


KEEPS = """
ruleset: two
kinds: {box: {has: {dice: {type: roll, optional: yes}, best: {type: roll, optional: yes}}}}
mechanics:
  draw:
    inputs: {h: box, r: {type: roll, default: []}}
    steps:
      got:  {roll: 2d2}
      had:  {is: h.dice, if: given(h.dice), else: got}
      left: count(without(had, got & r))
      keep: {set: h.dice, to: got & h.dice if given(h.dice) else got}
      best: {set: h.best, to: "highest(got, 1)"}
"""


def test_dice_that_are_kept_from_one_question_to_the_next_are_none_of_the_new_ones() -> None:
    game = interpreter.loads(KEEPS)
    state, left = game.state(x={"is": "box"}), []
    for seed in range(3):
        asked = {"h": "x", "r": {"dice": "2d2", "faces": [1, 1]}}
        assert len(game.odds("draw", inputs=asked, state=state).law("left").weights) == 1
        result = game.roll("draw", inputs=asked, state=state, seed=seed)
        assert result.state is not None
        state = result.state
        left.append(result.values["left"])
    assert left == [0, 2, 4]


@pytest.mark.parametrize("times", [1, 2, 3])
def test_dice_that_are_kept_are_saved_with_what_tells_them_apart(times: int) -> None:
    game = interpreter.loads(KEEPS)
    state = game.state(x={"is": "box"})
    for seed in range(times):
        result = game.roll("draw", h="x", state=state, seed=seed)
        assert result.state is not None
        state = result.state
        assert game.replay(json.loads(result.to_json())).to_json() == result.to_json()
    text = game.to_json(state)
    loaded = game.state(text)
    assert loaded == state and game.to_json(loaded) == text
    assert (
        game.look(loaded, "count(without(x.dice, x.best)) if given(x.dice) and given(x.best) else 0") == 2 * times - 1
    )
    assert json.loads(text)["things"]["x"]["best"]["which"][0] in json.loads(text)["things"]["x"]["dice"]["which"]


@pytest.mark.parametrize(
    "roll", ["{roll: 2d3, counts: face * 2}", "{roll: 2d3, each: {mark: face + 1}}", "{roll: fudge}"]
)
@pytest.mark.parametrize("again", ["", "      anew: {reroll: got where face == 1}\n"])
def test_a_state_with_dice_is_the_same_when_it_is_loaded(roll: str, again: str) -> None:
    game = interpreter.loads(
        "ruleset: two\ndice: {fudge: {faces: [-1, 0, 1]}}\nkinds: {box: {has: {dice: {type: roll, optional: yes}}}}\n"
        f"mechanics:\n  draw:\n    inputs: {{h: box}}\n    steps:\n      got: {roll}\n{again}"
        "      kept: {set: h.dice, to: got where yes}\n"
    )
    state = game.roll("draw", h="x", state=game.state(x={"is": "box"}), seed=3).state
    assert state is not None and game.state(game.to_json(state)) == state
