"""`--budget`: what a command may take. One place gives the option to every command that computes."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import wraps
from typing import Any

import click

from interpreter.budget import Budget, each_within, meter_in_force, within
from interpreter.collector import collect_garbage_rarely
from interpreter.diagnostics import BudgetExceeded, Diagnostic
from interpreter.diagnostics.source import Source, Span

WHOLE = frozenset(
    ("list", "roll", "act", "possible", "replay", "adopt", "odds", "compare", "simulate", "sweep", "explain",
     "docs", "show")
)  # fmt: skip
"""The commands that have one budget for all that they do."""

EACH = {
    "check": "file",
    "test": "ruleset, case and question",
    "delta": "ruleset, case and question",
    "coverage": "ruleset, case and question",
    "fmt": "file",
}
"""The commands that have the usual one for each of what may be many. One that is asked for is for all that they do."""


def _read_budget(text: str) -> Budget:
    """`strict`, `none`, or seconds of the processor. Raises BadParameter for any other text."""
    if text in _NAMED:
        return _NAMED[text]
    with suppress(ValueError):
        seconds = float(text)
        if seconds > 0 and math.isfinite(seconds):
            return Budget(seconds)
    raise click.BadParameter(f"`{text}` is no budget: `strict`, `none`, or a number of seconds above 0")


_NAMED = {"strict": Budget.strict, "none": Budget.none}


def give_budget(name: str, command: click.Command) -> None:
    """Give a command that computes the option, once, and keep what it does within the budget."""
    callback = command.callback
    if name not in WHOLE | EACH.keys() or callback is None or any(one.name == "budget" for one in command.params):
        return
    apart = f" for each {EACH[name]}" if name in EACH else ""
    command.params.append(
        click.Option(
            ["--budget"],
            type=_read_budget,
            metavar="strict|SECONDS|none",
            help=f"What this may take: 10 seconds of the processor and 512 MB{apart} unless it is said; `strict` is 1 "
            "second and 256 MB in all.",
        )
    )

    @wraps(callback)
    def call_within_budget(*given: Any, budget: Budget | None, **named: Any) -> Any:
        with _kept_within(name, budget, named), _collect_rarely(named):
            return callback(*given, **named)

    command.callback = call_within_budget


def _kept_within(name: str, budget: Budget | None, named: dict[str, Any]) -> AbstractContextManager[object]:
    """A context in which a command does its work. While it watches files, it has the budget each time."""
    if named.get("watch") or (name in EACH and budget is None):
        return each_within(budget or Budget.usual)
    return within(budget or _budget_of_question(named.get("seconds")))


def refusal_of_one(error: BudgetExceeded, source: Source) -> Diagnostic:
    """Why one of several files is refused that takes more than a file may, at its place in that file or at its top.

    Raises the error if the budget is that of all files together.
    """
    placed = error.placed_at(Span(source, 0, 0))
    if meter_in_force() is not None:
        raise placed from None
    return placed.diagnostic


def _collect_rarely(named: dict[str, Any]) -> AbstractContextManager[object]:
    """A context in which a command, which ends soon, hardly looks for garbage; while it watches files, it does."""
    return nullcontext() if named.get("watch") else collect_garbage_rarely()


def _budget_of_question(seconds: float | None) -> Budget:
    """The budget of a command, which grows with the `--seconds` that its questions may take."""
    assert Budget.usual.seconds is not None
    return Budget.usual if seconds is None else Budget(Budget.usual.seconds + ATTEMPTS * seconds)


ATTEMPTS = 4
"""How many times the `--seconds` of a question a command may take: it asks several, and tries several ways."""
