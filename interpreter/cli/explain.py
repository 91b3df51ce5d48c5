"""`houserule explain`: a rule, a word of the language, or the code of a message, in sentences."""

from __future__ import annotations

import re

import click

from interpreter import diagnostics as say
from interpreter.cli import parameters
from interpreter.cli.rulesets import is_ruleset_name, load_playable
from interpreter.cli.terminal import echo
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.codes import explained_code
from interpreter.report.explain import explain_name, overview


@click.command("explain")
@click.argument("ruleset", metavar="RULESET|WORD|CODE")
@click.argument("rule", required=False)
@click.option("--more", is_flag=True, help="Of a word of the language: print what the manual says about it, too.")
@parameters.house_rules()
def command(ruleset: str, rule: str | None, more: bool, layers: tuple[str, ...]) -> None:
    """Explain RULE of RULESET: a mechanic, kind, action, option, any other name, or a row of the book (JC-15).

    Or explain a word of the language, with an example: `houserule explain choose`. Or the code of a message:
    `houserule explain HR301`.
    """
    if rule is None and re.fullmatch(r"HR\d{3}", ruleset.upper()):
        echo(explained_code(ruleset.upper()), nl=False)
        return
    if rule is None and not layers and not is_ruleset_name(ruleset):
        echo("\n".join(_lines_about_word(ruleset, more)))
        return
    loaded = load_playable(ruleset, layers)
    assert loaded.program is not None and loaded.merged is not None
    if rule is None:
        echo(f"{loaded.program.title} ({loaded.program.name} {loaded.program.version})\n")
        for line in overview(loaded.program):
            echo(line)
        echo("\nGive one of these, an option, a table, or a row of the book.")
        _note_hidden_word(ruleset)
        return
    echo("\n".join(explain_name(loaded.program, loaded.merged, rule)))


def _lines_about_word(name: str, more: bool) -> list[str]:
    """What there is to say about a word of the language. PlayError if it is none."""
    from interpreter import bundled
    from interpreter.manual.reference import explained_word
    from interpreter.manual.words import words

    if name not in words():
        raise PlayError(say.no_word_or_ruleset(name, [*sorted(words()), *bundled.rulesets(), *bundled.house_rules()]))
    return explained_word(name, more)


def _note_hidden_word(name: str) -> None:
    """Say that a ruleset hides the word of its name."""
    if re.fullmatch(r"[a-z_ ]+", name):
        from interpreter.manual.words import words

        if name in words():
            echo(f"\n`{name}` is a word of the language, too; it is explained where no ruleset has that name.")
