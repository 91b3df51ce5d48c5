"""Every verb that can be written as Python, with the function that writes it; play runs the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter import ir
from interpreter.codegen import choices, control, effects, events, rolls, scenes, sorting
from interpreter.codegen.module import GeneratedModule, Verb

VERBS: Mapping[type, Verb] = {
    ir.Let: control.write_let,
    ir.FirstOf: control.write_first_of,
    ir.Call: control.write_call,
    ir.StepGroup: control.write_group,
    ir.Stages: control.write_stages,
    ir.Repeat: control.write_repeat,
    ir.ForEach: control.write_for_each,
    ir.End: control.write_end,
    ir.RollDice: rolls.write_roll,
    ir.Choose: choices.write_choose,
    ir.ChooseEach: choices.write_choose_each,
    ir.Order: sorting.write_order,
    ir.Shift: effects.write_shift_step,
    ir.Pay: effects.write_pay,
    ir.Assign: effects.write_assign_step,
    ir.Include: effects.write_include,
    ir.Exclude: effects.write_exclude,
    ir.Cause: events.write_cause,
    ir.Act: events.write_act,
    ir.Offer: events.write_offer,
    ir.ChangeEvent: events.write_change,
    ir.CancelEvent: events.write_cancel,
    ir.Turn: scenes.write_turn,
}


def module_of(
    program: ir.Program, options: Mapping[str, Any], policy: str | None = None, whole: bool = False
) -> GeneratedModule:
    """A module that can write every verb of the table.

    It plays one policy of the ruleset, or none. Its records hold the fields that some formula reads, or the `whole`
    of what a rule results in.
    """
    return GeneratedModule(program, options, VERBS, policy, whole)
