"""Which answer of a policy fits a question, by the steps that lead to it."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import ir


def fitting_answer(answers: Sequence[ir.PolicyAnswer], calls: tuple[str, ...]) -> ir.Formula | None:
    """The formula of the first answer that fits a question reached through `calls`; None if none does."""
    return next((one.formula for one in answers if is_reached(one, calls)), None)


def is_reached(answer: ir.PolicyAnswer, calls: tuple[str, ...]) -> bool:
    """Whether an answer fits a question that is reached through `calls`: the paths of steps, the outermost first."""
    many = len(answer.calls)
    return many == 0 or calls[-many:] == answer.calls


class CallName(str):
    """The name of a step in a trail, if the step leads into another rule; `path` is its path in the ruleset."""

    __slots__ = ("path",)
    path: str

    def __new__(cls, name: str, path: str) -> CallName:
        made = super().__new__(cls, name)
        made.path = path
        return made


def calls_in(trail: Sequence[str]) -> tuple[str, ...]:
    """The paths of the steps in a trail that lead into other rules."""
    return tuple([name.path for name in trail if isinstance(name, CallName)])


def within_rule(trail: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The part of a trail that has led into the present rule, and the part inside it."""
    many = next((place for place in range(len(trail), 0, -1) if isinstance(trail[place - 1], CallName)), 0)
    return trail[:many], trail[many:]
