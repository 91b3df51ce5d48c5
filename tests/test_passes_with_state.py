"""Exact odds of a `repeat` whose passes change the state: followed pass by pass, and equal states become one."""

from __future__ import annotations

from fractions import Fraction
from textwrap import indent
from typing import Any

import pytest
from enumeration import by_enumeration

import interpreter
from interpreter.api.game import Game

HEAD = """
ruleset: nights
roles: {player: Who plays.}
kinds:
  torch:
    has:
      left: {type: points, to: 4, starts: 2, when_empty: {smoke: {gain: 1, to: owner.smell}}}
      smell: {type: track, length: 3}
      lit: {type: yes_no, default: yes}
      owned: {list_of: number, default: []}
      friend: {type: torch, optional: yes}
events:
  gust:
    inputs: {on: torch, force: number}
    steps: {wind: {roll: d3}, gone: {lose: 1, from: on.left, if: wind + force > 3}}
reactions:
  cover:
    actor: torch
    before: gust
    automatic: yes
    requires: {shielded: event.on is actor.friend}
    steps: {less: {change: {force: event.force - 1}}}
mechanics:
  burn:
    inputs: {what: torch}
    steps: {die: {roll: d3}, burns: {lose: 1, from: what.left, if: die == 1}}
    outcomes: {burnt: die == 1, held: otherwise}
  main:
    inputs: {what: torch, other: torch}
    steps:
"""

PASSES = {
    "until it is empty": "r: {repeat: 4, until: what.left == 0, each: {d: {roll: d3},"
    " b: {lose: 1, from: what.left, if: d == 1}}}",
    "all of them": "r: {repeat: 3, each: {d: {roll: d3}, b: {lose: d - 1, from: what.left}}}",
    "none": "r: {repeat: what.left - 2, each: {d: {roll: d3}, b: {lose: d - 1, from: what.left}}}",
    "as often as it says": "r: {repeat: what.left, each: {d: {roll: d3}, b: {gain: d - 1, to: what.left}}}",
    "with the number of the pass": "r: {repeat: 3, each: {d: {roll: d3}, b: {lose: 1, from: what.left, if: d == nth}}}",
    "with passes before": "r: {repeat: 3, each: {d: {roll: d3},"
    " b: {lose: 1, from: what.left, if: sum(earlier.d) + d > 4}}}",
    "the best is kept": "r: {repeat: 3, each: {d: {roll: d3}, b: {lose: 1, from: what.left, if: d == 3},"
    " score: d + what.left}, keep: {highest: score}}",
    "the lowest is kept": "r: {repeat: 3, each: {d: {roll: d3}, b: {gain: 1, to: what.left, if: d == 3}},"
    " keep: {lowest: d * what.left}}",
    "with calls": "r: {repeat: 3, until: what.left == 0, each: {d: {roll: d2}, c: {call: burn, with: {what: what}}}}",
    "with an event": "r: {repeat: 2, each: {d: {roll: d3}, c: {cause: gust, with: {on: what, force: d}}}}",
    "with steps under a condition": "r: {repeat: 3, each: {d: {roll: d3}, c: {if: d > 1, steps:"
    " {e: {roll: d2}, f: {lose: e, from: what.left}}}}}",
    "for each of some": "r: {repeat: 2, each: {d: {roll: d3}, c: {for: one, among: '[what, other]', each:"
    " {f: {lose: 1, from: one.left, if: d == 2}}}}}",
    "inside another": "r: {repeat: 2, each: {d: {roll: d2}, c: {repeat: 2, until: what.left < 2, each:"
    " {e: {roll: d2}, f: {lose: 1, from: what.left, if: e == d}}}}}",
    "inside throws": "r: {repeat: 2, each: {d: {roll: d2}, c: {roll: 2d2, each:"
    " {f: {lose: 1, from: what.left, if: face == d}}}}}",
    "throws around them": "r: {repeat: 1, each: {c: {roll: 2d2, each: {e: {repeat: 2, each: {g: {roll: d2},"
    " f: {lose: 1, from: what.left, if: face == g}}}}}, d: what.left}}",
    "that end the mechanic": "r: {repeat: 3, each: {d: {roll: d3}, b: {lose: 1, from: what.left, if: d == 1},"
    " c: {end: gone, if: what.left == 0}}}",
    "with choices": "r: {repeat: 3, each: {d: {roll: d3}, c: {choose: yes_no, by: player, default: d > 1},"
    " b: {lose: 1, from: what.left, if: c}}}",
    "that make a list": "r: {repeat: 2, each: {d: {roll: d2}, b: {add: d, to: what.owned}}}",
    "whose condition fails": "r: {repeat: 3, if: not what.lit, each: {d: {roll: d3}, b: {lose: 1, from: what.left}}}",
}

READ = {
    "the state": ("left", "smell"),
    "how many": ("many", "left"),
    "all passes": ("all_of", "total"),
    "the last": ("last_one", "outcome"),
}


def a_game(passes: str) -> Game:
    kept, skipped = "keep:" in passes, "if: not what.lit" in passes
    reads = {
        "all_of": "r.d",
        "total": "sum(r.d) + what.left",
        "many": "count(r.d)",
        "last_one": "(last(r.d) otherwise 0)",
    }
    if kept:
        reads = {"all_of": "r.d", "total": "r.d + what.left", "many": "r.d", "last_one": "r.d"}
    if skipped:
        reads |= {name: f"{text} if given(r) else 0" for name, text in reads.items() if name != "all_of"}
        reads["all_of"] = "r.d if given(r) else []"
    lines = [passes, "left: what.left", "smell: what.smell", *(f'{name}: "{text}"' for name, text in reads.items())]
    outcomes = "    outcomes: {dark: what.left == 0, light: otherwise}\n"
    return interpreter.loads(f"{HEAD}{indent(chr(10).join(lines), ' ' * 6)}\n{outcomes}")


@pytest.mark.parametrize("passes", PASSES)
def test_they_have_the_odds_of_enumeration(passes: str) -> None:
    game = a_game(PASSES[passes])
    state = game.state(
        a={"is": "torch", "left": 3}, b={"is": "torch", "friend": "a"}, c={"is": "torch", "friend": "b", "left": 1}
    )
    given = {"what": "a", "other": "c"}
    odds, sampled = (ask("main", inputs=given, state=state) for ask in (game.odds, game.simulate))
    for names in READ.values():
        expected = by_enumeration(game, "main", state, names, given)
        law = odds.law(*names)
        assert law.weights == expected
        assert law.missing == 0
        runs = sampled.law(*names).weights
        assert all(abs(runs.get(key, 0) - chance) < Fraction(6, 100) for key, chance in expected.items())


def test_a_torch_burns_for_as_many_nights_as_one_likes() -> None:
    text = """
ruleset: torch
kinds: {torch: {has: {left: {type: points, to: 9, starts: 2}}}}
mechanics:
  burn:
    inputs: {what: torch, most: number}
    steps:
      nights:
        repeat: most
        until: what.left == 0
        each: {die: {roll: d6}, burns: {lose: 1, from: what.left, if: die == 1}}
      left: what.left
"""
    game = interpreter.loads(text)
    state: Any = game.state(t={"is": "torch"})
    for most in (1, 7, 60):
        law = game.odds("burn", what="t", most=most, state=state).law("left").weights
        held = Fraction(5, 6)
        expected = {(2,): held**most, (1,): most * Fraction(1, 6) * held ** (most - 1)}
        assert law == {key: chance for key, chance in {**expected, (0,): 1 - sum(expected.values())}.items() if chance}
