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
modifiers:
  aimed: {to: side, adds: {edge: 1}}
  heated: {to: side, adds: {edge: 2}, about: It needs a fire.}
mechanics:
  strike:
    inputs: {own: {type: side}, of: {type: bar}}
    steps: {roll: {roll: own.dice}, total: sum(roll) + of.weight + own.edge}
  temper:
    inputs: {skill: {type: number, optional: yes}, luck: {type: number, optional: yes}}
    requires: {some: given(skill) or given(luck)}
    steps: {total: (skill otherwise 0) + (luck otherwise 0)}
  polish:
    inputs:
      heat: {type: number, from: 0, to: 20, about: Of the coals.}
      time: {type: number, from: 1, default: 3, ask: "How long?"}
      oil:  {type: number, default: 7}
    steps: {total: heat + time + oil}
  stamp:
    inputs: {marks: {list_of: metal}, blows: {list_of: number}}
    steps: {total: count(marks) + sum(blows)}
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
        at.sees("modifiers: [aimed]}: aimed, heated (It needs a fire).")
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


def test_an_input_with_a_question_is_asked_for_beside_its_default_and_a_needed_one_until_it_comes(
    tmp_path: Path,
) -> None:
    (tmp_path / "forge.yaml").write_text(RULES)
    for typed, total in (("", "20"), ("2", "19")):
        with Terminal("roll", "forge.yaml", "polish", folder=tmp_path) as at:
            at.sees("heat (such as 10): ")
            at.types("")
            at.sees("`heat` needs an answer")
            at.sees("(such as 10)")
            at.sees("heat (such as 10): ")
            at.types("10")
            at.sees("time: a number, at least 1; default 3")
            at.sees("time [3]: ")
            at.types(typed)
            at.sees(f"total: {total}")


def test_a_record_is_asked_for_in_few_words_and_told_whole_at_a_question_mark(tmp_path: Path) -> None:
    (tmp_path / "forge.yaml").write_text(RULES)
    with Terminal("roll", "forge.yaml", "strike", folder=tmp_path) as at:
        assert "edge" not in at.sees("own (such as d8 & d6)")
        at.types("? own")
        at.sees("It may also have edge: {dice: …, edge: …}")


def test_what_needs_a_thing_says_how_it_is_played(tmp_path: Path) -> None:
    (tmp_path / "forge.yaml").write_text(RULES)
    with Terminal("roll", "forge.yaml", "hire", folder=tmp_path) as at:
        at.sees("`houserule act forge.yaml STATE hire`")


def test_a_list_is_typed_with_commas_or_spaces(tmp_path: Path) -> None:
    (tmp_path / "forge.yaml").write_text(RULES)
    with Terminal("roll", "forge.yaml", "stamp", folder=tmp_path) as at:
        at.sees("marks: any of iron, gold; commas between several, [] for none")
        at.sees("marks (such as iron, gold)")
        at.types("iron, tin")
        at.sees("`tin` is not a word of `metal`")
        at.types("gold, iron, gold")
        at.sees("blows (such as 3, 1)")
        at.types("x")
        at.sees("`x`")
        at.types("4 5")
        at.sees("total: 12")
