"""`houserule sweep`: the odds over a grid of inputs and options."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any, Literal

import click

from interpreter import diagnostics as say
from interpreter.cli import parameters, tables
from interpreter.cli.interrupts import exit_code
from interpreter.cli.odds import as_csv
from interpreter.cli.question import MechanicQuestion, decisions, game_and_inputs, there
from interpreter.cli.rulesets import value_of
from interpreter.cli.simulate import RUNS, leave, worker_pool
from interpreter.cli.terminal import count_progress, painter, wait_progress
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.odds.bounded import Bounded
from interpreter.odds.sweep import Sweep
from interpreter.report.figures import NOT_FOLLOWED, percent
from interpreter.simulation.answer import Estimate, Simulated, Stopped
from interpreter.syntax.document import Mapping, Sequence
from interpreter.values import in_words, to_data

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
@parameters.output_format("text", "json", "csv")
def command(
    ruleset: str,
    mechanic: str | None,
    inputs: tuple[str, ...],
    over: tuple[str, ...],
    layers: tuple[str, ...],
    options: tuple[str, ...],
    state: str | None,
    choose: tuple[str, ...],
    policy: str | None,
    best: tuple[str, ...],
    worst: tuple[str, ...],
    method: str,
    runs: int,
    seed: int | None,
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
    question = MechanicQuestion(ruleset, mechanic, inputs, layers, options, choose, policy, best, worst, state=state)
    axes = dict(map(_axis, over))
    game, given = game_and_inputs(question, tuple(axes))
    if not axes:
        raise click.UsageError("nothing varies: give --over NAME=A,B")
    sweep = partial(game.sweep, question.subject, over=axes, inputs=given, state=lambda made: there(made, question))
    if method == "simulate":
        swept = _simulate_grid(sweep, question, runs, seed, workers, name)
        text = _WRITERS[form](question, swept, name, only)
    else:
        with wait_progress("computing the odds"):
            swept = sweep(**decisions(question))
            text = _WRITERS[form](question, swept, name, only)
    click.echo(text, nl=False, color=True)


def _simulate_grid(
    sweep: Callable[..., Sweep], question: MechanicQuestion, runs: int, seed: int | None, workers: int, name: str
) -> Sweep:
    """The grid by simulation. After an interrupt it prints how many runs were finished."""
    told = [0, 0]
    try:
        with worker_pool(workers) as executor, count_progress("simulating") as bar:

            def progress(done: int, of: int) -> None:
                told[:] = done, of
                if bar:
                    bar(done, of)

            return sweep(
                method="simulate", runs=runs, seed=seed, of=(name,), executor=executor, progress=progress,
                **decisions(question),
            )  # fmt: skip
    except Stopped as stopped:
        click.echo(f"stopped after {told[0]} of {told[1]} runs", err=True)
        leave(workers, exit_code(stopped))


def _axis(text: str) -> tuple[str, tuple[Any, ...]]:
    """`own=d4,d6` and `skill=1..5`: a name with its values."""
    name, sign, values = text.partition("=")
    if not sign or not name.strip() or not values.strip():
        raise PlayError(say.bad_axis(text))
    made: list[Any] = []
    for part in re.split(r",(?![^\[{(]*[\]})])", values):  # not at commas inside brackets
        span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", part.strip())
        if span is None:
            made.append(part.strip())
            continue
        low, high = int(span[1]), int(span[2])
        if not low <= high < low + LONGEST_RANGE:
            raise PlayError(say.bad_axis(text))
        made += map(str, range(low, high + 1))
    return name.strip(), tuple(value_of(name.strip(), one) if one[:1] in "[{" else one for one in made)


def _words(value: Any) -> str:
    """A point of the grid as it was typed."""
    return value.span.text if isinstance(value, (Mapping, Sequence)) else in_words(value)


@dataclass(frozen=True)
class SweepColumn:
    """A column with a number for each point: chances, means, or deviations, which are not exact."""

    title: str
    cells: tuple[Fraction, ...]
    kind: Literal["chance", "mean", "deviation"] = "chance"

    @property
    def shown(self) -> list[str]:
        if self.kind == "chance":
            return tables.points([percent(one) for one in self.cells])
        return [f"{float(one):.3f}" for one in self.cells]

    def written(self, place: int) -> str:
        cell = self.cells[place]
        return str(float(cell) if self.kind == "deviation" or isinstance(cell, (Estimate, Bounded)) else cell)

    @property
    def error(self) -> float:
        """The largest standard error of a share."""
        return max((cell.error for cell in self.cells if isinstance(cell, Estimate)), default=0.0)

    @property
    def bound(self) -> float:
        """By how much a number may be off at the most, of those that are known within bounds."""
        return max((cell.error for cell in self.cells if isinstance(cell, Bounded)), default=0.0)


def _columns(swept: Sweep, name: str, only: str | None) -> list[SweepColumn]:
    """The chances of each value, mean and deviation of a number, or the chance of one value."""
    values = swept.values(name)
    if only is not None:
        values = [value for value in values if in_words(value) == only]
        if not values:
            raise PlayError(say.unknown_of(say.NOWHERE, "value", only, map(in_words, swept.values(name))))
    elif all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        means = SweepColumn("mean", tuple(swept.means(name)), "mean")
        if any(point.odds.missing_of(name) for point in swept):
            return [means]
        deviations = tuple(Fraction(point.odds.deviation(name)) for point in swept)
        return [means, SweepColumn("deviation", deviations, "deviation")]
    columns = [SweepColumn(in_words(value), tuple(swept.chances(value, name))) for value in values]
    missing = tuple(point.odds.missing_of(name) for point in swept)
    return [*columns, *([SweepColumn(NOT_FOLLOWED, missing)] if any(missing) else [])]


# Text output ----------------------------------------------------------------------------------------------------


def _page(question: MechanicQuestion, swept: Sweep, name: str, only: str | None) -> str:
    paint = painter(sys.stdout)
    lines = [paint(question.title(next(iter(swept)).odds.method), "bold")]
    columns = _columns(swept, name, only)
    error = max(column.error for column in columns)
    if error:
        shown = f"{100 * error:.2g}%" if columns[0].kind == "chance" else f"{error:.2g}"
        lines.append(f"  standard errors up to {shown}")
    if bound := max(column.bound for column in columns):
        lines.append(f"  means are off by {bound:.2g} at the most")
    if only is not None and len(swept.over) == 2 and len(columns) == 1:
        lines += [f"  {name}: {only}", ""]
        table = _grid_table(swept, columns[0])
        fits = max(map(len, tables.grid(table))) <= tables.width()
        if fits:
            return "\n".join([*lines, *tables.grid(table, paint=paint)]) + "\n"
    names = [[head, *(_words(point.at[head]) for point in swept)] for head in swept.over]
    for part in _tables_that_fit(names, columns):
        heads = [column[0].split("\n") for column in part]
        tall = max(map(len, heads))
        above = [["", *[""] * (tall - len(head) - 1), *head][-tall:] for head in heads]
        table = list(map(list, zip(*(a + column[1:] for a, column in zip(above, part, strict=True)), strict=True)))
        made = tables.grid(table, left=len(names))
        lines += ["", *(paint(line, "bold") for line in made[:tall]), *made[tall:]]
    return "\n".join(lines) + "\n"


def _grid_table(swept: Sweep, column: SweepColumn) -> list[list[str]]:
    """A table of one value over two names, the first in rows and the second in columns."""
    (down, rows), (across, heads) = swept.over.items()
    cells = [one.strip() for one in column.shown]
    table = [[f"{down} \\ {across}", *map(_words, heads)]]
    for number_, value in enumerate(rows):
        table.append([_words(value), *cells[number_ * len(heads) : (number_ + 1) * len(heads)]])
    return table


def _tables_that_fit(names: list[list[str]], columns: list[SweepColumn]) -> Iterator[list[list[str]]]:
    """The columns, divided into tables that fit the width; long titles are broken at `_`."""
    titles = [column.title for column in columns]
    whole = [[title, *column.shown] for title, column in zip(titles, columns, strict=True)]
    if _wide([*names, *whole]) > tables.width():
        whole = [[title.replace("_", "_\n"), *cells] for title, (_, *cells) in zip(titles, whole, strict=True)]
    part: list[list[str]] = []
    for column in whole:
        if part and _wide([*names, *part, column]) > tables.width():
            yield [*names, *part]
            part = []
        part.append(column)
    yield [*names, *part]


def _wide(columns: list[list[str]]) -> int:
    return sum(2 + max(len(line) for cell in column for line in cell.split("\n")) for column in columns)


# Data formats ---------------------------------------------------------------------------------------------------


def _json(question: MechanicQuestion, swept: Sweep, name: str, only: str | None) -> str:
    data = question.to_data("simulate" if _runs_and_seed(swept) else "exact")
    data["over"] = {key: list(map(_words, values)) for key, values in swept.over.items()}
    columns = _columns(swept, name, only)
    points = []
    for place, point in enumerate(swept):
        at = {key: _words(value) for key, value in point.at.items()}
        law = [
            {"value": to_data(value), **_chance_as_data(chance)}
            for value, chance in point.odds.of(name).items()
            if only is None or in_words(value) == only
        ]
        missing = point.odds.missing_of(name)
        told = float(missing) if isinstance(missing, Estimate) else str(missing)
        one: dict[str, Any] = {"at": at, "of": name, "law": law, "missing": told} | _runs_and_seed(swept)
        one |= {column.title: column.written(place) for column in columns if column.kind != "chance"}
        one |= {f"{column.title}_error": cell.error for column in columns
                if isinstance(cell := column.cells[place], Bounded)}  # fmt: skip
        points.append(one)
    return json.dumps(data | {"points": points}, ensure_ascii=False, indent=1) + "\n"


def _chance_as_data(chance: Fraction) -> dict[str, Any]:
    if isinstance(chance, Estimate):
        return {"probability": float(chance), "error": chance.error, "low": chance.low, "high": chance.high}
    return {"chance": str(chance), "probability": float(chance)}


def _runs_and_seed(swept: Sweep) -> dict[str, int]:
    """The number of runs of a point and their seed, if it was simulated."""
    odds = next(iter(swept)).odds
    return {"runs": odds.runs, "seed": odds.seed} if isinstance(odds, Simulated) else {}


def _csv(question: MechanicQuestion, swept: Sweep, name: str, only: str | None) -> str:
    columns = _columns(swept, name, only)
    rows: list[list[Any]] = [[*swept.over, *(column.title for column in columns)]]
    for place, point in enumerate(swept):
        rows.append([*map(_words, point.at.values()), *(column.written(place) for column in columns)])
    return as_csv(rows)


_WRITERS: dict[str, Callable[[MechanicQuestion, Sweep, str, str | None], str]] = {
    "text": _page,
    "json": _json,
    "csv": _csv,
}
