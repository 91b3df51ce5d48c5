"""`houserule replay`: play a saved result again, and check that the result is the same."""

from __future__ import annotations

import sys

import click

from interpreter.cli import parameters
from interpreter.cli.rulesets import game
from interpreter.cli.states import text_of
from interpreter.cli.terminal import painter
from interpreter.cli.traces import as_page


@click.command("replay")
@click.argument("ruleset")
@click.argument("result", type=click.Path(dir_okay=False, allow_dash=True))
@parameters.house_rules()
@parameters.output_format("text", "json")
@parameters.verbose
def command(ruleset: str, result: str, layers: tuple[str, ...], form: str, verbose: bool) -> None:
    """Play RESULT, a file that `roll --format json` wrote (or `-`), again with RULESET.

    Exit code 2 when the file is not a result of this ruleset, or the new result differs.
    """
    text = text_of(result)
    again = game(ruleset, (), layers).replay(text)
    click.echo(again.to_json() if form == "json" else as_page(again, painter(sys.stdout), verbose), color=True)
