"""Dice of other tools that have no reading, or two: why, and what to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from interpreter import diagnostics as say
from interpreter.diagnostics import NotationReading
from interpreter.syntax.dice_modifiers import (
    COUNTED,
    KEPT,
    SELECTED,
    THROWN_ON,
    WEIGHED,
    Condition,
    DiceModifier,
    ModifierKind,
)
from interpreter.syntax.written_dice import WrittenDice, kept_dice

_SIGN = "(?:>=|<=|<>|!=|=|>|<)"
_BEHIND = re.compile(rf"({_SIGN}\d+(?:f{_SIGN}?\d+)?)([A-Za-z!][\w!<>=]*|{_SIGN}\d[\w!<>=]*)(?<![=<>])", re.IGNORECASE)
"""A comparison, and what stands behind it and should stand before it."""


_NOT_TOGETHER: tuple[tuple[tuple[ModifierKind, ...], tuple[ModifierKind, ...]], ...] = (
    (WEIGHED, (*KEPT, *SELECTED)),
    (WEIGHED, (ModifierKind.STACK,)),
    ((ModifierKind.MOST,), THROWN_ON),
    ((ModifierKind.PENETRATE,), (*COUNTED, *WEIGHED, ModifierKind.LEAST)),
    (SELECTED, KEPT),
)
"""Kinds of which a tool would have to say which comes first."""
_NO_READING = {
    ModifierKind.UNKNOWN: say.unknown_modifier,
    ModifierKind.UNIQUE: say.all_different,
    ModifierKind.MATCH: say.equal_faces_counted,
}


class DiceRefusal(NamedTuple):
    """Why dice are refused, and where what is to blame stands; the dice with all behind them end at `whole_end`."""

    reading: NotationReading
    start: int
    end: int
    whole_end: int


def refusal(dice: WrittenDice, is_read: Callable[[str], bool]) -> DiceRefusal | None:
    """Why dice have no reading, if they have none. `is_read` says whether a text is dice that have one."""
    for find in (
        _unreadable_dice,
        _useless_rerolls,
        _behind_comparison(is_read),
        _ambiguous_dice,
        _clashing_modifiers,
        _dice_without_faces,
    ):
        first = next(find(dice), None)
        if first is not None:
            return first
    return None


def _refusal_of(dice: WrittenDice, reading: NotationReading, one: DiceModifier) -> DiceRefusal:
    return DiceRefusal(reading, one.start, one.end, dice.end)


def _unreadable_dice(dice: WrittenDice) -> Iterator[DiceRefusal]:
    for one in dice.modifiers_of(*_NO_READING):
        yield _refusal_of(dice, _NO_READING[one.kind](one.text, dice.without_modifiers), one)


def _useless_rerolls(dice: WrittenDice) -> Iterator[DiceRefusal]:
    """Dice that are thrown again for what they never show, or always."""
    rerolls = dice.modifiers_of(ModifierKind.REROLL_UNTIL)
    if rerolls and dice.faces and not faces_left(dice):
        yield _refusal_of(
            dice, say.rerolled_for_ever(rerolls[0].text, dice.replace_modifier(rerolls[0], "ro1")), rerolls[0]
        )
    for one in dice.modifiers_of(*THROWN_ON, ModifierKind.REROLL_ONCE, ModifierKind.REROLL_UNTIL):
        if one.condition is None or not dice.faces:
            continue
        holding = sum(map(one.condition.holds, dice.faces))
        if not holding:
            yield _refusal_of(dice, say.never_shown(one.text, _meant_by_never_shown(dice, one, one.condition)), one)
        if holding == len(dice.faces) and one.kind in (
            ModifierKind.EXPLODE,
            ModifierKind.STACK,
            ModifierKind.PENETRATE,
        ):
            yield _refusal_of(dice, say.thrown_for_ever(one.text, dice.replace_modifier(one, "!")), one)


def _meant_by_never_shown(dice: WrittenDice, one: DiceModifier, condition: Condition) -> str:
    """What may have been meant by a modifier that no face fulfils: of `2d6x10` a product, of `5d6!!>=8` a count."""
    if one.text[0] in "xX":
        return dice.replace_modifier(one, f"*{condition.number}")
    counted = f"{condition.sign}{condition.number}" if one.kind in THROWN_ON else ""
    return dice.replace_modifier(one, f"{one.text.rstrip('<>=0123456789')}{max(dice.faces)}{counted}")


def _behind_comparison(is_read: Callable[[str], bool]) -> Callable[[WrittenDice], Iterator[DiceRefusal]]:
    def find(dice: WrittenDice) -> Iterator[DiceRefusal]:
        behind = _BEHIND.match(dice.text, dice.end)
        if behind is not None:
            counts = "" if behind[2].lower() in ("cs", "cf") else "cs"
            before = f"{dice.whole_text}{behind[2]}{counts}{behind[1]}"
            instead = before if is_read(before) else f"{dice.whole_text}{behind[1]}"
            yield DiceRefusal(
                say.behind_comparison(behind[2], behind[1], instead), behind.start(2), behind.end(), behind.end()
            )

    return find


def _ambiguous_dice(dice: WrittenDice) -> Iterator[DiceRefusal]:
    rerolls = dice.modifiers_of(ModifierKind.REROLL)
    if rerolls:
        once, until = (_with_rerolls(dice, word) for word in ("ro", "rr"))
        yield _refusal_of(dice, say.once_or_until(rerolls[0].text, once, until), rerolls[0])


def _with_rerolls(dice: WrittenDice, word: str) -> str:
    """The dice with another word for what may be thrown anew once or until it shows another face."""
    text = dice.without_modifiers
    for one in dice.modifiers:
        text += f"{word}{one.text[1:] or 1}" if one.kind is ModifierKind.REROLL else one.text
    return text


def _clashing_modifiers(dice: WrittenDice) -> Iterator[DiceRefusal]:
    """Modifiers that do not go together."""
    kinds = [one.kind for one in dice.modifiers_of(*THROWN_ON)]
    pairs: list[tuple[tuple[ModifierKind, ...], tuple[ModifierKind, ...]]] = [
        ((one,), (other,)) for one, other in pairwise(kinds) if one is not other
    ]
    if kinds:
        pairs.append((COUNTED, (*KEPT, *SELECTED)))
    for mine, theirs in (*pairs, *_NOT_TOGETHER):
        if dice.has_modifier(*mine) and dice.has_modifier(*theirs):
            one, other = dice.modifiers_of(*mine)[0], dice.modifiers_of(*theirs)[0]
            # what is counted goes with what is taken away from it
            gone = (*mine, *COUNTED) if mine is WEIGHED else mine
            reading = say.not_together(one.text, other.text, dice.without_kinds(*theirs), dice.without_kinds(*gone))
            yield _refusal_of(dice, reading, one)


def _dice_without_faces(dice: WrittenDice) -> Iterator[DiceRefusal]:
    kept = dice.modifiers_of(*KEPT)
    if kept and not kept_dice(dice.number, kept):
        yield _refusal_of(dice, say.nothing_left(kept[-1].text, f"{dice.without_modifiers}kh1"), kept[-1])


def faces_left(dice: WrittenDice) -> tuple[int, ...]:
    """The faces that dice may show that are thrown anew until they show another one."""
    conditions = [
        one.condition or Condition("==", dice.faces[0]) for one in dice.modifiers_of(ModifierKind.REROLL_UNTIL)
    ]
    return tuple(face for face in dice.faces if not any(one.holds(face) for one in conditions))
