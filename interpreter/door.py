"""The way in for hosts: a ruleset by name, path or text becomes a game, or a list of what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from interpreter import pipeline
from interpreter.diagnostics import Diagnostic, PlayError, RulesetError
from interpreter.game import Game
from interpreter.pipeline import Loaded
from interpreter.source import Source


def load(ruleset: str | PathLike[str], *, options: Mapping[str, Any] | None = None) -> Game:
    """The game of a bundled ruleset, a file or a folder, under `options`.

    Raises RulesetError with every error where the ruleset cannot be played or an option does not fit.
    """
    return _game(pipeline.from_path(pipeline.find(str(ruleset))), options)


def loads(text: str, *, name: str = "<text>", options: Mapping[str, Any] | None = None) -> Game:
    """The game of a ruleset that is text; touches no file. `name` is what messages call it."""
    return _game(pipeline.from_text(Source.of(name, text)), options)


def check(path: str | PathLike[str]) -> list[Diagnostic]:
    """Everything that is wrong with a ruleset, as far as can be known without playing; warnings too."""
    try:
        return list(pipeline.from_path(pipeline.find(str(path))).problems)
    except RulesetError as error:
        return error.diagnostics


def _game(loaded: Loaded, options: Mapping[str, Any] | None) -> Game:
    if loaded.problems.errors or loaded.program is None or loaded.world is None:
        raise RulesetError(*loaded.problems.errors)
    try:
        return Game(loaded.program, loaded.world, options)
    except PlayError as error:
        raise RulesetError(*error.diagnostics) from None


def path_of(ruleset: str) -> Path:
    """Where a ruleset lies. Raises RulesetError where there is none of that name."""
    return pipeline.find(ruleset)
