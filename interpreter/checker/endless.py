"""Find exploding dice that never stop: an `again` that holds for every face, so that every run ends at the guard.

The condition is evaluated with what is known of each throw; only what certainly holds is reported.
"""

from __future__ import annotations

from interpreter import ir
from interpreter.checker.known import Known, dice_of, known_as_range, known_of
from interpreter.checker.vocabulary import face_type_of
from interpreter.checker.world import World
from interpreter.ir.types import Number
from interpreter.values import Die, face_number, faces_of

ONE_BY_ONE = 20
"""The most faces of a die that are tried one by one; a larger die is tried as the range of its numbers."""


def always_throws_again(world: World, roll: ir.RollDice) -> bool:
    """Whether a die of a roll is thrown again whatever it shows, until the guard."""
    if roll.again is None:
        return False
    dice: list[Die | None] = []
    for _, pool in roll.parts:
        found = dice_of(pool.body)
        dice += found if found is not None else [None]
    return any(_throws_again(world, roll, die) for die in dict.fromkeys(dice))


def _throws_again(world: World, roll: ir.RollDice, die: Die | None) -> bool:
    """Whether a die is thrown again at every throw; None is an unknown die."""
    guard = (
        known_as_range(known_of(world, roll.guard.body, {})) if roll.guard is not None else Number(ir.GUARD, ir.GUARD)
    )
    throw: dict[str, Known] = {"nth": Number(1, guard.high)}
    faces: list[Number] = [known_as_range(face_type_of(world))]
    if die is not None:
        throw |= {"size": Number(die.size, die.size), "tags": die.tags}
        shown = sorted({face_number(face) for face in faces_of(die)})
        faces = [Number(number, number) for number in shown]
        if len(shown) > ONE_BY_ONE:
            faces = [Number(shown[0], shown[-1])]
    assert roll.again is not None
    return all(
        known_of(world, roll.again.body, _names_of_throw(world, roll, {**throw, "face": face})) is True
        for face in faces
    )


def _names_of_throw(world: World, roll: ir.RollDice, throw: dict[str, Known]) -> dict[str, Known]:
    """What `again` reads of a throw: its face, the names of its `each`, and what it counts."""
    for one in roll.each:
        if isinstance(one.action, ir.Let) and one.condition is None:
            throw[one.name] = known_of(world, one.action.formula.body, throw)
    throw["counts"] = known_of(world, roll.counts.body, throw) if roll.counts is not None else throw["face"]
    return throw
