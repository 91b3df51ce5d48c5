"""A game at the terminal is on the disk after every answer, and nothing else is overwritten."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import games
import pytest
from marks import sample

from interpreter import Session
from interpreter.api.journal import Journal, session_in

DUEL = ("play", "fiend-wake", "duel", "--seed", "7")
FAST, SLOW = 0.4, 2.5
"""The seconds after which a game is killed: about when it begins, and when many questions have been answered."""


def begin(scene: str) -> Session:
    """A scene of Fiend Wake as `play` begins it, with all its players here."""
    import interpreter

    return interpreter.load_scene(f"rulesets/fiend-wake/scenes/{scene}.yaml").begin(seed=7)


def answer(session: Session) -> None:
    """Answer the first open question as Enter does, which takes the default."""
    asked = session.host.requests[0]
    session.host.answer(asked.id, asked.default if asked.has_default else (asked.options or (0,))[0])


def finish(session: Session, most: int = 10_000) -> list[dict[str, object]]:
    while not session.over and len(session.log) < most:
        answer(session)
    return [one.to_data() for one in session.log]


def test_a_journal_gives_the_session_back_after_every_answer_and_undo(tmp_path: Path) -> None:
    session = begin("duel")
    journal = Journal(tmp_path / "duel.journal", session)
    game = games.game("fiend-wake")
    for number in range(14):
        if number % 7 == 6:
            session.host.undo()
        elif number % 11 == 10:
            session.host.refuse("round")
        else:
            answer(session)
        journal.note(session)
        saved = session_in((tmp_path / "duel.journal").read_text("utf-8"))
        assert saved is not None
        resumed = game.resume(saved)
        assert resumed.to_data() == session.to_data()
    text = (tmp_path / "duel.journal").read_text("utf-8")
    half = session_in(text[: len(text) - 40])
    assert half is not None and game.resume(half).log


@pytest.mark.parametrize("number", sample(range(200), 0, 6))
def test_a_killed_game_loses_nothing_but_the_answer_that_is_typed(number: int, tmp_path: Path) -> None:
    chance = random.Random(number)
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    words = [sys.executable, "-m", "interpreter", *DUEL]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    with subprocess.Popen(words, stdin=subprocess.PIPE, **quiet) as run:
        assert run.stdin is not None
        end = time.monotonic() + chance.uniform(FAST, SLOW)
        while time.monotonic() < end:
            os.write(run.stdin.fileno(), b"\n")
            time.sleep(0.002)
        run.send_signal(signal.SIGKILL)
    whole = finish(begin("duel"), 400)
    for file in (tmp_path / "houserule").glob("*.journal") if (tmp_path / "houserule").exists() else ():
        saved = session_in(file.read_text("utf-8"))
        if saved is None:
            continue  # it was killed while its first line was written
        session = games.game("fiend-wake").resume(saved)
        log = [one.to_data() for one in session.log]
        assert log == whole[: len(log)]
        assert finish(session, 400)[:400] == whole[:400]


def test_only_a_save_of_the_same_game_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    asked = ":save notes.txt\n:save duel.json\n:save duel.json\n:quit\n"
    played = subprocess.run(
        [sys.executable, "-m", "interpreter", *DUEL],
        input=asked,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert "HR683" in played.stdout and played.stdout.count("saved in duel.json") == 2
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert json.loads((tmp_path / "duel.json").read_text("utf-8"))["houserule"] == "session/5"
    again = [sys.executable, "-m", "interpreter", *DUEL]
    played = subprocess.run(
        again, input="\n\n:save two.json\n:quit\n", capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert "saved in two.json" in played.stdout
    played = subprocess.run(  # a game of the same seed, in which nobody has answered yet
        again, input=":save two.json\n", capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert "HR683" in played.stdout
    other = [sys.executable, "-m", "interpreter", *DUEL[:-1], "8", "--save", "duel.json"]
    refused = subprocess.run(other, input="", capture_output=True, text=True, cwd=tmp_path, check=False)
    assert refused.returncode and "HR683" in refused.stderr
