"""`houserule campaign`: a folder in which the state of a game lies from scene to scene."""

from __future__ import annotations

import click

from interpreter.cli import parameters
from interpreter.cli.campaigns import make_campaign


@click.command("campaign")
@click.argument("what", type=click.Choice(("new",)))
@click.argument("name", metavar="FOLDER")
@click.option("--rules", required=True, metavar="RULESET", help="The ruleset that its scenes are played with.")
@parameters.house_rules()
@parameters.ruleset_options()
def command(what: str, name: str, rules: str, layers: tuple[str, ...], options: tuple[str, ...]) -> None:
    """Make FOLDER for a campaign: `houserule play FOLDER SCENE` then plays a scene in the state of the last one.

    `houserule play FOLDER` goes on where a scene was left.
    """
    assert what == "new", "click takes nothing else"
    make_campaign(name, rules, layers, options)
