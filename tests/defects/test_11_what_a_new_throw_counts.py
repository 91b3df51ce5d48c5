"""A die that a rule throws anew, or turns, counts as its roll says: `counts` and `each` are worked out once more.

So it is in play, in silent play, by enumeration, in exact odds and in a simulation, whatever stands between the roll
and the reroll. A new throw stands alone: it is the first of its die, and no chain follows.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from textwrap import indent
from typing import Any

import pytest
from generated import asking
from generated.hold import columns, exact_odds, held, silent_play

import interpreter
from interpreter.diagnostics import PlayError, RulesetError
from interpreter.odds.brute_force import Effort

ROLLS = {
    "counts": "{roll: 2d3, counts: 1 if face >= 3 else 0}",
    "counts by an earlier step": "{roll: 2d3, counts: face * bonus}",
    "counts by an earlier roll": "{roll: 2d3, counts: face + lucky}",
    "counts by the highest of an earlier roll": "{roll: 2d3, counts: face + highest(low)}",
    "each": '{roll: 2d3, each: {half: up(face / 2), rest: "max(face - half, 1)"}, counts: half + rest}',
    "each that nobody counts": "{roll: 2d3, each: {half: up(face / 2)}}",
    "each with a roll of its own": "{roll: 2d2, each: {more: {roll: d2}}, counts: face + more}",
    "by the number": "{roll: 2d3, counts: face * nth, again: face == 3 and nth < 3}",
    "by the die": "{roll: d3 & d2, counts: size - face}",
    "parts": "{roll: {ours: d4, theirs: d3}, counts: face if part is ours else -face}",
    "a chain that ends": "{roll: 2d3, counts: face * 2, again: face == 3 and nth < 3}",
    "a chain with each": "{roll: 2d3, each: {half: face / 2}, counts: half, again: face == 3 and nth < 3}",
    "one die": "{roll: d3, counts: face * 10}",
}
CHANGES = {
    "where": "{reroll: a where face < 3}",
    "where by what it counts": "{reroll: a where value < 2}",
    "all": "{reroll: a}",
    "the lowest": "{reroll: 'lowest(a, 1)'}",
    "at most one": "{reroll: a where face < 3, most: 1}",
    "turned": "{reroll: a where face < 3, to: 3}",
    "turned, one of them": "{reroll: a, most: 1, to: 2}",
    "twice": "{start: {reroll: a where face < 2}, then: {more: {reroll: b where face == 1}}}",
    "turned and thrown": "{start: {reroll: a where face < 2, to: 2}, then: {more: {reroll: b where face == 2}}}",
}
PAIRS = [
    (roll, change) for n, roll in enumerate(ROLLS) for m, change in enumerate(CHANGES) if (n + m) % 4 == 0 or n == 0
]
"""Some of all changes for each way to count; each change with several."""

BEFORE = """\
bonus: 3
lucky: {roll: d2}
low: {roll: 2d2}
"""
AFTER = """\
total: sum(b)
best: highest(b) otherwise 0
many: count(b where value >= 2)
throws: count(b.throws)
"""


def ruleset(steps: str, more: str = "") -> str:
    return f"ruleset: defect\n{more}mechanics:\n  main:\n    steps:\n{indent(steps, ' ' * 6)}"


def agrees(text: str) -> None:
    """Exact odds, simulation and silent play come to what enumeration comes to."""
    verdict = held(text, checks={"exact": exact_odds, "columns": columns, "silent play": silent_play})
    assert verdict.kind == "agreed" and not any("refuse" in one for one in verdict.held), verdict


@pytest.fixture(autouse=True)
def more_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that are thrown twice come in more ways than generated rulesets are held to."""
    monkeypatch.setattr(asking, "EFFORT", Effort(ways=2_000, throws=40))


@pytest.mark.parametrize(("roll", "change"), PAIRS)
def test_every_way_to_play_agrees_on_what_a_new_throw_counts(roll: str, change: str) -> None:
    before = "".join(f"{line}\n" for line in BEFORE.splitlines() if line.split(":")[0] in ROLLS[roll])
    after = AFTER + ("known: sum(b.throws.half)\n" if "half" in ROLLS[roll] else "")
    agrees(ruleset(f"{before}a: {ROLLS[roll]}\nb: {CHANGES[change]}\n{after}"))


