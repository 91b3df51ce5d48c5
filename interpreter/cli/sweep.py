"""`houserule sweep`: the odds over a grid of inputs and options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import click

from interpreter.chances.report import Report
from interpreter.cli import parameters
from interpreter.cli.expressions import notes_of_expressions, report_notes
from interpreter.cli.grids import GridPart, axes_of, grid_report, point_in_words
from interpreter.cli.interrupts import exit_code
from interpreter.cli.question import MechanicQuestion, decision_arguments, game_and_inputs, state_of_question
from interpreter.cli.simulate import RUNS, kill_workers_and_exit, worker_pool
from interpreter.cli.terminal import count_progress, echo, wait_progress, write_report
from interpreter.odds.sweep import Sweep
from interpreter.runtime.rng import Seed
from interpreter.simulation.answer import Simulated, Stopped

METHODS = ("exact", "simulate")


@click.command("sweep")
@parameters.rule_or_expressions
@click.option(
    "--over", multiple=True, metavar="NAME=A,B,…", help="What varies: `own=d4,d6`, `skill=1..5`, `options.die=…`."
)
@parameters.changed_rules
@parameters.in_state
@parameters.who_decides
@click.option("--method", type=click.Choice(METHODS), default="exact", show_default=True, help="How to find the odds.")
@click.option("--runs", type=int, default=RUNS, show_default=True, help="With --method simulate: runs at each point.")
@parameters.seed("With --method simulate: the seed at each point.")
@click.option("--workers", type=click.IntRange(1), default=1, help="With --method simulate: number of processes.")
@click.option("--of", "names", multiple=True, metavar="NAME", help="Show a value instead of the outcome.")
@click.option("--only", metavar="VALUE", help="Show one outcome or value; over two names, as a grid.")
@parameters.odds_format
def command(
    ruleset: str,
    mechanic: str | None,
    inputs: tuple[str, ...],
    expressions: tuple[str, ...],
    over: tuple[str, ...],
    layers: tuple[str, ...],
    options: tuple[str, ...],
    allow: tuple[str, ...],
    state: str | None,
    choose: tuple[str, ...],
    policy: str | None,
    best: tuple[str, ...],
    worst: tuple[str, ...],
    method: str,
    runs: int,
    seed: Seed | None,
    workers: int,
    names: tuple[str, ...],
    only: str | None,
    form: str,
) -> None:
    """Find the odds of MECHANIC of RULESET at every point of a grid of inputs and options.

    \b
    houserule sweep jadeclaw contest against=d6 --over own=d4,d6,d8
    houserule sweep jadeclaw contest own=d8 --over against=d4,d8 --over options.double_botch=botch,tie
    houserule sweep -e '(n)d6' -e 'sum(highest((n + 1)d6, n))' --over n=1..4

    It prints a line for each combination and a column for each outcome; with --of a number, its mean and deviation.
    Several columns are drawn in one picture below. The formats csv and json give exact fractions.
    """
    axes = axes_of(over)
    question = MechanicQuestion(
        ruleset, mechanic, inputs, layers, options, allow, choose, policy, best, worst, state=state,
        expressions=expressions, varied=tuple(f"{name}={point_in_words(values[0])}" for name, values in axes.items()),
    )  # fmt: skip
    game, given = game_and_inputs(question, tuple(axes))
    if not axes:
        raise click.UsageError("nothing varies: give --over NAME=A,B")
    names = question.shown(names, None) or ("outcome",)
    sweep = partial(
        game.sweep,
        question.subject,
        over=axes,
        inputs=given,
        state=lambda playing: state_of_question(playing, question),
    )
    with question.problems_in_place():
        if method == "simulate":
            swept = _simulate_grid(sweep, question, runs, seed, workers, names)
            report = _report(question, swept, names, only)
        else:
            with wait_progress("computing the odds"):
                swept = sweep(**decision_arguments(question))
                report = _report(question, swept, names, only)
    write_report(report, form)
    report_notes(question.expression_ruleset, form)


def _simulate_grid(
    sweep: Callable[..., Sweep],
    question: MechanicQuestion,
    runs: int,
    seed: Seed | None,
    workers: int,
    names: tuple[str, ...],
) -> Sweep:
    """The grid by simulation. After an interrupt it prints how many runs were finished."""
    count = [0, 0]
    try:
        with worker_pool(workers) as executor, count_progress("simulating") as bar:

            def progress(done: int, of: int) -> None:
                count[:] = done, of
                if bar:
                    bar(done, of)

            return sweep(
                method="simulate", runs=runs, seed=seed, of=names, executor=executor, progress=progress,
                **decision_arguments(question),
            )  # fmt: skip
    except Stopped as stopped:
        echo(f"stopped after {count[0]} of {count[1]} runs", err=True)
        kill_workers_and_exit(workers, exit_code(stopped))


def _report(question: MechanicQuestion, swept: Sweep, names: tuple[str, ...], only: str | None) -> Report:
    odds = swept.points[0].odds
    titles = [question.heading(name) if question.expressions or len(names) > 1 else "" for name in names]
    parts = [GridPart(title, name, swept) for title, name in zip(titles, names, strict=True)]
    method = "simulate" if isinstance(odds, Simulated) else "exact"
    report = grid_report(question.title(odds.method), parts, only, question.to_data(method))
    return replace(report, notes=tuple(notes_of_expressions(question.expression_ruleset)))
