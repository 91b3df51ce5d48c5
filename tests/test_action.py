"""The GitHub Action: its own scripts in small repositories, and the comment for a change that adds a house rule."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from marks import sample

from interpreter import bundled
from interpreter.chances.formats import render
from interpreter.chances.report import Style
from interpreter.delta.report import folder_report
from interpreter.delta.rulesets import folder_delta

TOP = Path(__file__).parent.parent
ACTION = TOP / "integrations" / "github-action"
QUICK = ("great-hit", "three-sixes", "double-botch-ties", "no-ties")
"""House rules of which the comment is made in every run of the tests."""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with one commit, and the command `houserule` of this checkout."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "houserule"
    command.write_text(
        f"#!/bin/sh\nPYTHONPATH={TOP} exec {sys.executable} -c 'from interpreter.cli import main; main()' \"$@\"\n"
    )
    command.chmod(0o755)
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / "README.md").write_text("rules\n")
    _git(folder, "init", "-q", "-b", "main")
    _commit(folder)
    return folder


def _git(folder: Path, *words: str) -> str:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    named = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *named, *words], cwd=folder, env=kept, capture_output=True, text=True, check=True)
    return done.stdout


def _commit(folder: Path) -> None:
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "change")


def _run(folder: Path, script: str, *words: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env = {**kept, "PATH": f"{folder.parent / 'bin'}:{os.environ['PATH']}"}
    env["GITHUB_STEP_SUMMARY"] = str(folder.parent / "summary.md")
    return subprocess.run(["bash", str(ACTION / script), *words], cwd=folder, env=env, capture_output=True, text=True)


def _comment(folder: Path, base: str = "main") -> tuple[str, ElementTree.Element | None]:
    """The comment that the action makes, and its chart."""
    to = folder.parent / "out"
    done = _run(folder, "odds.sh", base, str(to))
    assert done.returncode == 0, done.stderr
    outputs = dict(line.split("=", 1) for line in done.stdout.splitlines())
    text = Path(outputs["comment"]).read_text("utf-8")
    assert (folder.parent / "summary.md").read_text("utf-8").endswith(text)
    return text, ElementTree.parse(outputs["chart"]).getroot() if "chart" in outputs else None


@pytest.mark.parametrize("name", QUICK)
def test_the_comment_for_a_house_rule(name: str, clone: Path) -> None:
    _git(clone, "checkout", "-q", "-b", "change")
    shutil.copy(bundled.house_rules()[name], clone)
    _commit(clone)
    text, drawn = _comment(clone)
    _hold_comment(name, text, drawn)


SLOWEST = ("twelves-explode",)
OTHERS = sorted(bundled.house_rules().keys() - set(QUICK), key=lambda name: (name in SLOWEST, name[::-1]))
"""In an order that mixes the rulesets that they are for."""


@pytest.mark.parametrize("name", sample(OTHERS, 0, 6))
def test_the_comment_for_a_house_rule_without_the_scripts(name: str, tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    shutil.copy(bundled.house_rules()[name], after)
    report = folder_report(folder_delta(before, after), "main", "change", {})
    changes = any(point.changes for path in report.sections() for point in path[-1].points)
    text, drawn = render("markdown", report, Style()), render("svg", report, Style()) if changes else ""
    if keep := os.environ.get("KEEP_COMMENTS"):
        (Path(keep) / f"{name}.md").write_text(text, "utf-8")
    _hold_comment(name, text, ElementTree.fromstring(drawn) if drawn else None)


def _hold_comment(name: str, text: str, drawn: ElementTree.Element | None) -> None:
    assert text.startswith("## What this does to the odds\n\n**")
    assert f"(`{name}`): a new house rule over " in text
    has_change = any(mark in text for mark in (" → **", "new: **", "| **"))
    assert ("**The odds of " in text) == (drawn is not None) == has_change
    assert "error" not in text.lower().replace("terror", "")
    for table in text.split("\n\n"):
        lines = [line for line in table.splitlines() if line.startswith("|")]
        assert len({line.replace("\\|", "").count("|") for line in lines}) <= 1, table


def test_the_comment_for_a_change_of_a_game(clone: Path) -> None:
    rules = (TOP / "tests" / "test_updates.py").read_text("utf-8").split('BASE = """\\\n')[1].split('"""')[0]
    typical = rules.replace("    steps:\n", "    typical: {skill: [0, 3]}\n    steps:\n", 1)
    (clone / "rules").mkdir()
    (clone / "rules" / "bridge.yaml").write_text(typical, "utf-8")
    _commit(clone)
    _git(clone, "checkout", "-q", "-b", "change")
    (clone / "rules" / "bridge.yaml").write_text(typical.replace("total >= 9", "total >= 10"), "utf-8")
    (clone / "other.yaml").write_text(rules.replace("bridge", "other"), "utf-8")
    _commit(clone)
    text, drawn = _comment(clone)
    assert "| skill 0 | 27.8% → **16.7%** | 72.2% → **83.3%** |" in text
    assert "| skill 3 | 72.2% → **58.3%** | 27.8% → **41.7%** |" in text
    assert "`other`: a new ruleset, with nothing to compare it with" in text
    assert drawn is not None and "skill 3: good 72.2% to 58.3%" in "".join(drawn.itertext())

    # What comes to the base meanwhile is no part of the change.
    _git(clone, "checkout", "-q", "main")
    (clone / "rules" / "late.yaml").write_text(rules.replace("bridge", "late"), "utf-8")
    _commit(clone)
    _git(clone, "checkout", "-q", "change")
    assert "late" not in _comment(clone)[0]


def test_a_change_without_rules_says_so(clone: Path) -> None:
    (clone / "README.md").write_text("other\n")
    _commit(clone)
    text, drawn = _comment(clone, "HEAD~1")
    assert "No ruleset has changed." in text and drawn is None


def test_problems_become_annotations(clone: Path) -> None:
    (clone / "broken.yaml").write_text("ruleset: broken\nmechanics: {m: {steps: {a: nothing_such}}}\n")
    done = _run(clone, "check.sh", ".")
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=broken.yaml,line=2,endLine=2,")
    (clone / "broken.yaml").write_text("ruleset: broken\nmechanics: {m: {steps: {a: {roll: d6}}}}\n")
    assert _run(clone, "check.sh", ".").returncode == 0


def test_the_action_names_files_and_inputs_that_there_are() -> None:
    action = yaml.safe_load((ACTION / "action.yml").read_text("utf-8"))
    text = (ACTION / "action.yml").read_text("utf-8")
    assert action["runs"]["using"] == "composite"
    assert all("shell" in step for step in action["runs"]["steps"] if "run" in step)
    for name in ("check.sh", "odds.sh", "comment.js"):
        assert name in text and (ACTION / name).is_file()
    readme = (ACTION / "README.md").read_text("utf-8")
    assert all(f"| `{name}` |" in readme and f"inputs.{name}" in text for name in action["inputs"])


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@pytest.mark.parametrize(
    ("text", "there", "done"),
    [
        ("## What\n", [], ["create"]),
        ("## What\n", ["hello", "<!-- houserule: what this does to the odds -->\nold"], ["update 1"]),
        ("No ruleset has changed.\n", ["hello"], []),
        ("No ruleset has changed.\n", ["<!-- houserule: what this does to the odds -->\nold"], ["update 0"]),
    ],
)
def test_one_comment_is_kept_up_to_date(text: str, there: list[str], done: list[str], tmp_path: Path) -> None:
    (tmp_path / "comment.md").write_text(text)
    script = f"""
    const said = []
    const issues = {{
      listComments: 'list',
      updateComment: async (what) => said.push('update ' + what.comment_id),
      createComment: async (what) => said.push('create'),
    }}
    const comments = {json.dumps(there)}.map((body, id) => ({{body, id}}))
    const github = {{rest: {{issues}}, paginate: async () => comments}}
    const context = {{repo: {{owner: 'a', repo: 'b'}}, issue: {{number: 1}}}}
    require({json.dumps(str(ACTION / "comment.js"))})({{github, context, file: 'comment.md', chart: ''}})
      .then(() => console.log(JSON.stringify(said)))
    """
    ran = subprocess.run(["node", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == done
