"""The best decisions for an outcome reckon what counts as it as it: nobody gives up a critical hit for a hit."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from typing import Any

import pytest

import interpreter
from interpreter import Game

RULES = """
ruleset: natural
roles: {{who: Who rolls.}}
mechanics:
  m:
    steps:
      a: {{roll: d{size}}}
      more: {{choose: yes_no, by: who, default: no, ask: "Again?"}}
      b: {{reroll: a, if: more, else: a}}
      worth: {{is: 20 if b == {size} else b}}
    outcomes:
{outcomes}
    also: {{top: b == {size}}}
"""
SETS = {
    "a critical hit": "crit: {if: b == 6, counts_as: hit}, hit: b > 3, miss: otherwise",
    "two": "crit: {if: b == 6, counts_as: hit}, clean: {if: b == 5, counts_as: hit}, hit: b > 3, miss: otherwise",
    "of the worst": "hit: b > 3, fumble: {if: b == 1, counts_as: miss}, miss: otherwise",
    "of both": "crit: {if: b == 6, counts_as: hit}, hit: b > 4, fumble: {if: b == 1, counts_as: miss}, miss: otherwise",
    "none": "crit: b == 6, hit: b > 3, miss: otherwise",
}


def game_of(name: str) -> Game:
    lines = "".join(f"      {one.strip()}\n" for one in _split(SETS[name]))
    return interpreter.loads(RULES.format(size=6, outcomes=lines))


def _split(text: str) -> list[str]:
    """The entries of a mapping, commas inside braces left alone."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def reached(game: Game, goal: str) -> set[str]:
    """The outcomes for which `outcome is goal` holds."""
    cases = game.program.mechanics["m"].outcomes
    assert cases is not None
    return {goal, *(one.name for one in cases.cases if one.counts_as == goal)}


def by_hand(game: Game, goal: str, best: bool) -> F:
    """The best chance of a goal over every rule of when to throw again."""
    good = reached(game, goal)
    came = {face: game.roll("m", faces=[face]).outcome for face in range(1, 7)}
    anew = F(sum(came[face] in good for face in came), 6)
    chances = []
    for again in product((False, True), repeat=6):
        each = [anew if again[face - 1] else F(came[face] in good) for face in came]
        chances.append(sum(each, F(0)) / 6)
    return max(chances) if best else min(chances)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("best", [True, False])
def test_the_best_of_an_outcome_is_that_of_all_that_counts_as_it(name: str, best: bool) -> None:
    game = game_of(name)
    for goal in game.odds("m").outcomes:
        asked: dict[str, Any] = {"best" if best else "worst": goal}
        odds = game.odds("m", **asked)
        found = sum((odds.outcomes[one] for one in reached(game, goal)), F(0))
        assert found == by_hand(game, goal, best), (goal, best)


def test_nobody_throws_a_natural_twenty_again() -> None:
    game = game_of("a critical hit")
    advice = game.odds("m", best="hit").strategy
    assert {one.seen["a"] for one in advice if one.answer is True} == {1, 2, 3}


def test_a_case_decides_alike() -> None:
    from interpreter import pipeline
    from interpreter.diagnostics.source import Source
    from interpreter.testing.cases import Trial, cases_of

    lines = "".join(f"      {one.strip()}\n" for one in _split(SETS["a critical hit"]))
    text = RULES.format(size=6, outcomes=lines) + (
        "cases:\n  - {name: c, mechanic: m, best: hit, odds: {hit: 1/2, crit: 1/4, miss: 1/4}}\n"
    )
    made = pipeline.from_text(Source.of("natural.yaml", text))
    assert made.program and made.world and not made.problems.errors
    trial = Trial(Game(made.program, made.world))
    assert [trial.run(case).failures for case in cases_of(made.world.cases)] == [()]
