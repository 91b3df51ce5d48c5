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


CHANGES = "changes: {{ship: {{ann: {{crew: 6, friend: cy}}, cy: {{sail: 9}}}}}}\n"


def test_a_scene_changes_what_is_there_and_tells_it(folder: Path) -> None:
    text = SCENE.replace("given:", f"{CHANGES}given:").format(name="later", things="ann: , bo: , cy: {sail: 1}")
    (folder / "later.yaml").write_text(text, "utf-8")
    run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    run(folder, "play", "rhone", "one.yaml", typed="pass\n" * 9)
    played = run(folder, "play", "rhone", "later.yaml", typed="pass\n" * 9)
    assert "ann: crew 3 → 6, friend none → cy\n" in played.stdout
    assert things(folder)["ann"] == {"is": "ship", "sail": 2, "rank": "low", "crew": 6, "friend": "cy"}
    assert things(folder)["cy"]["sail"] == 9  # which the scene has made
    alone = run(folder, "play", "later.yaml", typed=":look cy\n:quit\n")
    assert "sail 9" in alone.stdout and "→" not in alone.stdout


@pytest.mark.parametrize(
    ("changes", "code", "place"),
    [
        ("{ship: {ann: {hul: 1}}}", "HR305", "5:24"),
        ("{ship: {ann: {crew: 16}}}", "HR", "5:30"),
        ("{ship: {ann: {rank: royal}}}", "HR", "5:30"),
        ("{ship: {dan: {crew: 1}}}", "HR659", "5:18"),
        ("{boat: {ann: {crew: 1}}}", "HR303", "5:11"),
        ("{reef: {ann: {depth: 1}}}", "HR659", "5:18"),
    ],
)
def test_what_a_scene_cannot_change_is_refused_at_its_place(changes: str, code: str, place: str, folder: Path) -> None:
    (folder / "ships.yaml").write_text(
        changed("kinds:\n", "kinds:\n  reef: {has: {depth: {type: number, default: 1}}}\n")
    )
    text = SCENE.format(name="wrong", things="ann: , bo: ").replace("given:", f"changes: {changes}\ngiven:")
    (folder / "wrong.yaml").write_text(text, "utf-8")
    for command in (("check", "wrong.yaml"), ("play", "wrong.yaml")):
        said = run(folder, *command)
        assert said.returncode and f"wrong.yaml:{place}: {code}" in said.stdout + said.stderr


def test_a_campaign_goes_on_without_anybody_who_answers(folder: Path) -> None:
    run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    assert "after 3 rounds" in run(folder, "play", "rhone", "one.yaml", "--no-input").stdout
    run(folder, "play", "rhone", "two.yaml", typed="rest\n")
    (folder / "ships.yaml").write_text(changed("      sail: {type", "      canvas: {formerly: sail, type"), "utf-8")
    ended = run(folder, "play", "rhone", "--no-input")
    assert "`sail` of `ship` is `canvas` now" in ended.stdout and "after 3 rounds" in ended.stdout
    assert things(folder)["ann"]["canvas"] == 2
    assert sorted(one.name for one in (folder / "rhone" / "scenes").iterdir()) == [
        "0001-one.session",
        "0002-two.session",
    ]


