"""`houserule docs`: a ruleset with its house rules as a rulebook, as one page of HTML or as Markdown."""

from __future__ import annotations

import click

from interpreter import diagnostics as say
from interpreter.cli import parameters
from interpreter.cli.rulesets import load_playable, parse_assignments
from interpreter.cli.terminal import echo
from interpreter.diagnostics import PlayError
from interpreter.syntax.files import write_whole


@click.command("docs")
@click.argument("ruleset")
@parameters.house_rules()
@parameters.ruleset_options()
@parameters.output_format("html", "markdown")
@click.option("-o", "--output", metavar="FILE", help="Write the page to this file.")
def command(ruleset: str, layers: tuple[str, ...], options: tuple[str, ...], form: str, output: str | None) -> None:
    """Write RULESET as a rulebook for people: one page that stands alone, with examples, odds and house rules.

    It needs Jinja2: in a clone of houserule, pip install '.[docs]'.
    """
    try:
        from interpreter.rulebook import page
    except ModuleNotFoundError as missing:
        if missing.name not in ("jinja2", "markupsafe"):
            raise
        raise PlayError(say.no_jinja()) from None
    from interpreter.rulebook.book import book

    loaded = load_playable(ruleset, layers)
    text = (page.html if form == "html" else page.markdown)(book(loaded, parse_assignments(options)))
    if output is None:
        echo(text, nl=False)
    else:
        write_whole(output, text)
