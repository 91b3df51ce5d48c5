"""A name in a case that the ruleset under its layers does not have is an error that suggests one, and never passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.testing.cases import Trial, cases_of

BASE = """\
ruleset: base
roles: {player: Who climbs.}
names: {mood: [calm, cross, half], burden: [gold, salt]}
options: {light: {one_of: [day, night], default: day}}
policies: {bold: {pick: half}}
mechanics:
  climb:
    inputs: {height: {type: number, from: 1}, load: {type: burden, default: gold}}
    steps:
      rolled: {roll: 2d6}
      pick: {choose: one, among: mood, by: player, default: half}
      reach: highest(rolled)
      tall: height > 5
    outcomes:
      top: reach > height
      hanging: reach == height
      fall: otherwise
    also: {high: reach > 4}
"""
RENAMED = {
    "mechanics.climb.outcomes.top": "summit",
    "mechanics.climb.steps.reach": "grasp",
    "mechanics.climb.steps.pick": "temper",
    "mechanics.climb.also.high": "lofty",
    "mechanics.climb.inputs.height": "wall",
    "names.mood.cross": "angry",
    "names.burden.gold": "coin",
    "options.light": "lamp",
    "policies.bold": "brave",
}
LAYER = "ruleset: layer\nextends: base.yaml\nchanges:\n" + "".join(
    f"  {path}: {{rename: {new}, because: We call it so.}}\n" for path, new in RENAMED.items()
)
SOUND = [
    "{given: {height: 4}, faces: [5, 1], expect: {outcome: top}}",
    "{given: {height: 4}, faces: [5, 1], expect: {reach: 5, high: yes}}",
    "{given: {height: 4}, faces: [5, 1], choices: {pick: cross}, expect: {pick: cross}}",
    "{given: {height: 4}, odds: {top: 5/9}}",
    "{given: {height: 4}, odds: {outcome: {top: 5/9}}}",
    "{given: {height: 4}, choices: {pick: cross}, odds: {pick: {cross: 1, calm: 0}}}",
    "{given: {height: 4}, odds: {high: 5/9}}",
    "{given: {height: 4}, mean: {reach: 161/36}}",
    "{each: {given: [height], expect: outcome, rows: {4: top}}, faces: [5, 1]}",
    "{each: {given: [height], odds: top, rows: {4: 5/9}}}",
    "{each: {given: [height], rows: {4: {reach: 5}}}, faces: [5, 1]}",
    "{given: {height: 4}, policy: bold, faces: [5, 1], expect: {outcome: top}}",
    "{given: {height: 4, load: gold}, faces: [5, 1], expect: {outcome: top}}",
    "{given: {height: 4}, options: {light: night}, faces: [5, 1], expect: {outcome: top}}",
    "{given: {height: 4}, best: top, odds: {top: 5/9}}",
]
OLD = ["top", "reach", "pick", "high", "height", "cross", "gold", "light", "bold"]


def told(folder: Path, text: str) -> list[str]:
    """What is wrong with a ruleset and its own cases: on loading, or when they are tried."""
    (folder / "base.yaml").write_text(BASE, "utf-8")
    (folder / "tried.yaml").write_text(text, "utf-8")
    loaded = pipeline.from_path(folder / "tried.yaml")
    if loaded.problems.errors:
        return [f"{one.code} {one.message} {one.help}" for one in loaded.problems.errors]
    assert loaded.program is not None and loaded.world is not None
    trial = Trial(Game(loaded.program, loaded.world))
    verdicts = [trial.run(case) for case in cases_of(loaded.world.cases)]
    assert not any(one.skipped for one in verdicts)
    return [f"{one.code} {one.message} {one.help}" for verdict in verdicts for one in verdict.failures]


def cases(text: str) -> str:
    return f"cases:\n  - {text.replace('{', '{name: one, mechanic: climb, ', 1)}\n"


@pytest.mark.parametrize("case", SOUND)
def test_sound_cases_hold(tmp_path: Path, case: str) -> None:
    assert told(tmp_path, BASE + cases(case)) == []


NAMED = [(case, word) for case in SOUND for word in OLD if re.search(rf"\b{word}\b", case)]


@pytest.mark.parametrize(("case", "word"), NAMED)
def test_a_misspelt_name_is_found(tmp_path: Path, case: str, word: str) -> None:
    said = told(tmp_path, BASE + cases(re.sub(rf"\b{word}\b", f"{word}x", case)))
    assert said, "it passes"
    assert any(f"{word}x" in one for one in said)


@pytest.mark.parametrize("case", SOUND)
def test_a_case_of_a_layer_speaks_by_the_new_names(tmp_path: Path, case: str) -> None:
    assert told(tmp_path, LAYER + cases(case)), "a case by the old names passes"
    for path, new in RENAMED.items():
        case = re.sub(rf"\b{path.rpartition('.')[2]}\b", new, case)
    assert told(tmp_path, LAYER + cases(case)) == []


@pytest.mark.parametrize("case", SOUND)
def test_a_case_of_the_base_goes_on_to_hold_under_a_layer_that_renames(tmp_path: Path, case: str) -> None:
    (tmp_path / "base.yaml").write_text(BASE + cases(case), "utf-8")
    (tmp_path / "layer.yaml").write_text(LAYER, "utf-8")
    loaded = pipeline.from_path(tmp_path / "layer.yaml")
    assert not loaded.problems.errors and loaded.program is not None and loaded.world is not None
    trial = Trial(Game(loaded.program, loaded.world))
    assert [one.failures for one in map(trial.run, cases_of(loaded.world.cases)) if one.failures] == []


@pytest.mark.parametrize(
    "odds",
    [
        "{outcome: {topp: 0}}", "{pick: {crosss: 0}}", "{high: {maybe: 0}}", "{reach: {five: 0}}", "{tall: {five: 0}}",
        "{load: {silver: 0}}", "{topp: 0}",
    ],
)  # fmt: skip
def test_chance_0_of_what_cannot_be_is_refused(tmp_path: Path, odds: str) -> None:
    assert told(tmp_path, BASE + cases(f"{{given: {{height: 4}}, odds: {odds}}}")) != []
