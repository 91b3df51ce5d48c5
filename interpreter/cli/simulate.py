"""`houserule simulate`: how often each outcome occurs in many runs, with the standard error."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import click

from interpreter import diagnostics as say
from interpreter.chances.table import ReportNote
from interpreter.cli import parameters
from interpreter.cli.expressions import report_notes
from interpreter.cli.interrupts import exit_code, ignore_interrupts
from interpreter.cli.odds import odds_report
from interpreter.cli.question import SCENES, MechanicQuestion, game_and_inputs, state_of_question
from interpreter.cli.report import write_diagnostics
from interpreter.cli.roll import parse_answers
from interpreter.cli.terminal import count_progress, echo, write_report
from interpreter.runtime.rng import Seed
from interpreter.simulation.answer import Simulated, Stopped

if TYPE_CHECKING:
    from interpreter.api.game import Game

RUNS = 1_000_000


@click.command("simulate")
@parameters.rule_or_expressions
@click.option("--runs", type=int, help=f"Number of runs; {RUNS:,} by default, {SCENES:,} for a scene.")
@parameters.seed(parameters.SAME_SAMPLE)
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Number of processes.")
@parameters.changed_rules
@parameters.in_state
@parameters.who_answers
@parameters.values_shown
@click.option("--explain", is_flag=True, help="Say how the runs were played.")
@parameters.odds_format
def command(
    ruleset: str,
    mechanic: str | None,
    inputs: tuple[str, ...],
    expressions: tuple[str, ...],
    runs: int | None,
    seed: Seed | None,
    workers: int,
    layers: tuple[str, ...],
    options: tuple[str, ...],
    allow: tuple[str, ...],
    state: str | None,
    choose: tuple[str, ...],
    policy: str | None,
    names: tuple[str, ...],
    joint: str | None,
    at_least: bool,
    at_most: bool,
    when: tuple[str, ...],
    whole: bool,
    explain: bool,
    form: str,
) -> None:
    """Count the outcomes of many runs of MECHANIC of RULESET with inputs such as `own="d10 & d4"`, or of a scene file.

    Use it if `odds` cannot compute a rule; every estimate has its standard error. It shows the outcomes and the
    readings under `also`; --of shows any step, --joint several together. Without MECHANIC, it lists the mechanics. With
    -e, it throws dice without a ruleset.
    """
    question = MechanicQuestion(
        ruleset, mechanic, inputs, layers, options, allow, choose, policy,
        state=state, when=when, expressions=expressions,
    )  # fmt: skip
    names = question.shown(names, joint)
    kind, together = parameters.kind_of_chances(names, joint, at_least, at_most), parameters.names_of(joint)
    game, given = game_and_inputs(question)
    number = runs if runs is not None else _default_runs(question)
    answer, cut = _count(question, game, workers, runs=number, seed=seed, of=(names or together) or None, inputs=given)
    if answer is not None:
        answer = parameters.conditional_odds(answer, when)
        notes = [ReportNote("what it took", tuple(_runs_in_words(answer)))] if explain else []
        write_report(odds_report(question, answer, names, together, kind, whole, notes), form)
        report_notes(question.expression_ruleset, form)
        warn_of_fewer_runs(answer, number)
    if cut is not None:
        echo(str(cut), err=True)
        kill_workers_and_exit(workers, exit_code(cut))


def _count(
    question: MechanicQuestion, game: Game, workers: int, **asked: Any
) -> tuple[Simulated | None, Stopped | None]:
    """The counts of all runs, or of those before an interrupt, with what stopped them; `asked` is for `simulate`."""
    try:
        with question.problems_in_place(), worker_pool(workers) as executor, count_progress("simulating") as progress:
            state, choices = state_of_question(game, question), parse_answers(question.choose)
            counted = game.simulate(
                question.subject, choices=choices, policy=question.policy, executor=executor, progress=progress,
                state=state, **asked,
            )  # fmt: skip
            return counted, None
    except Stopped as stopped:
        return stopped.so_far, stopped


def warn_of_fewer_runs(found: Simulated, asked: int) -> None:
    """Tell on standard error that there are fewer runs than were asked for, and why, where it is so."""
    if found.cut is not None:
        write_diagnostics([say.fewer_runs(found.cut, found.runs, asked)], "text", sys.stderr)


def _default_runs(question: MechanicQuestion) -> int:
    """How many runs there are if nobody says so: a scene is played run by run, which takes longer."""
    return SCENES if question.subject.startswith("scenes.") else RUNS


@contextmanager
def worker_pool(workers: int) -> Iterator[Executor | None]:
    """A pool of worker processes; None for one worker."""
    if workers == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(workers, initializer=ignore_interrupts)
    yield pool
    pool.shutdown()


def kill_workers_and_exit(workers: int, code: int) -> NoReturn:
    """Exit after an interrupt and kill the workers, without waiting for their chunks, which may take long."""
    if workers == 1:
        raise click.exceptions.Exit(code)
    from multiprocessing import active_children

    threading.excepthook = lambda error: None  # the thread of the pool finds its workers gone before the process ends
    sys.stdout.flush()
    sys.stderr.flush()
    for child in active_children():
        child.kill()
    os._exit(code)


def _runs_in_words(found: Simulated) -> Iterator[str]:
    """How the runs were played, and what went wrong with the functions that are generated for them."""
    if not found.by_play:
        yield "no run was played step by step"
        return
    yield f"{found.by_play:,} of {found.runs:,} runs were played step by step, which is slower"
    for error, many in found.slips.items():
        yield f"{many:,} of them for an error of houserule ({error}): their results are right, but please report it"
