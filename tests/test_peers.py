"""What other libraries show in their pages, as rulesets: their numbers as cases, and their laws told again.

Every example says which library and which page it is from. Most laws are worked out a second time by plain Python
(`peers/plainly.py`), some a third time by icepool and dyce, where they are installed. What is refused stands in
`peers/refused.yaml` with its cost.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import games
import pytest
import yaml
from marks import thorough
from peers.plainly import REFERENCES, Law, Reference

import interpreter
from interpreter.api.game import Game
from interpreter.diagnostics import PlayError
from interpreter.pipeline import Loaded
from interpreter.testing.cases import Trial, cases_of

HERE = Path(__file__).parent / "peers"
RULESETS = sorted(path.stem for path in HERE.glob("*.yaml") if path.stem != "refused")
REFUSED = yaml.safe_load((HERE / "refused.yaml").read_text(encoding="utf-8"))["refused"]


@cache
def loaded(name: str) -> Loaded:
    return games.loaded(HERE / f"{name}.yaml")


@cache
def game(name: str) -> Game:
    return games.game(HERE / f"{name}.yaml")


@pytest.mark.parametrize("name", thorough(RULESETS, lambda name: name in ("boards", "contests", "narrative")))
def test_the_numbers_of_their_pages(name: str) -> None:
    ruleset = loaded(name)
    assert [str(problem) for problem in ruleset.problems] == []
    assert ruleset.program and ruleset.world
    trial = Trial(Game(ruleset.program, ruleset.world))
    verdicts = [trial.run(case) for case in cases_of(ruleset.world.cases)]
    assert [str(failure) for verdict in verdicts for failure in verdict.failures] == []
    assert [str(verdict.skipped) for verdict in verdicts if verdict.skipped] == []
    assert verdicts


@pytest.mark.parametrize("name", RULESETS)
def test_an_example_says_where_it_is_from(name: str) -> None:
    program = game(name).program
    assert [rule.name for rule in program.mechanics.values() if not rule.about.startswith("Source: ")] == []


def test_there_are_many_of_them() -> None:
    programs = [game(name).program for name in RULESETS]
    assert sum(len(program.mechanics) + len(program.scenes) for program in programs) >= 60


@pytest.mark.parametrize("reference", REFERENCES, ids=str)
def test_a_law_is_the_one_of_plain_python(reference: Reference) -> None:
    odds = game(reference.ruleset).odds(reference.mechanic, inputs=reference.given)
    assert law_of(odds, reference.of) == reference.law()


def law_of(odds: interpreter.Odds, name: str) -> Law:
    assert odds.missing_of(name) == 0
    return {value: weight for (value,), weight in odds.law(name).weights.items() if weight}


@pytest.mark.parametrize("one", REFUSED, ids=lambda one: f"{one['ruleset']}-{one['rule']}")
def test_what_is_refused_is_refused_in_words(one: dict[str, object]) -> None:
    """The entry says what is asked, and what it costs until it is refused."""
    assert {"ruleset", "rule", "of", "code", "seconds", "megabytes", "why"} <= set(one)
    if one.get("late"):
        pytest.skip("refused too late to be tried here")
    with pytest.raises(PlayError) as refused:
        game(str(one["ruleset"])).odds(str(one["rule"]), inputs=one.get("given") or {}).law(str(one["of"]))
    assert refused.value.diagnostic.code == one["code"]


# The libraries themselves, where they are installed -----------------------------------------------------------------


def by_icepool() -> dict[tuple[str, str, str], Law]:
    icepool = pytest.importorskip("icepool")
    d6, d10, d20 = icepool.d6, icepool.d10, icepool.d20
    once = d6.map(lambda face: d6 if face == 1 else face)
    heavy = d6.map(lambda face: d6 if face <= 2 else face)
    found = {
        ("ability-scores", "drop_lowest", "score"): d6.highest(4, 3),
        ("ability-scores", "ones_once", "score"): once.highest(4, 3),
        ("ability-scores", "best_character", "total"): (18 @ d6).highest(12),
        ("dungeon", "great_weapon", "heavy"): 2 @ heavy + 5,
        ("dungeon", "lucky_advantage", "total"): d20.map(lambda face: d20 if face == 1 else face).highest(2),
        ("exploding", "roll_and_keep", "total"): d10.explode(depth=3).highest(10, 3),
        ("contests", "risk", "won"): d6.pool(3).sort_pair(">", d6.pool(2)).size(),
    }
    return {key: {one: Fraction(ways, law.denominator()) for one, ways in law.items()} for key, law in found.items()}


def by_dyce() -> dict[tuple[str, str, str], Law]:
    dyce = pytest.importorskip("dyce")
    d6 = dyce.H(6)
    found = {
        ("ability-scores", "drop_lowest", "score"): dyce.P(6, 6, 6, 6).at(slice(1, None)),
        ("boards", "miwin", "total"): dyce.H((1, 2, 5, 6, 7, 9))
        + dyce.H((1, 3, 4, 5, 8, 9))
        + dyce.H((2, 3, 4, 6, 7, 8)),
        ("dungeon", "great_weapon", "single"): 2 @ d6 + 5,
        ("contests", "unsorted", "plain"): 5 @ dyce.H({-1: 15, 0: 6, 1: 15}),
    }
    return {key: {one: Fraction(ways, law.total) for one, ways in law.items()} for key, law in found.items()}


@pytest.mark.parametrize("library", [by_icepool, by_dyce], ids=lambda one: one.__name__)
def test_a_law_is_the_one_of_the_library(library: Callable[[], dict[tuple[str, str, str], Law]]) -> None:
    for (ruleset, mechanic, of), law in library().items():
        assert law_of(game(ruleset).odds(mechanic), of) == law, (ruleset, mechanic, of)
