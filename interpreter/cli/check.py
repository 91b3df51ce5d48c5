"""`houserule check`: every problem that can be found without playing."""

from __future__ import annotations

import sys

import click

from interpreter.cli import parameters
from interpreter.cli.report import FORMATS, report, summary
from interpreter.cli.rulesets import found, loaded
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.pipeline import Loaded


def _of_the_book(made: Loaded) -> list[Diagnostic]:
    """Problems that show only when the things of the ruleset are created, such as a bound that reads another value."""
    if made.problems.errors or made.program is None or made.world is None or not made.program.kinds:
        return []
    from interpreter.api.game import Game

    try:
        _ = Game(made.program, made.world).start
    except PlayError as error:
        return list(error.diagnostics)
    return []


@click.command("check")
@click.argument("rulesets", nargs=-1, required=True)
@parameters.house_rules("each ruleset")
@parameters.output_format(*FORMATS)
@click.option("--stdin-filename", default="<stdin>", help="Name of standard input in messages.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing if there are no errors.")
def command(rulesets: tuple[str, ...], layers: tuple[str, ...], form: str, stdin_filename: str, quiet: bool) -> None:
    """Check RULESETS: names, files, folders, or `-` for standard input.

    Chances that tables claim are compared with the exact ones.

    Exit code 0 without errors, 1 with errors, 2 if a ruleset cannot be found.
    """
    problems: list[Diagnostic] = []
    count = 0
    for name in found(rulesets):
        count += 1
        made = loaded(name, stdin_filename, layers)
        problems += made.problems
        if made.program is not None and made.program.claims:
            from interpreter.testing.claims import complaints  # importing the engine of odds is slow

            problems += complaints(made)
        problems += _of_the_book(made)
    errors = [one for one in problems if one.severity == "error"]
    if problems or form not in ("text", "concise"):
        report(problems, form, sys.stdout)
    if form == "text" and (errors or not quiet):
        warnings = len(problems) - len(errors)
        said = summary(len(errors), "error") if errors else f"{summary(count, 'ruleset')}, no errors"
        click.echo(said + (f", {summary(warnings, 'warning')}" if warnings else ""), err=bool(errors))
    raise click.exceptions.Exit(1 if errors else 0)
