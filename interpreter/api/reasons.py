"""Why a result is what it is: the reasons of one of its values, as lines."""

from __future__ import annotations

from collections.abc import Collection

from interpreter.api.game import Game
from interpreter.api.result import Result
from interpreter.layers.merge import Merged
from interpreter.report.trace import Line
from interpreter.report.why import Played, reasons


def reasons_of(
    game: Game, merged: Merged | None, result: Result, name: str, given: Collection[str] | None = None
) -> list[Line]:
    """The reasons of a value of a result, by its name, each line with how far it is from the value.

    `merged` tells which house rule says something. `given` are the inputs that somebody gave, None where that is not
    known.
    """
    rule = result.rule
    usual = frozenset(one.name for one in rule.inputs if given is not None and one.name not in given)
    values = {**result.inputs, **result.values, **result.also}
    lines_by_path = {line.path: line for line in result.trace if line.depth == 0}
    return reasons(
        game.program, merged, Played(rule, values, result.outcome, lines_by_path, usual), name, game.option_values
    )
