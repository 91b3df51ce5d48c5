"""`python -m tests.record`: it knows every file of expected output, and gives each its text again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import messages
import pytest
import record
from durations import slow_tests

BY_HAND = {
    "docs/examples/*.mjs": "a program that verifies dice",
    "docs/page/*": "pictures, which the tests of the page take",
    "schemas/result.json": "what hosts are promised",
    "schemas/session.json": "what hosts are promised",
    "schemas/state.json": "what hosts are promised",
    "tests/README.md": "prose",
    "tests/benchmarks/*": "rulesets",
    "tests/generated/usage.yaml": "weights of the generator, counted by `python -m tests.generated.constructs`",
    "tests/hostile/*": "hostile input",
    "tests/lasting/*": "rulesets",
    "tests/mistakes/*.yaml": "games in which mistakes are planted by hand",
    "tests/node/*": "a program that plays through the host",
    "tests/notation/*": "expressions of other tools' manuals, and what they mean",
    "tests/readers/*": "a program that reads YAML in JavaScript, and the packages that it needs",
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
    "adoption": ("tests/adoption/told.txt", "is gone now", "is lost now"),
    "messages": ("tests/rejected/bad-dice-1.txt", "`2x6`", "`3x6`"),
    "names": ("tests/public_names.txt", "class Advice", "class Advise"),
    "odds": ("interpreter/odds/README.md", "LazyRoll(3d6)", "LazyRoll(4d6)"),
    "pages": ("README.md", "reach: 5", "reach: 6"),
    "schemas": ("schemas/levels.json", "object", "array"),
    "words": ("docs/words.md", "fiend-wake", "fiend"),
}
"""For each kind a file, a piece of its text, and what takes its place."""


def test_a_file_of_each_kind_is_spoilt() -> None:
    assert SPOILT.keys() == record.GOLDENS.keys() - set(record.BY_NAME)


def test_the_quickest_of_several_parameters_is_slow_only_if_it_takes_very_long() -> None:
    taken = {
        "a[1]": 0.3,
        "a[2]": 0.5,
        "a[3]": 9.0,
        "b[1]": 0.5,
        "b[2]": 1.0,
        "c[1]": 1.6,
        "c[2]": 1.7,
        "d": 1.0,
        "e": 2.0,
    }
    assert slow_tests(taken) == ["a[2]", "a[3]", "b[2]", "c[1]", "c[2]", "e"]


@pytest.mark.thorough
def test_what_is_spoilt_is_recorded(tmp_path: Path) -> None:
    unused = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__")
    copy = shutil.copytree(record.ROOT, tmp_path / "copy", ignore=unused)
    right = {}
    for name, old, new in SPOILT.values():
        right[name] = (copy / name).read_text("utf-8")
        assert old in right[name]
        (copy / name).write_text(right[name].replace(old, new, 1), "utf-8")
    command = [sys.executable, "-m", "tests.record", *right]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    changed = [f"  {name}" for name in sorted(right)]
    assert (done.returncode, done.stdout.splitlines()[: len(right) + 1]) == (1, ["changed:", *changed]), done.stderr
    assert {name: (copy / name).read_text("utf-8") for name in right} == right
    again = subprocess.run([*command[:3], "schemas"], cwd=copy, env=environment, capture_output=True, text=True)
    assert (again.returncode, again.stdout) == (0, "")


def test_a_name_is_a_kind_or_a_recorded_file() -> None:
    page = record.ROOT / "README.md"
    assert record.named(["words", str(page)]) == {"words": record.GOLDENS["words"].paths(), "pages": [page]}
    assert record.named([]).keys() == record.GOLDENS.keys() - set(record.BY_NAME)
    with pytest.raises(ValueError, match="no such kind or recorded file: LICENSE"):
        record.named(["LICENSE"])
