"""Lists that hold a die twice, before and after a reroll: it is one die, which is thrown once."""

from __future__ import annotations

from textwrap import indent

import pytest
from enumeration import hold_to_every_history

import interpreter

RULES = {
    "a list twice": "twice: rolled & rolled\nanew: {reroll: twice}\nvalue: sum(anew)",
    "some of it": "twice: rolled & rolled\nanew: {reroll: twice where face == 1}\nvalue: sum(anew)",
    "the first of it": "twice: rolled & rolled\nanew: {reroll: twice where face == 1, most: 1}\n"
    "value: (highest(groups(twice).width) otherwise 0) + count(common(anew.face, rolled.face))",
    "in a column of passes": "some: {repeat: 2, carry: {pool: rolled}, each: {pool: {reroll: pool where face == 1}}}\n"
    "anew: {call: other, with: {received: some.pool}}\nvalue: anew.total",
    "in passes": "some: {repeat: 2, carry: {dice: rolled}, each: {anew: {reroll: dice},"
    ' dice: "without(dice, anew) & anew"}}\nvalue: sum(last(some).dice)',
    "before and after a reroll": "again: {reroll: rolled where face == 1}\n"
    "some: {call: other, with: {received: again & rolled}}\nvalue: some.total",
    "in a call": "some: {call: other, with: {received: rolled & rolled}}\nvalue: some.total",
}


@pytest.mark.parametrize("rule", RULES)
def test_a_die_is_thrown_once_however_often_a_list_holds_it(rule: str) -> None:
    played = interpreter.loads(
        "ruleset: twice\nmechanics:\n  other: {inputs: {received: {type: roll}}, steps: {anew: {reroll: received},"
        " total: sum(anew)}}\n  one:\n    steps:\n      rolled: {roll: 2d2}\n" + indent(RULES[rule], " " * 6)
    )
    hold_to_every_history(played, "one", "value")
