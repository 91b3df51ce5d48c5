"""`draw:` of which later formulas read only what does not depend on the order: which elements, and not one after the
other.

Hands of which the same is read are one; where the state is read later, or more than what adds up element by element,
equal ones. The law of how many of each kind are drawn is the multivariate hypergeometric distribution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from math import comb
from operator import add
from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir.traversal import (
    children,
    equal_apart_from_spans,
    formulas,
    inner_expressions,
    outermost_nodes_in,
)
from interpreter.odds.failures_ahead import FailedAhead, mark_failures_ahead
from interpreter.odds.liveness import names_in
from interpreter.odds.lower.lowering import DrawFold, DrawReadings, Lowering
from interpreter.odds.meter import Meter
from interpreter.odds.operations import ChanceNode, Done, Frame, Need, Op, Todo, WithState
from interpreter.play.effects import place_of_target
from interpreter.runtime import objects
from interpreter.runtime.functions import element_number
from interpreter.runtime.state import STATE, State

Hands = Iterator[tuple[tuple[Any, ...], int]]
"""Elements that may be drawn together, and in how many ways those or others of which the same is read."""

IN_ANY_ORDER = ("sum", "count", "any", "all", "highest", "lowest", "kth", "groups")
"""Functions whose value does not depend on the order of the list that they take."""


def lower_draw(lowering: Lowering, action: ir.Draw, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`draw:` elements of a pile, by how many of each kind are drawn, where nothing reads their order."""
    read = lowering.draws.get(step.path)
    op = lowering.verbs.play(lowering, action, step, need, trail)
    in_order = op.start
    if read is None or in_order is None or action.refill is not None or not lowering.exact or lowering.stepwise:
        return op
    one, at_place = place_of_target(lowering.walker, action.target)
    number = lowering.closures.of(action.number)
    folds = None if read.state else _known_folds(lowering, op, read.folds)
    if not read.state and read.row:  # later steps draw from the pile as it was, beside this hand
        read.left_pile[step.name] = folds
    op.touches |= {(name,) for name in read.row_before}
    known: dict[Any, Dealt] = {}

    def start(at: Frame) -> Todo:
        thing, _ = at_place(at)
        pile = objects.value_at(at[STATE], thing, one.name, None)
        wanted = number(at)
        if wanted < 0:
            return in_order(at)  # which says so
        before = [(read.left_pile[name], at[name]) for name in read.row_before if name in read.left_pile]
        many = min(wanted, len(pile) - sum([len(hand) for _, hand in before]))
        law = []
        hands = _law_of_hands(lowering, folds if many else None, before, at, pile, many, known)
        for taken, ways in hands:
            lowering.meter.spend(10 + many)
            state: State = at[STATE]
            if read.state:
                left = Counter(pile)
                left.subtract(taken)
                state = objects.change_value(lowering.closures, at, thing, one.name, None, _rest_of_pile(pile, left))
            law.append((WithState(taken, state), ways))
        return ChanceNode(law, sum([ways for _, ways in law]), None, lambda _, found: Done(found))

    op.start = start
    return op


def _known_folds(lowering: Lowering, op: Op, folds: tuple[DrawFold, ...] | None) -> tuple[DrawFold, ...] | None:
    """The folds of a hand, whose formulas the operation reads then; None where one compares elements with a roll, which
    may be open."""
    if folds is None:
        return None
    outside = [expr for fold in folds for expr in (*fold.conditions, *fold.items)]
    uses, touches = lowering.reads_of([(expr, False) for expr in outside])
    if uses:
        return None
    op.touches |= touches
    return folds


HandBefore = tuple["tuple[DrawFold, ...] | None", tuple[Any, ...]]
"""A hand that was drawn from the pile before, which it left as it was, with the folds by which it stands for others."""


