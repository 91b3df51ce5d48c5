"""Dice of different passes are different dice, also where a pass reads those of the passes before: odds are those of
every history."""

from __future__ import annotations

from textwrap import indent

import pytest
from enumeration import hold_to_every_history

import interpreter

RULES = {
    "what is carried": """
rep:
  repeat: 3
  carry: {old: start}
  each:
    new: {roll: 2d2}
    left: count(without(new, old))
    old: new
value: sum(rep.left)
""",
    "two that are carried": """
rep:
  repeat: 3
  carry: {old: start, older: start}
  each:
    new: {roll: d2}
    left: count(common(new, older)) * 10 + count(common(old, older))
    older: old
    old: new
value: last(rep.left)
""",
    "some dice of a pass, carried": """
rep:
  repeat: 3
  carry: {pool: start}
  each:
    new: {roll: 2d2}
    left: count(without(pool, new)) * 10 + count(without(new, pool))
    pool: new where face == 2
value: last(rep.left)
""",
    "all passes before": """
rep: {repeat: 3, each: {new: {roll: 2d2}, left: "count(without(new, earlier.new))"}}
value: sum(rep.left)
""",
    "the pass before": """
rep:
  repeat: 3
  each:
    new: {roll: d2}
    left: count(earlier.new) if count(common(new, earlier.new)) == 0 else 99
value: last(rep.left)
""",
    "the pass that is kept": """
rep:
  repeat: 2
  each: {new: {roll: 2d2}}
  keep: {highest: "sum(without(new, earlier.new))"}
value: sum(rep.new)
""",
    "a reroll of all dice so far": """
rep:
  repeat: 2
  each:
    new: {roll: d2 & d2}
    all_dice: earlier.new & new
    again: {call: anew, with: {dice: all_dice}}
value: sum(last(rep).again.rolled)
""",
    "passes in passes": """
rep:
  repeat: 2
  each:
    inner: {repeat: 2, each: {die: {roll: d2}, apart: "count(without(die, earlier.die))"}}
    left: sum(inner.apart)
value: sum(rep.left)
""",
    "passes that change the state": """
rep:
  repeat: 2
  each:
    new: {roll: 2d2}
    more: {gain: count(new where face == 2), to: purse.coins}
    left: count(without(new, earlier.new))
value: last(rep.left) * 10 + purse.coins
""",
    "a carried roll that is thrown again": """
rep: {repeat: 2, carry: {pool: start}, each: {pool: {reroll: pool where face == 1}}}
value: sum(last(rep).pool) * 10 + count(common(last(rep).pool, start))
""",
    "until": """
rep:
  repeat: 3
  each:
    new: {roll: 2d2}
    left: count(without(new, earlier.new))
  until: sum(new) == 4
value: last(rep.left) * 10 + count(rep)
""",
}


@pytest.mark.parametrize("rule", RULES)
def test_dice_of_passes_are_told_apart(rule: str) -> None:
    played = interpreter.loads(
        "ruleset: dice\nkinds:\n  purse: {one: yes, has: {coins: {type: points, to: 9, starts: 0}}}\n"
        "mechanics:\n  anew: {inputs: {dice: roll}, steps: {rolled: {reroll: dice where face == 1, most: 1}}}\n"
        "  one:\n    steps:\n      start: {roll: 2d2}\n" + indent(RULES[rule].strip(), "      ")
    )
    hold_to_every_history(played, "one", "value")
