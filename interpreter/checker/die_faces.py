"""Refuse to turn known dice to a face that they lack."""

from __future__ import annotations

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.known import dice_of, known_of
from interpreter.checker.scope import Scope
from interpreter.checker.world import World
from interpreter.ir.traversal import inner_expressions
from interpreter.ir.types import Number
from interpreter.values import Die, faces_in_words, has_face_within


def dice_on_table(world: World, action: ir.StepBody, scope: Scope) -> tuple[Die | None, ...] | None:
    """The dice that a step leaves on the table, with None for unknown ones; None if nothing is known.

    A die that may be there or not, as of `d6 if strong else d4`, is not known.
    """
    match action:
        case ir.RollDice(parts):
            return tuple(die for _, pool in parts for die in _known_dice(pool.body))
        case ir.Place(dice):
            return tuple(_known_dice(dice.body))
        case ir.Reroll(of) if isinstance(of.body, ir.Local) and of.body.name in scope.names:
            return world.on_table.get(scope.names[of.body.name].span)
    return None


def check_face(world: World, action: ir.Place | ir.Reroll, scope: Scope) -> None:
    """Report a face that a die cannot show, or, where the step selects some of the dice, that none of them can show."""
    face = action.showing if isinstance(action, ir.Place) else action.to
    dice = dice_on_table(world, action, scope)
    if face is None or dice is None:
        return
    number = known_of(world, face.body, {})
    if not isinstance(number, Number):
        return
    lacking = [die for die in dice if die is not None and not has_face_within(die, number.low, number.high)]
    picked = isinstance(action, ir.Reroll) and (action.which is not None or action.most is not None)
    if lacking and (not picked or len(lacking) == len(dice)):
        world.problems.add(say.cannot_show(face.span, str(lacking[0]), face.span.text, faces_in_words(lacking[0])))


def _known_dice(pool: ir.Expr) -> list[Die | None]:
    if isinstance(pool, ir.Joined):
        return [*_known_dice(pool.left), *_known_dice(pool.right)]
    return [None] if _may_be_another(pool) else dice_of(pool) or [None]


def _may_be_another(pool: ir.Expr) -> bool:
    return isinstance(pool, ir.Conditional) or any(map(_may_be_another, inner_expressions(pool)))
