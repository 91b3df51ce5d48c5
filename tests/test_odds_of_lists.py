"""Odds of lists that are made of dice: each die, each throw and each tag has its own place in them, and what is not
known of a chain is missing and nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest
import yaml
from classes.ask import asked
from classes.places import Question
from marks import thorough

import interpreter

ROLLS = {
    "equal": "{roll: 2d3}",
    "mixed": "{roll: d2 & 2d3 armor}",
    "parts": "{roll: {left: d2, right: 2d2}}",
    "chains": "{roll: 2d2, each: {burn: face + nth}, again: face == 2 and nth < 2}",
    "symbols": '{roll: "times(boost, 2)"}',
    "laid together": "first_two & second_two",
}
LISTS = (
    "x.face",
    "x.value",
    "x.tags",
    "x.throws.face",
    "x.throws.counts",
    "x.face where it > 1",
    "reversed(x.value)",
    "[x.face, [7]]",
    "first(x.face)",
    "last(x.throws).face",
    "item(x.value, 1)",
    "sum(first(x.value, 1))",
    "count(x.tags)",
    "any(x.tags where it is armor)",
    "count(x.tags where it is armor) + count(x.tags)",
    "count(x.throws.face where it == 2) + first(x.face)",
    "sum(total(x.value))",
    "total(x.value)",
    "first_of_list(x.face)",
    "highest(x.value, 1)",
    "(x.face by -it)",
    "common(x.face, first_two.face)",
    "sum(without(x.face, first_two.face))",
    "count(common(x, first_two))",
    "times(x.face, 2)",
    "rung(grade, clamp(sum(x.value), 1, 3)) + first(x.value)",
    "rung_of(grade, low + count(x)) - count(x.face where it > 1)",
)
RULES = """
ruleset: lists
tags: [armor, wild]
ladders: {{grade: [low, middle, high]}}
dice: {{boost: {{faces: [blank, star, star + moon]}}}}
functions:
  total:         {{takes: {{of: {{list_of: number}}}}, gives: sum(of where it > 1)}}
  first_of_list: {{takes: {{of: {{list_of: number}}}}, gives: first(of) otherwise 0}}
mechanics:
  main:
    steps:
      first_two:  {{roll: 2d2}}
      second_two: {{roll: d3}}
      x: {roll}
      out: '{read}'
      later: '{read}'
"""


@pytest.mark.parametrize("roll", ROLLS)
@pytest.mark.parametrize("read", thorough(LISTS, lambda read: LISTS.index(read) % 3 > 0, every=2))
def test_a_list_of_what_dice_have_is_in_the_order_of_the_dice(roll: str, read: str) -> None:
    verdict = asked(_question(RULES.format(roll=ROLLS[roll], read=read), "out", "later"))
    assert verdict.kind in ("agrees", "load"), verdict


def _question(text: str, *names: str) -> Question:
    return Question(yaml.load(text, Loader=yaml.BaseLoader), "main", names)


ENDLESS = """
ruleset: endless
mechanics:
  main:
    steps:
      others: {{roll: 2d2}}
      x: {{roll: d2, again: face == 2}}
      out: {out}
"""
OPEN = (
    '"[1, x]"',
    '"[x, x]"',
    "groups(x)",
    "x.value",
    "{steps: {inner: [x]}}",
    "{repeat: 2, each: {y: {roll: d2, again: face == 2}, z: [y]}}",
    '{roll: 2d2, counts: "2 if units(x) > 1 else face"}',
    "{roll: 2d2, again: face == 2 and nth < 2 and odd(x)}",
    "{roll: 2d2, each: {y: units(x)}}",
    "{roll: 2d2, if: odd(x), else: others}",
    "{pair: others, with: others & x, each: {lead: ours - theirs}}",
    '{repeat: 2, each: {y: "highest(others, x)", z: {roll: d2, again: face == 2}}}',
)


@pytest.mark.parametrize("out", OPEN)
def test_what_is_not_known_of_a_chain_is_missing(out: str) -> None:
    game = interpreter.loads(ENDLESS.format(out=out))
    law = game.odds("main").law("out")
    assert sum(law.weights.values()) + law.missing == 1
    assert 0 < law.missing < Fraction(1, 50)
    assert not any("or more" in str(value) for value in law.weights)


@pytest.mark.parametrize("guard", [-1, 0, 1, 2])
@pytest.mark.parametrize("again", ["no", "face == 3", "face == 2 and nth < 2"])
def test_a_guard_that_is_too_low_for_a_second_throw_lets_dice_be_thrown_once(guard: int, again: str) -> None:
    """In odds as in play, which is refused where it reaches the guard."""
    text = (
        f"ruleset: low\nmechanics:\n  main:\n    inputs: {{n: {{type: number, default: {guard}}}}}\n"
        f"    steps:\n      x: {{roll: 2d3, again: {again}, guard: n}}\n      out: sum(x)\n"
    )
    verdict = asked(_question(text, "out"))
    assert verdict.kind == "agrees" or (verdict.code == "HR630" and again != "no"), verdict


NESTED = """
ruleset: nested
mechanics:
  main:
    steps:
      tosses: {{roll: d2 & d3}}
      others: {{roll: 2d2}}
      tries:  {{repeat: 2, each: {{k: {{roll: d2}}, spare: k + 1}}}}
      pairs:  {{pair: tosses, with: others, each: {{lead: ours - theirs, spare: ours + theirs}}}}
      out: {out}
"""


@pytest.mark.parametrize("dice", ["others", "tosses", "highest(tosses, 1)", "(others & tosses)", "d2 & d3"])
@pytest.mark.parametrize(("elements", "read"), [("pairs", "it.lead"), ("tries", "it.k"), ("[1, 2]", "it")])
def test_a_condition_on_dice_inside_of_one_on_elements_reads_both(dice: str, elements: str, read: str) -> None:
    """`it` is still the element of the list, and is kept for it, where only dice are looked at there."""
    word = "size" if dice == "d2 & d3" else "face"
    text = f"count({elements} where count({dice} where {word} > {read}) > 0)"
    verdict = asked(_question(NESTED.format(out=f"'{text}'"), "out"))
    assert verdict.kind == "agrees", (text, verdict)


SKIPPED = """
ruleset: skipped
mechanics:
  main:
    steps:
      coin: {{roll: d2}}
      x: {{roll: {{left: d2, right: 2d2}}, if: coin == 1}}
      out: {out}
"""


@pytest.mark.parametrize(
    ("out", "code"),
    [
        ("x.right", ""),
        ("sum(x.right)", "HR403"),
        ("highest(x.left)", "HR403"),
        ("given(x.right)", ""),
        ("{is: sum(x.right), if: given(x)}", ""),
        ("sum(x.right) if given(x) else 0", ""),
        ("sum((x otherwise x).right)", "HR403"),
        ("count(x.right where face == 2) if given(x) else 9", ""),
    ],
)
def test_a_part_of_a_roll_that_was_skipped_is_missing(out: str, code: str) -> None:
    verdict = asked(_question(SKIPPED.format(out=out), "out", "coin"))
    assert (verdict.kind, verdict.code) == ("load" if code else "agrees", code), verdict
