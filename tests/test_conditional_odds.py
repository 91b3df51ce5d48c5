"""Odds of a part of the runs: `Odds.when`, `--when`, and `when` in a case."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interpreter import load, loads
from interpreter.cli import group
from interpreter.diagnostics import HouseruleError, PlayError

RULES = """\
ruleset: duel
names: {mood: [calm, angry]}
mechanics:
  swing:
    inputs: {skill: {type: number, from: 0, to: 3, default: 1}}
    steps:
      dice:  {roll: 2d6}
      extra: {roll: d4, if: highest(dice) == 6}
      total: sum(dice) + skill
      mood:  {is: calm if lowest(dice) > 2 else angry}
    outcomes: {hit: total >= 9, graze: total >= 7, miss: otherwise}
    also: {pair: highest(dice) == lowest(dice)}
"""


def by_hand(skill: int) -> list[dict[str, Any]]:
    """Every run of `swing`, all as likely, from the sentences of the rules."""
    runs = []
    for a, b, c in product(range(1, 7), range(1, 7), range(1, 5)):
        total = a + b + skill
        outcome = "hit" if total >= 9 else "graze" if total >= 7 else "miss"
        mood = "calm" if min(a, b) > 2 else "angry"
        extra = c if max(a, b) == 6 else None
        runs.append({"total": total, "outcome": outcome, "mood": mood, "pair": a == b, "extra": extra})
    return runs


@pytest.mark.parametrize("skill", [0, 1, 3])
@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ({"outcome": "hit"}, lambda run: run["outcome"] == "hit"),
        ({"outcome": ["hit", "graze"]}, lambda run: run["outcome"] != "miss"),
        ({"pair": True}, lambda run: run["pair"]),
        ({"pair": "yes", "mood": "calm"}, lambda run: run["pair"] and run["mood"] == "calm"),
        ({"total": range(8, 11)}, lambda run: 8 <= run["total"] <= 10),
        ({"total": lambda total: total % 2 == 1}, lambda run: run["total"] % 2 == 1),
        ({"extra": 3}, lambda run: run["extra"] == 3),
        ({"extra": None}, lambda run: run["extra"] is None),
    ],
)
def test_chances_and_means_are_those_of_the_runs_meant(skill: int, when: Any, holds: Any) -> None:
    odds = loads(RULES).odds("swing", skill=skill).when(when)
    meant = [run for run in by_hand(skill) if holds(run)]
    for name in ("outcome", "total", "mood", "pair"):
        found = {value: chance for value, chance in odds.of(name).items() if chance}
        assert found == {one: Fraction(sum(run[name] == one for run in meant), len(meant)) for one in found}
        assert sum(found.values()) == 1
    assert odds.mean("total") == Fraction(sum(run["total"] for run in meant), len(meant))
    assert odds.joint("outcome", "mood") == {
        key: Fraction(sum((run["outcome"], run["mood"]) == key for run in meant), len(meant))
        for key in odds.joint("outcome", "mood")
    }


def test_what_was_not_followed_stays_missing() -> None:
    odds = load("d6").odds("check", code="2D", difficulty=10).when({"outcome": "success"})
    law = odds.law("total")
    assert 0 < law.missing < Fraction(1, 1000)
    assert sum(odds.of("total").values()) + law.missing == 1
    whole = load("d6").odds("check", code="2D", difficulty=10)
    share = whole.joint("outcome", "total")["success", 10] / (whole.of("outcome")["success"] + whole.missing)
    assert odds.of("total")[10] <= share


def test_a_condition_within_a_condition() -> None:
    odds = loads(RULES).odds("swing")
    both = odds.when({"outcome": "hit"}).when({"pair": True})
    assert both.of("total") == odds.when({"outcome": "hit", "pair": True}).of("total")


def test_shares_of_a_simulation() -> None:
    pytest.importorskip("numpy")
    sampled = loads(RULES).simulate("swing", runs=20_000, seed=4).when({"outcome": "hit"})
    assert 0 < sampled.runs < 20_000
    exact = loads(RULES).odds("swing").when({"outcome": "hit"})
    for value, chance in exact.of("total").items():
        assert abs(sampled.of("total")[value] - chance) < 5 * max(sampled.of("total")[value].error, 0.002)


@pytest.mark.parametrize("when", [{"outcome": "missed"}, {"total": 99}, {"pair": True, "total": 8}])
def test_no_run_is_meant(when: dict[str, Any]) -> None:
    with pytest.raises(PlayError) as refused:
        loads(RULES).odds("swing").when(when).of("mood")
    assert refused.value.diagnostic.code == "HR820"


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(HouseruleError, match="HR801"):
        loads(RULES).odds("swing").when({"totl": 3}).of("mood")


@pytest.mark.parametrize(
    ("when", "chance"),
    [(["outcome=hit"], "1/5"), (["total>=9", "pair=yes"], "1"), (["total!=9"], "5/31"), (["total=+12"], "0")],
)
def test_the_command_takes_conditions(tmp_path: Path, when: list[str], chance: str) -> None:
    file = tmp_path / "duel.yaml"
    file.write_text(RULES, "utf-8")
    words = [word for one in when for word in ("--when", one)]
    said = CliRunner().invoke(group, ["odds", str(file), "swing", *words, "--of", "pair", "--format", "csv"])
    rows = dict(line.split(",")[1:3] for line in said.stdout.splitlines())
    assert rows.get("yes", "0") == chance
    bad = CliRunner().invoke(group, ["odds", str(file), "swing", "--when", "outcome"])
    assert bad.exit_code != 0 and "HR819" in str(bad.exception) + bad.stderr
