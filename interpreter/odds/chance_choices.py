"""The legal answers of a choice, and the law in which all of them are equally likely."""

from __future__ import annotations

from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.play.requests import MOST_SELECTIONS, Choice, selections

MOST_ANSWERS = 5_000
"""The limit on answers of one choice."""


def legal_answers(choice: Choice) -> list[Any]:
    """Every legal answer. Raises PlayError for text without a default, and if there are too many."""
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
            for tried, chosen in enumerate(selections(choice)):
                if chosen is not None:
                    found.append(chosen)
                most = MOST_ANSWERS if len(found) > MOST_ANSWERS else MOST_SELECTIONS
                if len(found) > MOST_ANSWERS or tried == MOST_SELECTIONS:
                    raise PlayError(say.too_many_answers(choice.path, most))
            return found
    if len(options) > MOST_ANSWERS:
        raise PlayError(say.too_many_answers(choice.path, MOST_ANSWERS))
    return options


def equally_likely_answers(choice: Choice) -> list[tuple[Any, int]]:
    """Every legal answer, all equally likely."""
    return [(answer, 1) for answer in legal_answers(choice)]
