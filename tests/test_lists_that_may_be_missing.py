"""Lists of passes and of pairs whose step may be skipped, read after `given`: odds are held to enumeration."""

from __future__ import annotations

from textwrap import indent

import pytest
from enumeration import by_enumeration

import interpreter
from interpreter.api.game import Game
from interpreter.runtime.state import EMPTY

BEFORE = ["coin: {roll: d2}", "others: {roll: 2d3}", "tosses: {roll: d2 & d3}"]
LISTS = {
    "passes": "x: {repeat: 2, each: {die: {roll: d3}, open: die == 2, burn: die + 1}, if: coin == 1}",
    "passes that are never skipped": "x: {repeat: 2, each: {die: {roll: d3}, open: die == 2, burn: die + 1}}",
    "pairs": "x: {pair: tosses, with: others, each: {burn: ours - theirs, open: ours > theirs}, if: coin == 1}",
}
READ = [
    ["out: {is: count(x), if: given(x)}"],
    ["out: sum(x.burn) if given(x) else 9"],
    ["out: given(x) and any(x.open)"],
    ["out: {is: count(x where it.open), if: given(x), else: 9}"],
    ["a: {is: sum(x.burn), if: given(x)}", "out: {is: highest(x.burn) otherwise 0, if: given(x), else: 9}"],
    ["a: {is: sum(x.burn), if: given(x), else: 0}", "die: {roll: d4}", "out: a + die if given(x) else 9"],
    ["a: {is: sum(x.burn), if: given(x), else: 0}", "y: x", "out: a + count(y where it.open) if given(y) else 9"],
    ["a: {is: count(x where it.open), if: given(x), else: 0}", "out: {is: last(x).burn, if: given(x), else: 9}"],
    [
        "a: {is: count(x where it.open), if: given(x), else: 0}",
        "out: {repeat: 2, each: {die: {roll: d2, if: given(x), else: 0}, both: die + a}}",
    ],
]


def game(listed: str, read: list[str]) -> Game:
    """A game whose rule throws dice, makes a list of them, and reads it."""
    steps = indent("\n".join([*BEFORE, LISTS[listed], *read]), "      ")
    return interpreter.loads(f"ruleset: missing\nmechanics:\n  one:\n    steps:\n{steps}\n")


@pytest.mark.parametrize("listed", LISTS)
@pytest.mark.parametrize("read", READ, ids=" ".join)
def test_a_list_is_read_where_it_is_there(listed: str, read: list[str]) -> None:
    played = game(listed, read)
    names = [step.split(":")[0] for step in read if step.startswith(("a", "out"))]
    for asked in [(name,) for name in names] + [tuple(names)] * (len(names) > 1):
        true = by_enumeration(played, "one", EMPTY, asked, {})
        found = played.odds("one").law(*asked).weights
        assert {repr(values): chance for values, chance in found.items()} == {
            repr(values): chance for values, chance in true.items()
        }


@pytest.mark.parametrize("listed", LISTS)
def test_a_simulation_reads_it_too(listed: str) -> None:
    for read in READ:
        names = tuple(step.split(":")[0] for step in read if step.startswith(("a", "out")))
        seen = game(listed, read).simulate("one", runs=200, seed=1, of=names).law(*names)
        assert sum(seen.weights.values()) == 1
