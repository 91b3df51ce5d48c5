"""Find exploding dice that never stop: an `again` that holds for every face, so that every run ends at the guard.

A condition is evaluated with what is known of each value: a number between two bounds, yes, no, a word, dice, or
nothing. It certainly holds, certainly fails, or neither; only certainties are reported.
"""

from __future__ import annotations

from collections.abc import Mapping as Names
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.world import World
from interpreter.ir import types as t
from interpreter.ir.traversal import is_exact
from interpreter.ir.types import Number
from interpreter.values import Die, face_number, faces_of

ONE_BY_ONE = 20
"""The most faces of a die that are tried one by one; a larger die is tried as the range of its numbers."""

Known = Number | bool | str | Die | tuple[Any, ...] | None
"""What is known of a value; None if nothing is."""


def always_goes_on(world: World, roll: ir.RollDice) -> bool:
    """Whether a die of a roll is thrown again whatever it shows, until the guard."""
    if roll.again is None:
        return False
    dice: list[Die | None] = []
    for _, pool in roll.parts:
        found = dice_of(pool.body)
        dice += found if found is not None else [None]
    return any(_goes_on(world, roll, die) for die in dict.fromkeys(dice))


def _goes_on(world: World, roll: ir.RollDice, die: Die | None) -> bool:
    """Whether a die is thrown again at every throw; None is an unknown die."""
    guard = _number(known_of(world, roll.guard.body, {})) if roll.guard is not None else Number(ir.GUARD, ir.GUARD)
    throw: dict[str, Known] = {"nth": Number(1, guard.high)}
    faces: list[Number] = [_number(world.face_type)]
    if die is not None:
        throw |= {"size": Number(die.size, die.size), "tags": die.tags}
        shown = sorted({face_number(face) for face in faces_of(die)})
        faces = [Number(number, number) for number in shown]
        if len(shown) > ONE_BY_ONE:
            faces = [Number(shown[0], shown[-1])]
    assert roll.again is not None
    return all(known_of(world, roll.again.body, _seen(world, roll, {**throw, "face": face})) is True for face in faces)


def _seen(world: World, roll: ir.RollDice, throw: dict[str, Known]) -> dict[str, Known]:
    """What `again` reads of a throw: its face, the names of its `each`, and what it counts."""
    for one in roll.each:
        if isinstance(one.action, ir.Let) and one.condition is None:
            throw[one.name] = known_of(world, one.action.formula.body, throw)
    throw["counts"] = known_of(world, roll.counts.body, throw) if roll.counts is not None else throw["face"]
    return throw


def dice_of(expr: ir.Expr) -> list[Die | None] | None:
    """The dice of a pool, with None for unknown ones; None if nothing is known of the pool."""
    match expr:
        case ir.Constant(Die() as die):
            return [die]
        case ir.Constant(tuple() as pool):
            return [one if isinstance(one, Die) else None for one in pool]
        case ir.PoolLiteral(_, die) | ir.Converted(die, _) | ir.Builtin("times", (die, *_)):
            return dice_of(die)
        case ir.Tagged(dice, tags):
            found = dice_of(dice)
            return [one and one._replace(tags=(*one.tags, *tags)) for one in found] if found is not None else None
        case ir.Joined(left, right) | ir.Conditional(_, left, right):
            return [*(dice_of(left) or [None]), *(dice_of(right) or [None])]
    return None


def _number(known: Any) -> Number:
    return known if isinstance(known, Number) else t.NUMBER


def known_of(world: World, expr: ir.Expr, names: Names[str, Known]) -> Known:
    """What is known of an expression, given what is known of the names of the throw."""
    found = _worked_out(world, expr, names)
    if found is None and isinstance(t.present(expr.type), (t.Number, t.Roll)) and not isinstance(expr.type, t.Maybe):
        return t.as_number(expr.type)
    return found


