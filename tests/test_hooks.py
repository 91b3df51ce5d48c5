"""The hooks for pre-commit, over a small repository: by their entries, and by pre-commit itself where it is there."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from test_updates import BASE, LAYER

from interpreter.cli import group

TOP = Path(__file__).parent.parent
HOOKS: dict[str, Any] = {one["id"]: one for one in yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text("utf-8"))}
PART = "part_of: parted\ncases:\n  - {name: wrong, mechanic: m, faces: [3], expect: {outcome: hit}}\n"
PARTED = """\
ruleset: parted
parts: [cases.yaml]
mechanics:
  m: {steps: {d: {roll: d6}}, outcomes: {hit: d > 3, miss: otherwise}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rules in two folders, other YAML, and a broken ruleset in a hidden folder, as an environment has them."""
    monkeypatch.chdir(tmp_path)
    files = {
        "rules/bridge.yaml": BASE,
        "rules/harder.yaml": LAYER + "differs: ['just enough: nine', odds]\n",
        "parted/parted.yaml": PARTED,
        "parted/cases.yaml": PART.replace("hit}", "miss}"),
        ".github/workflow.yaml": "on:   push\n",
        "config.yaml": "a:   1\n",
        ".venv/broken.yaml": "ruleset: broken\nextends: ../rules/bridge.yaml\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def hook(name: str, *changed: str) -> tuple[int, str]:
    """The exit code of a hook for changed files, and what it says."""
    words = shlex.split(HOOKS[f"houserule-{name}"]["entry"])
    assert words[0] == "houserule"
    said = CliRunner().invoke(group, [*words[1:], *changed])
    return said.exit_code, said.output


def test_yaml_without_rules_is_left_alone(folder: Path) -> None:
    before = {file: file.read_bytes() for file in folder.rglob("*.yaml")}
    for name in ("check", "test", "fmt"):
        code, said = hook(name, "config.yaml", ".github/workflow.yaml")
        assert code == 0 and "error" not in said
    assert before == {file: file.read_bytes() for file in folder.rglob("*.yaml")}


def test_a_change_of_a_base_checks_the_house_rules_over_it(folder: Path) -> None:
    assert hook("check", "rules/bridge.yaml") == (0, "")
    assert hook("test", "rules/bridge.yaml")[0] == 0
    (folder / "rules/bridge.yaml").write_text(BASE.replace("total >= 9", "total >= 7"), "utf-8")
    code, said = hook("check", "rules/bridge.yaml")
    assert code == 1 and "rules/harder.yaml:6" in said
    assert hook("check", "parted/parted.yaml") == (0, "")


def test_a_change_of_a_part_tests_its_ruleset(folder: Path) -> None:
    assert hook("test", "parted/cases.yaml") == (0, "1 passed\n")
    (folder / "parted/cases.yaml").write_text(PART, "utf-8")
    code, said = hook("test", "parted/cases.yaml")
    assert code == 1 and "parted/cases.yaml:3" in said and "0 passed, 1 failed" in said
    assert hook("test", "rules/harder.yaml")[0] == 0


def test_only_changed_files_of_rulesets_are_laid_out(folder: Path) -> None:
    ragged = "ruleset:     ragged\nmechanics: {m: {steps: {d: {roll: d6}}}}\n"
    (folder / "rules/ragged.yaml").write_text(ragged, "utf-8")
    (folder / "rules/other.yaml").write_text(ragged.replace("ragged", "other"), "utf-8")
    code, said = hook("fmt", "rules/ragged.yaml", "config.yaml")
    assert (code, said) == (0, "1 file changed\n")
    assert (folder / "rules/ragged.yaml").read_text("utf-8").startswith("ruleset: ragged\n")
    assert (folder / "rules/other.yaml").read_text("utf-8") == ragged.replace("ragged", "other")


@pytest.mark.skipif(importlib.util.find_spec("pre_commit") is None, reason="pre-commit is not installed")
def test_pre_commit_runs_them(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The hooks as pre-commit reads and calls them; `houserule` is the one that is installed for the tests."""
    home, bin_ = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("bin")
    (bin_ / "houserule").write_text(
        f"#!/bin/sh\nPYTHONPATH={TOP} exec {sys.executable} -c 'from interpreter.cli import main; main()' \"$@\"\n"
    )
    (bin_ / "houserule").chmod(0o755)
    local = [{**one, "language": "system"} for one in HOOKS.values()]
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": local}]}))
    (folder / ".gitignore").write_text(".venv\n")
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env = {**kept, "PATH": f"{bin_}:{os.environ['PATH']}", "HOME": str(home), "PRE_COMMIT_HOME": str(home)}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)

    run("git", "init", "-q")
    run("git", "add", ".")
    valid = run(sys.executable, "-m", "pre_commit", "validate-manifest", str(TOP / ".pre-commit-hooks.yaml"))
    assert valid.returncode == 0, valid.stdout
    hooks = run(sys.executable, "-m", "pre_commit", "run", "--all-files")
    told = dict(line.rsplit(".", 1) for line in hooks.stdout.splitlines() if line.startswith("houserule"))
    assert {name.rstrip("."): state for name, state in told.items()} == {
        "houserule check": "Passed",
        "houserule fmt": "Failed",  # it laid the files of this test out
        "houserule test": "Passed",
    }, hooks.stdout
    run("git", "add", ".")
    again = run(sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert again.returncode == 0, again.stdout
