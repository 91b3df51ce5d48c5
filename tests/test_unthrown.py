"""Dice that nobody has thrown have no number: every function and operator, over every way to reach the dice.

What gives dice, or says how many there are, takes them as before.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import RulesetError
from interpreter.diagnostics import Diagnostic
from interpreter.runtime.functions import FUNCTIONS

NUMBERS = {
    "sum": "sum(X)",
    "highest": "highest(X)",
    "lowest": "lowest(X)",
    "kth": "kth(X, 1)",
    "groups": "groups(X)",
    "dominates": "dominates(X, [1])",
    "outranks": "outranks([1], X)",
}
"""By function, a call that reads a number of a pool."""
OF_ONE = {
    **{name: f"{name}(X)" for name in ("abs", "odd", "even", "tens", "units", "upto")},
    "min": "min(2, X)", "max": "max(X, 2)", "clamp": "clamp(2, X, 9)", "times": "times(d6, X)",
}  # fmt: skip
"""By function, a call that reads a die as a number, as it does a number itself."""
GIVES_DICE = {
    "count": "count(X)", "any": "any(X where size > 1)", "all": "all(X where size > 1)", "only": "only(X)",
    "highest of some": "highest(X, 1)", "lowest of some": "lowest(X, 1)", "ordered": "ordered(X)",
    "reversed": "reversed(X)", "first": "first(X, 1)", "last": "last(X, 1)", "item": "item(X, 1)",
    "without": "without(X, X)", "common": "common(X, X)", "without_biggest": "without_biggest(X, 1)",
    "without_smallest": "without_smallest(X, 1)", "cap": "cap(X, d4)", "times": "times(X, 2)",
    "where": "X where size > 2", "by": "X by -size", "joined": "X & d4", "size": "sum(X.size)",
}  # fmt: skip
OPERATORS = {
    "plus": "X + 1", "minus": "1 - X", "times_": "X * 2", "divided": "X / 2", "negative": "-X", "more": "X > 3",
    "less": "3 < X", "equal": "X == 3", "comparator": "X beats 3", "two pools": "X >= X", "up": "up(X / 2)",
}  # fmt: skip
OF_LADDERS = {"rung", "rung_of"}
"""Functions whose dice are the rungs of a ladder."""

DECLARED = """
ruleset: unthrown
comparators: {beats: more than}
roles: {player: Who plays.}
options: {pool: {type: dice, default: 2d6}, die: {type: die, default: d6}}
tables: {gear: {off_the_rows: nearest, rows: {1: 2d6, 2: 3d6}}}
kinds: {hero: {has: {pool: {type: dice, default: 2d6}, die: {type: die, default: d6}}}}
functions: {made: {takes: {n: number}, gives: (n)d6}}
mechanics:
  other: {steps: {pool: {raise: 2d6, ladder: size, by: 1}}}
  main:
    inputs: {hero: hero, pool: {type: dice, least: 1}, die: die, several: {list_of: die, least: 1}}
    steps:
      called: {call: other}
      chosen: {choose: one, among: several, by: player, default: d6}
