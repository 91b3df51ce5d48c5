"""Each limit is one constant: the page of limits tells it, and messages quote it. A case takes any fraction that odds
give."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter import Game, PlayError, ir, pipeline, values
from interpreter.diagnostics.source import Source
from interpreter.ir.types import LARGEST
from interpreter.odds import chance_choices, lazy_roll, meter, query_cache
from interpreter.odds import scenes as scene_odds
from interpreter.odds.lower import played as played_in_odds
from interpreter.play import effects, events, run, scenes
from interpreter.runtime.functions import MOST_DICE
from interpreter.runtime.operations import ELEMENTS
from interpreter.syntax import lexer
from interpreter.syntax.document import MOST_SHARE_DIGITS, FileLimits
from interpreter.testing.cases import Trial, cases_of

DOCS = Path(__file__).parents[2] / "docs"

LIMITS = f"""
| a file | {FileLimits().size >> 20} MiB, nested {FileLimits().depth} deep, {FileLimits().nodes:,} values
| an expression | {lexer.Bounds().characters:,} characters, {lexer.Bounds().tokens:,} words and signs, brackets \
{lexer.Bounds().depth} deep
| a number | {LARGEST.bit_length() + 1} bits
| a roll, a pool, `upto` | {MOST_DICE:,} dice or numbers
| the throws of one die | the `guard` of its roll, {ir.GUARD:,} by default
| a run | {run.RunLimits.steps:,} steps (an offer counts as {events.STEPS_OF_AN_OFFER} and one for each action), \
{run.RunLimits.dice:,} dice, {run.RunLimits.passes:,} passes of one `repeat`, \
{run.RunLimits.things:,} things, events that cause each other {effects.MOST_NESTED} deep, \
{ELEMENTS:,} elements read by `where` and `by`
| a list or a record | {values.MOST_HELD:,} values
| odds of a scene | {scene_odds.MOST_WAYS:,} paths through its phases, {scene_odds.MOST_STEPS:,} steps in all of them
| odds | {meter.LIMITS.states:,} states, {meter.LIMITS.work:,} units of work, {meter.LIMITS.memory >> 20} MB, \
{lazy_roll.MOST_WAYS:,} combinations of the dice of one roll, \
{lazy_roll.MOST_CHAINS:,} chains of one die, {chance_choices.MOST_ANSWERS:,} answers where a choice is left to chance
| a fraction in a case | {MOST_SHARE_DIGITS:,} digits above and below
"""


@pytest.mark.parametrize("row", LIMITS.strip().splitlines())
def test_the_page_of_limits_says_what_holds(row: str) -> None:
    page = (DOCS / "language" / "yaml.md").read_text("utf-8")
    assert any(line.startswith(row) for line in page.split("## Limits")[1].splitlines()), row


def test_other_pages_say_the_same() -> None:
    page = (DOCS / "language" / "dice.md").read_text("utf-8")
    assert f"an error if one die is thrown that often ({ir.GUARD} by default)" in page
    page = (DOCS / "language" / "scenes.md").read_text("utf-8")
    assert f"without an outcome and reports it; {scenes.USUAL_GUARD} by default" in page


DICE = """
ruleset: heap
roles: {who: Who chooses.}
kinds: {hero: {has: {hurt: {type: points, from: 0, to: 900, starts: 0}}}}
mechanics:
  laid: {steps: {rolled: {roll: 3d20 & 4d6}, seen: {is: rolled}}}
  chained: {steps: {rolled: {roll: 4d6, again: face > 4}, seen: {is: rolled}}}
  fallen: {inputs: {who: {type: hero}}, steps: {blow: {cause: blow, with: {who: who}}, sum_of: {is: sum(blow.rolled)}}}
  chosen: {steps: {n: {choose: number, from: 1, to: 90, by: who}}}
  long: {steps: {rolled: {roll: d6, again: face <= 9 - nth}, total: sum(rolled)}}
events:
  blow:
    inputs: {who: {type: hero}}
    steps: {rolled: {roll: 9d6}, hurt: {gain: sum(rolled), to: who.hurt}}
"""
ANN = {"ann": {"is": "hero"}}
KEEPS = "  keeps: {inputs: {dice: {type: roll}}, steps: {more: {is: sum(dice)}}}\n"
"""An event to come may hold dice, so that steps that lead to dice are played."""
ASKED: dict[str, tuple[Any, str, int, Callable[[Game], Any], str]] = {
    "ways of a roll": (
        query_cache,
        "MOST_WAYS",
        37,
        lambda game: game.odds("laid").of("seen"),
        "need 194,040 combinations of 7 dice, where at most 37 are followed",
    ),
    "ways of chains": (
        query_cache,
        "MOST_WAYS",
        1037,
        lambda game: game.odds("chained").of("seen"),
        "combinations of 4 dice, with every throw counted, where at most 1,037 are followed",
    ),
    "ways of an event": (
        played_in_odds,
        "MOST_WAYS",
        1037,
        lambda _: interpreter.loads(DICE + KEEPS).odds("fallen", state=ANN, who="ann").of("sum_of"),
        "need 10,077,696 combinations of 9 dice, where at most 1,037 are followed",
    ),
    "answers": (
        chance_choices, "MOST_ANSWERS", 37, lambda game: game.odds("chosen", policy="random").of("n"), "answers to try",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", ASKED)
def test_a_message_quotes_the_constant(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, value, ask, words = ASKED[what]
    monkeypatch.setattr(module, name, value)
    with pytest.raises(PlayError) as error:
        ask(interpreter.loads(DICE))
    message = error.value.diagnostic.message
    assert f"{value:,}" in message and words in message, message


@pytest.mark.parametrize("dice", [1, 30, 120, 300])
def test_a_case_takes_every_fraction_that_odds_give(dice: int) -> None:
    text = f"""
ruleset: long
mechanics:
  m:
    steps: {{rolled: {{roll: {dice}d10}}, total: sum(rolled)}}
    outcomes: {{high: total > {6 * dice}, low: otherwise}}
cases:
"""
    odds = interpreter.loads(text.replace("cases:\n", "")).odds("m")
    high = odds.outcomes["high"]
    one = next(value for value, chance in odds.of("total").items() if chance)
    for stated in (high, high + F(1, high.denominator * 7)):
        text += f"  - {{name: c, mechanic: m, odds: {{high: {stated}}}}}\n"
    text += f"  - {{name: c, mechanic: m, odds: {{total: {{{one}: {odds.of('total')[one]}}}}}}}\n"
    made = pipeline.from_text(Source.of("long.yaml", text))
    assert made.program and made.world and not made.problems.errors
    trial = Trial(Game(made.program, made.world))
    found = [[problem.code for problem in trial.run(case).failures] for case in cases_of(made.world.cases)]
    assert found == [[], ["HR701"], []]
