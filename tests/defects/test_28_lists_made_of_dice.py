"""A loop over thrown dice gives its results in the order of the dice; a list of numbers with a 0 in it has something in
it. Both were told otherwise by exact odds: results as if dice had no order, and a 0 as if it were `no`."""

from __future__ import annotations

import pytest
from agreement import assert_agreement

ROLLS = ("{roll: 2d3}", "{roll: d2 & d3}", "{roll: 2d2, again: face == 2 and nth < 2}", "{roll: 3d2}")
LOOPS = (
    "{for: one_, among: x, where: it > 1, each: {left: one_ + 1}}",
    "{for: one_, among: x, each: {left: one_.face}}",
    "{for: one_, among: ordered(x), each: {left: one_.face}}",
    "{for: one_, among: reversed(x), each: {left: one_.face}}",
    "{for: one_, among: 'highest(x, 2)', each: {left: one_.size}}",
    "{for: one_, among: x, each: {next_: {roll: d2}, left: one_ + next_}}",
)


@pytest.mark.parametrize("roll", ROLLS)
@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_over_dice_has_their_order(loop: str, roll: str) -> None:
    assert_agreement(f"""
ruleset: loops
mechanics:
  main:
    steps:
      x: {roll}
      out: {loop}
""")


PLAIN = ("any(X)", "all(X)", "count(X)")
OF_NUMBERS = (*PLAIN, "any(X where it > 0)", "all(X where it >= 0)")
READINGS = [(function, column) for column in ("x.less", "paired.lead", "passes.lead") for function in OF_NUMBERS]
READINGS += [(function, column) for column in ("x.low", "paired.won") for function in PLAIN]


@pytest.mark.parametrize(("function", "column"), READINGS)
def test_a_number_of_0_is_there(function: str, column: str) -> None:
    assert_agreement(f"""
ruleset: columns
mechanics:
  main:
    steps:
      x: {{roll: 2d2, each: {{less: face - 1, low: face == 1}}}}
      others: {{roll: 2d2}}
      paired: {{pair: x, with: others, each: {{lead: ours - theirs, won: ours > theirs}}}}
      passes: {{repeat: 2, each: {{die_: {{roll: d3}}, lead: die_ - 1}}}}
      out: {function.replace("X", column)}
""")
