"""`draw:` of which later formulas read only what does not depend on the order: which elements, and not one after the
other.

Hands of which the same is read are one; where the state is read later, or more than what adds up element by element,
equal ones. The law of how many of each kind are drawn is the multivariate hypergeometric distribution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from math import comb
from typing import Any

from interpreter import ir
from interpreter.ir.traversal import children, each_in, formulas, inner
from interpreter.odds.liveness import names_in
from interpreter.odds.lower.lowering import DrawFold, DrawReadings, Lowering
from interpreter.odds.lower.played import WithState, play
from interpreter.odds.meter import Meter
from interpreter.odds.operations import ChanceNode, Done, Frame, Need, Op, Todo
from interpreter.odds.working_ahead import FailedAhead, working_ahead
from interpreter.play.effects import placed_at
from interpreter.runtime import objects
from interpreter.runtime.functions import element_number
from interpreter.runtime.state import STATE, State

Hands = Iterator[tuple[tuple[Any, ...], int]]
"""Elements that may be drawn together, and in how many ways those or others of which the same is read."""

IN_ANY_ORDER = ("sum", "count", "any", "all", "highest", "lowest", "kth", "groups")
"""Functions whose value does not depend on the order of the list that they take."""


def draw(lowering: Lowering, action: ir.Draw, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`draw:` elements of a pile, by how many of each kind are drawn, where nothing reads their order."""
    read = lowering.draws.get(step.path)
    op = play(lowering, action, step, need, trail)
    in_order = op.start
    if read is None or in_order is None or action.refill is not None or not lowering.exact or lowering.stepwise:
        return op
    one, at_place = placed_at(lowering.walker, action.target)
    number = lowering.closures.of(action.number)
    folds: tuple[DrawFold, ...] | None = None
    if not read.state and read.folds is not None:
        outside = [expr for fold in read.folds for expr in (*fold.conditions, *fold.items)]
        uses, touches = lowering.reads_of([(expr, False) for expr in outside])
        if not uses:  # else conditions compare elements with rolls, which may be open
            folds = read.folds
            op.touches |= touches

    def start(at: Frame) -> Todo:
        thing, _ = at_place(at)
        pile = objects.value_at(at[STATE], thing, one.name, None)
        wanted = number(at)
        if wanted < 0:
            return in_order(at)  # which says so
        many = min(wanted, len(pile))
        law = []
        for taken, ways in _hands(lowering, folds if many else None, at, pile, many):
            lowering.meter.spend(10 + many)
            state: State = at[STATE]
            if read.state:
                left = Counter(pile)
                left.subtract(taken)
                state = objects.changed(lowering.closures, at, thing, one.name, None, _left(pile, left))
            law.append((WithState(taken, state), ways))
        return ChanceNode(law, comb(len(pile), many), None, lambda _, found: Done(found))

    op.start = start
    return op


def _hands(
    lowering: Lowering, folds: tuple[DrawFold, ...] | None, at: Frame, pile: tuple[Any, ...], many: int
) -> Hands:
    """The hands of so many elements of a pile: those of which the same is read are one, or else only equal ones.

    Later steps may never be reached, so a condition that refuses an element is no error yet.
    """
    if folds is not None:
        names = frozenset[str]().union(*[names_in(expr) for fold in folds for expr in (*fold.conditions, *fold.items)])
        with suppress(FailedAhead), working_ahead(at, names):
            read = [_reader(lowering, fold, at) for fold in folds]
            return _alike_hands([(element, tuple([one(element) for one in read])) for element in pile], folds, many,
                                lowering.meter)  # fmt: skip
    kinds = list(Counter(pile).items())
    lowering.meter.expect(_number_of_ways([of for _, of in kinds], many))
    return _ways(kinds, many)


def _reader(lowering: Lowering, fold: DrawFold, at: Frame) -> Callable[[Any], Any]:
    """What a reading takes of one element, in a frame: a number, or whether it counts; None where it does not."""
    of = lowering.closures.plainly
    conditions, items = [of(one) for one in fold.conditions], [of(one)(at) for one in fold.items]

    def taken(element: Any) -> Any:
        inside = {**at, ".it": element}
        if not all(holds(inside) for holds in conditions) or not all(element == item for item in items):
            return None
        return 1 if fold.kind == "count" else element_number(element)

    return taken