"""
LADDER = "ladders: {size: [d4, d6, d8]}\n"

POOLS = {
    "a step": "pool_N", "a step of a group": "group_N.inner", "a step that selects": "some_N", "an input": "pool",
    "an option": "options.pool", "an attribute": "hero.pool", "a call": "called.pool", "two joined": "(pool & 2d8)",
    "a function": "made(2)", "a table": "gear(1)", "written out": "2d6", "either": "(pool if count(pool) > 1 else 2d8)",
}  # fmt: skip
DICE = {
    "a step": "die_N", "an input": "die", "an option": "options.die", "an attribute": "hero.die", "a choice": "chosen",
    "an element": "first(several)", "of a pool": "first(pool)", "a rung": "item(size, 1)", "written out": "d6",
}  # fmt: skip
LISTS = {"an input": "several", "written out": "[d6, d8]"}
BEFORE = {
    "pool_N": "pool_N: 2d6", "group_N.inner": "group_N: {steps: {inner: 2d6}}",
    "some_N": "named_N: 3d6\n      some_N: highest(named_N, 2)", "die_N": "die_N: d6",
}  # fmt: skip
"""The steps that name the dice, where steps do."""


def told(readings: dict[str, str], dice: str) -> list[Diagnostic]:
    """The errors of a ruleset with a step for each reading of the same dice."""
    lines = []
    for number, reading in enumerate(readings.values()):
        if dice in BEFORE:
            lines.append(BEFORE[dice].replace("N", str(number)))
        lines.append(f"read_{number}: '{reading.replace('X', dice.replace('N', str(number)))}'")
    text = LADDER + DECLARED + "".join(f"      {line}\n" for line in lines)
    try:
        interpreter.loads(text.lstrip())
    except RulesetError as error:
        return error.diagnostics
    return []


def test_every_function_of_dice_is_here() -> None:
    known = {*NUMBERS, *OF_ONE, *GIVES_DICE, *OF_LADDERS}
    assert {name for name in FUNCTIONS if name not in known} == set()


@pytest.mark.parametrize("way", POOLS)
def test_no_function_and_no_operator_takes_a_pool_for_a_number(way: str) -> None:
    readings = {**NUMBERS, **OPERATORS}
    found = told(readings, POOLS[way])
    assert [one.code for one in found] == ["HR419"] * len(readings), found
    assert all("roll:" in (one.help or "") for one in found)


@pytest.mark.parametrize("way", DICE)
def test_no_function_and_no_operator_takes_a_die_for_a_number(way: str) -> None:
    readings = {**OF_ONE, **{name: text for name, text in OPERATORS.items() if name != "two pools"}}
    found = told(readings, DICE[way])
    assert [one.code for one in found] == ["HR419"] * len(readings), found


@pytest.mark.parametrize("way", LISTS)
def test_no_function_takes_a_list_of_dice_for_numbers(way: str) -> None:
    assert [one.code for one in told(NUMBERS, LISTS[way])] == ["HR419"] * len(NUMBERS)


@pytest.mark.parametrize("way", POOLS)
def test_what_gives_dice_or_their_number_takes_a_pool(way: str) -> None:
    dice = POOLS[way] if way != "written out" else "(2d6)"
    assert told(GIVES_DICE, dice) == []


@pytest.mark.parametrize("way", ["a step", "a step that selects", "a step of a group"])
def test_the_step_that_names_the_dice_is_told_and_the_way_out_loads(way: str) -> None:
    (found,) = told({"sum": "sum(X)"}, POOLS[way])
    assert found.message.endswith("only names dice, and is read as a number")
    step, thrown = found.help.split("`")[1].split(": ", 1)  # type: ignore[union-attr]
    whole = found.span.source.text
    mended = f"{whole[: found.span.start]}{thrown}{whole[found.span.end :]}"
    assert f"{step}: {{roll: " in mended
    interpreter.loads(mended)


def test_a_step_that_throws_the_dice_is_named() -> None:
    text = DECLARED.lstrip() + "      rolled: {roll: pool}\n      total: sum(highest(pool, 2))\n"
    with pytest.raises(RulesetError) as raised:
        interpreter.loads(LADDER + text)
    (found,) = raised.value.diagnostics
    assert "write `sum(highest(rolled, 2))`" in (found.help or "")


def test_a_house_rule_that_forgets_to_throw_is_told_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(
        "ruleset: base\nmechanics:\n  move:\n    inputs: {lucky: yes_no}\n    steps:\n      rolled: {roll: 2d6}\n"
        "      kept: {first_of: {best: {if: lucky, is: 'highest(rolled, 1)'}, all: rolled}}\n      total: sum(kept)\n"
        "      also_read: highest(rolled)\n",
        encoding="utf-8",
    )
    (tmp_path / "house.yaml").write_text(
        "ruleset: house\nextends: base.yaml\nchanges:\n  mechanics.move.steps.rolled: {set: 2d8, because: Bigger.}\n",
        encoding="utf-8",
    )
    with pytest.raises(RulesetError) as raised:
        interpreter.load(tmp_path / "house.yaml")
    (found,) = raised.value.diagnostics
    assert (found.code, Path(found.path).name, found.line, found.span.text) == ("HR419", "house.yaml", 4, "2d8")
    assert "`set: {roll: 2d8}`" in (found.help or "")


def test_of_dice_with_faces_of_their_own_the_size_is_not_what_they_show() -> None:
    text = (
        "ruleset: own\ndice: {fudge: {faces: [-1, 0, 1]}}\nmechanics: {m: {steps: {total: 'sum(times(fudge, 4))'}}}\n"
    )
    with pytest.raises(RulesetError) as raised:
        interpreter.loads(text)
    (found,) = raised.value.diagnostics
    assert found.code == "HR419" and "the most that" not in (found.help or "")
