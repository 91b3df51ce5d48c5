"""The bundled rulesets and house rules: sound, and every case comes out as it should."""

from __future__ import annotations

from pathlib import Path

import games
import pytest
from marks import is_slow, thorough

from interpreter import bundled
from interpreter.api.game import Game
from interpreter.testing.cases import Trial, cases_of
from interpreter.testing.claims import problems_of_claims
from interpreter.testing.coverage import coverage
from interpreter.testing.layered import judge_under_layers

HOUSE_RULES = bundled.house_rules()
FILES = sorted(Path(__file__).parent.parent.glob("rulesets/*/house-rules/*.yaml"))

ODDS_ONCE = {"d6", "year-zero"}
"""Their odds take seconds: they are worked out for the ruleset itself, and not again under each house rule."""


@pytest.mark.parametrize("name", [*bundled.rulesets(), *HOUSE_RULES])
def test_what_is_required_is_said_in_the_words_of_the_game(name: str) -> None:
    """Players read why something is not possible; a formula is for authors."""
    program = games.loaded(name).program
    assert program is not None
    required = [one for rules in program.playable.values() for rule in rules.values() for one in rule.requires]
    assert [f"{one.path}: {one.condition.text}" for one in required if not one.about] == []


@pytest.mark.parametrize("name", bundled.rulesets())
def test_a_bundled_ruleset_declares_and_changes_nothing_to_no_effect(name: str) -> None:
    assert [str(problem) for problem in games.loaded(name).problems] == []


@pytest.mark.parametrize("path", sorted((Path(__file__).parent / "peers").glob("*.yaml")), ids=lambda path: path.stem)
def test_nor_do_the_rulesets_after_examples_of_others(path: Path) -> None:
    assert [str(one) for one in games.loaded(path).problems if one.severity == "warning"] == []


@pytest.mark.parametrize("name", thorough([*bundled.rulesets(), *HOUSE_RULES], is_slow))
def test_every_case_holds(name: str) -> None:
    """Under a house rule, the cases of what it extends hold too, but for those that it lists under `differs`."""
    loaded = games.loaded(name)
    assert [str(problem) for problem in loaded.problems] == []
    assert loaded.program and loaded.world and loaded.merged
    slow = {one.name for one in loaded.merged.below} & ODDS_ONCE
    trial = Trial(Game(loaded.program, loaded.world), odds=not slow)
    played = [trial.run(case) for case in cases_of(loaded.world.cases)]
    verdicts = judge_under_layers(played, loaded.merged, loaded.program)
    assert [str(failure) for verdict in verdicts for failure in verdict.failures] == []
    assert verdicts
    assert [str(problem) for problem in problems_of_claims(loaded)] == []


@pytest.mark.parametrize("file", thorough(FILES, lambda path: is_slow(path.stem)), ids=lambda path: path.stem)
def test_a_house_rule_goes_by_the_name_of_its_file_and_has_cases_and_reasons(file: Path) -> None:
    assert HOUSE_RULES[file.stem] == file  # so no two have the same name
    loaded = games.loaded(file.stem)
    assert loaded.merged is not None
    layer = loaded.merged.layers[-1]
    assert layer.name == file.stem
    assert file.parent.parent.name in layer.below
    assert "cases" in layer.root
    assert [change.name for change in layer.changes if not change.because] == []


@pytest.mark.parametrize("name", bundled.rulesets())
def test_every_bundled_ruleset_has_house_rules(name: str) -> None:
    assert len([file for file in FILES if file.parent.parent.name == name]) >= 3


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["fiend-wake", "jadeclaw", "d6", "2d20"])
def test_every_row_of_the_texts_is_played_and_an_error_in_it_is_noticed(name: str) -> None:
    made = games.loaded(name)
    assert made.program is not None and made.world is not None
    found = coverage(made.program, made.world, made.folder, mutate=True)
    assert [row.id for row in found.rows if not row.holds] == []
    assert found.holds
