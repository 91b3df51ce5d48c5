"""One die of each pass of a repetition is a roll like any other, rolled or placed, by every way to play."""

from __future__ import annotations

from textwrap import indent

import pytest
from generated.hold import columns, exact_odds, held, silent_play

DICE = {
    "rolled": "{roll: d4}",
    "placed": "{place: d4, showing: nth + 1}",
    "scored": "{roll: d4, counts: face * 2}",
    "chained": "{roll: d2, again: face == 2 and nth < 3}",
    "a part": "{roll: {a: d4}}",
}
READ = [
    "count(r.p where face > 2)", "sum(r.p where face > 1)", "sum(highest(r.p where face > 1, 1))",
    "count(r.p where value > 2 and face < 4)", "any(r.p where face == 3)", "count(r.p where face >= n)",
    "highest(r.p where face < 4) otherwise 0", "sum((r.p where face > 1).face)", "count((r.p where face > 1).throws)",
    "count(r.p where it > 2)", "count(r.p where it.face > 2)", "sum(r.p & r.p)", "count((r.p & q) where face > 1)",
]  # fmt: skip
DONE = {
    "rerolled": "t: {call: other, with: {given_roll: r.p}}\nx: sum(t.some)",
    "all rerolled": "t: {call: other, with: {given_roll: r.p}}\nx: sum(t.all_dice)",
    "one rerolled": "t: {call: other, with: {given_roll: r.p}}\nx: sum(t.one)",
    "turned": "t: {call: other, with: {given_roll: r.p}}\nx: sum(t.turned)",
    "paired": "f: {pair: r.p, with: q, each: {z: ours - theirs}}\nx: sum(f.z)",
    "passed on": "t: {call: other, with: {given_roll: r.p}}\nx: t.high",
}

AGAIN = {
    "some": "some: {reroll: given_roll where face < 3}",
    "all_dice": "all_dice: {reroll: given_roll}",
    "one": "one: {reroll: given_roll where face < 3, most: 1}",
    "turned": "turned: {reroll: 'lowest(given_roll, 1)', to: 2}",
}


def agrees(dice: str, steps: str) -> None:
    above = "".join(f"{name}: {{roll: d2}}\n" for name in "nq" if f" {name}" in steps)
    body = f"{above}r: {{repeat: 2, each: {{p: {DICE[dice]}}}}}\n{steps}\n"
    again = [step for name, step in AGAIN.items() if f"t.{name}" in steps]
    thrown = again[0] if again else "high: count(given_roll where face > 1)"
    other = f"  other:\n    inputs: {{given_roll: roll}}\n    steps: {{{thrown}}}\n"
    text = f"ruleset: passes\nmechanics:\n  main:\n    steps:\n{indent(body, ' ' * 6)}{other}"
    verdict = held(text, checks={"exact": exact_odds, "columns": columns, "silent play": silent_play})
    assert verdict.kind == "agreed", verdict


@pytest.mark.parametrize("dice", DICE)
def test_it_is_read_as_a_roll(dice: str) -> None:
    agrees(dice, "\n".join(f"x{number}: {read}" for number, read in enumerate(READ)))


@pytest.mark.parametrize("done", DONE)
@pytest.mark.parametrize("dice", DICE)
def test_what_is_done_with_a_roll_is_done_with_it(dice: str, done: str) -> None:
    agrees(dice, DONE[done])
