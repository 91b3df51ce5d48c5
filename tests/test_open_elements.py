"""What is read of the elements of a `for`, and how much of each must be known, however later steps read it."""

from __future__ import annotations

import pytest
from enumeration import hold_to_every_history
from marks import grid

import interpreter

AMONG = {
    "numbers": "among: upto(3)",
    "a number twice": "among: '[2, 1, 2]'",
    "some numbers": "among: upto(3), where: it > 1",
    "as many as a die shows": "among: upto(sum(before))",
    "none or some": "among: upto(3), where: it <= sum(before)",
    "things": "among: heroes",
    "some things": "among: heroes, where: it.luck > 1",
    "words": "among: '[far, near]'",
    "passes": "among: tries",
}
"""What a step goes through: `tries` and records have no keys, so their result is a list."""

EACH = {
    "a roll": "die: {roll: d3}, worth: sum(die)",
    "a roll that is kept as it is": "die: {roll: 2d2}, worth: highest(die)",
    "a roll that an element decides": "die: {roll: (2 if WHICH else 1)d3}, worth: sum(die)",
    "a roll that may be missing": "die: {roll: d3, if: WHICH}, worth: die otherwise 0",
    "a record": "blow: {steps: {die: {roll: d2}, deep: die * 2}}, worth: blow.deep, die: {roll: d2}",
    "a call": "hit: {call: hits}, worth: hit.many, die: hit.dice",
    "a roll from outside": "worth: sum(before), die: {roll: d2}",
    "inside of it, too": "inner: {for: k, among: upto(2), each: {d: {roll: d2}, e: d - 1}}, worth: sum(inner.e), die: "
    "{roll: d2}",
    "passes": "again: {repeat: 2, each: {d: {roll: d2}}}, worth: sum(again.d), die: {roll: d2}",
}
WHICH = {"numbers": "n > 1", "things": "n.luck > 1", "words": "n is far", "passes": "n.t > 1"}

READ = {
    "a sum": "value: sum(round.worth)",
    "the highest": "value: highest(round.worth) otherwise 9",
    "the best two": "value: sum(highest(round.worth, 2))",
    "how many": "value: count(round where it.worth > 1) + 10 * count(round)",
    "any and all": "value: (1 if any(round where it.worth > 2) else 0) + (2 if all(round where it.worth > 1) else 0)",
    "dice": "value: count(round.die where face == 1)",
    "a number of dice": "value: count(round.die)",
    "two readings": "value: sum(round.worth) * 10 + (lowest(round.worth) otherwise 0)",
    "one after another": "x: sum(round.worth)\ny: {is: count(round where it.worth == 1), if: x > 3, else: 5}\n"
    "value: 10 * x + y",
    "in order": "value: (first(round.worth) otherwise 0) - (last(round.worth) otherwise 0)",
    "another name": "worths: round.worth\nvalue: count(worths) * 10 + sum(worths)",
    "an entry": "value: 'sum(round.worth) + ENTRY'",
    "an entry that may be there": "value: 'count(round) + (1 if ENTRY > 1 else 0)'",
    "all of it in passes": "later: {repeat: 2, each: {f: 'highest(round.worth) otherwise 0'}}\nvalue: sum(later.f)",
    "some of them": "good: round where it.worth > 1\nvalue: sum(good.worth) + 10 * count(good)",
    "in a record": "a: {steps: {kept: round}}\nvalue: sum(a.kept.worth) + count(a.kept)",
}
ENTRIES = {
    "numbers": "(round(2).worth otherwise 0)", "things": "(round(ann).worth otherwise 0)",
    "words": "(round(near).worth otherwise 0)", "passes": "last(round).worth",
}  # fmt: skip

RULES = """
ruleset: elements
kinds:
  hero: {has: {luck: {type: number, default: 1}}}
names: {span: [far, near]}
mechanics:
  hits: {steps: {dice: {roll: 2d2}, many: count(dice where face == 2)}}
  one:
    inputs: {heroes: {list_of: hero}, ann: hero}
    steps:
      before: {roll: d2}
      tries: {repeat: 2, each: {t: {roll: d2}}}
"""
THINGS = "things:\n  hero: {ann: {luck: 2}, bob: {}}\n"


def kind_of(among: str) -> str:
    return among if among in WHICH else "things" if "things" in among else "numbers"


@pytest.mark.parametrize(("among", "each", "read"), grid(AMONG, EACH, READ, every=2))
def test_what_is_read_of_elements_is_read_of_all_their_dice(among: str, each: str, read: str) -> None:
    kind = kind_of(among)
    steps = EACH[each].replace("WHICH", WHICH[kind])
    lines = [f"round: {{for: n, {AMONG[among]}, each: {{{steps}}}}}", *READ[read].split("\n")]
    text = RULES + "".join(f"      {line}\n" for line in lines).replace("ENTRY", ENTRIES[kind]) + THINGS
    game = interpreter.loads(text)
    hold_to_every_history(game, "one", "value", heroes=["ann", "bob"], ann="ann")
