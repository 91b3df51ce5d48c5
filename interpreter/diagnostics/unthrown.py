"""HR419: dice that nobody has thrown, read as a number."""

from __future__ import annotations

import re

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass


@dataclass(frozen=True, slots=True)
class UnthrownDice:
    """Dice that are read as a number: one die `alone`, or a `listed` one for each of something.

    `reading` is the function that reads them, None of an operator. `sizes` if the size of every die of the ruleset is
    the most that it can show.
    """

    alone: bool
    listed: bool
    reading: str | None
    sizes: bool


def only_named(span: Span, dice: UnthrownDice, step: str, use: Span, by_layer: bool) -> Diagnostic:
    """Of `total: d6`, a step that names dice; `use` is where it is read. `by_layer` if a house rule sets the step."""
    thrown = f"{{roll: {span.text}}}"
    throws = f"{'set' if by_layer else step}: {thrown}"
    help_text = f"throw it: `{throws}`" if dice.alone else f"throw them: `{throws}`"
    if not dice.alone and dice.reading is None:
        help_text = f"throw them, `{throws}`, and read `sum({step})`"
    edits = ((span, thrown),) if dice.alone and re.fullmatch(r"1?d\d+", span.text) else ()
    message = f"`{step}` only names dice, and is read as a number"
    help_text += f"; {_sizes(dice, use.text)}"
    return Diagnostic("HR419", message, span, help_text, notes=((use, "it is read here"),), edits=edits)


def thrown_elsewhere(span: Span, dice: UnthrownDice, pool: Span, thrower: str) -> Diagnostic:
    """Of `sum(highest(pool, 2))` where the step `thrower` throws the pool."""
    shown = _with_name_for_dice(span, pool, thrower)
    read = shown if dice.alone and "." not in thrower else _example_reading(dice, shown)
    return Diagnostic("HR419", f"{_subject_and_verb(dice)} not thrown; `{thrower}` is what they show when thrown", span,
                      f"write `{read}`; {_sizes(dice, span.text)}")  # fmt: skip


def not_thrown(span: Span, dice: UnthrownDice, pool: Span, by_function: bool) -> Diagnostic:
    """Of `sum(highest(pool, 2))` where nothing throws the pool, or not yet; `by_function` if a function takes it."""
    text = " ".join(pool.text.split())
    thrown = text if len(text) <= 40 else "…"
    shown = _with_name_for_dice(span, pool, "rolled")
    read = shown if dice.alone else _example_reading(dice, shown)
    help_text = f"throw {'it' if dice.alone else 'them'} in a step, `rolled: {{roll: {thrown}}}`, and read `{read}`"
    if by_function and not dice.listed:
        help_text = f"only a step throws dice, so take what it gives: `takes: {{{thrown}: roll}}`"
    elif dice.listed:
        each = f"thrown: {{for: one, among: {thrown}, each: {{rolled: {{roll: one}}}}}}"
        help_text = f"throw each in a step, `{each}`, and read `{_example_reading(dice, 'thrown.rolled')}`"
    if re.fullmatch(_NAME, span.text):
        help_text += f"; {_sizes(dice, span.text)}"
        if dice.alone and dice.reading is None:
            help_text += f"; to step it on a ladder, `{{raise: {span.text}, ladder: …}}`"
    has = "it has" if dice.alone else "they have"
    return Diagnostic("HR419", f"{_subject_and_verb(dice)} not thrown, so {has} no number", span, help_text)


_NAME = r"(?!\d*d\d+$)[^\W\d][\w.]*"


def _with_name_for_dice(span: Span, pool: Span, name: str) -> str:
    """The text of an expression with a name in place of the dice that it reads."""
    if pool.source is not span.source or not span.start <= pool.start <= pool.end <= span.end:
        return name
    before, after = span.text[: pool.start - span.start], span.text[pool.end - span.start :]
    return f"{before}{name}{after}"


def _subject_and_verb(dice: UnthrownDice) -> str:
    return "this die is" if dice.alone else "these dice are"


def _example_reading(dice: UnthrownDice, name: str) -> str:
    return f"{dice.reading or 'sum'}({name}{', …' * (dice.reading in ('kth', 'dominates', 'outranks'))})"


def _sizes(dice: UnthrownDice, name: str) -> str:
    """How the sizes of dice with a name are read, and what for."""
    it, its = ("it", "its") if dice.alone else ("they", "their")
    what = f"the most that {it} can show" if dice.reading in ("sum", "highest", None) else f"{its} sizes"
    what = what if dice.sizes else f"{its} numbers of faces"
    return f"for {what}, `{name}.size`" if dice.alone else f"for {what}, `{_example_reading(dice, f'{name}.size')}`"