def _law_of_hands(
    lowering: Lowering,
    folds: tuple[DrawFold, ...] | None,
    before: list[HandBefore],
    at: Frame,
    pile: tuple[Any, ...],
    many: int,
    known: dict[Any, Dealt],
) -> Hands:
    """The hands of so many elements of a pile, beside the hands before: those of which the same is read are one, or
    else only equal ones.

    Later steps may never be reached, so a condition that refuses an element is no error yet: a hand stands for itself.
    """
    left, hands = [*pile], list[_Hand]()
    for of, drawn in before:
        if drawn and (of is None or _entries_of_elements(lowering, of, at, left) is None):
            for element in drawn:
                left.remove(element)
        elif drawn and of is not None:
            hands.append(_Hand(of, drawn, len(drawn)))
    now = _entries_of_elements(lowering, folds, at, left) if folds is not None else None
    if now is None and not hands:
        kinds = list(Counter(left).items())
        lowering.meter.refuse_too_many_states(_number_of_ways([of for _, of in kinds], many))
        return _ways_to_draw(kinds, many)
    taken = [_entries_of_elements(lowering, one.folds, at, left) or [] for one in hands]
    hands.append(_Hand(folds, (), many) if now is not None and folds is not None else _Hand((EACH,), (), many))
    taken.append(now if now is not None else [(element,) for element in left])
    rows = list(zip(left, zip(*taken, strict=True), strict=True))
    if all(type(element) is int for element in left):
        rows.sort(key=lambda row: -row[0])  # the highest first: see `DrawFold`
    key = (tuple(rows), tuple([one.many for one in hands]))
    if key not in known:
        if len(known) >= MOST_DEALS:
            known.clear()
        known[key] = _law_of_last_hand(rows, hands, lowering.meter)
    return iter(known[key][tuple([one.read(rows, place) for place, one in enumerate(hands[:-1])])])


MOST_DEALS = 500
"""The limit on deals that are kept."""

EACH = DrawFold("each", ())
"""The fold of a hand of which more is read than what adds up: all its elements."""

Dealt = dict[Any, "list[tuple[tuple[Any, ...], int]]"]
"""The hands that are drawn last, with their ways, by what is read of the hands before."""


