"""What is told of every save after every change."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import interpreter
from adoption.changes import CHANGES, FLEET, Change
from interpreter import Game, HouseruleError
from interpreter.api.adopt import Adopted
from interpreter.api.journal import Journal, session_in

TOLD = Path(__file__).parent / "told.txt"
COLUMNS = ("state", "session in a question", "session between rounds", "result", "journal")
ANSWERS = ("ram", "bo", "pass", "rest", "pass", "ram")
"""What is answered in the first round, and then in the second, in which the target is asked for."""


def game_of(text: str, over: str, options: dict[str, int] | None = None) -> Game:
    """The game of a ruleset, with a house rule over it if there is one."""
    if not over:
        return interpreter.loads(text, options=options)
    return interpreter.loads(over, resolve=lambda wanted: text, options=options)


def saves(change: Change, folder: Path) -> dict[str, str]:
    """A save of each kind, as it was written before a change."""
    game = game_of(FLEET, change.before)
    state = game.state({"ann": {"is": "ship", "friend": "bo"}, "bo": {"is": "ship", "sail": 3, "crew": 6}})
    result = game.act(state, "ram", actor="ann", target="bo", seed=1)
    path = folder / "duel.journal"
    path.unlink(missing_ok=True)
    session = game.begin("duel", state=state, fighters=["ann", "bo"], seed=3)
    journal = Journal(path, session)
    between = ""
    for number, answer in enumerate(ANSWERS, 1):
        session.host.answer(session.host.requests[0].id, answer)
        journal.note(session)
        between = session.to_json() if number == len(ANSWERS) - 1 else between
    journal.close()
    data = session_in(path.read_text("utf-8"))
    assert result.state is not None and session.turn[0] == 2 and data is not None
    texts = (game.to_json(result.state), session.to_json(), between, result.to_json(), json.dumps(data))
    return dict(zip(COLUMNS, texts, strict=True))


def adopted_of(change: Change, save: str) -> Adopted | HouseruleError:
    """What becomes of a save after a change, or why it cannot be taken up."""
    try:
        return game_of(change.rules(), change.over, change.options).adopt(save)
    except HouseruleError as refused:
        return refused


def lines_of(adopted: Adopted | HouseruleError) -> list[str]:
    """What is told, with a sign before each line: `!` where something must be decided, `x` where it is refused."""
    if isinstance(adopted, HouseruleError):
        return [f"x {adopted.diagnostics[0].code} {adopted.diagnostics[0].message}"]
    return [f"{'!' if line.open else ' '} {line.text}" for line in adopted.lines]


def told(change: Change, folder: Path) -> dict[str, list[str]]:
    """What is told of a save of each kind."""
    return {column: lines_of(adopted_of(change, save)) for column, save in saves(change, folder).items()}


def page(folder: Path) -> str:
    """All that is told, with one paragraph for each change."""
    return "\n".join("\n".join(_paragraph(name, told(change, folder))) + "\n" for name, change in CHANGES.items())


def _paragraph(name: str, columns: dict[str, list[str]]) -> Iterator[str]:
    yield f"# {name}"
    shown: dict[tuple[str, ...], list[str]] = {}
    for column, lines in columns.items():
        shown.setdefault(tuple(lines), []).append(column)
    for told_there, names in shown.items():
        yield f"{', '.join(names)}:{'' if told_there else ' nothing to tell'}"
        yield from [f"  {line}" for line in told_there]


def record(_: list[Path]) -> None:
    """Write `told.txt` anew."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(FileNotFoundError):
        TOLD.write_text(page(Path(folder)), "utf-8")
