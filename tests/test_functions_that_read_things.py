"""Functions and tables that read things: their values change with the state, in odds, simulations and best answers."""

from __future__ import annotations

from fractions import Fraction
from textwrap import indent

import pytest
from enumeration import hold_to_every_history

import interpreter
from interpreter import ir
from interpreter.api.game import Game
from interpreter.ir.traversal import nodes_under

RULES = {
    "a condition before and after a change": "rolled: {roll: d3}\nbefore: count(rolled where hits(face))\n"
    "more: {set: table.level, to: 3}\nvalue: before * 10 + count(rolled where hits(face))",
    "a condition on several dice": "rolled: {roll: 2d3}\nvalue: count(rolled where hits(face))",
    "a change that differs": "rolled: {roll: 2d3}\nother: {roll: d2}\nmore: {set: table.level, to: sum(other)}\n"
    "value: count(rolled where plus(face) > 3) * 10 + table.level",
    "a function of a function": "rolled: {roll: 2d3}\nother: {roll: d2}\nmore: {set: table.level, to: sum(other)}\n"
    "value: count(rolled where plus_more(face) > 3)",
    "a reroll": "other: {roll: d2}\nmore: {set: table.level, to: sum(other)}\nrolled: {roll: 2d3}\n"
    "anew: {reroll: rolled where plus(face) < 3}\nvalue: sum(anew) * 10 + table.level",
    "a row": "rolled: {roll: d2}\nvalue: worth(rolled)",
    "a row before and after a change": "rolled: {roll: d2}\nbefore: worth(rolled)\nmore: {set: table.level, to: 3}\n"
    "value: before * 10 + worth(rolled)",
    "a value off the rows": "rolled: {roll: d3}\nmore: {set: table.level, to: 3}\nvalue: beyond(rolled)",
    "how a throw counts": "more: {set: table.level, to: 2}\nrolled: {roll: 2d3, counts: worth(face)}\n"
    "value: sum(rolled)",
    "a list": "more: {set: table.level, to: 2}\nvalue: 'count([1, 2] where plus(it) > 2)'",
    "passes": "some: {repeat: 2, each: {die: {roll: d3}, more: {gain: 1, to: table.marks}}}\n"
    "value: count(some where plus(it.die) > 3) * 10 + count(some where marked(it.die))",
    "drawn cards": "cards: {draw: 2, from: table.deck}\nmore: {set: table.level, to: 2}\n"
    "value: count(cards where plus(it) > 4)",
    "an attribute that is worked out": "rolled: {roll: 2d3}\nother: {roll: d2}\n"
    "more: {set: table.level, to: sum(other)}\nvalue: count(rolled where doubled(face) > 4)",
    "pairs": "rolled: {roll: 2d3}\nother: {roll: 2d2}\nmore: {set: table.level, to: highest(other)}\n"
    "some: {pair: rolled, with: other, each: {won: plus(ours) > theirs + 2}}\nvalue: count(some where it.won)",
}


def game(steps: str) -> Game:
    return interpreter.loads(
        "ruleset: reading\nkinds:\n  table:\n    one: yes\n    has:\n      level: {type: number, default: 1}\n"
        "      twice: {is: level * 2}\n      marks: {type: points, to: 9, starts: 0}\n"
        '      deck: {list_of: number, default: "[1, 2, 2, 3]"}\n'
        "functions:\n  hits: {takes: {n: number}, gives: n >= table.level}\n"
        "  plus: {takes: {n: number}, gives: n + table.level}\n  plus_more: {takes: {n: number}, gives: plus(n) + 1}\n"
        "  calm: {takes: {n: number}, gives: n + 1}\n"
        "  doubled: {takes: {n: number}, gives: n + table.twice}\n"
        "  marked: {takes: {n: number}, gives: n <= table.marks}\n"
        "tables:\n  worth: {rows: {1 or less: table.level, 2 or more: 3}}\n"
        "  beyond: {rows: {1: 5}, off_the_rows: table.level}\n"
        "mechanics:\n  one:\n    steps:\n"
        + indent(steps, " " * 6)
        + "\n    outcomes: {good: value > 1, bad: otherwise}\n"
    )


@pytest.mark.parametrize("rule", RULES)
def test_odds_and_simulations_are_those_of_every_history(rule: str) -> None:
    played = game(RULES[rule])
    for names in (("value",), ("outcome",)):
        hold_to_every_history(played, "one", *names)


def test_best_answers_know_the_change() -> None:
    played = game(
        "rolled: {roll: 2d3}\ngo: {choose: number, from: 1, to: 2}\nmore: {set: table.level, to: go}\n"
        "value: 2 * count(rolled where plus(face) > 3)"
    )
    assert played.odds("one", best="good").outcomes["good"] == Fraction(8, 9)


def test_calls_say_whether_the_state_is_read() -> None:
    played = game("rolled: {roll: d3}\nvalue: plus_more(rolled) + worth(rolled) + calm(rolled)")
    calls = [one for one in nodes_under(played.program.mechanics) if isinstance(one, (ir.Apply, ir.Lookup))]
    assert {one.name: one.reads_state for one in calls} == {"plus_more": True, "worth": True, "calm": False}


@pytest.mark.parametrize("reading", ["limited(1)", "limited(1) + limited(2)", "of_row(1)", "off_rows(9)", "by_row(1)"])
def test_what_reads_things_changes_with_them_in_a_simulated_scene_as_in_play(reading: str) -> None:
    """A run that is simulated changes its state in place, so nothing may be kept by which state it was."""
    game = interpreter.loads(f"""
ruleset: reading
kinds:
  table: {{one: yes, has: {{level: {{type: points, to: 99, starts: 1}}, seen: {{type: points, to: 99, starts: 0}}}}}}
functions:
  limited: {{takes: {{n: {{type: number, from: 0}}}}, gives: n + table.level}}
  by_row: {{takes: {{n: number}}, gives: of_row(n) + off_rows(n)}}
tables:
  of_row: {{rows: {{1 or less: limited(4), 2 or more: 3}}}}
  off_rows: {{rows: {{0: 5}}, off_the_rows: limited(2)}}
scenes:
  sitting:
    round:
      deal:
        steps:
          before: {reading}
          more: {{gain: 3, to: table.level}}
          change: {{gain: {reading} - before, to: table.seen}}
    guard: 2
    outcomes: {{never: table.level > 50}}
""")
    played = game.play("sitting", seed=1)
    assert played.state is not None
    seen = played.state.things["table"].values["seen"]
    assert seen > 0
    assert game.simulate("sitting", runs=3, seed=1, of=["table.seen"]).law("table.seen").ways == {(seen,): 3}
