"""Expressions on the command line (`-e`): what `odds`, `simulate` and `roll` show of them."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

import click

from interpreter.api.expression_ruleset import ExpressionRuleset, of_expressions
from interpreter.api.result import Result
from interpreter.cli.tables import width
from interpreter.cli.terminal import Paint
from interpreter.cli.traces import dice_thrown, format_lines
from interpreter.report.short import shortened
from interpreter.values import in_words


def ruleset_of_expressions(expressions: tuple[str, ...], inputs: tuple[str, ...]) -> ExpressionRuleset | None:
    """The ruleset of expressions, with `name=value` for the names that they read; None without expressions."""
    if not expressions:
        return None
    given = (text.partition("=") for text in inputs)
    return of_expressions(expressions, {name.strip(): value for name, _, value in given})


def lines_below_answer(rules: ExpressionRuleset | None, paint: Paint) -> Iterator[str]:
    """What stands below an answer: the expressions as a ruleset has them, and what they may have been meant as."""
    yield from translation_lines(rules, paint)
    if rules is not None and rules.notes:
        yield from ("", paint("read as", "bold"))
        for note in rules.notes:
            yield from wrap(note.reading.text, width(), initial_indent="  ", subsequent_indent="    ")


def report_notes(rules: ExpressionRuleset | None, form: str) -> None:
    """What expressions may have been meant as, on standard error if a format has no room for it."""
    for note in rules.notes if rules is not None and form not in ("text", "json") else ():
        click.echo(f"note: {note.reading.text}", err=True)


def translation_lines(rules: ExpressionRuleset | None, paint: Paint) -> Iterator[str]:
    """What others write in their own notation, as a ruleset has it; nothing if all is in that of the language."""
    if rules is None or not rules.translated:
        return
    yield from ("", paint("in a ruleset", "bold"))
    yield from (f"  {line}" for line in rules.listing)


def as_page(result: Result, rules: ExpressionRuleset, paint: Paint, verbose: bool = False) -> str:
    """A roll of expressions: the dice, then each expression with its value."""
    loud = [line for line in result.trace if not line.quiet]
    told = result.trace if verbose else shortened(loud, result.rule, result.trace.program)
    steps = list(format_lines((line for line in told if line.name not in rules.results), paint))
    lines = [*steps, ""] if steps else []
    for name in rules.results:
        value = in_words(result.values[name])
        lines.append(f"{paint(rules.title(name), 'bold')}: {paint(value, 'bold green')}")
    return "\n".join([*lines, *dice_thrown(result, paint), *lines_below_answer(rules, paint)])
