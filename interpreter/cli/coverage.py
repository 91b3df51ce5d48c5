"""`houserule coverage`: which rows of a rulebook the rules cite and the cases exercise."""

from __future__ import annotations

import json
from functools import partial

import click

from interpreter.cli.paint import progress
from interpreter.cli.report import complain
from interpreter.cli.rulesets import found, loaded
from interpreter.coverage import EXEMPT, Row, coverage


@click.command("coverage", short_help="Which rows of a rulebook the rules cite and the cases exercise.")
@click.argument("rulesets", nargs=-1, required=True)
@click.option("--mutate", is_flag=True, help="Make every citing construct wrong in turn; a case must then fail.")
@click.option("--all", "everything", is_flag=True, help="List every row, not only those with something missing.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(rulesets: tuple[str, ...], mutate: bool, everything: bool, form: str) -> None:
    """Compare RULESETS with the list of rows in their folders (`rows.tsv`).

    Exit code 0 when every row is cited and exercised (rows that stand elsewhere, or are flavour, need not be
    exercised), 1 when one is not.
    """
    fine = True
    told = []
    for name in found(rulesets):
        made = loaded(name)
        if made.problems.errors or made.program is None or made.world is None:
            complain(made.problems.errors)
            fine = False
            continue
        watch = partial(progress, what=name)
        rows = coverage(made.program, made.world, made.folder, mutate, watch)
        fine = fine and all(row.holds for row in rows)
        if form == "json":
            told.append({"ruleset": made.program.name, "rows": [_data(row) for row in rows]})
        else:
            _page(made.program.name, rows, mutate, everything)
    if form == "json":
        click.echo(json.dumps(told[0] if len(told) == 1 else told, ensure_ascii=False, indent=1))
    raise click.exceptions.Exit(0 if fine else 1)


def _data(row: Row) -> dict[str, object]:
    data: dict[str, object] = {
        "id": row.id,
        "name": row.name,
        "status": row.status,
        "cited": row.cited,
        "exercised": row.exercised,
    }
    return data if row.survivors is None else {**data, "survivors": list(row.survivors)}


def _page(name: str, rows: list[Row], mutate: bool, everything: bool) -> None:
    cited = sum(row.cited for row in rows)
    exercised = sum(row.exercised for row in rows)
    exempt = sum(row.status in EXEMPT and not row.exercised for row in rows)
    click.echo(
        f"{name}: {len(rows)} rows, {cited} cited, {exercised} exercised"
        + (f", {exempt} of the rest stand elsewhere or are flavour" if exempt else "")
    )
    width = max((len(row.id) for row in rows), default=0)
    for row in rows:
        if row.holds and not everything:
            continue
        wants = [
            "" if row.cited else "not cited",
            "" if row.exercised or row.status in EXEMPT else "not exercised",
            f"cited as {', '.join(row.strange)}" if row.strange else "",
            *(f"no case notices an error in {path}" for path in row.survivors or () if row.status not in EXEMPT),
        ]
        click.echo(f"  {row.id:<{width}}  {row.status:<9}  {'; '.join(filter(None, wants)) or 'fine'}  {row.name}")
