"""What was refused in an offer: an action with what its actor wanted. It is not offered again in the same offer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from interpreter import ir
from interpreter.ir.consent import own_inputs
from interpreter.runtime.evaluator import Frame

REFUSED = ".refused"
"""In the frame of an action: the ideas with it that were refused in the same offer."""

MOST_REFUSED = 10
"""How many ideas may be refused in one offer, before an action of which one was refused is offered no more."""


class Idea(NamedTuple):
    """An action, and the actor's inputs up to the refusal.

    It is `open_ended` if there are more such ideas than can be listed, as with a text.
    """

    action: str
    wanted: tuple[tuple[str, Any], ...]
    open_ended: bool


def idea_of(action: ir.Action, given: Frame, listed: Iterable[str]) -> Idea:
    """The idea of a frame in which the action was refused; `listed` are the inputs whose values can be listed."""
    wanted = tuple((name, given[name]) for name in own_inputs(action) if name in given)
    return Idea(action.rule.name, wanted, not {name for name, _ in wanted} <= set(listed))


def refused_with(action: str, ideas: Iterable[Idea]) -> Frame:
    """What the frame of an action has of refused ideas: nothing if none was with this action."""
    those = tuple([idea for idea in ideas if idea.action == action])
    return {REFUSED: those} if those else {}


def was_refused(given: Frame) -> bool:
    """Whether what the actor wants in a frame was refused."""
    return any(_is_wanted(idea, given) for idea in given.get(REFUSED, ()))


def is_closed(given: Frame) -> bool:
    """Whether it was refused in a combination of values that stands for no others."""
    return any(not idea.open_ended and _is_wanted(idea, given) for idea in given.get(REFUSED, ()))


def _is_wanted(idea: Idea, given: Frame) -> bool:
    return all(name in given and given[name] == value for name, value in idea.wanted)
