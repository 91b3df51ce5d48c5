"""Which of several equal dice a reroll has taken is the same die each time that the reroll is done: a loop that rerolls
at most some dice of the same roll again and again, itself or by a call, has the law that enumeration gives."""

from __future__ import annotations

import pytest
from agreement import assert_agreement

REROLL = "{reroll: DICE by -size, most: 1}"
LOOPS = {
    "repeat": f"through: {{repeat: 2, each: {{out: {REROLL}}}}}",
    "for": f"through: {{for: one_, among: '[1, 2]', each: {{out: {REROLL}}}}}",
    "each throw": f"through: {{roll: 2d2, each: {{out: {REROLL}, low: lowest(out)}}}}",
    "called in a loop": "through: {repeat: 2, each: {out: {call: again, with: {dice: DICE}}}}",
    "called at two removes": "through: {repeat: 2, each: {out: {call: over, with: {dice: DICE}}}}",
    "called twice": "one_: {call: over, with: {dice: DICE}}\n      two: {call: over, with: {dice: DICE}}",
    "twice": f"one_: {REROLL}\n      two: {REROLL}",
}


@pytest.mark.parametrize("roll", ["2d3", "3d2", "2d2 & d3"])
@pytest.mark.parametrize("loop", LOOPS)
def test_the_same_die_is_rerolled_each_time(loop: str, roll: str) -> None:
    assert_agreement(f"""
ruleset: rerolled
mechanics:
  again:
    inputs: {{dice: roll}}
    steps: {{out: {{reroll: dice by -size, most: 1}}}}
  over:
    inputs: {{dice: roll}}
    steps: {{out: {{call: again, with: {{dice: dice}}}}}}
  main:
    steps:
      x: {{roll: {roll}}}
      {LOOPS[loop].replace("DICE", "x")}
""")


REROLLS = (
    "{reroll: x, most: 1}",
    "{reroll: x by -size, most: 1}",
    "{reroll: x where face == 1, most: 1}",
    "{reroll: 'highest(x, 1)'}",
    "{reroll: 'lowest(x, 1)'}",
    "{reroll: x}",
)
LOOKS_BACK = (
    "{seen: '(last(earlier.seen) otherwise 0) + (1 if face == 2 else 0)'}",
    "{seen: count(earlier)}",
    "{seen: face + sum(earlier.seen)}",
)


@pytest.mark.parametrize("reroll", REROLLS)
@pytest.mark.parametrize("each", LOOKS_BACK)
@pytest.mark.parametrize("dice", ["2d2", "d2 & d3", "3d2"])
def test_a_throw_that_looks_back_belongs_to_one_die(reroll: str, each: str, dice: str) -> None:
    """What `each` names depends on the dice thrown before, so it matters which of equal dice is rerolled."""
    assert_agreement(f"""
ruleset: rerolled
mechanics:
  main:
    steps:
      x: {{roll: {dice}, each: {each}}}
      y: {reroll}
      seen: count(y.throws where it.seen > 1)
      most: highest(y.throws.seen) otherwise 0
""")
