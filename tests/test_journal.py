"""A game at the terminal is on the disk after every answer, and nothing else is overwritten."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import games
import pytest
from marks import sample

from interpreter import Session
from interpreter.api.journal import Journal, session_in
from interpreter.cli import play
from interpreter.cli.play_screen import Screen
from interpreter.cli.typed_answers import equal_requests
from interpreter.diagnostics import PlayError

DUEL = ("play", "fiend-wake", "duel", "--seed", "7")
CASTLE = ("play", "fiend-wake", "castle", "--seed", "7")
ANY_LINES = random.Random(25).choices(("", "1", "2"), k=150)
"""What is typed first in the castle: defaults, numbers in a list, and what is refused."""


def begin(scene: str) -> Session:
    """A scene of Fiend Wake as `play` begins it, with all its players here."""
    import interpreter

    return interpreter.load_scene(f"rulesets/fiend-wake/scenes/{scene}.yaml").begin(seed=7)


def answer(session: Session) -> None:
    """Answer the first open question as Enter does, which takes the default."""
    asked = session.host.requests[0]
    session.host.answer(asked.id, asked.default if asked.has_default else (asked.options or (0,))[0])


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


class Whole(NamedTuple):
    """A game that nothing interrupts."""

    data: dict[str, Any]
    outcome: str | None
    lines: list[str]
    """What is typed."""
    sizes: list[int]
    """How many answers its log has before each of the lines, and at the end."""


def type_line(session: Session, line: str) -> None:
    """What `play` does with a line that answers the open question, or is refused."""
    with suppress(PlayError):
        play._give_answers(session, equal_requests(session), line, Screen(lambda text, style: text, verbose=False))


def line_to_the_end(session: Session) -> str:
    """An answer that brings a fight to its end: everybody attacks, agrees to peace, and else takes what Enter gives."""
    asked = equal_requests(session)[0]
    options = [str(option) for option in asked.options or ()]
    attacks = [option for option in options if "attack" in option]
    if attacks or not asked.has_default:
        return [*attacks, *options, "0"][0]
    return "yes" if "end the fight" in asked.question else ""


@cache
def whole_castle() -> Whole:
    session, lines, sizes = begin("castle"), [], []
    session.host.ask("usual")  # as a terminal begins
    while not session.over and len(lines) < 1000:
        line = ANY_LINES[len(lines)] if len(lines) < len(ANY_LINES) else line_to_the_end(session)
        lines.append(line)
        sizes.append(len(session.log))
        type_line(session, line)
    assert session.result is not None
    return Whole(session.to_data(), session.result.outcome, lines, [*sizes, len(session.log)])


def kill_castle(folder: Path, typed: list[str], lines: int, then: float) -> str:
    """Play the castle, and kill the program some seconds after its journal has so many lines; returns that."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
    with subprocess.Popen(
        [sys.executable, "-m", "interpreter", *CASTLE], stdin=subprocess.PIPE, **quiet, env=environment
    ) as run:
        assert run.stdin is not None
        run.stdin.write("".join(f"{line}\n" for line in typed).encode())
        run.stdin.flush()
        written = ""
        while run.poll() is None and written.count("\n") < lines:
            time.sleep(0.01)
            written = "".join(one.read_text("utf-8") for one in (folder / "houserule").glob("*.journal"))
        time.sleep(then)
        run.send_signal(signal.SIGKILL)
    return next((folder / "houserule").glob("*.journal")).read_text("utf-8")


@pytest.mark.parametrize("number", sample(range(200), 0, 6))
def test_a_killed_game_loses_nothing_but_the_answer_that_is_typed(number: int, tmp_path: Path) -> None:
    chance = random.Random(number)
    whole = whole_castle()
    saved = session_in(kill_castle(tmp_path, whole.lines, chance.randint(1, len(whole.sizes)), chance.uniform(0, 0.1)))
    assert saved is not None
    session = games.game("fiend-wake").resume(saved)
    done = len(session.log)
    assert session.to_data()["log"] == whole.data["log"][:done]
    for line in whole.lines[whole.sizes.index(done) :]:
        type_line(session, line)
    assert session.result is not None and session.result.outcome == whole.outcome
    assert session.to_data() == whole.data


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
