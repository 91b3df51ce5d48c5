"""`python -m tests.record`: it knows every file of expected output, and gives each its text again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import messages
import pytest
import record

BY_HAND = {
    "schemas/result.json": "what hosts are promised",
    "schemas/session.json": "what hosts are promised",
    "schemas/state.json": "what hosts are promised",
    "tests/README.md": "prose",
    "tests/benchmarks/*": "rulesets",
    "tests/generated/usage.yaml": "weights of the generator, counted by `python -m tests.generated.constructs`",
    "tests/hostile/*": "hostile input",
    "tests/lasting/*": "rulesets",
    "tests/mistakes/market.yaml": "the game in which mistakes are planted by hand",
    "tests/published/*": "schemas and a licence, as others publish them",
    "tests/peers/*": "numbers that other libraries print",
    "tests/sessions/*": "rulesets",
    "tests/workloads/*": "rulesets, and laws that plain Python worked out",
}
"""Files beside the tests and the pages that are not recorded, each with what is in it."""


def test_every_file_is_recorded_or_written_by_hand() -> None:
    folders = [record.ROOT / name for name in ("docs", "schemas", "tests")]
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file() and file.suffix != ".py"]
    names = {str(file.relative_to(record.ROOT)) for file in files if "__pycache__" not in file.parts}
    golden = {str(path.relative_to(record.ROOT)) for one in record.GOLDENS.values() for path in one.paths()}
    by_hand = {name for name in names if any(fnmatch(name, pattern) for pattern in BY_HAND)}
    assert sorted(names - golden - by_hand) == []
    assert sorted(golden & by_hand) == []
    assert [pattern for pattern in BY_HAND if not any(fnmatch(name, pattern) for name in by_hand)] == []


RULESET = """\
ruleset: duel
mechanics:
  strike:
    steps:
      total: {roll: 2x6}    # E: HR202 21 dice are written `2d6`
      again: {is: tottal}   # E: HR301 19 did you mean `total`?
"""

PLAYED = """\
ruleset: duel
mechanics:
  strike:
    steps:
      total: {roll: d6}
# roll: stirke   # E: HR601 did you mean `strike`?
"""


def recorded(file: Path) -> str:
    return messages.recorded(file.read_text("utf-8"), file.name, list(messages.in_file(file)))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("HR202 21", "HR203 21"),
        ("HR202 21", "HR202 20"),
        ("# E: HR202", "# W: HR202"),
        ("did you mean `total`?", "did you say `total`?"),
        ("   # E: HR301 19 did you mean `total`?", "   # E: HR301 19 did you mean `total`?  # E: HR999 1 this too"),
    ],
)
def test_a_comment_that_does_not_hold_is_written_anew(right: str, wrong: str, tmp_path: Path) -> None:
    assert right in RULESET
    file = tmp_path / "duel.yaml"
    file.write_text(RULESET.replace(right, wrong), "utf-8")
    made = recorded(file)
    assert [(one.row, one.kind, one.code, one.column) for one in messages.comments(made, file.name)] == [
        (5, "E", "HR202", 21),
        (6, "E", "HR301", 19),
    ]
    file.write_text(made, "utf-8")
    assert recorded(file) == made


def test_the_comment_of_a_command_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "duel.yaml"
    file.write_text(PLAYED.replace("did you mean", "did you say"), "utf-8")
    assert recorded(file) == PLAYED


def test_a_problem_without_a_comment_gets_one_at_the_end(tmp_path: Path) -> None:
    file = tmp_path / "duel.yaml"
    file.write_text(RULESET.replace("   # E: HR301 19 did you mean `total`?", ""), "utf-8")
    assert recorded(file).splitlines()[-1].startswith("# E@6: HR301 19 ")


SPOILT = {
    "messages": ("tests/rejected/bad-dice-1.txt", "`2x6`", "`3x6`"),
    "odds": ("interpreter/odds/README.md", "LazyRoll(3d6)", "LazyRoll(4d6)"),
    "pages": ("README.md", "reach: 5", "reach: 6"),
    "schemas": ("schemas/levels.json", "object", "array"),
    "words": ("docs/words.md", "fiend-wake", "fiend"),
}
"""For each kind a file, a piece of its text, and what takes its place."""


def test_a_file_of_each_kind_is_spoilt() -> None:
    assert SPOILT.keys() == record.GOLDENS.keys()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", SPOILT)
def test_what_is_spoilt_is_recorded(kind: str, tmp_path: Path) -> None:
    unused = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__")
    copy = shutil.copytree(record.ROOT, tmp_path / "copy", ignore=unused)
    name, old, new = SPOILT[kind]
    text = (copy / name).read_text("utf-8")
    assert old in text
    (copy / name).write_text(text.replace(old, new, 1), "utf-8")
    command = [sys.executable, "-m", "tests.record", kind]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[:2]) == (1, ["changed:", f"  {name}"]), done.stderr
    assert (copy / name).read_text("utf-8") == text
    again = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    assert (again.returncode, again.stdout) == (0, "")
