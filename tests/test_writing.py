"""What is saved stays: no kill leaves a file behind for good, a full disk is told, of two writers none is lost, and a
terminal that closes loses no game."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from multiprocessing import get_context
from pathlib import Path

import pytest
from terminal import Terminal

import interpreter
from interpreter.api.journal import Journal, session_in
from interpreter.diagnostics import RulesetError
from interpreter.syntax import files

HOUSERULE = [sys.executable, "-m", "interpreter"]
DUEL = [*HOUSERULE, "play", "fiend-wake", "duel", "--seed", "7"]


def begin() -> interpreter.Session:
    return interpreter.load_scene("rulesets/fiend-wake/scenes/duel.yaml").begin(seed=7)


def names_in(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


# Killed -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", ["open", "write", "fsync", "replace"])
@pytest.mark.parametrize("grows", [False, True], ids=["whole", "journal"])
def test_what_a_killed_program_has_left_is_removed_by_the_next_save(tmp_path: Path, stop: str, grows: bool) -> None:
    file = tmp_path / "game.json"
    file.write_text("old\n")
    child = os.fork()
    if child == 0:
        done = getattr(os, stop)

        def dying(*given: object, **named: object) -> None:
            if stop != "replace":
                done(*given, **named)
            os._exit(9)

        setattr(os, stop, dying)
        files.GrowingFile(file, "new", over=True) if grows else files.write_whole(str(file), "new\n")
        os._exit(0)
    os.waitpid(child, 0)
    assert names_in(tmp_path) == [".game.json.tmp", "game.json"] and file.read_text() == "old\n"
    files.write_whole(str(file), "newer\n")
    assert names_in(tmp_path) == ["game.json"] and file.read_text() == "newer\n"


def write_forever(file: str) -> None:
    while True:
        files.write_whole(file, "x" * 10_000)


@pytest.mark.parametrize("kills", [20, pytest.param(500, marks=pytest.mark.thorough)])
def test_after_many_kills_one_save_leaves_one_file(tmp_path: Path, kills: int) -> None:
    file, context = str(tmp_path / "game.json"), get_context("fork")
    for number in range(kills):
        writer = context.Process(target=write_forever, args=(file,))
        writer.start()
        time.sleep(0.005 + number % 7 / 1000)
        os.kill(writer.pid or 0, signal.SIGKILL)
        writer.join()
        assert len(names_in(tmp_path)) <= 2
    files.write_whole(file, "whole")
    assert names_in(tmp_path) == ["game.json"]


def test_a_link_in_the_place_of_the_new_file_is_not_followed(tmp_path: Path) -> None:
    file, other = tmp_path / "game.json", tmp_path / "other"
    other.write_text("mine")
    (tmp_path / ".game.json.tmp").symlink_to(other)
    with pytest.raises(RulesetError, match="HR001"):
        files.write_whole(str(file), "new")
    assert other.read_text() == "mine" and not file.exists()


# Two writers --------------------------------------------------------------------------------------------------------


def add_lines(file: str, letter: str, number: int) -> None:
    """Add letters to a file, one by one; whoever finds that it was changed meanwhile begins again."""
    for _ in range(number):
        while True:
            seen = files.see(file)
            text = Path(file).read_text("utf-8") if seen else ""
            try:
                files.write_whole(file, text + letter, seen)
                break
            except RulesetError as refused:
                assert "HR683" in str(refused)


def test_no_writer_is_lost_that_says_what_it_has_seen(tmp_path: Path) -> None:
    file, context = str(tmp_path / "letters"), get_context("fork")
    writers = [context.Process(target=add_lines, args=(file, letter, 60)) for letter in "ab"]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    letters = Path(file).read_text("utf-8")
    assert [one.exitcode for one in writers] == [0, 0] and (letters.count("a"), letters.count("b")) == (60, 60)
    assert names_in(tmp_path) == ["letters"]


def test_a_second_save_of_another_game_is_written_beside(tmp_path: Path) -> None:
    at = [subprocess.Popen([*DUEL, "--no-save", "--save", "duel.json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, cwd=tmp_path) for _ in range(2)]  # fmt: skip
    for one in at:  # both have begun when the first question is there
        assert one.stdout is not None
        shown = ""
        while not shown.endswith("> "):
            more = one.stdout.read(1)
            assert more, shown
            shown += more
    first, second = [one.communicate(":quit\n", timeout=120)[1] for one in at]
    assert first == "" and "saved in duel-2.json" in second
    assert names_in(tmp_path) == ["duel-2.json", "duel.json"]
    assert all(json.loads((tmp_path / name).read_text("utf-8"))["houserule"] for name in names_in(tmp_path))


def test_a_state_that_another_command_has_saved_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "shoves.yaml").write_text(
        "ruleset: shoves\nkinds: {person: {has: {hold: {type: points, to: 9, starts: 9, seen_by: everybody}}}}\n"
        "actions: {slip: {actor: person, steps: {lost: {lose: 1, from: actor.hold}}}}\n"
    )
    state, game = tmp_path / "s.json", interpreter.load(tmp_path / "shoves.yaml")
    state.write_text(game.to_json(game.state(ann={"is": "person"})))
    act = [*HOUSERULE, "act", "shoves.yaml", "s.json", "slip", "actor=ann", "--save", "s.json"]
    done = subprocess.run(act, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    other = (
        "from interpreter.cli import act, main; from interpreter.syntax import files\n"
        "def slow(*given):\n    found = state_in(*given); files.write_whole('s.json', open('s.json').read() + ' ')\n"
        "    return found\n"
        "state_in, act.state_in = act.state_in, slow\nmain()"
    )
    lost = subprocess.run([sys.executable, "-c", other, *act[3:]], cwd=tmp_path, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert lost.returncode == 2 and "HR683" in lost.stderr
    assert game.look(game.state(state.read_text()), "ann.hold") == 8


def test_a_journal_is_played_by_one_program_at_a_time(tmp_path: Path) -> None:
    path, session = tmp_path / "duel.journal", begin()
    seen = files.see(str(path))
    first = Journal(path, session)
    before = path.read_text("utf-8")
    with pytest.raises(RulesetError, match="HR684"):
        Journal(path, session, over=True)
    first.close()
    with pytest.raises(RulesetError, match="HR683"):
        Journal(path, session, over=True, seen=seen)
    assert path.read_text("utf-8") == before and names_in(tmp_path) == ["duel.journal"]
    Journal(path, session, over=True, seen=files.see(str(path))).close()
    assert names_in(tmp_path) == ["duel.journal"]


def test_a_game_that_is_played_in_another_terminal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "duel.journal"
    journal = Journal(path, begin())
    there = [*HOUSERULE, "play", "fiend-wake", str(path)]
    refused = subprocess.run(there, input="\n", capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "HR684" in refused.stderr and "Traceback" not in refused.stderr
    journal.close()
    played = subprocess.run(there, input="\n:quit\n", capture_output=True, text=True, check=False)
    assert played.returncode == 0 and "saved; " in played.stderr
    saved = session_in(path.read_text("utf-8"))
    assert saved is not None and any(one["how"] == "given" for one in saved["log"])


# A full disk --------------------------------------------------------------------------------------------------------


def with_room_for(size: int) -> None:
    """What a full disk is to a program: no file may grow beyond a size."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def test_a_journal_goes_on_where_there_is_room_again(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            file = files.GrowingFile(path, "first")
            with_room_for(14)
            file.append("second")
            with pytest.raises(OSError):
                file.append("third")
            with_room_for(100)
            file.append("fourth")
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert path.read_text() == "first\nsecond\nfourth\n"


