"""What other tools read otherwise of dice that have a reading here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter import diagnostics as say
from interpreter.diagnostics import NotationReading
from interpreter.syntax.dice_modifiers import (
    COUNTED,
    KEPT,
    SELECTED,
    THROWN_ON,
    WEIGHED,
    DiceModifier,
    ModifierKind,
    condition_of,
)  # fmt: skip
from interpreter.syntax.written_dice import WrittenDice, kept_dice, subtract

COMPARED = re.compile(r"\s*(>=|<=|<>|!=|=|>|<)\s*(\d+)(?![\w.])")
"""A comparison with a number behind dice."""


def notes(dice: WrittenDice) -> Iterator[NotationReading]:
    """What others read otherwise; what is proposed stands in place of the dice."""
    if dice.found["faces"] == "%":
        yield say.percent_from_one(dice.without_modifiers, dice.whole_text.replace("%", "{0..99}", 1))
    for one in dice.modifiers:
        yield from _notes_of_modifier(dice, one)
    kept, rerolls = dice.modifiers_of(*KEPT), dice.modifiers_of(ModifierKind.REROLL_ONCE, ModifierKind.REROLL_UNTIL)
    if kept and dice.has_modifier(ModifierKind.EXPLODE, ModifierKind.PENETRATE, ModifierKind.ONCE_MORE):
        read = kept_dice(dice.number, kept).replace("{}", "rolled.throws.counts")
        yield say.keeps_with_chains(dice.whole_text, (f"rolled={dice.without_kinds(*KEPT)}", f"sum({read})"))
    if rerolls and any(one.start < rerolls[-1].start for one in kept):
        yield say.rerolled_first(dice.whole_text)
    if dice.has_modifier(*THROWN_ON) and dice.has_modifier(ModifierKind.REROLL_ONCE):
        yield say.rerolls_start_no_chain(dice.whole_text)
    if len(kept) > 1 and any(one.kind not in (ModifierKind.DROP_HIGHEST, ModifierKind.DROP_LOWEST) for one in kept):
        yield say.kept_of_all(dice.whole_text, _dice_kept_in_turn(dice))
    compared = COMPARED.match(dice.text, dice.end)
    if compared and kept and not dice.has_modifier(*COUNTED, *WEIGHED):
        condition = condition_of(compared[1] + compared[2])
        if len({condition.holds(face) for face in dice.faces}) == 2:  # a die may show it or not
            yield say.compares_sum(dice.whole_text + compared[0], f"{dice.whole_text}cs")


def _notes_of_modifier(dice: WrittenDice, one: DiceModifier) -> Iterator[NotationReading]:
    on = one.condition
    match one.kind:
        case ModifierKind.KEEP_SOME if one.number is not None and len(dice.modifiers_of(*KEPT)) == 1:
            yield say.keeps_some(one.text, one.number, dice.replace_modifier(one, f"k={one.number}"))
        case ModifierKind.EXPLODE if one.text.startswith("!="):
            yield say.explodes_unlike(one.text, dice.replace_modifier(one, one.text.replace("!=", "<>")))
        case ModifierKind.EXPLODE if one.text[0] in "xX" and on is not None and on.sign == "==":
            yield say.explodes_not_times(one.text, dice.replace_modifier(one, f"*{on.number}"))
        case ModifierKind.COUNT | ModifierKind.COUNT_FAILURES if one.text[0] in "cC":
            yield say.counted_not_marked(one.text, dice.replace_modifier(one, ""))
    if on is not None and on.is_strict and one.kind not in SELECTED:
        yield say.strict_comparison(
            one.text, on.sign == ">", dice.replace_modifier(one, one.text.replace(on.sign, f"{on.sign}="))
        )


def _dice_kept_in_turn(dice: WrittenDice) -> str:
    """The dice that are kept if each modifier is about those that the ones before it keep."""
    dice_left, left = dice.without_modifiers, dice.number
    for one in dice.modifiers_of(*KEPT):
        some = str(one.number if one.number is not None else 1)
        drops = one.kind in (ModifierKind.DROP_HIGHEST, ModifierKind.DROP_LOWEST)
        left = subtract(left, some) if drops else some
        highest = one.kind in (ModifierKind.KEEP_SOME, ModifierKind.KEEP_HIGHEST, ModifierKind.DROP_LOWEST)
        dice_left = f"{'highest' if highest else 'lowest'}({dice_left}, {left})"
    return f"sum({dice_left})"
