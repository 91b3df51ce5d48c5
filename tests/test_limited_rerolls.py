"""A reroll of the first few dice of a list: which they are depends on how the list was put together."""

from __future__ import annotations

from textwrap import indent

import pytest
from enumeration import by_enumeration, hold_to_every_history

import interpreter

RULES = {
    "of the lowest": "anew: {reroll: 'lowest(rolled, 2)', most: 1}\nvalue: sum(anew)",
    "of the highest": "anew: {reroll: 'highest(rolled, 2)', most: 1}\nvalue: sum(anew)",
    "of dice in order": "anew: {reroll: ordered(rolled), most: 1}\nvalue: sum(anew)",
    "of dice in the other order": "anew: {reroll: reversed(ordered(rolled)), most: 1}\nvalue: sum(anew)",
    "of dice that a loop goes through": "some: {for: d, among: ordered(rolled), each: {w: d}}\n"
    "some_of: {call: few, with: {dice: some.w}}\nvalue: some_of.total",
    "of two selections": "anew: {reroll: '(rolled where face == 1) & (rolled where face == 2)', most: 1}\n"
    "value: sum(anew)",
    "of paired dice": "some: {pair: rolled, with: other, each: {w: ours > theirs}}\n"
    "some_of: {call: few, with: {dice: some.ours}}\nvalue: some_of.total",
    "of dice before and after a reroll": "again: {reroll: rolled where face == 1}\nboth: again & rolled\n"
    "some_of: {call: few, with: {dice: both where face == 2}}\nvalue: some_of.total",
    "of a list twice": "twice: rolled & rolled\nanew: {reroll: twice where face == 1, most: 2}\nvalue: sum(anew)",
    "of dice that were thrown again": "again: {reroll: rolled where face == 1}\n"
    "anew: {reroll: again, most: 1, to: 1}\nvalue: sum(without(rolled, anew where face == 2))",
    "taken by rank after a reroll": "anew: {reroll: rolled where face == 1}\n"
    "value: sum(without(rolled, highest(anew, 1)))",
    "taken from a sorted list after a reroll": "anew: {reroll: rolled where face == 1}\n"
    "value: sum(without(rolled, first(ordered(anew), 1)))",
    "turned to a face": "anew: {reroll: 'lowest(rolled, 2)', most: 1, to: 2}\nvalue: sum(anew)",
    "of single dice of passes": "die: {roll: d2}\n"
    "some: {repeat: 2, carry: {one: die}, each: {one: {reroll: one where face == 1}}}\n"
    "some_of: {call: few, with: {dice: some.one}}\nvalue: some_of.total",
    "of single dice of records": "die: {roll: d2}\nfirst_one: {steps: {q: die}}\n"
    "other_one: {steps: {q: {reroll: die where face == 1}}}\nboth: [first_one, other_one]\n"
    "some_of: {call: few, with: {dice: both.q}}\nvalue: some_of.total",
}


@pytest.mark.parametrize("rule", RULES)
def test_odds_and_simulations_are_those_of_every_history(rule: str) -> None:
    played = interpreter.loads(
        "ruleset: first_few\nmechanics:\n  few:\n    inputs: {dice: roll}\n    steps: {anew: {reroll: dice, most: 1},"
        " total: sum(anew)}\n"
        "  one:\n    steps:\n      rolled: {roll: 2d2}\n      other: {roll: 2d2}\n" + indent(RULES[rule], " " * 6)
    )
    hold_to_every_history(played, "one", "value")


PLAYED = """ruleset: played
kinds: {box: {one: yes, has: {hand: {type: roll, optional: yes}}}}
events:
  boom: {inputs: {dice: {type: roll}}, steps: {anew: {reroll: dice where face < 3, most: 1}, total: sum(anew)}}
mechanics:
  caused:
    steps: {rolled: {roll: 2d3}, it_booms: {cause: boom, with: {dice: rolled}}, value: it_booms.total otherwise 0}
  kept:
    steps: {other: {place: d2, showing: 1}, anew: {reroll: box.hand otherwise other, most: 1}, value: sum(anew)}
"""


@pytest.mark.parametrize("rule", ["caused", "kept"])
def test_play_takes_the_first_dice_in_their_order(rule: str) -> None:
    played = interpreter.loads(PLAYED)
    state = played.state({"box": {"hand": {"dice": "2d2", "faces": [2, 1]}}})
    true = by_enumeration(played, rule, state, ("value",), {})
    assert played.odds(rule, state=state).law("value").weights == true
    found = played.simulate(rule, state=state, runs=2_000, seed=1, of=("value",)).law("value").weights
    assert found.keys() <= true.keys()
    assert all(abs(float(found.get(key, 0) - share)) < 0.08 for key, share in true.items())
