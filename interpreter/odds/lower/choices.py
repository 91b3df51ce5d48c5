"""Choices: a decision of a player, with what may be chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.answers import calls_in, fitting_answer
from interpreter.ir.deciders import roles_asked
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.operations import DecisionNode, Done, Frame, Need, Op, Todo
from interpreter.play.choices import selection_test
from interpreter.play.requests import Choice, check_answer, is_open
from interpreter.runtime.roles import decider_function

TRIED = 20
"""The work of trying one selection."""


def lower_choose(lowering: Lowering, action: ir.Choose, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`choose:` a number, one or some of a list, or yes or no."""
    policy = fitting_answer(action.answers.get(lowering.policy or "", ()), calls_in(trail))
    formulas = (
        action.low, action.high, action.among, action.where, action.least, action.most, action.default, policy,
        action.together,
    )  # fmt: skip
    uses, touches = lowering.reads((*formulas, action.by if isinstance(action.by, ir.Formula) else None))
    if roles_asked(action.by):
        touches |= lowering.roles
    decider = decider_function(lowering.closures, action.by)
    low, high, among, where, least, most, default, answer, together = (lowering.closure_of(one) for one in formulas)
    path = ".".join(trail)
    kind = action.kind

    def options_of(at: Frame) -> Any:
        options: Any = None
        if low is not None and high is not None and kind == "number":
            options = range(low(at), high(at) + 1)
        elif among is not None:
            options = tuple(among(at))
        if options is not None and where is not None:
            options = tuple([one for one in options if where({**at, ".it": one})])
        return options

    def count_tries(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
        def fits_and_counts(chosen: Any) -> bool:
            lowering.meter.spend(TRIED)
            return fits(chosen)

        return fits_and_counts

    def start(at: Frame) -> Todo:
        options = options_of(at)
        fewest = least(at) if least else 0
        many = min(most(at), len(options or ())) if most else len(options or ())
        if kind in ("number", "one"):
            if not options:
                raise PlayError(say.nothing_to_choose(path, step.span))
            if len(options) == 1:
                return Done(options[0])
        if kind == "some" and (not options or many <= 0):
            return Done(())
        answers = {lowering.policy: (lambda: answer(at))} if answer is not None and lowering.policy else {}
        choice = Choice(
            path, kind, decider(at), action.ask.written, options,
            max(min(fewest, many), 0), many,
            default(at) if default else None, default is not None, dict(action.meanings), answers,
            fits=count_tries(selection_test(together, at)) if together else None,
        )  # fmt: skip
        if not is_open(choice):
            return Done(())
        return DecisionNode(choice, at, None, lambda _, given: Done(check_answer(choice, given)))

    return Op(step.name, uses, touches, start=start, asks=True, unread=lowering.unread.get(step.path))
