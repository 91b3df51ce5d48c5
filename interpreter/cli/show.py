"""`houserule show`: the checked program of a ruleset, or all of it as written with every layer."""

from __future__ import annotations

import sys

import click

from interpreter import diagnostics as say
from interpreter.cli import parameters
from interpreter.cli.rulesets import load_playable
from interpreter.cli.terminal import echo, painter
from interpreter.diagnostics import PlayError
from interpreter.ir.printer import listing
from interpreter.layers.effective import effective_ruleset
from interpreter.pipeline import Loaded


@click.command("show")
@click.argument("ruleset")
@parameters.house_rules()
@click.option("--written", is_flag=True, help="The effective ruleset as YAML, with the file and line of each part.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
def command(ruleset: str, layers: tuple[str, ...], written: bool, names: tuple[str, ...]) -> None:
    """Print the checked program of RULESET: every type, every implied conversion, every default.

    With NAMES, print only these declarations.
    """
    loaded = load_playable(ruleset, layers)
    if written:
        _show_text(loaded, names)
        return
    assert loaded.program is not None
    text = listing(loaded.program)
    if names:
        text = "\n".join(_lines_named(text, names)) + "\n"
    echo(text, nl=False)


def _show_text(loaded: Loaded, names: tuple[str, ...]) -> None:
    assert loaded.merged is not None and loaded.world is not None
    paint = painter(sys.stdout)
    keeping = not names
    known: list[str] = []
    for line in effective_ruleset(loaded.merged, loaded.world.base_places):
        indent = len(line.text) - len(line.text.lstrip())
        if names and indent <= 2:
            known.append(line.text.split(":")[0].strip() if indent == 2 else "")
            keeping = known[-1] in names
        if keeping:
            note = f"  {' ' * max(72 - len(line.text), 0)}{paint('# ' + line.origin, 'dim')}" if line.origin else ""
            echo(line.text + note, color=True)
    _refuse_unknown(names, known)


def _lines_named(text: str, names: tuple[str, ...]) -> list[str]:
    kept: list[str] = []
    known: list[str] = []
    for line in text.splitlines():
        if line[:1].strip():
            known += line.replace("(", " ").replace(":", " ").split()[1:2] or [""]
        if known and known[-1] in names:
            kept.append(line)
    _refuse_unknown(names, known)
    return kept


def _refuse_unknown(names: tuple[str, ...], known: list[str]) -> None:
    for name in names:
        if name not in known:
            raise PlayError(say.unknown_of(say.NOWHERE, "thing", name, filter(None, known)))