@dataclass(frozen=True, slots=True)
class _Hand:
    """A hand of so many elements: those that are `drawn`, if it is known, or others of which the same is read."""

    folds: tuple[DrawFold, ...]
    drawn: tuple[Any, ...]
    many: int

    def read(self, rows: list[Row], place: int) -> tuple[Any, ...]:
        """What is read of the hand at a place."""
        left, read = Counter(self.drawn), tuple([one.begun for one in self.folds])
        for element, taken in rows:
            if left[element]:
                left[element] -= 1
                read = self.with_another(read, taken[place])
        return read

    def with_another(self, read: tuple[Any, ...], taken: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([one.with_another(value, new) for one, value, new in zip(self.folds, read, taken, strict=True)])


Row = tuple[Any, tuple[tuple[Any, ...], ...]]
"""An element, and what the readings of each hand take of it."""


def _entries_of_elements(
    lowering: Lowering, folds: tuple[DrawFold, ...], at: Frame, elements: list[Any]
) -> list[tuple[Any, ...]] | None:
    """What readings take of each element, in a frame: a number, or None where it does not count; None where a formula
    fails."""
    names = frozenset[str]().union(*[names_in(expr) for fold in folds for expr in (*fold.conditions, *fold.items)])
    with suppress(FailedAhead), mark_failures_ahead(at, names):
        read = [_entry_reader(lowering, fold, at) for fold in folds]
        return [tuple([one(element) for one in read]) for element in elements]
    return None


def _entry_reader(lowering: Lowering, fold: DrawFold, at: Frame) -> Callable[[Any], Any]:
    of = lowering.closures.closure_of_expression
    conditions, items = [of(one) for one in fold.conditions], [of(one)(at) for one in fold.items]

    def entry_of(element: Any) -> Any:
        inside = {**at, ".it": element}
        if not all(holds(inside) for holds in conditions) or not all(element == item for item in items):
            return None
        return 1 if fold.kind == "count" else element_number(element)

    return entry_of


def _law_of_last_hand(rows: list[Row], hands: list[_Hand], meter: Meter) -> Dealt:
    """The last of some hands that are drawn from the same elements, by what is read of the others.

    Kind after kind, as many of each for each hand as there may be: states that agree in what is read so far are one,
    and end where no further element changes anything. Source: the multivariate hypergeometric distribution.
    """
    kinds: dict[Any, list[Any]] = {}
    for element, taken in rows:
        kinds.setdefault(taken, []).append(element)
    last_place = _last_places([*kinds], hands)
    rest = [element for elements in kinds.values() for element in elements]
    found: dict[Any, dict[Any, tuple[int, tuple[Any, ...]]]] = {}
    begun = tuple([tuple([one.begun for one in hand.folds]) for hand in hands])
    states: dict[Any, tuple[int, tuple[Any, ...]]] = {((0,) * len(hands), begun): (1, ())}
    for place, (taken, elements) in enumerate([*kinds.items(), (None, [])]):
        going = {}
        for (drawn, read), (ways, hand) in states.items():
            if taken is not None and not _is_settled(hands, read, last_place, place):
                going[drawn, read] = ways, hand
                continue
            missing = [one.many - many for one, many in zip(hands, drawn, strict=True)]
            before = sum(missing[:-1])
            done = ways * _ways_to_fill(len(rest), missing), (*hand, *rest[before : before + missing[-1]])
            of = found.setdefault(read[:-1], {})
            of[read[-1]] = (of[read[-1]][0] + done[0], of[read[-1]][1]) if read[-1] in of else done
        del rest[: len(elements)]
        if taken is not None:
            states = _states_with_kind(going, elements, taken, hands, len(rest), meter)
        meter.refuse_too_many_states(len(states))
    return {read: [(hand, ways) for ways, hand in of.values() if ways] for read, of in found.items()}


def _last_places(kinds: list[tuple[tuple[Any, ...], ...]], hands: list[_Hand]) -> list[list[int]]:
    """The last kind of which each reading of each hand takes something; -1 if there is none."""
    return [
        [max([-1, *[nth for nth, taken in enumerate(kinds) if taken[place][fold] is not None]]) for fold in range(many)]
        for place, many in enumerate([len(one.folds) for one in hands])
    ]


def _is_settled(hands: list[_Hand], read: tuple[tuple[Any, ...], ...], last_place: list[list[int]], place: int) -> bool:
    """Whether nothing that is read changes from the kind at a place on."""
    return all(
        last < place or fold.is_settled(value)
        for hand, values, places in zip(hands, read, last_place, strict=True)
        for fold, value, last in zip(hand.folds, values, places, strict=True)
    )


def _ways_to_fill(left: int, missing: list[int]) -> int:
    """In how many ways hands can be filled with elements of which nothing is read."""
    ways = 1
    for many in missing:
        ways *= comb(left, many)
        left -= many
    return ways


def _states_with_kind(
    states: dict[Any, tuple[int, tuple[Any, ...]]],
    elements: list[Any],
    taken: tuple[tuple[Any, ...], ...],
    hands: list[_Hand],
    left: int,
    meter: Meter,
) -> dict[Any, tuple[int, tuple[Any, ...]]]:
    """The states after as many elements of a kind for each hand as there may be; so many others are `left` then."""
    after: dict[Any, tuple[int, tuple[Any, ...]]] = {}
    for (drawn, read), (ways, hand) in states.items():
        missing = [one.many - many for one, many in zip(hands, drawn, strict=True)]
        for share, more_ways in _ways_to_share(len(elements), missing):
            if sum(missing) - sum(share) > left:
                continue
            meter.spend(WORK_OF_A_SHARE)
            now = [*read]
            for place, many in enumerate(share):
                for _ in range(many):
                    now[place] = hands[place].with_another(now[place], taken[place])
            key = (tuple(map(add, drawn, share)), tuple(now))
            before = after.get(key)
            whole = ways * more_ways + (before[0] if before is not None else 0)
            new = elements[sum(share[:-1]) : sum(share)]  # those that it really may have, beside the other hands
            after[key] = whole, before[1] if before is not None else (*hand, *new)
    return after


def _ways_to_share(most: int, limits: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """How many of equal elements each of some hands may have, no more than its limit, and in how many ways."""
    if not limits:
        yield (), 1
        return
    for more in range(min(most, limits[0]) + 1):
        for others, ways in _ways_to_share(most - more, limits[1:]):
            yield (more, *others), comb(most, more) * ways


WORK_OF_A_SHARE = 6
"""What it costs to give some elements of a kind to each hand, in units of the work of a question."""


def _rest_of_pile(pile: tuple[Any, ...], left: Counter[Any]) -> tuple[Any, ...]:
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


def _ways_to_draw(kinds: list[tuple[Any, int]], many: int) -> Hands:
    """The elements that may be drawn, by kinds, and in how many ways each."""
    if not kinds:
        if not many:
            yield (), 1
        return
    (element, most), rest = kinds[0], kinds[1:]
    beyond = sum([of for _, of in rest])
    for taken in range(max(many - beyond, 0), min(most, many) + 1):
        for others, ways in _ways_to_draw(rest, many - taken):
            yield (element,) * taken + others, comb(most, taken) * ways


# What is read of drawn elements ----------------------------------------------------------------------------------


def readings_of_draws(rule: ir.Mechanic, asked: Mapping[str, Need]) -> dict[str, DrawReadings | None]:
    """What a rule reads of the elements that its steps draw, by the path of each `draw`; None where their order is
    read, or may be. `state` is still to be found out."""
    found: dict[str, DrawReadings | None] = {one.path: None for one in rule.steps if isinstance(one.action, ir.Draw)}
    if not found or any(True for _ in outermost_nodes_in(rule, (ir.Choose, ir.ChooseEach, ir.Offer))):
        return found  # policies may read all names
    known = {one.name for one in rule.inputs}
    needed = _needed_parts(rule, asked)
    for step in rule.steps:
        if isinstance(step.action, ir.Draw) and step.name not in asked and step.condition is None:
            others = [one for one in needed if one is not step]
            made = DrawReader(step.name, frozenset(known))
            if not any(_binds(one, step.name) for one in others) and all(
                made.ignores_order(one.body) for other in others for one in formulas(other)
            ):
                found[step.path] = DrawReadings(tuple(made.folds) if made.foldable else None)
        known.add(step.name)
    return found | _with_neighbours(rule, found)


def _with_neighbours(rule: ir.Mechanic, found: Mapping[str, DrawReadings | None]) -> dict[str, DrawReadings | None]:
    """The readings of draws from one pile, each with the names of those before and after it."""
    rows: list[list[ir.Step]] = []
    for step in rule.steps:
        if isinstance(step.action, ir.Draw) and found[step.path] is not None and step.action.refill is None:
            of = next((row for row in rows if _draw_from_same_pile(row[0], step)), None)
            if of is None:
                rows.append([step])
            else:
                of.append(step)
    made: dict[str, DrawReadings | None] = {}
    for row in rows:
        names, left_pile = tuple([step.name for step in row]), dict[str, Any]()
        for place, step in enumerate(row):
            read = found[step.path]
            assert read is not None
            made[step.path] = replace(read, row=names[place + 1 :], row_before=names[:place], left_pile=left_pile)
    return made


def _draw_from_same_pile(one: ir.Step, other: ir.Step) -> bool:
    """Whether two steps draw from the same pile of the same thing, whatever the state."""
    assert isinstance(one.action, ir.Draw) and isinstance(other.action, ir.Draw)
    a, b = one.action.target, other.action.target
    alike = (a.kind, a.name, a.key, b.key) == (b.kind, b.name, None, None)
    return alike and equal_apart_from_spans(a.thing.body, b.thing.body) and STATE not in names_in(a.thing.body)


def _needed_parts(rule: ir.Mechanic, asked: Mapping[str, Need]) -> list[Any]:
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

    def ignores_order(self, expr: ir.Expr) -> bool:
        """Whether nothing in an expression reads the order of the list."""
        if isinstance(expr, ir.Local):
            return expr.name != self.name
        if isinstance(expr, ir.Membership) and self._is_list(expr.of):
            if self._is_known(expr.item):
                self.items.append(expr.item)
                self.folds.append(DrawFold("count", (), items=(expr.item,)))
            else:
                self.value, self.foldable = True, False
            return self.ignores_order(expr.item)
        if isinstance(expr, ir.Builtin) and expr.name in IN_ANY_ORDER:
            of, conditions = expr.arguments[0], list[ir.Expr]()
            while isinstance(of, ir.Filtered):
                conditions.insert(0, of.condition)
                of = of.of
            if self._is_list(of):
                self.tests.append(tuple(conditions))
                self.value |= expr.name != "count" and (expr.name != "any" or not conditions)
                self.value |= not all(map(self._is_known, conditions))
                self._add_fold(expr, tuple(conditions))
                return all(map(self.ignores_order, (*conditions, *expr.arguments[1:])))
        return all(map(self.ignores_order, inner_expressions(expr)))

    def _add_fold(self, expr: ir.Builtin, conditions: tuple[ir.Expr, ...]) -> None:
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
