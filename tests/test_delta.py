"""What a change of rules does to the odds: which rules it touches, at which inputs, and what is told of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter import pipeline
from interpreter.cli import group
from interpreter.delta.compared import RuleDelta, rule_deltas
from interpreter.delta.touched import touched
from interpreter.diagnostics.source import Source
from interpreter.pipeline import Loaded
from interpreter.testing.problems import all_problems

GAME = """\
ruleset: game
names: {mood: [calm, angry]}
ladders: {rank: [page, knight]}
options: {bar: {type: number, default: 8}}
functions:
  doubled: {takes: {n: number}, gives: n * 2}
tables:
  bonus: {rows: {1: 0, 2: 1}, off_the_rows: refuse}
mechanics:
  base:
    inputs: {skill: {type: number, default: 0}}
    steps: {d: {roll: 2d6}, total: sum(d) + skill}
    outcomes: {good: total >= options.bar, bad: otherwise}
  twice:
    steps: {one: {call: base}, two: {call: base}}
    outcomes: {both: one.outcome is good and two.outcome is good, less: otherwise}
  doubling:
    steps: {d: {roll: d6}, n: doubled(d)}
    outcomes: {high: n > 6, low: otherwise}
  looked_up:
    inputs: {level: {type: number, from: 1, to: 2}}
    typical: {level: [1, 2]}
    steps: {d: {roll: d6}, n: "d + bonus(level)"}
    outcomes: {high: n > 5, low: otherwise}
  moody:
    inputs: {now: {type: mood, default: calm}}
    steps: {d: {roll: d6}, n: d + 1}
    outcomes: {hot: d > 4 and now is angry, cold: otherwise}
  alone:
    steps: {d: {roll: d6}}
    outcomes: {six: d == 6, other: otherwise}
