"""Steps that change what lasts, events and what answers them, and what things do: the rest of the walk.

The state stands in the frame and is exchanged there, never changed: a rule that is refused leaves the old one as it
was. An event is done in this order: reactions before it, each of them on the event as changed so far; its steps;
reactions after it. What is automatic comes first, then the order of the file; those who may react are asked one by
one, once for each event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir, things
from interpreter import types as t
from interpreter.backends.requests import Choice, checked
from interpreter.backends.walk import Event, Record, Run, Walk, Walker, inner_steps, kept, walked
from interpreter.closures import Closures, Frame, frame
from interpreter.declared import bounded
from interpreter.diagnostics import PlayError
from interpreter.source import Span
from interpreter.state import STATE, Pending, done, marked, without
from interpreter.values import Thing, in_words

Do = Callable[[Frame, Run], Walk]
MOST_NESTED = 60
"""How deep events may be caused by events."""
CANCELLED = ".cancelled"
"""What the record of an event holds once a reaction has cancelled it."""


def effect(walker: Walker, action: ir.Effect, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """The walk of a step that changes something."""
    match action:
        case ir.Shift():
            return _shift(walker, action, step, trail)
        case ir.Pay():
            return _pay(walker, action, step, trail)
        case ir.Assign():
            return _assign(walker, action, step)
        case ir.Include():
            return _include(walker, action, step)
        case ir.Exclude():
            return _exclude(walker, action, step)
        case ir.Make():
            return _make(walker, action, step)
        case ir.Destroy():
            return _destroy(walker, action, step)
        case ir.Cause():
            return _cause(walker, action, step, trail)
        case ir.Act():
            return _act(walker, action, step, trail)
        case ir.Offer():
            return _offer(walker, action, step, trail)
        case ir.Change():
            return _change(walker, action, step)
        case ir.Cancel():
            return _cancel


# Points, tracks, values ------------------------------------------------------------------------------------------


def _place(walker: Walker, spot: ir.Spot) -> tuple[ir.Holding, Callable[[Frame], tuple[Thing, Any]]]:
    """What is declared of a place, and which thing and key it is in a frame. Raises PlayError for one that is gone."""
    one = walker.program.kinds[spot.kind].has[spot.name]
    thing = walker.closures.of(spot.thing)
    key = walker.closures.of(spot.key) if spot.key is not None else None

    def at(given: Frame) -> tuple[Thing, Any]:
        found: Thing = thing(given)
        if found.id not in given[STATE].things:
            raise PlayError(say.no_such_thing(spot.span, found.id))
        return found, key(given) if key is not None else None

    return one, at


def _shift(walker: Walker, action: ir.Shift, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    one, at = _place(walker, action.spot)
    amount, down, span = of.of(action.amount), action.down, action.amount.span
    follow = _hooks(walker, one, trail, action.spot.span)

    def shift(given: Frame, run: Run) -> Walk:
        thing, key = at(given)
        by = amount(given)
        if by < 0:
            raise PlayError(say.below_nothing(span, "lose" if down else "gain", by))
        how = things.moved(of, given, thing, one, key, by, down)
        if how.excess and one.refuses and not down:
            where = things.in_sentence(thing, one.name, key)
            raise PlayError(say.past_full(action.spot.span, where, how.after, by))
        yield from _move(of, given, run, Move(step, thing, one.name, key, how, down), one, follow)
        return _record(how, by)

    return shift


def _record(how: things.Moved, by: int) -> Record:
    moved = by - how.excess
    return {"happened": True, "before": how.before, "after": how.after, "amount": moved, "excess": how.excess}


Follow = Callable[[str, Thing, things.Moved, Frame, Run], Walk]


class Move(NamedTuple):
    """A number that something has goes up or down, because of a step or a price."""

    node: ir.Step | ir.Cost
    thing: Thing
    name: str
    key: Any
    how: things.Moved
    down: bool


def _move(of: Closures, given: Frame, run: Run, move: Move, one: ir.Holding, follow: Follow | None) -> Walk:
    """Put a changed number where it belongs, and do what follows."""
    thing, how = move.thing, move.how
    what = things.reached(of, given, thing, one, how, move.down)
    given[STATE] = things.changed(of, given, thing, one.name, move.key, how.after)
    run.events.append(Event("move", move.node, (move, what), run.depth))
    if what is not None and follow is not None:
        yield from follow(what, thing, how, given, run)


def _hooks(walker: Walker, one: ir.Holding, trail: tuple[str, ...], span: Span) -> Follow | None:
    """What is done when a bound is reached, if anything is said of that."""
    said = {"when_full": one.when_full, "when_hit_full": one.when_hit_full, "when_empty": one.when_empty}
    if not any(said.values()):
        return None

    def follow(what: str, thing: Thing, how: things.Moved, given: Frame, run: Run) -> Walk:
        if not said[what]:
            return
        compiled = walker.hook(f"{one.path}.{what}", said[what])
        inside = {**_outside(given), "owner": thing, "excess": how.excess, "before": how.before}
        with _deeper(run, one.name, ".".join(trail) + ".", span):
            yield from walked(compiled, inside, run)
        given[STATE] = inside[STATE]

    return follow


class _deeper:
    """One level further down: in the trace, in the keys of choices, and in how far events may be nested."""

    def __init__(self, run: Run, name: str, prefix: str, span: Span) -> None:
        self.run, self.name, self.prefix, self.span = run, name, prefix, span

    def __enter__(self) -> None:
        self.outer = self.run.prefix
        self.run.nested += 1
        if self.run.nested > MOST_NESTED:
            raise PlayError(say.without_end(self.span, self.name))
        self.run.prefix = self.outer + self.prefix
        self.run.depth += 1

    def __exit__(self, *_: object) -> None:
        self.run.nested -= 1
        self.run.prefix = self.outer
        self.run.depth -= 1


def _outside(given: Frame) -> Frame:
    """A frame that sees nothing but the state."""
    return {**frame(given[".meter"]), STATE: given[STATE]}


def _pay(walker: Walker, action: ir.Pay, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    purses = [(*_place(walker, spot), of.of(rate) if rate is not None else None) for spot, rate in action.purses]
    follows = [_hooks(walker, one, trail, action.amount.span) for one, _, _ in purses]
    amount, span = of.of(action.amount), action.amount.span
    path = ".".join(trail)

    def pay(given: Frame, run: Run) -> Walk:
        price = amount(given)
        if price < 0:
            raise PlayError(say.below_nothing(span, "pay", price))
        there = []
        for one, at, rate in purses:
            thing, key = at(given)
            low, _ = things.limits(of, thing, one, given, given[STATE])
            has = things.value_at(given[STATE], thing, one.name, key) - (low or 0)
            there.append((thing, key, max(has, 0), rate(given) if rate is not None else 1))
        mixes = _mixes(price, [(has, worth) for _, _, has, worth in there])
        if not mixes:
            if action.may_refuse:
                return _unpaid(there, price)
            raise _too_few(action, price, there, [one for one, _, _ in purses])
        if action.may_refuse and price > 0:
            payer = str(of.of(action.payer)(given).id)
            said = _said(of, action.answers, given)
            choice = Choice(run.prefix + path, "yes_no", payer, "", None, 0, 1, True, True, said=said)
            if not (yield from _asked(run, choice)):
                return _unpaid(there, price)
        mix = mixes[0]
        if len(mixes) > 1:
            payer = str(of.of(action.payer)(given).id)
            ways = [_mix_in_words(one, [holding.name for holding, _, _ in purses]) for one in mixes]
            question = "Which points?"
            choice = Choice(f"{run.prefix}{path}.mix", "one", payer, question, ways, 0, 1, ways[0], True)
            mix = mixes[ways.index((yield from _asked(run, choice)))]
        before = sum(has for _, _, has, _ in there)
        for (one, _, _), (thing, key, _, _), number, follow in zip(purses, there, mix, follows, strict=True):
            how = things.moved(of, given, thing, one, key, number, True)
            if number or len(mix) == 1:
                yield from _move(of, given, run, Move(step, thing, one.name, key, how, True), one, follow)
        spent = sum(mix)
        return {"happened": True, "before": before, "after": before - spent, "amount": spent, "excess": 0}

    return pay


def _unpaid(there: Sequence[tuple[Thing, Any, int, int]], price: int) -> Record:
    before = sum(has for _, _, has, _ in there)
    return {"happened": False, "before": before, "after": before, "amount": 0, "excess": price}


def _too_few(
    action: ir.Pay, price: int, there: Sequence[tuple[Thing, Any, int, int]], ones: Sequence[ir.Holding]
) -> PlayError:
    span = action.purses[0][0].span
    if len(there) == 1:
        thing, key, has, _ = there[0]
        return PlayError(say.too_few_points(span, things.in_sentence(thing, ones[0].name, key), price, has))
    return PlayError(say.no_mix_pays(span, price, sum(has * worth for _, _, has, worth in there)))


def _mixes(price: int, purses: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Every way to pay that takes no more than it must: without any one of the points it would be too little.

    No change is given, so a mix may be worth more than the price. The first purses are spent first.
    """
    if price <= 0:
        return [(0,) * len(purses)]
    found: list[tuple[int, ...]] = []

    def fill(taken: tuple[int, ...], left: int) -> None:
        if len(found) >= 1000:
            return
        if len(taken) == len(purses):
            if left <= 0 and all(n == 0 or left + worth > 0 for n, (_, worth) in zip(taken, purses, strict=True)):
                found.append(taken)
            return
        has, worth = purses[len(taken)]
        most = min(has, -(-left // worth)) if left > 0 and worth > 0 else 0
        for number in range(most, -1, -1):
            fill((*taken, number), left - number * worth)

    fill((), price)
    return found


def _mix_in_words(mix: Sequence[int], names: Sequence[str]) -> str:
    return " and ".join(f"{number} {name}" for number, name in zip(mix, names, strict=True) if number)


def _assign(walker: Walker, action: ir.Assign, step: ir.Step) -> Do:
    of = walker.closures
    one, at = _place(walker, action.spot)
    value = of.of(action.value)

    def assign(given: Frame, run: Run) -> Walk:
        thing, key = at(given)
        before, after = things.value_at(given[STATE], thing, one.name, key), value(given)
        with say.placed({one.name: action.value.span}):
            if one.counter:
                low, high = things.limits(of, thing, one, given, given[STATE])
                if (low is not None and after < low) or (high is not None and after > high):
                    raise PlayError(say.out_of_bounds(say.NOWHERE, one.name, after, low, high))
            else:
                things.checked_value(of, given, thing, one, {key: after} if key is not None else after)
        given[STATE] = things.changed(of, given, thing, one.name, key, after)
        where = things.in_sentence(thing, one.name, key)
        run.events.append(Event("set", step, (where, before, after), run.depth))
        return {"happened": True, "before": before, "after": after}
        yield  # a walk that asks for nothing is a walk all the same

    return assign


def _include(walker: Walker, action: ir.Include, step: ir.Step) -> Do:
    of = walker.closures
    one, at = _place(walker, action.spot)
    value = of.of(action.value)
    lasts = action.lasts
    rounds = of.of(lasts) if isinstance(lasts, ir.Formula) else None

    def include(given: Frame, run: Run) -> Walk:
        thing, key = at(given)
        element = value(given)
        held = things.value_at(given[STATE], thing, one.name, key)
        where = things.in_sentence(thing, one.name, key)
        if one.declared.among is not None and element in held:
            raise PlayError(say.there_already(action.value.span, where, in_words(element)))
        until = rounds(given) if rounds is not None else lasts if isinstance(lasts, str) else None
        state = things.included(given[STATE], thing, one.name, element, until)
        with say.placed({one.name: action.value.span}):
            things.checked_value(of, {**given, STATE: state}, thing, one, state.things[thing.id].values[one.name])
        given[STATE] = things.changed(of, {**given, STATE: state}, thing, one.name, None, (*held, element))
        run.events.append(Event("include", step, (where, element, until), run.depth))
        return {"happened": True}
        yield  # a walk that asks for nothing is a walk all the same

    return include


def _exclude(walker: Walker, action: ir.Exclude, step: ir.Step) -> Do:
    of = walker.closures
    one, at = _place(walker, action.spot)
    value = of.of(action.value)

    def exclude(given: Frame, run: Run) -> Walk:
        thing, key = at(given)
        element = value(given)
        without_it = things.excluded(given[STATE], thing, one.name, element)
        told = (things.in_sentence(thing, one.name, key), element, without_it is not None)
        run.events.append(Event("exclude", step, told, run.depth))
        if without_it is None:
            return {"happened": False}
        left = without_it.things[thing.id].values[one.name]
        given[STATE] = things.changed(of, {**given, STATE: without_it}, thing, one.name, None, left)
        return {"happened": True}
        yield  # a walk that asks for nothing is a walk all the same

    return exclude


def _make(walker: Walker, action: ir.Make, step: ir.Step) -> Do:
    of = walker.closures
    values = [(name, of.of(formula)) for name, formula in action.given]

    def make(given: Frame, run: Run) -> Walk:
        if len(given[STATE].things) >= run.budget.things:
            raise PlayError(say.budget_spent(step.span, "things", run.budget.things))
        thing = Thing(things.fresh_name(given[STATE], action.kind), action.kind)
        with say.placed({name: formula.span for name, formula in action.given}):
            with_ = {name: value(given) for name, value in values}
            given[STATE] = things.made(of, given, thing, nested(with_))
        run.events.append(Event("make", step, (thing, with_), run.depth))
        return thing
        yield  # a walk that asks for nothing is a walk all the same

    return make


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values whose names have dots in them, each under the part that it belongs to."""
    made: dict[str, Any] = {}
    for name, value in values.items():
        *parts, last = name.split(".")
        inside = made
        for part in parts:
            inside = inside.setdefault(part, {})
        inside[last] = value
    return made


def _destroy(walker: Walker, action: ir.Destroy, step: ir.Step) -> Do:
    thing = walker.closures.of(action.thing)

    def destroy(given: Frame, run: Run) -> Walk:
        gone = thing(given)
        there = gone.id in given[STATE].things
        given[STATE] = without(given[STATE], gone)
        run.events.append(Event("destroy", step, (gone, there), run.depth))
        return {"happened": there}
        yield  # a walk that asks for nothing is a walk all the same

    return destroy


# Events ----------------------------------------------------------------------------------------------------------


def _cause(walker: Walker, action: ir.Cause, step: ir.Step, trail: tuple[str, ...]) -> Do:
    event = walker.program.events[action.event]
    passed = {name: walker.closures.of(formula) for name, formula in action.given}
    place = ".".join(trail) + "."

    later = action.later
    rounds = walker.closures.of(later) if isinstance(later, ir.Formula) else None

    def cause(given: Frame, run: Run) -> Walk:
        inside = _outside(given)
        if later is not None:
            values = tuple((key, value(given)) for key, value in passed.items())
            when = (
                Pending(event.name, values, "rounds", rounds(given))
                if rounds
                else Pending(event.name, values, str(later))
            )
            given[STATE] = replace(given[STATE], pending=(*given[STATE].pending, when))
            return {"happened": False}
        _give(walker.closures, event.inputs, {key: value(given) for key, value in passed.items()}, inside)
        with _deeper(run, action.event, place, step.span):
            record = yield from happening(walker, event, step, inside, run)
        given[STATE] = inside[STATE]
        return record

    return cause


def _act(walker: Walker, action: ir.Act, step: ir.Step, trail: tuple[str, ...]) -> Do:
    deed = walker.program.actions[action.action]
    actor = walker.closures.of(action.actor)
    passed = {name: walker.closures.of(formula) for name, formula in action.given}
    place = ".".join(trail) + "."

    def act(given: Frame, run: Run) -> Walk:
        values = {name: value(given) for name, value in passed.items()}
        inside = {**_outside(given), "actor": actor(given), **values}
        with _deeper(run, action.action, place, step.span):
            record = yield from acted(walker, deed, inside, run)
        given[STATE] = inside[STATE]
        return record

    return act


OFFERED = ".offered"
"""What the frame of an action holds that was picked from an offer: then what is left to say of it is understood."""

MOST_OFFERED = 100
"""How often one offer is made where its ruleset sets no limit."""


def _offer(walker: Walker, action: ir.Offer, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    to = of.of(action.to)
    most = of.of(action.most) if action.most is not None else None
    path = ".".join(trail)

    def offer(given: Frame, run: Run) -> Walk:
        from interpreter.backends.possible import possible

        who, done_so_far = to(given), []
        for _ in range(most(given) if most is not None else MOST_OFFERED):
            open_ = [one.action for one in possible(walker, given[STATE], who) if one.action in action.actions]
            if not open_:
                break
            said = _said(of, action.answers, given)
            choice = Choice(run.prefix + path, "one", who.id, "", (*open_, "pass"), 0, 1, "pass", True, {}, said)
            chosen = yield from _asked(run, choice)
            if chosen == "pass":
                break
            inside = {**_outside(given), "actor": who, OFFERED: True}
            with _deeper(run, chosen, f"{path}.{chosen}.", step.span):
                yield from acted(walker, walker.program.actions[chosen], inside, run)
            given[STATE] = inside[STATE]
            done_so_far.append(chosen)
        return tuple(done_so_far)

    return offer


def _give(of: Closures, inputs: Sequence[ir.Declaration], values: Mapping[str, Any], inside: Frame) -> None:
    """Bind the inputs of a rule: what was passed, else the default, all as they are declared."""
    for one in inputs:
        value = values.get(one.name)
        if value is None and one.default is not None:
            value = of.of(one.default)(inside)
        inside[one.name] = value
        bounded(of, one)(value, inside)


def happening(walker: Walker, event: ir.Mechanic, step: ir.Step | None, inside: Frame, run: Run) -> Walk:
    """An event from a frame with its inputs: what answers it before, its steps, what answers it after.

    `step` is what causes it, if anything does.
    """
    run.events.append(Event("cause", event, (step, dict(inside)), run.depth - 1))
    record = {one.name: inside[one.name] for one in event.inputs}
    for reaction in _answering(walker, event, True):
        record = yield from _answered(walker, reaction, record, inside, run)
        if CANCELLED in record:
            run.events.append(Event("cancel", event, reaction.deed.rule.name, run.depth))
            return {key: None for key, _ in event.type.fields} | {"happened": False}
    inside.update(record)
    came: Record = yield from walker.rule(event)(inside, run)
    record = {one.name: inside[one.name] for one in event.inputs}
    for reaction in _answering(walker, event, False):
        yield from _answered(walker, reaction, {**record, **came}, inside, run)
    return {**came, "happened": True}


def _answering(walker: Walker, event: ir.Mechanic, before: bool) -> list[ir.Reaction]:
    """What answers an event, in order: what is automatic first."""
    found = [one for one in walker.program.reactions.values() if event.name in one.events and one.before is before]
    return sorted(found, key=lambda one: not one.automatic)


def _answered(walker: Walker, reaction: ir.Reaction, record: Record, inside: Frame, run: Run) -> Walk:
    """Everybody who may react does or does not, one after the other; the event as they leave it."""
    of, deed = walker.closures, reaction.deed
    name = deed.rule.name
    outer = {**_outside(inside), "event": record}
    for who in _candidates(of, deed.actor, outer):
        given = {**_outside(inside), "event": record, "actor": who}
        if refusal(of, deed, given) is not None:
            continue
        if not deed.rule.inputs and refused(walker, deed, given) is not None:
            continue
        if not reaction.automatic:
            choice = Choice(
                f"{run.prefix}{name}", "yes_no", who.id, deed.rule.title, None, 0, 1, False, True,
                said=_said(of, reaction.answers, given),
            )  # fmt: skip
            if not (yield from _asked(run, choice)):
                run.events.append(Event("declined", deed.rule, who, run.depth))
                continue
        with _deeper(run, name, f"{name}.", deed.rule.span):
            yield from acted(walker, deed, given, run)
        record = given["event"]
        inside[STATE] = given[STATE]
        if CANCELLED in record:
            break
    return record


def _said(of: Closures, answers: Mapping[str, ir.Formula], given: Frame) -> dict[str, Callable[[], Any]]:
    """What each policy of the ruleset answers to a choice that is asked from a frame."""
    return {policy: partial(of.of(formula), given) for policy, formula in answers.items()}


def _change(walker: Walker, action: ir.Change, step: ir.Step) -> Do:
    values = [(name, walker.closures.of(formula)) for name, formula in action.given]

    def change(given: Frame, run: Run) -> Walk:
        before, after = given["event"], {name: value(given) for name, value in values}
        given["event"] = {**before, **after}
        told = {name: (before[name], value) for name, value in after.items()}
        run.events.append(Event("change", step, told, run.depth))
        return {"happened": True}
        yield  # a walk that asks for nothing is a walk all the same

    return change


def _cancel(given: Frame, run: Run) -> Walk:
    given["event"] = {**given["event"], CANCELLED: True}
    return {"happened": True}
    yield  # a walk that asks for nothing is a walk all the same


# Actions ---------------------------------------------------------------------------------------------------------


def _candidates(of: Closures, one: ir.Declaration, given: Frame) -> tuple[Any, ...]:
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
        follow = _hooks(walker, holding, ("cost", cost.name), cost.span)
        yield from _move(of, given, run, Move(cost, who, cost.name, None, how, True), holding, follow)
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
    return (yield from _asked(run, choice))


def _choice_of(
    of: Closures, one: ir.Declaration, given: Frame, path: str, default: Any, answers: Mapping[str, ir.Formula]
) -> Choice | None:
    yes_no = isinstance(t.present(one.type), t.YesNo)
    options = None if yes_no else candidates(of, one, given)
    if options is None and not yes_no:
        return None
    by = of.of(one.by)(given).id if isinstance(one.by, ir.Formula) else one.by or given["actor"].id
    said = _said(of, answers, given)
    if isinstance(t.present(one.type), t.List) and options is not None:
        few = of.of(one.fewest)(given) if one.fewest is not None else 0
        many = min(of.of(one.most)(given), len(options)) if one.most is not None else len(options)
        return Choice(path, "some", by, one.about, options, few, many, default, not one.required, said=said)
    kind = "yes_no" if yes_no else "number" if isinstance(options, range) else "one"
    meanings = dict(one.meanings)
    return Choice(path, kind, by, one.about, options, 0, 1, default, not one.required, meanings, said)


MOST_CANDIDATES = 1_000
"""How far a number is written out as what may be chosen."""


def candidates(of: Closures, one: ir.Declaration, given: Frame) -> Sequence[Any] | None:
    """What an input may be, where that can be listed; None where it cannot, as for dice and text."""
    kind = t.present(one.type)
    if isinstance(kind, t.Thing) or one.among is not None:
        return _candidates(of, one, given)
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


def _asked(run: Run, choice: Choice) -> Walk:
    """The answer of somebody, noted."""
    answer = checked(choice, (yield choice))
    run.choices.append((choice.path, answer))
    run.events.append(Event("choice", choice, answer, run.depth))
    return answer


def for_each(walker: Walker, action: ir.ForEach, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """The steps for each element of a list as it was in the beginning."""
    of = walker.closures
    among, where = of.of(action.among), of.of(action.where) if action.where is not None else None
    each = inner_steps(walker, action.each, trail)
    name = action.name
    listed = isinstance(action.among.type, t.Map)

    def go_through(given: Frame, run: Run) -> Walk:
        found: dict[Any, Any] = {}
        inside = dict(given)
        elements = among(given)
        for element in elements.values() if listed else elements:
            if where is not None and not where({**inside, ".it": element}):
                found.setdefault(element, None)
                continue
            inside[name] = element
            run.events.append(Event("each", step, (name, element), run.depth))
            run.depth += 1
            yield from walked(each, inside, run)
            run.depth -= 1
            found[element] = {one.name: inside[one.name] for one in action.each}
        kept(inside, given)
        return found

    return go_through