@pytest.mark.parametrize(("least", "most"), [(2, 1), (3, 3), (3, 1)])
def test_hits_stay_hits(least: int, most: int) -> None:
    """Each die is a success from `least` on; those that show `most` or less are thrown again."""
    game = interpreter.loads(ruleset(
        f"a: {{roll: 2d3, counts: 1 if face >= {least} else 0}}\nb: {{reroll: a where face <= {most}}}\nhits: sum(b)"
    ))  # fmt: skip
    law: dict[Any, Fraction] = {}
    for faces in product(range(1, 4), repeat=4):
        last = [new if old <= most else old for old, new in zip(faces[:2], faces[2:], strict=True)]
        hits = (sum(face >= least for face in last),)
        law[hits] = law.get(hits, Fraction(0)) + Fraction(1, 3**4)
    assert game.odds("main").law("hits").weights == law
    faces = (1, 1, least, 3)
    assert game.roll("main", faces=faces).values["hits"] == 2


BETWEEN = {
    "joined": "t: {call: other, with: {given_roll: a & d}}\nb: t.b",
    "picked": "b: {reroll: 'highest(a, 1)'}",
    "a part": "b: {reroll: p.ours where face < 2}",
    "another name": "c: a\nb: {reroll: c where face < 2}",
    "a stage": "b: {start: a, then: {more: {reroll: b where face < 2}}}",
    "one of two": "c: a if lucky == 1 else d\nb: {reroll: c where face < 2}",
    "a pass": "r: {repeat: 1, each: {x: {roll: 2d2, counts: face * nth}}, keep: {lowest: sum(x)}}\nb: {reroll: r.x}",
    "in a pass": "r: {repeat: lucky, each: {x: {reroll: a where face == 1, most: 1}, n: sum(x)}}\nb: r.n",
    "through a call": "t: {call: other, with: {given_roll: a}}\nb: t.b",
    "a call's own roll": "t: {call: throws}\nb: {reroll: t.a where face < 2}",
}
OTHERS = """\
  other:
    inputs: {given_roll: roll}
    steps: {b: {reroll: given_roll where face < 2}}
  throws:
    inputs: {worth: {type: number, default: 2}}
    steps: {a: {roll: 2d3, counts: face * worth}}
"""


@pytest.mark.parametrize("between", BETWEEN)
def test_nothing_between_a_roll_and_its_reroll_forgets_what_dice_count(between: str) -> None:
    steps = BETWEEN[between]
    rolls = {
        "lucky": "{roll: d2}",
        "a": "{roll: 2d3, counts: 1 if face >= 3 else 0}",
        "d": "{roll: 1d3, counts: face + 5}",
        "p": "{roll: {ours: d3, theirs: d3}, counts: face * 2}",
    }
    used = "".join(f"{name}: {roll}\n" for name, roll in rolls.items() if re.search(rf"\b{name}\b(?!:)", steps))
    agrees(ruleset(f"{used}{steps}\ntotal: sum(b)\n") + OTHERS)


THINGS = """\
kinds:
  hero: {one: yes, has: {luck: {type: number, default: 1}}}
events:
  blow:
    inputs: {swing: roll}
    steps:
      again: {reroll: swing where face < 3}
      set: {set: hero.luck, to: sum(again)}
"""


@pytest.mark.parametrize(
    "steps",
    [
        "a: {roll: 2d4, counts: face * hero.luck}\nb: {reroll: a where face < 3}\ntotal: sum(b)",
        "a: {roll: 2d4, counts: face * hero.luck}\ng: {set: hero.luck, to: 3}\nb: {reroll: a where face < 3}\n"
        "total: sum(b)",
        "a: {roll: 2d4, counts: face * 2}\ng: {cause: blow, with: {swing: a}}\ntotal: hero.luck",
        "l: {roll: 2d2}\na: {roll: 2d4, counts: face * highest(l)}\ng: {cause: blow, with: {swing: a}}\n"
        "total: hero.luck",
        "f: {for: n, among: '[1, 2]', each: {a: {roll: d4, counts: face * n}, b: {reroll: a where face < 3}, "
        "x: sum(b)}}\ntotal: sum(f.x)",
    ],
)
def test_dice_are_scored_by_things_as_they_are_when_they_are_thrown_anew(steps: str) -> None:
    agrees(ruleset(steps, THINGS))


def test_the_trace_tells_what_the_new_throw_counts() -> None:
    game = interpreter.loads(ruleset("a: {roll: 2d6, counts: 1 if face >= 5 else 0}\nb: {reroll: a where face < 5}"))
    result = game.roll("main", faces=(5, 2, 6))
    assert "b: d6: 5 (=1), d6: 6 (=1)" in str(result.trace)


def test_a_new_throw_of_a_die_that_explodes_starts_no_chain() -> None:
    game = interpreter.loads(ruleset("a: {roll: 2d6, again: face == 6}\nb: {reroll: a where face == 1}\nx: sum(b)"))
    assert game.roll("main", faces=(1, 2, 6)).values["x"] == 8


