"""A session: a run whose requests stay open until a host answers them, even later or in another process.

A session is its beginning and its log: every answer in order, those of players and of the host as well as faces by
chance and answers of a policy. Playing these again gives the open requests. So undo plays again without the last
answers, and resume plays again with all of them; in a scene, undo starts at the last phase that began before.
Each answer is hashed together with all answers before it (its seal), and the seal is part of the id of every request:
no answer can reach a request that it was not given to.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter.api import arguments
from interpreter.api.offers import Meanings, meanings_of
from interpreter.api.query import PreparedRule
from interpreter.api.questions import Request, plain, question, read
from interpreter.api.result import Result
from interpreter.api.single_run import result_of
from interpreter.api.standing_answers import SPANS, Clock, Refusal, StandingAnswer, lasts, step_of
from interpreter.api.state_json import things_data
from interpreter.api.status import status_of
from interpreter.api.visibility import Names, kinds_of, may_know, may_see, shown, veiled
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.play import trace_events as ev
from interpreter.play.available_actions import PASS, Possible
from interpreter.play.deciders import Policy
from interpreter.play.requests import Choice, ThrowRequest, checked
from interpreter.play.run import Boundary, Run, Walk
from interpreter.report.before_question import Before, before, headings_around, lines_before
from interpreter.report.trace import Line, Trace
from interpreter.runtime.rng import SeededDice
from interpreter.runtime.state import EMPTY, STATE, State
from interpreter.runtime.titles import Titles, titles_of

if TYPE_CHECKING:
    from interpreter.api.game import Game

FORMAT = 4
"""The version of the format of saved sessions; it changes where an older program could not read it. Version 1 has no
undone answers, version 2 no standing ones, and version 3 none of everybody and no refusals."""

GIVEN, CHANCE, POLICY, STANDING = "given", "chance", "policy", "standing"
"""The origin of an answer: a player or the host, the dice of the session, its policy, or an answer that stands."""

Ask = Callable[[Request], Any]
"""Answers a request; None takes the default."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of the log: the request, the answer, its origin and, if a player gave it, the player.

    With `until`, the answer stands until this span ends: for the thing or role that was asked, or, with `for_all`, for
    everything that its player answers for, or, with `for_everybody`, for all players.
    """

    request: str
    path: str
    who: str | None
    of: str | None
    how: str
    by: str | None
    answer: Any
    until: str | None = None
    for_all: bool | None = None
    for_everybody: bool | None = None

    def to_data(self) -> dict[str, Any]:
        """The same as plain data, without the fields that are None."""
        return {key: value for key, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Beginning:
    """The arguments of a session. `seed` is None for dice on the table.

    `salt` is a random text if no seed was given: without it, a player could find the seed and secret answers by trying
    which of them give the ids of the requests.
    """

    rule: str
    given: Mapping[str, Any]
    state: Mapping[str, Any] | None
    players: Mapping[str, tuple[str, ...]]
    seed: int | None
    salt: str = ""

    def to_data(self) -> dict[str, Any]:
        """The same as plain data."""
        players = {player: list(names) for player, names in self.players.items()}
        return {
            "rule": self.rule, "given": dict(self.given), "state": self.state, "players": players, "seed": self.seed,
            "salt": self.salt,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A point at which a run can be continued: the number of answers before it, their seal and the state of the dice.
    Without a `boundary` it is the beginning."""

    number: int
    seal: str
    boundary: Boundary | None
    dice: int


MOST_SINCE = 400
"""The most lines that a request gives of what came before it; a line before them tells how many are left out."""


def _without_answers_of(events: Sequence[ev.Event], names: Container[str | None]) -> list[ev.Event]:
    """Events that begin with answers, without those of some things and roles, and without the step of their own."""
    answers = list(takewhile(lambda event: isinstance(event, ev.ChoiceMade), events))
    others = [one for one in answers if isinstance(one, ev.ChoiceMade) and one.node.by not in names]
    rest = events[len(answers) :]
    match [*events[:1], *rest[:1]]:
        case [ev.ChoiceMade(node=asked), ev.StepDone(node=step)] if not others and step.path == asked.at:
            return [*rest[1:]]
    return [*others, *rest]


