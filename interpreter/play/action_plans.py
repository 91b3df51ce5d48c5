"""Actions with what precedes their steps, compiled once: who may act, which inputs there are, what is to be paid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.limits import constraints_of
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import locals_in
from interpreter.play.choices import texts_beside
from interpreter.play.effects import Follow, steps_after_bound
from interpreter.play.steps import Walker
from interpreter.runtime import objects
from interpreter.runtime.constraints import constraints_check, optional_closure
from interpreter.runtime.evaluator import Closure, Frame
from interpreter.runtime.sentences import sentence_function
from interpreter.runtime.state import STATE
from interpreter.work_count import spend

TRIED = 2
"""The units of work of a value, or of a combination of inputs, that is tried."""


class ActionInput(NamedTuple):
    """A compiled input of an action: its default, question, texts beside answers, and whether it hardly matters.

    It `decides` if a refusal or the values of another input depend on it: of an input that decides nothing, one value
    is enough to find out whether the action is possible.
    """

    one: ir.Declaration
    usual: Closure | None
    candidates: Callable[[Frame], Sequence[Any] | None]
    check: Callable[[Any, Frame], None]
    said: Callable[[Frame], str]
    shown: Callable[[Frame, Sequence[Any] | None], dict[str, str]] | None
    several: bool
    decides: bool
    minor: Closure | None


class Price(NamedTuple):
    """A compiled cost, which is paid with points of the actor."""

    cost: ir.Cost
    amount: Closure
    key: Closure | None
    attribute: ir.HeldAttribute
    limits: objects.BoundsOf
    follow: Follow | None

    def word(self, given: Frame) -> Any:
        """The word of the points, if they are those of a word."""
        return self.key(given) if self.key is not None else None

    def points_name(self, given: Frame) -> str:
        """What the points are called, with their word if it is known in a frame: `ammo(rifle)`."""
        return objects.place_in_words(self.cost.name, value_if_known(self.key, given) if self.key is not None else None)


@dataclass(frozen=True, slots=True)
class Plan:
    """An action or a reaction with everything that precedes its steps, compiled once."""

    action: ir.Action
    actors: Callable[[Frame], tuple[Any, ...]]
    where: Closure | None
    among: Closure | None
    times: Closure | None
    upgraded_times: Closure | None
    inputs: tuple[ActionInput, ...]
    requires: tuple[tuple[ir.Requirement, Closure], ...]
    prices: tuple[Price, ...]
    counts_as: Closure | None
    shown: Callable[[Frame], str]


def plan_of(walker: Walker, action: ir.Action) -> Plan:
    """The plan of an action, compiled once."""
    found = walker.plans.get(id(action))
    if found is None:
        found = walker.plans[id(action)] = _make_plan(walker, action)
    made: Plan = found
    return made


def _make_plan(walker: Walker, action: ir.Action) -> Plan:
    of, up = walker.closures, action.upgrade
    limits = (action.limit, up.limit if up is not None else None)
    times = [of.of(limit.times) if limit is not None else None for limit in limits]
    return Plan(
        action, _allowed_values(walker, action.actor),
        optional_closure(of, action.actor.where), optional_closure(of, action.actor.among),
        times[0], times[1], _planned_inputs(walker, action),
        tuple([(one, of.of(one.condition)) for one in action.rule.requires]),
        tuple([_price(walker, action, cost) for cost in action.costs]),
        optional_closure(of, up.counts_as) if up is not None else None,
        sentence_function(of, action.shows),
    )  # fmt: skip


def _price(walker: Walker, action: ir.Action, cost: ir.Cost) -> Price:
    kind = t.without_maybe(action.actor.type)
    assert isinstance(kind, t.Object), "an action has an actor"
    attribute = walker.program.kinds[kind.kind].has[cost.name]
    follow = steps_after_bound(walker, attribute, ("cost", cost.name), cost.span, cost.path)
    of = walker.closures
    return Price(
        cost,
        of.of(cost.amount),
        optional_closure(of, cost.key),
        attribute,
        objects.limits_function(of, attribute),
        follow,
    )


def _planned_inputs(walker: Walker, action: ir.Action) -> tuple[ActionInput, ...]:
    of, decide = walker.closures, deciding_inputs(action)
    return tuple(
        ActionInput(
            one, optional_closure(of, one.default), _candidates(walker, one), constraints_check(of, one),
            sentence_function(of, one.ask), texts_beside(of, one.shows),
            isinstance(t.without_maybe(one.type), t.List), one.name in decide, optional_closure(of, one.minor),
        )
        for one in action.rule.inputs
    )  # fmt: skip


@once_per
def deciding_inputs(action: ir.Action) -> frozenset[str]:
    """The inputs on which a refusal or the values of a later input depend."""
    limits = [action.limit, action.upgrade.limit] if action.upgrade is not None else [action.limit]
    formulas = [one.condition for one in action.rule.requires] + [
        one for cost in action.costs for one in (cost.amount, cost.key)
    ]
    formulas += [limit.times for limit in limits if limit is not None]
    if action.upgrade is not None and action.upgrade.counts_as is not None:
        formulas.append(action.upgrade.counts_as)
    read, found = {"upgraded", *_names_read(formulas)}, set()
    for one in reversed(action.rule.inputs):
        if one.name in read:
            found.add(one.name)
        read |= _names_read([one.default, *constraints_of(one)])
    return frozenset(found)


def _names_read(formulas: Iterable[ir.Formula | None]) -> frozenset[str]:
    return frozenset[str]().union(*[locals_in(one.body) for one in formulas if one is not None])


MOST_CANDIDATES = 1_000
"""The most values of a number that are listed as options."""


def _candidates(walker: Walker, one: ir.Declaration) -> Callable[[Frame], Sequence[Any] | None]:
    """The values of an input; None if they cannot be listed, as for dice and text."""
    kind, of = t.without_maybe(one.type), walker.closures
    where = optional_closure(of, one.where)
    if isinstance(kind, t.Object) or one.among is not None:
        return _allowed_values(walker, one)
    if isinstance(kind, t.YesNo):
        return lambda given: _fitting_values(where, given, (False, True))
    if isinstance(kind, t.Word):
        words = kind.words
        return lambda given: _fitting_values(where, given, words)
    if not isinstance(kind, t.Number) or one.low is None or one.high is None:
        return lambda given: None
    low, high = of.of(one.low), of.of(one.high)

    def numbers(given: Frame) -> Sequence[Any] | None:
        lowest, highest = low(given), high(given)
        if lowest is None or highest is None or highest - lowest >= MOST_CANDIDATES:
            return None
        whole = range(lowest, highest + 1)
        return whole if where is None else _fitting_values(where, given, whole)

    return numbers


def _allowed_values(walker: Walker, one: ir.Declaration) -> Callable[[Frame], tuple[Any, ...]]:
    """The values that a declaration allows: those that it names, or all objects of its kind.

    For a list these are its elements, with repetition, and `where` is asked of the list that is chosen.
    """
    kind = t.without_maybe(one.type)
    several = isinstance(kind, t.List)
    among, where = (
        optional_closure(walker.closures, one.among),
        None if several else optional_closure(walker.closures, one.where),
    )

    def values(given: Frame) -> tuple[Any, ...]:
        if among is not None:
            found = among(given)
        else:
            found = given[STATE].of_kind(kind.kind) if isinstance(kind, t.Object) else ()
        return tuple(found) if several else _fitting_values(where, given, dict.fromkeys(found))

    return values


def _fitting_values(where: Closure | None, given: Frame, among: Iterable[Any]) -> tuple[Any, ...]:
    if where is None:
        return tuple(among)
    inside = dict(given)
    found = []
    for each in among:
        spend(TRIED)
        inside[".it"] = each
        if where(inside):
            found.append(each)
    return tuple(found)


def value_if_in_scene(work: Callable[[], Any]) -> Any:
    """The result of a function; None if it reads the scene under way and there is none."""
    try:
        return work()
    except PlayError as problem:
        if problem.diagnostic.code != say.NO_SCENE:
            raise
        return None


def value_if_known(work: Callable[[Frame], Any], given: Frame) -> Any:
    """The result of a function; None if it depends on an input that cannot be listed."""
    try:
        return work(given)
    except KeyError:
        return None
