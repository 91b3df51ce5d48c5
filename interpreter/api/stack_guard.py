"""A full stack as a message: a host may call with too little stack left for an evaluation."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from interpreter import diagnostics as say
from interpreter.budget import metered
from interpreter.diagnostics import PlayError

P = ParamSpec("P")
R = TypeVar("R")


def stack_guarded(call: Callable[P, R]) -> Callable[P, R]:
    """The same call, which raises PlayError in place of RecursionError."""

    @metered
    @wraps(call)
    def call_within_stack(*given: P.args, **named: P.kwargs) -> R:
        try:
            return call(*given, **named)
        except RecursionError:
            raise PlayError(say.expression_too_deep(say.NOWHERE)) from None

    return call_within_stack
