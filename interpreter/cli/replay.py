"""`houserule replay`: play a saved result again, and see that it comes out the same."""

from __future__ import annotations

import sys

import click

from interpreter.cli.roll import as_page
from interpreter.cli.rulesets import game
from interpreter.cli.states import text_of
from interpreter.cli.terminal import painter


@click.command("replay", short_help="Play a saved result again.")
@click.argument("ruleset")
@click.argument("result", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--with", "layers", multiple=True, metavar="LAYER", help="Lay this house rule over it.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(ruleset: str, result: str, layers: tuple[str, ...], form: str) -> None:
    """Play RESULT, a file that `roll --format json` wrote (or `-`), again with RULESET.

    Exit code 2 when it is no result of this ruleset or comes out otherwise.
    """
    text = text_of(result)
    again = game(ruleset, (), layers).replay(text)
    click.echo(again.to_json() if form == "json" else as_page(again, painter(sys.stdout)), color=True)
