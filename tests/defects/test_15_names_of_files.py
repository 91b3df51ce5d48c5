"""What a file calls itself, or a rule in it, is a plain name; what it names beside itself lies within reach."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import pipeline
from interpreter.api import scene_file
from interpreter.diagnostics import RulesetError
from interpreter.diagnostics.source import Source

STRANGE = [
    "../../x",
    "/etc/passwd",
    "a/b",
    "a b",
    "..",
    ".",
    "-rf",
    "a\\b",
    "C:x",
    "x" * 101,
    "",
    "a\tb",
    "_x",
    "*",
    "a.b",
]
PLAIN = ["duel", "2d20", "our-table", "our_table", "Nächte", "x" * 100]
RULES = "mechanics: {a: {steps: {b: {roll: d6}}}}\n"
SECTIONS = {
    "mechanics": "{steps: {b: {roll: d6}}}",
    "events": "{steps: {b: {roll: d6}}}",
    "options": "{type: number, default: 1}",
    "functions": "{gives: 1}",
    "kinds": "{has: {hp: {type: number}}}",
    "scenes": "{round: {one: {steps: {b: {roll: d6}}}}}",
    "tables": "{rows: {0 or less: 1, 1 or more: 2}}",
}


def codes(text: str) -> list[str]:
    return [one.code for one in pipeline.from_text(Source.of("text", text)).problems.errors]


@pytest.mark.parametrize("name", STRANGE)
def test_no_file_calls_itself_strangely(name: str, tmp_path: Path) -> None:
    assert codes(f"ruleset: '{name}'\n{RULES}") in (["HR118"], ["HR104"])
    assert set(codes(f"ruleset: '{name}'\nextends: jadeclaw\n")) in ({"HR118"}, {"HR104"})
    with pytest.raises(RulesetError) as refused:
        scene_file.from_text(Source.of("text", f"state: '{name}'\nof: jadeclaw\n"))
    assert [one.code for one in refused.value.diagnostics] in (["HR118"], ["HR104"])


@pytest.mark.parametrize("name", PLAIN)
def test_plain_names_are_taken(name: str) -> None:
    assert interpreter.loads(f"ruleset: {name}\n{RULES}").name == name
    assert scene_file.from_text(Source.of("text", f"state: {name}\nof: jadeclaw\n")).name == name


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("name", ["../../x", "a b", "-rf", "a/b", "x.y"])
def test_no_rule_is_named_strangely(section: str, name: str) -> None:
    assert "HR106" in codes(f"ruleset: plain\n{section}: {{'{name}': {SECTIONS[section]}}}\n")


@pytest.mark.parametrize("key", ["extends", "parts", "of", "with"])
@pytest.mark.parametrize("name", ["../../x", "../../x.yaml", "/etc/passwd", "sub/../../x.yaml", "~/x.yaml"])
def test_a_file_names_nothing_outside_of_its_reach(key: str, name: str, tmp_path: Path) -> None:
    inner = tmp_path / "one" / "two"
    inner.mkdir(parents=True)
    (tmp_path / "x.yaml").write_text(f"ruleset: x\n{RULES}", "utf-8")
    if key in ("of", "with"):
        more = {"of": f"of: {name}", "with": f"of: jadeclaw\nwith: {name}"}[key]
        (inner / "scene.yaml").write_text(f"state: s\n{more}\n", "utf-8")
        with pytest.raises(RulesetError):
            scene_file.game_of(scene_file.read(inner / "scene.yaml"))
    else:
        listed = f"[{name}]" if key == "parts" else name
        (inner / "it.yaml").write_text(f"ruleset: it\n{key}: {listed}\n{RULES}", "utf-8")
        assert pipeline.from_path(inner / "it.yaml").problems.errors
