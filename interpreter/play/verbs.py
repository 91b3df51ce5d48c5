"""The table of all verbs, each with the function that compiles it."""

from __future__ import annotations

from interpreter import ir
from interpreter.play import choices, control, effects, events, piles, rolls, scenes, sorting
from interpreter.play.steps import Verbs, Walker
from interpreter.runtime.evaluator import Closures

VERBS = Verbs(
    plain={
        ir.Let: lambda walker, action, step: walker.closures.of(action.formula),
        ir.Compare: control.compile_comparison,
        ir.Raise: rolls.compile_raise,
    },
    walks={
        ir.RollDice: rolls.compile_roll,
        ir.Reroll: rolls.compile_reroll,
        ir.Place: rolls.compile_place,
        ir.Pair: rolls.compile_pair,
        ir.Stages: control.compile_stages,
        ir.Repeat: control.compile_repeat,
        ir.Call: control.compile_call,
        ir.FirstOf: control.compile_first_of,
        ir.StepGroup: control.compile_group,
        ir.End: control.compile_end,
        ir.ForEach: control.compile_for_each,
        ir.Choose: choices.compile_choose,
        ir.ChooseEach: choices.compile_choose_each,
        ir.Order: sorting.compile_order,
        ir.Shift: effects.compile_shift,
        ir.Pay: effects.compile_pay,
        ir.Assign: effects.compile_assign,
        ir.Include: effects.compile_include,
        ir.Exclude: effects.compile_exclude,
        ir.Make: effects.compile_make,
        ir.Destroy: effects.compile_destroy,
        ir.Cause: events.compile_cause,
        ir.Act: events.compile_act,
        ir.Offer: events.compile_offer,
        ir.ChangeEvent: events.compile_change,
        ir.CancelEvent: events.compile_cancel,
        ir.Turn: scenes.compile_turn,
        ir.Draw: piles.compile_draw,
        ir.Put: piles.compile_put,
        ir.Take: piles.compile_take,
    },
)


def walker_of(closures: Closures) -> Walker:
    """A walker for every verb of the language."""
    return Walker(closures, VERBS)