def test_one_terminal_plays_a_campaign(folder: Path) -> None:
    run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    command = [sys.executable, "-m", "interpreter", "play", "rhone", "one.yaml"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": folder}
    with subprocess.Popen(command, **pipes) as first:  # type: ignore[call-overload]
        while "pass" not in first.stdout.readline():
            pass
        second = run(folder, "play", "rhone")
        assert second.returncode and f"HR684 `rhone` is played already by process {first.pid} on" in second.stderr
        first.kill()
    assert (folder / "rhone" / "lock").exists()  # of a process that is dead
    assert "the turn of ann" in run(folder, "play", "rhone", typed=":quit\n").stdout.lower()
    assert not (folder / "rhone" / "lock").exists()
    (folder / "rhone" / "lock").write_text(f"process {first.pid} on another-computer\n", "utf-8")
    assert "HR684" in run(folder, "play", "rhone").stderr and (folder / "rhone" / "lock").exists()


def test_changed_rules_are_told_and_nothing_happens_before_somebody_goes_on(folder: Path) -> None:
    run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    run(folder, "play", "rhone", "one.yaml", typed="pass\n" * 9)
    (folder / "ships.yaml").write_text(changed("      sail: {type", "      canvas: {formerly: sail, type"), "utf-8")
    before = {str(one): one.read_bytes() for one in (folder / "rhone").rglob("*.*")}
    for typed in ("stop\n", "what\nno\n", ""):
        stopped = run(folder, "play", "rhone", "two.yaml", typed=typed)
        assert "`sail` of `ship` is `canvas` now" in stopped.stdout and "Round 1" not in stopped.stdout
        assert stopped.returncode == 0
        assert before == {str(one): one.read_bytes() for one in (folder / "rhone").rglob("*.*")}
    begun = run(folder, "play", "rhone", "two.yaml", typed="\nrest\n")
    assert "Round 1" in begun.stdout and "`houserule play rhone` goes on" in begun.stderr
    (folder / "ships.yaml").write_text(changed("scene.round >= 3", "scene.round >= 2"), "utf-8")
    journal = (folder / "rhone" / "scenes" / "0002-two.journal").read_bytes()
    assert "stop leaves all as it was" in run(folder, "play", "rhone", typed="stop\n").stdout
    assert (folder / "rhone" / "scenes" / "0002-two.journal").read_bytes() == journal


def test_a_scene_goes_on_under_the_rules_that_it_began_with(folder: Path) -> None:
    run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    run(folder, "play", "rhone", "one.yaml", typed="rest\n")
    (folder / "ships.yaml").write_text(changed("scene.round >= 3", "scene.round >= 2"), "utf-8")
    stopped = run(folder, "play", "rhone", typed="keep\n:quit\n")
    assert "Round 1" in stopped.stdout and "HR" not in stopped.stdout
    ended = run(folder, "play", "rhone", typed="keep\n" + "pass\n" * 9)
    assert "after 3 rounds" in ended.stdout
    (folder / "ships.yaml").write_text(changed("      sail: {type", "      canvas: {formerly: sail, type"), "utf-8")
    kept = run(folder, "play", "rhone", "two.yaml", typed="keep\n:look ann\n" + "pass\n" * 12)
    assert "sail 2" in kept.stdout and "after 3 rounds" in kept.stdout and things(folder)["ann"]["sail"] == 2
    now = run(folder, "play", "rhone", "two.yaml", typed="\n" + "pass\n" * 12)
    assert "after 3 rounds" in now.stdout and things(folder)["ann"]["canvas"] == 2
    run(folder, "play", "one.yaml", "--save", "one.save", typed="pass\n" * 9)
    data = json.loads((folder / "one.save").read_text("utf-8"))
    del data["rules"]["text"]
    (folder / "one.save").write_text(json.dumps(data), "utf-8")
    (folder / "ships.yaml").write_text(
        SHIPS.replace("ship:\n    has:", "ship:\n    has:\n      flag: {type: number, default: 0}")
    )
    said = run(folder, "play", "ships.yaml", "two.yaml", "--from", "one.save", typed="keep\nstop\n")
    assert "does not carry its rules" in said.stdout and "Round 1" not in said.stdout


def test_a_scene_begins_in_the_state_that_a_save_has_left(folder: Path) -> None:
    run(folder, "play", "one.yaml", "--save", "left.save", typed="rest\n:quit\n")
    assert "HR684" in run(folder, "play", "two.yaml", "--from", "left.save").stderr
    run(folder, "play", "ships.yaml", "one.yaml", "--save", "one.save", "--no-save", typed="rest\n" + "pass\n" * 9)
    begun = run(
        folder, "play", "ships.yaml", "two.yaml", "--from", "one.save", "--save", "two.save", typed=":look ann\n"
    )
    assert "crew 4" in begun.stdout
    on = run(folder, "play", "ships.yaml", "two.save", typed="pass\n" * 9)
    assert "after 3 rounds" in on.stdout
    assert run(folder, "play", "ships.yaml", "two.save", "--from", "one.save").returncode == 2
    run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    assert run(folder, "play", "rhone", "two.yaml", "--from", "one.save").returncode == 2


def test_a_scene_file_is_checked_as_the_next_one_of_a_campaign(folder: Path) -> None:
    """Whoever is there after the last scene is known, under the rules of the campaign."""
    (folder / "two.yaml").write_text(
        SCENE.format(name="two", things="cy: ").replace("[ann, bo]", "[ann, cy]").replace("[bo]", "[cy]"), "utf-8"
    )
    run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    alone = run(folder, "check", "two.yaml", "--format", "concise")
    before = run(folder, "check", "two.yaml", "--campaign", "rhone", "--format", "concise")
    assert alone.returncode == before.returncode == 1 and "`ann`" in alone.stdout and "`ann`" in before.stdout
    run(folder, "play", "rhone", "one.yaml", typed="pass\n" * 9)
    assert run(folder, "check", "two.yaml", "--campaign", "rhone").stdout == "1 scene file, no errors\n"
    assert "after 3 rounds" in run(folder, "play", "rhone", "two.yaml", typed="pass\n" * 9).stdout
    slip = (folder / "two.yaml").read_text("utf-8").replace("[ann, cy]", "[anne, cy]")
    (folder / "three.yaml").write_text(slip, "utf-8")
    wrong = run(folder, "check", "three.yaml", "--campaign", "rhone", "--format", "concise")
    assert wrong.returncode == 1 and "`anne`" in wrong.stdout
    assert run(folder, "check", "two.yaml", "--campaign", "rhone", "--with", "fog").returncode == 2


def test_a_house_rule_is_added_to_a_campaign(folder: Path) -> None:
    """`campaign.yaml` names it, and `adopt` of the folder says what that comes to."""
    run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    run(folder, "play", "rhone", "one.yaml", typed="pass\n" * 9)
    assert run(folder, "adopt", "rhone").stdout.startswith("rhone/now.json: a state, and nothing that it uses has")
    changes = "  kinds.ship.has.crew.to: {set: 2, because: Few sail in fog.}\n  kinds.ship.has.crew.starts: {set: 2}\n"
    fog = f"ruleset: fog\nextends: ships.yaml\nchanges:\n{changes}"
    (folder / "fog.yaml").write_text(fog, "utf-8")
    (folder / "rhone" / "campaign.yaml").write_text("state: rhone\nof: ../ships.yaml\nwith: [../fog.yaml]\n", "utf-8")
    asked = run(folder, "adopt", "rhone")
    assert asked.returncode == 1 and "not 5" in asked.stdout
    assert run(folder, "adopt", "rhone", "--with", "fog.yaml").returncode == 2
    assert run(folder, "adopt", "ships.yaml").returncode == 2
    assert run(folder, "adopt", "rhone", "--all", "--write").returncode == 0
    assert things(folder)["ann"]["crew"] == 2 and not (folder / "rhone" / "lock").exists()
    assert "after 3 rounds" in run(folder, "play", "rhone", "two.yaml", typed="pass\n" * 9).stdout


def test_a_campaign_that_is_played_is_not_written_by_another(folder: Path) -> None:
    run(folder, "campaign", "new", "rhone", "--rules", "ships.yaml")
    (folder / "rhone" / "lock").write_text("process 1 on elsewhere\n", "utf-8")
    assert "HR684" in run(folder, "adopt", "rhone", "--write").stderr
