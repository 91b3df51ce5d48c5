"""`houserule delta`: what a change of rule files does to the odds."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interpreter.chances.formats import render
from interpreter.cli import parameters
from interpreter.cli.checkouts import checkout
from interpreter.cli.terminal import count_progress, style_of, write_report
from interpreter.delta.report import folder_report
from interpreter.delta.rulesets import folder_delta
from interpreter.syntax import files


@click.command("delta")
@click.argument("before")
@click.argument("after", default=".")
@parameters.odds_format
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
        delta = folder_delta(old, new, watch or (lambda done, of: None))
    report = folder_report(delta, was, now, {"before": before, "after": after}, link or "")
    if svg and any(point.changes for path in report.sections() for point in path[-1].points):
        files.write_whole(svg, render("svg", report, style_of(sys.stdout)))
    elif svg and Path(svg).exists():
        Path(svg).unlink()  # the chart of another change
    write_report(report, form)
