"""Formulas that are worked out before play reaches them, which it may never do, are no errors: odds are those of every
history, and so are simulations."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from enumeration import hold_to_every_history
from test_decisions import held

import interpreter
from interpreter.api.game import Game
from interpreter.diagnostics import PlayError

TWO = "bar: {roll: 2d3}\nnone_yet: {roll: zero}\nk: none_yet * 1\ntotal: sum(bar)\n"

STEPS = {
    "a step with a condition": "value: {is: count(bar where face > up(6 / k)), if: k > 0, else: 9}",
    "a condition in a formula": "value: count(bar where face > up(6 / k)) if k > 0 else 9",
    "a condition on the roll": "value: {is: count(bar where 6 / (face - 3) < -3), if: highest(bar) < 3, else: 9}",
    "the same in a formula": "value: 1 if highest(bar) < 3 and any(bar where 6 / (face - 3) < -3) else 9",
    "a name that tells of the roll": "high: highest(bar)\n"
    "value: {is: count(bar where 6 / (face - 3) < -3), if: high < 3, else: 9}",
    "a missing value": "x: {is: k, if: k > 0}\nvalue: {is: count(bar where face > x), if: given(x), else: 9}",
    "a missing value in a group": "x: {steps: {y: {is: k, if: k > 0}}}\n"
    "value: {is: count(bar where face > x.y), if: given(x.y), else: 9}",
    "a missing value in a group, for each of some": "x: {steps: {y: {is: k, if: k > 0}}}\n"
    "some: {for: n, among: upto(2), each: {e: {is: count(bar where face > x.y), if: given(x.y), else: 9}}}\n"
    "value: sum(some.e)",
    "a missing value of a call, in passes": "x: {call: maybe, with: {k: k}}\n"
    "some: {repeat: 2, each: {e: {is: count(bar where face > x.late), if: given(x.late), else: 9}}}\n"
    "value: sum(some.e)",
    "a missing value of a call": "x: {call: maybe, with: {k: k}}\n"
    "value: {is: count(bar where face > x.late), if: given(x.late), else: 9}",
    "a missing value in a formula": "x: {is: k, if: k > 0}\nvalue: count(bar where face > x) if given(x) else 7",
    "a stage": "x: {is: k, if: k > 0}\n"
    "value: {start: 5, then: {more: {is: count(bar where face > x) + value, if: given(x)}}}",
    "the number of dice that count": "value: {is: 'sum(highest(bar, up(2 / k)))', if: k > 0, else: 9}",
    "a group of steps": "some: {if: k > 0, steps: {a: count(bar where face > up(6 / k)), b: {roll: d2}}}\n"
    "value: (some.a otherwise 9) + (some.b otherwise 0)",
    "no pass at all": "some: {repeat: k, each: {a: {roll: d2}, b: count(bar where face > up(2 / k))}}\n"
    "value: sum(some.b) + sum(some.a)",
    "no throw at all": "some: {roll: (k)d2, counts: face + count(bar where face > up(2 / k))}\nvalue: sum(some)",
    "an empty list": "some: {for: n, among: upto(k), each: {a: count(bar where face > up(2 / k)), b: {roll: d2}}}\n"
    "value: sum(some.a)",
    "a call": "some: {call: other, with: {rolled: bar, k: k}, if: k > 0}\nvalue: some.a otherwise 9",
    "a reading that depends on another": "high: highest(bar) - 1\n"
    "value: count(bar where face > up(2 / high)) if high > 0 else 9",
    "sets": "value: {is: 'count(groups(bar) where 6 / (it.width - 2) > -9)', if: count(groups(bar)) > 1, else: 9}",
    "a list by its place": "value: {is: 'count(bar where item([1, 2], face) > 1)', if: highest(bar) < 3, else: 9}",
    "passes": "some: {repeat: 2, each: {a: {roll: d2}, f: a - 1}}\n"
    "value: {is: count(some where 6 / it.f > 2), if: count(some where it.f == 0) == 0, else: 9}",
    "pairs": "other: {roll: 2d3}\nsome: {pair: bar, with: other, each: {gap: ours - theirs}}\n"
    "value: {is: count(some where 6 / it.gap > 2), if: count(some where it.gap == 0) == 0, else: 9}",
    "one die of two kinds": "mixed: {roll: d3 & d2}\nu: k + 1\n"
    "some: {steps: {a: {is: count(mixed where face > up(2 / k) and size == 3), if: k > 0}, b: {roll: d2}}}\n"
    "value: (some.a otherwise 5) + u",
    "dice of a call that reads them, too": "x: {call: thrown}\n"
    "value: count(x.a where up(6 / (face - 1)) > 1) if count(x.a where face == 1) == 0 else 9",
    "drawn cards": "cards: {draw: 1, from: table.deck}\n"
    "value: {is: count(cards where 6 / (it - 3) < -3), if: not 3 in cards, else: 9}",
    "drawn cards, never": "cards: {draw: 2, from: table.deck}\n"
    "value: {is: count(cards where 6 / (it - 3) < -3), if: k > 2, else: 9}",
}

ENDS = {
    "behind an end": "stop: {end: early, if: k == 0}\nvalue: count(bar where face > up(6 / k))",
    "an end and a reading that depends on another": "high: highest(bar) - 1\nstop: {end: early, if: high == 0}\n"
    "value: count(bar where face > up(2 / high))",
}

OUTCOMES = {
    "a later outcome": ("", "early: k == 0\ngood: any(bar where face > up(2 / k))\nbad: otherwise"),
    "a later outcome that depends on a reading": (
        "high: highest(bar) - 1",
        "early: high == 0\ngood: any(bar where face > up(2 / high))\nbad: otherwise",
    ),
    "the end of a pass that is compared": (
        "best: {repeat: 2, each: {die: {roll: d3}, out: {end: early, if: die == 1}}, keep: {highest: die}}",
        "good: (best.die otherwise 0) == 3\nbad: (best.die otherwise 0) == 2\nearly: otherwise",
    ),
}


def game(steps: str, outcomes: str) -> Game:
    return interpreter.loads(
        "ruleset: ahead\ndice: {zero: {faces: [0, 1, 2]}}\n"
        'kinds:\n  table: {one: yes, has: {deck: {list_of: number, default: "[1, 2, 3, 4]"}}}\n'
        "mechanics:\n  other:\n    inputs: {rolled: {type: roll}, k: number}\n"
        "    steps: {b: {roll: d2}, a: count(rolled where face > up(2 / k)) + b}\n"
        "  thrown: {steps: {a: {roll: 2d3}, g: {roll: d2}, fair: sum(g) < count(a)}}\n"
        "  maybe: {inputs: {k: number}, steps: {late: {is: k, if: k > 0}}}\n"
        "  one:\n    steps:\n" + indent(dedent(TWO + steps), " " * 6) + "\n    outcomes:\n" + indent(outcomes, " " * 6)
    )


def hold(played: Game, *names: str) -> None:
    hold_to_every_history(played, "one", *names)


@pytest.mark.parametrize("steps", STEPS)
def test_what_is_not_reached_is_no_error(steps: str) -> None:
    played = game(STEPS[steps], "done: otherwise")
    hold(played, "value")
    hold(played, "total", "value")


@pytest.mark.parametrize("steps", ENDS)
def test_what_comes_behind_an_end_is_no_error(steps: str) -> None:
    hold(game(ENDS[steps], "good: value > 0\nearly: otherwise"), "total", "outcome")


@pytest.mark.parametrize("rule", OUTCOMES)
def test_outcomes_below_the_one_that_holds_are_no_errors(rule: str) -> None:
    played = game(*OUTCOMES[rule])
    hold(played, "outcome")
    hold(played, "total", "outcome")


def test_best_answers_meet_no_error_that_play_does_not_reach() -> None:
    played = game(
        "dare: {choose: yes_no, default: no, if: k > 0}\n"
        "value: {is: count(bar where face > up(2 / k)), if: dare otherwise no, else: 1}",
        "good: value > 1\nbad: otherwise",
    )
    held(played, "one", "good")


def test_what_is_reached_is_an_error_still() -> None:
    with pytest.raises(PlayError, match="HR632"):
        game("value: count(bar where face > up(6 / k))", "done: otherwise").odds("one").law("value")


FAILS = {
    "a quotient": "10 / who.worth",
    "a derived attribute that divides": "who.share",
    "a function that divides": "share_of(who.worth)",
    "fewer than no dice": "count((who.worth - 1)d6)",
    "an item that is not there": "item([1, 2], who.worth + 3)",
    "a row that is refused": "cost(who.worth + 9)",
    "a count of copies below none": "count(times([1], who.worth - 1))",
}
"""Formulas that fail in play, of a thing whose `worth` is 0."""


@pytest.mark.parametrize("formula", FAILS.values(), ids=FAILS)
@pytest.mark.parametrize(
    "reading", ["named + sum(dice) if sum(dice) > 7 else 0", "count(dice where face > 9 and face > named)"]
)
def test_what_a_step_names_fails_where_play_fails(formula: str, reading: str) -> None:
    """A name that is read only where no die leads is no reason to leave its formula out."""
    played = interpreter.loads(
        "ruleset: fails\nkinds: {hero: {has: {worth: {type: number, default: 0}, share: {is: 10 / worth}}}}\n"
        "functions: {share_of: {takes: {x: number}, gives: 10 / x}}\n"
        "tables: {cost: {type: number, rows: {1: 1, 2: 2}, off_the_rows: refuse}}\n"
        "mechanics:\n  one:\n    inputs: {who: {type: hero}}\n"
        f"    steps: {{dice: {{roll: d6}}, named: '{formula}', total: '{reading}'}}\n"
    )
    with pytest.raises(PlayError) as of_play:
        played.roll("one", who={}, seed=1)
    with pytest.raises(PlayError) as of_odds:
        played.odds("one", who={}).law("total")
    assert str(of_odds.value) == str(of_play.value)
