"""A saved session is taken up, also under rules that have changed since.

If nothing that it uses has changed, it is as it was. Else its answers are given again: from its beginning, if all that
was played happens all the same, so that it goes on where it was; or from its last boundary, as a new chapter, before
which nothing is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.adopt_state import AdoptedState
from interpreter.api.begin_session import (
    OF_AN_ANSWER,
    asks_usual,
    check_beginning,
    play_again,
    read_answer_line,
    saved_data,
)
from interpreter.api.boundaries import read_boundary
from interpreter.api.fair_dice import read_position
from interpreter.api.interventions import players_after
from interpreter.api.logged_run import LoggedRun
from interpreter.api.players import Players, players_of
from interpreter.api.query import Query, prepare
from interpreter.api.session import Session
from interpreter.api.session_log import GIVEN, WITH, Answer, Beginning
from interpreter.api.state_json import state_data
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.play.deciders import Policy
from interpreter.runtime.state import SCENE, State
from interpreter.saves.digest import Digest
from interpreter.saves.former_names import name_of_now, names_of_now, question_of_now, rule_of_now
from interpreter.saves.header import check_header, lines_of_rules, without_gone_attributes
from interpreter.saves.plan import NO_WISHES, AdoptionLine, Wishes
from interpreter.values import in_words, to_data
from interpreter.work_count import spend

if TYPE_CHECKING:
    from interpreter.api.game import Game

NO_STATE = AdoptedState(None, ())


def resume(
    game: Game, text: str | Mapping[str, Any], policy: str | Policy | None, wishes: Wishes = NO_WISHES
) -> Session:
    """The saved session under the rules of this game; its `adopted` says what has changed, and where it goes on.

    Raises PlayError if the save is malformed or contradicts itself, or something must be decided first.
    """
    data = saved_data(text)
    saved = _SavedSession(game, _with_names_of_now(game, data), check_header("session", data), policy, wishes)
    lines = saved.lines_of_rules()
    first = saved.adopt(data["state"])
    if not lines and not first.lines:
        return saved.as_it_was(first.state)
    session = saved.in_place(first.state)
    if session is not None:
        session.adopted = (*without_gone_attributes(lines, first.lines), *first.lines)
        return session
    there = saved.adopt(data["boundary"]["state"]) if data["boundary"] is not None else first
    session = saved.from_boundary(there.state) if data["boundary"] is not None else None
    if session is None and there is not first and not any(one.open for one in there.lines):
        there = first  # the boundary has no place in the rules any more
    if session is None:
        session = saved.from_beginning(there.state) if there is first else None
    if session is None:
        waiting = [one.text for one in there.lines if one.open]
        raise PlayError(say.decisions_open("session", waiting, "text" in saved.rules))
    session.adopted = (*without_gone_attributes(lines, there.lines), *there.lines, *session.adopted)
    return session


def _with_names_of_now(game: Game, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The data of a session with its rule, its inputs and its options as they are called now."""
    program, rule = game.program, rule_of_now(game.program, data["rule"])
    given, options = names_of_now(program, rule, data["given"]), names_of_now(program, "options", data["options"])
    return {**data, "rule": rule, "given": given, "options": options}


