"""States as a person hands them over: a file of things, or one that was saved."""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from pathlib import Path
from typing import TextIO

import click

from interpreter import diagnostics as say
from interpreter import scenefile
from interpreter.diagnostics import Problems, RulesetError
from interpreter.document import parse
from interpreter.game import Game
from interpreter.saved import named_nodes
from interpreter.source import Source
from interpreter.state import State


def text_of(name: str) -> str:
    """What stands in a file, or, for `-`, on standard input. Raises RulesetError where it cannot be read."""
    try:
        return _typed(sys.stdin) if name == "-" else Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RulesetError(say.cannot_read(name, str(getattr(error, "strerror", None) or error).lower())) from None


@lru_cache(maxsize=1)
def _typed(at: TextIO) -> str:
    """Standard input can be read once, and two games may want what stood there."""
    with click.open_file("-", encoding="utf-8") as file:
        text: str = file.read()
        return text


def state_in(playing: Game, name: str) -> State:
    """The state in a file: things as a case writes them under `before`, or what `--save` has written.

    Raises RulesetError where it cannot be read, PlayError where it does not fit the game.
    """
    text = text_of(name)
    problems = Problems()
    tree = parse(Source.of(name, text), problems)
    if problems.errors:
        raise RulesetError(*problems.errors)
    if tree is None:
        return playing.start
    if scenefile.is_scene_file(tree):
        return scenefile.state_of(playing, scenefile.from_text(Source.of(name, text)))
    written = named_nodes(tree)
    if "fingerprint" not in written:
        return playing.state_of(written)[0]
    try:
        return playing.state(json.loads(text))
    except ValueError as error:
        raise RulesetError(say.wrong_state(str(error).lower())) from None


def save(playing: Game, state: State, name: str) -> None:
    """Write a state where it can be read again. Raises RulesetError where that is not possible."""
    try:
        Path(name).write_text(playing.to_json(state) + "\n", "utf-8")
    except OSError as error:
        raise RulesetError(say.cannot_write(name, (error.strerror or str(error)).lower())) from None
