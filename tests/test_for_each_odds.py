"""Odds follow `for` element by element, and are those of plain enumeration."""

from __future__ import annotations

import pytest
from generated.asking import Asked

import interpreter

RULES = """
ruleset: elements
kinds:
  hero:
    has:
      hp: {type: points, to: 9, starts: 3}
      luck: {type: number, default: 1}
      friend: {type: hero, optional: yes}
      fallen: {is: hp == 0}
  camp: {one: yes, has: {noise: {type: number, default: 0}}}
mechanics:
  main:
    inputs: {lead: hero, last_one: hero, heroes: {list_of: hero}, numbers: {list_of: number, default: [1, 3, 2]}}
    steps:
      before: {roll: 2d3}
      round:
        for: one
        among: AMONG
        WHERE
        each:
          STEPS
      END
    outcomes: {loud: camp.noise > 3, quiet: otherwise}
things:
  hero:
    ann: {friend: bob}
    bob: {hp: 1, luck: 2}
    cat: {hp: 2, friend: ann}
"""

KINDS: dict[str, tuple[str, str, tuple[str, ...], str]] = {
    "a roll for each": ("heroes", "", ("die: {roll: d3}",), 'sum: "sum(round.die)"'),
    "a roll that is read by its map": (
        "heroes",
        "",
        ("die: {roll: d3}", "more: die + one.luck"),
        "of: round(lead).more otherwise 0",
    ),
    "elements that are left out": (
        "heroes",
        "where: it.hp > 1",
        ("die: {roll: d3}",),
        "of: 1 if given(round(lead)) else 0",
    ),
    "a condition on what elements before have changed": (
        "heroes",
        "where: not it.fallen",
        ("die: {roll: d3}", "hurt: {lose: die, from: one.friend.hp, if: given(one.friend)}"),
        "of: count(round)",
    ),
    "the same element twice": (
        "[lead, last_one, lead]",
        "where: it.hp > 1",
        ("die: {roll: d2}", "hurt: {lose: die, from: one.hp}"),
        "of: round(lead).die otherwise 0",
    ),
    "numbers": ("numbers", "", ("die: {roll: d2}", "worth: die * one"), "of: sum(round.worth)"),
    "numbers of a roll": (
        "numbers",
        "where: it <= sum(before)",
        ("die: {roll: d2}", "worth: die * one"),
        "of: sum(round.worth)",
    ),
    "a roll from outside": (
        "heroes",
        "where: it.hp < highest(before)",
        ("die: {roll: d2, if: one.luck < lowest(before)}",),
        "of: count(before where face == 1)",
    ),
    "how many of a column": (
        "heroes",
        "where: it.hp > 1",
        ("die: {roll: d2, if: one.luck < 2}", "worth: one.luck"),
        "worths: round.worth\n      of: count(worths)",
    ),
    "dice that are not thrown": ("2d2 & d3", "", ("die: {roll: d2}",), "dice: round.die\n      of: count(dice)"),
    "chains": ("heroes", "", ("die: {roll: d2, again: face == 2 and nth < 3}",), "of: sum(round.die)"),
    "an end": ("heroes", "", ("die: {roll: d3}", "over: {end: loud, if: die == 3}"), "of: 1"),
    "an element inside of another": (
        "heroes",
        "",
        (
            "each_of: {for: other, among: heroes, where: it is not one, each: {die: {roll: d2}, "
            "hurt: {lose: die - 1, from: other.hp}}}",
        ),
        "of: count(round)",
    ),
    "a pass of its own": (
        "heroes",
        "",
        ("tries: {repeat: 2, each: {die: {roll: d2}, made: {gain: die - 1, to: one.hp}}}",),
        "of: 1",
    ),
    "skipped with something else": (
        "heroes",
        "",
        ("die: {roll: d3, if: one.luck > 1, else: 2}", "hurt: {lose: die, from: one.hp}"),
        "of: sum(round.die)",
    ),
    "points and what follows": (
        "heroes",
        "",
        ("die: {roll: d3}", "hurt: {lose: die, from: one.hp}", "left: one.hp"),
        "of: sum(round.left)",
    ),
    "the excess": (
        "heroes",
        "",
        ("die: {roll: d4}", "hurt: {lose: die, from: one.hp}"),
        "of: count(round where it.hurt.excess > 0)",
    ),
}
NAMES = (("outcome",), ("of",), ("ann.hp", "bob.hp"), ("camp.noise", "cat.hp", "of"))


def rules(name: str) -> str:
    among, where, steps, end = KINDS[name]
    noisy = "noise: {set: camp.noise, to: camp.noise + 1, if: one.hp < 2}"
    text = RULES.replace("AMONG", among)
    text = text.replace("        WHERE\n", f"        {where}\n" if where else "")
    if not where.startswith("where: it <=") and among not in ("numbers", "2d2 & d3"):
        steps = (*steps, noisy)
    return text.replace("STEPS", "\n          ".join(steps)).replace("END", end.replace("sum: ", "of: "))


@pytest.mark.parametrize("name", KINDS)
def test_the_odds_of_elements_are_those_of_enumeration(name: str) -> None:
    game = interpreter.loads(rules(name))
    given = {"lead": "ann", "last_one": "cat", "heroes": ["ann", "bob", "cat"]}
    asked = Asked(game, "main", given, game.state(), None, {})
    for names in NAMES:
        law = game.odds("main", inputs=given).law(*names)
        assert law.weights == asked.law(names), names
        assert not law.missing
