"""The plugin for pytest, as a project uses it: in a process of its own, over a folder with rulesets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from test_claims import DUEL
from test_updates import BASE, LAYER

TOP = Path(__file__).parent.parent


def pytest_over(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command `pytest` with the plugin, which is named in case another version is installed."""
    plugin = ["-p", "no:houserule", "-p", "interpreter.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:asyncio"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, "-rA", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(TOP), "PYTEST_ADDOPTS": "", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "bridge.yaml").write_text(BASE.replace("faces: [1, 4]", "faces: [6, 4]"), "utf-8")
    (rules / "broken.yaml").write_text("ruleset: broken\nmechanics: {m: {steps: {a: nothing_such}}}\n", "utf-8")
    (rules / "bare.yml").write_text("ruleset: bare\nmechanics: {m: {steps: {d: {roll: d6}}}}\n", "utf-8")
    (rules / "workflow.yaml").write_text("on: push\nrulesets: [a]\njobs: {}\n", "utf-8")
    (rules / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    return tmp_path


def _said(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """Each test with what came of it."""
    return {name: state for state, name in re.findall(r"^(PASSED|FAILED|SKIPPED) (.+?)(?: - .*)?$", done.stdout, re.M)}


def test_each_case_is_a_test(folder: Path) -> None:
    done = pytest_over(folder, "rules")
    assert done.returncode == 1, done.stderr
    assert _said(done) == {
        "rules/bare.yml::check": "PASSED",
        "rules/bridge.yaml::check": "PASSED",
        "rules/bridge.yaml::just enough: nine": "PASSED",
        "rules/bridge.yaml::not enough": "FAILED",
        "rules/bridge.yaml::odds": "PASSED",
        "rules/broken.yaml::check": "FAILED",
    }
    told = (
        r"rules/bridge\.yaml:\d+:\d+: HR701 not enough: `outcome` expected bad, got good\n\d+ \|     expect: {outcome"
    )
    assert re.search(told, done.stdout)
    assert "rules/broken.yaml:2:28: HR301 `nothing_such` is not defined here\n2 | mechanics" in done.stdout
    assert "Traceback" not in done.stdout and "interpreter/" not in done.stdout


def test_words_of_a_name_choose_cases(folder: Path) -> None:
    done = pytest_over(folder, "rules", "-k", "enough and not nine")
    assert _said(done) == {"rules/bridge.yaml::not enough": "FAILED"}
    assert pytest_over(folder, "rules/bridge.yaml::odds").returncode == 0


def test_cases_of_the_base_under_a_house_rule(folder: Path) -> None:
    rules = folder / "rules"
    (rules / "bridge.yaml").write_text(BASE, "utf-8")
    (rules / "harder.yaml").write_text(LAYER + "differs: [odds, not enough]\n", "utf-8")
    done = pytest_over(folder, "rules/harder.yaml")
    assert _said(done) == {
        "rules/harder.yaml::check": "PASSED",
        "rules/harder.yaml::differs: odds": "PASSED",
        "rules/harder.yaml::differs: not enough": "FAILED",
        "rules/harder.yaml::just enough: nine": "PASSED",
        "rules/harder.yaml::not enough": "PASSED",
        "rules/harder.yaml::odds": "PASSED",
    }
    assert "HR710 `not enough` holds as before" in done.stdout
    (rules / "harder.yaml").write_text(LAYER, "utf-8")
    done = pytest_over(folder, "rules/harder.yaml", "-k", "nine")
    assert "HR709 under `harder`, a case of `bridge` fails" in done.stdout


def test_what_a_table_claims_is_a_test(folder: Path) -> None:
    (folder / "duel.yaml").write_text(DUEL, "utf-8")
    done = pytest_over(folder, "duel.yaml")
    assert [*_said(done).values()] == ["PASSED", "PASSED", "PASSED"], done.stdout


def test_a_project_without_rulesets_loads_nothing_of_houserule(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("a: 1\n", "utf-8")
    (tmp_path / "test_none.py").write_text(
        "import sys\n"
        "def test_none():\n"
        "    ours = sorted(name for name in sys.modules if name.startswith('interpreter'))\n"
        "    assert ours == ['interpreter', 'interpreter.pytest_plugin', 'interpreter.version']\n",
        "utf-8",
    )
    done = pytest_over(tmp_path)
    assert done.returncode == 0, done.stdout


def test_pytest_finds_the_plugin_and_this_repository_leaves_it_out() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))
    ((name, module),) = project["project"]["entry-points"]["pytest11"].items()
    assert import_module(module).pytest_collect_file
    assert f"-p no:{name}" in project["tool"]["pytest"]["ini_options"]["addopts"]
    asked = [sys.executable, "-m", "pytest", "-p", module, "-n", "0", "--collect-only", "rulesets/pbta"]
    done = subprocess.run(asked, cwd=TOP, capture_output=True, text=True)
    assert "rulesets/pbta/pbta.yaml::check" in done.stdout
    assert "house-rules/great-hit.yaml::" in done.stdout