def _alike_hands(
    elements: list[tuple[Any, tuple[Any, ...]]], folds: tuple[DrawFold, ...], many: int, meter: Meter
) -> Hands:
    """The hands of so many elements, each with what the readings take of it: one for each value of the readings.

    Kind after kind, as many of each as there may be: states that agree in what is read so far are one. Source: the
    multivariate hypergeometric distribution.
    """
    kinds: dict[tuple[Any, ...], list[Any]] = {}
    if any(one.kind == "kth" for one in folds):
        elements = sorted(elements, key=lambda row: -element_number(row[0]))
    for element, taken in elements:
        kinds.setdefault(taken, [element, 0])[1] += 1
    left = len(elements)
    states: dict[Any, tuple[int, tuple[Any, ...]]] = {(0, tuple([one.begun for one in folds])): (1, ())}
    for taken, (element, most) in kinds.items():
        left -= most
        after: dict[Any, tuple[int, tuple[Any, ...]]] = {}
        for (drawn, read), (ways, hand) in states.items():
            for more in range(min(most, many - drawn) + 1):
                if drawn + more + left >= many:
                    key = (drawn + more, read)
                    made = ways * comb(most, more), (*hand, *(element,) * more)
                    after[key] = (after[key][0] + made[0], after[key][1]) if key in after else made
                read = tuple([one.with_another(value, new) for one, value, new in zip(folds, read, taken, strict=True)])
        meter.spend(WORK_OF_A_HAND * (len(states) + len(after)) * (1 + len(folds)))
        meter.expect(len(after))
        states = after
    yield from [(hand, ways) for ways, hand in states.values()]


WORK_OF_A_HAND = 3
"""What a state between two kinds costs for each reading, in units of the work of a question."""


def _left(pile: tuple[Any, ...], left: Counter[Any]) -> tuple[Any, ...]:
    """What is left of a pile in its order; of equal elements the last ones, as a draw takes the first."""
    kept: list[Any] = []
    for each in reversed(pile):
        if left[each] > 0:
            left[each] -= 1
            kept.append(each)
    return tuple(reversed(kept))


def _number_of_ways(many_of: list[int], many: int) -> int:
    """In how many ways so many elements may be drawn of kinds of so many elements."""
    ways = [1] + [0] * many
    for most in many_of:
        ways = [sum(ways[max(taken - most, 0) : taken + 1]) for taken in range(many + 1)]
    return ways[many]


def _ways(kinds: list[tuple[Any, int]], many: int) -> Hands:
    """The elements that may be drawn, by kinds, and in how many ways each."""
    if not kinds:
        if not many:
            yield (), 1
        return
    (element, most), rest = kinds[0], kinds[1:]
    beyond = sum([of for _, of in rest])
    for taken in range(max(many - beyond, 0), min(most, many) + 1):
        for others, ways in _ways(rest, many - taken):
            yield (element,) * taken + others, comb(most, taken) * ways


# What is read of drawn elements ----------------------------------------------------------------------------------


def readings_of_draws(rule: ir.Mechanic, asked: Mapping[str, Need]) -> dict[str, DrawReadings | None]:
    """What a rule reads of the elements that its steps draw, by the path of each `draw`; None where their order is
    read, or may be. `state` is still to be found out."""
    found: dict[str, DrawReadings | None] = {one.path: None for one in rule.steps if isinstance(one.action, ir.Draw)}
    if not found or any(True for _ in each_in(rule, (ir.Choose, ir.ChooseEach, ir.Offer))):
        return found  # policies may read all names
    known = {one.name for one in rule.inputs}
    needed = _needed(rule, asked)
    for step in rule.steps:
        if isinstance(step.action, ir.Draw) and step.name not in asked and step.condition is None:
            others = [one for one in needed if one is not step]
            made = DrawReader(step.name, frozenset(known))
            if not any(_binds(one, step.name) for one in others) and all(
                made.search(one.body) for other in others for one in formulas(other)
            ):
                found[step.path] = DrawReadings(tuple(made.folds) if made.foldable else None)
        known.add(step.name)
    return found


