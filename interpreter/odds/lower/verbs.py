"""Every verb with the function that lowers it: the one place that knows all of them."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter import ir
from interpreter.odds.lower import (
    calls,
    choices,
    draws,
    for_each,
    formulas,
    pairs,
    repeats,
    rerolls,
    rolls,
    stages,
    steps,
    turns,
)
from interpreter.odds.lower.lowering import EFFECTS, Verb, VerbTable
from interpreter.odds.lower.played import lower_by_playing

_BY_KIND: Mapping[type, Verb] = {
    ir.Let: formulas.lower_let,
    ir.Compare: formulas.lower_compare,
    ir.Raise: formulas.lower_raise,
    ir.Place: formulas.lower_place,
    ir.FirstOf: formulas.lower_first_of,
    ir.End: formulas.lower_end,
    ir.RollDice: rolls.lower_roll,
    ir.Reroll: rerolls.lower_reroll,
    ir.Pair: pairs.lower_pair,
    ir.Stages: stages.lower_stages,
    ir.Repeat: repeats.lower_repeat,
    ir.StepGroup: steps.lower_group,
    ir.Call: calls.lower_call,
    ir.Choose: choices.lower_choose,
    ir.ForEach: for_each.lower_for_each,
    ir.ChooseEach: lower_by_playing,
    ir.Order: lower_by_playing,
    **dict.fromkeys(EFFECTS, lower_by_playing),
    ir.Turn: turns.lower_turn,
    ir.Offer: turns.lower_offer,
    ir.Draw: draws.lower_draw,
}

VERBS = VerbTable(_BY_KIND, lower_by_playing)
