"""`draw:` of which later formulas read only what does not depend on the order: as many of each kind, and not one after
the other.

Elements of which the same is read are of one kind; where the state is read later, only equal elements are. The law of
how many of each kind are drawn is the multivariate hypergeometric distribution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import comb
from typing import Any

from interpreter import ir
from interpreter.ir.traversal import children, each_in, formulas, inner
from interpreter.odds.liveness import names_in
from interpreter.odds.lower.lowering import DrawReadings, Lowering
from interpreter.odds.lower.played import WithState, play
from interpreter.odds.operations import ChanceNode, Done, Frame, Need, Op, Todo
from interpreter.odds.working_ahead import FailedAhead, working_ahead
from interpreter.play.effects import placed_at
from interpreter.runtime import objects
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.state import STATE, State

Kinds = list[tuple[Any, int]]
"""An element of each kind, and how many of it there are."""

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
    told = None
    if not read.state and not read.value:
        outside = [*(expr for some in read.tests for expr in some), *read.items]
        uses, touches = lowering.reads_of([(expr, False) for expr in outside])
        if not uses:  # else conditions compare elements with rolls, which may be open
            told = _Told(read, lowering)
            op.touches |= touches

    def start(at: Frame) -> Todo:
        thing, _ = at_place(at)
        pile = objects.value_at(at[STATE], thing, one.name, None)
        wanted = number(at)
        if wanted < 0:
            return in_order(at)  # which says so
        many = min(wanted, len(pile))
        kinds = _kinds(told if many else None, at, pile)
        lowering.meter.expect(_number_of_ways([of for _, of in kinds], many))
        law = []
        for taken, ways in _ways(kinds, many):
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


def _kinds(told: _Told | None, at: Frame, pile: tuple[Any, ...]) -> Kinds:
    """The kinds of the elements of a pile: those of which later steps read the same, or equal elements.

    Later steps may never be reached, so a test that refuses an element is no error yet.
    """
    if told is not None:
        with suppress(FailedAhead), working_ahead(at, told.names):
            return told.kinds(at, pile)
    return list(Counter(pile).items())


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


def _ways(kinds: Kinds, many: int) -> Iterator[tuple[tuple[Any, ...], int]]:
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


@dataclass(frozen=True, slots=True)
class _Told:
    """What is read of each element: elements of which it is the same are of one kind."""

    read: DrawReadings
    lowering: Lowering

    @property
    def names(self) -> frozenset[str]:
        """The names that tests read besides the element."""
        tests = [one for some in self.read.tests for one in some]
        return frozenset[str]().union(*map(names_in, (*tests, *self.read.items)))

    def kinds(self, at: Frame, pile: tuple[Any, ...]) -> Kinds:
        """The kinds of the elements of a pile, in a frame."""
        of = self.lowering.closures.plainly
        tests: list[list[Closure]] = [[of(one) for one in some] for some in self.read.tests]
        items = [of(one)(at) for one in self.read.items]
        found: dict[Any, list[Any]] = {}
        for element in pile:
            inside = {**at, ".it": element}
            key = (*[all(holds(inside) for holds in some) for some in tests], *[element == one for one in items])
            found.setdefault(key, [element, 0])[1] += 1
        return [(element, many) for element, many in found.values()]


# What is read of drawn elements ----------------------------------------------------------------------------------


def readings_of_draws(rule: ir.Mechanic, asked: Mapping[str, Need]) -> dict[str, DrawReadings | None]:
    """What a rule reads of the elements that its steps draw, by the path of each `draw`; None where their order is
    read, or may be. `state` is still to be found out."""
    found: dict[str, DrawReadings | None] = {one.path: None for one in rule.steps if isinstance(one.action, ir.Draw)}
    if not found or any(True for _ in each_in(rule, (ir.Choose, ir.ChooseEach, ir.Offer))):
        return found  # policies may read all names
    known = {one.name for one in rule.inputs}
    for place, step in enumerate(rule.steps):
        if isinstance(step.action, ir.Draw) and step.name not in asked and step.condition is None:
            others = (rule.requires, *rule.steps[:place], *rule.steps[place + 1 :], rule.outcomes, rule.also)
            made = DrawReader(step.name, frozenset(known))
            if not _binds(others, step.name) and all(made.search(one.body) for one in formulas(others)):
                found[step.path] = DrawReadings(made.value, tuple(made.tests), tuple(made.items))
        known.add(step.name)
    return found


def _binds(node: Any, name: str) -> bool:
    """Whether a step or loop inside a construct has a name of its own that is the same."""
    if isinstance(node, ir.Formula):
        return False
    if isinstance(node, (ir.Step, ir.ForEach)) and node.name == name:
        return True
    return any(_binds(one, name) for one in (node if isinstance(node, tuple) else children(node)))


class DrawReader:
    """Collects what formulas read of the elements of a list; `known` are the names that are bound before it."""

    def __init__(self, name: str, known: frozenset[str]) -> None:
        self.name, self.known = name, known
        self.value = False
        self.tests: list[tuple[ir.Expr, ...]] = []
        self.items: list[ir.Expr] = []

    def search(self, expr: ir.Expr) -> bool:
        """Whether nothing in an expression reads the order of the list."""
        if isinstance(expr, ir.Local):
            return expr.name != self.name
        if isinstance(expr, ir.Membership) and self._is_list(expr.of):
            if self._is_known(expr.item):
                self.items.append(expr.item)
            else:
                self.value = True
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
                return all(map(self.search, (*conditions, *expr.arguments[1:])))
        return all(map(self.search, inner(expr)))

    def _is_list(self, expr: ir.Expr) -> bool:
        while isinstance(expr, ir.Converted) and not expr.to.startswith("each "):
            expr = expr.of
        return isinstance(expr, ir.Local) and expr.name == self.name

    def _is_known(self, expr: ir.Expr) -> bool:
        """Whether an expression can be evaluated before the elements are drawn."""
        return names_in(expr) <= self.known
