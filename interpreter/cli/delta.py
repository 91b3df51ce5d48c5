"""`houserule delta`: what a change of rule files does to the odds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from interpreter.cli import parameters
from interpreter.cli.changes import as_data, change_lines
from interpreter.cli.checkouts import checkout
from interpreter.cli.terminal import count_progress
from interpreter.delta.markdown import comment
from interpreter.delta.picture import picture
from interpreter.delta.rulesets import folder_delta
from interpreter.syntax import files


@click.command("delta")
@click.argument("before")
@click.argument("after", default=".")
@parameters.output_format("text", "markdown", "json")
@click.option("--svg", metavar="FILE", help="Write the chart there, if any odds change.")
@click.option("--link", metavar="ADDRESS", help="With markdown: where the chart can be seen.")
def command(before: str, after: str, form: str, svg: str | None, link: str | None) -> None:
    """Show what the change from BEFORE to AFTER does to the odds of every rule that it touches.

    Both are revisions of git or folders; AFTER is the working folder by default.

    \b
    houserule delta main
    houserule delta main my-branch --format markdown --svg odds.svg
    houserule delta ../rules-of-last-year .

    A rule is compared at the inputs that it declares as `typical`, or else at those of its cases. All odds are exact.
    """
    with checkout(before) as (old, was), checkout(after) as (new, now), count_progress("comparing the odds") as watch:
        found = folder_delta(old, new, watch or (lambda done, of: None))
        drawn = picture(found) if svg else None
    if svg and drawn:
        files.write_whole(svg, drawn)
    match form:
        case "markdown":
            click.echo(comment(found, was, now, link or ""), nl=False)
        case "json":
            data: dict[str, Any] = {"before": before, "after": after, "rulesets": [*map(as_data, found.rulesets)]}
            click.echo(json.dumps(data | {"beside": [*found.beside]}, ensure_ascii=False, indent=1))
        case _:
            for line in change_lines(found):
                click.echo(line)
    if svg and not drawn and Path(svg).exists():
        Path(svg).unlink()  # the chart of another change
