"""Completion in shells: what click offers at each place, and what a real bash puts on the line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import bundled
from interpreter.cli import COMMANDS, COMPLETE

RUN = "from interpreter.cli import main; main()"


def asked(line: str, folder: Path, shell: str = "zsh") -> list[str]:
    """The words that may stand at the end of a line; nothing else is said."""
    words = line.split(" ")
    environment = {**os.environ, "COMP_WORDS": line, COMPLETE: f"{shell}_complete"}
    environment["COMP_CWORD"] = words[-1] if shell == "fish" else str(len(words) - 1)
    done = subprocess.run([sys.executable, "-c", RUN], env=environment, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    if shell == "zsh":
        return lines[1::3]
    return [one.split(",", 1)[1].split("\t")[0] for one in lines if one]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.yaml").write_text("ruleset: mine\nmechanics: {flip: {steps: {coin: {roll: d2}}}}\n", "utf-8")
    (tmp_path / "hard.yaml").write_text("ruleset: hard\nextends: mine.yaml\n", "utf-8")
    (tmp_path / "wrong.yaml").write_text("ruleset: wrong\nmechanics: [\n", "utf-8")
    (tmp_path / "notes.yaml").write_text("shopping: [dice]\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("houserule ro", ["roll"]),
        ("houserule roll pb", ["pbta"]),
        ("houserule check m", ["meeting-is-not-enough", "morale", "mine.yaml"]),
        ("houserule roll no", ["no-harm-in-shaking", "no-success-no-winner", "no-ties"]),
        ("houserule roll pbta l", ["look_around", "lend_a_hand"]),
        ("houserule roll mine.yaml ", ["flip"]),
        ("houserule roll pbta move ", ["stat=", "lean=", "forward="]),
        ("houserule odds pbta move stat=1 l", ["lean="]),
        ("houserule odds pbta move lean=a", ["lean=advantage"]),
        ("houserule odds pbta --with ", [*sorted(
            path.stem for path in bundled.house_rules().values() if path.parent.parent.name == "pbta"
        ), "hard.yaml"]),
        ("houserule roll pbta move --option m", ["miss_teaches="]),
        ("houserule roll pbta --option miss_teaches=", ["miss_teaches=yes", "miss_teaches=no"]),
        ("houserule explain pbta look", ["look_around"]),
        ("houserule explain choo", ["choose", "chooser"]),
        ("houserule play fiend-wake c", ["castle"]),
        ("houserule init rule x --over pb", ["pbta"]),
        ("houserule roll wrong.yaml ", []),
        ("houserule roll nowhere ", []),
        ("houserule roll pbta nothing ", []),
        ("houserule nonsense ", []),
    ],
)  # fmt: skip
def test_what_may_stand_there(line: str, words: list[str], folder: Path) -> None:
    found = asked(line, folder)
    assert sorted(found) == sorted(words)


def test_shells_differ_only_in_their_form(folder: Path) -> None:
    for shell in ("bash", "fish"):
        assert asked("houserule roll pbta l", folder, shell) == ["look_around", "lend_a_hand"]


def test_bash_cuts_words_at_the_sign(folder: Path) -> None:
    assert asked("houserule roll pbta move lean = a", folder, "bash") == ["advantage"]
    assert asked("houserule roll pbta move lean =", folder, "bash") == ["even", "advantage", "disadvantage"]
    assert asked("houserule roll pbta --option miss_teaches = y", folder, "bash") == ["yes"]


BASH = """
eval "$({complete}=bash_source houserule)"
words=({words})
COMP_WORDS=("${{words[@]}}") COMP_CWORD=$((${{#words[@]}} - 1))
{function} houserule
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_a_real_bash_completes(folder: Path) -> None:
    command = folder / "houserule"
    command.write_text(f"#!{sys.executable}\n{RUN}\n", "utf-8")
    command.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    for words, wanted in (
        ("houserule roll pbta l", ["look_around", "lend_a_hand"]),
        ("houserule roll pbta move lean = ad", ["advantage"]),
        ("houserule roll wrong.yaml ''", [""]),
    ):
        script = BASH.format(complete=COMPLETE, words=words, function="_houserule_completion 2>/dev/null")
        done = subprocess.run(["bash", "-c", script], env=environment, cwd=folder, capture_output=True, text=True)
        assert done.stdout.splitlines() == wanted, done.stderr
        assert "Traceback" not in done.stderr


def test_every_command_can_be_asked(folder: Path) -> None:
    assert asked("houserule ", folder) == sorted(COMMANDS, key=list(COMMANDS).index)
