"""`houserule show`: the checked program of a ruleset, as text."""

from __future__ import annotations

import click

from interpreter.cli.rulesets import game
from interpreter.listing import listing


@click.command("show", short_help="The checked program of a ruleset, as text.")
@click.argument("ruleset")
@click.option("--with", "layers", multiple=True, metavar="LAYER", help="Lay this house rule over it.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
def command(ruleset: str, layers: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Show what the interpreter made of RULESET: every type, every implied conversion, every default.

    With NAMES, only the things of those names.
    """
    text = listing(game(ruleset, (), layers).program)
    if names:
        text = "\n".join(_only(text, names)) + "\n"
    click.echo(text, nl=False)


def _only(text: str, names: tuple[str, ...]) -> list[str]:
    kept: list[str] = []
    keeping = False
    for line in text.splitlines():
        if line[:1].strip():
            keeping = any(
                name == word for name in names for word in line.replace("(", " ").replace(":", " ").split()[1:2]
            )
        if keeping:
            kept.append(line)
    return kept
