"""A choice whose `if` does not hold has its default: this knows nothing of the condition, and may be no answer."""

from __future__ import annotations

from fractions import Fraction
from textwrap import indent
from typing import Any

import pytest

import interpreter
from interpreter.codegen import module_of, rule_player
from interpreter.runtime.rng import SeededDice

CHOICES: dict[str, tuple[str, Any, str]] = {
    "a number": ("choose: number, from: 1, to: 2, default: 0", 0, "a > 0"),
    "a number of a list": ("choose: one, among: upto(2), default: 0", 0, "a > 0"),
    "one of a list that grows": ("choose: one, among: 'upto(2 + x)', default: -3", -3, "a > 0"),
    "a number under a condition": ("choose: number, from: 1, to: 3, where: odd(it), default: 9", 9, "a < 4"),
}


@pytest.mark.parametrize("name", CHOICES)
def test_what_the_default_leads_to_can_be_reached(name: str) -> None:
    choice, default, asked = CHOICES[name]
    steps = f"die: {{roll: d4}}\nx: die + 0\na: {{{choice}, if: die > 3}}\n"
    text = f"ruleset: unasked\nmechanics:\n  main:\n    steps:\n{indent(steps, '      ')}"
    text += f"    outcomes: {{asked: {asked}, not_asked: otherwise}}\n"
    game = interpreter.loads(text)
    choices = {"a": 1}
    odds = game.odds("main", choices=choices)
    assert odds.of("a") == {1: Fraction(1, 4), default: Fraction(3, 4)}
    assert odds.outcomes["not_asked"] == Fraction(3, 4)
    assert {game.roll("main", seed=seed, policy=lambda _: 1).values["a"] for seed in range(1, 30)} == {1, default}
    assert game.odds("main", best="a").outcomes["not_asked"] == Fraction(3, 4)
    assert game.simulate("main", runs=100, seed=1, choices=choices).outcomes["not_asked"] > Fraction(1, 2)


PLACES = {
    "where what it reads is missing": ("c: {if: no, steps: {e: 1}}", "given(c)", "c.e"),
    "where a roll is missing": ("c: {roll: 2d4, if: no}", "given(c)", "sum(c)"),
    "where both must be there": ("c: {roll: 2d4, if: no}", "given(c) and 1 > 0", "count(c)"),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_default_that_only_the_condition_allows_is_refused_with_the_way_out(name: str) -> None:
    step, condition, default = PLACES[name]
    text = (
        f"ruleset: unasked\nmechanics:\n  main:\n    steps:\n      {step}\n"
        f'      a: {{choose: number, from: 0, to: 9, default: "{default}", if: "{condition}"}}\n'
    )
    with pytest.raises(interpreter.RulesetError) as refused:
        interpreter.loads(text)
    (slip,) = refused.value.diagnostics
    assert slip.code == "HR403" and "may be missing" in slip.message and "`else: …`" in (slip.help or "")

    game = interpreter.loads(text.replace('if: "', 'else: 0, if: "'))
    assert game.roll("main", seed=1).values["a"] == 0
    play = rule_player(module_of(game.program, game.option_values, None, whole=True), game.rule("main"))
    assert play is not None and play({".meter": [10**6]}, SeededDice(1), True)["a"] == 0
