"""What a message proposes can be done as it stands: the line that it gives is tried in the place of the mistake."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import interpreter
from interpreter.cli import group
from interpreter.odds.strategy import sentences

BAG = """
ruleset: bag
kinds: {sack: {has: {weight: {type: number, default: 1}, inside: {list_of: sack, default: []}, total: {is: FORMULA}}}}
"""


def refused(rules: str) -> str:
    with pytest.raises(interpreter.RulesetError) as error:
        interpreter.loads(rules)
    assert len(error.value.diagnostics) == 1
    return error.value.diagnostics[0].help or ""


@pytest.mark.parametrize(
    "formula", ["weight + sum(inside.total)", "2 * weight + sum(inside.total)", '"max(weight, sum(inside.total))"']
)
def test_a_total_of_totals_is_given_for_one_level(formula: str) -> None:
    found = re.search(r"`total: \{is: (.+)\}` counts one level only", refused(BAG.replace("FORMULA", formula)))
    assert found is not None
    assert "inside.weight" in found[1]
    interpreter.loads(BAG.replace("FORMULA", found[1]))


@pytest.mark.parametrize("formula", ["1 + sum(inside.total)", "total + 1", "weight + other + sum(inside.total)"])
def test_no_level_is_given_where_it_is_not_one_name(formula: str) -> None:
    rules = BAG.replace("FORMULA", formula).replace("inside: {", "other: {type: number, default: 0}, inside: {")
    assert "one level" not in refused(rules)


@pytest.mark.parametrize("times", [0, 4])
def test_what_stands_for_a_function_that_calls_itself_is_there_for_no_rounds_too(times: int) -> None:
    helped = refused("ruleset: f\nfunctions: {fact: {takes: {n: number}, gives: 1 if n <= 1 else n * fact(n - 1)}}\n")
    step, read = re.findall(r"`(done: .+?\}\})`, and `(.+?)` is its result", helped)[0]
    game = interpreter.loads(
        f"ruleset: f\nmechanics: {{m: {{inputs: {{n: number}}, steps: {{{step}, out: {read}}}}}}}\n"
    )
    assert game.roll("m", inputs={"n": times}).values["out"] == (24 if times else 1)


CHOICES = {
    "one": "{choose: one, among: pool}",
    "some": "{choose: some, among: pool, least: 1, most: 2}",
    "number": "{choose: number, from: 2, to: 4}",
    "yes_no": "{choose: yes_no}",
    "words": "{choose: one, among: [left, right]}",
    "places": "{choose: some, among: [left, right], least: 1, most: 1}",
}


@pytest.mark.parametrize("kind", CHOICES)
def test_the_answer_that_a_message_gives_is_allowed(kind: str, tmp_path: Path) -> None:
    from click.testing import CliRunner

    file = tmp_path / "m.yaml"
    file.write_text(
        "ruleset: m\nnames: {way: [left, right]}\n"
        f"mechanics: {{m: {{steps: {{pool: {{roll: 2d6 & d8}}, p_d: {CHOICES[kind]}, x: sum(pool)}}}}}}\n"
    )
    words = ["roll", str(file), "m", "--faces", "6,5,3"]
    error = CliRunner().invoke(group, words).exception
    assert isinstance(error, interpreter.PlayError)
    found = re.search(r"such as `(.+)`$", error.diagnostic.help or "")
    assert found is not None
    done = CliRunner().invoke(group, [*words, *shlex.split(found[1])])
    assert done.exit_code == 0, done.output


MOVES = """ruleset: base
mechanics:
  moved: {steps: {far: {roll: d6}}}
  move: {steps: {rolled: {roll: d6}}}
  sneak: {steps: {thrown: {roll: d6}}}
"""


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("movd.steps.rolled", "did you mean `mechanics.move.steps.rolled`?"),
        ("walk.steps.thrown", "did you mean `mechanics.sneak.steps.thrown`?"),
        ("sneek.steps.thrown", "did you mean `sneak`?"),
        ("movd.steps.nowhere", "did you mean `move"),
        ("walk.steps.nowhere", "there are: `moved`, `move`, `sneak`"),
    ],
)
def test_of_names_in_a_path_the_one_is_meant_by_which_it_goes_on(path: str, meant: str, tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(MOVES)
    house = tmp_path / "house.yaml"
    house.write_text(
        f"ruleset: house\nextends: base.yaml\nchanges:\n  mechanics.{path}: {{set: {{roll: d8}}, because: x.}}\n"
    )
    with pytest.raises(interpreter.RulesetError) as error:
        interpreter.load(house)
    assert meant in (error.value.diagnostics[0].help or "")


@pytest.mark.parametrize(
    ("total", "told"),
    [
        (
            "sum(two) + (7 - lowest(two) - 1 if wants else 0)",
            "yes, when lowest(two) is 5 or less; otherwise no",
        ),
        ("sum(two) + (7 - highest(two) if wants else 3)", "yes, when highest(two) is 3 or less; otherwise no"),
        ("7 + highest(two) if wants else sum(two) + highest(two)", "when sum(two) is 6 or less"),
        (
            "sum(two) + (2 * count(groups(two) where it.width >= 2) if wants else 1)",
            "of the times it is asked, depending on what `two` shows; `--format json` lists each case",
        ),
    ],
)
def test_advice_tells_by_which_reading_of_a_roll_it_goes(total: str, told: str) -> None:
    game = interpreter.loads(
        "ruleset: m\nmechanics:\n  m:\n    steps:\n      two: {roll: 2d12}\n"
        f"      wants: {{choose: yes_no, default: no}}\n      total: {total}\n"
    )
    said = sentences(game.odds("m", best="total").strategy)
    assert len(said) == 1
    assert told in said[0]


def test_advice_about_a_reroll_tells_by_which_reading_of_the_roll_it_goes() -> None:
    game = interpreter.loads(
        "ruleset: m\nmechanics:\n  m:\n    steps:\n      two: {roll: 2d8}\n"
        "      wants: {choose: yes_no, default: no}\n"
        "      again: {reroll: two where wants and face == lowest(two), most: 1}\n      total: sum(again)\n"
    )
    assert sentences(game.odds("m", best="total").strategy) == [
        "wants: yes, when lowest(two) is 4 or less; otherwise no"
    ]
