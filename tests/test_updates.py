"""`houserule test --update`: the edits after which failing cases pass, and nothing else of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli import group

BASE = """\
ruleset: bridge
mechanics:
  check:
    inputs: {skill: {type: number, from: 0, to: 5, default: 1}}
    steps:
      rolled: {roll: 2d6}
      total: sum(rolled) + skill
    outcomes: {good: total >= 9, bad: otherwise}
cases:
  - name: "just enough: nine"
    mechanic: check
    faces: [4, 4]
    expect: {outcome: good, total: 9}   # as the book says
  - name: not enough
    mechanic: check
    faces: [1, 4]
    expect: {outcome: bad}
  - name: odds
    mechanic: check
    odds: {good: 5/12}
"""
LAYER = """\
ruleset: harder
extends: bridge.yaml
changes:
  mechanics.check.outcomes.good:
    set: total >= 10
    was: total >= 9
    because: Nine is too easy.
"""


def run(*words: str) -> tuple[int, str, str]:
    """Exit code, output and complaints of the command."""
    said = CliRunner().invoke(group, words)
    return said.exit_code, said.stdout, said.stderr


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bridge.yaml").write_text(BASE, "utf-8")


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("total: 9}   # as", "total: 7}   # as"),
        ("outcome: good, total: 9", "outcome: bad, total: 9"),
        ("outcome: bad}", "outcome: bad, rolled: [4, 4]}"),
        ("good: 5/12", "good: 1/3"),
    ],
)
def test_values_are_written_where_they_differ(was: str, now: str) -> None:
    assert was in BASE
    Path("bridge.yaml").write_text(BASE.replace(was, now), "utf-8")
    assert run("test", "bridge.yaml")[0] == 1
    code, out, _ = run("test", "bridge.yaml", "--update", "--yes")
    assert code == 0 and out.endswith("3 passed\n")
    expected = now.replace("[4, 4]", "[1, 4]") if "rolled" in now else was
    assert Path("bridge.yaml").read_text("utf-8") == BASE.replace(was, expected)


def test_odds_are_restated_with_as_many_digits() -> None:
    Path("bridge.yaml").write_text(BASE.replace("good: 5/12", "good: {about: 0.33}"), "utf-8")
    assert run("test", "bridge.yaml", "--update", "--yes")[0] == 0
    assert "odds: {good: {about: 0.42}}" in Path("bridge.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("layer", "differs"),
    [
        (LAYER, "differs:\n  - mechanics.check\n"),
        (f"{LAYER}differs:\n  - odds   # see above\n", "differs:\n  - mechanics.check\n"),
        (f"{LAYER}differs: [odds]\n", "differs: [mechanics.check]\n"),
        (f"{LAYER}differs:\n  - odd\n  - 'just enough: nine'\n", "differs:\n  - odds\n  - 'just enough: nine'\n"),
        (f"{LAYER}differs:\n  - not enough\n  - odds\n", "differs:\n  - mechanics.check\n"),
        (f"{LAYER}differs:\n  - odds\n  - not enough\n", "differs:\n  - mechanics.check\n"),
        (f"{LAYER}differs:\n  - mechanics.chekc   # as I said\n", "differs:\n  - mechanics.check   # as I said\n"),
        (f"{LAYER}differs:\n  - mechanics.check\n  - functions.no\n", "differs:\n  - mechanics.check\n"),
    ],
    ids=["none", "a list", "in brackets", "misspelt", "first holds", "last holds", "misspelt path", "no such path"],
)
def test_a_house_rule_lists_what_differs(layer: str, differs: str) -> None:
    Path("harder.yaml").write_text(layer, "utf-8")
    assert run("test", "harder.yaml", "--strict")[0] == 1
    code, out, _ = run("test", "harder.yaml", "--update", "--yes")
    assert code == 0 and out.endswith("1 passed, 2 differ from the base as expected\n")
    assert Path("harder.yaml").read_text("utf-8") == LAYER + differs
    assert Path("bridge.yaml").read_text("utf-8") == BASE


def test_nothing_is_written_without_consent() -> None:
    text = BASE.replace("good: 5/12", "good: 1/3")
    Path("bridge.yaml").write_text(text, "utf-8")
    code, out, err = run("test", "bridge.yaml", "--update")
    assert code == 1
    assert "+    odds: {good: 5/12}" in out and "nothing is written; `--yes` writes it" in err
    assert Path("bridge.yaml").read_text("utf-8") == text


def test_a_case_that_fails_with_an_error_is_left_alone() -> None:
    text = BASE.replace("faces: [4, 4]", "faces: [4, 9]")
    Path("bridge.yaml").write_text(text, "utf-8")
    assert run("test", "bridge.yaml", "--update", "--yes")[0] == 1
    assert Path("bridge.yaml").read_text("utf-8") == text
