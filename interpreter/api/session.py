"""A session: a run whose requests stay open until a host answers them, even later or in another process.

`api/logged_run.py` plays it and keeps its log; `api/player_views.py` says what each player may see of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter.api import arguments
from interpreter.api.logged_run import LoggedRun
from interpreter.api.master import Master, is_intervention
from interpreter.api.player_views import PlayerViews
from interpreter.api.questions import Request
from interpreter.api.result import Result
from interpreter.api.session_log import Answer, Beginning
from interpreter.api.single_run import result_of
from interpreter.api.standing_answers import SPANS, Refusal
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.identity.closure import hashes_used
from interpreter.play import trace_events as ev
from interpreter.play.available_actions import PASS, Possible
from interpreter.play.deciders import Policy
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.report.before_question import Before
from interpreter.report.trace import Line
from interpreter.runtime.state import State
from interpreter.saves.boundaries import boundary_data
from interpreter.saves.digest import Digest
from interpreter.saves.header import book_hashes, header
from interpreter.saves.plan import AdoptionLine

if TYPE_CHECKING:
    from interpreter.api.game import Game

Ask = Callable[[Request], Any]
"""Answers a request; None takes the default."""


class Session:
    """A run under way. `Game.begin` and `Game.resume` make one; it changes with every answer."""

    def __init__(self, game: Game, run: LoggedRun) -> None:
        self.game = game
        self._run, self._views = run, PlayerViews(game, run)
        self.adopted: tuple[AdoptionLine, ...] = ()
        """What has changed in the rules since the session was saved, if it was resumed, and where it goes on."""
        self._digest = Digest()
        self.earlier: tuple[Mapping[str, Any], ...] = ()
        """The saves of what was played under other rules, before the session went back to a boundary."""

    # Requests and answers --------------------------------------------------------------------------------------

    @property
    def beginning(self) -> Beginning:
        """The arguments of the session."""
        return self._run.beginning

    @property
    def players(self) -> Mapping[str, tuple[str, ...]]:
        """The players, each with the things and roles that the player answers for."""
        return self.beginning.players

    @property
    def only_player(self) -> str | None:
        """The player, if there is just one: what that one may not see need not be shown to anybody."""
        return next(iter(self.players)) if len(self.players) == 1 else None

    @property
    def policy(self) -> str | Policy | None:
        """The policy that answers for the things and roles without a player."""
        return self._run.policy

    @property
    def requests(self) -> tuple[Request, ...]:
        """All open requests in order; none when the session is over."""
        return self._views.requests()

    @arguments.with_checked_arguments
    def asked(self, player: str) -> tuple[Request, ...]:
        """The open requests that a player can answer. Raises PlayError where there is no such player."""
        return self._views.requests_for(player)

    @arguments.with_checked_arguments
    def lines_before(self, request: str, player: str | None = None) -> tuple[Line, ...]:
        """What happened after a player's previous answer, and the dice on the table, as lines of a trace.

        For a player, without what that player may not see; for the host, after the previous answer of the same thing
        or role.
        """
        return self._views.lines_before(request, player)

    @arguments.with_checked_arguments
    def before(self, request: str, player: str | None = None) -> Before:
        """What of `lines_before` people are told."""
        return self._views.before(request, player)

    @property
    def depth(self) -> int | None:
        """The depth in the trace of the step that asks; None where nothing is asked."""
        return self._run.course.run.depth if self._run.course.open else None

    @property
    def turn(self) -> tuple[int, int]:
        """How many rounds and turns have begun."""
        return self._run.now

    @arguments.with_checked_arguments
    def answer(
        self,
        request: str,
        value: Any,
        by: str | None = None,
        until: str | None = None,
        for_all: bool = False,
        for_everybody: bool = False,
    ) -> None:
        """Answer the request of an id: by a player, or by the host itself, which may answer all requests.

        The answer is plain data: an option as it stands in the request or in words, a list of them for `some`, yes
        or no, a number, a text, a face for each die; or `{"pick": 2}` for the number of an option. Raises PlayError
        if the answer is not allowed, not from this player, or leads to an error of the run; then nothing changes.

        With `until`, a `turn`, `round` or `scene`, the answer stands until that ends: it answers every later request of
        the same step to the same thing or role, or, with `for_all`, to all that the player answers for, or, with
        `for_everybody`, which is for the host alone, to all players. A request to which it is not a legal answer is
        asked as usual.
        """
        of, answer = self._read_answer(request, value, by, until)
        if (for_all or for_everybody) and until is None:
            raise PlayError(say.for_all_without_until("for_all" if for_all else "for_everybody"))
        if for_everybody and by is not None:
            raise PlayError(say.for_everybody_by_a_player(by))
        self._run.give(request, of, answer, by, until, for_all, for_everybody)

    @arguments.with_checked_arguments
    def try_answer(self, request: str, value: Any, by: str | None = None, until: str | None = None) -> None:
        """Raises PlayError where `answer` would refuse the answer itself; nothing changes."""
        self._read_answer(request, value, by, until)

    def _read_answer(
        self, request: str, value: Any, by: str | None, until: str | None
    ) -> tuple[Choice | ThrowRequest, Any]:
        of = self._views.request(request, by)
        if until is not None and until not in SPANS:
            raise PlayError(say.not_one_of(say.NOWHERE, "until", until, SPANS))
        if until is not None and isinstance(of, ThrowRequest):
            raise PlayError(say.faces_cannot_stand())
        if is_intervention(value) and by is not None:
            raise PlayError(say.not_the_game_master(by))
        return of, self._run.read(of, self._action_of(of, value), self._views.titles)

    def _action_of(self, of: Choice | ThrowRequest, value: Any) -> Any:
        """The name of the one offered action with a title, case aside; any other value as it is."""
        offered = of.options if isinstance(of, Choice) and isinstance(value, str) else None
        if not offered or offered[-1] != PASS or value in offered:
            return value
        actions = self.game.program.actions
        named = [one for one in offered if one in actions and actions[one].rule.title.lower() == value.lower()]
        return named[0] if len(named) == 1 else value

    @arguments.with_checked_arguments
    def run(self, ask: Ask) -> Session:
        """Ask for each answer until the session is over; None takes the default. Raises PlayError without a default."""
        while not self.over:
            one = self._views.open_requests()[0]
            value = ask(one)
            if value is None:
                if not one.has_default:
                    raise PlayError(say.no_answer(one.path, one.who, one.question))
                value = one.default
            self.answer(one.id, value)
        return self

    @property
    def master(self) -> Master:
        """What the game master may do besides answering. It is for the host."""
        return Master(self)

    def undo(self) -> None:
        """Take back the last answer of a player or the host, with all answers of chance and policy after it. Raises
        PlayError where there is none."""
        self._run.undo()

    def redo(self) -> None:
        """Give the last undone answer again, with all that followed it. Raises PlayError where there is none."""
        self._run.redo()

    # Answers that stand -----------------------------------------------------------------------------------------

    def question_of(self, answer: Answer) -> str:
        """The question that an answer of the log was given to, or else the name of the step that asked it."""
        if not isinstance(answer, Answer):
            raise PlayError(say.misfit_argument("answer", answer, "an answer of `log` or `standing`"))
        return self._run.standing.question_of(answer) or answer.path.rpartition(".")[2].replace("_", " ")

    @arguments.with_checked_arguments
    def spent_of(self, answer: Answer) -> tuple[str, ...]:
        """Of an answer that stands and was given to an offer: what was used up, kinds of actions or points that
        last for a turn. It answers an offer only where these are used up again."""
        if not isinstance(answer, Answer):
            raise PlayError(say.misfit_argument("answer", answer, "an answer of `log` or `standing`"))
        return tuple(sorted(self._run.standing.spent_of(answer, self._run.log)))

    @arguments.with_checked_arguments
    def standing(self, player: str | None = None) -> tuple[Answer, ...]:
        """The answers that stand now; for a player, those that this player gave, or the host for them."""
        if player is not None:
            self._run.players.names_of(player)
        return tuple([self._run.log[number - 1] for number in self._run.standing.numbers(player, self._run.now)])

    @arguments.with_checked_arguments
    def ask_again(self, player: str | None = None) -> None:
        """End all standing answers and refusals, or those for a player: what they answered is asked again."""
        self._run.standing.end(self._players_or_all(player), len(self._run.log), player)

    @arguments.with_checked_arguments
    def refuse(self, until: str, player: str | None = None) -> None:
        """Refuse every reaction until a `turn`, `round` or `scene` ends: for a player, or for all who are asked. Raises
        PlayError for another span; `ask_again` ends it, too, and `undo` does not."""
        if until not in SPANS:
            raise PlayError(say.not_one_of(say.NOWHERE, "until", until, SPANS))
        with self._run.unchanged_on_error():
            refusal = Refusal(until, self._run.now)
            self._run.standing.refused.update(dict.fromkeys(self._players_or_all(player), refusal))
            self._run.settle()

    @arguments.with_checked_arguments
    def refuses(self, player: str | None = None) -> str | None:
        """The span until whose end a player, or everybody, refuses all reactions; None where some are asked."""
        refusals = [self._run.standing.refusal(one, self._run.now) for one in self._players_or_all(player)]
        spans = {one.until if one is not None else None for one in refusals}
        return spans.pop() if len(spans) == 1 else None

    def _players_or_all(self, player: str | None) -> tuple[str, ...]:
        """A player, or else all, with the empty name for those whom nobody plays."""
        if player is None:
            return (*self.players, "")
        self._run.players.names_of(player)
        return (player,)

    # What can be done -------------------------------------------------------------------------------------------

    @property
    def taking_part(self) -> frozenset[str]:
        """The names of the things that take part in the scene under way, with those of which there is only one; of all
        things outside of a scene."""
        return self.game.taking_part(self.state)

    @arguments.with_checked_arguments
    def possible(self, actor: str | None = None, player: str | None = None) -> Mapping[str, tuple[Possible, ...]]:
        """Every action that an actor can take now, by the name of the actor; without `actor`, of all that take part
        and can do something. For a player, only of those that this player answers for: raises PlayError for another.
        """
        players = self._run.players
        if player is not None:
            players.names_of(player)
        if actor is not None:
            self._check_actor(actor, player)
            return {actor: self.game.possible(self.state, actor)}
        there = [name for name in self.state.things if name in self.taking_part]
        mine = [name for name in there if player in (None, players.player_for(name))]
        return self.game.all_possible(self.state, mine)

    @arguments.with_checked_arguments
    def why_not(self, actor: str, action: str, player: str | None = None) -> Diagnostic | None:
        """Why an actor cannot take an action now, whatever its inputs; None if it can, or if that cannot be told. For a
        player, only of an actor that this player answers for: raises PlayError for another."""
        self._check_actor(actor, player)
        return self.game.why_not(self.state, actor, action)

    def _check_actor(self, actor: str, player: str | None) -> None:
        """Raise PlayError if a player does not answer for an actor."""
        if player is not None:
            self._run.players.names_of(player)
            if (other := self._run.players.player_for(actor)) != player:
                raise PlayError(say.thing_not_of_player(player, actor, other))

    # Results and views ------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self._run.course.over

    @property
    def result(self) -> Result | None:
        """The result of the run; None until it is over."""
        course = self._run.course
        if not course.over:
            return None
        prepared, seed = self._run.prepared, self.beginning.seed
        return result_of(self.game, prepared, course.frame, course.run, course.record, seed)

    @property
    def state(self) -> State:
        """The current state."""
        return self._run.state

    @property
    def log(self) -> tuple[Answer, ...]:
        """Every answer so far: those given, those of chance and of the policy."""
        return tuple(self._run.log)

    @property
    def rounds(self) -> tuple[int, ...]:
        """The number of events before each round, from which `lines` can be read."""
        return tuple(n for n, event in enumerate(self._run.course.run.events) if isinstance(event, ev.RoundBegun))

    @arguments.with_checked_arguments
    def lines(self, player: str | None = None, since: int = 0) -> tuple[Line, ...]:
        """The trace so far, or `since` a round began; for a player, without what that player may not see."""
        return self._views.lines(player, since)

    @arguments.with_checked_arguments
    def view(self, player: str | None = None) -> dict[str, Any]:
        """The state as plain data; for a player, without what that player may not see."""
        return self._views.state_data(player)

    @arguments.with_checked_arguments
    def look(self, expression: str) -> Any:
        """The value of an expression about the current state. It reads everything, so it is for hosts."""
        return self.game.look(self.state, expression)

    # Saving -----------------------------------------------------------------------------------------------------

    def to_data(self) -> dict[str, Any]:
        """The session as plain data, for `Game.resume`; `schemas/session.json` describes it."""
        game, run = self.game, self._run
        undone = [[one.to_data() for one in taken] for taken in run.undone]
        asked_again, refuses = dict(run.standing.asked_again), run.standing.refusals_data()
        policies = [f"policies.{run.policy}"] if isinstance(run.policy, str) else []
        uses = {**hashes_used(game.program, self.beginning.rule, *policies), **book_hashes(game.program)}
        return {
            **header("session", game.program, uses, [run.first_state, self.state]),
            "options": game.own_options,
            **self.beginning.to_data(),
            "policy": run.policy if isinstance(run.policy, str) else None,
            "log": [one.to_data() for one in run.log],
            "undone": undone,
            "asks_again": asked_again,
            "refuses": refuses,
            "seal": run.seal_with(undone, asked_again, refuses),
            "open": [one.to_data() for one in self._views.open_requests()],
            "over": self.over,
            "now": self.view(),
            "digest": self.digest,
            "boundary": self._boundary_data(),
            "earlier": list(self.earlier),
        }

    def progress(self) -> dict[str, Any]:
        """What a journal appends after an answer: the log, what stands, the last boundary, and the digest."""
        run = self._run
        return {
            "log": [one.to_data() for one in run.log],
            "undone": [[one.to_data() for one in taken] for taken in run.undone],
            "asks_again": dict(run.standing.asked_again),
            "refuses": run.standing.refusals_data(),
            "digest": self.digest,
            "boundary": self._boundary_data(),
        }

    @property
    def digest(self) -> str:
        """A hash of all that has happened, which does not depend on texts."""
        return self._digest.of(self._run.course.run.events)

    def _boundary_data(self) -> dict[str, Any] | None:
        """The last boundary that a scene has passed, and how many answers came before it."""
        point = self._run.last_boundary
        scene = self.game.program.scenes.get(self.beginning.rule.removeprefix("scenes."))
        if point is None or point.boundary is None or scene is None:
            return None
        data = boundary_data(self.game.program, scene, point.boundary, point.dice)
        return {**data, "answers": point.number} if data is not None else None

    def to_json(self) -> str:
        """The same as JSON text."""
        return json.dumps(self.to_data(), ensure_ascii=False)
