"""Loading for hosts: a ruleset by name, path or text becomes a game, or a list of its problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from interpreter import pipeline
from interpreter.api import arguments
from interpreter.api.game import Game
from interpreter.diagnostics import Diagnostic, PlayError, RulesetError
from interpreter.diagnostics.source import Source
from interpreter.pipeline import Finder, Loaded

Path_ = str | PathLike[str]


@arguments.with_checked_arguments
def load(
    ruleset: Path_,
    *,
    options: Mapping[str, Any] | None = None,
    layers: Sequence[Path_] = (),
    roots: Sequence[Path_] = (),
) -> Game:
    """The game of a bundled ruleset, a file or a folder, with `layers` over it and these `options`.

    Layers are bundled names or files. `roots` are folders that house rules may extend files from.

    Raises RulesetError with every error where the ruleset cannot be played or an option does not fit.
    """
    over = [pipeline.origin_of_layer(str(layer)) for layer in layers]
    return _game(pipeline.from_path(pipeline.find_ruleset(str(ruleset)), _folders(roots), over, to_play=True), options)


@arguments.with_checked_arguments
def loads(
    text: str, *, name: str = "<text>", options: Mapping[str, Any] | None = None, roots: Sequence[Path_] = ()
) -> Game:
    """The game of a ruleset that is text; without `roots` it touches no file but the bundled rulesets.

    `name` is what messages call it.
    """
    return _game(pipeline.from_text(Source.of(name, text), Finder(_folders(roots))), options)


def _folders(roots: Sequence[Path_]) -> tuple[Path, ...]:
    return tuple(Path(root) for root in roots)


@arguments.with_checked_arguments
def check(path: str | PathLike[str]) -> list[Diagnostic]:
    """Every problem of a ruleset that can be found without playing, including warnings."""
    try:
        return list(pipeline.from_path(pipeline.find_ruleset(str(path))).problems)
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
    """The path of a ruleset. Raises RulesetError if there is none of that name."""
    return pipeline.find_ruleset(ruleset)
