"""Inputs that `roll` asks for at a terminal: field by field, with an example, and what is needed is never left out."""

from __future__ import annotations

from pathlib import Path

from terminal import Terminal

RULES = """\
ruleset: forge
names: {metal: [iron, gold]}
kinds: {smith: {has: {skill: {type: number, default: 2}}}}
types:
  side: {written_as: dice, has: {dice: {type: dice}, edge: {type: number, default: 0}}}
  bar: {has: {metal: {type: metal}, weight: {type: number, from: 1}, old: {type: yes_no, default: no}}}
mechanics:
  strike:
    inputs: {own: {type: side}, of: {type: bar}}
    steps: {roll: {roll: own.dice}, total: sum(roll) + of.weight}
  temper:
    inputs: {skill: {type: number, optional: yes}, luck: {type: number, optional: yes}}
    requires: {some: given(skill) or given(luck)}
    steps: {total: (skill otherwise 0) + (luck otherwise 0)}
  hire:
    inputs: {who: {type: smith}}
    steps: {total: who.skill}
"""


def test_a_record_is_asked_for_field_by_field_and_dice_in_words_are_put_right(tmp_path: Path) -> None:
    (tmp_path / "forge.yaml").write_text(RULES)
    with Terminal("roll", "forge.yaml", "strike", "--seed", "1", folder=tmp_path) as at:
        at.sees("own (such as d8 & d6)")
        at.types("?")
        at.sees("own: dice")
        at.types("d8 and d6")
        at.sees("write `d8 & d6`")
        at.types("d8 & d6")
        at.sees("of.metal (such as iron)")
        at.types("tin")
        at.sees("`tin` is not a word of `metal`")
        at.types("gold")
        at.sees("of.weight (such as 1)")
        at.types("3")
        at.sees("strike")


def test_an_optional_input_that_the_rule_requires_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "forge.yaml").write_text(RULES)
    with Terminal("roll", "forge.yaml", "temper", folder=tmp_path) as at:
        at.sees("skill (such as ")
        at.types("")
        at.sees("luck (such as ")
        at.types("4")
        at.sees("total: 4")


def test_what_needs_a_thing_says_how_it_is_played(tmp_path: Path) -> None:
    (tmp_path / "forge.yaml").write_text(RULES)
    with Terminal("roll", "forge.yaml", "hire", folder=tmp_path) as at:
        at.sees("`houserule act forge.yaml STATE hire`")
