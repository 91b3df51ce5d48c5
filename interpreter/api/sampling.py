"""A query simulated: many runs, counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from interpreter import diagnostics as say
from interpreter.api.given_answers import check_keys, differ_in_turn
from interpreter.api.query import Query, prepare
from interpreter.diagnostics import PlayError
from interpreter.runtime.rng import Seed, fresh_number, number_of
from interpreter.simulation.answer import Simulated, Stopped

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from interpreter.simulation.chunks import Progress


def sample(
    query: Query,
    runs: int,
    seed: Seed | None = None,
    of: Sequence[str] | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Simulated:
    """The counts of `runs` runs of a query; `of` names what is counted together.

    Raises PlayError where the rule cannot be played or NumPy is not installed, and Stopped after an interrupt.
    """
    if query.best or query.worst:
        raise PlayError(say.decides_nothing("best" if query.best else "worst"))
    prepared = prepare(query)
    check_keys(query.instance.program, prepared.rule, query.choices, query.inputs)
    start = prepared.frame
    try:
        from interpreter.simulation.worker import WorkerTask, simulate
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise PlayError(say.no_numpy()) from None
    number = (fresh_number() if seed is None else number_of(seed)) & ((1 << 64) - 1)
    in_turn = differ_in_turn(query.instance.program, prepared.rule, query.choices)
    task = WorkerTask(query.instance, query.rule, start, (), query.choices, query.policy, number, in_turn)
    again = sample, (query, runs, number, of)
    try:
        with say.spending_at(prepared.rule.span):
            return replace(simulate(task, of, runs, executor, progress), again=again)
    except Stopped as stopped:
        if stopped.so_far is not None:
            stopped.so_far = replace(stopped.so_far, again=again)
        raise
