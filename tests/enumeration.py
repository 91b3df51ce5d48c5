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
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.state import State
from interpreter.syntax.document import from_python


def start(game: Game, name: str, state: State, given: Mapping[str, Any]) -> Callable[[], Any]:
    """What begins one walk of a rule."""
    nodes = {key: from_python(value, key) for key, value in given.items()}
    ready = prepare(Query(game, name, nodes, state))

    def begin() -> Any:
        run = SilentRun()
        return ready.walk({**ready.frame, ".meter": new_frame()[".meter"]}, run), run

    return begin


def by_enumeration(
    game: Game, name: str, state: State, names: tuple[str, ...], given: Mapping[str, Any], said: Answers | None = None
) -> dict[Any, Fraction]:
    """The law of names of a rule; `said` answers its choices, which otherwise get their defaults."""
    answers = said or game.answers(None, None, None, game.reader(state))

    def decide(choice: Choice) -> Any:
        return answers.answer_always(choice)[0][0]

    return law_of(start(game, name, state, given), decide, lambda record: tuple(value_at(record, n) for n in names))


def hold_to_every_history(game: Game, name: str, *names: str, state: State | None = None, **given: Any) -> None:
    """The odds of names of a rule are those of every history, and a simulation comes close to them."""
    start_of = {} if state is None else {"state": state}
    true = by_enumeration(game, name, state or game.state(), names, given)
    assert game.odds(name, **start_of, **given).law(*names).weights == true
    found = game.simulate(name, **start_of, runs=2_000, seed=1, of=names, **given).law(*names).weights
    assert found.keys() <= true.keys()
    assert all(abs(float(found.get(key, 0) - share)) < 0.08 for key, share in true.items())
