"""Expressions on the command line (`-e`): what `odds`, `simulate` and `roll` show of them."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.api.expression_ruleset import ExpressionRuleset, expression_ruleset
from interpreter.api.result import Result
from interpreter.chances.formats.text import note_lines
from interpreter.chances.report import Style
from interpreter.chances.table import ReportNote
from interpreter.cli.terminal import echo
from interpreter.cli.traces import dice_thrown, format_lines
from interpreter.report.short import shorten_trace
from interpreter.values import in_words


def ruleset_of_expressions(expressions: tuple[str, ...], inputs: tuple[str, ...]) -> ExpressionRuleset | None:
    """The ruleset of expressions, with `name=value` for the names that they read; None without expressions."""
    if not expressions:
        return None
    given = (text.partition("=") for text in inputs)
    return expression_ruleset(expressions, {name.strip(): value for name, _, value in given})


def notes_of_expressions(rules: ExpressionRuleset | None) -> Iterator[ReportNote]:
    """What stands below an answer: the expressions as a ruleset has them, and what they may have been meant as."""
    if rules is not None and rules.translated:  # what others write in their own notation
        yield ReportNote("in a ruleset", tuple(rules.listing), listing=True)
    if rules is not None and rules.notes:
        yield ReportNote("read as", tuple(note.reading.text for note in rules.notes))


WITH_NOTES = ("text", "json", "markdown")
"""The formats that have room for notes."""


def report_notes(rules: ExpressionRuleset | None, form: str) -> None:
    """What expressions may have been meant as, on standard error if a format has no room for it."""
    for note in rules.notes if rules is not None and form not in WITH_NOTES else ():
        echo(f"note: {note.reading.text}", err=True)


def as_page(result: Result, rules: ExpressionRuleset, style: Style, verbose: bool = False) -> str:
    """A roll of expressions: the dice, then each expression with its value."""
    paint = style.paint
    loud = [line for line in result.trace if not line.quiet]
    trace = result.trace if verbose else shorten_trace(loud, result.rule, result.trace.program)
    steps = list(format_lines((line for line in trace if line.name not in rules.results), paint))
    lines = [*steps, ""] if steps else []
    for name in rules.results:
        value = in_words(result.values[name])
        lines.append(f"{paint(rules.title(name), 'bold')}: {paint(value, 'bold green')}")
    below = (line for note in notes_of_expressions(rules) for line in note_lines(note, style))
    return "\n".join([*lines, *dice_thrown(result, paint), *below])
