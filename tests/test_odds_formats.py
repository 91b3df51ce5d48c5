"""One table of chances and a file for each format: every command that tells odds has every format."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from test_delta import GAME

import interpreter
from interpreter.chances import formats
from interpreter.cli import group

COMMANDS = {
    "odds": ("odds", "old/game.yaml", "base"),
    "joint odds": ("odds", "old/game.yaml", "base", "--joint", "outcome,total"),
    "odds of a number": ("odds", "old/game.yaml", "base", "--of", "total"),
    "odds of expressions": ("odds", "-e", "4d6kh3"),
    "simulate": ("simulate", "old/game.yaml", "base", "--runs", "50", "--seed", "1"),
    "compare": ("compare", "old/game.yaml", "base", "--set", "skill=1"),
    "compare of runs": ("compare", "old/game.yaml", "base", "--set", "skill=1", "--runs", "50", "--seed", "1"),
    "compare of all rules": ("compare", "old/game.yaml", "--with", "old/over.yaml"),
    "sweep": ("sweep", "old/game.yaml", "base", "--over", "skill=0,1"),
    "sweep of a number": ("sweep", "old/game.yaml", "base", "--over", "skill=0,1", "--of", "total"),
    "delta": ("delta", "old", "new"),
}
SIXTH = """
from interpreter.chances.report import Report, Style

def render(report: Report, style: Style) -> str:
    return "".join(f"{table.title}: {row.label} {row.number}\\n" for table in report.tables for row in table.shares)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    over = "ruleset: over\nextends: game.yaml\nchanges: {options.bar.default: {set: 9, because: B.}}\n"
    for name, text in (("old", GAME), ("new", GAME.replace("default: 8", "default: 9"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.yaml").write_text(text, "utf-8")
        (tmp_path / name / "over.yaml").write_text(over, "utf-8")
    return tmp_path


def output(command: str, form: str) -> str:
    said = CliRunner().invoke(group, [*COMMANDS[command], "--format", form])
    assert said.exit_code == 0, said.output
    return said.stdout


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", formats.formats())
def test_every_command_has_every_format(command: str, form: str) -> None:
    text = output(command, form)
    assert text.endswith("\n") and ("good" in text or "16" in text or "mean" in text)
    if form == "svg":
        assert ElementTree.fromstring(text).tag.endswith("svg")


IN_ANOTHER_PROCESS = """
import json, sys
sys.path.insert(0, sys.argv[3])
from click.testing import CliRunner
from interpreter.chances import formats
formats.__path__.append(sys.argv[1])
from interpreter.cli import group
for words in json.loads(sys.argv[2]):
    said = CliRunner().invoke(group, [*words, "--format", "sixth"])
    print(json.dumps([said.exit_code, said.output]))
"""


def test_a_further_format_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "formats").mkdir()
    (tmp_path / "formats" / "sixth.py").write_text(SIXTH, "utf-8")
    words = (str(tmp_path / "formats"), json.dumps([*COMMANDS.values()]), str(Path(interpreter.__file__).parent.parent))
    said = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS, *words], capture_output=True, text=True, check=True
    )
    for code, text in map(json.loads, said.stdout.splitlines()):
        assert code == 0 and any(word in text for word in ("good", ": 12 ", ": 16 ")), text
