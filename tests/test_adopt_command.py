"""`houserule adopt`: saves in files and folders, journals, and decisions about several saves at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_adopt import SHIPS, a_result, a_session, changed, saved_state
from test_campaign import run

import interpreter
from interpreter.api.journal import Journal

NEEDED = changed(
    "      sail: {type: number, from: 0, default: 2}", "      sail: {type: number, from: 0}\n      flag: number"
)
"""Rules with a new attribute that has no value by itself."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a state of two ships and the journal of a duel between them, under rules that have changed."""
    (tmp_path / "ships.yaml").write_text(NEEDED, "utf-8")
    (tmp_path / "now.json").write_text(saved_state(), "utf-8")
    journal = Journal(tmp_path / "duel.journal", session := a_session(0))
    session.host.answer(session.host.requests[0].id, "pass")
    journal.note(session)
    return tmp_path


def test_a_journal_is_taken_up_and_goes_on(folder: Path) -> None:
    asked = run(folder, "adopt", "ships.yaml", "duel.journal")
    assert asked.returncode == 1 and "duel.journal: a session\n" in asked.stdout
    taken = run(folder, "adopt", "ships.yaml", ".", "--set", "ann.flag=1", "--set", "bo.flag=2", "--write")
    assert taken.returncode == 0
    again = run(folder, "adopt", "ships.yaml", "duel.journal")
    assert again.stdout == "duel.journal: a session, and nothing that it uses has changed\n"
    assert "after 3 rounds" in run(folder, "play", "ships.yaml", "duel.journal", typed="pass\n" * 9).stdout


def test_a_value_that_is_given_is_told_and_written(folder: Path) -> None:
    done = run(folder, "adopt", "ships.yaml", "now.json", "--set", "ann.flag=1", "--set", "bo.flag=2", "--write")
    assert done.stdout.splitlines() == [
        "now.json: a state",
        "  told    `flag` of `ship` is set: ann 1, bo 2",
        "  written; as it was, it is in now.json.old",
    ]
    assert json.loads((folder / "now.json").read_text("utf-8"))["things"]["bo"]["flag"] == 2


def test_whatever_was_there_stays_as_often_as_a_save_is_written(folder: Path) -> None:
    kept = [(folder / "now.json").read_text("utf-8")]
    for number in (1, 2):
        flags = ("--set", f"ann.flag={number}", "--set", f"bo.flag={number}")
        run(folder, "adopt", "ships.yaml", "now.json", *flags, "--write")
        kept.append((folder / "now.json").read_text("utf-8"))
    names = ["now.json.old", "now.json.2.old", "now.json"]
    assert [(folder / name).read_text("utf-8") for name in names] == kept
    assert ".old" not in run(folder, "adopt", "ships.yaml", ".").stdout


def test_a_value_is_given_to_the_saves_that_have_its_thing(folder: Path) -> None:
    game = interpreter.loads(SHIPS)
    (folder / "alone.json").write_text(game.to_json(game.state(cy={"is": "ship"})), "utf-8")
    flags = [word for name in ("ann", "bo", "cy") for word in ("--set", f"{name}.flag=3")]
    done = run(folder, "adopt", "ships.yaml", ".", *flags)
    assert done.returncode == 0 and "set: cy 3\n" in done.stdout and "set: ann 3, bo 3\n" in done.stdout
    assert run(folder, "adopt", "ships.yaml", ".", *flags, "--set", "dan.flag=3").stderr.count("no thing `dan`") == 3


def test_what_is_no_save_is_said_with_its_name(folder: Path) -> None:
    (folder / "ann.yaml").write_text("state: ann\nof: ships.yaml\nthings: {ship: {ann: {sail: 2}}}\n", "utf-8")
    done = run(folder, "adopt", "ships.yaml", "ann.yaml")
    assert done.returncode == 2 and "HR678 `ann.yaml`" in done.stderr and "`houserule check ann.yaml`" in done.stderr
    done = run(folder, "check", "now.json")
    assert done.stdout.count("HR") == 1 and "`houserule adopt RULESET now.json`" in done.stdout


def test_every_command_that_reads_a_save_tells_what_has_changed(folder: Path) -> None:
    (folder / "ships.yaml").write_text(changed("      sail: {type", "      canvas: {formerly: sail, type"), "utf-8")
    (folder / "rest.json").write_text(a_result(), "utf-8")
    told = "The rules have changed since it was saved:\n  `sail` of `ship` is `canvas` now: ann 2, bo 3\n"
    for words in (("act", "ships.yaml", "now.json", "rest", "actor=ann"), ("replay", "ships.yaml", "rest.json")):
        done = run(folder, *words)
        assert (done.returncode, done.stderr) == (0, told)
    asked = run(folder, "odds", "ships.yaml", "rest", "actor=ann", "--of", "ann.crew", "--state", "now.json")
    assert told in asked.stderr
