"""Parts in brackets of which some are kept or counted: `{4d6, 3d8}kh1`, `(2d6, d12)kh1`, `{2d6 + d8}kh2`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.notation.placed_text import PlacedText, TextEdit
from interpreter.syntax.dice_modifiers import KEPT, DiceModifier, ModifierKind, condition_of, modifiers
from interpreter.syntax.dice_notes import COMPARED
from interpreter.syntax.written_dice import kept_dice

_OPENING, _CLOSING = "({[", ")}]"
_PLAIN_DICE = re.compile(r"\s*\d*[dD](?:\d+|%|[fF])\s*")


def without_groups(text: PlacedText) -> tuple[PlacedText, bool]:
    """A text with its groups as lists, or as dice that are put together, and whether there were any.

    Raises PlayError where the parts of a group cannot be kept so.
    """
    changed = False
    while (group := _innermost_group(text.text)) is not None:
        text, changed = text.edit([_group_edit(text, *group)]), True
    return text, changed


def _innermost_group(text: str) -> tuple[int, int] | None:
    """Where the last group begins and ends, brackets included; in it there is no other."""
    for start in range(len(text) - 1, -1, -1):
        if text[start] not in "{(" or (text[start - 1 : start].lower() == "d" and text[start] == "{"):
            continue
        end = _end_of_bracket(text, start)
        if end is None:
            continue
        if text[start] == "{":
            return start, end
        listed = len(_split_outside_brackets(text, start + 1, end - 1, ",")) > 1
        if listed and not re.match(r"\w", text[start - 1 : start] or " ") and _keep_modifiers_behind(text, end):
            return start, end
    return None


def _keep_modifiers_behind(text: str, end: int) -> list[DiceModifier]:
    return [one for one in modifiers(text, end) if one.kind in KEPT]


def _end_of_bracket(text: str, start: int) -> int | None:
    """The end of the bracket that opens at a place, if it is closed."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in _OPENING) - (text[at] in _CLOSING)
        if depth == 0:
            return at + 1
    return None


def _split_outside_brackets(text: str, start: int, end: int, sign: str) -> list[tuple[int, int]]:
    """The parts between two places that a sign outside brackets divides."""
    parts, depth, first = [], 0, start
    for at in range(start, end):
        depth += (text[at] in _OPENING) - (text[at] in _CLOSING)
        if text[at] == sign and depth == 0:
            parts.append((first, at))
            first = at + 1
    return [*parts, (first, end)]


def _group_edit(text: PlacedText, start: int, end: int) -> TextEdit:
    behind = list(modifiers(text.text, end))
    stop = behind[-1].end if behind else end
    compared = COMPARED.match(text.text, stop) if not any(one.kind is ModifierKind.COUNT for one in behind) else None
    parts = _split_outside_brackets(text.text, start + 1, end - 1, ",")
    whole = text.part(start, stop)
    single = len(parts) == 1
    inside, number = _dice_together(text, parts[0]) if single and (behind or compared) else (None, len(parts))
    if inside is None:
        inside = _list_text(text, parts) if not single else text.part(*parts[0])
    kept = [one for one in behind if one.kind in KEPT]
    unkept = next(
        (
            one
            for one in behind
            if one.kind not in (*KEPT, ModifierKind.COUNT, ModifierKind.LESS_FAILURES, ModifierKind.SORT)
        ),
        None,
    )
    if unkept is not None or (single and behind and number == 0):
        slip = unkept or behind[0]
        around = (text.text[:start], text.text[stop:])
        reading = say.not_of_groups(
            slip.text, f"{text.text[start:end]}kh1" if not single else text.text[start + 1 : end - 1]
        )
        raise PlayError(say.notation_refused(text.origin(slip.start, slip.end), reading.put_between(*around)))
    reading_of = kept_dice(str(number), kept)
    if not reading_of:
        place = text.origin(kept[-1].start, kept[-1].end)
        left = say.nothing_left(kept[-1].text, text.text[start:end] + "kh1").put_between(
            text.text[:start], text.text[stop:]
        )
        raise PlayError(say.notation_refused(place, left))
    before, after = reading_of.split("{}")
    counted = [one for one in behind if one.kind is ModifierKind.COUNT]
    of = "face" if single else "it"
    if compared is not None and not kept:
        condition = condition_of(compared[1] + compared[2]).on_value(of)
        counting = whole.instead(f"count({before}") + inside + whole.instead(f"{after} where {condition})")
        return TextEdit(start, compared.end(), counting)
    if counted:
        failures = [one for one in behind if one.kind is ModifierKind.LESS_FAILURES]
        counting = _count_text(whole, before, inside, after, counted[0], of)
        for one in failures:
            counting = counting + whole.instead(" - ") + _count_text(whole, before, inside, after, one, of)
        return TextEdit(start, stop, whole.instead("(") + counting + whole.instead(")"))
    only = re.fullmatch(r"(highest|lowest)\(", before) and after == ", 1)"
    if only:
        return TextEdit(start, stop, whole.instead(before) + inside + whole.instead(")"))
    return TextEdit(start, stop, whole.instead(f"sum({before}") + inside + whole.instead(f"{after})"))


def _count_text(
    whole: PlacedText, before: str, inside: PlacedText, after: str, one: DiceModifier, of: str
) -> PlacedText:
    assert one.condition is not None
    return whole.instead(f"count({before}") + inside + whole.instead(f"{after} where {one.condition.on_value(of)})")


def _list_text(text: PlacedText, parts: Sequence[tuple[int, int]]) -> PlacedText:
    listing = text.part(0, 0)
    for number, part in enumerate(parts):
        old = text.part(*part)
        listing += (old.instead(", ") if number else text.part(0, 0)) + old
    first = text.part(*parts[0])
    return first.instead("[") + listing + first.instead("]")


def _dice_together(text: PlacedText, part: tuple[int, int]) -> tuple[PlacedText | None, int]:
    """The dice of a sum as one pool, and how many they are; none, and 0, where there is something else."""
    terms = _split_outside_brackets(text.text, *part, "+")
    if not all(_PLAIN_DICE.fullmatch(text.text[start:end]) for start, end in terms):
        return None, 0
    sum_of_dice = text.part(0, 0)
    number = 0
    for place, (start, end) in enumerate(terms):
        old = text.part(start, end)
        sum_of_dice += (old.instead(" & ") if place else text.part(0, 0)) + old
        several = re.match(r"\s*(\d*)", text.text[start:end])
        number += int(several[1] or 1) if several is not None else 1
    first = text.part(*part)
    return first.instead("(") + sum_of_dice + first.instead(")"), number
