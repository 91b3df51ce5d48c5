"""`--why NAME` of `roll` and `replay`: what made a result what it is, and what would have made it another."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from interpreter import diagnostics as say
from interpreter.api.game import Game
from interpreter.api.otherwise import nearest_changes
from interpreter.api.reasons import reasons_of
from interpreter.api.result import Result
from interpreter.cli.terminal import Paint
from interpreter.cli.traces import dice_thrown, format_lines
from interpreter.diagnostics import PlayError
from interpreter.layers.merge import Merged
from interpreter.report.why import names_with_reasons

DEEPEST = 5
"""How deep the reasons go that are shown without `--verbose`."""


def why_page(
    game: Game,
    merged: Merged | None,
    result: Result,
    name: str,
    given: Collection[str] | None,
    paint: Paint,
    verbose: bool,
) -> str:
    """The reasons for a value of a result, and the nearest changes that bring another one.

    `given` are the inputs that somebody gave, if that is known. The reasons go a few steps back, or, with `verbose`,
    all the way. Raises PlayError if the result has no such value.
    """
    rule = result.rule
    if name not in names_with_reasons(rule):
        raise PlayError(say.not_one_of(say.NOWHERE, "what `--why` can tell of", name, names_with_reasons(rule)))
    every = reasons_of(game, merged, result, name, given)
    shown = [line for line in every if verbose or line.depth <= DEEPEST]
    lines = list(format_lines(shown, paint))
    if len(shown) < len(every):
        lines.append(paint(f"… and {len(every) - len(shown)} more behind these, with --verbose", "dim"))
    return "\n".join([*lines, *_lines_of_nearest_changes(game, result, name), *dice_thrown(result, paint)])


def _lines_of_nearest_changes(game: Game, result: Result, name: str) -> Iterator[str]:
    changes = nearest_changes(game, result, name)
    if changes:
        yield "Otherwise:"
        yield from (f"  {one}" for one in changes)
