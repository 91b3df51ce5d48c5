"""Laws by plain enumeration of a rule that starts from a state: the reference that odds are compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from interpreter.api.game import Game
from interpreter.api.query import Query, prepare
from interpreter.odds.brute_force import law_of
from interpreter.odds.projection import value_at
from interpreter.play.deciders import Answers
from interpreter.play.requests import Choice
from interpreter.play.run import SilentRun
from interpreter.runtime.evaluator import frame
from interpreter.runtime.state import State
from interpreter.syntax.document import from_python


def start(game: Game, name: str, state: State, given: Mapping[str, Any]) -> Callable[[], Any]:
    """What begins one walk of a rule."""
    nodes = {key: from_python(value, key) for key, value in given.items()}
    ready = prepare(Query(game, name, nodes, state))

    def begin() -> Any:
        run = SilentRun()
        return ready.walk({**ready.frame, ".meter": frame()[".meter"]}, run), run

    return begin


def by_enumeration(
    game: Game, name: str, state: State, names: tuple[str, ...], given: Mapping[str, Any], said: Answers | None = None
) -> dict[Any, Fraction]:
    """The law of names of a rule; `said` answers its choices, which otherwise get their defaults."""
    answers = said or game.answers(None, None, None, game.reader(state))

    def decide(choice: Choice) -> Any:
        return answers.always(choice)[0][0]

    return law_of(start(game, name, state, given), decide, lambda record: tuple(value_at(record, n) for n in names))