@dataclass
class Course:
    """A run that waits: the `open` requests in order, and the answers that `came` to those that are asked together."""

    run: Run
    frame: dict[str, Any]
    walk: Walk
    number: int
    seal: str
    open: dict[str, Choice | ThrowRequest] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    came: dict[str, Any] = field(default_factory=dict)
    over: bool = False
    record: Any = None

    def begin(self) -> None:
        """Play to the first request."""
        self._send(None)

    def take(self, request: str, answer: Any, seal: str) -> None:
        """Put in an answer; if it is the last that the run waits for, play to the next request."""
        del self.open[request]
        self.came[request], self.number, self.seal = answer, self.number + 1, seal
        while self.waiting and self.waiting[0] in self.came:
            self._send(self.came[self.waiting.pop(0)])

    def _send(self, answer: Any) -> None:
        try:
            asked = self.walk.send(answer)
        except StopIteration as stop:
            self.over, self.record = True, stop.value
            return
        if self.waiting:
            return  # other requests of the same group are still open
        together = (asked.at_once or (asked,)) if isinstance(asked, Choice) else (asked,)
        numbers = [f"{self.number + place}-{self.seal[:8]}" for place in range(1, len(together) + 1)]
        self.open, self.waiting, self.came = dict(zip(numbers, together, strict=True)), numbers, {}


