"""Pickles of results: a game and the data of a result, of which it is played again where the pickle is read."""

from __future__ import annotations

import copyreg
from typing import Any

from interpreter.api.result import Result
from interpreter.pickled import reduce_by


def _reduce(result: Result) -> tuple[Any, ...]:
    if result.trace.game is None:
        raise TypeError("a result that no game has made cannot be pickled")
    return reduce_by(_play_again, result.trace.game, result.to_data())


def _play_again(game: Any, data: dict[str, Any]) -> Result:
    made: Result = game.replay(data)
    return made


def register() -> None:
    """Make results pickles of this form."""
    copyreg.pickle(Result, _reduce)
