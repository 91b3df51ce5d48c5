"""Steps that are played, in which somebody chooses a die and more dice are thrown: odds keep both as answers."""

from __future__ import annotations

import pytest
from enumeration import hold_to_every_history

import interpreter

RULES = """ruleset: answers
kinds: {hero: {has: {hp: {type: points, to: 9, starts: 5}}}}
mechanics:
  main:
    inputs: {ann: hero}
    steps:
      thrown: {roll: 2d2}
      some: {%s}
      late: ann.hp
    outcomes: {low: ann.hp < 3, high: otherwise}
"""
CHOSEN = "one: {choose: one, among: thrown, default: 'only(highest(thrown, 1))'}, more: {roll: d2}"
LOSS = "hit: {lose: sum(more), from: ann.hp}"
STEPS = {
    "passes": f"repeat: 2, each: {{{CHOSEN}, {LOSS}}}",
    "a turn": f"turn: ann, steps: {{{CHOSEN}, {LOSS}}}",
    "a group": f"steps: {{{CHOSEN}, {LOSS}}}",
    "each thing": f"for: who, among: '[ann]', each: {{{CHOSEN}, {LOSS}}}",
    "each die": f"for: die, among: 2d2, each: {{{CHOSEN}, {LOSS}}}",
    "each die, nothing changed": f"for: die, among: 2d2, each: {{{CHOSEN}}}",
    "passes with several dice": "repeat: 2, each: {one: {choose: some, among: thrown, default: 'highest(thrown, 1)'},"
    f" more: {{roll: d2}}, {LOSS}}}",
}


@pytest.mark.parametrize("names", [("late",), ("outcome", "late"), ("some",)])
@pytest.mark.parametrize("steps", STEPS)
def test_throws_after_a_chosen_die_have_every_history(steps: str, names: tuple[str, ...]) -> None:
    played = interpreter.loads(RULES % STEPS[steps])
    hold_to_every_history(played, "main", *names, state=played.state({"ann": {"is": "hero"}}), ann="ann")
