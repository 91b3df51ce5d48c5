"""`houserule check --fix`: what can mean one thing alone is mended, nothing else changes, and each fix is listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter import pipeline
from interpreter.cli import group
from interpreter.diagnostics.source import Source
from interpreter.formatting.fixes import fixed

RULESET = """\
ruleset: slips
names: {mood: [calm, angry, anxious]}
mechanics:
  climb:
    inputs:
      height: {type: number, from: 1, about: How high}   # in feet
      length: {type: number, from: 1}
      mood:   {type: mood}
    steps:
      rolled: {roll: 2d6}
      reach:  sum(rolled)
      best:   {is: height + length}
    outcomes:
      top:  reach > height and mood is calm
      fall: otherwise
"""

MENDED = {
    "a function": ("reach:  sum(rolled)", "reach:  summ(rolled)", "reach:  sum(rolled)"),
    "a name": ("reach > height", "reach > heigth", "reach > height"),
    "a word": ("mood is calm", "mood is clam", "mood is calm"),
    "a verb": ("{roll: 2d6}", "{rol: 2d6}", "{roll: 2d6}"),
    "a key": ("from: 1, about", "form: 1, about", "from: 1, about"),
    "a type": ("height: {type: number", "height: {type: nubmer", "height: {type: number"),
    "a sign of other languages": ("reach > height and", "reach ≥ height &&", "reach >= height and"),
    "one equals sign": ("reach > height", "reach = height", "reach == height"),
    "words for a sign": ("reach > height", "reach greater than height", "reach > height"),
    "dice in capitals": ("2d6", "2D6", "2d6"),
    "a comma trap": ("{is: height + length}", "{is: max(height, length)}", "{is: 'max(height, length)'}"),
    "a text with a comma": ("How high}", "How high, and how far up}", "'How high, and how far up'}"),
    "a colon without a space": ("      best:   {is", "      best:{is", "      best: {is"),
    "a value that cannot start so": ("about: How high}", "about: @home}", "about: '@home'}"),
    "several in one line": ("reach > height and mood is calm", "raech > heigth && mood is clam",
                            "reach > height and mood is calm"),
}  # fmt: skip


def mend(text: str) -> tuple[str, list[str]]:
    """The text of a ruleset with its fixes, and the fixes as they are listed."""
    source = Source.of("slips.yaml", text)
    made = fixed(source, None, ())
    return made.texts.get("slips.yaml", text), [str(one) for one in made.fixes]


def test_the_ruleset_is_sound() -> None:
    assert pipeline.from_text(Source.of("slips.yaml", RULESET)).problems.errors == []
    assert mend(RULESET) == (RULESET, [])


@pytest.mark.parametrize("what", MENDED)
def test_it_is_mended_and_nothing_else_changes(what: str) -> None:
    right, slip, written = MENDED[what]
    assert RULESET.count(right) == 1
    text, fixes = mend(RULESET.replace(right, slip))
    assert text == RULESET.replace(right, written)
    assert fixes


LEFT = {
    "nothing is near": ("reach > height", "reach > velocity"),
    "a key without a value": ("about: How high}", "about: How high, optional}"),
    "a decimal": ("from: 1, about", "from: 1,5, about"),
    "a fix that does not help": ("sum(rolled)", "summ(rolled, 1, 2)"),
}


@pytest.mark.parametrize("what", LEFT)
def test_it_is_left_to_the_author(what: str) -> None:
    right, slip = LEFT[what]
    text = RULESET.replace(right, slip)
    left, _ = mend(text)
    assert slip in left


def test_it_is_left_if_two_names_are_near() -> None:
    text = RULESET.replace("length", "heighth").replace("reach > height", "reach > heigth")
    assert mend(text) == (text, [])


def test_the_command_lists_fixes_and_reports_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = RULESET.replace("reach > height", "reach > heigth").replace("sum(rolled)", "velocity")
    Path("slips.yaml").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    said = CliRunner().invoke(group, ["check", "--fix", "slips.yaml"])
    assert said.exit_code == 1
    assert said.stdout.startswith("fixed slips.yaml:14:21: HR301 `heigth` → `height`\nslips.yaml:11:15: HR301")
    mended = text.replace("heigth", "height").replace("\n", "\r\n").encode()
    assert Path("slips.yaml").read_bytes() == b"\xef\xbb\xbf" + mended


def test_parts_are_mended_and_bases_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("slips.yaml").write_text("ruleset: slips\nparts: [more.yaml]\n")
    Path("more.yaml").write_text("part_of: slips\nmechanics: {m: {steps: {r: {rol: d6}}}}\n")
    (tmp_path / "over").mkdir()
    layer = "ruleset: over\nextends: slips\nchanges: {mechanics.m.steps.r.roll: {set: d8, because: More.}}\n"
    Path("over/over.yaml").write_text(layer)
    assert CliRunner().invoke(group, ["check", "--fix", "over/over.yaml"]).exit_code == 1
    assert "rol:" in Path("more.yaml").read_text()
    said = CliRunner().invoke(group, ["check", "--fix", "slips.yaml", "--format", "json"])
    assert (said.exit_code, said.stdout, said.stderr) == (0, "[]\n", "fixed more.yaml:2:29: HR108 `rol` → `roll`\n")
    assert Path("more.yaml").read_text() == "part_of: slips\nmechanics: {m: {steps: {r: {roll: d6}}}}\n"


def test_only_files_can_be_mended() -> None:
    for words in (["-"], ["jadeclaw", "--with", "limits-limit"]):
        assert CliRunner().invoke(group, ["check", "--fix", *words]).exit_code == 2