def _worked_out(world: World, expr: ir.Expr, names: Names[str, Known]) -> Known:
    match expr:
        case ir.Constant(value):
            return _constant(value)
        case ir.Local(name):
            return names.get(name)
        case ir.Converted(of, "number"):
            return known_of(world, of, names)
        case ir.Not(of):
            known = known_of(world, of, names)
            return not known if isinstance(known, bool) else None
        case ir.And(left, right) | ir.Or(left, right):
            decides = isinstance(expr, ir.Or)
            both = (known_of(world, left, names), known_of(world, right, names))
            return decides if decides in both else both[0] if both[0] == both[1] else None
        case ir.Conditional(condition, then, otherwise):
            holds = known_of(world, condition, names)
            ways = [
                known_of(world, one, names) for one, at in ((then, True), (otherwise, False)) if holds is not (not at)
            ]
            return _either(ways)
        case ir.Comparison(sign, left, right, ranks):
            if ranks is not None or is_exact(expr):
                return None
            return _compared(sign, known_of(world, left, names), known_of(world, right, names))
        case ir.Membership(item, of):
            return _is_in(known_of(world, item, names), known_of(world, of, names))
        case ir.ListLiteral(items):
            listed = [known_of(world, item, names) for item in items]
            return None if None in listed else tuple(listed)
        case ir.Negative(of):
            return bounds.negated(_number(known_of(world, of, names)))
        case ir.Arithmetic(sign, left, right):
            return bounds.of_arithmetic(sign, *(_number(known_of(world, one, names)) for one in (left, right)))
        case ir.Quotient(left, right, rounding):
            return bounds.of_quotient(
                _number(known_of(world, left, names)), _number(known_of(world, right, names)), rounding
            )
        case ir.Builtin(name, arguments):
            return _called(name, [known_of(world, one, names) for one in arguments])
        case ir.Apply(name, arguments):
            made = world.function(name)
            if made is None or not isinstance(made.gives, ir.Formula):
                return None
            given = [known_of(world, one, names) for one in arguments]
            takes = [one.name for one in made.takes]
            return known_of(world, made.gives.body, dict(zip(takes, given, strict=False)))
    return None


def _constant(value: Any) -> Known:
    if isinstance(value, bool | str | Die):
        return value
    if isinstance(value, int):
        return Number(value, value)
    return tuple(map(_constant, value)) if type(value) is tuple else None


def _either(ways: list[Known]) -> Known:
    """What is known of a value that is one of several."""
    if all(isinstance(one, Number) for one in ways):
        lows, highs = [_number(one).low for one in ways], [_number(one).high for one in ways]
        return Number(
            None if None in lows else min(low for low in lows if low is not None),
            None if None in highs else max(high for high in highs if high is not None),
        )
    return ways[0] if all(type(one) is type(ways[0]) and one == ways[0] for one in ways) else None


_SIGNS = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def _compared(sign: str, left: Known, right: Known) -> bool | None:
    if isinstance(left, Number) and isinstance(right, Number):
        holds = {_SIGNS[sign](a, b) for a, b in _corners(sign, left, right)}
        return holds.pop() if len(holds) == 1 else None
    if sign in ("==", "!=") and type(left) is type(right) and isinstance(left, bool | str):
        return (left == right) is (sign == "==")
    return None


def _corners(sign: str, left: Number, right: Number) -> list[tuple[float, float]]:
    """Pairs of numbers of two ranges: if a comparison has one result for these, it has it for all pairs."""
    low, high = _ends(left)
    least, most = _ends(right)
    if sign in ("==", "!="):
        if high < least or most < low:
            return [(low, most)]
        return [(low, least)] if low == high == least == most else [(0, 0), (0, 1)]
    return [(low, most), (high, least)]


def _ends(number: Number) -> tuple[float, float]:
    low = float("-inf") if number.low is None else number.low
    return low, float("inf") if number.high is None else number.high


def _is_in(item: Known, of: Known) -> bool | None:
    if not isinstance(of, tuple) or item is None:
        return None
    same = [_compared("==", item, one) for one in of]
    return True if True in same else False if all(one is False for one in same) else None


def _called(name: str, given: list[Known]) -> Known:
    """What is known of a call of a built-in function; only functions that conditions on dice use are evaluated."""
    if name in ("odd", "even") and isinstance(given[0], Number) and given[0].low == given[0].high is not None:
        return (given[0].low or 0) % 2 == (name == "odd")
    if name == "any" and isinstance(given[0], tuple) and all(isinstance(one, str) for one in given[0]):
        return bool(given[0])
    if name == "count" and isinstance(given[0], tuple):
        return Number(len(given[0]), len(given[0]))
    return None
