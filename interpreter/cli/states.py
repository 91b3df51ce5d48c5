"""States from files: a file of things, or a saved state."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, TextIO

from interpreter import diagnostics as say
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.api.journal import session_in
from interpreter.api.state_json import named_nodes
from interpreter.cli.terminal import echo
from interpreter.diagnostics import Problems, RulesetError
from interpreter.diagnostics.source import Source
from interpreter.runtime.state import State
from interpreter.saves.header import KIND, is_save
from interpreter.saves.plan import AdoptionLine
from interpreter.syntax import files
from interpreter.syntax.document import parse
from interpreter.syntax.json_text import NotJson, read_json

RULES_HAVE_CHANGED = "The rules have changed since it was saved:"


def read_text(name: str) -> str:
    """The text of a file, or, for `-`, of standard input. Raises RulesetError if it cannot be read."""
    return _read_standard_input(sys.stdin) if name == "-" else files.read_saved(name)


@lru_cache(maxsize=1)
def _read_standard_input(at: TextIO) -> str:
    """Cached, because standard input can be read only once, and two games may need its text."""
    return files.read_saved("-")


def saved_session_in(name: str) -> Mapping[str, Any] | None:
    """The saved session in a file, whatever its name; None if the file holds something else."""
    return session_in(read_text(name))


def json_object(text: str) -> Mapping[str, Any] | None:
    """The object of JSON that a text is, or None."""
    if text.lstrip().startswith("{"):
        with suppress(NotJson):
            saved: Mapping[str, Any] = read_json(text)
            return saved
    return None


def state_in(playing: Game, name: str, under_way: bool = False) -> State:
    """The state in a file: things in the form of `before` in a case, a state written by `--save`, a session of `play`.

    A scene file gives its things before the scene begins, or, `under_way`, as they are when the scene first asks.
    What has changed in the rules since it was saved is told on standard error. Raises RulesetError if it cannot be
    read, PlayError if it does not fit the game.
    """
    text = read_text(name)
    session = session_in(text)
    if session is not None:
        resumed = playing.resume(session)
        tell_adopted(resumed.adopted)
        return resumed.state
    saved = json_object(text) or {}
    if is_save(saved):
        adopted = playing.adopt(saved)
        tell_adopted(adopted.lines if not adopted.decisions else ())
        return adopted.state if adopted.state is not None else playing.state(saved)
    problems = Problems()
    tree = parse(Source.of(name, text), problems)
    if problems.errors:
        raise RulesetError(*problems.errors)
    if tree is None:
        return playing.start
    if scene_file.is_scene_file(tree):
        scene = scene_file.from_text(Source.of(name, text))
        state = scene_file.state_of(playing, scene)
        if under_way and scene.scene is not None:
            given = scene_file.inputs_of(playing, scene)
            return playing.begin(scene_file.path_of_scene(scene), state=state, inputs=given).state
        return state
    written = named_nodes(tree)
    if KIND in written:
        return playing.state(text)
    return playing.state_of(written)[0]


def tell_adopted(lines: Sequence[AdoptionLine]) -> None:
    """Say on standard error what has changed in the rules since a save."""
    if lines:
        echo("\n".join((RULES_HAVE_CHANGED, *(f"  {one.text}" for one in lines))), err=True)


def state_left_by(playing: Game, name: str) -> tuple[State, tuple[AdoptionLine, ...]]:
    """The state in which the saved session of a file has ended, or any state of a file, and what has changed in the
    rules since it was saved.

    Raises RulesetError if it cannot be read or the session is not over, PlayError if something must be decided first.
    """
    text = read_text(name)
    session = session_in(text)
    if session is not None:
        resumed = playing.resume(session)
        if not resumed.over:
            raise RulesetError(say.save_not_over(name))
        return resumed.state, resumed.adopted
    saved = json_object(text) or {}
    if not is_save(saved):
        return state_in(playing, name), ()
    adopted = playing.adopt(saved)
    return (adopted.state if adopted.state is not None else playing.state(saved)), adopted.lines


def save_state(playing: Game, state: State, name: str, seen: str) -> None:
    """Write a state to a file, which `state_in` reads. Raises RulesetError if that is not possible, if another file is
    there that is no saved state, or if it is not what was `seen` there before the state was read."""
    from interpreter.cli.autosave import check_replaceable

    check_replaceable(name)
    files.write_whole(name, playing.to_json(state) + "\n", seen)
