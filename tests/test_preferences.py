"""`best: [down, pushed]`: between equally good answers, the next goal decides; held to all strategies in turn."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner

import interpreter
from interpreter.cli import group
from interpreter.diagnostics import PlayError, RulesetError

BOOK = """
ruleset: book
names: {way: [low, high, far]}
mechanics:
  blow:
    steps:
      way:    {choose: one, among: way, default: low, ask: "How?"}
      rolled: {roll: d4}
      again:  {choose: yes_no, default: no, ask: "{rolled}. Again?"}
      anew:   {roll: d4, if: again, else: rolled}
    outcomes: {down: anew == 4, stays: otherwise}
    also: {pushed: anew == 3 and way is high or anew == 2 and way is far, turned: anew == 1}
"""
GAIN = {"down": lambda way, face: face == 4, "turned": lambda way, face: face == 1}
GAIN["pushed"] = lambda way, face: (face == 3 and way == "high") or (face == 2 and way == "far")


def strategies() -> list[dict[str, Fraction]]:
    """The chances under every strategy: a way, and for each face whether it is thrown again."""
    found = []
    for way in ("low", "high", "far"):
        for again in product((False, True), repeat=4):
            chances = dict.fromkeys(GAIN, Fraction(0))
            for face, thrown in zip(range(1, 5), again, strict=True):
                for last in range(1, 5) if thrown else (face,):
                    for name, holds in GAIN.items():
                        chances[name] += holds(way, last) * Fraction(1, 16 if thrown else 4)
            found.append(chances)
    return found


def best(*names: str) -> dict[str, Fraction]:
    return max(strategies(), key=lambda chances: [chances[name] for name in names])


@pytest.fixture(scope="module")
def game() -> Any:
    return interpreter.loads(BOOK)


def chance(game: Any, best: object, name: str, **how: Any) -> Fraction:
    law = game.odds("blow", best=best, **how).law("outcome" if name == "down" else name)
    return law.weights.get(("down",) if name == "down" else (True,), Fraction(0))


ORDERS = [("down",), ("down", "pushed"), ("pushed", "down"), ("down", "turned"), ("turned", "pushed", "down")]


@pytest.mark.parametrize("names", ORDERS, ids=" ".join)
def test_the_chances_are_those_of_the_best_strategy(game: Any, names: tuple[str, ...]) -> None:
    true = best(*names)
    assert {name: chance(game, list(names), name) for name in names} == {name: true[name] for name in names}


def test_the_last_tie_goes_to_the_default(game: Any) -> None:
    strategy = game.odds("blow", best=["down"]).law("outcome").strategy
    assert not [one for one in strategy if one.path == "way"]  # nothing that is aimed for depends on it
    strategy = game.odds("blow", best=["turned", "down"]).law("outcome", "pushed").strategy
    assert {one.answer for one in strategy if one.path == "way"} == {"low"}
    strategy = game.odds("blow", best=["down", "pushed"]).law("outcome").strategy
    assert {one.answer for one in strategy if one.path == "way"} == {"high"}


def test_each_who_decides_may_prefer(game: Any) -> None:
    assert chance(game, {"way": ["down", "pushed"], "again": ["turned", "down"]}, "turned") == best("turned")["turned"]


def test_worst_takes_an_order_as_well(game: Any) -> None:
    law = game.odds("blow", worst=["down", "pushed"]).law("outcome", "pushed")
    least = min(strategies(), key=lambda chances: (chances["down"], chances["pushed"]))
    assert sum(share for (outcome, _), share in law.weights.items() if outcome == "down") == least["down"]
    assert sum(share for (_, pushed), share in law.weights.items() if pushed) == least["pushed"]


CASE = "cases:\n  - {name: c, mechanic: blow, best: %s, odds: {down: 7/16, pushed: %s}}\n"


def test_a_case_and_the_command_take_an_order(tmp_path: Any) -> None:
    pushed = best("down", "pushed")["pushed"]
    (tmp_path / "book.yaml").write_text(BOOK.lstrip() + CASE % ("[down, pushed]", pushed))
    assert "1 passed" in CliRunner().invoke(group, ["test", str(tmp_path / "book.yaml")]).output
    told = CliRunner().invoke(group, ["odds", str(tmp_path / "book.yaml"), "blow", "--best", "down,pushed"]).output
    assert "(best down,pushed)" in told and str(pushed) in told


@pytest.mark.parametrize(
    ("goals", "said"),
    [
        ("[down, down]", "HR812 `down` is preferred already"),
        ("[down, felled]", "HR"),
        ("{way: [pushed, pushed]}", "HR812 `pushed` is preferred already"),
    ],
)
def test_slips_in_cases_are_told(goals: str, said: str) -> None:
    with pytest.raises(RulesetError, match=said):
        interpreter.loads(BOOK + CASE % (goals, "1/8"))


def test_slips_of_hosts_are_told(game: Any) -> None:
    with pytest.raises(PlayError, match="HR812 `down` is preferred already"):
        game.odds("blow", best=["down", "down"])
    wrong: Mapping[str, Any] = {"best": ["down", 3]}
    with pytest.raises(PlayError, match="best"):
        game.odds("blow", **wrong)
