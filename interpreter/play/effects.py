"""Steps that change the state: points and tracks, attributes of objects, lists, the objects themselves.

The frame holds the state, which is frozen: a step replaces it, so a rule that is refused leaves the old one as it
was. Steps that follow when a bound is reached run at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir.by_word import purse_name
from interpreter.ir.traversal import rule_at
from interpreter.play import trace_events as ev
from interpreter.play.choices import AnswersOfPolicies, ask_choice
from interpreter.play.requests import Choice, Prices
from interpreter.play.run import Do, Record, Run, Walk, without_requests
from interpreter.play.steps import Walker, walk_steps
from interpreter.runtime import new_objects, objects
from interpreter.runtime.constraints import optional_closure
from interpreter.runtime.evaluator import Closure, Closures, Frame, new_frame
from interpreter.runtime.objects import AttributePlace
from interpreter.runtime.state import STATE, TITLE
from interpreter.values import Thing, in_words
from interpreter.work_count import spend

MOST_NESTED = 60
"""How deeply events may cause events."""


# Points, tracks, values ------------------------------------------------------------------------------------------


def place_of_target(walker: Walker, target: ir.Lvalue) -> tuple[ir.HeldAttribute, Callable[[Frame], tuple[Thing, Any]]]:
    """The attribute of a target, and a function from a frame to its object and key.

    The function raises PlayError if the object no longer exists.
    """
    one = walker.program.kinds[target.kind].has[target.name]
    thing = walker.closures.of(target.thing)
    key = walker.closures.of(target.key) if target.key is not None else None

    def object_and_key(given: Frame) -> tuple[Thing, Any]:
        found: Thing = thing(given)
        if found.id not in given[STATE].things:
            raise PlayError(say.destroyed_thing(target.span, found.id))
        return found, key(given) if key is not None else None

    return one, object_and_key


def compile_shift(walker: Walker, action: ir.Shift, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    one, at = place_of_target(walker, action.target)
    amount, down, span = of.of(action.amount), action.down, action.amount.span
    follow = steps_after_bound(walker, one, trail, action.target.span, step.path)

    def run_shift(given: Frame, run: Run) -> Walk:
        thing, key = at(given)
        by = amount(given)
        if by < 0:
            where = objects.place_in_sentence(thing, one.name, key)
            raise PlayError(say.below_nothing(span, "lose" if down else "gain", by, where))
        how = objects.move_number(of, given, thing, one, key, by, down)
        if how.excess and one.refuses and not down:
            where = objects.place_in_sentence(thing, one.name, key)
            raise PlayError(say.past_full(action.target.span, where, how.after, by))
        yield from put_number(of, given, run, step, AttributePlace(thing, one.name, key), how, follow)
        return _record_of_move(how, by)

    return run_shift


def _record_of_move(how: objects.Moved, by: int) -> Record:
    moved = by - how.excess
    return {"happened": True, "before": how.before, "after": how.after, "amount": moved, "excess": how.excess}


Follow = Callable[[str, Thing, Any, objects.Moved, Frame, Run], Walk]
"""Runs the steps that follow a change: which ones, of whose value, at which key."""


def put_number(
    of: Closures,
    given: Frame,
    run: Run,
    by: ir.Step | ir.Cost,
    place: AttributePlace,
    how: objects.Moved,
    follow: Follow | None,
) -> Walk:
    """Put a number into the state that a step or a cost has changed, and run the steps that follow."""
    thing, name, key = place
    given[STATE] = objects.change_value(of, given, thing, name, key, how.after)
    run.add_event(ev.NumberMoved, by, place, how)
    if how.follows is not None and follow is not None:
        yield from follow(how.follows, thing, key, how, given, run)


def steps_after_bound(
    walker: Walker, one: ir.HeldAttribute, trail: tuple[str, ...], span: Span, at: str
) -> Follow | None:
    """What runs the steps that follow when a bound is reached by the step at a path; None if there are none."""
    steps = {"when_full": one.when_full, "when_hit_full": one.when_hit_full, "when_empty": one.when_empty}
    if not any(steps.values()):
        return None

    def run_steps_after(what: str, thing: Thing, key: Any, how: objects.Moved, given: Frame, run: Run) -> Walk:
        if not steps[what]:
            return
        compiled = walker.steps_at_bound(f"{one.path}.{what}", steps[what])
        inside = {**state_frame(given), "owner": thing, "excess": how.excess, "before": how.before}
        if key is not None:
            inside[ir.WORD] = key
        with NestedScope(run, one.name, ".".join(trail) + ".", span, at):
            yield from walk_steps(compiled, inside, run)
        given[STATE] = inside[STATE]

    return run_steps_after


class NestedScope:
    """A level of nesting: in the trace, in the keys of choices, in the calls, and in the limit of nested events.

    `at` is the path of the construct that leads into another rule; None where none does.
    """

    def __init__(self, run: Run, name: str, prefix: str, span: Span, at: str | None) -> None:
        self.run, self.name, self.prefix, self.span, self.at = run, name, prefix, span, at

    def __enter__(self) -> None:
        self.outer, self.calls = self.run.prefix, self.run.calls
        self.run.nested += 1
        if self.run.nested > MOST_NESTED:
            raise PlayError(say.without_end(self.span, self.name))
        self.run.prefix = self.outer + self.prefix
        if self.at is not None:
            self.run.calls = (*self.calls, self.at)
        self.run.depth += 1

    def __exit__(self, *_: object) -> None:
        self.run.nested -= 1
        self.run.prefix, self.run.calls = self.outer, self.calls
        self.run.depth -= 1


def state_frame(given: Frame) -> Frame:
    """A frame with the state alone."""
    return {**new_frame(given[".meter"]), STATE: given[STATE]}


def compile_pay(walker: Walker, action: ir.Pay, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    purses = [
        (*place_of_target(walker, target), of.of(rate) if rate is not None else None) for target, rate in action.purses
    ]
    follows = [steps_after_bound(walker, one, trail, action.amount.span, step.path) for one, _, _ in purses]
    amount, span = of.of(action.amount), action.amount.span
    path = ".".join(trail)
    around = rule_at(walker.program, step.path)
    names = [purse_name(target) for target, _ in action.purses]

    of_payer = _question_to_payer(walker, action, step)

    def asks(text: str) -> str:
        return f"{around.title}: {text}" if around is not None else text[:1].upper() + text[1:]

    def pay_it(given: Frame, run: Run) -> Walk:
        price = amount(given)
        if price < 0:
            alone = [
                objects.place_in_sentence(thing, one.name, key) for one, at, _ in purses for thing, key in [at(given)]
            ]
            raise PlayError(say.below_nothing(span, "pay", price, alone[0] if len(alone) == 1 else None))
        there = [_points_in_purse(of, purse, given) for purse in purses]
        mixes = ways_to_pay(price, [(has, worth) for _, _, has, worth in there])
        if not mixes:
            if action.may_refuse:
                return _record_unpaid(there, price)
            raise _too_few_points_error(action, price, there, [one for one, _, _ in purses])
        if action.may_refuse and price > 0:
            named = " and ".join(
                _number_in_words(name, has) + (f" worth {rate} each" if rate != 1 else "")
                for name, (_, _, has, rate) in zip(names, there, strict=True)
            )
            by_policy = AnswersOfPolicies(of, action.answers, given, run)
            costs: Mapping[str, Prices] = {"yes": {names[0]: (price, price)}} if len(purses) == 1 else {}
            if not (yield from of_payer(given, run, path, _payment_question(asks, price, named), by_policy, costs)):
                return _record_unpaid(there, price)
        mix = mixes[0]
        if len(mixes) > 1:
            ways = [_mix_in_words(one, names) for one in mixes]
            preferred = partial(_preferred_way, ways, names, mixes)
            by_policy = AnswersOfPolicies(of, action.mixes, given, run, preferred)
            told = dict(zip(ways, _describe_mixes(mixes, price, there, names), strict=True))
            costs = _prices_of_mixes(ways, mixes, names)
            which = asks(f"with which points do you pay {price}?"), asks("with which points do you pay …?")
            mix = mixes[ways.index((yield from of_payer(given, run, f"{path}.mix", which, by_policy, costs, told)))]
        before = sum(has for _, _, has, _ in there)
        for (one, _, _), (thing, key, _, _), number, follow in zip(purses, there, mix, follows, strict=True):
            how = objects.move_number(of, given, thing, one, key, number, True)
            if number or len(mix) == 1:
                yield from put_number(of, given, run, step, AttributePlace(thing, one.name, key), how, follow)
        spent = sum(mix)
        return {"happened": True, "before": before, "after": before - spent, "amount": spent, "excess": 0}

    return pay_it


def _points_in_purse(
    of: Closures, purse: tuple[ir.HeldAttribute, Callable[[Frame], tuple[Thing, Any]], Closure | None], given: Frame
) -> tuple[Thing, Any, int, int]:
    """The object and the key of a purse, how many points there are above their bound, and what each pays."""
    one, at, rate = purse
    thing, key = at(given)
    low, _ = objects.current_limits(of, thing, one, given, given[STATE], key)
    points = objects.value_at(given[STATE], thing, one.name, key) - (low or 0)
    return thing, key, max(points, 0), rate(given) if rate is not None else 1


def _payment_question(asks: Callable[[str], str], price: int, named: str) -> tuple[str, str]:
    """The question whether to pay a price, and its pattern."""
    return asks(f"pay {price}? You have {named}."), asks("pay …? You have ….")


def _prices_of_mixes(
    ways: Sequence[str], mixes: Sequence[tuple[int, ...]], names: Sequence[str]
) -> Mapping[str, Prices]:
    """What each mix takes of the points of these names."""
    costs = [{name: (n, n) for name, n in zip(names, mix, strict=True) if n} for mix in mixes]
    return dict(zip(ways, costs, strict=True))


def _question_to_payer(walker: Walker, action: ir.Pay, step: ir.Step) -> Callable[..., Walk]:
    """A function that asks whoever pays: whether to do so, or, with `ways`, in which of them; each has a meaning. The
    question stands beside its pattern."""
    payer, minor = walker.closures.of(action.payer), optional_closure(walker.closures, action.minor)

    def ask(
        given: Frame,
        run: Run,
        path: str,
        question: tuple[str, str],
        by_policy: Mapping[str, Any],
        prices: Mapping[str, Prices],
        ways: Mapping[str, str] | None = None,
    ) -> Walk:
        options = tuple(ways) if ways is not None else None
        means = {way: told for way, told in (ways or {}).items() if told}
        kind, usual = ("one", options[0]) if options is not None else ("yes_no", True)
        choice = Choice(
            run.prefix + path, kind, str(payer(given).id), question[0], options, 0, 1, usual, True, means,
            by_policy=by_policy, at=step.path, about=step.about if options is None else "", prices=prices,
            pattern=question[1], minor=minor is not None and run.keeps_events and minor(given),
        )  # fmt: skip
        return (yield from ask_choice(run, choice, given))

    return ask


def _record_unpaid(there: Sequence[tuple[Thing, Any, int, int]], price: int) -> Record:
    before = sum(has for _, _, has, _ in there)
    return {"happened": False, "before": before, "after": before, "amount": 0, "excess": price}


def _too_few_points_error(
    action: ir.Pay, price: int, there: Sequence[tuple[Thing, Any, int, int]], ones: Sequence[ir.HeldAttribute]
) -> PlayError:
    span = action.purses[0][0].span
    if len(there) == 1:
        thing, key, has, _ = there[0]
        return PlayError(say.too_few_points(span, objects.place_in_sentence(thing, ones[0].name, key), price, has))
    return PlayError(say.no_mix_pays(span, price, sum(has * worth for _, _, has, worth in there)))


def ways_to_pay(price: int, purses: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Every mix of points that pays a price and from which no point can be left out.

    `purses` holds how many points there are and what each pays. No change is given, so a mix may pay more than the
    price. Mixes that spend more from the first purses come first.
    """
    if price <= 0:
        return [(0,) * len(purses)]
    found: list[tuple[int, ...]] = []

    all_behind = [sum(has * max(worth, 0) for has, worth in purses[place:]) for place in range(1, len(purses) + 1)]

    def fill(taken: tuple[int, ...], left: int) -> None:
        spend(1)
        if len(taken) == len(purses):
            if all(n == 0 or left + worth > 0 for n, (_, worth) in zip(taken, purses, strict=True)):
                found.append(taken)
            return
        has, worth = purses[len(taken)]
        most = min(has, -(-left // worth)) if left > 0 and worth > 0 else 0
        for number in range(most, -1, -1):
            if left - number * worth > all_behind[len(taken)]:  # fewer leave even more to pay
                return
            fill((*taken, number), left - number * worth)
            if len(found) >= MOST_MIXES:
                return

    fill((), price)
    return found


MOST_MIXES = 1_000
"""How many ways to pay a price are found."""


def preferred_mix(wanted: Any, names: Sequence[str], mixes: Sequence[Sequence[int]]) -> int:
    """The index of the mix that a policy prefers, from the names of the points that it spends first."""
    places = [names.index(name) for name in (wanted if isinstance(wanted, tuple) else (wanted,))]
    return max(range(len(mixes)), key=lambda one: ([mixes[one][place] for place in places], -one))


def _preferred_way(
    ways: Sequence[str], names: Sequence[str], mixes: Sequence[Sequence[int]], says: Callable[[], Any]
) -> str:
    """The way to pay that a policy prefers, from what it says."""
    return ways[preferred_mix(says(), names, mixes)]


def _describe_mixes(
    mixes: Sequence[Sequence[int]], price: int, there: Sequence[tuple[Thing, Any, int, int]], names: Sequence[str]
) -> Iterator[str]:
    """`worth 2; leaves 4 moves` of each mix: what it leaves, and its worth where that is not the price."""
    for mix in mixes:
        worth = sum(number * rate for number, (*_, rate) in zip(mix, there, strict=True))
        left = [has - number for number, (_, _, has, _) in zip(mix, there, strict=True)]
        told = " and ".join(_number_in_words(name, number) for number, name in zip(left, names, strict=True) if number)
        yield ("" if worth == price else f"worth {worth}; ") + f"leaves {told or 'nothing'}"


def _number_in_words(name: str, number: int) -> str:
    """`5 tactical points`: what somebody who pays has of some points."""
    return f"{number} {name.replace('_', ' ')}"


def _mix_in_words(mix: Sequence[int], names: Sequence[str]) -> str:
    return " and ".join(f"{number} {name}" for number, name in zip(mix, names, strict=True) if number)


def compile_assign(walker: Walker, action: ir.Assign, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    one, at = place_of_target(walker, action.target)
    value = of.of(action.value)

    @without_requests
    def assign_it(given: Frame, run: Run) -> Record:
        thing, key = at(given)
        before, after = objects.value_at(given[STATE], thing, one.name, key), value(given)
        with say.Placed({one.name: action.value.span}, action.value.span):
            if one.counter:
                objects.check_all_within(of, given, thing, one, key, after, say.NOWHERE)
            else:
                objects.check_value(of, given, thing, one, {key: after} if key is not None else after)
        given[STATE] = objects.change_value(of, given, thing, one.name, key, after)
        run.add_event(ev.ValueSet, step, AttributePlace(thing, one.name, key), before, after)
        return {"happened": True, "before": before, "after": after}

    return assign_it


def compile_include(walker: Walker, action: ir.Include, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    one, at = place_of_target(walker, action.target)
    value = of.of(action.value)
    lasts = action.lasts
    rounds = of.of(lasts) if isinstance(lasts, ir.Formula) else None

    @without_requests
    def include_it(given: Frame, run: Run) -> Record:
        thing, key = at(given)
        element = value(given)
        held = objects.value_at(given[STATE], thing, one.name, key)
        place = AttributePlace(thing, one.name, key)
        if one.declared.among is not None and element in held:
            raise PlayError(say.there_already(action.value.span, str(place), in_words(element)))
        until = rounds(given) if rounds is not None else lasts if isinstance(lasts, str) else None
        state = objects.add_element(given[STATE], thing, one.name, element, until)
        with say.Placed({one.name: action.value.span}, action.value.span):
            objects.check_value(of, {**given, STATE: state}, thing, one, state.things[thing.id].values[one.name])
        given[STATE] = objects.change_value(of, {**given, STATE: state}, thing, one.name, None, (*held, element))
        run.add_event(ev.ElementAdded, step, place, element, until)
        return {"happened": True}

    return include_it


def compile_exclude(walker: Walker, action: ir.Exclude, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    one, at = place_of_target(walker, action.target)
    value = of.of(action.value)

    @without_requests
    def exclude_it(given: Frame, run: Run) -> Record:
        thing, key = at(given)
        element = value(given)
        without_it = objects.remove_element(given[STATE], thing, one.name, element)
        run.add_event(ev.ElementRemoved, step, AttributePlace(thing, one.name, key), element, without_it is not None)
        if without_it is None:
            return {"happened": False}
        left = without_it.things[thing.id].values[one.name]
        given[STATE] = objects.change_value(of, {**given, STATE: without_it}, thing, one.name, None, left)
        return {"happened": True}

    return exclude_it


def compile_make(walker: Walker, action: ir.Make, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    values = [(name, of.of(formula)) for name, formula in action.given]
    named = optional_closure(of, action.named)

    @without_requests
    def make_it(given: Frame, run: Run) -> Any:
        if len(given[STATE].things) >= run.budget.things:
            raise PlayError(say.budget_spent(step.span, "things", run.budget.things))
        text = named(given) if named else ""
        name = new_objects.fresh_name(walker.program, given[STATE], action.kind, text)
        thing, title = Thing(name, action.kind), new_objects.title_after(text, name)
        with say.Placed({name: formula.span for name, formula in action.given}, step.span):
            with_ = {name: value(given) for name, value in values}
            given[STATE] = new_objects.make_object(of, given, thing, {**nest_by_part(with_), **title})
        run.add_event(ev.ThingMade, step, thing, with_, title.get(TITLE, ""))
        return thing

    return make_it


def nest_by_part(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values with dotted names, as nested mappings by part."""
    made: dict[str, Any] = {}
    for name, value in values.items():
        *parts, last = name.split(".")
        inside = made
        for part in parts:
            inside = inside.setdefault(part, {})
        inside[last] = value
    return made


def compile_destroy(walker: Walker, action: ir.Destroy, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    thing = of.of(action.thing)

    @without_requests
    def destroy_it(given: Frame, run: Run) -> Record:
        gone = thing(given)
        there = gone.id in given[STATE].things
        given[STATE] = objects.destroy_object(of, given, gone)
        run.add_event(ev.ThingDestroyed, step, gone, there)
        return {"happened": there}

    return destroy_it
