"""What `--why` tells: what a result was computed from, and the nearest changes that bring another one."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import games
import pytest
from click.testing import CliRunner

import interpreter
from interpreter import bundled
from interpreter.api.game import Game
from interpreter.api.otherwise import nearest_changes, value_of
from interpreter.api.result import Result
from interpreter.cli import group
from interpreter.diagnostics import PlayError
from interpreter.report.why import Played, names_with_reasons, reasons
from interpreter.values import in_words

GATE = """\
ruleset: gate
options: {toll: {type: number, default: 2, about: What it costs.}}
mechanics:
  push:
    inputs: {strength: {type: number}, luck: {type: number, from: 0, default: 0}}
    steps:
      die: {roll: d6}
      total: die + strength + luck
    outcomes: {open: total >= 8, shut: otherwise}
  pass:
    inputs: {strength: {type: number}, coins: {type: number, default: 0}, helped: {type: yes_no, default: no}}
    steps:
      pushed: {call: push, with: {strength: strength + (2 if helped else 0)}}
      paid: {is: coins >= options.toll, if: pushed.outcome is shut}
      again: {choose: yes_no, default: no, if: "not (paid otherwise yes)", ask: "Climb?"}
      climb: {roll: d4, if: again}
    outcomes:
      through: pushed.outcome is open or given(paid) and paid
      over: given(climb) and climb > 3
      outside: otherwise
    also: {rich: coins > options.toll}
"""


def told(game: Game, name: str, rule: str, **given: object) -> list[str]:
    result = game.roll(rule, **given)  # type: ignore[arg-type]
    asked = frozenset(given) - {"faces", "choices"}
    usual = frozenset(one.name for one in result.rule.inputs if one.name not in asked)
    lines = {line.path: line for line in result.trace if line.depth == 0}
    played = Played(result.rule, {**result.inputs, **result.values, **result.also}, result.outcome, lines, usual)
    found = reasons(game.program, None, played, name, game.option_values)
    return [f"{'  ' * one.depth}{one.name}: {one.text}" for one in found]


def test_an_outcome_is_told_with_its_conditions_and_what_they_read() -> None:
    assert told(interpreter.loads(GATE), "outcome", "pass", strength=2, faces=[3]) == [
        "outcome: outside",
        "  through: `pushed.outcome is open or given(paid) and paid` does not hold",
        "  over: `given(climb) and climb > 3` does not hold",
        "  outside: nothing before it holds",
        "  pushed: shut",
        "    open: `total >= 8` does not hold",
        "    shut: nothing before it holds",
        "    total: 5, which is `die + strength + luck`",
        "      die: d6: 3",
        "      strength: `strength + (2 if helped else 0)`",
        "        strength: 2, as given",
        "        helped: no, as usual",
        "  paid: no, which is `coins >= options.toll`",
        "    coins: 0, as usual",
        "    toll: 2, the usual option",
        "  climb: not done, since `again` does not hold",
        "    again: no",
    ]


def test_a_step_that_is_not_done_says_why_and_a_further_reading_what_it_is() -> None:
    game = interpreter.loads(GATE).with_options({"toll": 1})
    assert told(game, "paid", "pass", strength=7, coins=4, faces=[3]) == [
        "paid: not done, since `pushed.outcome is shut` does not hold",
        "  pushed: open",
        "    open: `total >= 8` holds",
        "    total: 10, which is `die + strength + luck`",
        "      die: d6: 3",
        "      strength: `strength + (2 if helped else 0)`",
        "        strength: 7, as given",
        "        helped: no, as usual",
    ]
    assert told(game, "rich", "pass", strength=7, coins=4, faces=[3]) == [
        "rich: yes, since it is `coins > options.toll`",
        "  coins: 4, as given",
        "  toll: 1, an option that was chosen",
    ]


def test_the_nearest_die_input_and_answer_are_found() -> None:
    game = interpreter.loads(GATE)
    result = game.roll("pass", strength=2, faces=[3, 2], choices={"again": True})
    assert list(map(str, nearest_changes(game, result, "outcome"))) == [
        "with 4 on the d4 in place of 2: over",
        "with 6 on the d6 in place of 3: through",
        "with `coins` 2 in place of 0: through",
        "with `strength` 5 in place of 2: through",
    ]
    other = game.roll("pass", strength=2, faces=[3, 4], choices={"again": True})
    assert [str(one) for one in nearest_changes(game, other, "outcome") if one.kind == "answer"] == [
        "with the answer no to `again` in place of yes: outside"
    ]
    assert nearest_changes(game, result, "climb") == []  # every change of a number brings another one


@pytest.mark.parametrize("name", bundled.rulesets())
def test_every_change_that_is_told_brings_what_it_says(name: str) -> None:
    game = games.game(name)
    alone = [one.name for one in game.mechanics.values() if not any(given.required for given in one.inputs.values())]
    for rule, seed in product(alone, range(5)):
        result = game.roll(rule, seed=seed)
        for asked in names_with_reasons(result.rule):
            told(game, asked, rule, seed=seed)
            for one in nearest_changes(game, result, asked):
                if one.kind == "input":
                    again = with_fewer(game, rule, list(result.faces), {one.what: one.now})
                    assert in_words(value_of(again, asked)) == one.then != in_words(value_of(result, asked))


def with_fewer(game: Game, rule: str, faces: list[Any], inputs: dict[str, str]) -> Result:
    """The run with these faces, or with as many of the first as it needs."""
    try:
        return game.roll(rule, faces=faces, inputs=inputs)
    except PlayError as error:
        assert error.diagnostic.code == "HR611"
        return with_fewer(game, rule, faces[:-1], inputs)


MOVE = ["roll", "pbta", "move", "stat=1", "--faces", "4,2"]


def test_a_house_rule_is_named_where_it_changed_what_counted() -> None:
    said = CliRunner().invoke(group, [*MOVE, "--with", "great-hit", "--why", "outcome"])
    assert "great_hit: `12 or more` does not hold (house rule: great-hit)" in said.output
    assert re.search(r"strong_hit: `10 to 11` does not hold \(house rule: great-hit\)", said.output)
    assert "weak_hit: `7 to 9` holds\n" in said.output


def test_a_name_that_the_result_does_not_have_is_refused_with_those_that_it_has() -> None:
    said = CliRunner().invoke(group, [*MOVE, "--why", "totl"])
    assert said.exit_code and "did you mean `total`?" in str(said.exception)


def test_a_saved_result_is_explained_like_the_roll(tmp_path: Path) -> None:
    saved = tmp_path / "move.json"
    saved.write_text(CliRunner().invoke(group, [*MOVE, "--format", "json"]).output)
    again = CliRunner().invoke(group, ["replay", "pbta", str(saved), "--why", "outcome"]).output
    once = CliRunner().invoke(group, [*MOVE, "--why", "outcome"]).output
    assert "  with 5 on d6 number 2 in place of 2: strong_hit" in again.splitlines()
    assert again.partition("Otherwise:")[2] == once.partition("Otherwise:")[2]


def test_why_is_refused_where_there_is_no_page_for_it() -> None:
    for more in (["--format", "json"], []):
        asked = [*MOVE, *more] if more else ["roll", "-e", "2d6"]
        said = CliRunner().invoke(group, [*asked, "--why", "outcome"])
        assert said.exit_code == 2 and "--why does not go with" in said.output
