"""A conflict of two house rules can be settled by removing what it is about, in whichever order they are laid."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from interpreter import pipeline
from interpreter.layers.merge import node_at

BASE = """\
ruleset: base
options:
  grip: {one_of: [weak, firm], default: firm}
mechanics:
  climb:
    inputs: {height: {type: number, from: 1}}
    steps:
      rolled: {roll: 2d6}
      extra: 1
      reach: highest(rolled)
    outcomes:
      top: reach > height
      hanging: reach == height
      fall: otherwise
    also: {high: reach > 5}
"""
PAIRS = [
    # what both touch, the two changes
    ("mechanics.climb.steps.extra", "{remove: here}", "{set: 2}"),
    ("mechanics.climb.steps.extra", "{remove: here}", "{remove: here}"),
    ("mechanics.climb.steps.extra", "{remove: here}", "{move: here, after: reach}"),
    ("mechanics.climb.steps.extra", "{remove: here}", "{rename: more}"),
    ("options.grip", "{remove: here}", "{set: {type: number, default: 1}}"),
    ("mechanics.climb.also.high", "{remove: here}", "{set: reach > 4}"),
    ("mechanics.climb.steps.extra", "{set: 3}", "{set: 2}"),
]


def problems(folder: Path, one: str, two: str, settled: str) -> list[str]:
    """What is found in the layer that extends two others and has the changes of `settled`."""
    (folder / "base.yaml").write_text(BASE, "utf-8")
    for name, change in (("one", one), ("two", two)):
        (folder / f"{name}.yaml").write_text(f"ruleset: {name}\nextends: base.yaml\nchanges:\n{change}\n", "utf-8")
    text = f"ruleset: both\nextends: [one.yaml, two.yaml]\nchanges:\n{settled}\n"
    (folder / "both.yaml").write_text(text, "utf-8")
    loaded = pipeline.from_path(folder / "both.yaml")
    assert loaded.merged is not None
    path = settled.split(":")[0].strip()
    if not loaded.problems.errors:
        assert node_at(loaded.merged.root, tuple(path.split("."))) is None
    return [f"{each.code} {each.message}" for each in loaded.problems]


def line(path: str, change: str) -> str:
    return f"  {path}: {change[:-1]}, because: We want it so.}}"


CASES = [(path, *pair) for path, *both in PAIRS for pair in itertools.permutations(both)]


@pytest.mark.parametrize(("path", "one", "two"), CASES)
def test_a_conflict_is_settled_by_removing(tmp_path: Path, path: str, one: str, two: str) -> None:
    said = problems(tmp_path, line(path, one), line(path, two), line(path, "{remove: here}"))
    if "rename" in one:  # by then it has another name
        assert [each[:5] for each in said] == ["HR553"]
    else:
        assert said == []
    if "rename" in one + two:
        new = path.replace("extra", "more")
        assert problems(tmp_path, line(path, one), line(path, two), line(new, "{remove: here}")) == []


def test_what_was_to_stand_beside_something_removed_is_removed_too(tmp_path: Path) -> None:
    removed = line("mechanics.climb.outcomes.hanging", "{remove: here}")
    beside = line("mechanics.climb.outcomes.near", "{add: reach == height - 1, after: hanging}")
    settled = line("mechanics.climb.outcomes.near", "{remove: here}")
    for one, two in ((removed, beside), (beside, removed)):
        assert problems(tmp_path, one, two, settled) == []


@pytest.mark.parametrize("verb", ["{set: 4}", "{move: here, after: reach}", "{rename: other}"])
def test_only_removing_needs_nothing_there(tmp_path: Path, verb: str) -> None:
    path = "mechanics.climb.steps.extra"
    said = problems(tmp_path, line(path, "{remove: here}"), line(path, "{set: 2}"), line(path, verb))
    assert [each[:5] for each in said] == ["HR553"]


def test_removing_what_nobody_fights_about_and_is_not_there_is_refused(tmp_path: Path) -> None:
    path = "mechanics.climb.steps.extra"
    both = line(path, "{remove: here}"), line(path, "{set: 2}")
    settled = line(path, "{remove: here}") + "\n" + line("mechanics.climb.steps.nothing", "{remove: here}")
    assert [each[:5] for each in problems(tmp_path, *both, settled)] == ["HR553"]
