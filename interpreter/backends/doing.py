"""What somebody does: whether it may be done, with which inputs, at which price; then its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir, things
from interpreter import types as t
from interpreter.backends.changes import Move, hooks, moved, policies_say
from interpreter.backends.choosing import asked
from interpreter.backends.requests import Choice
from interpreter.backends.walk import Event, Record, Run, Walk, Walker
from interpreter.closures import Closures, Frame
from interpreter.declared import bounded
from interpreter.diagnostics import PlayError
from interpreter.state import STATE, done, marked

OFFERED = ".offered"
"""What the frame of an action holds that was picked from an offer: then what is left to say of it is understood."""


def taken(of: Closures, one: ir.Declaration, given: Frame) -> tuple[Any, ...]:
    """The things that a declaration takes: those it names, or all of their kind, each once."""
    kind = t.present(one.type)
    if one.among is not None:
        found = of.of(one.among)(given)
    else:
        found = given[STATE].of_kind(kind.kind) if isinstance(kind, t.Thing) else ()
    where = of.of(one.where) if one.where is not None else None
    return tuple(dict.fromkeys(each for each in found if where is None or where({**given, ".it": each})))


def refusal(of: Closures, deed: ir.Deed, given: Frame) -> PlayError | None:
    """Why somebody cannot do something, as far as that can be told before it is said how: who it is, how often."""
    who, rule = given["actor"], deed.rule
    if deed.actor.where is not None and not of.of(deed.actor.where)({**given, ".it": who}):
        return PlayError(say.not_this_actor(deed.actor.where.span, who.id, rule.name))
    if deed.actor.among is not None and who not in of.of(deed.actor.among)(given):
        return PlayError(say.not_this_actor(deed.actor.among.span, who.id, rule.name))
    return _often_enough(of, deed.limit, rule.name, given) if deed.upgrade is None else None


def _often_enough(of: Closures, limit: ir.Limit | None, name: str, given: Frame) -> PlayError | None:
    if limit is None:
        return None
    most = of.of(limit.times)(given)
    if done(given[STATE], limit.path, given["actor"].id, limit.per) < most:
        return None
    return PlayError(say.done_often_enough(limit.span, name, most, limit.per))


def _limit_of(deed: ir.Deed, given: Frame) -> ir.Limit | None:
    return deed.upgrade.limit if deed.upgrade is not None and given.get("upgraded") else deed.limit


def prices(of: Closures, deed: ir.Deed, given: Frame) -> tuple[dict[str, int], dict[str, int]]:
    """What an action costs, by the name of the points, and what counts as spent."""
    paid = {cost.name: of.of(cost.amount)(given) for cost in deed.costs}
    spent = dict(paid)
    up = deed.upgrade
    if up is not None and given.get("upgraded"):
        paid |= dict.fromkeys((name for name in up.waives if name in paid), 0)
        spent |= {name: paid[name] for name in up.waives if name in paid}
        if up.counts_as is not None:
            spent |= dict.fromkeys(up.counted, of.of(up.counts_as)(given))
    return paid, spent


def refused(walker: Walker, deed: ir.Deed, given: Frame) -> PlayError | None:
    """Why somebody cannot do something with these inputs: what it requires, what it costs."""
    of = walker.closures
    problem = _often_enough(of, _limit_of(deed, given), deed.rule.name, given)
    if problem is not None:
        return problem
    paid, given["spent"] = prices(of, deed, given)
    for one in deed.rule.requires:
        if not of.of(one.condition)(given):
            return PlayError(say.required(one.name, one.condition.span.text, one.span))
    for cost in deed.costs:
        thing, holding = given["actor"], of.program.kinds[given["actor"].kind].has[cost.name]
        low, _ = things.limits(of, thing, holding, given, given[STATE])
        there = things.value_at(given[STATE], thing, cost.name, None) - (low or 0)
        price = paid[cost.name]
        if price < 0:
            return PlayError(say.below_nothing(cost.span, "pay", price))
        if price > there:
            return PlayError(say.too_few_points(cost.span, f"{thing.id}.{cost.name}", price, there))
    return None


def acted(walker: Walker, deed: ir.Deed, given: Frame, run: Run) -> Walk:
    """Somebody does something, from a frame with the `actor`: its inputs, its price, its steps. Its value is a record.

    An input that the frame does not have is asked of the actor. Raises PlayError where it is refused.
    """
    yield from begun(walker, deed, given, run)
    record: Record = yield from walker.rule(deed.rule, tested=True)(given, run)
    return record


def begun(walker: Walker, deed: ir.Deed, given: Frame, run: Run) -> Walk:
    """An action up to its steps: what it is given, whether it may be done, and its price, which is paid."""
    of, rule, who = walker.closures, deed.rule, given["actor"]
    problem = refusal(of, deed, given)
    if problem is not None:
        raise problem
    for place, one in enumerate(rule.inputs):
        value = given.get(one.name)
        if value is None:
            value = yield from _input(walker, deed, place, given, run)
        given[one.name] = value
        bounded(of, one)(value, given)
    problem = refused(walker, deed, given)
    if problem is not None:
        raise problem
    run.events.append(Event("act", rule, (who, dict(given)), run.depth - 1))
    paid, _ = prices(of, deed, given)
    for cost in deed.costs:
        holding, price = of.program.kinds[who.kind].has[cost.name], paid[cost.name]
        how = things.moved(of, given, who, holding, None, price, True)
        follow = hooks(walker, holding, ("cost", cost.name), cost.span)
        yield from moved(of, given, run, Move(cost, who, cost.name, None, how, True), holding, follow)
    limit = _limit_of(deed, given)
    if limit is not None:
        given[STATE] = marked(given[STATE], limit.path, who.id, limit.per)


def _input(walker: Walker, deed: ir.Deed, place: int, given: Frame, run: Run) -> Walk:
    """An input that nobody gave: asked of the actor where there is something to choose, else its default.

    What would be refused, whatever the inputs after it, is no choice.
    """
    from interpreter.backends.possible import can_be

    of, one = walker.closures, deed.rule.inputs[place]
    default = of.of(one.default)(given) if one.default is not None else None
    choice = _choice_of(of, one, given, run.prefix + one.name, default, deed.answers.get(one.name, {}))
    if choice is not None and choice.kind != "some":
        options = (False, True) if choice.options is None else choice.options
        open_ = tuple(value for value in options if can_be(walker, deed, given, place, value))
        if choice.options is None and len(open_) == 1 and (OFFERED in given or open_[0] == default):
            return open_[0]
        if choice.options is not None and open_ and len(open_) < len(options):
            choice.options = open_
    if choice is None:
        if one.required:
            raise PlayError(say.missing_input(one.name, "this action", one.about or "it has no default"))
        return default
    if not choice.options and choice.options is not None:
        if not one.required:
            return default
        raise PlayError(say.no_candidate(one.span, one.name))
    if choice.kind != "some" and choice.options is not None and len(choice.options) == 1 and one.required:
        return choice.options[0]
    return (yield from asked(run, choice, given))


def _choice_of(
    of: Closures, one: ir.Declaration, given: Frame, path: str, default: Any, answers: Mapping[str, ir.Formula]
) -> Choice | None:
    yes_no = isinstance(t.present(one.type), t.YesNo)
    options = None if yes_no else candidates(of, one, given)
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


MOST_CANDIDATES = 1_000
"""How far a number is written out as what may be chosen."""


def candidates(of: Closures, one: ir.Declaration, given: Frame) -> Sequence[Any] | None:
    """What an input may be, where that can be listed; None where it cannot, as for dice and text."""
    kind = t.present(one.type)
    if isinstance(kind, t.Thing) or one.among is not None:
        return taken(of, one, given)
    if isinstance(kind, t.YesNo):
        return _fitting(of, one, given, (False, True))
    if isinstance(kind, t.Word):
        return _fitting(of, one, given, kind.words)
    if isinstance(kind, t.Number):
        low = of.of(one.low)(given) if one.low is not None else None
        high = of.of(one.high)(given) if one.high is not None else None
        if low is not None and high is not None and high - low < MOST_CANDIDATES:
            whole = range(low, high + 1)
            return whole if one.where is None else _fitting(of, one, given, whole)
    return None


def _fitting(of: Closures, one: ir.Declaration, given: Frame, among: Sequence[Any]) -> Sequence[Any]:
    where = of.of(one.where) if one.where is not None else None
    return tuple(each for each in among if where is None or where({**given, ".it": each}))
