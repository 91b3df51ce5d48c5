"""Questions that people who play ask: how long each takes until it is answered, or refused."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import interpreter
from interpreter.diagnostics import PlayError

from ..workloads import CLIFF_RULES, CLIFFS, RULES, WORKLOADS, Workload
from ..workloads.questions import QUESTION_RULES, QUESTIONS
from .clock import Beyond, Failed, Measured, Task, apart, memory, times
from .table import Table, failures, megabytes, milliseconds

PATIENCE = 60.0
"""Seconds after which a question is ended; most take far less, and the slowest are the ones of interest."""


def cliffs(runs: int) -> Table:
    """Questions that once took a minute or were refused, with the memory they take; nothing of their rules is known."""
    table = Table(f"Questions a step aside, cold (median of {runs})", ["question", "milliseconds", "megabytes at once"])
    for name, workload in CLIFFS.items():
        task = {"ours": Task(lambda workload=workload: _first(workload, CLIFF_RULES))}
        found, peak = times(task, runs, PATIENCE)["ours"], memory(task, 4 * PATIENCE)["ours"]
        table.rows.append([name, milliseconds(found), megabytes(peak)])
        table.notes += failures({name: found})
    return table


def _first(workload: Workload, rules: Any) -> Callable[[], Any]:
    """The code has run before, but nothing was asked of these rules."""
    small = WORKLOADS["W1"]
    small.ask(interpreter.load(RULES), **small.others)
    fresh = interpreter.load(workload.ruleset or rules)
    return lambda: workload.ask(fresh)


@dataclass(frozen=True)
class _Asked:
    """How long a question took, and what came of it: `exact`, how much stays open, or the code of the refusal."""

    seconds: float
    answer: str


def questions(runs: int) -> Table:
    """Every question, the slowest first."""
    table = Table(
        f"Questions of people who play, cold, the slowest first (median of {runs})",
        ["question", "milliseconds", "answer"],
    )
    rows: list[tuple[float, str, Measured, str]] = []
    for name, workload in QUESTIONS.items():
        found: list[Any] = []
        while len(found) < runs and not any(isinstance(one, (Beyond, Failed)) for one in found):
            found.append(apart(lambda workload=workload: _asked(workload), PATIENCE))
        if isinstance(found[-1], _Asked):
            seconds = median(one.seconds for one in found)
            rows.append((seconds, name, seconds, found[-1].answer))
        else:
            rows.append((PATIENCE, name, found[-1], ""))
            table.notes += failures({name: found[-1]})
    for _, name, measured, answer in sorted(rows, reverse=True, key=lambda row: row[0]):
        table.rows.append([name, milliseconds(measured), answer])
    return table


def _asked(workload: Workload) -> _Asked:
    ask = _first(workload, QUESTION_RULES)
    start = time.process_time()
    try:
        law = ask()
        answer = f"all but {float(law.missing):.0e}" if law.missing else "exact"
    except PlayError as refused:
        answer = f"refused, {refused.diagnostic.code}"
    return _Asked(time.process_time() - start, answer)
