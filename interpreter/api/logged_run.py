"""A run with the log of its answers, which is played again to undo and to resume.

A session is its beginning and its log: every answer in order, those of players and of the host as well as faces by
chance and answers of a policy. Playing these again gives the open requests. So undo plays again without the last
answers, and resume plays again with all of them; in a scene, undo starts at the last phase that began before.
Each answer is hashed together with all answers before it (its seal), and the seal is part of the id of every request:
no answer can reach a request that it was not given to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field
from threading import RLock
from types import MappingProxyType
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter.api.fair_dice import ChanceThrow, is_hidden_throw
from interpreter.api.interventions import is_intervention, players_after, read_intervention
from interpreter.api.players import Players
from interpreter.api.query import PreparedRule
from interpreter.api.questions import answer_data, read
from interpreter.api.session_log import CHANCE, GIVEN, POLICY, STANDING, WITH, Answer, Beginning, seal
from interpreter.api.standing_answers import Clock, StandingAnswers, is_reaction, is_usual
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.play.available_actions import PossibleActions
from interpreter.play.deciders import Policy
from interpreter.play.interventions import Cut
from interpreter.play.requests import Choice, ThrowRequest, check_answer
from interpreter.play.run import Boundary, Run, Walk
from interpreter.runtime.rng import HIDDEN, PUBLIC, DicePosition, GeneratorDice, SeededDice
from interpreter.runtime.state import EMPTY, STATE, State
from interpreter.runtime.titles import NO_TITLES, Titles


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A point at which a run can be continued: the number of answers before it, their seal and the state of the dice.
    Without a `boundary` it is the beginning."""

    number: int
    seal: str
    boundary: Boundary | None
    dice: DicePosition


class QuestionAhead(NamedTuple):
    """A question before it is asked: the number of the event that it belongs to (`Choice.event`), its path, who is
    asked, and about what."""

    event: int
    path: str
    by: str | None
    of: str | None


def as_question_ahead(of: Choice) -> QuestionAhead:
    """What a choice could be known by before it is asked."""
    return QuestionAhead(of.event, of.path, of.by, of.of)


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
        except Cut:
            raise PlayError(say.nothing_to_end()) from None
        if self.waiting:
            return  # other requests of the same group are still open
        together = (asked.at_once or (asked,)) if isinstance(asked, Choice) else (asked,)
        numbers = [f"{self.number + place}-{self.seal[:8]}" for place in range(1, len(together) + 1)]
        self.open, self.waiting, self.came = dict(zip(numbers, together, strict=True)), numbers, {}


