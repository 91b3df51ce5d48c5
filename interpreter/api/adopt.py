"""A save of any kind, taken up under the rules of a game: what is told, what must be decided, and what it becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter.api.begin_session import saved_data
from interpreter.api.replay import replay
from interpreter.api.result import Result
from interpreter.api.resume_session import resume
from interpreter.api.session import Session
from interpreter.diagnostics import PlayError
from interpreter.runtime.state import State
from interpreter.saves.header import check_header, kind_of_save, lines_of_rules, without_gone_attributes
from interpreter.saves.plan import AdoptionLine, Wishes
from interpreter.syntax.json_text import NotJson, read_json

if TYPE_CHECKING:
    from interpreter.api.game import Game


@dataclass(frozen=True)
class Adopted:
    """A save under the rules of now. `kind` is `state`, `session` or `result`; what it becomes is None while something
    is open.

    `lines` tell all that differs; without any, nothing that the save uses has changed.
    """

    kind: str
    lines: tuple[AdoptionLine, ...]
    state: State | None = None
    session: Session | None = None
    result: Result | None = None

    @property
    def decisions(self) -> tuple[AdoptionLine, ...]:
        """The lines that wait for a decision."""
        return tuple([one for one in self.lines if one.open])


def adopt(game: Game, save: str | Mapping[str, Any], wishes: Wishes) -> Adopted:
    """Take up a saved state, session or result. Raises PlayError for what is no save, or of a later form."""
    if isinstance(save, str):
        try:
            save = read_json(save)
        except NotJson as error:
            raise PlayError(say.wrong_state(str(error))) from None
    if kind_of_save(save) == "session":
        return _adopt_session(game, save, wishes)
    if not isinstance(save, Mapping):
        raise PlayError(say.wrong_state("it is not a mapping"))
    if kind_of_save(save) == "result":
        return _adopt_result(game, save, wishes)
    adopted = game.adopt_state(save, check_header("state", save), wishes)
    return Adopted("state", adopted.lines, state=adopted.state)


def _adopt_result(game: Game, save: Mapping[str, Any], wishes: Wishes) -> Adopted:
    try:
        result = replay(game, save, wishes)
    except PlayError as error:
        if error.diagnostic.code != say.DECISIONS_OPEN:
            raise
        states = [save[key] for key in ("before", "after")]
        adopted = [game.adopt_state(one, check_header("state", one), wishes.about(one, save)) for one in states]
        lines = [line for one in adopted for line in one.lines]
        rules = lines_of_rules(game.program, check_header("result", save))
        lines = [*without_gone_attributes(rules, lines), *lines]
        return Adopted("result", tuple({line.text: line for line in lines}.values()))
    return Adopted("result", result.adopted, result=result)


def _adopt_session(game: Game, save: str | Mapping[str, Any], wishes: Wishes) -> Adopted:
    data = saved_data(save)
    try:
        session = resume(game, data, None, wishes)
    except PlayError as error:
        if error.diagnostic.code != say.DECISIONS_OPEN:
            raise
        rules = check_header("session", data)
        at = data["boundary"]["state"] if data["boundary"] is not None else data["state"]
        lines = game.adopt_state(at, rules, wishes.about(at, data)).lines
        changed = without_gone_attributes(lines_of_rules(game.program, rules), lines)
        return Adopted("session", (*changed, *lines))
    return Adopted("session", session.adopted, session=session)
