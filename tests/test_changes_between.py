"""A change of the state between a step that reads dice by it and one that reads the result: each reads its own time."""

from __future__ import annotations

from textwrap import indent

import pytest
from enumeration import by_enumeration

import interpreter
from interpreter.api.game import Game

GAIN = "more: {gain: 1, to: hero.skill}"
RULES = {
    "some dice, and how many": ["kept: rolled where face >= hero.skill", GAIN, "value: count(kept)"],
    "the highest": ["kept: highest(rolled, hero.skill)", GAIN, "value: sum(kept)"],
    "all but the lowest": ["kept: without(rolled, lowest(rolled, hero.skill))", GAIN, "value: sum(kept)"],
    "the highest of the rest": [
        "rest: without(rolled, highest(rolled, hero.skill - 1))", GAIN, "value: sum(highest(rest, hero.skill - 1))",
    ],
    "a number of dice with a name": ["k: hero.skill", "kept: highest(rolled, k)", GAIN, "value: sum(kept)"],
    "dice that decide about the change": [
        "kept: rolled where face >= hero.skill", "more: {gain: 1, to: hero.skill, if: count(kept) > 1}",
        "value: count(kept) + 10 * hero.skill",
    ],
    "a change in a call": [
        "kept: rolled where face >= hero.skill", "called: {call: other, with: {n: count(kept)}}",
        "value: count(kept) + 10 * called.x",
    ],
    "changes in passes": [
        "kept: rolled where face >= hero.skill", f"p: {{repeat: 2, each: {{{GAIN}, n: count(kept)}}}}",
        "value: sum(p.n)",
    ],
    "a function of dice": ["n: tops(rolled)", GAIN, "value: n + 10 * tops(rolled)"],
    "dice that match the highest": [
        "best: highest(rolled)", GAIN, "bar: best - hero.skill + 2", "value: count(rolled where face == bar)",
    ],
    "dice that match the highest before": [
        "best: highest(rolled)", "bar: best - hero.skill + 2", GAIN,
        "value: count(rolled where face == bar) * 10 + hero.skill",
    ],
    "a change by the lowest die": [
        "best: highest(rolled)", "more: {gain: 1, to: hero.skill, if: lowest(rolled) == 1}",
        "bar: best - hero.skill + 2", "value: count(rolled where face == bar)",
    ],
    "one roll against another": [
        "other_roll: {roll: 2d4}", "own: rolled where face >= hero.skill", GAIN, "won: outranks(own, other_roll)",
        "value: (1 if won else 0) + 10 * hero.skill",
    ],
    "throws": [
        "n: count(rolled.throws where it.face >= hero.skill)", GAIN,
        "value: n + 10 * count(rolled.throws where it.face >= hero.skill)",
    ],
    "sets": [
        "w: highest(groups(rolled).width)", GAIN, "value: count(groups(rolled) where it.width >= hero.skill) + 10 * w",
    ],
    "dice to throw again": ["bad: rolled where face < hero.skill", GAIN, "again: {reroll: bad}", "value: sum(again)"],
    "dice thrown again by the new number": [
        GAIN, "again: {reroll: rolled where face < hero.skill}", "value: sum(again)",
    ],
}  # fmt: skip


def game(rule: str) -> Game:
    steps = indent("\n".join(["rolled: {roll: 3d4}", *RULES[rule]]), "      ")
    return interpreter.loads(f"""\
ruleset: changes
functions:
  tops: {{takes: {{r: roll}}, gives: "count(r where face >= hero.skill)"}}
kinds:
  hero: {{one: yes, has: {{skill: {{type: points, to: 9, starts: 2}}}}}}
mechanics:
  other:
    inputs: {{n: number}}
    steps:
      up_it: {{gain: 1, to: hero.skill}}
      x: n + hero.skill
  one:
    steps:
{steps}
""")


@pytest.mark.parametrize("rule", RULES)
def test_odds_are_those_of_plain_play(rule: str) -> None:
    played = game(rule)
    true = by_enumeration(played, "one", played.state(), ("value",), {})
    assert dict(played.odds("one").law("value").weights) == true


@pytest.mark.parametrize("rule", RULES)
def test_a_simulation_comes_close_to_them(rule: str) -> None:
    played = game(rule)
    true = by_enumeration(played, "one", played.state(), ("value",), {})
    seen = played.simulate("one", runs=4000, seed=1).law("value").weights
    assert set(seen) <= set(true)
    assert all(abs(seen.get(value, 0) - chance) < 0.05 for value, chance in true.items())
