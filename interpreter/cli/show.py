"""`houserule show`: the checked program of a ruleset, as text."""

from __future__ import annotations

import click

from interpreter import diagnostics as say
from interpreter.cli.rulesets import game
from interpreter.diagnostics import PlayError
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
    """The lines of the things of those names. Raises PlayError where there is no such thing."""
    kept: list[str] = []
    known: list[str] = []
    for line in text.splitlines():
        if line[:1].strip():
            known += line.replace("(", " ").replace(":", " ").split()[1:2] or [""]
        if known and known[-1] in names:
            kept.append(line)
    for name in names:
        if name not in known:
            raise PlayError(say.unknown_of(say.NOWHERE, "thing", name, filter(None, known)))
    return kept