"""


def loaded(text: str) -> Loaded:
    made = pipeline.from_text(Source.of("game.yaml", text))
    assert [str(one) for one in made.problems.errors] == []
    return made


def deltas(old: str, new: str) -> dict[str, RuleDelta]:
    return {one.name: one for one in rule_deltas(loaded(old), loaded(new), {"game.yaml"})}


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("total >= options.bar", "total > options.bar", ["base", "twice"]),
        ("default: 8", "default: 9", ["base", "twice"]),
        ("n * 2", "n * 3", ["doubling"]),
        ("2: 1}", "2: 2}", ["looked_up"]),
        ("[calm, angry]", "[calm, angry, sad]", ["moody"]),
        ("[page, knight]", "[page, squire, knight]", []),
        ("d == 6", "d >= 6", ["alone"]),
        ("ruleset: game", "ruleset: game\ntitle: Other words", []),
        ("  alone:\n", "  alone:\n    title: Other words\n", []),
        ("ruleset: game", "ruleset: game\nrounding: up", ["base", "twice", "doubling", "looked_up", "moody", "alone"]),
    ],
)
def test_what_a_change_touches(old: str, new: str, names: list[str]) -> None:
    before, after = loaded(GAME).program, loaded(GAME.replace(old, new)).program
    assert before is not None and after is not None
    assert touched(before, after) == [f"mechanics.{name}" for name in names]
    assert touched(after, before) == [f"mechanics.{name}" for name in names]


def test_declared_inputs_are_all_shown() -> None:
    found = deltas(GAME, GAME.replace("2: 1}", "2: 2}"))["looked_up"]
    assert [(one.given, one.changes) for one in found.points] == [("level 1", False), ("level 2", True)]
    assert found.same == 0
    (high, _) = found.points[1].panels[0].figures
    assert (high.label, str(high.before), str(high.after)) == ("high", "1/3", "1/2")


def test_without_cases_the_defaults_are_taken() -> None:
    found = deltas(GAME, GAME.replace("default: 8", "default: 9"))
    assert [one.given for one in found["base"].points] == [""]
    assert found["twice"].changes


def test_a_rule_that_needs_inputs_and_has_none_is_named() -> None:
    old = GAME.replace("    typical: {level: [1, 2]}\n", "")
    found = deltas(old, old.replace("2: 1}", "2: 2}"))["looked_up"]
    assert "declares none" in found.refused and not found.points


def test_inputs_of_cases() -> None:
    cases = "cases:\n" + "".join(
        f"  - {{name: case {n}, mechanic: base, given: {{skill: {skill}}}, odds: {{good: about 0}}}}\n".replace(
            "odds: {good: about 0}", "faces: [1, 1], expect: {outcome: bad}"
        )
        for n, skill in enumerate([0, 0, 1, 20])
    )
    found = deltas(GAME + cases, (GAME + cases).replace("default: 8", "default: 9"))["base"]
    assert [one.given for one in found.points] == ["skill 1", "skill 0"]  # the largest change first
    assert found.same == 1  # with 20 nothing is bad


def test_a_value_behind_the_results_is_told_if_these_stay() -> None:
    found = deltas(GAME, GAME.replace("n: d + 1", "n: d + 2"))["moody"]
    (panel,) = found.points[0].changing
    assert panel.title == "n"
    mean = panel.figures[0]
    assert (mean.label, str(mean.before), str(mean.after)) == ("mean", "9/2", "11/2")


def test_what_is_new_and_what_is_gone() -> None:
    found = deltas(GAME, GAME.replace("  alone:\n", "  single:\n"))
    assert found["single"].is_new and found["alone"].refused == "removed"


@pytest.mark.parametrize(
    ("typical", "code", "text"),
    [
        ("{level: [1, 3]}", "HR715", "looked_up` cannot be played with these typical inputs"),
        ("{}", "HR715", "looked_up` cannot be played with these typical inputs"),
        ("{levle: 1}", "HR", "levle"),
        (f"{{level: [{', '.join(['1'] * 61)}]}}", "HR714", "there are 61 combinations"),
    ],
)
def test_typical_inputs_have_to_fit(typical: str, code: str, text: str) -> None:
    made = pipeline.from_text(Source.of("game.yaml", GAME.replace("{level: [1, 2]}", typical)))
    told = [one for one in all_problems(made) if one.severity == "error"]
    assert len(told) == 1 and told[0].code.startswith(code) and text in told[0].message


def test_a_house_rule_that_renames_an_input_renames_it_in_typical_inputs(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME, "utf-8")
    change = "{mechanics.looked_up.inputs.level: {rename: height, because: B.}}"
    layer = f"ruleset: other\nextends: game.yaml\nchanges: {change}\n"
    (tmp_path / "other.yaml").write_text(layer, "utf-8")
    made = pipeline.from_path(tmp_path / "other.yaml")
    assert [str(one) for one in all_problems(made) if one.severity == "error"] == []


def test_the_command_between_two_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("old", GAME), ("new", GAME.replace("default: 8", "default: 9"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.yaml").write_text(text, "utf-8")
        (tmp_path / name / "over.yaml").write_text("ruleset: over\nextends: game.yaml\n", "utf-8")
    (tmp_path / "old" / "gone.yaml").write_text(GAME.replace("ruleset: game", "ruleset: gone"), "utf-8")

    def run(*words: str) -> str:
        said = CliRunner().invoke(group, ["delta", *words])
        assert said.exit_code == 0, said.output
        return said.stdout

    text = run("old", "new")
    assert "base (defaults)\n        before  after  change\n  good   41.7%  27.8%  -13.9%\n" in text
    assert "read from changed files: over.yaml" in text and "gone.yaml: gone, removed" in text
    assert "no ruleset has changed" in run("old", "old")
    data = json.loads(run("old", "new", "--format", "json"))
    (rule,) = [one for one in data["rulesets"][0]["rules"] if one["rule"] == "mechanics.base"]
    assert rule["points"][0]["results"][0]["figures"][0] == {
        "value": "good", "mean": False, "before": "5/12", "after": "5/18",
    }  # fmt: skip
    assert CliRunner().invoke(group, ["delta", "nowhere"]).exit_code == 2


def test_all_that_layers_touch_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.yaml").write_text(GAME, "utf-8")
    layer = "ruleset: {}\nextends: game.yaml\nchanges: {{{}: {{set: {}, because: B.}}}}\n"
    Path("one.yaml").write_text(layer.format("one", "options.bar.default", "9"), "utf-8")
    Path("two.yaml").write_text(layer.format("two", "mechanics.alone.outcomes.six", "d >= 5"), "utf-8")
    said = CliRunner().invoke(group, ["compare", "game.yaml", "--with", "one.yaml", "--with", "two.yaml"])
    assert said.exit_code == 0, said.output
    assert [line for line in said.stdout.splitlines() if line.endswith("(defaults)")] == [
        "base (defaults)", "twice (defaults)", "alone (defaults)",
    ]  # fmt: skip
    said = CliRunner().invoke(group, ["compare", "game.yaml", "--both-with", "one.yaml", "--with", "two.yaml"])
    assert "alone" in said.stdout and "base" not in said.stdout
    assert CliRunner().invoke(group, ["compare", "game.yaml"]).exit_code == 2
