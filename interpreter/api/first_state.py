"""What is wrong with the things of a ruleset and shows only when they are made, such as a bound that reads a value."""

from __future__ import annotations

from interpreter.api.game import Game
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.pipeline import Loaded


def problems_of_things(loaded: Loaded) -> list[Diagnostic]:
    """The problems of the things of a ruleset; none for a ruleset that has errors already."""
    if loaded.problems.errors or loaded.program is None or loaded.world is None or not loaded.program.kinds:
        return []
    try:
        _ = Game(loaded.program, loaded.world).start
    except PlayError as error:
        return list(error.diagnostics)
    return []
