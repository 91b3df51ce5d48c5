"""Standing answers: an answer that a player gives for a span goes on answering the same question until it ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.frozen import dataclass
from interpreter.play.requests import Choice
from interpreter.play.trace_events import Event, RoundBegun, TurnBegun

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
        whose = self.player == player if self.who is None else self.who == of.by
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
