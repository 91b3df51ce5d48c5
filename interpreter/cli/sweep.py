"""`houserule sweep`: the odds over a grid of inputs and options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import click

from interpreter import diagnostics as say
from interpreter.chances.bounded import Bounded
from interpreter.chances.crosstab import telling_columns
from interpreter.chances.estimate import Estimate
from interpreter.chances.laws import law_table
from interpreter.chances.report import Report, ReportSection
from interpreter.chances.table import ChanceRow, ChanceTable, OddsPoint
from interpreter.cli import parameters
from interpreter.cli.interrupts import exit_code
from interpreter.cli.question import MechanicQuestion, decision_arguments, game_and_inputs, state_of_question
from interpreter.cli.rulesets import parse_value
from interpreter.cli.simulate import RUNS, kill_workers_and_exit, worker_pool
from interpreter.cli.terminal import count_progress, echo, wait_progress, write_report
from interpreter.diagnostics import PlayError
from interpreter.odds.answer import Odds
from interpreter.odds.sweep import Sweep
from interpreter.runtime.rng import Seed
from interpreter.simulation.answer import Simulated, Stopped
from interpreter.syntax import document
from interpreter.values import in_words

LONGEST_RANGE = 1000
METHODS = ("exact", "simulate")


@click.command("sweep")
@parameters.rule_with_inputs
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
@click.option("--of", "name", default="outcome", metavar="NAME", help="Show a value instead of the outcome.")
@click.option("--only", metavar="VALUE", help="Show one outcome or value; over two names, as a grid.")
@parameters.odds_format
def command(
    ruleset: str,
    mechanic: str | None,
    inputs: tuple[str, ...],
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
    name: str,
    only: str | None,
    form: str,
) -> None:
    """Find the odds of MECHANIC of RULESET at every point of a grid of inputs and options.

    \b
    houserule sweep jadeclaw contest against=d6 --over own=d4,d6,d8
    houserule sweep jadeclaw contest own=d8 --over against=d4,d8 --over options.double_botch=botch,tie

    It prints a line for each combination and a column for each outcome; with --of a number, its mean and deviation.
    The formats csv and json give exact fractions.
    """
    question = MechanicQuestion(
        ruleset, mechanic, inputs, layers, options, allow, choose, policy, best, worst, state=state
    )
    axes = dict(map(_axis, over))
    game, given = game_and_inputs(question, tuple(axes))
    if not axes:
        raise click.UsageError("nothing varies: give --over NAME=A,B")
    sweep = partial(
        game.sweep,
        question.subject,
        over=axes,
        inputs=given,
        state=lambda playing: state_of_question(playing, question),
    )
    if method == "simulate":
        swept = _simulate_grid(sweep, question, runs, seed, workers, name)
        report = _report(question, swept, name, only)
    else:
        with wait_progress("computing the odds"):
            swept = sweep(**decision_arguments(question))
            report = _report(question, swept, name, only)
    write_report(report, form)


def _simulate_grid(
    sweep: Callable[..., Sweep], question: MechanicQuestion, runs: int, seed: Seed | None, workers: int, name: str
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
                method="simulate", runs=runs, seed=seed, of=(name,), executor=executor, progress=progress,
                **decision_arguments(question),
            )  # fmt: skip
    except Stopped as stopped:
        echo(f"stopped after {count[0]} of {count[1]} runs", err=True)
        kill_workers_and_exit(workers, exit_code(stopped))


def _axis(text: str) -> tuple[str, tuple[Any, ...]]:
    """`own=d4,d6` and `skill=1..5`: a name with its values."""
    name, sign, values = text.partition("=")
    if not sign or not name.strip() or not values.strip():
        raise PlayError(say.bad_axis(text))
    axis_values: list[Any] = []
    for part in re.split(r",(?![^\[{(]*[\]})])", values):  # not at commas inside brackets
        span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", part.strip())
        if span is None:
            axis_values.append(part.strip())
            continue
        low, high = int(span[1]), int(span[2])
        if not low <= high < low + LONGEST_RANGE:
            raise PlayError(say.bad_axis(text))
        axis_values += map(str, range(low, high + 1))
    return name.strip(), tuple(parse_value(name.strip(), one) if one[:1] in "[{" else one for one in axis_values)


def _point_in_words(value: Any) -> str:
    """A point of the grid as it was typed."""
    return value.span.text if isinstance(value, document.Mapping | document.Sequence) else in_words(value)


# What is told ----------------------------------------------------------------------------------------------------


def _report(question: MechanicQuestion, swept: Sweep, name: str, only: str | None) -> Report:
    odds = next(iter(swept)).odds
    runs = {"runs": odds.runs, "seed": odds.seed} if isinstance(odds, Simulated) else {}
    points = tuple(
        OddsPoint("", (table,), {key: _point_in_words(value) for key, value in point.at.items()}, runs)
        for point, table in zip(swept, _tables(swept, name, only), strict=True)
    )
    return Report(
        question.title(odds.method),
        ReportSection(points=points, lines=tuple(_notes(points, name, only)), data=question.to_data(_method(odds))),
        over={key: tuple(map(_point_in_words, values)) for key, values in swept.over.items()},
        named=only is not None,
    )


def _method(odds: Odds) -> str:
    return "simulate" if isinstance(odds, Simulated) else "exact"


def _tables(swept: Sweep, name: str, only: str | None) -> list[ChanceTable]:
    """The law at each point: with the mean, and perhaps the deviation, of a number, or with one value alone."""
    tables = [replace(law_table(point.odds, name), title="") for point in swept]
    if only is not None:
        tables = [replace(one, rows=tuple(row for row in one.rows if row.label == only)) for one in tables]
        if not any(one.rows for one in tables):
            raise PlayError(say.unknown_of(say.NOWHERE, "value", only, map(in_words, swept.values(name))))
        return tables
    values = [row.value for table in tables for row in table.rows]
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return tables
    tables = [
        replace(table, mean=ChanceRow("mean", mean, kind="mean"))
        for table, mean in zip(tables, swept.means(name), strict=True)
    ]
    if any(len(table.shares) > len(table.rows) for table in tables):
        return tables
    return [replace(table, deviation=point.odds.deviation(name)) for table, point in zip(tables, swept, strict=True)]


def _notes(points: Sequence[OddsPoint], name: str, only: str | None) -> Iterator[str]:
    """By how much the numbers may be off at the most, and which value is shown."""
    shown = [row for column in telling_columns(points) for row in column.rows if row is not None]
    numbers = [row.number for row in shown]
    if error := max((one.error for one in numbers if isinstance(one, Estimate)), default=0.0):
        of_mean = any(row.kind == "mean" for row in shown)
        yield f"standard errors up to {f'{error:.2g}' if of_mean else f'{100 * error:.2g}%'}"
    if bound := max((one.error for one in numbers if isinstance(one, Bounded)), default=0.0):
        yield f"means are off by {bound:.2g} at the most"
    if only is not None and len(points[0].at) == 2:
        yield f"{name}: {only}"
