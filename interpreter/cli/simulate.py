"""`houserule simulate`: how often each outcome occurs in many runs, with the standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from fractions import Fraction
from math import floor, log10
from typing import Any, NoReturn

import click

from interpreter.cli import parameters, tables
from interpreter.cli.expressions import lines_below_answer, report_notes
from interpreter.cli.interrupts import exit_code, leave_to_parent
from interpreter.cli.odds import FORMATS, OddsQuestion, as_csv
from interpreter.cli.question import SCENES, MechanicQuestion, game_and_inputs, there
from interpreter.cli.roll import answers
from interpreter.cli.terminal import Paint, count_progress, painter
from interpreter.diagnostics import PlayError
from interpreter.report import chart
from interpreter.report.figures import NOT_FOLLOWED, percent
from interpreter.simulation.answer import Estimate, Simulated, Stopped
from interpreter.values import in_words, to_data

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
@parameters.output_format(*FORMATS)
def command(
    ruleset: str,
    mechanic: str | None,
    inputs: tuple[str, ...],
    expressions: tuple[str, ...],
    runs: int | None,
    seed: int | None,
    workers: int,
    layers: tuple[str, ...],
    options: tuple[str, ...],
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
        ruleset, mechanic, inputs, layers, options, choose, policy, state=state, when=when, expressions=expressions
    )
    names = question.shown(names, joint)
    mode, together = parameters.mode_of(names, joint, at_least, at_most), parameters.names_of(joint)
    game, given = game_and_inputs(question)
    found: Simulated | None
    cut: Stopped | None = None
    try:
        with question.problems_in_place(), worker_pool(workers) as executor, count_progress("simulating") as progress:
            found = game.simulate(
                question.subject,
                runs=runs if runs is not None else _usual_runs(question),
                seed=seed,
                of=(names or together) or None,
                choices=answers(choose),
                policy=policy,
                executor=executor,
                progress=progress,
                state=there(game, question),
                inputs=given,
            )
    except Stopped as stopped:
        found, cut = stopped.so_far, stopped
    if found is not None:
        found = parameters.conditional_odds(found, when)
        asked = OddsQuestion(question, found, names, together, mode, whole, explain)
        click.echo(_WRITERS[form](asked, found), nl=False, color=True)
        report_notes(question.expression_ruleset, form)
    if cut is not None:
        click.echo(str(cut), err=True)
        leave(workers, exit_code(cut))


def _usual_runs(question: MechanicQuestion) -> int:
    """How many runs there are if nobody says so: a scene is played run by run, which takes longer."""
    return SCENES if question.subject.startswith("scenes.") else RUNS


@contextmanager
def worker_pool(workers: int) -> Iterator[Executor | None]:
    """A pool of worker processes; None for one worker."""
    if workers == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(workers, initializer=leave_to_parent)
    yield pool
    pool.shutdown()


def leave(workers: int, code: int) -> NoReturn:
    """Exit after an interrupt and kill the workers, without waiting for their chunks, which may take long."""
    if workers == 1:
        raise click.exceptions.Exit(code)
    from multiprocessing import active_children

    sys.stdout.flush()
    sys.stderr.flush()
    for child in active_children():
        child.kill()
    os._exit(code)


# Text output ----------------------------------------------------------------------------------------------------


def _page(asked: OddsQuestion, found: Simulated) -> str:
    paint = painter(sys.stdout)
    lines = [paint(asked.question.title(found.method), "bold")]
    shown = asked.panels
    largest = max((chance for one in shown for _, chance in one.rows), default=None) if not asked.names else None
    for number, one in enumerate(shown):
        title = asked.question.heading(one.title)
        lines += ["", *([paint(title, "bold")] if number or title else [])]
        rows = [*one.rows, *([(NOT_FOLLOWED, one.missing)] if one.missing else [])]
        lines += shares(rows, found.runs, paint, largest)
        if one.title in asked.names:
            lines += [paint(f"  {note}", "dim") for note in mean(found, one.title)]
        if one.shortened:
            lines.append(paint("  (shortened; --all shows every value)", "dim"))
    if asked.explain:
        lines += ["", paint("what it took", "bold"), *[f"  {line}" for line in _method_lines(found)]]
    lines += lines_below_answer(asked.question.expression_ruleset, paint)
    return "\n".join(lines) + "\n"


def _method_lines(found: Simulated) -> Iterator[str]:
    """How the runs were played, and what went wrong with the functions that are generated for them."""
    if not found.by_play:
        yield "no run was played step by step"
        return
    yield f"{found.by_play:,} of {found.runs:,} runs were played step by step, which is slower"
    for error, many in found.slips.items():
        yield f"{many:,} of them for an error of houserule ({error}): their results are right, but please report it"


def shares(rows: Sequence[tuple[str, Fraction]], runs: int, paint: Paint, largest: Fraction | None) -> list[str]:
    """A line for each share: label, percent, standard error, bar."""
    estimates = [Estimate.share(round(share * runs), runs) for _, share in rows]
    labels = tables.column(tables.align_numbers([label for label, _ in rows]), left=True)
    percents = tables.points([_places(one) for one in estimates])
    errors = tables.column([margin(one) for one in estimates], left=True)
    room = tables.width() - 2 - len(labels[0]) - 2 - len(percents[0]) - 2 - len(errors[0]) - 2 if rows else 0
    top = largest or max((share for _, share in rows), default=Fraction(0)) or Fraction(1)
    lines = []
    for one, *cells in zip(estimates, labels, percents, errors, strict=True):
        drawn = tables.bar(one / top, min(room, tables.LONGEST_BAR)) if room >= tables.SHORTEST_BAR else ""
        line = "  " + "  ".join(cells)
        lines.append(f"{line}  {paint(drawn, 'cyan')}" if drawn else line.rstrip())
    return lines


def _places(share: Estimate) -> str:
    """`12.497%`: with as many decimals as the standard error justifies."""
    return f"{100 * float(share):.{_digits(share)}f}%" if share.error else percent(share)


def margin(share: Estimate) -> str:
    """`± 0.033%`: the standard error; for a share of 0 or 1, the bound of its confidence interval."""
    if share.error:
        return f"± {100 * share.error:.{_digits(share)}f}%"
    return f"up to {100 * share.high:.2g}%" if not share else f"from {100 * share.low:.4g}%"


def _digits(share: Estimate) -> int:
    return max(1 - floor(log10(100 * share.error)), 0)


def mean(found: Simulated, name: str) -> Iterator[str]:
    """Mean and deviation of a number, or why there is no mean; nothing for words."""
    law = found.of(name)
    if any(isinstance(value, str) for value in law) or all(isinstance(value, bool) for value in law):
        return
    try:
        yield f"mean {found.mean(name)}, deviation {found.deviation(name):.3f}".rstrip("0").rstrip(".")
    except PlayError as problem:
        yield problem.diagnostic.message


# Data formats ---------------------------------------------------------------------------------------------------


def _json(asked: OddsQuestion, found: Simulated) -> str:
    data = asked.question.to_data("simulate") | {"runs": found.runs, "seed": found.seed}
    return json.dumps(data | {"laws": {",".join(n): _law(asked, found, n) for n in asked.laws}}, indent=1) + "\n"


def _law(asked: OddsQuestion, found: Simulated, names: tuple[str, ...]) -> dict[str, Any]:
    lines = []
    for value, share in asked.law(*names).items():
        told: dict[str, Any] = {"value": to_data(value)}
        if len(names) > 1:
            told = {"values": dict(zip(names, map(to_data, value), strict=True))}
        lines.append(told | as_data(share, found.runs))
    data: dict[str, Any] = {"law": lines, "missing": as_data(found.missing_of(*names), found.runs)}
    if asked.names:
        with suppress(PlayError):
            of = found.mean(names[0])
            data |= {"mean": float(of), "mean_error": of.error, "deviation": found.deviation(names[0])}
    return data


def as_data(share: Fraction, runs: int) -> dict[str, Any]:
    """A share with its count, standard error and interval."""
    one = Estimate.share(round(share * runs), runs)
    return {
        "count": round(share * runs), "probability": float(one), "error": one.error, "low": one.low, "high": one.high,
    }  # fmt: skip


def _csv(asked: OddsQuestion, found: Simulated) -> str:
    heads = list(asked.together) or ["of", "value"]
    rows: list[list[Any]] = [[*heads, "count", "probability", "error", "low", "high"]]
    for names in asked.laws:
        start = [] if asked.together else [names[0]]
        for value, share in asked.law(*names).items():
            values = value if asked.together else (value,)
            rows.append([*start, *map(in_words, values), *as_data(share, found.runs).values()])
        if missing := found.missing_of(*names):
            blank = [""] * (len(names) - 1)
            rows.append([*start, NOT_FOLLOWED, *blank, *as_data(missing, found.runs).values()])
    return as_csv(rows)


def _svg(asked: OddsQuestion, found: Simulated) -> str:
    about = ", ".join([*asked.question.inputs, *asked.question.conditions])
    return chart.drawn(chart.title(found), about, asked.with_titles, exact=False)


_WRITERS = {"text": _page, "json": _json, "csv": _csv, "svg": _svg}
