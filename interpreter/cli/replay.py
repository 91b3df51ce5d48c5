"""`houserule replay`: play a saved result again, and check that the result is the same."""

from __future__ import annotations

import sys

import click

from interpreter.cli import parameters
from interpreter.cli.rulesets import changes_of, load_game
from interpreter.cli.states import read_text, tell_adopted
from interpreter.cli.terminal import echo, painter
from interpreter.cli.traces import as_page


@click.command("replay")
@click.argument("ruleset")
@click.argument("result", type=click.Path(dir_okay=False, allow_dash=True))
@parameters.house_rules()
@parameters.output_format("text", "json")
@parameters.verbose
@parameters.why
def command(ruleset: str, result: str, layers: tuple[str, ...], form: str, verbose: bool, why: str | None) -> None:
    """Play RESULT, a file that `roll --format json` wrote (or `-`), again with RULESET.

    Exit code 2 when the file is not a result of this ruleset, or the new result differs.
    """
    text = read_text(result)
    playing, paint = load_game(ruleset, (), layers), painter(sys.stdout)
    again = playing.replay(text)
    tell_adopted(again.adopted)
    if why is not None:
        from interpreter.cli.why import why_page  # other replays do without it

        echo(why_page(playing, changes_of(ruleset, layers), again, why, None, paint, verbose), color=True)
        return
    echo(again.to_json() if form == "json" else as_page(again, paint, verbose), color=True)
