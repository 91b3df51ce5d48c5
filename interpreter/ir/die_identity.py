"""Find out what rules may observe of dice besides their values: those of a whole ruleset, and those of one question.

Odds and simulations keep no more of dice than that. For a whole ruleset, the analysis runs during the check, because a
search of the finished program would take longer than many questions. Where some rules of a ruleset observe more than
values, each question searches only the rules that it can reach, as most of these observe no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.lasting_dice import dice_last, may_be_dice
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import formulas, locals_in, nodes_under, outermost_nodes_in


@dataclass
class DieUses:
    """How the formulas and steps checked so far use dice, including silent passes."""

    which: bool = False
    """Whether a formula tests if a die is one of some others."""
    by_rank: int = 0
    """The number of formulas and steps that take dice by rank other than to add them up."""
    by_place: int = 0
    """The number of formulas and steps that take a die by its place in a roll that is not sorted."""
    columns: int = 0
    """The number of columns of rolls from which a formula computes something that depends on their order."""
    looks_back: bool = False
    """Whether a throw reads the throws before it, also those of other dice: then the order of the dice counts."""
    rescored: bool = False
    """Whether dice may have values other than their faces."""
    joins: bool = False
    """Whether a formula puts rolls together: then one list may hold a die twice, before and after a reroll."""
    sorts: int = 0
    """The number of formulas that put dice into another order."""
    rerolls: list[ir.Reroll] = field(default_factory=list)

    def add(self, made: ir.Builtin | ir.Membership) -> None:
        """Add a new formula; the formulas inside it were added before."""
        if isinstance(made, ir.Membership):
            self.which |= isinstance(t.without_maybe(made.item.type), (t.ThrownDie, t.Roll))
            self.columns -= _columns_in(made.of)
            return
        if made.name in MATCHING:
            kinds = [t.without_maybe(one.type) for one in made.arguments]
            self.which |= not all(isinstance(kind, t.List) and isinstance(kind.of, t.Number) for kind in kinds)
            self.columns -= _columns_in(made.arguments[1])
        self.by_rank += _takes_by_rank(made)
        self.sorts += made.name in ("ordered", "reversed")
        self.by_place += _takes_by_place(made)
        if made.name in IN_ANY_ORDER or (made.name in EXTREMES and len(made.arguments) == 1):
            self.columns -= sum(map(_columns_in, made.arguments))
        if made.name == "sum":
            self.by_rank -= sum(map(_takes_by_rank, made.arguments))

    def add_roll(self, made: ir.RollDice) -> None:
        """Add a step that rolls dice; the formulas inside it were added before."""
        self.rescored |= bool(made.each or made.counts or made.again)
        self.looks_back |= any(
            "earlier" in locals_in(one.body) for one in formulas((made.each, made.counts, made.again))
        )

    def add_pairs(self) -> None:
        """Add a step that pairs dice; equal ones stay in the order of their throws."""
        self.by_rank += 1

    def add_column(self, made: ir.Column) -> None:
        """Add a new column, which has the order of the dice of its roll; of rolls, it puts them together."""
        self.columns += _is_of_dice(made)
        self.joins |= _holds_dice(made.type)

    def add_joined(self, made: ir.Joined) -> None:
        """Add a new formula that puts two values together."""
        self.joins |= _holds_dice(made.type)

    def add_sorted(self, made: ir.Sorted) -> None:
        """Add a new formula that puts elements into an order."""
        self.sorts += _holds_dice(made.type)

    def take_back(self, made: ir.Builtin | ir.Sorted) -> None:
        """Take back a formula that a reroll has in place of `most` and `by`, which say the same of its dice."""
        if isinstance(made, ir.Sorted):
            self.sorts -= _holds_dice(made.type)
        else:
            self.by_rank -= _takes_by_rank(made)
            self.by_place -= _takes_by_place(made)

    def add_loop(self, among: ir.Expr) -> None:
        """Add a loop over thrown dice, whose results have their order."""
        if _is_ordered(among):
            self.by_rank += 1
        else:
            self.by_place += 1

    def identity(
        self, mechanics: Mapping[str, ir.Mechanic], dice: Mapping[str, Any], plays: bool = False
    ) -> ir.DieIdentity:
        """What the rules of a whole ruleset, with these named dice, may observe of dice.

        With `plays`, it has rules that odds play step by step, events and actions, which take dice in their order.
        """
        rerolled, order = bool(self.rerolls), self._observed_order(mechanics, dice)
        if self._has_limited_rerolls and plays:
            order = "all"
        which = self.which or (rerolled and self.joins)
        return ir.DieIdentity(which, which or rerolled, order, rerolled, self._has_limited_rerolls, self.by_rank > 0)

    @property
    def _has_limited_rerolls(self) -> bool:
        return any(one.most is not None for one in self.rerolls)

    def _observed_order(self, mechanics: Mapping[str, ir.Mechanic], dice: Mapping[str, Any]) -> ir.OrderKept:
        """The dice whose order rules may observe.

        Taking a die by its place observes the order of all dice. One reroll with `most` observes nothing, since all
        orders are equally likely, unless dice were put into another order before; a second one observes which dice the
        first one left. Taking dice by rank observes the order of equal dice, if equal dice may look different.
        """
        if self.by_place > 0 or self.columns > 0:
            return "all"
        if self.rerolls and self.by_rank and (self.which or self.joins):  # dice that are equal now may have differed
            return "all"
        moved = self.by_rank or self.joins or self.sorts
        if self._has_limited_rerolls and (moved or self.which or self.looks_back or _limits_twice(mechanics)):
            return "all"
        faces = [face for die in dice.values() for face in getattr(die, "faces", None) or ()]
        if not self.by_rank or not (self.rescored or any(isinstance(face, str) for face in faces)):
            return "none"
        return "all" if self._has_limited_rerolls else "equal"


def identity_of(program: ir.Program, rule: ir.Mechanic) -> ir.DieIdentity:
    """What a rule, with all that it can reach, may observe of dice; what the ruleset may, where that is not known."""
    known = program.die_identity
    if not (known.which or known.limited or known.order != "none"):
        return known
    return _identity_of(program, rule.path)


@once_per
def _identity_of(program: ir.Program, path: str) -> ir.DieIdentity:
    section, _, name = path.partition(".")
    rule = program.mechanics.get(name) if section == "mechanics" else None
    if rule is None or dice_last(program):
        return program.die_identity
    reached, waiting = {name: rule}, [rule]
    while waiting:
        for call in outermost_nodes_in(waiting.pop(), ir.Call):
            if call.mechanic not in reached:
                reached[call.mechanic] = program.mechanics[call.mechanic]
                waiting.append(reached[call.mechanic])
    given = [one.type for one in rule.inputs]
    elsewhere = any(True for _ in outermost_nodes_in(tuple(reached.values()), LEADS_ELSEWHERE))
    if elsewhere or any(map(may_be_dice, given)):
        return program.die_identity
    beside = (
        program.functions, program.modifiers, program.kinds, program.tables, program.types, program.policies,
    )  # fmt: skip
    return uses_in((reached, beside)).identity(reached, program.dice)


LEADS_ELSEWHERE = (ir.Cause, ir.Act, ir.Offer, ir.ChangeEvent, ir.CancelEvent, ir.Turn)
"""Steps that may run rules which they do not name."""


_USING_DICE = frozenset(
    (ir.Builtin, ir.Membership, ir.Column, ir.Joined, ir.Sorted, ir.RollDice, ir.Reroll, ir.Pair, ir.ForEach)
)


def uses_in(of: Any) -> DieUses:
    """How the formulas and steps in a part of a finished program use dice."""
    uses = DieUses()
    for node in nodes_under(of):
        if type(node) not in _USING_DICE:  # most nodes, which would be compared with each class
            continue
        match node:
            case ir.Builtin() | ir.Membership():
                uses.add(node)
            case ir.Column():
                uses.add_column(node)
            case ir.Joined():
                uses.add_joined(node)
            case ir.Sorted():
                uses.add_sorted(node)
            case ir.RollDice():
                uses.add_roll(node)
            case ir.Reroll():
                uses.rerolls.append(node)
            case ir.Pair():
                uses.add_pairs()
            case ir.ForEach():
                kind = t.without_maybe(node.among.body.type)
                if isinstance(kind, t.Roll) or (isinstance(kind, t.List) and isinstance(kind.of, t.ThrownDie)):
                    uses.add_loop(node.among.body)
    return uses


PLACES = ("first", "last", "item")
MATCHING = ("without", "common")
"""Functions that look for the elements of one collection in another, whose order does not matter."""
IN_ANY_ORDER = ("count", "sum", "any", "all", "kth", "groups", "ordered", "dominates", "outranks")
"""Functions whose result does not depend on the order of elements."""
EXTREMES = ("highest", "lowest")
"""Functions whose result depends on the order only if they have a second argument, the number of elements."""


def _takes_by_place(made: ir.Builtin) -> bool:
    if made.name not in PLACES or _is_ordered(made.arguments[0]):
        return False
    kind = t.without_maybe(made.arguments[0].type)
    return isinstance(kind, t.Roll) and not kind.single


def _holds_dice(kind: t.Type) -> bool:
    """Whether a value of a type is a roll, or a list of dice."""
    kind = t.without_maybe(kind)
    return isinstance(kind, t.Roll) or (isinstance(kind, t.List) and isinstance(t.without_maybe(kind.of), t.ThrownDie))


def _is_of_dice(expr: ir.Column) -> bool:
    kind = t.without_maybe(expr.of.type)
    return isinstance(kind, t.Roll) and not kind.single


def _columns_in(expr: ir.Expr) -> int:
    """The number of columns of rolls in an expression for a list whose order the list keeps."""
    match expr:
        case ir.Column() if _is_of_dice(expr):
            return 1
        case ir.Column(of) | ir.Filtered(of) | ir.Sorted(of) | ir.Converted(of):
            return _columns_in(of)
        case ir.Otherwise(left, right) | ir.Conditional(_, left, right) | ir.Joined(left, right):
            return _columns_in(left) + _columns_in(right)
        case ir.Builtin(name, (of, *_)) if name in (*EXTREMES, *MATCHING, "reversed"):
            return _columns_in(of)
    return 0


def _takes_by_rank(made: ir.Expr) -> bool:
    if not isinstance(made, ir.Builtin):
        return False
    if made.name in PLACES:
        return _is_ordered(made.arguments[0])
    return made.name in ("highest", "lowest") and len(made.arguments) == 2


def _is_ordered(expr: ir.Expr) -> bool:
    while isinstance(expr, ir.Builtin) and expr.name == "reversed":
        expr = expr.arguments[0]
    return isinstance(expr, ir.Builtin) and expr.name == "ordered"


LOOPS = (ir.Repeat, ir.ForEach, ir.Pair, ir.RollDice)
"""Steps that may run their nested steps several times."""


def _limits_twice(mechanics: Mapping[str, ir.Mechanic]) -> bool:
    """Whether a rule, with those that it calls, may run more than one reroll with `most`."""
    known: dict[str, int] = {}

    def count_rerolls(name: str) -> int:
        """The number of such rerolls in a rule, up to 2; those in loops count twice."""
        if name not in known:
            known[name] = 0  # a rule that calls itself is reported elsewhere
            found = 0
            for part in (
                mechanics[name],
                [loop.each for loop in outermost_nodes_in(mechanics[name], LOOPS) if isinstance(loop, LOOPS)],
            ):
                found += sum(one.most is not None for one in outermost_nodes_in(part, ir.Reroll))
                found += sum(
                    count_rerolls(call.mechanic)
                    for call in outermost_nodes_in(part, ir.Call)
                    if call.mechanic in mechanics
                )
            known[name] = min(found, 2)
        return known[name]

    return any(count_rerolls(name) > 1 for name in mechanics)
