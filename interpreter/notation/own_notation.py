"""An expression as it was typed, in the notation of the language: dice of other tools, and signs that it lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from interpreter import diagnostics as say
from interpreter.diagnostics import NotationReading, PlayError
from interpreter.notation.context import Context
from interpreter.notation.groups import without_groups
from interpreter.notation.phrases import OPERAND, fill_template, rewrite_other_tools_phrases
from interpreter.notation.placed_text import PlacedText, TextEdit
from interpreter.notation.throws import THROWN, ThrowStep
from interpreter.syntax.dice_notation import DiceTerm, dice_terms
from interpreter.syntax.lexer import USUAL

_EQUALS = re.compile(r"(?<![=<>!])=(?![=<>])")
"""The sign that compares in other notations."""
_DIGITS = re.compile(r"(?<![\w.)}])(\d*)[dD](([3468])\3{1,2})(?!\d)([A-Za-z!][\w!<>=]*)?")
"""Dice that are read as digits: d66 is two d6, of which one counts tens. Source: tables of games such as Traveller."""
_OPERAND = re.compile(OPERAND)
_REMAINDER = re.compile(r"\s*(?<![dD])%\s*")
_FACTOR = re.compile(r"\s*[*/]\s*")
_POWER = re.compile(rf"({OPERAND})\s*(?:\*\*|\^)\s*(\d)(?!\w)")
_SHEET = re.compile(r"(?<![\w}])@\{?(?:[A-Za-z]\w*[.|])*([A-Za-z]\w*)\}?|\?\{([A-Za-z]\w*)[^{}]*\}")
_REPEATED = re.compile(r"(?<![\w.])(\d+)(?:[xX]|\s*#\s*)(\d*[dD]\d+[\w!<>=]*|\([^()]*\))")
_EXPLODED = re.compile(r"\[\s*explode\s+(\d*[dD]\d+)\s*\]", re.IGNORECASE)
_DECIMAL = r"(?<![\w.])(\d*)\.(\d{1,4})(?![\w.])"
_DECIMALS = re.compile(_DECIMAL)
_TIMES_DECIMAL = (
    (re.compile(rf"{_DECIMAL}\s*\*\s*({OPERAND})"), 3),
    (re.compile(rf"({OPERAND})\s*\*\s*{_DECIMAL}"), 1),
    (re.compile(rf"({OPERAND})\s*/\s*{_DECIMAL}"), 1),
)


def to_own_notation(text: PlacedText, context: Context) -> PlacedText:
    """The text with what other tools write as the language writes it; dice that need a step of their own are thrown.

    Raises PlayError where something has no meaning here, or two, with the ways to write it.
    """
    typed = text.text
    if len(typed) > USUAL.characters:  # it is refused when it is parsed, and to look for words in it takes long
        return text
    _refuse_others(text, context)
    text = rewrite_other_tools_phrases(text)
    _refuse_signs(text, context)
    text = _with_fractions(_with_digits(text, context))
    text, _ = without_groups(text)
    context.in_other_words |= text.text != typed
    edits = []
    for term in dice_terms(text.text):
        old = text.part(term.start, term.end)
        if text.text[term.start : term.end] in context.taken:
            continue
        around = context.text_around(text.origin(term.start, term.end))
        if term.refused is not None:
            raise PlayError(say.notation_refused(text.origin(*term.slip), term.refused.put_between(*around)))
        for note in term.notes:
            context.note(note.put_between(*around), text, term.start, term.end)
        context.in_other_words = True
        context.declare(term.dice)
        dice = context.name_of_throw(_throw_step(term, old, context)) if term.is_thrown_apart else term.pool
        edits.append(TextEdit(term.start, term.end, old.instead(term.expression(dice))))
    for equals in _EQUALS.finditer(text.text):
        if not any(one.start <= equals.start() < one.end for one in edits):
            context.in_other_words = True
            edits.append(TextEdit(*equals.span(), text.part(*equals.span()).instead("==")))
    return text.edit(edits)


def _throw_step(term: DiceTerm, old: PlacedText, context: Context) -> ThrowStep:
    """The roll of dice that need more than to be named."""
    return ThrowStep(
        context.unused_name(THROWN), old.origins[-1][1], old.instead(term.pool), term.again, term.reroll, term.counts,
        single=term.is_single, faces=term.faces, is_sum=term.stacks,
    )  # fmt: skip


def _refuse_signs(text: PlacedText, context: Context) -> None:
    """Refuse a remainder or a power: to write it with other signs, what it is of has to have a name first."""
    name = "x" if "x" not in context.taken else context.unused_name("x")
    remainder, power = _remainder(text.text), _POWER.search(text.text)
    if remainder is not None:
        start, middle, (divisor, end) = remainder
        by = text.text[divisor:end]
        thrown = {"y": by} if re.search(r"[dD]\d|\(", by) else {}
        other = "y" if thrown else by
        instead = f"({name} - {name} / {other} * {other})"
        _refuse_named(text, context, (start, middle, end), "%", {name: "", **thrown}, instead)
    if power is not None:
        place = (power.start(), power.end(1), power.end())
        _refuse_named(text, context, place, "**", {name: ""}, f"({' * '.join([name] * int(power[2]))})")


def _refuse_named(
    text: PlacedText, context: Context, place: tuple[int, int, int], sign: str, names: Mapping[str, str], instead: str
) -> None:
    """Refuse a sign: `place` is where what it is of begins and ends, and where all of it ends.

    `names` are those of dice that would be thrown twice; the one without a text is what the sign is of.
    """
    span = text.origin(place[0], place[2])
    before, after = context.text_around(span)
    of = text.origin(place[0], place[1]).text
    named = tuple(f"{name}={typed or of}" for name, typed in names.items())
    reading = say.thrown_twice(span.text, sign, (*named, (before + instead + after).strip()))
    raise PlayError(say.notation_refused(span, reading))


def _remainder(text: str) -> tuple[int, int, tuple[int, int]] | None:
    """Where what a `%` is of begins and ends, and where the number by which it is divided does; None without a `%`."""
    if "%" not in text:
        return None
    operands = [match.span() for match in _OPERAND.finditer(text)]
    for number in range(len(operands) - 1):
        if _REMAINDER.fullmatch(text, operands[number][1], operands[number + 1][0]):
            first = number
            while first and _FACTOR.fullmatch(text, operands[first - 1][1], operands[first][0]):
                first -= 1
            return operands[first][0], operands[number][1], operands[number + 1]
    return None


def _refuse_others(text: PlacedText, context: Context) -> None:
    """Refuse values of a character sheet, results that are repeated, and what AnyDice does twice."""
    readings: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], NotationReading]], ...] = (
        (_SHEET, lambda match: say.value_of_sheet(match[0], match[1] or match[2], match[1] or match[2])),
        (_REPEATED, lambda match: say.product_or_repetition(match[0], match[1], f"{match[1]} * {match[2]}", match[2])),
        (_EXPLODED, lambda match: say.explodes_only(match[0], f"{match[1]}!")),
    )
    for pattern, reading in readings:
        if (match := pattern.search(text.text)) is not None:
            span = text.origin(*match.span())
            raise PlayError(say.notation_refused(span, reading(match).put_between(*context.text_around(span))))


def _with_digits(text: PlacedText, context: Context) -> PlacedText:
    edits = []
    for match in _DIGITS.finditer(text.text):
        span = text.origin(*match.span())
        around = context.text_around(span)
        number, digits = match[1] or "1", match[2]
        uniform = f"({number})d{digits}"
        if number != "1" or match[4]:
            summed = " + ".join([f"d{digits}"] * int(number)) if int(number) <= 5 else f"d{digits}"
            uniform += match[4] or ""
            reading = say.several_of_digits(match[0], uniform, f"({summed})")
            raise PlayError(say.notation_refused(span, reading.put_between(*around)))
        places = [f"{'1' + '0' * power + ' * ' if power else ''}d{match[3]}" for power in range(len(digits))]
        edits.append(TextEdit(*match.span(), text.part(*match.span()).instead(f"({' + '.join(reversed(places))})")))
        reading = say.dice_of_digits(match[0], int(digits), uniform, int("1" * len(digits)))
        context.note(reading.put_between(*around), text, *match.span())
    return text.edit(edits)


def decimals_to_quotients(text: PlacedText) -> tuple[PlacedText, re.Match[str] | None]:
    """The text with its decimals as quotients, and the first of them."""
    first = _DECIMALS.search(text.text)
    return text.edit(
        [
            TextEdit(*match.span(), text.part(*match.span()).instead(f"({Fraction(match[0])})".replace("/", " / ")))
            for match in _DECIMALS.finditer(text.text)
        ]
    ), first


def _with_fractions(text: PlacedText) -> PlacedText:
    """The text with products with decimals, and quotients by them, in whole numbers: `0.2 * d20` is `(d20 / 5)`."""
    for pattern, operand in _TIMES_DECIMAL:
        while (match := pattern.search(text.text)) is not None:
            whole, decimals = [one for number, one in enumerate(match.groups(), 1) if number != operand]
            factor = Fraction(f"{whole or 0}.{decimals}")
            if "/" in match[0][match.end(operand) - match.start() :] and operand == 1 and factor:
                factor = 1 / factor
            times = "" if factor.numerator == 1 else f"{factor.numerator} * "
            by = "" if factor.denominator == 1 else f" / {factor.denominator}"
            text = text.edit([TextEdit(*match.span(), fill_template(text, match, f"({times}\\{operand}{by})"))])
    return text