def _needed(rule: ir.Mechanic, asked: Mapping[str, Need]) -> list[Any]:
    """The parts of a rule that may be evaluated: without formulas whose names nothing asks for."""
    outcomes = rule.outcomes
    if outcomes is not None and "outcome" not in asked and not any(one.steps for one in outcomes.cases):
        outcomes = None
    parts: list[Any] = [rule.requires, *([outcomes] if outcomes is not None else []), rule.also]
    names = {*asked, *[name for part in parts for one in formulas(part) for name in names_in(one.body)]}
    for step in reversed(rule.steps):
        if step.name in names or not isinstance(step.action, ir.Let):
            parts.append(step)
            names |= {name for one in formulas(step) for name in names_in(one.body)}
    return parts


def _binds(node: Any, name: str) -> bool:
    """Whether a step or loop inside a construct has a name of its own that is the same."""
    if isinstance(node, ir.Formula):
        return False
    if isinstance(node, (ir.Step, ir.ForEach)) and node.name == name:
        return True
    return any(_binds(one, name) for one in (node if isinstance(node, tuple) else children(node)))


class DrawReader:
    """Collects what formulas read of the elements of a list; `known` are the names that are bound before it.

    `value` says that more is read than whether elements fulfil conditions, `foldable` that each reading can be worked
    out element by element, by the `folds`.
    """

    def __init__(self, name: str, known: frozenset[str]) -> None:
        self.name, self.known = name, known
        self.value = False
        self.foldable = True
        self.tests: list[tuple[ir.Expr, ...]] = []
        self.items: list[ir.Expr] = []
        self.folds: list[DrawFold] = []

    def search(self, expr: ir.Expr) -> bool:
        """Whether nothing in an expression reads the order of the list."""
        if isinstance(expr, ir.Local):
            return expr.name != self.name
        if isinstance(expr, ir.Membership) and self._is_list(expr.of):
            if self._is_known(expr.item):
                self.items.append(expr.item)
                self.folds.append(DrawFold("count", (), items=(expr.item,)))
            else:
                self.value, self.foldable = True, False
            return self.search(expr.item)
        if isinstance(expr, ir.Builtin) and expr.name in IN_ANY_ORDER:
            of, conditions = expr.arguments[0], list[ir.Expr]()
            while isinstance(of, ir.Filtered):
                conditions.insert(0, of.condition)
                of = of.of
            if self._is_list(of):
                self.tests.append(tuple(conditions))
                self.value |= expr.name != "count" and (expr.name != "any" or not conditions)
                self.value |= not all(map(self._is_known, conditions))
                self._fold(expr, tuple(conditions))
                return all(map(self.search, (*conditions, *expr.arguments[1:])))
        return all(map(self.search, inner(expr)))

    def _fold(self, expr: ir.Builtin, conditions: tuple[ir.Expr, ...]) -> None:
        """Add the fold of a reading, if it has one."""
        number = expr.arguments[1] if len(expr.arguments) == 2 else None
        k = number.value if isinstance(number, ir.Constant) else 1 if number is None else None
        if expr.name in ("count", "any"):
            made = DrawFold("count", conditions)
        elif expr.name == "sum":
            made = DrawFold("sum", conditions)
        elif expr.name in ("highest", "lowest", "kth") and type(k) is int:
            made = DrawFold(expr.name, conditions, max(k, 1))
        else:
            self.foldable = False
            return
        self.foldable &= all(map(self._is_known, conditions))
        self.folds.append(made)

    def _is_list(self, expr: ir.Expr) -> bool:
        while isinstance(expr, ir.Converted) and not expr.to.startswith("each "):
            expr = expr.of
        return isinstance(expr, ir.Local) and expr.name == self.name

    def _is_known(self, expr: ir.Expr) -> bool:
        """Whether an expression can be evaluated before the elements are drawn."""
        return names_in(expr) <= self.known
