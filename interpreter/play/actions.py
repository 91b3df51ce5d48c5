"""What somebody does: whether it may be done, with which inputs, at which price; then its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.traversal import locals_in
from interpreter.play.choices import asked
from interpreter.play.effects import Follow, Move, hooks, moved, policies_say
from interpreter.play.requests import Choice
from interpreter.play.run import Record, Run, Walk
from interpreter.play.steps import Walker
from interpreter.runtime import objects
from interpreter.runtime.constraints import bounded, held_to, some
from interpreter.runtime.evaluator import Closure, Frame
from interpreter.runtime.state import STATE, done, marked
from interpreter.values import Thing

OFFERED = ".offered"
"""What the frame of an action holds that was picked from an offer: then what is left to say of it is understood."""


# Ready to be asked -----------------------------------------------------------------------------------------------


class ActionInput(NamedTuple):
    """An input of something that somebody does, ready to be filled in.

    `usual` is its default. It `decides` where what is refused, or what another input may be, hangs on it: of those
    that decide nothing, any one is as good as another to find out whether something is possible.
    """

    one: ir.Declaration
    usual: Closure | None
    candidates: Callable[[Frame], Sequence[Any] | None]
    check: Callable[[Any, Frame], None]
    several: bool
    decides: bool


class Price(NamedTuple):
    """A price, which is paid with points of the actor."""

    cost: ir.Cost
    amount: Closure
    holding: ir.HeldAttribute
    limits: Callable[[Thing, Frame], tuple[int | None, int | None]]
    follow: Follow | None


@dataclass(frozen=True, slots=True)
class Plan:
    """An action or a reaction with all that is asked before its steps, made ready once."""

    deed: ir.Action
    actors: Callable[[Frame], tuple[Any, ...]]
    where: Closure | None
    among: Closure | None
    times: Closure | None
    upgraded_times: Closure | None
    inputs: tuple[ActionInput, ...]
    requires: tuple[tuple[ir.Requirement, Closure], ...]
    prices: tuple[Price, ...]
    counts_as: Closure | None


def plan(walker: Walker, deed: ir.Action) -> Plan:
    """The plan of what somebody does."""
    found = walker.plans.get(id(deed))
    if found is None:
        found = walker.plans[id(deed)] = _planned(walker, deed)
    made: Plan = found
    return made


def _planned(walker: Walker, deed: ir.Action) -> Plan:
    of, up = walker.closures, deed.upgrade
    limits = (deed.limit, up.limit if up is not None else None)
    times = [of.of(limit.times) if limit is not None else None for limit in limits]
    return Plan(
        deed, _taken(walker, deed.actor), some(of, deed.actor.where), some(of, deed.actor.among), times[0], times[1],
        _inputs(walker, deed),
        tuple([(one, of.of(one.condition)) for one in deed.rule.requires]),
        tuple([_price(walker, deed, cost) for cost in deed.costs]),
        some(of, up.counts_as) if up is not None else None,
    )  # fmt: skip


def _price(walker: Walker, deed: ir.Action, cost: ir.Cost) -> Price:
    kind = t.present(deed.actor.type)
    assert isinstance(kind, t.Thing), "somebody does it"
    holding = walker.program.kinds[kind.kind].has[cost.name]
    follow = hooks(walker, holding, ("cost", cost.name), cost.span)
    return Price(cost, walker.closures.of(cost.amount), holding, objects.limits_of(walker.closures, holding), follow)


def _inputs(walker: Walker, deed: ir.Action) -> tuple[ActionInput, ...]:
    of, decide = walker.closures, deciding(deed)
    return tuple(
        ActionInput(
            one, some(of, one.default), _candidates(walker, one), bounded(of, one),
            isinstance(t.present(one.type), t.List), one.name in decide,
        )
        for one in deed.rule.inputs
    )  # fmt: skip


@lru_cache(1024)
def deciding(deed: ir.Action) -> frozenset[str]:
    """The inputs of which it hangs whether something is refused, or what an input after them may be."""
    limits = [deed.limit, deed.upgrade.limit] if deed.upgrade is not None else [deed.limit]
    formulas = [one.condition for one in deed.rule.requires] + [cost.amount for cost in deed.costs]
    formulas += [limit.times for limit in limits if limit is not None]
    if deed.upgrade is not None and deed.upgrade.counts_as is not None:
        formulas.append(deed.upgrade.counts_as)
    read, found = {"upgraded", *_read(formulas)}, set()
    for one in reversed(deed.rule.inputs):
        if one.name in read:
            found.add(one.name)
        read |= _read([one.default, *held_to(one)])
    return frozenset(found)


def _read(formulas: Iterable[ir.Formula | None]) -> frozenset[str]:
    return frozenset[str]().union(*[locals_in(one.body) for one in formulas if one is not None])


MOST_CANDIDATES = 1_000
"""How far a number is written out as what may be chosen."""


def _candidates(walker: Walker, one: ir.Declaration) -> Callable[[Frame], Sequence[Any] | None]:
    """What an input may be, where that can be listed; None where it cannot, as for dice and text."""
    kind, of = t.present(one.type), walker.closures
    where = some(of, one.where)
    if isinstance(kind, t.Thing) or one.among is not None:
        return _taken(walker, one)
    if isinstance(kind, t.YesNo):
        return lambda given: _fitting(where, given, (False, True))
    if isinstance(kind, t.Word):
        words = kind.words
        return lambda given: _fitting(where, given, words)
    if not isinstance(kind, t.Number) or one.low is None or one.high is None:
        return lambda given: None
    low, high = of.of(one.low), of.of(one.high)

    def numbers(given: Frame) -> Sequence[Any] | None:
        lowest, highest = low(given), high(given)
        if lowest is None or highest is None or highest - lowest >= MOST_CANDIDATES:
            return None
        whole = range(lowest, highest + 1)
        return whole if where is None else _fitting(where, given, whole)

    return numbers


def _taken(walker: Walker, one: ir.Declaration) -> Callable[[Frame], tuple[Any, ...]]:
    """What a declaration takes: those that it names, or all things of its kind.

    For a list they are its elements, each as often as it is there, and `where` is asked of the list that is chosen.
    """
    kind = t.present(one.type)
    several = isinstance(kind, t.List)
    among, where = some(walker.closures, one.among), None if several else some(walker.closures, one.where)

    def taken(given: Frame) -> tuple[Any, ...]:
        if among is not None:
            found = among(given)
        else:
            found = given[STATE].of_kind(kind.kind) if isinstance(kind, t.Thing) else ()
        return tuple(found) if several else _fitting(where, given, dict.fromkeys(found))

    return taken


def _fitting(where: Closure | None, given: Frame, among: Iterable[Any]) -> tuple[Any, ...]:
    if where is None:
        return tuple(among)
    inside = dict(given)
    found = []
    for each in among:
        inside[".it"] = each
        if where(inside):
            found.append(each)
    return tuple(found)


# Whether it may be done ------------------------------------------------------------------------------------------


def refusal(of: Plan, given: Frame) -> PlayError | None:
    """Why somebody cannot do something, as far as that can be told before it is said how: who it is, how often."""
    who, deed = given["actor"], of.deed
    if of.where is not None and not of.where({**given, ".it": who}):
        assert deed.actor.where is not None
        return PlayError(say.not_this_actor(deed.actor.where.span, who.id, deed.rule.name))
    if of.among is not None and who not in of.among(given):
        assert deed.actor.among is not None
        return PlayError(say.not_this_actor(deed.actor.among.span, who.id, deed.rule.name))
    if deed.upgrade is not None:
        return None
    problem: PlayError | None = known(lambda at: _often_enough(of, deed.limit, of.times, at), given)
    return problem


def _often_enough(of: Plan, limit: ir.UseLimit | None, times: Closure | None, given: Frame) -> PlayError | None:
    if limit is None or times is None:
        return None
    most = times(given)
    if done(given[STATE].marks, limit.path, given["actor"].id, limit.per) < most:
        return None
    return PlayError(say.done_often_enough(limit.span, of.deed.rule.name, most, limit.per))


def _limit_of(of: Plan, given: Frame) -> tuple[ir.UseLimit | None, Closure | None]:
    up = of.deed.upgrade
    return (up.limit, of.upgraded_times) if up is not None and given.get("upgraded") else (of.deed.limit, of.times)


def prices(of: Plan, given: Frame) -> tuple[dict[str, int], dict[str, int]]:
    """What an action costs, by the name of the points, and what counts as spent."""
    paid = {price.cost.name: price.amount(given) for price in of.prices}
    spent = dict(paid)
    up = of.deed.upgrade
    if up is not None and given.get("upgraded"):
        paid |= dict.fromkeys((name for name in up.waives if name in paid), 0)
        spent |= {name: paid[name] for name in up.waives if name in paid}
        if of.counts_as is not None:
            spent |= dict.fromkeys(up.counted, of.counts_as(given))
    return paid, spent


def refused(of: Plan, given: Frame) -> PlayError | None:
    """Why somebody cannot do something with these inputs: what it requires, what it costs."""
    problem = _often_enough(of, *_limit_of(of, given), given)
    if problem is not None:
        return problem
    paid, given["spent"] = prices(of, given)
    for one, holds in of.requires:
        if not holds(given):
            return PlayError(say.required(one.name, one.condition.span.text, one.span))
    for price in of.prices:
        thing, name = given["actor"], price.cost.name
        low, _ = price.limits(thing, given)
        there = objects.value_at(given[STATE], thing, name, None) - (low or 0)
        if paid[name] < 0:
            return PlayError(say.below_nothing(price.cost.span, "pay", paid[name], f"{thing.id}.{name}"))
        if paid[name] > there:
            return PlayError(say.too_few_points(price.cost.span, f"{thing.id}.{name}", paid[name], there))
    return None


# Every way to do it ----------------------------------------------------------------------------------------------


def ways(of: Plan, given: Frame, place: int, every: bool = True) -> Iterator[Frame]:
    """Every way to fill in the inputs from one place on, each seeing those before it; or only as many as decide.

    An input that cannot be listed, such as a number without bounds, is left out of the frame.
    """
    if place == len(of.inputs):
        yield given
        return
    one = of.inputs[place]
    name = one.one.name
    default = known(one.usual, given) if one.usual is not None else None
    options = None if one.several else known(one.candidates, given)
    if options is None and default is None:
        yield from ways(of, {**given, name: None} if one.one.optional else given, place + 1, every)
        return
    usual = () if one.one.required or default in (options or ()) else (default,)
    values = (*usual, *(options or ()))
    for value in values if every or one.decides else values[:1]:
        yield from ways(of, {**given, name: value}, place + 1, every)


MOST_TRIED = 10_000
"""How many combinations of inputs are tried to find out whether an action is possible at all."""


def can_be(of: Plan, given: Frame, place: int, value: Any) -> bool:
    """Whether an input may have a value: with it, there is a way to fill in those after it that is not refused."""
    return _any_way(of, {**given, of.inputs[place].one.name: value}, place + 1)


def can_be_done(of: Plan, given: Frame) -> bool:
    """Whether the actor of a frame can do something in any way."""
    return bool(in_its_scene(lambda: refusal(of, given) is None and _any_way(of, given, 0)))


def _any_way(of: Plan, given: Frame, place: int) -> bool:
    for tried, way in enumerate(ways(of, given, place, every=False)):
        if tried == MOST_TRIED:
            return False
        if known(lambda inside: refused(of, inside), way) is None:
            return True
    return False


def in_its_scene(work: Callable[[], Any]) -> Any:
    """What comes of it; None where it asks of the scene under way, and none is."""
    try:
        return work()
    except PlayError as problem:
        if problem.diagnostic.code != say.NO_SCENE:
            raise
        return None


def known(work: Callable[[Frame], Any], given: Frame) -> Any:
    """What comes of it; None where it hangs on an input that cannot be listed."""
    try:
        return work(given)
    except KeyError:
        return None


# Doing it --------------------------------------------------------------------------------------------------------


def acted(walker: Walker, deed: ir.Action, given: Frame, run: Run) -> Walk:
    """Somebody does something, from a frame with the `actor`: its inputs, its price, its steps. Its value is a record.

    An input that the frame does not have is asked of the actor. Raises PlayError where it is refused.
    """
    yield from begun(walker, deed, given, run)
    record: Record = yield from walker.rule(deed.rule, tested=True)(given, run)
    return record


def begun(walker: Walker, deed: ir.Action, given: Frame, run: Run) -> Walk:
    """An action up to its steps: what it is given, whether it may be done, and its price, which is paid."""
    of, rule, who = plan(walker, deed), deed.rule, given["actor"]
    problem = refusal(of, given)
    if problem is not None:
        raise problem
    for place, one in enumerate(of.inputs):
        value = given.get(one.one.name)
        if value is None:
            value = yield from _input(walker, of, place, given, run)
        given[one.one.name] = value
        one.check(value, given)
    problem = refused(of, given)
    if problem is not None:
        raise problem
    run.tell("act", rule, (who, dict(given)), above=1)
    paid, _ = prices(of, given)
    for price in of.prices:
        name = price.cost.name
        how = objects.moved(walker.closures, given, who, price.holding, None, paid[name], True)
        move = Move(price.cost, who, name, None, how, True)
        yield from moved(walker.closures, given, run, move, price.holding, price.follow)
    limit, _ = _limit_of(of, given)
    if limit is not None:
        given[STATE] = marked(given[STATE], limit.path, who.id, limit.per)


def _input(walker: Walker, of: Plan, place: int, given: Frame, run: Run) -> Walk:
    """An input that nobody gave: asked of the actor where there is something to choose, else its default.

    What would be refused, whatever the inputs after it, is no choice.
    """
    one = of.inputs[place].one
    usual = of.inputs[place].usual
    default = usual(given) if usual is not None else None
    choice = _choice_of(walker, of, place, given, run.prefix + one.name, default)
    if choice is not None and choice.kind == "yes_no" and one.where is not None:
        fitting = of.inputs[place].candidates(given) or ()
        if not fitting:
            raise PlayError(say.no_candidate(one.span, one.name))
        if len(fitting) == 1:
            return fitting[0]
    if choice is not None and choice.kind != "some" and of.inputs[place].decides:
        options = (False, True) if choice.options is None else choice.options
        open_ = tuple([value for value in options if can_be(of, given, place, value)])
        if choice.options is None and len(open_) == 1 and (OFFERED in given or open_[0] == default):
            return open_[0]
        if choice.options is not None and open_ and len(open_) < len(options):
            choice.options = open_
    if choice is None:
        if one.required:
            raise PlayError(say.missing_input(one.name, "this action", one.about or "it has no default"))
        return default
    if choice.options is not None and (not choice.options or choice.least > choice.most):
        if not one.required:
            return default
        if choice.kind == "some" and choice.least <= 0:
            return ()
        raise PlayError(say.no_candidate(one.span, one.name))
    if choice.kind != "some" and choice.options is not None and len(choice.options) == 1 and one.required:
        return choice.options[0]
    return (yield from asked(run, choice, given))


def _choice_of(walker: Walker, plan: Plan, place: int, given: Frame, path: str, default: Any) -> Choice | None:
    of, one = walker.closures, plan.inputs[place].one
    answers: Mapping[str, ir.Formula] = plan.deed.answers.get(one.name, {})
    yes_no = isinstance(t.present(one.type), t.YesNo)
    options = None if yes_no else plan.inputs[place].candidates(given)
    if options is None and not yes_no:
        return None
    by = of.of(one.by)(given).id if isinstance(one.by, ir.Formula) else one.by or given["actor"].id
    said = policies_say(of, answers, given)
    if isinstance(t.present(one.type), t.List) and options is not None:
        few = of.of(one.fewest)(given) if one.fewest is not None else 0
        many = min(of.of(one.most)(given), len(options)) if one.most is not None else len(options)
        return Choice(
            path, "some", by, one.about, options, few, many, default, not one.required, said=said, at=one.path
        )
    kind = "yes_no" if yes_no else "number" if isinstance(options, range) else "one"
    meanings = dict(one.meanings)
    return Choice(path, kind, by, one.about, options, 0, 1, default, not one.required, meanings, said, at=one.path)
