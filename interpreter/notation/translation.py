"""Expressions in which dice are thrown where they stand, as the steps of a mechanic."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.notation.context import Context, Note
from interpreter.notation.dice_in_trees import with_throws
from interpreter.notation.own_notation import decimals_to_quotients, to_own_notation
from interpreter.notation.placed_text import PlacedText
from interpreter.notation.quotients import rounded_quotients, sum_of
from interpreter.notation.throws import Line
from interpreter.syntax.document import Scalar
from interpreter.syntax.expression_parser import LONGEST_REWRITTEN, parse
from interpreter.syntax.names import NAME
from interpreter.syntax.other_notations import likely_texts
from interpreter.syntax.yaml_text import quote

RESULT = "result"
"""The name of the step of an expression without a name."""
_NAMED = re.compile(rf"\s*(?P<name>{NAME})\s*=(?!=)")


@dataclass(frozen=True)
class Translation:
    """Expressions as steps. `labels` has each as it was typed by the name of its result."""

    labels: Mapping[str, str]
    steps: Sequence[Line]
    dice: Mapping[str, tuple[int, ...]]
    """Dice with faces of their own."""
    translated: tuple[str, ...]
    """The expressions in another notation than that of the language."""
    kept: frozenset[str]
    """The names of dice that other expressions read."""
    notes: tuple[Note, ...]


def translate(sources: Sequence[Source], given: Mapping[str, str]) -> Translation:
    """Expressions, each of which may have a name that those after it read, as steps.

    `given` has the values of names. Raises PlayError where a text is no expression in any notation, or a value is
    given that none of them reads.
    """
    named = [_NAMED.match(source.text) for source in sources]
    context = Context(given, (one["name"] for one in named if one is not None))
    labels: dict[str, str] = {}
    in_other_words: list[str] = []
    kept: set[str] = set()
    steps: list[Line] = []
    for number, (source, name) in enumerate(zip(sources, named, strict=True)):
        text = PlacedText.of(source, name.end() if name is not None else 0)
        later = " ".join(one.text for one in sources[number + 1 :])
        is_read = name is not None and re.search(rf"\b{name['name']}\b", later) is not None
        called = name["name"] if name is not None else context.unused_name(RESULT)
        context.begin(name.end() if name is not None else 0)
        tree, dice = with_throws(*_read(text, context), context, is_read)
        if dice is not None:
            context.rolls[called] = dice
            kept.add(called)
        steps += _steps(tree, called, context)
        labels[called] = text.text.strip()
        if context.in_other_words:
            in_other_words.append(text.text.strip())
    _refuse_unread(given, context)
    return Translation(
        labels, steps, context.dice, tuple(in_other_words), frozenset(kept), tuple(context.notes)
    )  # fmt: skip


def _refuse_unread(given: Mapping[str, str], context: Context) -> None:
    for name, value in given.items():
        if name not in context.reads:
            span = Span(Source.of(name, value), 0, len(value))
            raise PlayError(say.read_by_no_expression(span, name, context.reads & given.keys()))


def _read(text: PlacedText, context: Context) -> tuple[ast.expr, PlacedText]:
    """The tree of an expression, with its text in the notation of the language."""
    text = to_own_notation(text, context)
    _refuse_decimals(text)
    shown = text
    try:
        tree = _parse_text(text)
    except PlayError as slip:
        text, tree = _read_in_other_words(text, slip)
        context.in_other_words = True
        shown = PlacedText.of(Source.of(text.source.name, text.text))  # what was typed has other words for it
    for quotient, reading in rounded_quotients(tree, shown):
        context.note(reading, text, quotient.col_offset, quotient.end_col_offset or 0)
    return tree, text


def _refuse_decimals(text: PlacedText) -> None:
    """Refuse decimals that are left, if a multiple of the expression is one of whole numbers."""
    in_quotients, first = decimals_to_quotients(text)
    if first is None:
        return
    try:
        whole = sum_of(_parse_text(in_quotients), in_quotients)
    except PlayError:  # something else is wrong, too
        return
    if whole is not None:
        reading = say.whole_numbers_only(first[0], whole.expression(whole.divisor), whole.divisor)
        raise PlayError(say.notation_refused(text.origin(*first.span()), reading))


def _parse_text(text: PlacedText) -> ast.expr:
    """The tree of a text. Raises PlayError, with the place in what was typed, where it is no expression."""
    source = Source.of(text.source.name, text.text)
    try:
        return parse(Scalar(source.text, Span(source, 0, len(source.text))), frozenset())
    except PlayError as slip:
        diagnostic = slip.diagnostic
        raise PlayError(replace(diagnostic, span=text.origin(diagnostic.span.start, diagnostic.span.end))) from None


def _read_in_other_words(text: PlacedText, slip: PlayError) -> tuple[PlacedText, ast.expr]:
    """What a text says that is an expression in other words. Raises the slip if it is none."""
    for other, _ in likely_texts(text.text) if len(text.text) <= LONGEST_REWRITTEN else ():
        try:
            rewritten = text.instead(other)
            return rewritten, _parse_text(rewritten)
        except PlayError:
            continue
    raise slip


def _steps(result: PlacedText, called: str, context: Context) -> list[Line]:
    """The steps of a result, its throws named in their order; dice that are the result have its name."""
    ordered = sorted(context.throws, key=lambda one: one.end)
    alone = len(ordered) == 1 and result.text.strip() == ordered[0].name
    if alone:
        names = [called]
    else:
        names = sorted((one.name for one in ordered), key=lambda name: (len(name), name))
    renamed: dict[str, str] = {}
    for throw, name in zip(ordered, names, strict=True):
        renamed |= {throw.name: name, throw.read: f"{name}_again" if throw.reroll else name}
    lines: list[Line] = []
    for throw, name in zip(ordered, names, strict=True):
        own = replace(throw, name=name, pool=throw.pool.with_names(renamed))
        lines += own.lines()
        context.rolls[own.read] = own
    if alone:
        return lines
    text = result.with_names(renamed)
    mark = "" if quote(text.text) == text.text else '"'
    return [*lines, (called, mark, text, mark)]