def test_a_game_that_is_not_saved_says_so_at_once(tmp_path: Path) -> None:
    full = ("import resource, signal; resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, resource.RLIM_INFINITY));"
            "from interpreter.cli import main; main()")  # fmt: skip
    played = subprocess.run(
        [sys.executable, "-c", full, *DUEL[3:], "--save", "duel.json"],
        input="\n:quit\n", capture_output=True, text=True, cwd=tmp_path, check=False,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
    )  # fmt: skip
    assert played.stdout.index("the game is not being saved: file too large") < played.stdout.index("> ")
    assert played.stdout.count("not being saved") == 1
    assert "HR001 `duel.json` cannot be written: file too large" in played.stderr
    assert "Traceback" not in played.stderr and played.returncode == 2
    assert names_in(tmp_path) == ["houserule"] and names_in(tmp_path / "houserule") == []


# A closed terminal --------------------------------------------------------------------------------------------------


def test_a_terminal_that_closes_loses_no_game(tmp_path: Path) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path / "state")}
    os.environ.update(environment)
    try:
        at = Terminal(*DUEL[3:], "--save", str(tmp_path / "left.json"))
    finally:
        os.environ.pop("XDG_STATE_HOME")
    with at:
        at.sees("> ")
        at.types("")
        at.sees("> ")
        os.close(at.near)  # the window is gone
        at.near = os.open(os.devnull, os.O_RDONLY)
        os.killpg(at.process.pid, signal.SIGHUP)
        at.process.wait(60)
    saved = json.loads((tmp_path / "left.json").read_text("utf-8"))
    assert saved["houserule"].startswith("session/") and any(one["how"] == "given" for one in saved["log"])