class Session:
    """A run under way. `Game.begin` and `Game.resume` make one; it changes with every answer."""

    def __init__(self, game: Game, ready: PreparedRule, began: Beginning, policy: str | Policy | None) -> None:
        self.game, self.beginning = game, began
        self._ready, self._policy = ready, policy
        self._table = began.seed is None
        self._chance = SeededDice(began.seed or 0)
        self._log: list[Answer] = []
        self._meanings: dict[tuple[str, str | None], Meanings] = {}
        self._questions: dict[str, str] = {}  # of each answer that has stood, by the id of its request
        self._events_at: list[int] = []  # how many events there were when each answer of the log was given
        self._undone: list[list[Answer]] = []
        self._standing: list[StandingAnswer] = []
        self._asked_again: dict[str, int] = {}
        self._refused: dict[str, Refusal] = {}
        self._clock = Clock()
        self._course: Course
        start = _seal("", {"fingerprint": game.program.fingerprint, **began.to_data()})
        self._points = [Checkpoint(0, start, None, self._chance.generator.state)]
        self._take_up([])

    # Requests and answers --------------------------------------------------------------------------------------

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
        return self._policy

    @property
    def requests(self) -> tuple[Request, ...]:
        """All open requests in order; none when the session is over."""
        return tuple([self._with_context(one, one.player) for one in self._open])

    @property
    def _titles(self) -> Titles:
        return titles_of(self.game.program, self.state)

    @property
    def _open(self) -> list[Request]:
        """The open requests, without what came before them."""
        return [question(one, number, self._player_of(one), self._titles) for number, one in self._course.open.items()]

    @arguments.checked
    def asked(self, player: str) -> tuple[Request, ...]:
        """The open requests that a player can answer. Raises PlayError where there is no such player."""
        names = self._names(player)
        mine = [self._as_seen(one, names) for one in self._open if self._may_answer(player, names, one)]
        return tuple([self._with_context(one, player) for one in mine])

    @arguments.checked
    def lines_before(self, request: str, player: str | None = None) -> tuple[Line, ...]:
        """What happened after a player's previous answer, and the dice on the table, as lines of a trace.

        For a player, without what that player may not see; for the host, after the previous answer of the same thing
        or role.
        """
        return tuple(self._came_before(request, player)[1])

    @arguments.checked
    def before(self, request: str, player: str | None = None) -> Before:
        """What of `lines_before` people are told."""
        around, lines = self._came_before(request, player)
        of, program = self._asked_of(request, None), self.game.program
        who = of.by if isinstance(of, Choice) else None
        return before(around, lines, self._course.run.depth, of.at, who, self.beginning.rule, program)

    def _came_before(self, request: str, player: str | None) -> tuple[list[Line], list[Line]]:
        """The headings of what still ran at a player's previous answer, and `lines_before`."""
        of, run = self._asked_of(request, None), self._course.run
        names = self._names(player) if player is not None else None
        mine = names if names is not None else {of.by if isinstance(of, Choice) else None}
        before_asked = range(len(self._log) - self._answered_beside(of))
        last = next((n for n in reversed(before_asked) if self._log[n].how == GIVEN and self._log[n].who in mine), None)
        start = self._events_at[last] if last is not None else 0
        around, events = headings_around(run.events, start, run.depth), run.events[start:]
        on_table = tuple(run.on_table)
        events = _without_answers_of(events, mine) if last is not None else events
        if names is not None:
            program, states = self.game.program, (self._ready.frame.get(STATE, EMPTY), self.state)
            around, events = (veiled(program, part, states, names) for part in (around, events))
            on_table = tuple([roll for roll in on_table if may_know(program, states, roll.path, names)])
        closures, began = self.game.closures, self._ready.frame.get(STATE, EMPTY)
        return (
            lines_before(closures, around, (), state=began),
            lines_before(closures, events, on_table, state=began),
        )

    def _answered_beside(self, of: Choice | ThrowRequest) -> int:
        """How many answers at the end of the log are to choices that were put at once with an open one."""
        beside = {(one.path, one.by, one.of) for one in of.at_once} if isinstance(of, Choice) else set()
        for number, one in enumerate(reversed(self._log)):
            if (one.path, one.who, one.of) not in beside:
                return number
            beside.remove((one.path, one.who, one.of))
        return len(self._log)

    @property
    def depth(self) -> int | None:
        """The depth in the trace of the step that asks; None where nothing is asked."""
        return self._course.run.depth if self._course.open else None

    @property
    def turn(self) -> tuple[int, int]:
        """How many rounds and turns have begun."""
        return self._clock.now(self._course.run.events)

    def _with_context(self, request: Request, player: str | None) -> Request:
        """A request with what came before it, what its options mean, and how its answer may stand."""
        names = self._names(player) if player is not None else None
        of = self._course.open[request.id]
        if (request.id, player) not in self._meanings:
            known = {one: means for one, means in self._meanings.items() if one[0] in self._course.open}
            self._meanings = {**known, (request.id, player): self._told_options(request, names)}
        return replace(
            request,
            since=self._since(request, player),
            status=status_of(self.game, self.state, request.who, names),
            meanings=self._meanings[request.id, player][0],
            terms=self._meanings[request.id, player][1],
            until=SPANS if isinstance(of, Choice) else (),
            spent=tuple(sorted(of.spent)) if isinstance(of, Choice) else (),
            reaction=isinstance(of, Choice) and _is_reaction(of),
        )

    def _told_options(self, request: Request, names: Names | None) -> Meanings:
        of = self._course.open[request.id]
        return meanings_of(self.game, self.state, request, of.prices if isinstance(of, Choice) else {}, names)

    def _since(self, request: Request, player: str | None) -> tuple[str, ...]:
        lines = [
            f"{'  ' * line.depth}{line.shown}{': ' if line.name and line.text else ''}{line.text}"
            for line in self.before(request.id, player).lines
        ]
        left_out = len(lines) - MOST_SINCE
        return (f"… {left_out} lines before", *lines[left_out:]) if left_out > 0 else tuple(lines)

    @arguments.checked
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
        of, answer = self._checked(request, value, by, until)
        if (for_all or for_everybody) and until is None:
            raise PlayError(say.for_all_without_until("for_all" if for_all else "for_everybody"))
        if for_everybody and by is not None:
            raise PlayError(say.for_everybody_by_a_player(by))
        with self._whole():
            self._note(request, of, answer, GIVEN, by, until, for_all, for_everybody)
            self.settle()
        self._undone.clear()

    @arguments.checked
    def try_answer(self, request: str, value: Any, by: str | None = None, until: str | None = None) -> None:
        """Raises PlayError where `answer` would refuse the answer itself; nothing changes."""
        self._checked(request, value, by, until)

    def _checked(
        self, request: str, value: Any, by: str | None, until: str | None
    ) -> tuple[Choice | ThrowRequest, Any]:
        of = self._asked_of(request, by)
        if until is not None and until not in SPANS:
            raise PlayError(say.not_one_of(say.NOWHERE, "until", until, SPANS))
        if until is not None and isinstance(of, ThrowRequest):
            raise PlayError(say.faces_cannot_stand())
        return of, read(of, self._action_of(of, value), self._titles)

    def _action_of(self, of: Choice | ThrowRequest, value: Any) -> Any:
        """The name of the one offered action with a title, case aside; any other value as it is."""
        offered = of.options if isinstance(of, Choice) and isinstance(value, str) else None
        if not offered or offered[-1] != PASS or value in offered:
            return value
        actions = self.game.program.actions
        named = [one for one in offered if one in actions and actions[one].rule.title.lower() == value.lower()]
        return named[0] if len(named) == 1 else value

    def question_of(self, answer: Answer) -> str:
        """The question that an answer of the log was given to, or else the name of the step that asked it."""
        if not isinstance(answer, Answer):
            raise PlayError(say.misfit_argument("answer", answer, "an answer of `log` or `standing`"))
        return self._questions.get(answer.request) or answer.path.rpartition(".")[2].replace("_", " ")

    @arguments.checked
    def spent_of(self, answer: Answer) -> tuple[str, ...]:
        """Of an answer that stands and was given to an offer: what was used up, kinds of actions or points that
        last for a turn. It answers an offer only where these are used up again."""
        if not isinstance(answer, Answer):
            raise PlayError(say.misfit_argument("answer", answer, "an answer of `log` or `standing`"))
        stands = next((one for one in self._standing if self._log[one.number - 1] == answer), None)
        return tuple(sorted(stands.spent)) if stands is not None else ()

    @property
    def taking_part(self) -> frozenset[str]:
        """The names of the things that take part in the scene under way, with those of which there is only one; of all
        things outside of a scene."""
        return self.game.taking_part(self.state)

    @arguments.checked
    def possible(self, actor: str | None = None, player: str | None = None) -> Mapping[str, tuple[Possible, ...]]:
        """Every action that an actor can take now, by the name of the actor; without `actor`, of all that take part
        and can do something. For a player, only of those that this player answers for: raises PlayError for another.
        """
        if player is not None:
            self._names(player)
        if actor is not None:
            self._answers_for(actor, player)
            return {actor: self.game.possible(self.state, actor)}
        there = [name for name in self.state.things if name in self.taking_part]
        return self.game.all_possible(self.state, [name for name in there if player in (None, self._player_for(name))])

    @arguments.checked
    def why_not(self, actor: str, action: str, player: str | None = None) -> Diagnostic | None:
        """Why an actor cannot take an action now, whatever its inputs; None if it can, or if that cannot be told. For a
        player, only of an actor that this player answers for: raises PlayError for another."""
        self._answers_for(actor, player)
        return self.game.why_not(self.state, actor, action)

    def _answers_for(self, actor: str, player: str | None) -> None:
        """Raise PlayError if a player does not answer for an actor."""
        if player is not None:
            self._names(player)
            if self._player_for(actor) != player:
                raise PlayError(say.not_of_player(player, actor, self._player_for(actor)))

    @arguments.checked
    def standing(self, player: str | None = None) -> tuple[Answer, ...]:
        """The answers that stand now; for a player, those that this player gave, or the host for them."""
        now = self._clock.now(self._course.run.events)
        if player is not None:
            self._names(player)
        still = [one for one in self._standing if one.lasts(now) and (one.everybody or player in (None, one.player))]
        return tuple([self._log[one.number - 1] for one in still])

    @arguments.checked
    def ask_again(self, player: str | None = None) -> None:
        """End all standing answers and refusals, or those for a player: what they answered is asked again."""
        for one in self._meant(player):
            self._asked_again[one] = len(self._log)
            self._refused.pop(one, None)
        self._standing = [one for one in self._standing if player not in (None, one.player)]

    @arguments.checked
    def refuse(self, until: str, player: str | None = None) -> None:
        """Refuse every reaction until a `turn`, `round` or `scene` ends: for a player, or for all who are asked. Raises
        PlayError for another span; `ask_again` ends it, too, and `undo` does not."""
        if until not in SPANS:
            raise PlayError(say.not_one_of(say.NOWHERE, "until", until, SPANS))
        with self._whole():
            refusal = Refusal(until, self._clock.now(self._course.run.events))
            self._refused.update(dict.fromkeys(self._meant(player), refusal))
            self.settle()

    @arguments.checked
    def refuses(self, player: str | None = None) -> str | None:
        """The span until whose end a player, or everybody, refuses all reactions; None where some are asked."""
        now = self._clock.now(self._course.run.events)
        found = {one.until if one is not None and lasts(one.until, one.began, now) else None
                 for one in map(self._refused.get, self._meant(player))}  # fmt: skip
        return found.pop() if len(found) == 1 else None

    def _meant(self, player: str | None) -> tuple[str, ...]:
        """A player, or else all, with the empty name for those whom nobody plays."""
        if player is None:
            return (*self.players, "")
        self._names(player)
        return (player,)

    def asked_again_before(self, numbers: Mapping[str, int]) -> None:
        """Let no answers stand up to these lengths of the log, by player."""
        self._asked_again = dict(numbers)

    def refused_before(self, refused: Mapping[str, Refusal]) -> None:
        """Set who refuses all reactions."""
        self._refused = dict(refused)

    @arguments.checked
    def run(self, ask: Ask) -> Session:
        """Ask for each answer until the session is over; None takes the default. Raises PlayError without a default."""
        while not self.over:
            one = self._open[0]
            value = ask(one)
            if value is None:
                if not one.has_default:
                    raise PlayError(say.no_answer(one.path, one.who, one.question))
                value = one.default
            self.answer(one.id, value)
        return self

    def undo(self) -> None:
        """Take back the last answer of a player or the host, with all answers of chance and policy after it. Raises
        PlayError where there is none."""
        last = next((n for n in reversed(range(len(self._log))) if self._log[n].how == GIVEN), None)
        if last is None:
            raise PlayError(say.nothing_to_take_back("undo"))
        kept, taken = self._log[:last], self._log[last:]
        self._take_up(kept)
        self._undone.append(taken)

    def redo(self) -> None:
        """Give the last undone answer again, with all that followed it. Raises PlayError where there is none."""
        if not self._undone:
            raise PlayError(say.nothing_to_take_back("redo"))
        again = self._undone[-1]
        with self._whole():
            self.walk_again(again)
        self._undone.pop()

    def undone_before(self, taken: Sequence[list[Answer]]) -> None:
        """Set the answers that `redo` can give again, the last undone last."""
        self._undone = list(taken)

    # Results and views ------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self._course.over

    @property
    def result(self) -> Result | None:
        """The result of the run; None until it is over."""
        course = self._course
        if not course.over:
            return None
        return result_of(self.game, self._ready, course.frame, course.run, course.record, self.beginning.seed)

    @property
    def state(self) -> State:
        """The current state."""
        course = self._course
        now: State = course.frame.get(STATE, EMPTY) if course.over else course.run.state
        return now

    @property
    def log(self) -> tuple[Answer, ...]:
        """Every answer so far: those given, those of chance and of the policy."""
        return tuple(self._log)

    @property
    def rounds(self) -> tuple[int, ...]:
        """The number of events before each round, from which `lines` can be read."""
        return tuple(n for n, event in enumerate(self._course.run.events) if isinstance(event, ev.RoundBegun))

    @arguments.checked
    def lines(self, player: str | None = None, since: int = 0) -> tuple[Line, ...]:
        """The trace so far, or `since` a round began; for a player, without what that player may not see."""
        events = self._course.run.events[max(since, 0) :]
        if player is not None:
            states = (self._ready.frame.get(STATE, EMPTY), self.state)
            events = veiled(self.game.program, events, states, self._names(player))
        return tuple(Trace(events, self.game.closures, self._ready.frame.get(STATE, EMPTY)))

    @arguments.checked
    def view(self, player: str | None = None) -> dict[str, Any]:
        """The state as plain data; for a player, without what that player may not see."""
        now, program = self.state, self.game.program
        data = things_data(program, now)
        return data if player is None else shown(program, now, data, self._names(player))

    @arguments.checked
    def look(self, expression: str) -> Any:
        """The value of an expression about the current state. It reads everything, so it is for hosts."""
        return self.game.look(self.state, expression)

    # Saving -----------------------------------------------------------------------------------------------------

    def to_data(self) -> dict[str, Any]:
        """The session as plain data, for `Game.resume`; `schemas/session.json` describes it."""
        game = self.game
        return {
            "session": FORMAT,
            "ruleset": game.program.name,
            "version": game.program.version,
            "fingerprint": game.program.fingerprint,
            "options": game.own_options,
            **self.beginning.to_data(),
            "policy": self._policy if isinstance(self._policy, str) else None,
            "log": [one.to_data() for one in self._log],
            "undone": (undone := [[one.to_data() for one in taken] for taken in self._undone]),
            "asks_again": dict(self._asked_again),
            "refuses": self._refusals(),
            "seal": self._sealed(undone),
            "open": [one.to_data() for one in self._open],
            "over": self.over,
            "now": self.view(),
        }

    def _refusals(self) -> dict[str, Any]:
        return {player: [one.until, *one.began] for player, one in self._refused.items()}

    def _sealed(self, undone: list[Any]) -> str:
        """The seal of the log, of what was undone, of where standing answers were ended, and of refusals."""
        seal = self._course.seal
        for part in (undone, self._asked_again, self._refusals()):
            seal = _seal(seal, part) if part else seal
        return seal

    def to_json(self) -> str:
        """The same as JSON text."""
        return json.dumps(self.to_data(), ensure_ascii=False)

    # The walk ---------------------------------------------------------------------------------------------------

    def _take_up(self, log: Sequence[Answer]) -> None:
        """Go back to the last checkpoint before these answers end, and play the rest of them, which become the log."""
        while self._points[-1].number > len(log):
            self._points.pop()
        point = self._points[-1]
        run, frame = Run(), dict(self._ready.frame)
        if point.boundary is not None:
            run, frame = self._course.run.at(point.boundary), dict(point.boundary.frame)
        if ".meter" in frame:
            frame[".meter"] = list(frame[".meter"])
        self._chance.generator.state = point.dice
        course = Course(run, frame, self._ready.walk(frame, run), point.number, point.seal)
        course.begin()
        self._log, self._course = list(log[: point.number]), course
        del self._events_at[point.number :]
        self._standing = [one for one in self._standing if one.number <= point.number]
        self._asked_again = {player: min(number, len(log)) for player, number in self._asked_again.items()}
        self._clock = Clock()
        self._remember(course)
        self.walk_again(log[point.number :])

    def walk_again(self, log: Sequence[Answer]) -> None:
        """Append logged answers, and play them. Raises PlayError where they do not fit."""
        course = self._course
        for one in log:
            number = len(self._log) + 1
            of = course.open.get(one.request)
            if of is None or _about(of) != (one.path, one.who, one.of):
                asked = ", ".join(dict.fromkeys(each.path for each in course.open.values())) or "nothing"
                raise PlayError(say.session_differs(number, f"`{one.path}` was answered, and {asked} is asked"))
            answer = read(of, one.answer)
            if one.how == CHANCE and (
                self._table or not isinstance(of, ThrowRequest) or self._chance.throw(of.dice) != answer
            ):
                raise PlayError(say.session_differs(number, "the faces do not match its seed"))
            self._append(one)
            self._stand(of, one)
            course.take(one.request, answer, _seal(course.seal, one.to_data()))
            self._remember(course)

    def _remember(self, course: Course) -> None:
        """Keep a checkpoint where the run has passed a boundary."""
        boundary, last = course.run.boundary, self._points[-1].boundary
        if boundary is None or (last is not None and last.marks == boundary.marks):
            return
        point = Checkpoint(course.number, course.seal, boundary, self._chance.generator.state)
        self._points.append(point)

    def _note(
        self,
        request: str,
        of: Choice | ThrowRequest,
        answer: Any,
        how: str,
        by: str | None,
        until: str | None = None,
        for_all: bool = False,
        for_everybody: bool = False,
    ) -> None:
        """Log an answer, and play on with it."""
        path, who, about = _about(of)
        whose = for_all or None, for_everybody or None
        one = Answer(request, path, who, about, how, by, plain(of, answer), until, *whose)
        self._append(one)
        self._stand(of, one)
        self._course.take(request, answer, _seal(self._course.seal, one.to_data()))
        self._remember(self._course)

    def _append(self, one: Answer) -> None:
        """Add an answer to the log, which its run has not taken yet."""
        self._log.append(one)
        self._events_at.append(len(self._course.run.events))

    def _stand(self, of: Choice | ThrowRequest, one: Answer) -> None:
        """Keep the last line of the log as a standing answer, if it is one."""
        if one.until is None or not isinstance(of, Choice):
            return
        player, number = self._player_of(of), len(self._log)
        if number > self._asked_again.get(player or "", 0):
            now = self._clock.now(self._course.run.events)
            who = None if one.for_all else of.by
            self._questions[one.request] = of.pattern or of.ask
            everybody = bool(one.for_everybody)
            stands = StandingAnswer(number, step_of(of), who, player, one.until, now, one.answer, of.spent, everybody)
            self._standing.append(stands)

    def settle(self) -> None:
        """Answer the requests that are for chance, those that a standing answer answers, and those without a player by
        the policy."""
        course = self._course
        while settled := next(filter(None, map(self._settled, list(course.open))), None):
            request, answer, how = settled
            of = course.open[request]
            self._note(request, of, answer, how, self._player_of(of) if how == STANDING else None)

    def _settled(self, request: str) -> tuple[str, Any, str] | None:
        of = self._course.open[request]
        if isinstance(of, ThrowRequest):
            return None if self._table else (request, self._chance.throw(of.dice), CHANCE)
        player, now = self._player_of(of), self._clock.now(self._course.run.events)
        is_asked = self._policy is None or player is not None or (of.by is None and bool(self.players))
        refusal, asks_since = self._refused.get(player or ""), self._asked_again.get(player or "", 0)
        if is_asked and _is_reaction(of) and refusal is not None and lasts(refusal.until, refusal.began, now):
            return request, False, STANDING
        for one in reversed(self._standing):
            if one.number > asks_since and one.answers(of, player, now, is_asked):
                with suppress(PlayError):  # what is not a legal answer here is asked for
                    return request, read(of, one.answer), STANDING
        if is_asked or self._policy is None:
            return None
        if isinstance(self._policy, str):
            said = of.by_policy.get(self._policy)
            answer = said() if said is not None else None
        else:
            answer = self._policy(of)
        if answer is None and not of.offers_default:
            return None
        return request, checked(of, of.default if answer is None else answer), POLICY

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Undo all changes of the block where it raises."""
        before = list(self._log)
        try:
            yield
        except BaseException as error:
            self._take_up(before)
            if isinstance(error, RecursionError):
                raise PlayError(say.expression_too_deep(say.NOWHERE)) from None
            raise

    # Players ----------------------------------------------------------------------------------------------------

    def _names(self, player: str) -> Names:
        if player not in self.players:
            raise PlayError(say.unknown_player(player, self.players))
        return frozenset(self.players[player])

    def _player_of(self, of: Choice | ThrowRequest) -> str | None:
        """The player who answers a request, or None."""
        return self._player_for(of.by if isinstance(of, Choice) else None)

    def _player_for(self, name: str | None) -> str | None:
        """The player who answers for a thing or role, or None; the player of a thing answers for its parts, too."""
        while name:
            for player, names in self.players.items():
                if name in names:
                    return player
            name = name.rpartition(".")[0]
        return None

    def _may_answer(self, player: str, names: Names, request: Request) -> bool:
        if request.player is not None or request.who is not None:
            return request.player == player
        of = self._course.open[request.id]
        if not isinstance(of, ThrowRequest) or of.pile is None:
            return True
        thing, name = of.pile  # the rest of a pile shows its elements
        return may_see(self.game.program, kinds_of(self.state), thing.id, name, names)

    def _as_seen(self, request: Request, names: Names) -> Request:
        """A request as a player may see it: a draw of lots does not show who is tied by a hidden value."""
        of = self._course.open[request.id]
        if not isinstance(of, ThrowRequest) or not of.among:
            return request
        known = may_know(self.game.program, (self._ready.frame.get(STATE, EMPTY), self.state), of.at, names)
        return request if known else replace(request, among=(), question="")

    def _asked_of(self, request: str, by: str | None) -> Choice | ThrowRequest:
        """The open request of an id. Raises PlayError where this player may not answer it."""
        names = self._names(by) if by is not None else None
        of = self._course.open.get(request)
        if of is None:
            done = next((one for one in self._log if one.request == request), None)
            if done is None:
                mine = [one.id for one in self._open if names is None or self._may_answer(by or "", names, one)]
                raise PlayError(say.not_open(request, mine, by))
            player = self._player_for(done.who)
            if by is not None and done.who is not None and player != by:
                raise PlayError(say.asked_of_another(done.path, by, done.who, player))
            raise PlayError(say.answered_already(request, done.path, done.by, done.how))
        if by is not None and names is not None:
            asked = question(of, request, self._player_of(of))
            if not self._may_answer(by, names, asked):
                raise PlayError(say.asked_of_another(asked.path, by, asked.who, asked.player))
        return of


def _about(of: Choice | ThrowRequest) -> tuple[str, str | None, str | None]:
    return (of.path, of.by, of.of) if isinstance(of, Choice) else (of.path, None, None)


def _is_reaction(of: Choice) -> bool:
    """Whether a choice asks whether to react to an event."""
    return of.at == f"reactions.{of.name}"


def _seal(before: str, data: Any) -> str:
    """The hash of data together with the seal before it."""
    try:
        text = before + json.dumps(data, ensure_ascii=True, sort_keys=True)
    except (TypeError, ValueError) as error:  # a host may pass data that is not JSON
        raise PlayError(say.not_a_session(str(error).lower())) from None
    return hashlib.sha256(text.encode()).hexdigest()[:32]
