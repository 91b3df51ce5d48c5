"""Comparisons with what house rules rename: each name belongs to its rule, and names that are given in turn are one."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli import group

BASE = """ruleset: base
mechanics:
  fight: {steps: {die: {roll: d6}}, outcomes: {hit: die >= 3, miss: otherwise}}
  dodge: {steps: {die: {roll: d4}}, outcomes: {miss: die >= 3, caught: otherwise}}
  hit: {steps: {die: {roll: d4}}, outcomes: {yes_it_is: die >= 3, no_it_is_not: otherwise}}
  both:
    steps: {ours: {call: fight}, theirs: {call: dodge}}
    outcomes: {won: ours.outcome is hit and theirs.outcome is miss, lost: otherwise}
"""


def _compared(folder: Path, changes: str, rule: str, *more: str) -> str:
    (folder / "base.yaml").write_text(BASE)
    layers = []
    for number, text in enumerate([changes, *more]):
        below = "base.yaml" if number == 0 else f"l{number - 1}.yaml"
        (folder / f"l{number}.yaml").write_text(f"ruleset: l{number}\nextends: {below}\nchanges:\n  {text}\n")
        layers = [str(folder / f"l{number}.yaml")]
    given = [str(folder / "base.yaml"), *([rule] if rule else []), "--with", *layers]
    result = CliRunner().invoke(group, ["compare", *given], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(
    "change",
    [
        "mechanics.dodge.outcomes.miss: {rename: evaded, because: x}",
        "mechanics.fight.outcomes.miss: {rename: whiff, because: x}",
        "mechanics.hit: {rename: smite, because: x}",
    ],
)
@pytest.mark.parametrize("rule", ["fight", "both"])
def test_a_new_name_alone_changes_no_odds(tmp_path: Path, change: str, rule: str) -> None:
    assert "There is no difference." in _compared(tmp_path, change, rule)


def test_a_name_that_is_given_twice_is_one(tmp_path: Path) -> None:
    first = "mechanics.fight.outcomes.miss: {rename: whiff, because: x}"
    then = "mechanics.fight.outcomes.whiff: {rename: nothing, because: x}"
    told = _compared(tmp_path, first, "fight", then)
    assert "There is no difference." in told and "miss is called nothing" in told


def test_no_chance_is_lost_where_another_rule_has_the_new_name(tmp_path: Path) -> None:
    changes = (
        "mechanics.dodge.outcomes.miss: {rename: hit, because: x}\n"
        "  mechanics.fight.outcomes.hit.if: {set: die >= 4, because: x}"
    )
    told = " ".join(_compared(tmp_path, changes, "fight").split())
    assert "hit 2/3 66.7% 1/2 50.0%" in told and "miss 1/3 33.3% 1/2 50.0%" in told


def test_differences_of_house_rules_take_each_name_for_that_of_its_rule(tmp_path: Path) -> None:
    told = _compared(
        tmp_path,
        "mechanics.dodge.outcomes.miss: {rename: evaded, because: x}\n"
        "  mechanics.fight.outcomes.hit.if: {set: die >= 4, because: x}",
        "",
    )
    of_fight = told.partition("fight")[2].partition("both")[0]
    assert "66.7%" in of_fight and "evaded" not in of_fight
