"""A file that many layers extend is read once, however many ways lead to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import pipeline
from interpreter.syntax import document


def diamond(folder: Path, levels: int) -> Path:
    """Layers in pairs, each of which extends both of the pair below: two to the power of `levels` ways to the base."""
    (folder / "base.yaml").write_text("ruleset: base\nmechanics: {m: {steps: {a: {roll: d6}}}}\n")
    below = ["base.yaml"]
    for level in range(levels):
        for side in "ab":
            (folder / f"{side}{level}.yaml").write_text(f"ruleset: {side}{level}\nextends: [{', '.join(below)}]\n")
        below = [f"a{level}.yaml", f"b{level}.yaml"]
    top = folder / "top.yaml"
    top.write_text(f"ruleset: top\nextends: [{', '.join(below)}]\n")
    return top


def test_each_file_of_a_diamond_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    parse = document.parse
    monkeypatch.setattr(document, "parse", lambda source, *more: read.append(source.name) or parse(source, *more))
    loaded = pipeline.from_path(diamond(tmp_path, 30))
    assert list(loaded.problems) == []
    assert sorted(read) == sorted(set(read)) and len(read) == 62
    assert loaded.merged is not None and len(loaded.merged.layers) == 61
