"""The choices that an action makes before its steps, where they are made for a goal: every beginning, and the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.odds.answer import Advice, Law
from interpreter.odds.chance_choices import MOST_ANSWERS
from interpreter.odds.projection import Goal, shown_value
from interpreter.odds.query_cache import MOST_DOUBT
from interpreter.play.requests import Choice
from interpreter.play.run import Walk
from interpreter.values import in_words

Frame = dict[str, Any]


@dataclass(frozen=True)
class StartingState:
    """One beginning: the choices with their answers, and the frame from which the steps start."""

    decided: tuple[tuple[Choice, Any], ...]
    frame: Frame


def find_starting_states(
    begin: Callable[[Frame], Walk], fresh_frame: Callable[[], Frame], open_answers: Callable[[Choice], Sequence[Any]]
) -> list[StartingState]:
    """Every beginning that is not refused; `open_answers` gives the answers to try at a choice.

    Each has a frame of its own, as each may compute as much as a run.

    Raises PlayError if all are refused, or if there are too many.
    """
    made: list[StartingState] = []
    refused: PlayError | None = None
    waiting: list[tuple[Any, ...]] = [()]
    for given in waiting:  # which grows meanwhile
        if len(waiting) > MOST_ANSWERS:
            raise PlayError(say.too_many_answers("an action", MOST_ANSWERS))
        inside, answer = fresh_frame(), None
        decided: list[tuple[Choice, Any]] = []
        walk = begin(inside)
        try:
            while True:
                request = walk.send(answer)
                assert isinstance(request, Choice)  # before its steps, an action throws no dice
                if len(decided) == len(given):
                    waiting += [(*given, one) for one in open_answers(request)]
                    walk.close()
                    break
                answer = given[len(decided)]
                decided.append((request, answer))
        except StopIteration:
            made.append(StartingState(tuple(decided), inside))
        except PlayError as error:
            refused = refused or error
    if not made and refused is not None:
        raise refused
    return made


def best_law(ways: Sequence[StartingState], goals: Sequence[Goal], law: Callable[[Frame, tuple[str, ...]], Law],
             names: tuple[str, ...]) -> Law:  # fmt: skip
    """The law of some names after the best beginning, whose choices come first in its advice. `goals` are those of one
    decider, in the order of preference."""
    goal, *further = goals
    laws = [law(one.frame, (goal.name,)) for one in ways]
    values = [_value(one, goal) for one in laws]
    places = _places_of_best(range(len(ways)), values, goal)
    for other in further:
        others = [_value(law(ways[place].frame, (other.name,)), other) for place in places] if len(places) > 1 else []
        places = _places_of_best(places, others, other) if others else places
    chosen = places[0]
    best = ways[chosen]
    if _possible_shortfall(laws, values, chosen, goal) > MOST_DOUBT:
        raise PlayError(say.best_is_in_doubt())
    advice = [Advice(choice.path, {}, shown_value(answer), Fraction(1)) for choice, answer in best.decided]
    found = law(best.frame, names)
    guessed = len(laws) > 1 and any(one.missing if goal.value is not None else one.mean is None for one in laws)
    return replace(found.without_means() if guessed else found, strategy=(*advice, *found.strategy))


def _places_of_best(places: Sequence[int], values: Sequence[Fraction], goal: Goal) -> list[int]:
    """Those of some places whose values are the best for a goal."""
    best = min(values) if goal.least else max(values)
    return [place for place, value in zip(places, values, strict=True) if value == best]


def _possible_shortfall(laws: Sequence[Law], values: Sequence[Fraction], chosen: int, goal: Goal) -> float:
    """By how much the chosen beginning may fall short of others, as a chance (see `possible_shortfall`)."""
    reached = values if goal.value is not None and not goal.least else [Fraction(0)] * len(laws)
    missing = [Fraction(0) if goal.value is None and law.mean is not None else law.missing for law in laws]
    most = max(value + more for value, more in zip(reached, missing, strict=True))
    return float(most - reached[chosen] - missing[chosen])


def _value(law: Law, goal: Goal) -> Fraction:
    """The value of a law for a goal: the chance that it is reached, or the mean; if it is open, of what is known."""
    if goal.value is not None:
        reached = (goal.value, *goal.counting)
        return sum((share for (value,), share in law.weights.items() if value in reached), Fraction(0))
    for (value,) in law.weights:
        if not isinstance(value, int):
            raise PlayError(say.no_number(goal.name, in_words(value)))
    if law.mean is not None:
        return law.mean
    whole = sum(law.weights.values(), Fraction(0))
    return sum((value * share for (value,), share in law.weights.items()), Fraction(0)) / (whole or 1)