MORE = {
    "asks": "{more: {choose: number, from: 0, to: 2, default: 0}}",
    "ends": "{more: {end: lost, if: face == 1}}",
    "changes": "{more: {set: hero.luck, to: face}}",
}


@pytest.mark.parametrize("more", MORE)
@pytest.mark.parametrize("reroll", ["a where face < 3", "a & a", "lowest(a, 1)"])
def test_a_roll_whose_throws_do_more_than_work_something_out_is_never_rerolled(more: str, reroll: str) -> None:
    steps = f"d: {{roll: d6}}\na: {{roll: 2d4, each: {MORE[more]}}}\nb: {{reroll: '{reroll}'}}"
    with pytest.raises(RulesetError) as raised:
        interpreter.loads(ruleset(steps, THINGS))
    assert [one.code for one in raised.value.diagnostics] == ["HR417"]


def test_nor_is_it_where_only_play_can_tell_what_roll_it_was() -> None:
    steps = f"a: {{roll: 2d4, each: {MORE['asks']}}}\nt: {{call: other, with: {{given_roll: a}}}}\nx: sum(t.b)"
    game = interpreter.loads(ruleset(f"{steps}\n") + OTHERS)
    for ask in (lambda: game.roll("main", faces=(1, 4, 4)), lambda: game.odds("main").law("x")):
        with pytest.raises(PlayError) as raised:
            ask()
        assert raised.value.diagnostic.code == "HR636"


def test_dice_that_lie_there_are_only_thrown_anew_where_they_count_what_they_show() -> None:
    game = interpreter.loads("ruleset: lying\nmechanics:\n" + OTHERS)
    plain = {"dice": "2d4", "faces": [1, 4]}
    assert game.roll("other", given_roll=plain, faces=(3,)).values["b"][0].value == 3
    with pytest.raises(PlayError) as raised:
        game.roll("other", given_roll=plain | {"counts": [0, 1]}, faces=(3,))
    assert raised.value.diagnostic.code == "HR636"


def test_a_roll_of_one_play_keeps_what_it_counts_in_the_next() -> None:
    game = interpreter.loads("ruleset: lying\nmechanics:\n" + OTHERS)
    first = game.roll("throws", worth=3, faces=(1, 3)).values["a"]
    assert [die.value for die in game.roll("other", given_roll=first, faces=(1,)).values["b"]] == [3, 9]


SAVED = """\
ruleset: saved
mechanics:
  throws:
    inputs: {worth: {type: number, default: 2}}
    steps: {low: {roll: 2d2}, a: {roll: 2d4, counts: face * worth + highest(low)}}
  other:
    inputs: {given_roll: roll}
    steps: {b: {reroll: given_roll where face < 3}}
"""


def test_what_was_saved_counts_the_same_when_it_is_played_again() -> None:
    game = interpreter.loads(SAVED)
    first = game.roll("throws", worth=3, faces=(1, 2, 1, 3)).values["a"]
    result = game.roll("other", given_roll=first, faces=(2,))
    assert [die.value for die in result.values["b"]] == [8, 11]
    told = result.to_data()["inputs"]["given_roll"]
    low = {"dice": "d2 & d2", "faces": [1, 2]}
    assert told["scored"] == [{"roll": "mechanics.throws.steps.a", "with": {"low": low, "worth": 3}}] * 2
    assert game.replay(result.to_json()).to_json() == result.to_json()
    law = game.odds("other", given_roll=told).law("b").weights
    assert law == game.odds("other", given_roll=first).law("b").weights and len(law) == 4


@pytest.mark.parametrize(
    "scored",
    [
        "x", 3, {}, {"roll": "mechanics.throws"}, {"roll": "mechanics.throws.steps.low.x"}, {"roll": ["a"]},
        {"roll": "mechanics.throws.steps.a"}, {"roll": "mechanics.throws.steps.a", "with": {"worth": 3}},
        {"roll": "mechanics.throws.steps.a", "with": {"worth": "three", "low": {"dice": "2d2", "faces": [1, 1]}}},
        {"roll": "mechanics.throws.steps.a", "with": {"worth": 3, "low": 5}}, {"roll": "", "with": 3},
    ],
)  # fmt: skip
def test_what_no_roll_of_these_rules_is_scored_by_is_refused_in_words(scored: object) -> None:
    game = interpreter.loads(SAVED)
    with pytest.raises(PlayError):
        game.roll("other", given_roll={"dice": "2d4", "faces": [1, 3], "scored": [scored, "none"]}, faces=(2,))
