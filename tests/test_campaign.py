"""A campaign: each scene begins as the last one ended, and a scene goes on where it was left."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from test_adopt import SHIPS, changed

SCENE = """state: {name}
of: ships.yaml
scene: duel
things: {{ship: {{{things}}}}}
given: {{fighters: [ann, bo]}}
players: {{anna: [ann], ben: [bo]}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ships.yaml").write_text(SHIPS, "utf-8")
    (tmp_path / "one.yaml").write_text(SCENE.format(name="one", things="ann: {crew: 3}, bo: "), "utf-8")
    (tmp_path / "two.yaml").write_text(SCENE.format(name="two", things="ann: {crew: 6}, bo: , cy: "), "utf-8")
    return tmp_path


def run(folder: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "interpreter", *words]
    return subprocess.run(command, input=typed, capture_output=True, text=True, cwd=folder, check=False)


def things(folder: Path) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads((folder / "rhone" / "now.json").read_text("utf-8"))["things"]
    return found


def test_each_scene_begins_as_the_last_one_ended(folder: Path) -> None:
    made = run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    assert made.returncode == 0 and (folder / "rhone" / "campaign.yaml").exists()
    assert "HR683" in run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml").stderr
    left = run(folder, "play", "rhone", "one.yaml", typed="rest\n")
    assert "`houserule play rhone` goes on" in left.stderr and not (folder / "rhone" / "now.json").exists()
    assert "HR684" in run(folder, "play", "rhone", "two.yaml").stderr
    ended = run(folder, "play", "rhone", typed="pass\n" * 9)
    assert "after 3 rounds" in ended.stdout and things(folder)["ann"]["crew"] == 4
    assert "HR684" in run(folder, "play", "rhone").stderr
    again = run(folder, "play", "rhone", "two.yaml", typed="pass\n" * 9)
    assert "after 3 rounds" in again.stdout
    assert things(folder)["ann"]["crew"] == 4 and things(folder)["cy"]["crew"] == 5
    names = sorted(str(one.relative_to(folder / "rhone")) for one in (folder / "rhone").rglob("*.*"))
    assert names == [
        "campaign.yaml",
        "now.json",
        "scenes/0001-one.session",
        "scenes/0002-two.session",
        "states/0002.json",
    ]


def test_a_campaign_is_taken_up_under_other_rules(folder: Path) -> None:
    run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    run(folder, "play", "rhone", "one.yaml", typed="pass\n" * 9)
    text = changed("      sail: {type", "      canvas: {formerly: sail, type", "to: 6, starts: 5", "to: 2, starts: 2")
    (folder / "ships.yaml").write_text(text, "utf-8")
    assert "HR679" in run(folder, "play", "rhone", "two.yaml").stderr
    asked = run(folder, "adopt", "ships.yaml", "rhone/now.json")
    assert asked.returncode == 1 and "`sail` of `ship` is `canvas` now" in asked.stdout
    taken = run(folder, "adopt", "ships.yaml", "rhone/now.json", "--set", "ann.crew=1", "--set", "bo.crew=2", "--write")
    assert taken.returncode == 0 and (folder / "rhone" / "now.json.old").exists()
    assert things(folder)["ann"]["crew"] == 1 and things(folder)["ann"]["canvas"] == 2
    assert "after 3 rounds" in run(folder, "play", "rhone", "two.yaml", typed="pass\n" * 9).stdout
