"""Analyse what rules may observe of dice besides what they show, while they are checked.

Odds and simulations keep only what rules may observe of dice. A search of the finished program would take longer than
many an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import each_in


@dataclass
class DieUses:
    """What was met in formulas and steps. What is only met in a first look counts as well."""

    which: bool = False
    """Whether a formula asks if a die is one of some others."""
    taken: int = 0
    """How often some dice are taken by their rank and not just added up."""
    placed: bool = False
    """Whether a die of a roll is taken by its place in it, and the roll was not put in order before."""
    columns: int = 0
    """How many columns of rolls there are of which more is kept than what they come to in any order."""
    chained: bool = False
    """Whether dice may count otherwise than they show."""
    rerolls: list[ir.Reroll] = field(default_factory=list)

    def note(self, made: ir.Builtin | ir.Membership) -> None:
        """Notice a formula that was just made; what is in it was noticed before."""
        if isinstance(made, ir.Membership):
            self.which |= isinstance(t.present(made.item.type), (t.Thrown, t.Roll))
            self.columns -= _columns_in(made.of)
            return
        self.which |= made.name == "without"
        self.taken += _takes_some(made)
        self.placed |= _takes_by_place(made)
        if made.name in IN_ANY_ORDER or (made.name in EXTREMES and len(made.arguments) == 1):
            self.columns -= _columns_in(made.arguments[0])
        if made.name == "sum":
            self.taken -= sum(map(_takes_some, made.arguments))

    def note_column(self, made: ir.Column) -> None:
        """Notice a column: a list of what is read of the dice of a roll has the order of these."""
        self.columns += _is_of_dice(made)

    def identity(self, mechanics: Mapping[str, ir.Mechanic], dice: Mapping[str, Any]) -> ir.DieIdentity:
        """What follows of it for a whole ruleset with these named dice."""
        rerolled = bool(self.rerolls)
        return ir.DieIdentity(self.which, self.which or rerolled, self._order(mechanics, dice), rerolled)

    def _order(self, mechanics: Mapping[str, ir.Mechanic], dice: Mapping[str, Any]) -> ir.OrderKept:
        """Whoever takes a die by its place tells the order of all.

        One reroll of at most some dice tells nothing, since all orders are equally likely; but a second one sees which
        dice the first one left. So does a rule that takes some of several equal dice that look different.
        """
        if self.placed or self.columns > 0:
            return "all"
        cuts = any(one.most is not None for one in self.rerolls)
        if cuts and _cuts_twice(mechanics):
            return "all"
        faces = [face for die in dice.values() for face in getattr(die, "faces", None) or ()]
        if not self.taken or not (self.chained or any(isinstance(face, str) for face in faces)):
            return "none"
        return "all" if cuts else "equal"


PLACES = ("first", "last", "item")
IN_ANY_ORDER = ("count", "sum", "any", "all", "kth", "groups", "ordered")
"""Functions whose result does not depend on the order of elements; nor do the extremes of one number."""
EXTREMES = ("highest", "lowest")


def _takes_by_place(made: ir.Builtin) -> bool:
    if made.name not in PLACES or _is_put_in_order(made.arguments[0]):
        return False
    kind = t.present(made.arguments[0].type)
    return isinstance(kind, t.Roll) and not kind.single


def _is_of_dice(expr: ir.Column) -> bool:
    kind = t.present(expr.of.type)
    return isinstance(kind, t.Roll) and not kind.single


def _columns_in(expr: ir.Expr) -> int:
    """How many columns of rolls lead to a list: what it is, or selects from."""
    match expr:
        case ir.Column() if _is_of_dice(expr):
            return 1
        case ir.Column(of) | ir.Filtered(of) | ir.Sorted(of) | ir.Converted(of):
            return _columns_in(of)
        case ir.Otherwise(left, right) | ir.Conditional(_, left, right) | ir.Joined(left, right):
            return _columns_in(left) + _columns_in(right)
        case ir.Builtin(name, (of, *_)) if name in (*EXTREMES, "reversed", "without"):
            return _columns_in(of)
    return 0


def _takes_some(made: ir.Expr) -> bool:
    if not isinstance(made, ir.Builtin):
        return False
    if made.name in PLACES:
        return _is_put_in_order(made.arguments[0])
    return made.name in ("highest", "lowest") and len(made.arguments) == 2


def _is_put_in_order(expr: ir.Expr) -> bool:
    while isinstance(expr, ir.Builtin) and expr.name == "reversed":
        expr = expr.arguments[0]
    return isinstance(expr, ir.Builtin) and expr.name == "ordered"


LOOPS = (ir.Repeat, ir.ForEach, ir.Pair, ir.RollDice)
"""Steps that may run their nested steps several times."""


def _cuts_twice(mechanics: Mapping[str, ir.Mechanic]) -> bool:
    """Whether a rule, with those that it calls, may reroll at most some dice more than once."""
    known: dict[str, int] = {}

    def cuts(name: str) -> int:
        """How often, counted up to 2: what a loop holds is done several times."""
        if name not in known:
            known[name] = 0  # a rule that calls itself is refused elsewhere
            found = 0
            for part in (
                mechanics[name],
                [loop.each for loop in each_in(mechanics[name], LOOPS) if isinstance(loop, LOOPS)],
            ):
                found += sum(one.most is not None for one in each_in(part, ir.Reroll))
                found += sum(cuts(call.mechanic) for call in each_in(part, ir.Call) if call.mechanic in mechanics)
            known[name] = min(found, 2)
        return known[name]

    return any(cuts(name) > 1 for name in mechanics)
