"""A seat at a session: what one viewer may see of it and do in it.

A program that speaks for somebody holds a seat, and no session, so that no mistake of its own shows a secret. The host
has a seat, too, from which nothing is hidden and at which answers are taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter.api import arguments
from interpreter.api.interventions import is_intervention
from interpreter.api.logged_run import LoggedRun, QuestionAhead, as_question_ahead
from interpreter.api.one_at_a_time import one_at_a_time
from interpreter.api.player_views import PlayerViews
from interpreter.api.players import HOST, SPECTATOR, Viewer
from interpreter.api.questions import Request, TurnUnderWay
from interpreter.api.record import BEFORE_ALL, News
from interpreter.api.session_log import Answer
from interpreter.api.standing_answers import EVERYTHING, SPANS, USUAL, WHAT_IS_ASKED, Refusal, is_reaction
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.play.available_actions import PASS, Possible, PossibleActions
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.report.before_question import Before
from interpreter.report.story import story_of
from interpreter.report.trace import Line
from interpreter.values import in_words

if TYPE_CHECKING:
    from interpreter.api.chances import ChanceOfChange
    from interpreter.api.game import Game


@one_at_a_time
@dataclass(frozen=True, eq=False)
class Seat:
    """The seat of a `viewer`: a player by name, `SPECTATOR` or `HOST`. `Session.seat` gives it.

    It stays valid as long as its session, and always tells how that stands now.
    """

    viewer: Viewer
    _game: Game = field(repr=False)
    _run: LoggedRun = field(repr=False)
    _views: PlayerViews = field(repr=False)

    # Requests and answers --------------------------------------------------------------------------------------

    @property
    def requests(self) -> tuple[Request, ...]:
        """The open requests that this viewer can answer, in order: all for the host, none for a spectator."""
        return self._views.requests_for(self.viewer)

    @arguments.with_checked_arguments
    def lines_before(self, request: str) -> tuple[Line, ...]:
        """What happened after the previous answer of this viewer, and the dice on the table, as lines of a trace; for
        the host, after the previous answer of the same thing or role. Raises PlayError where the request is not open,
        or not for this viewer."""
        self._find_request(request)
        return self._views.lines_before(request, self.viewer)

    @arguments.with_checked_arguments
    def before(self, request: str) -> Before:
        """What of `lines_before` people are told. Raises PlayError as it does."""
        self._find_request(request)
        return self._views.before(request, self.viewer)

    @arguments.with_checked_arguments
    def chances(self, request: str) -> Mapping[str, ChanceOfChange]:
        """How likely answers to a request change points of what an action is done to, by the answer in words; those
        whose exact odds would take long are left out, and all from a player from whom anything is hidden. Raises
        PlayError where the request is not open, or not for this viewer."""
        self._find_request(request)
        return self._views.chances(request, self.viewer)

    @arguments.with_checked_arguments
    def answer(
        self,
        request: str,
        value: Any,
        until: str | None = None,
        for_all: bool = False,
        *,
        beside: Mapping[str, Any] | None = None,
    ) -> None:
        """Answer the request of an id.

        The answer is plain data: an option as it stands in the request or in words, a list of them for `some`, yes
        or no, a number, a text, a face for each die; or `{"pick": 2}` for the number of an option. Raises PlayError
        if the answer is not allowed, not from this viewer, or leads to an error of the run; then nothing changes.

        With `until`, a `turn`, `round` or `scene`, the answer stands until that ends: it answers every later request of
        the same step to the same thing or role, or, with `for_all`, to all that the player answers for. A request to
        which it is not a legal answer is asked as usual.

        `beside` are answers to what follows: with an action, its inputs by name; with a number for one of several,
        those for the `others` of the request by what they are `of`. What is not legal when it comes to that is asked.
        """
        self._give(request, value, until, for_all, False, beside)

    def _give(
        self,
        request: str,
        value: Any,
        until: str | None,
        for_all: bool,
        for_everybody: bool,
        beside: Mapping[str, Any] | None,
    ) -> None:
        of, answer = self._read_answer(request, value, until)
        if (for_all or for_everybody) and until is None:
            raise PlayError(say.for_all_without_until("for_all" if for_all else "for_everybody"))
        try:
            following = self._answers_beside(of, answer, beside) if beside else {}
            self._run.give(request, of, answer, self._player, until, for_all, for_everybody, following)
        except PlayError as error:
            raise self._views.redact_failure(error, self.viewer) from None

    def _answers_beside(
        self, of: Choice | ThrowRequest, answer: Any, beside: Mapping[str, Any]
    ) -> dict[QuestionAhead, Any]:
        """What is said together with an answer, by the questions that follow. Raises PlayError where none of a name can
        follow."""
        follow: dict[str, QuestionAhead] = {}
        if isinstance(of, Choice) and isinstance(of.options, PossibleActions) and answer in self._game.program.actions:
            inputs = self._game.program.actions[answer].rule.inputs
            follow = {
                one.name: QuestionAhead(0, f"{of.path}.{answer}.{one.name}", of.by, None)
                for one in inputs
                if one.by is None
            }
        elif isinstance(of, Choice) and not is_reaction(of):
            follow = {one.of: as_question_ahead(one) for one in of.others() if one.of is not None}
        for name in beside:
            if name not in follow:
                raise PlayError(say.not_one_of(say.NOWHERE, f"beside `{in_words(answer)}`", name, follow))
        return {follow[name]: said for name, said in beside.items()}

    @arguments.with_checked_arguments
    def react(self, request: str, wanted: Sequence[int]) -> None:
        """Answer a reaction and the `others` of its request at once: yes to those whose numbers are `wanted`, 0 for the
        request itself and from 1 on for the others, and no to the rest.

        They happen in order; one that has become impossible by then does not happen. Raises PlayError as `answer`.
        """
        of = self._find_request(request)
        others = next((one.others for one in self.requests if one.id == request), ())
        if not isinstance(of, Choice) or not is_reaction(of):
            raise PlayError(say.no_reaction(of.path))
        if not all(type(one) is int and 0 <= one <= len(others) for one in wanted):
            raise PlayError(say.not_an_answer(of.path, in_words(list(wanted)), f"numbers from 0 to {len(others)}"))
        meant = {
            QuestionAhead(of.event, one.path, one.who, None): number in wanted for number, one in enumerate(others, 1)
        }
        try:
            self._run.give(request, of, 0 in wanted, self._player, beside=meant)
        except PlayError as error:
            raise self._views.redact_failure(error, self.viewer) from None

    @arguments.with_checked_arguments
    def try_answer(self, request: str, value: Any, until: str | None = None) -> None:
        """Raises PlayError where `answer` would refuse the answer itself; nothing changes."""
        self._read_answer(request, value, until)

    def _read_answer(self, request: str, value: Any, until: str | None) -> tuple[Choice | ThrowRequest, Any]:
        of = self._find_request(request)
        if until is not None and until not in SPANS:
            raise PlayError(say.not_one_of(say.NOWHERE, "until", until, SPANS))
        if until is not None and isinstance(of, ThrowRequest):
            raise PlayError(say.faces_cannot_stand())
        if is_intervention(value) and self.viewer != HOST:
            raise PlayError(say.not_the_game_master(str(self.viewer)))
        return of, self._run.read(of, self._action_of(of, value), self._views.titles)

    def _find_request(self, request: str) -> Choice | ThrowRequest:
        """The open request of an id. Raises PlayError where this viewer cannot answer it."""
        return self._views.request(request, self._answering_player())

    def _action_of(self, of: Choice | ThrowRequest, value: Any) -> Any:
        """The name of the one offered action with a title, case aside; any other value as it is."""
        offered = of.options if isinstance(of, Choice) and isinstance(value, str) else None
        if not offered or offered[-1] != PASS or value in offered:
            return value
        actions = self._game.program.actions
        named = [one for one in offered if one in actions and actions[one].rule.title.lower() == value.lower()]
        return named[0] if len(named) == 1 else value

    @property
    def _player(self) -> str | None:
        """The player who sits here; None for the host and for a spectator."""
        return self.viewer if isinstance(self.viewer, str) else None

    def _answering_player(self) -> str | None:
        """The player who sits here, or None for the host. Raises PlayError for a spectator."""
        if self.viewer is SPECTATOR:
            raise PlayError(say.spectator_only_watches())
        return self._player

    # Answers that stand -----------------------------------------------------------------------------------------

    @property
    def standing(self) -> tuple[Answer, ...]:
        """The answers that stand now: those that this player gave, or the host for them; for the host, all."""
        if self.viewer is SPECTATOR:
            return ()
        return tuple([self._run.log[number - 1] for number in self._run.standing.numbers(self._player, self._run.now)])

    def question_of(self, answer: Answer) -> str:
        """The question that an answer of the log was given to, or else the name of the step that asked it."""
        return self._run.standing.question_of(_known(answer)) or answer.path.rpartition(".")[2].replace("_", " ")

    def spent_of(self, answer: Answer) -> tuple[str, ...]:
        """Of an answer that stands and was given to an offer: what was used up, kinds of actions or points that
        last for a turn. It answers an offer only where these are used up again."""
        return tuple(sorted(self._run.standing.spent_of(_known(answer), self._run.log)))

    def ask_again(self) -> None:
        """End the answers and refusals that stand for this player, or, for the host, all: what they answered is asked
        again. Raises PlayError for a spectator."""
        player = self._answering_player()
        self._run.standing.end(self._players_here(), len(self._run.log), player)

    @arguments.with_checked_arguments
    def refuse(self, until: str) -> None:
        """Refuse every reaction until a `turn`, `round` or `scene` ends: for this player, or, for the host, for all who
        are asked. Raises PlayError for another span and for a spectator; `ask_again` ends it, too, and `undo` does not.
        """
        self._answering_player()
        if until not in SPANS:
            raise PlayError(say.not_one_of(say.NOWHERE, "until", until, SPANS))
        try:
            with self._run.unchanged_on_error():
                refusal = Refusal(until, self._run.now)
                self._run.standing.refused.update(dict.fromkeys(self._players_here(), refusal))
                self._run.settle()
        except PlayError as error:
            raise self._views.redact_failure(error, self.viewer) from None

    @property
    def refuses(self) -> str | None:
        """The span until whose end this player, or, for the host, everybody, refuses all reactions; None where some are
        asked."""
        refusals = [self._run.standing.refusal(one, self._run.now) for one in self._players_here()]
        spans = {one.until if one is not None else None for one in refusals}
        return spans.pop() if len(spans) == 1 else None

    @arguments.with_checked_arguments
    def ask(self, what: str) -> None:
        """Ask this player, or, for the host, all, `everything`, or only what is `usual`: a minor question has its
        default, and an offer is passed in which every action is small or in free words, or takes nothing of a turn of
        which something is used up. Raises PlayError for another word and for a spectator; `undo` changes nothing of
        it."""
        self._answering_player()
        if what not in WHAT_IS_ASKED:
            raise PlayError(say.not_one_of(say.NOWHERE, "what is asked", what, WHAT_IS_ASKED))
        usual, players = self._run.standing.usual, self._players_here()
        try:
            with self._run.unchanged_on_error():
                usual.update(players) if what == USUAL else usual.difference_update(players)
                self._run.settle()
        except PlayError as error:
            raise self._views.redact_failure(error, self.viewer) from None

    @property
    def asks(self) -> str:
        """What this player is asked, `everything` or only what is `usual`; for the host, `everything` if anybody is."""
        players = self._players_here()
        return USUAL if players and self._run.standing.usual.issuperset(players) else EVERYTHING

    def _players_here(self) -> tuple[str, ...]:
        """The player who sits here; for the host all, with the empty name for those whom nobody plays."""
        if self._player is not None:
            return (self._player,)
        return () if self.viewer is SPECTATOR else (*self._run.players.names, "")

    # What can be done -------------------------------------------------------------------------------------------

    @arguments.with_checked_arguments
    def possible(self, actor: str | None = None) -> Mapping[str, tuple[Possible, ...]]:
        """Every action that an actor can take now, by the name of the actor; without `actor`, of all that take part,
        can do something and are this player's. Raises PlayError for an actor that is not; the host may ask for all."""
        state = self._run.state
        if actor is not None:
            self._check_actor(actor)
            return {actor: self._game.possible(state, actor)}
        if self.viewer is SPECTATOR:
            return {}
        taking_part, player_for = self._game.taking_part(state), self._run.players.player_for
        there = [name for name in state.things if name in taking_part]
        mine = [name for name in there if self._player in (None, player_for(name))]
        return self._game.all_possible(state, mine)

    @arguments.with_checked_arguments
    def why_not(self, actor: str, action: str) -> Diagnostic | None:
        """Why an actor cannot take an action now, whatever its inputs; None if it can, or if that cannot be told.
        Raises PlayError for an actor that is not this player's; the host may ask for all."""
        self._check_actor(actor)
        refusal = self._game.why_not(self._run.state, actor, action)
        return self._views.redact_refusal(refusal, action, self.viewer) if refusal is not None else None

    def _check_actor(self, actor: str) -> None:
        """Raise PlayError if this viewer does not answer for an actor."""
        player = self._answering_player()
        other = self._run.players.player_for(actor)
        if player is not None and other != player:
            raise PlayError(say.thing_not_of_player(player, actor, other))

    @property
    def turn(self) -> TurnUnderWay | None:
        """Whose turn it is in the scene, and who follows, as far as this viewer may know; None outside of turns."""
        return self._views.turn(self.viewer)

    # What is seen -----------------------------------------------------------------------------------------------

    @arguments.with_checked_arguments
    def lines(self, from_event: int = 0) -> tuple[Line, ...]:
        """The trace so far, or from an event of `Session.rounds` on, without what this viewer may not see."""
        return self._views.lines(self.viewer, from_event)

    @arguments.with_checked_arguments
    def news(self, since: str = BEFORE_ALL) -> News:
        """What is new in the record after a cursor: how many of the lines stay that the caller has, those to append,
        and the cursor for what it has then. Without a cursor, and with one that is none of this seat, all lines are
        new. Lines that add nothing are left out."""
        return self._views.news(self.viewer, since)

    @arguments.with_checked_arguments
    @arguments.with_checked_arguments
    def story(self, title: str = "") -> str:
        """The play so far as a story for people, in Markdown, without what this viewer may not see: who did what to
        whom, and how it ended. `title` stands above it."""
        return story_of(self.lines(), self._game.program, self._run.course.over, title)

    def view(self) -> dict[str, Any]:
        """The state as plain data, without what this viewer may not see."""
        return self._views.state_data(self.viewer)


