"""Whether thrown dice may outlast the steps that throw them, kept in the state.

The engine tells dice apart by the step that throws them. Steps that run again and again, such as those of each throw or
of each round, throw with the same step each time; if their dice last, the steps are played and phases are enumerated.
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.once_per import once_per


@once_per
def dice_last(program: ir.Program) -> bool:
    """Whether the state may hold thrown dice: as what something has, or as the input of an event that comes later."""
    kept = [one.type for kind in program.kinds.values() for one in kind.has.values()]
    return any(map(may_be_dice, kept + [one.type for event in program.events.values() for one in event.inputs]))


def dice_may_outlast_phase(program: ir.Program, scene: ir.Scene, read: Collection[str]) -> bool:
    """Whether thrown dice may last from one phase of a scene to the next, in the state or in the frame of the scene:
    there, under those of its names that phases, outcomes and a question `read`."""
    kept = [one.type for one in scene.rule.inputs if one.name in read]
    kept += [one.type for one in scene.rule.steps if one.name in read]
    return dice_last(program) or any(map(may_be_dice, kept))


def may_be_dice(kind: t.Type) -> bool:
    """Whether a value of a type is or holds thrown dice."""
    kind = t.without_maybe(kind)
    if isinstance(kind, (t.List, t.Map)):
        return may_be_dice(kind.of)
    if isinstance(kind, t.Record):
        return any(may_be_dice(one) for _, one in kind.fields)
    return isinstance(kind, (t.Roll, t.ThrownDie, t.Anything))
