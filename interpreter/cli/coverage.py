"""`houserule coverage`: which rows of a rulebook the rules cite and the cases exercise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import click

from interpreter.cli import parameters
from interpreter.cli.report import report_on_stderr
from interpreter.cli.rulesets import load, rulesets_named
from interpreter.cli.terminal import echo, with_progress_bar
from interpreter.report.problem_data import problem_data
from interpreter.shown_text import in_json
from interpreter.testing.coverage import CoverageRow, coverage

MOST_LISTED = 3
"""The most places and cases of a row that a page lists; `--format json` lists all."""


@click.command("coverage")
@click.argument("rulesets", nargs=-1, required=True)
@click.option("--mutate", is_flag=True, help="Break each citing construct in turn; a case must fail.")
@click.option("--all", "everything", is_flag=True, help="List every row, where it stands and what plays it.")
@parameters.output_format("text", "json")
def command(rulesets: tuple[str, ...], mutate: bool, everything: bool, form: str) -> None:
    """Compare RULESETS with the list of rows in their folders (`rows.tsv`).

    Exit code 0 when every row is cited and exercised (rows with the status `elsewhere` or `flavour` need not be
    exercised) and every mechanic is played by a case, 1 when not.
    """
    fine = True
    reports = []
    for name in rulesets_named(rulesets):
        loaded = load(name)
        if loaded.problems.errors or loaded.program is None or loaded.world is None:
            report_on_stderr(loaded.problems.errors)
            fine = False
            continue
        watch = partial(with_progress_bar, what=name)
        found_out = coverage(loaded.program, loaded.world, loaded.folder, mutate, watch)
        fine = fine and found_out.holds
        if form == "json":
            problems = [problem_data(one) for one in found_out.problems]
            rows = [_row_data(row) for row in found_out.rows]
            reports.append({"ruleset": loaded.program.name, "rows": rows, "problems": problems})
        else:
            _print_page(loaded.program.name, found_out.rows, mutate, everything)
            report_on_stderr(found_out.problems)
    if form == "json":
        echo(in_json(reports[0] if len(reports) == 1 else reports, indent=1))
    raise click.exceptions.Exit(0 if fine else 1)


def _row_data(row: CoverageRow) -> dict[str, object]:
    data: dict[str, object] = {
        "id": row.id,
        "name": row.name,
        "status": row.status,
        "cited": row.cited,
        "exercised": row.exercised,
        "places": list(row.places),
        "cases": list(row.cases),
        "note": row.note,
    }
    return data if row.survivors is None else {**data, "survivors": list(row.survivors)}


def _print_page(name: str, rows: Sequence[CoverageRow], mutate: bool, everything: bool) -> None:
    cited = sum(row.cited for row in rows)
    exercised = sum(row.exercised for row in rows)
    exempt = sum(row.exempt and not row.exercised for row in rows)
    echo(
        f"{name}: {len(rows)} rows, {cited} cited, {exercised} exercised"
        + (f", {exempt} exempt (elsewhere or flavour)" if exempt else "")
    )
    width = max((len(row.id) for row in rows), default=0)
    for row in rows:
        if row.holds and not everything:
            continue
        wants = [
            "" if row.cited else "not cited",
            "" if row.exercised or row.exempt else "not exercised",
            f"cited as {', '.join(row.strange)}" if row.strange else "",
            *(f"no case notices an error in {path}" for path in (() if row.exempt else row.survivors or ())),
        ]
        echo(f"  {row.id:<{width}}  {row.status:<9}  {'; '.join(filter(None, wants)) or 'ok'}  {row.name}")
        if everything:
            for line in _places_of_row(row):
                echo(f"  {'':<{width}}    {line}")


def _places_of_row(row: CoverageRow) -> Iterator[str]:
    """Where a row stands in the rules, and the cases that play it."""
    if row.note:
        yield f"noted: {row.note}"
    if row.places:
        yield f"in {_list_names(row.places)}"
    if row.cases:
        yield f"played by {_list_names(row.cases)}"


def _list_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"{'; '.join(names[:MOST_LISTED])}{more}"
