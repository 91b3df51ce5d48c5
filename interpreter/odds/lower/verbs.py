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
from interpreter.odds.lower.played import play

_BY_KIND: Mapping[type, Verb] = {
    ir.Let: formulas.let,
    ir.Compare: formulas.compare,
    ir.Raise: formulas.raise_dice,
    ir.Place: formulas.place,
    ir.FirstOf: formulas.first_of,
    ir.End: formulas.end,
    ir.RollDice: rolls.roll,
    ir.Reroll: rerolls.reroll,
    ir.Pair: pairs.pair,
    ir.Stages: stages.stages,
    ir.Repeat: repeats.repeat_steps,
    ir.StepGroup: steps.group,
    ir.Call: calls.call,
    ir.Choose: choices.choose,
    ir.ForEach: for_each.for_each,
    ir.ChooseEach: play,
    ir.Order: play,
    **dict.fromkeys(EFFECTS, play),
    ir.Turn: turns.turn,
    ir.Offer: turns.offer,
    ir.Draw: draws.draw,
}

VERBS = VerbTable(_BY_KIND, play)
