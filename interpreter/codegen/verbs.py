"""Every verb that can be written as Python, with the function that writes it; play runs the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter import ir
from interpreter.codegen import choices, control, effects, events, rolls, scenes, sorting
from interpreter.codegen.module import GeneratedModule, Verb

VERBS: Mapping[type, Verb] = {
    ir.Let: control.let,
    ir.FirstOf: control.first_of,
    ir.Call: control.call,
    ir.StepGroup: control.group,
    ir.Stages: control.stages,
    ir.Repeat: control.repeat,
    ir.ForEach: control.for_each,
    ir.End: control.end,
    ir.RollDice: rolls.roll,
    ir.Choose: choices.choose,
    ir.ChooseEach: choices.choose_each,
    ir.Order: sorting.order,
    ir.Shift: effects.shift,
    ir.Pay: effects.pay,
    ir.Assign: effects.assign,
    ir.Include: effects.include,
    ir.Exclude: effects.exclude,
    ir.Cause: events.cause,
    ir.Act: events.act,
    ir.Offer: events.offer,
    ir.ChangeEvent: events.change,
    ir.CancelEvent: events.cancel,
    ir.Turn: scenes.turn,
}


def module_of(
    program: ir.Program, options: Mapping[str, Any], policy: str | None = None, whole: bool = False
) -> GeneratedModule:
    """A module that can write every verb of the table.

    It plays one policy of the ruleset, or none. Its records hold the fields that some formula reads, or the `whole`
    of what a rule results in.
    """
    return GeneratedModule(program, options, VERBS, policy, whole)
