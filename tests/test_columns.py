"""Columns concatenate whatever is in them: results agree with hand-computed ones, and between all engines."""

from __future__ import annotations

import pytest
from generated import hold

import interpreter

IN_PASSES = """\
ruleset: columns
mechanics:
  main:
    steps:
      k:
        repeat: 2
        each:
          one:   {roll: d3}
          some:  {roll: 2d2}
          few:   "[1, 2, 3] where it > one"
          pool:  (one)d6
          left:  {for: n, among: "[1, 2]", each: {off: n + one, deep: {for: m, among: "[1, 2]", each: {at: m}}}}
      x: EXPR
"""
BY_HAND = {  # with the faces 2, 1, 2 and 1, 2, 2
    "sum(item(k.some, 1))": 1,
    "sum(first(k.some, 2))": 3,
    "sum(k.some)": 7,
    "count(k.some where value > 1)": 3,
    "highest(k.some) otherwise 0": 2,
    "sum(k.one)": 3,
    "sum(item(k.one, 1))": 2,
    "item(k.one, 2).face": 1,
    "sum(k.one.face)": 3,
    "count(k.one where it > 1)": 1,
    "count(item(k.one, 1) & item(k.one, 2))": 2,
    "count(k.few)": 3,
    "sum(k.pool.size)": 18,
    "item(k.pool, 2).size": 6,
    "sum(k.left.off)": 12,
    "sum(k.left.deep.at)": 12,
    "item(k.left, 1).off": 3,
    "count(k.left where it.off > 2)": 3,
    "count(k.left where 1 > 0)": 4,
    "sum(item(k, 1).left.off)": 7,
}


@pytest.mark.parametrize("expression", BY_HAND)
def test_a_column_of_passes_is_strung_together(expression: str) -> None:
    text = IN_PASSES.replace("EXPR", expression)
    result = interpreter.loads(text).roll("main", faces=[2, 1, 2, 1, 2, 2])
    x = result.values["x"]
    assert getattr(x, "value", x) == BY_HAND[expression]
    assert hold.held(text).kind == "agreed"


@pytest.mark.parametrize("expression", ["sum(k.pool)", "highest(k.pool)"])
def test_a_column_of_pools_has_no_number_as_nobody_threw_it(expression: str) -> None:
    with pytest.raises(interpreter.RulesetError, match="HR419 these dice are not thrown"):
        interpreter.loads(IN_PASSES.replace("EXPR", expression))


def test_dice_of_a_column_are_rerolled_in_their_pass_alone_as_a_reroll_gives_a_whole_roll() -> None:
    with pytest.raises(interpreter.RulesetError, match=r"HR420 .*reroll them where they are thrown"):
        interpreter.loads(IN_PASSES.replace("EXPR", "{reroll: k.some where face == 1}"))
    assert (
        hold.held(
            IN_PASSES.replace("few: ", "anew: {reroll: some where face == 1}\n          few: ").replace(
                "EXPR", "sum(k.anew)"
            )
        ).kind
        == "agreed"
    )


@pytest.mark.parametrize("step", ["{roll: k.pool}", "k.some where face == 1"])
def test_a_column_of_pools_is_a_pool_and_one_of_rolls_a_roll(step: str) -> None:
    assert interpreter.loads(IN_PASSES.replace("EXPR", step)).roll("main", seed=1).values["x"]


OF_THINGS = """\
ruleset: columns
types: {side: {written_as: dice, has: {dice: {type: dice}, bonus: {type: number, default: 3}}}}
names: {skill: [poles, ropes]}
kinds:
  climber:
    has:
      side:   {type: side, default: 2d4}
      pool:   {type: dice, default: 2d4}
      skills: {type: number, per: skill, default: 2}
      pack:   {list_of: number, default: [1, 2]}
things: {climber: {ann: {}, bo: {}}}
mechanics:
  main:
    steps:
      who: "[ann, bo]"
      x: EXPR
      rolled: {roll: d2}
"""
OF_BOTH = {
    "sum(who.side.bonus)": 6,
    "item(who.side, 2).bonus": 3,
    "count(who.side.dice)": 4,
    "item(who.pool, 1).size": 4,
    "sum(who.pool.size)": 16,
    "sum(who.skills)": 8,
    "sum(who.pack)": 6,
}


@pytest.mark.parametrize("expression", OF_BOTH)
def test_a_column_of_things_is_strung_together(expression: str) -> None:
    game = interpreter.loads(OF_THINGS.replace("EXPR", expression))
    laws = game.odds("main").law("x"), game.simulate("main", runs=9, seed=1, of=["x"]).law("x")
    assert [set(law.weights) for law in laws] == [{(OF_BOTH[expression],)}] * 2
    assert game.roll("main", seed=1).values["x"] == OF_BOTH[expression]


BY_PLACE = ["first(a)", "item(a, 2)", "sum(last(a, 2))", "first(reversed(a))", "last(ordered(a))", "first(k.r)"]


@pytest.mark.parametrize("expression", BY_PLACE)
def test_a_die_by_its_place_is_the_one_that_was_thrown_there(expression: str) -> None:
    steps = f"a: {{roll: 3d3}}\n      k: {{repeat: 1, each: {{r: {{roll: 2d2}}}}}}\n      x: {expression}"
    text = f"ruleset: places\nmechanics:\n  main:\n    steps:\n      {steps} + 0\n"
    assert hold.held(text).kind == "agreed"


OF_THROWS = [
    "count(e.throws.t)",
    "item(e.throws, 1).n + 0",
    "sum(item(e.throws, 1).t)",
    "count(e.throws where it.n > 2)",
    "sum(e.throws.n)",
]


@pytest.mark.parametrize("expression", OF_THROWS)
def test_what_throws_have_named_is_there_in_each_of_them(expression: str) -> None:
    step = "e: {roll: d3, again: face == 3 and nth < 2, each: {n: face + 1, t: {roll: d2}}}"
    text = f"ruleset: throws\nmechanics:\n  main:\n    steps:\n      {step}\n      x: {expression}\n"
    assert hold.held(text).kind == "agreed"
