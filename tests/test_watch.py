"""What only a terminal shows of `houserule test`: `--watch` while files change, and the question of `--update`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from terminal import Terminal
from test_updates import BASE, LAYER

from interpreter.cli.test import command

CLEAR = "\x1b[H\x1b[2J\x1b[3J"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "bridge.yaml").write_text(BASE, "utf-8")
    return tmp_path


def test_what_a_change_touches_is_tested_again(folder: Path) -> None:
    def saved(name: str, text: str) -> None:
        """Write a file at once: half a file would be tested, too."""
        (folder / "saved").write_text(text, "utf-8")
        (folder / "saved").replace(folder / "rules" / name)

    saved("other.yaml", BASE.replace("bridge", "other"))
    at = Terminal("test", "rules", "--watch", folder=folder)
    assert at.sees("watching 2 files; Ctrl-C ends").count(CLEAR) == 1

    saved("bridge.yaml", BASE.replace("total >= 9", "total >= 10"))
    shown = at.sees("watching 2 files")
    assert shown.count(CLEAR) == 1 and "4 passed, 2 failed" in shown

    saved("bridge.yaml", BASE.replace("total >= 9", "tottal >= 9"))
    assert "did you mean `total`?" in at.sees("watching 2 files")

    saved("bridge.yaml", BASE)
    assert "6 passed" in at.sees("watching 2 files")
    saved("harder.yaml", LAYER)
    assert "under `harder`, 2 cases of `bridge` that play `mechanics.check`" in at.sees("watching 3 files")

    saved("bridge.yaml", BASE.replace("total >= 9", "total >= 8"))
    assert "harder.yaml:6:10" in at.sees("watching 3 files")  # what it says of its base is wrong now

    (folder / "rules" / "harder.yaml").unlink()
    saved("bridge.yaml", BASE)
    while "6 passed" not in at.sees("watching 2 files"):
        pass
    at.interrupts()
    assert at.ends() == 0
    assert "Traceback" not in at.seen and "stopped" not in at.seen


def test_only_what_is_touched_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another ruleset is not loaded again, and a house rule is, when its base changes."""
    from interpreter import cli
    from interpreter.cli import rulesets

    rules = folder / "rules"
    (rules / "other.yaml").write_text(BASE.replace("bridge", "other"), "utf-8")
    (rules / "harder.yaml").write_text(LAYER, "utf-8")
    read: list[str] = []
    true, test = rulesets.load, __import__("sys").modules["interpreter.cli.test"]

    def noted(name: str, **more: object) -> object:
        read.append(Path(name).stem)
        if len(read) == 3:
            (rules / "bridge.yaml").write_text(BASE + "\n", "utf-8")
        if len(read) == 5:
            raise KeyboardInterrupt
        return true(name, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(test, "load", noted)
    said = CliRunner().invoke(cli.group, ["test", "rules", "--watch"])
    assert read == ["bridge", "harder", "other", "bridge", "harder"]
    assert said.exit_code == 1


@pytest.mark.parametrize(("answer", "written"), [("y", True), ("n", False)])
def test_a_difference_is_written_when_it_is_approved(answer: str, written: bool, folder: Path) -> None:
    file = folder / "rules" / "bridge.yaml"
    wrong = BASE.replace("total: 9}", "total: 8}")
    file.write_text(wrong, "utf-8")
    at = Terminal("test", "rules/bridge.yaml", "--update", folder=folder)
    shown = at.sees("Write this to rules/bridge.yaml? [y/N]")
    assert re.search(r"^-.*total: 8", shown, re.MULTILINE) and re.search(r"^\+.*total: 9", shown, re.MULTILINE)
    at.types(answer)
    assert (at.ends() == 0) == written
    assert (file.read_text("utf-8") != wrong) == written


@pytest.mark.parametrize("words", [["--changed"], ["--update"], ["--format", "json"]])
def test_watching_is_for_people(words: list[str]) -> None:
    said = CliRunner().invoke(command, ["rules", "--watch", *words])
    assert said.exit_code == 2 and "--watch" in said.stderr