@dataclass(frozen=True)
class _SavedSession:
    """The data of a session that is taken up, and what it is taken up with."""

    game: Game
    data: Mapping[str, Any]
    rules: Mapping[str, Any]
    policy: str | Policy | None
    wishes: Wishes

    def adopt(self, state: Mapping[str, Any] | None) -> AdoptedState:
        if state is None:
            return NO_STATE
        return self.game.adopt_state(state, self.rules, self.wishes.about(state, self.data))

    def lines_of_rules(self) -> list[AdoptionLine]:
        """The rules that the session uses and that have changed, and the options that were chosen otherwise."""
        lines = lines_of_rules(self.game.program, self.rules)
        chosen = self.data["options"]
        for name in sorted({*chosen, *self.game.own_options} & {*self.game.program.options}):
            now = to_data(self.game.option_values[name])
            before = chosen.get(name, self._default(name))
            if f"options.{name}" in self.rules["uses"] and now != before:
                lines.append(AdoptionLine("option", f"options.{name}", f"`{name}` is {in_words(now)} now"))
        return lines

    def _default(self, name: str) -> Any:
        others = {key: value for key, value in self.game.own_options.items() if key != name}
        return to_data(type(self.game)(self.game.program, self.game.world, others).option_values[name])

    # The ways to go on -----------------------------------------------------------------------------------------------

    def as_it_was(self, state: State | None) -> Session:
        """The session with every answer as it was logged. Raises PlayError where it contradicts itself."""
        run = self._run(self.data["state"], state, self.data.get("at"))
        session = self._session(run)
        play_again(session, run, self.data)
        return session

    def in_place(self, state: State | None) -> Session | None:
        """The session where it was; None if something of what was played would happen otherwise now."""
        run = self._run_or_none(state, self.data.get("at"))
        if run is None:
            return None
        answers = self._answers()
        complete = run.answer_again(answers) == _number_given(answers)
        same = complete and Digest().of(run.course.run.events) == self.data["digest"]
        return self._session(run) if same else None

    def from_boundary(self, state: State | None) -> Session | None:
        """The session from its last boundary on, as a new chapter; None if its state or the boundary does not fit."""
        boundary = self.data["boundary"]
        there = {key: one for key, one in boundary.items() if key not in ("state", "answers")}
        run = self._run_or_none(state, there, boundary["answers"])
        if run is None:
            return None
        where = f"round {boundary['round']}"
        if boundary["phase"] is not None:
            phases = f"{self.data['rule']}.round"
            where += f", before `{name_of_now(self.game.program, phases, boundary['phase'])}`"
        return self._new_chapter(run, self._answers()[boundary["answers"] :], where)

    def from_beginning(self, state: State | None) -> Session | None:
        """The session from its beginning on, as a new chapter; None if its state must be decided on.

        Raises PlayError where the rule cannot be begun any more.
        """
        if state is None and self.data["state"] is not None:
            return None
        run = self._run(self._state_as_saved(state), state, self.data.get("at"))
        return self._new_chapter(run, self._answers(), "its beginning")

    def _new_chapter(self, run: LoggedRun, answers: list[Answer], where: str) -> Session:
        """A session in which answers are given again as long as the same is asked."""
        left = _number_given(answers) - run.answer_again(answers)
        alike = ("answer given since then is asked again", "answers given since then are asked again")
        asked = f"; {say.count_in_words(left, *alike)}" if left else ""
        session = self._session(run)
        session.earlier = (*session.earlier, {key: one for key, one in self.data.items() if key != "earlier"})
        session.adopted = (AdoptionLine("step_back", self.data["rule"], f"it goes on from {where}{asked}"),)
        return session

    # Runs ------------------------------------------------------------------------------------------------------------

    def _answers(self) -> list[Answer]:
        """The log, with actions and inputs as they are called now."""
        log = [read_answer_line(number, one, self.data["players"]) for number, one in enumerate(self.data["log"], 1)]
        return [_as_called_now(self.game.program, one) for one in log]

    def _session(self, run: LoggedRun) -> Session:
        session = Session(self.game, run)
        session.earlier = tuple(self.data["earlier"])
        session.beside = {"host": self.data["host"]} if "host" in self.data else {}
        return session

    def _run_or_none(
        self, state: State | None, boundary: Mapping[str, Any] | None, answers: int = 0
    ) -> LoggedRun | None:
        """A run from a state, which is written anew; None where the state must be decided on, or does not fit."""
        if state is None and self.data["state"] is not None:
            return None
        try:
            return self._run(self._state_as_saved(state), state, boundary, answers)
        except PlayError:
            return None

    def _state_as_saved(self, state: State | None) -> Mapping[str, Any] | None:
        """A state as the save of the session will have it, which is under the rules of now."""
        return state_data(self.game.program, state) if state is not None else None

    def _run(
        self,
        written: Mapping[str, Any] | None,
        state: State | None,
        boundary: Mapping[str, Any] | None,
        answers: int = 0,
    ) -> LoggedRun:
        """A run from a state, and from a boundary if one is given, before which there were so many `answers`."""
        game, data = self.game, self.data
        prepared = prepare(Query(game, data["rule"], data["given"], state))
        players = players_after(Players(players_of(data["players"])), self._answers()[:answers]).names
        beginning = Beginning(
            data["rule"], data["given"], written, players, data["seed"], data["salt"], boundary, data.get("words", "")
        )
        policy = self.policy or data["policy"]
        check_beginning(game, prepared, beginning, policy)
        scene = game.program.scenes.get(prepared.rule.name)
        if boundary is None or scene is None or state is None:
            return self._with_wishes(LoggedRun(prepared, beginning, policy))
        if SCENE not in state.things:
            raise PlayError(say.not_a_session("its `boundary` has no scene"))
        there = read_boundary(scene, boundary, prepared.frame, state, game.reader(state))
        return self._with_wishes(LoggedRun(prepared, beginning, policy, there, read_position(boundary["dice"])))

    def _with_wishes(self, run: LoggedRun) -> LoggedRun:
        """A run in which everybody is asked as much as before."""
        run.standing.usual = asks_usual(self.data)
        return run


def _as_called_now(program: ir.Program, one: Answer) -> Answer:
    """An answer of the log with actions and inputs as they are called now."""
    spend(OF_AN_ANSWER)
    return replace(one, path=question_of_now(program, one.path), answer=_action_of_now(program, one))


def _action_of_now(program: ir.Program, one: Answer) -> Any:
    """An answer, with an action as it is called now if no action has its name."""
    is_former = isinstance(one.answer, str) and one.answer not in program.actions
    return name_of_now(program, "actions", one.answer) if is_former else one.answer


def _number_given(answers: Sequence[Answer]) -> int:
    return len([one for one in answers if one.how in (GIVEN, WITH)])
