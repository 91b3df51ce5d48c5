"""What is wrong with the things of a ruleset and shows only when they are made, such as a bound that reads a value."""

from __future__ import annotations

from interpreter.api.game import Game
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.pipeline import Loaded


def problems_of_things(made: Loaded) -> list[Diagnostic]:
    """The problems of the things of a ruleset; none for a ruleset that has errors already."""
    if made.problems.errors or made.program is None or made.world is None or not made.program.kinds:
        return []
    try:
        _ = Game(made.program, made.world).start
    except PlayError as error:
        return list(error.diagnostics)
    return []
