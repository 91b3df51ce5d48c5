"""What is known of a value before anything is played: a number between two bounds, yes, no, a word, dice, or nothing.

Types know the bounds of numbers. Here the dice of a roll are known too, with how many there are and what they show.
A condition certainly holds, certainly fails, or neither.
"""

from __future__ import annotations

from collections.abc import Mapping as Names
from collections.abc import Sequence
from dataclasses import replace
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.world import World
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.traversal import is_exact
from interpreter.ir.types import Number
from interpreter.values import Die, face_number, faces_of


@dataclass(frozen=True, slots=True)
class Throws:
    """A roll, or some of its dice: how many dice there are, the faces that they show, and what each counts."""

    number: Number
    faces: Number
    values: Number


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice that are not thrown: how many there are, and the faces that they can show."""

    number: Number
    faces: Number


Known = Number | bool | str | Die | Throws | Pool | tuple[Any, ...] | None
"""What is known of a value; None if nothing is."""


ELEMENT = ".it"
"""The name of the element that a condition is asked about."""


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
            dice_known = dice_of(dice)
            return (
                [one and one._replace(tags=(*one.tags, *tags)) for one in dice_known]
                if dice_known is not None
                else None
            )
        case ir.Joined(left, right) | ir.Conditional(_, left, right):
            return [*(dice_of(left) or [None]), *(dice_of(right) or [None])]
    return None


def known_as_range(known: Any) -> Number:
    return known if isinstance(known, Number) else t.NUMBER


def known_of(world: World, expr: ir.Expr, names: Names[str, Known]) -> Known:
    """What is known of an expression, given what is known of the names in it, those of a throw or those of steps."""
    known = _known_of_expression(world, expr, names)
    if (
        known is None
        and isinstance(t.without_maybe(expr.type), (t.Number, t.Roll))
        and not isinstance(expr.type, t.Maybe)
    ):
        return t.as_number(expr.type)
    if isinstance(known, Number) and isinstance(expr.type, t.Number):
        return _intersection(known, expr.type)
    return known


def pool_of(world: World, expr: ir.Expr, names: Names[str, Known]) -> Pool | None:
    """How many dice a pool has, and what they show; None if nothing is known of it."""
    match expr:
        case ir.Constant(Die() as die):
            shown = [face_number(face) for face in faces_of(die)]
            return Pool(Number(1, 1), Number(min(shown), max(shown)))
        case ir.Constant(tuple() as dice):
            return join_pools([pool_of(world, ir.Constant(die, t.SingleDie(), expr.span), names) for die in dice])
        case ir.PoolLiteral(number, of) | ir.Builtin("times", (of, number)):
            pool = pool_of(world, of, names)
            return pool and Pool(
                _bounds_of_number(pool.number, known_as_range(known_of(world, number, names))), pool.faces
            )
        case ir.Converted(of, "dice") | ir.Tagged(of):
            return pool_of(world, of, names)
        case ir.Joined(left, right):
            return join_pools([pool_of(world, one, names) for one in (left, right)])
        case ir.Conditional(_, then, otherwise):
            ways = [pool_of(world, one, names) for one in (then, otherwise)]
            known = [one for one in ways if one is not None]
            if len(known) < len(ways):
                return None
            return Pool(*(_range_around([getattr(one, part) for one in known]) for part in ("number", "faces")))
        case ir.Local(name):
            found = names.get(name)
            return found if isinstance(found, Pool) else None
    return None


def join_pools(pools: list[Pool | None]) -> Pool | None:
    """All the dice of some pools; None where one of them is unknown."""
    known = [one for one in pools if one is not None]
    if len(known) < len(pools) or not known:
        return None
    number = known[0].number
    for one in known[1:]:
        number = bounds.bounds_of_arithmetic("+", number, one.number)
    return Pool(number, _range_around([one.faces for one in known]))


def sums_of_pools(pools: Sequence[ir.Expr], most: int) -> set[int] | None:
    """Every number that some dice come to together; None if the dice are unknown, or if there are more numbers."""
    dice = [die for pool in pools for die in _each_die(pool, most) or [None]]
    sums = {0}
    for die in dice if len(dice) <= most else [None]:
        if die is None:
            return None
        faces = {face_number(face) for face in faces_of(die)}
        sums = {before + face for before in sums for face in faces} if len(faces) <= most else set()
        if not 0 < len(sums) <= most:
            return None
    return sums


def _each_die(pool: ir.Expr, most: int) -> list[Die | None] | None:
    """The dice of a pool one by one; None if their number is not known, or is too large."""
    match pool:
        case ir.PoolLiteral(ir.Constant(int() as number), of) | ir.Builtin("times", (of, ir.Constant(int() as number))):
            each = _each_die(of, most)
            return each * number if each is not None and 0 <= len(each) * number <= most else None
        case ir.Converted(of, "dice") | ir.Tagged(of):
            return _each_die(of, most)
        case ir.Joined(left, right):
            ours, theirs = _each_die(left, most), _each_die(right, most)
            return None if ours is None or theirs is None else [*ours, *theirs]
        case ir.Constant():
            return dice_of(pool)
    return None


def _bounds_of_number(left: Number, right: Number) -> Number:
    """The bounds of a number of dice, which is 0 where a factor is negative."""
    product = bounds.bounds_of_arithmetic("*", left, right)
    return Number(max(product.low or 0, 0), product.high)


def _intersection(left: Number, right: Number) -> Number:
    """The numbers that two ranges have in common; the first where they have none."""
    low = left.low if right.low is None else right.low if left.low is None else max(left.low, right.low)
    high = left.high if right.high is None else right.high if left.high is None else min(left.high, right.high)
    return left if low is not None and high is not None and low > high else Number(low, high)


def _range_around(ranges: list[Number]) -> Number:
    """The smallest range that has every number of several ranges."""
    lows, highs = [one.low for one in ranges], [one.high for one in ranges]
    return Number(
        None if None in lows else min(low for low in lows if low is not None),
        None if None in highs else max(high for high in highs if high is not None),
    )


def _known_of_expression(world: World, expr: ir.Expr, names: Names[str, Known]) -> Known:
    match expr:
        case ir.Constant(value):
            return _known_constant(value)
        case ir.Local(name):
            return names.get(name)
        case ir.DieField(name):
            return names.get(name)
        case ir.Element():
            return names.get(ELEMENT)
        case ir.Converted(of, "number"):
            known = known_of(world, of, names)
            return known.values if isinstance(known, Throws) else known
        case ir.Filtered(of, condition):
            return _select_dice(world, known_of(world, of, names), condition, names)
        case ir.Otherwise(of, instead):
            return _join_known([known_of(world, one, names) for one in (of, instead)])
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
            return _join_known(ways)
        case ir.Relation(sign, left, right, ranks):
            if ranks is not None or is_exact(expr):
                return None
            return _known_of_comparison(sign, known_of(world, left, names), known_of(world, right, names))
        case ir.Membership(item, of):
            return _known_membership(known_of(world, item, names), known_of(world, of, names))
        case ir.ListLiteral(items):
            listed = [known_of(world, item, names) for item in items]
            return None if None in listed else tuple(listed)
        case ir.Negative(of):
            return bounds.negate(known_as_range(known_of(world, of, names)))
        case ir.Arithmetic(sign, left, right):
            return bounds.bounds_of_arithmetic(
                sign, *(known_as_range(known_of(world, one, names)) for one in (left, right))
            )
        case ir.Quotient(left, right, rounding):
            return bounds.bounds_of_quotient(
                known_as_range(known_of(world, left, names)), known_as_range(known_of(world, right, names)), rounding
            )
        case ir.Builtin(name, arguments):
            return _known_of_call(name, [known_of(world, one, names) for one in arguments])
        case ir.Apply(name, arguments):
            function = world.function(name)
            if function is None or not isinstance(function.gives, ir.Formula) or not world.effort.may_follow_more():
                return None
            given = [known_of(world, one, names) for one in arguments]
            takes = [one.name for one in function.takes]
            return known_of(world, function.gives.body, dict(zip(takes, given, strict=False)))
    return None


def names_of_throws(throws: Throws) -> dict[str, Known]:
    """What a condition on the dice of a roll reads of each."""
    return {"face": throws.faces, "value": throws.values, ELEMENT: None}


def _select_dice(world: World, of: Known, condition: ir.Expr, names: Names[str, Known]) -> Known:
    """The dice of a roll for which a condition holds."""
    if not isinstance(of, Throws):
        return None
    holds = known_of(world, condition, {**names, **names_of_throws(of)})
    if holds is True:
        return of
    return Throws(Number(0, of.number.high if holds is None else 0), of.faces, of.values)


def _known_constant(value: Any) -> Known:
    if isinstance(value, bool | str | Die):
        return value
    if isinstance(value, int):
        return Number(value, value)
    return tuple(map(_known_constant, value)) if type(value) is tuple else None


def _join_known(ways: list[Known]) -> Known:
    """What is known of a value that is one of several."""
    if all(isinstance(one, Number) for one in ways):
        return _range_around([known_as_range(one) for one in ways])
    return ways[0] if all(type(one) is type(ways[0]) and one == ways[0] for one in ways) else None


_SIGNS = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def _known_of_comparison(sign: str, left: Known, right: Known) -> bool | None:
    if isinstance(left, Number) and isinstance(right, Number):
        holds = {_SIGNS[sign](a, b) for a, b in _deciding_pairs(sign, left, right)}
        return holds.pop() if len(holds) == 1 else None
    if sign in ("==", "!=") and type(left) is type(right) and isinstance(left, bool | str):
        return (left == right) is (sign == "==")
    return None


def _deciding_pairs(sign: str, left: Number, right: Number) -> list[tuple[float, float]]:
    """Pairs of numbers of two ranges: if a comparison has one result for these, it has it for all pairs."""
    low, high = _numeric_ends(left)
    least, most = _numeric_ends(right)
    if sign in ("==", "!="):
        if high < least or most < low:
            return [(low, most)]
        return [(low, least)] if low == high == least == most else [(0, 0), (0, 1)]
    return [(low, most), (high, least)]


def _numeric_ends(number: Number) -> tuple[float, float]:
    low = float("-inf") if number.low is None else number.low
    return low, float("inf") if number.high is None else number.high


def _known_membership(item: Known, of: Known) -> bool | None:
    if not isinstance(of, tuple) or item is None:
        return None
    same = [_known_of_comparison("==", item, one) for one in of]
    return True if True in same else False if all(one is False for one in same) else None


def _known_of_call(name: str, given: list[Known]) -> Known:
    """What is known of a call of a built-in function; only functions that conditions on dice use are evaluated."""
    if isinstance(given[0], Throws):
        return _call_of_throws(name, given[0], given[1:])
    if name in ("odd", "even") and isinstance(given[0], Number) and given[0].low == given[0].high is not None:
        return (given[0].low or 0) % 2 == (name == "odd")
    if name == "any" and isinstance(given[0], tuple) and all(isinstance(one, str) for one in given[0]):
        return bool(given[0])
    if name == "count" and isinstance(given[0], tuple):
        return Number(len(given[0]), len(given[0]))
    return None


def _call_of_throws(name: str, of: Throws, more: list[Known]) -> Known:
    """What is known of a call of a built-in function with the dice of a roll."""
    match name, more:
        case "count", []:
            return of.number
        case "sum", []:
            return bounds.bounds_of_arithmetic("*", of.number, of.values)
        case "any", []:
            return False if of.number.high == 0 else True if of.number.low else None
        case ("highest" | "lowest", []) | ("kth", [_]):
            return of.values
        case "highest" | "lowest", [Number() as kept]:
            lows, highs = (of.number.low or 0, kept.low or 0), (of.number.high, kept.high)
            high = min((one for one in highs if one is not None), default=None)
            return replace(of, number=Number(max(min(lows), 0), high))
        case "ordered" | "reversed", []:
            return of
    return None
