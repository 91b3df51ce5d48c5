"""`houserule explain`: a rule, or the code of a message, in sentences."""

from __future__ import annotations

import re

import click

from interpreter.cli import parameters
from interpreter.cli.rulesets import playable
from interpreter.diagnostics.codes import explained_code
from interpreter.report.explain import explained, overview


@click.command("explain")
@click.argument("ruleset")
@click.argument("rule", required=False)
@parameters.house_rules()
def command(ruleset: str, rule: str | None, layers: tuple[str, ...]) -> None:
    """Explain RULE of RULESET: a mechanic, kind, action, option, any other name, or a row of the book (JC-15).

    Or explain the code of a message: `houserule explain HR301`.
    """
    if rule is None and re.fullmatch(r"HR\d{3}", ruleset.upper()):
        click.echo(explained_code(ruleset.upper()), nl=False)
        return
    loaded = playable(ruleset, layers)
    assert loaded.program is not None and loaded.merged is not None
    if rule is None:
        click.echo(f"{loaded.program.title} ({loaded.program.name} {loaded.program.version})\n")
        for line in overview(loaded.program):
            click.echo(line)
        click.echo("\nGive one of these, an option, a table, or a row of the book.")
        return
    click.echo("\n".join(explained(loaded.program, loaded.merged, rule)))