class LoggedRun:
    """The run of a session with the log of its answers, which of them stand, and what was undone."""

    def __init__(
        self,
        prepared: PreparedRule,
        beginning: Beginning,
        policy: str | Policy | None,
        boundary: Boundary | None = None,
        dice: DicePosition | None = None,
    ) -> None:
        """A run from its beginning, or from a boundary of a scene with the dice in this state."""
        self.prepared, self.beginning, self.policy = prepared, beginning, policy
        self.lock = RLock()
        """Held by whoever reads or changes the run from outside (`api/one_at_a_time.py`)."""
        self._first_players = Players(beginning.players)
        self.players = self._first_players
        """Who answers for what now, which the game master may change."""
        self.standing = StandingAnswers()
        self.said_before: dict[QuestionAhead, Any] = {}
        """What was said together with an earlier answer, as plain data, and is no answer yet."""
        self.undone: list[list[Answer]] = []
        """What `redo` can give again, the last undone last."""
        self.log: list[Answer] = []
        self.events_at: list[int] = []
        """How many events there were when each answer of the log was given."""
        self.course: Course
        self.throws: list[ChanceThrow] = []
        """The throws by chance, in order, of dice that can be proved to be fair."""
        self._has_table_dice = beginning.seed is None
        self._chance = SeededDice(beginning.seed or 0, beginning.words)
        self._clock = Clock()
        start = seal("", beginning.to_data())
        self._points = [Checkpoint(0, start, boundary, self._chance.position if dice is None else dice)]
        self._resume_from_checkpoint([])

    @property
    def now(self) -> tuple[int, int]:
        """How many rounds and turns have begun."""
        return self._clock.now(self.course.run.events)

    @property
    def first_state(self) -> State:
        """The state in which the run began."""
        state: State = self.prepared.frame.get(STATE, EMPTY)
        return state

    @property
    def state(self) -> State:
        """The current state."""
        course = self.course
        now: State = course.frame.get(STATE, EMPTY) if course.over else course.run.state
        return now

    # Answers ----------------------------------------------------------------------------------------------------

    def give(
        self,
        request: str,
        of: Choice | ThrowRequest,
        answer: Any,
        by: str | None,
        until: str | None = None,
        for_all: bool = False,
        for_everybody: bool = False,
        beside: Mapping[QuestionAhead, Any] | None = None,
    ) -> None:
        """Give an answer of a player or the host, and play on; `beside` are answers to what follows from it. Raises
        PlayError where it leads to an error of the run; then nothing changes."""
        with self.unchanged_on_error():
            self._log_answer(request, of, answer, GIVEN, by, until, for_all, for_everybody, beside or {})
            self.settle()
        self.undone.clear()

    def undo(self) -> None:
        """Take back the last answer of a player or the host, with all answers of chance and policy after it. Raises
        PlayError where there is none."""
        last = next((n for n in reversed(range(len(self.log))) if self.log[n].how == GIVEN), None)
        if last is None:
            raise PlayError(say.nothing_to_take_back("undo"))
        kept, taken = self.log[:last], self.log[last:]
        self._resume_from_checkpoint(kept)
        self.undone.append(taken)

    def redo(self) -> None:
        """Give the last undone answer again, with all that followed it. Raises PlayError where there is none."""
        if not self.undone:
            raise PlayError(say.nothing_to_take_back("redo"))
        again = self.undone[-1]
        with self.unchanged_on_error():
            self.walk_again(again)
        self.undone.pop()

    def seal_with(self, *parts: Any) -> str:
        """The seal of the log, and of other parts of a session that are not empty."""
        together = self.course.seal
        for part in parts:
            together = seal(together, part) if part else together
        return together

    @contextmanager
    def unchanged_on_error(self) -> Iterator[None]:
        """Undo all changes of the block where it raises."""
        before = list(self.log)
        try:
            yield
        except BaseException as error:
            self._resume_from_checkpoint(before)
            if isinstance(error, RecursionError):
                raise PlayError(say.expression_too_deep(say.NOWHERE)) from None
            raise

    def read(self, of: Choice | ThrowRequest, said: Any, titles: Titles = NO_TITLES) -> Any:
        """The answer that plain data mean, or the intervention of the game master. Raises PlayError for neither."""
        if is_intervention(said):
            return read_intervention(self.prepared.reader, self.state, self.players, of, said)
        return read(of, said, titles)

    # The walk ---------------------------------------------------------------------------------------------------

    def _resume_from_checkpoint(self, log: Sequence[Answer]) -> None:
        """Go back to the last checkpoint before these answers end, and play the rest of them, which become the log."""
        while self._points[-1].number > len(log):
            self._points.pop()
        point = self._points[-1]
        self.said_before.clear()
        run, frame = Run(), dict(self.prepared.frame)
        if point.boundary is not None:
            before = Run() if len(self._points) == 1 else self.course.run
            run, frame = before.resumed_at(point.boundary), dict(point.boundary.frame)
        if ".meter" in frame:
            frame[".meter"] = list(frame[".meter"])
        self._chance.position = point.dice
        course = Course(run, frame, self.prepared.walk(frame, run), point.number, point.seal)
        course.begin()
        self.log, self.course = list(log[: point.number]), course
        self.players = players_after(self._first_players, self.log)
        del self.events_at[point.number :]
        self.throws = [one for one in self.throws if one.number < point.number]
        self.standing.go_back(point.number, len(log))
        self._clock = Clock()
        self._keep_checkpoint(course)
        self.walk_again(log[point.number :])

    def walk_again(self, log: Sequence[Answer]) -> None:
        """Append logged answers, and play them. Raises PlayError where they do not fit."""
        course = self.course
        for one in log:
            number = len(self.log) + 1
            of = course.open.get(one.request)
            if of is None or _subject(of) != (one.path, one.who, one.of):
                asked = ", ".join(dict.fromkeys(each.path for each in course.open.values())) or "nothing"
                raise PlayError(say.session_differs(number, f"`{one.path}` was answered, and {asked} is asked"))
            answer = self.read(of, one.answer)
            if one.how == CHANCE and (
                self._has_table_dice or not isinstance(of, ThrowRequest) or self._throw(of) != answer
            ):
                raise PlayError(say.session_differs(number, "the faces do not match its seed"))
            self._append(of, one)
            course.take(one.request, answer, seal(course.seal, one.to_data()))
            self._keep_checkpoint(course)

    def answer_again(self, log: Sequence[Answer]) -> int:
        """Give answers of players and the host again, as long as the same is asked of the same and they are legal; the
        number of those that were given. Chance and the policy answer anew."""
        self.settle()
        given = [one for one in log if one.how in (GIVEN, WITH)]
        for number, one in enumerate(given):
            asked = self.course.open.items()
            request = next((request for request, of in asked if _subject(of) == (one.path, one.who, one.of)), None)
            if request is None:
                return number
            of = self.course.open[request]
            try:
                answer = self.read(of, one.answer)
                with self.unchanged_on_error():
                    self._log_answer(
                        request, of, answer, GIVEN, one.by, one.until, bool(one.for_all), bool(one.for_everybody)
                    )
                    self.settle()
            except PlayError:
                return number
        return len(given)

    def _throw(self, of: ThrowRequest) -> list[Any]:
        """The faces of a throw by chance, which answers the next request of the log."""
        before = self._chance.position
        if isinstance(before, int):
            return self._chance.throw(of.dice)
        stream = HIDDEN if is_hidden_throw(self.prepared.reader.closures.program, of) else PUBLIC
        source: GeneratorDice = self._chance.hidden if stream == HIDDEN else self._chance
        faces = source.throw(of.dice)
        self.throws = [one for one in self.throws if one.number < len(self.log)]
        self.throws.append(ChanceThrow(len(self.log), of, stream, before[stream == HIDDEN], tuple(faces)))
        return faces

    @property
    def last_boundary(self) -> Checkpoint | None:
        """The last boundary that the run has passed, if it plays a scene."""
        return next((one for one in reversed(self._points) if one.boundary is not None), None)

    def _keep_checkpoint(self, course: Course) -> None:
        """Keep a checkpoint where the run has passed a boundary."""
        boundary, last = course.run.boundary, self._points[-1].boundary
        if boundary is None or (last is not None and last.marks == boundary.marks):
            return
        point = Checkpoint(course.number, course.seal, boundary, self._chance.position)
        self._points.append(point)

    def _log_answer(
        self,
        request: str,
        of: Choice | ThrowRequest,
        answer: Any,
        how: str,
        by: str | None,
        until: str | None = None,
        for_all: bool = False,
        for_everybody: bool = False,
        beside: Mapping[QuestionAhead, Any] = MappingProxyType({}),
    ) -> None:
        """Log an answer, and play on with it; `beside` are answers to what follows from it."""
        path, who, about = _subject(of)
        if isinstance(of, Choice) and isinstance(
            of.options, PossibleActions
        ):  # what was said for another action is over
            self.said_before = {asked: said for asked, said in self.said_before.items() if asked.event}
        self.said_before |= beside
        whose = for_all or None, for_everybody or None
        one = Answer(request, path, who, about, how, by, answer_data(of, answer), until, *whose)
        self._append(of, one)
        self.course.take(request, answer, seal(self.course.seal, one.to_data()))
        self._keep_checkpoint(self.course)

    def _append(self, of: Choice | ThrowRequest, one: Answer) -> None:
        """Add an answer to the log, which its run has not taken yet, and to the standing answers if it is one."""
        self.log.append(one)
        self.players = players_after(self.players, (one,))
        self.events_at.append(len(self.course.run.events))
        if one.until is not None and isinstance(of, Choice):
            self.standing.add(len(self.log), one, of, self.players.player_of(of), self.now)

    def settle(self) -> None:
        """Answer the requests that are for chance, those that a standing answer answers, and those without a player by
        the policy."""
        course = self.course
        while answered := next(filter(None, map(self._automatic_answer, list(course.open))), None):
            request, answer, how = answered
            of = course.open[request]
            by = self.players.player_of(of) if how in (STANDING, WITH) else None
            self._log_answer(request, of, answer, how, by)

    def _automatic_answer(self, request: str) -> tuple[str, Any, str] | None:
        """A request with the answer of chance, of a standing answer or of the policy, and its origin; None if it is
        asked."""
        of = self.course.open[request]
        if isinstance(of, ThrowRequest):
            return None if self._has_table_dice else (request, self._throw(of), CHANCE)
        player, now = self.players.player_of(of), self.now
        is_asked = self.policy is None or player is not None or (of.by is None and bool(self.players.names))
        if is_asked and (asked := as_question_ahead(of)) in self.said_before:
            with suppress(PlayError):  # what has become impossible by now is asked, and a reaction refused
                return request, read(of, self.said_before.pop(asked)), WITH
        if is_asked and is_reaction(of) and self.standing.refusal(player, now) is not None:
            return request, False, STANDING
        if is_asked and (player or "") in self.standing.usual and not is_usual(of):
            return request, of.default, STANDING
        for answer in self.standing.answers_to(of, player, now, is_asked):
            with suppress(PlayError):  # what is not a legal answer here is asked for
                return request, read(of, answer), STANDING
        if is_asked or self.policy is None:
            return None
        if isinstance(self.policy, str):
            said = of.by_policy.get(self.policy)
            answer = said() if said is not None else None
        else:
            answer = self.policy(of)
        if answer is None and not of.offers_default:
            return None
        return request, check_answer(of, of.default if answer is None else answer), POLICY


def _subject(of: Choice | ThrowRequest) -> tuple[str, str | None, str | None]:
    """The path of a request, who is asked, and about whom."""
    return (of.path, of.by, of.of) if isinstance(of, Choice) else (of.path, None, None)
