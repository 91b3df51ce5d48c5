"""Every kind of save after every kind of change of its rules, line by line: see `adoption`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from adoption.changes import CHANGES, OTHERS, SILENT
from adoption.told import COLUMNS, TOLD, adopted_of, game_of, page, saves, told
from test_campaign import run

from interpreter import Game, HouseruleError
from interpreter.api.adopt import Adopted
from interpreter.host.sessions import HostSessions


def test_what_is_told_is_what_was_recorded(tmp_path: Path) -> None:
    assert page(tmp_path) == TOLD.read_text("utf-8"), "`python -m tests.record adoption` shows what has changed"


@pytest.mark.parametrize("name", SILENT)
def test_a_change_that_no_save_uses_is_silent(name: str, tmp_path: Path) -> None:
    assert told(SILENT[name], tmp_path) == {column: [] for column in COLUMNS}


@pytest.mark.parametrize("name", OTHERS)
def test_some_save_tells_of_every_other_change(name: str, tmp_path: Path) -> None:
    silent = {"another start", "a number that becomes points"}  # values are stored, and these fit
    assert any(told(OTHERS[name], tmp_path).values()) == (name not in silent)


def taken_up(game: Game, save: str) -> Adopted | None:
    """What becomes of a save, decided as it is proposed; None for a result that comes out otherwise."""
    try:
        return game.adopt(save, proposals=True)
    except HouseruleError as refused:
        assert refused.diagnostics[0].code == "HR647"
        return None


@pytest.mark.parametrize("name", OTHERS)
def test_what_was_taken_up_once_is_taken_up_in_silence(name: str, tmp_path: Path) -> None:
    change = OTHERS[name]
    game = game_of(change.rules(), change.over, change.options)
    for column, save in saves(change, tmp_path).items():
        adopted = taken_up(game, save)
        if adopted is None or any(line.kind == "needed" for line in adopted.decisions):
            continue  # nothing is proposed for a new attribute without a value
        assert not adopted.decisions
        if adopted.state is not None:
            again = game.adopt(game.to_json(adopted.state))
        else:
            played = adopted.session or adopted.result
            assert played is not None
            again = game.adopt(played.to_json())
        assert again.lines == (), column


@pytest.mark.parametrize("name", CHANGES)
def test_a_host_is_told_the_same(name: str, tmp_path: Path) -> None:
    change = CHANGES[name]
    host = HostSessions(game_of(change.rules(), change.over, change.options))
    for save in saves(change, tmp_path).values():
        call = {"do": "adopt", "viewer": "host", "saved": json.loads(save)}
        reply, here = host.reply(json.dumps(call)), adopted_of(change, save)
        if isinstance(here, HouseruleError):
            assert reply["error"]["code"] == here.diagnostics[0].code
            continue
        assert [line["text"] for line in reply["adopted"]] == [line.text for line in here.lines]
        assert ("saved" in reply) == (not here.decisions)


@pytest.mark.parametrize("name", ["a comment", "a shorter range", "a renamed action", "another die of an action"])
def test_the_command_tells_the_same(name: str, tmp_path: Path) -> None:
    change = CHANGES[name]
    (tmp_path / "fleet.yaml").write_text(change.rules(), "utf-8")
    for number, save in enumerate(saves(change, tmp_path).values()):
        (tmp_path / f"{number}.save").write_text(save, "utf-8")
    names = [f"{number}.save" for number in range(len(COLUMNS))]
    done = run(tmp_path, "adopt", "fleet.yaml", *names, "--format", "json")
    for column, data in zip(COLUMNS, json.loads(done.stdout), strict=True):
        lines = told(change, tmp_path)[column]
        here = [f"{'!' if one['open'] else ' '} {one['text']}" for one in data.get("lines", ())]
        assert here == lines or (lines[0].startswith("x") and lines[0][2:7] in data["problem"])
