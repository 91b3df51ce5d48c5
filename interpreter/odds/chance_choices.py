"""Who decides in odds: one answer, or every legal one with its weight."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.play.requests import Choice

MOST_ANSWERS = 5_000
"""How many answers of one choice are tried."""


def legal(choice: Choice) -> list[Any]:
    """Every answer that may be given. Raises PlayError for text, and where there are too many."""
    options = list(choice.options or ())
    match choice.kind:
        case "yes_no":
            return [False, True]
        case "text":
            if choice.has_default:
                return [choice.default]
            raise PlayError(say.no_answer(choice.path, choice.by, choice.ask))
        case "some":
            found: list[Any] = []
            for number in range(choice.least, choice.most + 1):
                for some in combinations(options, number):
                    found.append(some)
                    if len(found) > MOST_ANSWERS:
                        raise PlayError(say.too_many_answers(choice.path, MOST_ANSWERS))
            return found
    if len(options) > MOST_ANSWERS:
        raise PlayError(say.too_many_answers(choice.path, MOST_ANSWERS))
    return options


def by_chance(choice: Choice) -> list[tuple[Any, int]]:
    """Every legal answer, each as likely as the others."""
    return [(answer, 1) for answer in legal(choice)]
