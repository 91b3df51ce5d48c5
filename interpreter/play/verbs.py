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
        ir.RollDice: rolls.roll,
        ir.Reroll: rolls.reroll,
        ir.Place: rolls.place,
        ir.Pair: rolls.pair,
        ir.Stages: control.stages,
        ir.Repeat: control.repeat,
        ir.Call: control.call,
        ir.FirstOf: control.first_of,
        ir.StepGroup: control.group,
        ir.End: control.end,
        ir.ForEach: control.for_each,
        ir.Choose: choices.choose,
        ir.ChooseEach: choices.choose_each,
        ir.Order: sorting.order,
        ir.Shift: effects.shift,
        ir.Pay: effects.pay,
        ir.Assign: effects.assign,
        ir.Include: effects.include,
        ir.Exclude: effects.exclude,
        ir.Make: effects.make,
        ir.Destroy: effects.destroy,
        ir.Cause: events.cause,
        ir.Act: events.act,
        ir.Offer: events.offer,
        ir.ChangeEvent: events.change,
        ir.CancelEvent: events.cancel,
        ir.Turn: scenes.turn,
        ir.Draw: piles.draw,
        ir.Put: piles.put,
        ir.Take: piles.take,
    },
)


def walker_of(closures: Closures) -> Walker:
    """A walker for every verb of the language."""
    return Walker(closures, VERBS)