@one_at_a_time
@dataclass(frozen=True, eq=False)
class HostView(Seat):
    """The seat of the host: it shows all, answers every request, and takes answers back."""

    @arguments.with_checked_arguments
    def answer(
        self,
        request: str,
        value: Any,
        until: str | None = None,
        for_all: bool = False,
        for_everybody: bool = False,
        *,
        beside: Mapping[str, Any] | None = None,
    ) -> None:
        """Answer the request of an id, as `Seat.answer`; with `for_everybody`, an answer with `until` stands for all
        players."""
        self._give(request, value, until, for_all, for_everybody, beside)

    def undo(self) -> None:
        """Take back the last answer of a player or the host, with all answers of chance and policy after it. Raises
        PlayError where there is none."""
        self._run.undo()

    def redo(self) -> None:
        """Give the last undone answer again, with all that followed it. Raises PlayError where there is none."""
        self._run.redo()

    @arguments.with_checked_arguments
    def look(self, expression: str) -> Any:
        """The value of an expression about the current state, of which it reads everything."""
        return self._game.look(self._run.state, expression)


def _known(answer: Answer) -> Answer:
    if not isinstance(answer, Answer):
        raise PlayError(say.misfit_argument("answer", answer, "an answer of `log` or `standing`"))
    return answer
