"""Standing answers: an answer that a player gives for a span goes on answering the same question until it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.api.session_log import Answer
from interpreter.frozen import dataclass
from interpreter.play.available_actions import PossibleActions
from interpreter.play.requests import Choice
from interpreter.play.trace_events import Event, RoundBegun, TurnBegun

EVERYTHING, USUAL = WHAT_IS_ASKED = ("everything", "usual")
"""What a player may wish to be asked: everything, or nothing that hardly ever matters."""

TURN, ROUND, SCENE = SPANS = ("turn", "round", "scene")
"""The spans for which an answer may stand."""


@dataclass(frozen=True, slots=True)
class StandingAnswer:
    """An answer that stands `until` a span ends.

    `number` is the length of the log with the answer. `step` asks, and `who` is asked: a thing or role, or, if that is
    None, everything that `player` answers for; with `everybody`, it answers all who are asked. `began` counts the
    rounds and turns that had begun. Of an offer, `spent` is what was used up, kinds of actions or
    points that last for a turn: the answer stands where these are used up again, so that whoever passes the rest of a
    turn does not pass the whole of the next.
    """

    number: int
    step: str
    who: str | None
    player: str | None
    until: str
    began: tuple[int, int]
    answer: Any
    spent: frozenset[str] = frozenset()
    everybody: bool = False

    def answers(self, of: Choice, player: str | None, now: tuple[int, int], is_asked: bool) -> bool:
        """Whether it answers a choice that a player is asked, when so many rounds and turns have begun; without
        `is_asked`, a policy answers it otherwise."""
        whose = self.player == player and self.who in (None, of.by)
        whose = whose or (self.everybody and is_asked)
        return whose and self.step == step_of(of) and self.spent <= of.spent and self.lasts(now)

    def lasts(self, now: tuple[int, int]) -> bool:
        """Whether it still stands when so many rounds and turns have begun."""
        return lasts(self.until, self.began, now)


@dataclass(frozen=True, slots=True)
class Refusal:
    """All reactions are refused until a span ends; `began` counts the rounds and turns that had begun."""

    until: str
    began: tuple[int, int]


def lasts(until: str, began: tuple[int, int], now: tuple[int, int]) -> bool:
    """Whether a span still lasts, by the numbers of rounds and turns that had begun and that have begun now."""
    counted = {SCENE: 0, ROUND: 1, TURN: 2}[until]
    return began[:counted] == now[:counted]


def step_of(of: Choice) -> str:
    """What makes two choices the same question: the step that asks, or the name of the offered action or reaction."""
    return of.at or of.name


def is_usual(of: Choice) -> bool:
    """Whether a choice is asked also of somebody who is not asked everything."""
    if of.minor:
        return not of.offers_default
    return not isinstance(of.options, PossibleActions) or of.options.matters


def is_reaction(of: Choice) -> bool:
    """Whether a choice asks whether to react to an event."""
    return of.at == f"reactions.{of.name}"


class StandingAnswers:
    """The answers of a session that stand, and who refuses all reactions.

    The empty name of a player is that of those whom nobody plays.
    """

    def __init__(self) -> None:
        self.asked_again: dict[str, int] = {}
        """By player, the length of the log up to which no answer stands."""
        self.refused: dict[str, Refusal] = {}
        self.usual: set[str] = set()
        """The players who are not asked everything: they pass what hardly ever matters."""
        self._answers: list[StandingAnswer] = []
        self._questions: dict[str, str] = {}  # of each answer that has stood, by the id of its request

    def add(self, number: int, one: Answer, of: Choice, player: str | None, now: tuple[int, int]) -> None:
        """Keep the last line of a log of `number` answers as a standing answer, unless it was ended."""
        if one.until is None or number <= self.asked_again.get(player or "", 0):
            return
        who = None if one.for_all else of.by
        self._questions[one.request] = of.pattern or of.ask
        everybody = bool(one.for_everybody)
        self._answers.append(
            StandingAnswer(number, step_of(of), who, player, one.until, now, one.answer, of.spent, everybody)
        )

    def go_back(self, number: int, length: int) -> None:
        """Drop the answers after so many, for a log that will have another length."""
        self._answers = [one for one in self._answers if one.number <= number]
        self.asked_again = {player: min(asked, length) for player, asked in self.asked_again.items()}

    def answers_to(self, of: Choice, player: str | None, now: tuple[int, int], is_asked: bool) -> Iterator[Any]:
        """The answers that stand for a choice, the latest first."""
        since = self.asked_again.get(player or "", 0)
        for one in reversed(self._answers):
            if one.number > since and one.answers(of, player, now, is_asked):
                yield one.answer

    def numbers(self, player: str | None, now: tuple[int, int]) -> list[int]:
        """The lengths of the log with each answer that stands now; for a player, those given by or for this one."""
        still = [one for one in self._answers if one.lasts(now) and (one.everybody or player in (None, one.player))]
        return [one.number for one in still]

    def end(self, players: Sequence[str], length: int, player: str | None) -> None:
        """End the standing answers and refusals of a player, or of all `players`, in a log of this length."""
        for one in players:
            self.asked_again[one] = length
            self.refused.pop(one, None)
        self._answers = [one for one in self._answers if player not in (None, one.player)]

    def refusal(self, player: str | None, now: tuple[int, int]) -> Refusal | None:
        """The refusal of a player that lasts; None if there is none."""
        one = self.refused.get(player or "")
        return one if one is not None and lasts(one.until, one.began, now) else None

    def refusals_data(self) -> dict[str, Any]:
        """The refusals as plain data, by player."""
        return {player: [one.until, *one.began] for player, one in self.refused.items()}

    def question_of(self, answer: Answer) -> str | None:
        """The question that an answer which has stood was given to."""
        return self._questions.get(answer.request)

    def spent_of(self, answer: Answer, log: Sequence[Answer]) -> frozenset[str]:
        """What was used up when an answer of the log that stands was given to an offer."""
        return next((one.spent for one in self._answers if log[one.number - 1] == answer), frozenset())


@dataclass
class Clock:
    """Counts the rounds and turns that have begun in the events of a run, which only grow."""

    seen: int = 0
    rounds: int = 0
    turns: int = 0

    def now(self, events: Sequence[Event]) -> tuple[int, int]:
        """The numbers of rounds and of turns."""
        for place in range(self.seen, len(events)):
            self.rounds += isinstance(events[place], RoundBegun)
            self.turns += isinstance(events[place], TurnBegun)
        self.seen = len(events)
        return self.rounds, self.turns
