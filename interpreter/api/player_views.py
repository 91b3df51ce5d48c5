"""What each viewer may see of a session: the requests with what came before them, the trace and the state."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter.api.instance import Instance
from interpreter.api.logged_run import LoggedRun
from interpreter.api.offers import Meanings, meanings_of
from interpreter.api.players import HOST, Names, Viewer
from interpreter.api.questions import Request, TurnUnderWay, question
from interpreter.api.record import News, SeatRecord
from interpreter.api.session_log import GIVEN, WITH
from interpreter.api.standing_answers import SPANS, is_reaction
from interpreter.api.state_json import things_data
from interpreter.api.status import status_of
from interpreter.api.visibility import (
    hidden_paths,
    kinds_of,
    may_know,
    may_know_order,
    may_know_price,
    may_see,
    redact_events,
    redact_state,
)
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.play import trace_events as ev
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.report.before_question import Before, headings_around, lines_before, summarize_before_question
from interpreter.report.trace import Line, Trace
from interpreter.runtime.state import State
from interpreter.runtime.titles import Titles, titles_of
from interpreter.values import Thing
from interpreter.work_count import spend

OF_A_REQUEST = 5
"""The units of work in which an open request is made."""

if TYPE_CHECKING:
    from interpreter.api.chances import ChanceOfChange


MOST_SINCE = 400
"""The most lines that a request gives of what came before it; a line before them tells how many are left out."""


class PlayerViews:
    """The views of players and others on a run. It keeps the open requests until the next answer, what their options
    mean, and the record as each viewer may see it."""

    def __init__(self, game: Instance, run: LoggedRun) -> None:
        self._game, self._run = game, run
        self._meanings: dict[tuple[str, Viewer], Meanings] = {}
        self._records: dict[Viewer, SeatRecord] = {}
        self._requests: dict[Viewer, tuple[Request, ...]] = {}
        self._requests_at = ""
        self._chances: dict[tuple[str, Viewer], Mapping[str, ChanceOfChange]] = {}

    @property
    def titles(self) -> Titles:
        """The titles in the current state."""
        return titles_of(self._game.program, self._run.state)

    @property
    def _states(self) -> tuple[State, State]:
        """The first state and the current one."""
        return self._run.first_state, self._run.state

    def redact_refusal(self, refusal: Diagnostic, action: str, viewer: Viewer) -> Diagnostic:
        """Why an action is not possible, without amounts that a viewer may not know."""
        names = self._run.players.names_seen_by(viewer)
        path = f"actions.{action}"
        if (
            names is None
            or refusal.code == say.REQUIRED
            or may_know_price(self._game.program, self._states, path, names)
        ):
            return refusal
        return say.for_a_secret_reason(refusal)

    def redact_failure(self, failure: PlayError, viewer: Viewer) -> PlayError:
        """An error that an answer has led to, without its words where something is hidden from a viewer."""
        names = self._run.players.names_seen_by(viewer)
        if names is None or not hidden_paths(self._game.program, self._states, names):
            return failure
        return PlayError(say.leads_to_a_secret_error(failure.diagnostic))

    # Requests ---------------------------------------------------------------------------------------------------

    def open_requests(self) -> list[Request]:
        """The open requests in order, without what came before them."""
        player_of, titles = self._run.players.player_of, self.titles
        spend(OF_A_REQUEST * len(self._run.course.open))
        return [question(one, number, player_of(one), titles) for number, one in self._run.course.open.items()]

    def requests_for(self, viewer: Viewer) -> tuple[Request, ...]:
        """The open requests that a viewer can answer, in order, each with what came before it: for the host all, as
        their players know them, and for a spectator none."""
        if self._requests_at != self._run.course.seal:  # which each answer changes
            self._requests_at, self._requests = self._run.course.seal, {}
        if viewer not in self._requests:
            self._requests[viewer] = self._make_requests(viewer)
        return self._requests[viewer]

    def _make_requests(self, viewer: Viewer) -> tuple[Request, ...]:
        if viewer is HOST:
            return tuple([self._with_context(one, one.player or HOST) for one in self.open_requests()])
        names = self._run.players.names_of(viewer) if isinstance(viewer, str) else None
        if names is None:
            return ()
        mine = [self._as_player_sees(one, names) for one in self._requests_of(str(viewer), names)]
        return tuple([self._with_context(one, viewer) for one in mine])

    def asks(self, player: str) -> bool:
        """Whether a player can answer an open request."""
        return bool(self._requests_of(player, self._run.players.names_of(player)))

    def _requests_of(self, player: str, names: Names) -> list[Request]:
        return [one for one in self.open_requests() if self._may_answer(player, names, one)]

    def request(self, request: str, by: str | None) -> Choice | ThrowRequest:
        """The open request of an id. Raises PlayError where this player may not answer it."""
        run = self._run
        names = run.players.names_of(by) if by is not None else None
        of = run.course.open.get(request)
        if of is None:
            done = next((one for one in run.log if one.request == request), None)
            if done is None:
                mine = self.open_requests() if names is None else self._requests_of(by or "", names)
                raise PlayError(say.request_not_open(request, [one.id for one in mine], by))
            player = run.players.player_for(done.who)
            if by is not None and done.who is not None and player != by:
                raise PlayError(say.asked_of_another(done.path, by, done.who, player))
            raise PlayError(say.answered_already(request, done.path, done.by, done.how))
        if by is not None and names is not None:
            asked = question(of, request, run.players.player_of(of))
            if not self._may_answer(by, names, asked):
                raise PlayError(say.asked_of_another(asked.path, by, asked.who, asked.player))
        return of

    def _may_answer(self, player: str, names: Names, request: Request) -> bool:
        if request.player is not None or request.who is not None:
            return request.player == player
        of = self._run.course.open[request.id]
        if not isinstance(of, ThrowRequest) or of.among:
            return True
        if of.pile is None:
            return may_know(self._game.program, self._states, of.step, names)
        thing, name = of.pile  # the rest of a pile shows its elements
        return may_see(self._game.program, kinds_of(self._run.state), thing.id, name, names)

    def _as_player_sees(self, request: Request, names: Names) -> Request:
        """A request as a player may see it: a draw of lots does not show who is tied by a hidden value."""
        of = self._run.course.open[request.id]
        if not isinstance(of, ThrowRequest) or not of.among:
            return request
        known = may_know(self._game.program, self._states, of.at, names)
        return request if known else replace(request, among=(), question="")

    def _with_context(self, request: Request, viewer: Viewer) -> Request:
        """A request with what came before it, what its options mean, and how its answer may stand."""
        names = self._run.players.names_seen_by(viewer)
        of = self._run.course.open[request.id]
        if (request.id, viewer) not in self._meanings:
            known = {one: means for one, means in self._meanings.items() if one[0] in self._run.course.open}
            self._meanings = {**known, (request.id, viewer): self._meanings_of(request, names)}
        return replace(
            request,
            since=self._lines_since_answer(request, viewer),
            status=status_of(self._game, self._run.state, request.who, names),
            meanings=self._meanings[request.id, viewer][0],
            terms=self._meanings[request.id, viewer][1],
            until=SPANS if isinstance(of, Choice) else (),
            spent=tuple(sorted(of.spent)) if isinstance(of, Choice) else (),
            reaction=isinstance(of, Choice) and is_reaction(of),
            others=self._other_requests(request, of, names),
        )

    def _other_requests(self, request: Request, of: Choice | ThrowRequest, names: Names | None) -> tuple[Request, ...]:
        """What the player of a request would be asked at the same moment, without ids: further reactions to the same
        event, or a number for further ones of several."""
        player_of, found = self._run.players.player_of, []
        for one in of.others() if isinstance(of, Choice) else ():
            if player_of(one) == request.player:
                asked = question(one, "", request.player, self.titles)
                meanings, terms = meanings_of(self._game, self._run.state, asked, one.prices, names)
                found.append(replace(asked, meanings=meanings, terms=terms, reaction=is_reaction(one)))
        return tuple(found)

    def _meanings_of(self, request: Request, names: Names | None) -> Meanings:
        of = self._run.course.open[request.id]
        prices = of.prices if isinstance(of, Choice) else {}
        return meanings_of(self._game, self._run.state, request, prices, names)

    def chances(self, request: str, viewer: Viewer) -> Mapping[str, ChanceOfChange]:
        """The chances of the answers to an open request. They depend on values of all kinds, so a viewer from whom some
        are hidden gets none."""
        from interpreter.api.chances import chances_of

        names = self._run.players.names_seen_by(viewer)
        if names is not None and hidden_paths(self._game.program, self._states, names):
            return {}
        key = (request, viewer)
        if key not in self._chances:
            self._chances = {key: one for key, one in self._chances.items() if key[0] in self._run.course.open}
            asked = next(one for one in self.open_requests() if one.id == request)
            self._chances[key] = chances_of(self._game, self._run.state, asked)
        return self._chances[key]

    # What came before -------------------------------------------------------------------------------------------

    def lines_before(self, request: str, viewer: Viewer) -> tuple[Line, ...]:
        """What happened after a player's previous answer, or that of the thing or role that is asked, as lines."""
        return tuple(self._lines_around_request(request, viewer)[1])

    def before(self, request: str, viewer: Viewer) -> Before:
        """What of `lines_before` people are told."""
        around, lines = self._lines_around_request(request, viewer)
        of, program = self.request(request, None), self._game.program
        who = of.by if isinstance(of, Choice) else None
        return summarize_before_question(
            around, lines, self._run.course.run.depth, of.at, who, self._run.beginning.rule, program
        )

    def _lines_since_answer(self, request: Request, viewer: Viewer) -> tuple[str, ...]:
        lines = [
            f"{'  ' * line.depth}{line.shown}{': ' if line.name and line.text else ''}{line.text}"
            for line in self.before(request.id, viewer).lines
        ]
        left_out = len(lines) - MOST_SINCE
        return (f"… {left_out} lines before", *lines[left_out:]) if left_out > 0 else tuple(lines)

    def _lines_around_request(self, request: str, viewer: Viewer) -> tuple[list[Line], list[Line]]:
        """The headings of what still ran at a player's previous answer, and `lines_before`."""
        of, run, log = self.request(request, None), self._run.course.run, self._run.log
        names = self._run.players.names_seen_by(viewer)
        mine = names if names is not None else {of.by if isinstance(of, Choice) else None}
        before_asked = range(len(log) - self._answers_at_once(of))
        last = next((n for n in reversed(before_asked) if log[n].how in (GIVEN, WITH) and log[n].who in mine), None)
        start = self._run.events_at[last] if last is not None else 0
        around, events = headings_around(run.events, start, run.depth), run.events[start:]
        on_table = tuple(run.on_table)
        events = _without_answers_of(events, mine) if last is not None else events
        if names is not None:
            program, states = self._game.program, self._states
            around, events = (redact_events(program, part, states, names) for part in (around, events))
            on_table = tuple([roll for roll in on_table if may_know(program, states, roll.path, names)])
        closures, began = self._game.closures, self._run.first_state
        return (
            lines_before(closures, around, (), state=began),
            lines_before(closures, events, on_table, state=began),
        )

    def _answers_at_once(self, of: Choice | ThrowRequest) -> int:
        """How many answers at the end of the log are to choices that were put at once with an open one."""
        group = {(one.path, one.by, one.of) for one in of.at_once} if isinstance(of, Choice) else set()
        for number, one in enumerate(reversed(self._run.log)):
            if (one.path, one.who, one.of) not in group:
                return number
            group.remove((one.path, one.who, one.of))
        return len(self._run.log)

    # The trace and the state ------------------------------------------------------------------------------------

    def _record(self, viewer: Viewer) -> SeatRecord:
        if viewer not in self._records:
            self._records[viewer] = SeatRecord(self._game, self._run, viewer)
        return self._records[viewer]

    def news(self, viewer: Viewer, since: str) -> News:
        """What is new in the record after a cursor."""
        return self._record(viewer).news(since)

    def lines(self, viewer: Viewer, from_event: int) -> tuple[Line, ...]:
        """The trace from an event on."""
        if from_event <= 0:
            return tuple(self._record(viewer).lines())
        events, names = self._run.course.run.events[from_event:], self._run.players.names_seen_by(viewer)
        if names is not None:
            events = redact_events(self._game.program, events, self._states, names)
        return tuple(Trace(events, self._game.closures, self._run.first_state))

    def turn(self, viewer: Viewer) -> TurnUnderWay | None:
        """The turn under way; a viewer does not read who follows where something hidden says that."""
        run, players, program = self._run.course.run, self._run.players, self._game.program
        if not run.turns or self._run.course.over:
            return None
        who, names = run.turns[-1], players.names_seen_by(viewer)
        loop = next((one for one in reversed(run.loops) if one.element == who), None)
        if loop is None or (names is not None and not may_know_order(program, self._states, loop.path, names)):
            return TurnUnderWay(who.id)
        return TurnUnderWay(
            who.id, tuple([one.id for one in loop.elements_to_come(self._run.state) if isinstance(one, Thing)])
        )

    def state_data(self, viewer: Viewer) -> dict[str, Any]:
        """The state as plain data."""
        now, program, names = self._run.state, self._game.program, self._run.players.names_seen_by(viewer)
        data = things_data(program, now)
        return data if names is None else redact_state(program, now, data, names)


def _without_answers_of(events: Sequence[ev.Event], names: Container[str | None]) -> list[ev.Event]:
    """Events that begin with answers, without those of some things and roles, and without the step of their own."""
    answers = list(takewhile(lambda event: isinstance(event, ev.ChoiceMade), events))
    others = [one for one in answers if isinstance(one, ev.ChoiceMade) and one.node.by not in names]
    rest = events[len(answers) :]
    match [*events[:1], *rest[:1]]:
        case [ev.ChoiceMade(node=asked), ev.StepDone(node=step)] if not others and step.path == asked.at:
            return [*rest[1:]]
    return [*others, *rest]
