"""Loops over what dice show, worked out once for all dice that agree in what the loop reads of them."""

from __future__ import annotations

from textwrap import indent

import pytest
from enumeration import by_enumeration

import interpreter
from interpreter.api.game import Game
from interpreter.odds.read_keys import ReadKey

RANGES = "{for: low, among: upto(5), each: {tops: {for: top, among: upto(5), each: {it_is: TEST}}}}"
TEST = "count(groups(rolled) where it.height >= low and it.height <= top) == top - low + 1"
NOTES = "notes: {for: one, among: upto(3), each: {worth: table.told * one * COUNTED}}"
LOOPS = {
    "groups": f"found: {RANGES.replace('TEST', TEST)}\ntotal: count(found where any(it.tops.it_is))",
    "named groups": f"sets: groups(rolled)\nfound: {RANGES.replace('TEST', TEST.replace('groups(rolled)', 'sets'))}\n"
    "total: count(found where any(it.tops.it_is))",
    "groups of some": "found: {for: one, among: upto(6), each: {wide: highest((groups(rolled where face > 1) where "
    "it.height <= one).width) otherwise 0}}\ntotal: sum(found.wide)",
    "groups of other dice in each element": "found: {for: one, among: upto(6), each: {wide: count(groups(rolled where "
    "face > one) where it.width > one)}}\ntotal: sum(found.wide)",
    "groups in passes": "passes:\n  repeat: 6\n  carry: {long: 0, best: 0}\n  each:\n"
    "    long: long + 1 if any(groups(rolled) where it.height == nth) else 0\n    best: max(best, long)\n"
    "total: last(passes.best)",
    "a list of faces in passes": "shown: reversed(groups(rolled).height)\npasses:\n  repeat: 6\n"
    "  carry: {long: 0, best: 0}\n  each:\n    long: long + 1 if nth in shown else 0\n    best: max(best, long)\n"
    "total: last(passes.best)",
    "passes with dice of their own": "shown: groups(rolled).height\npasses:\n  repeat: 2\n  each:\n"
    "    die: {roll: d4}\n    again: yes if die in shown else no\ntotal: count(passes where it.again)",
    "dice of the roll": "found: {for: one, among: rolled, each: {high: one > 2}}\ntotal: count(found where it.high)",
    "the state": f"{NOTES.replace('COUNTED', 'count(groups(rolled) where it.width >= one)')}\ntotal: sum(notes.worth)",
    "the state, which a loop changes": "told: {for: one, among: groups(rolled), each: {more: {gain: one.width, "
    f"to: table.told}}}}}}\n{NOTES.replace('COUNTED', 'count(groups(rolled) where it.width >= one)')}\n"
    "total: sum(notes.worth)",
    "what may be missing": "found: {for: one, among: upto(6), each: {less: (lowest(rolled) otherwise 9) - one}}\n"
    "total: sum(found.less)",
}
KINDS = "kinds: {table: {one: yes, has: {told: {type: number, default: 3}}}}"
SETTLED = ("groups", "named groups", "groups in passes")
"""Loops of which other dice are read, too, so that their states do not merge before."""


def game_of(loop: str) -> Game:
    steps = f"rolled: {{roll: pool}}\n{LOOPS[loop]}"
    asked = f"  asked:\n    inputs: {{pool: dice}}\n    steps:\n{indent(steps, '      ')}\n"
    return interpreter.loads(f"ruleset: loops\n{KINDS}\nmechanics:\n{asked}")


@pytest.mark.parametrize("pool", ["d4", "3d4", "2d4 & d6", "2d4 & 2d5"])
@pytest.mark.parametrize("loop", LOOPS)
def test_loops_over_what_dice_show_are_exact(loop: str, pool: str) -> None:
    game = game_of(loop)
    state = game.state()
    law = game.odds("asked", state=state, pool=pool).law("total")
    assert law.weights == by_enumeration(game, "asked", state, ("total",), {"pool": pool})


@pytest.mark.parametrize("loop", SETTLED)
def test_what_a_loop_has_met_before_is_not_worked_out_again(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five dice of six sides have 252 combinations, which show 62 sets of faces."""
    once = game_of(loop).odds("asked", pool="5d6").law("total")
    monkeypatch.setattr(ReadKey, "of", lambda self, at: None)
    each_time = game_of(loop).odds("asked", pool="5d6").law("total")
    assert once.weights == each_time.weights
    assert once.cost is not None and each_time.cost is not None
    assert once.cost.work * 1.5 < each_time.cost.work
