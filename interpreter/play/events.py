"""Events and reactions, and steps that let objects act.

An event runs in this order: the reactions before it, each on the event as changed so far; its steps; the reactions
after it. Automatic reactions come first, then the order of the file decides. The objects that can react are asked one
by one, once for each event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.consent import may_take_points
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import outermost_nodes_in
from interpreter.play import trace_events as ev
from interpreter.play.action_plans import Plan, plan_of, value_if_known
from interpreter.play.actions import (
    OFFERED,
    Denied,
    can_be_done,
    most_points_held,
    named_prices,
    perform_action,
    refused_idea,
)
from interpreter.play.available_actions import PASS, OfferedActions, PossibleActions
from interpreter.play.choices import AnswersOfPolicies, ask_choice
from interpreter.play.effects import NestedScope, state_frame
from interpreter.play.interventions import Intervention, play_intervention
from interpreter.play.refused_ideas import Idea, refused_with
from interpreter.play.requests import Choice, Prices, Settled
from interpreter.play.run import Do, Record, Run, Walk, without_requests
from interpreter.play.steps import Walker
from interpreter.runtime import objects, spans
from interpreter.runtime.constraints import constraints_check, optional_closure
from interpreter.runtime.evaluator import Closures, Frame
from interpreter.runtime.late import late
from interpreter.runtime.sentences import sentence_function
from interpreter.runtime.state import STATE, Pending
from interpreter.values import Thing

CANCELLED = ".cancelled"
"""The field of the record of an event that a reaction has cancelled."""


def compile_cause(walker: Walker, action: ir.Cause, step: ir.Step, trail: tuple[str, ...]) -> Do:
    event = walker.program.events[action.event]
    passed = {name: walker.closures.of(formula) for name, formula in action.given}
    place = ".".join(trail) + "."

    placed = say.Placed({name: formula.span for name, formula in action.given}, step.span)
    later = action.later
    rounds = walker.closures.of(later) if isinstance(later, ir.Formula) else None

    def cause_event(given: Frame, run: Run) -> Walk:
        inside = state_frame(given)
        if later is not None:
            told = tuple((one.name, passed[one.name](given) if one.name in passed else None) for one in event.inputs)
            when = (
                Pending(event.name, told, "rounds", max(rounds(given), 0))
                if rounds
                else Pending(event.name, told, str(later))
            )
            given[STATE] = replace(given[STATE], pending=(*given[STATE].pending, when))
            return {"happened": False}
        values = {key: value(given) for key, value in passed.items()}
        with placed:
            _bind_inputs(walker.closures, event.inputs, values, inside)
        with NestedScope(run, action.event, place, step.span, step.path):
            record = yield from run_event(walker, event, step, inside, run)
        given[STATE] = inside[STATE]
        return record

    return cause_event


def compile_act(walker: Walker, action: ir.Act, step: ir.Step, trail: tuple[str, ...]) -> Do:
    performed = walker.program.actions[action.action]
    actor = walker.closures.of(action.actor)
    passed = {name: walker.closures.of(formula) for name, formula in action.given}
    place = ".".join(trail) + "."

    def perform(given: Frame, run: Run) -> Walk:
        values = {name: value(given) for name, value in passed.items()}
        who = actor(given)
        if not objects.exists(given[STATE], who):
            raise PlayError(say.destroyed_thing(action.actor.span, who.id))
        inside = {**state_frame(given), "actor": who, **values}
        with NestedScope(run, action.action, place, step.span, step.path):
            record = yield from perform_action(walker, performed, inside, run)
        given[STATE] = inside[STATE]
        return record

    return perform


MOST_OFFERED = 100
"""How often an offer is made if the ruleset sets no limit."""

MOST_OTHERS = 24
"""How many other reactions to the same event go with a question."""

STEPS_OF_AN_OFFER = 4
"""How many steps an offer counts as, beside one for each action that it lists: it takes as long as so many."""


def steps_counted_for(offer: ir.Offer) -> int:
    """How many steps an offer counts as, each time that it is made."""
    return STEPS_OF_AN_OFFER + len(offer.actions)


class OfferProgress(NamedTuple):
    """Whose offer it is, how many actions it may have, those that were done so far, what was refused, and whether it is
    over."""

    who: Thing
    most: int
    done: tuple[str, ...] = ()
    refused: tuple[Idea, ...] = ()
    over: bool = False


OfferOnce = Callable[[Frame, Run, "OfferProgress | None"], Walk]
"""Offers for the first time or once more, and results in the progress after that."""


def compile_offer(walker: Walker, action: ir.Offer, step: ir.Step, trail: tuple[str, ...]) -> Do:
    once = offer_once(walker, action, step, trail)

    def make_offers(given: Frame, run: Run) -> Walk:
        progress = yield from once(given, run, None)
        while not progress.over:
            progress = yield from once(given, run, progress)
        return progress.done

    return make_offers


def offer_once(walker: Walker, action: ir.Offer, step: ir.Step, trail: tuple[str, ...]) -> OfferOnce:
    """What makes an offer, and has the action done that is picked: an offer goes on until it is over."""
    of = walker.closures
    to, most, said = of.of(action.to), optional_closure(of, action.most), sentence_function(of, action.ask)
    path, pattern = ".".join(trail), action.ask.pattern
    offered: list[Any] = []  # made at the first offer, for an action may offer itself

    def make_offer(given: Frame, run: Run, progress: OfferProgress | None) -> Walk:
        if progress is None:
            offered[:] = offered or [OfferedActions.of(walker, action.actions)]
            who = to(given)
            if not objects.exists(given[STATE], who):
                raise PlayError(say.destroyed_thing(action.to.span, who.id))
            progress = OfferProgress(who, most(given) if most is not None else MOST_OFFERED)
        who, over = progress.who, progress._replace(over=True)
        if len(progress.done) >= progress.most or not objects.exists(given[STATE], who):
            return over
        run.spend(steps_counted_for(action))
        open_ = PossibleActions(offered[0], given[STATE], who, progress.refused)
        if not open_.any:
            run.settle(Settled(run.prefix + path, "one", who.id, None, PASS))
            return over
        tried = {idea.action for idea in progress.refused}
        first = partial(_first_possible_answer, open_, tried)
        by_policy = AnswersOfPolicies(of, action.answers, given, run, first)
        ask = late(partial(said, dict(given))) if run.keeps_events else pattern
        choice = Choice(
            run.prefix + path, "one", who.id, ask, open_, 0, 1, PASS, True, {}, by_policy, at=step.path,
            about=_describe_offer(step.about, len(progress.done) + 1, progress.most if most is not None else None),
            pattern=pattern, spent=open_.spent if run.keeps_events else frozenset(),
        )  # fmt: skip
        chosen = yield from ask_choice(run, choice, given)
        if isinstance(chosen, Intervention):
            yield from play_intervention(walker, chosen, given, run)
            return progress  # the offer is made again
        if chosen == PASS:
            return over
        inside = {**state_frame(given), "actor": who, OFFERED: True, **refused_with(chosen, progress.refused)}
        with NestedScope(run, chosen, f"{path}.{chosen}.", step.span, step.path):
            done = yield from _perform_unless_denied(walker, walker.program.actions[chosen], inside, run)
        if not done:
            idea = refused_idea(plan_of(walker, walker.program.actions[chosen]), inside)
            # Whatever was refused first, the same is left: in one order, odds see one state.
            return progress._replace(refused=tuple(sorted((*progress.refused, idea), key=repr)))
        given[STATE] = inside[STATE]
        return progress._replace(done=(*progress.done, chosen))

    return make_offer


def _describe_offer(about: str, number: int, most: int | None) -> str:
    """What there is to say about an offer, and, where it is made a limited number of times, which of them it is."""
    if most is None or most == 1:
        return about
    return f"{about} Action {number} of at most {most}.".lstrip()


def _perform_unless_denied(walker: Walker, action: ir.Action, inside: Frame, run: Run) -> Walk:
    """Perform an action; the result is whether it happens. It does not if somebody else denies it, or its price."""
    try:
        yield from perform_action(walker, action, inside, run)
    except Denied as denied:
        run.add_event(ev.ActionDenied, action.rule, denied.diagnostic)
        return False
    return True


def _first_possible_answer(open_: Sequence[str], tried: Set[str], says: Callable[[], Any]) -> Any:
    """The answer of a policy; of several actions, the first that is possible, or else `pass`, the last option. A policy
    would want the same again of an action that was `tried` and refused, so it goes on to the next.
    """
    wanted = says()
    if type(wanted) is not tuple:
        return wanted
    return next((one for one in wanted if one not in tried and one in open_), open_[-1])


def _bind_inputs(of: Closures, inputs: Sequence[ir.Declaration], values: Mapping[str, Any], inside: Frame) -> None:
    """Bind the inputs of a rule to the given values or defaults, and check them."""
    for one in inputs:
        value = values.get(one.name)
        if value is None and one.default is not None:
            value = of.of(one.default)(inside)
        inside[one.name] = value
        constraints_check(of, one)(value, inside)


def run_event(walker: Walker, event: ir.Mechanic, step: ir.Step | None, inside: Frame, run: Run) -> Walk:
    """Run an event from a frame with its inputs: the reactions before it, its steps, the reactions after it.

    `step` is the step that causes it, if there is one.
    """
    number = len(run.events)
    run.add_heading(ev.EventCaused, event, step, dict(inside))
    record = {one.name: inside[one.name] for one in event.inputs}
    before, after = (reactions_to(walker.program, event, is_before) for is_before in (True, False))
    for place in range(len(before)):
        record = yield from _offer_reaction(walker, event, before[place:], record, inside, run, number)
        if CANCELLED in record:
            run.add_event(ev.EventCancelled, event)
            return {key: None for key, _ in event.type.fields} | {"happened": False}
    inside.update(record)
    result: Record = yield from walker.walk_of_rule(event)(inside, run)
    record = {one.name: inside[one.name] for one in event.inputs}
    for place in range(len(after)):
        yield from _offer_reaction(walker, event, after[place:], {**record, **result}, inside, run, number)
    return {**result, "happened": True}


def cause_boundary_event(walker: Walker, name: str, given: Frame, run: Run, who: Thing | None = None) -> Walk:
    """Cause an event of the language, such as `round_begins` or `turn_ends` (of `who`), if the ruleset has it."""
    event = walker.program.events.get(name)
    if event is None:
        return
    inside = {**state_frame(given), **({"who": who} if who is not None else {})}
    with NestedScope(run, name, f"{name}.", event.span, event.path):
        yield from run_event(walker, event, None, inside, run)
    given[STATE] = inside[STATE]


def end_span(walker: Walker, span: str, given: Frame, run: Run, who: Thing | None = None) -> Walk:
    """End a turn (of `who`, or of every object), a round, a scene or the game.

    The event of this boundary happens first and then pending events; then attributes that last for the span start
    again.
    """
    yield from _cause_end_events(walker, span, given, run, who)
    given[STATE], now = spans.take_due_events(given[STATE], span)
    for one in now:
        event = walker.program.events[one.event]
        inside = state_frame(given)
        _bind_inputs(walker.closures, event.inputs, dict(one.given), inside)
        with NestedScope(run, event.name, f"{event.name}.", event.span, event.path):
            yield from run_event(walker, event, None, inside, run)
        given[STATE] = inside[STATE]
    still = who if who is not None and who.id in given[STATE].things else None
    if who is None or still is not None:
        before = given[STATE]
        given[STATE] = spans.end_span(walker.closures, given, span, still)
        lapsed = spans.lapsed_points(walker.program, before, given[STATE]) if run.keeps_events else ()
        if lapsed:
            run.add_event(ev.PointsLapsed, span, lapsed)


def _cause_end_events(walker: Walker, span: str, given: Frame, run: Run, who: Thing | None) -> Walk:
    """Cause the event of the end of a span: of a turn, once for each object whose turn it may be."""
    name = f"{span}_ends"
    event = walker.program.events.get(name)
    whose = t.without_maybe(event.inputs[0].type) if event is not None and event.inputs else None
    if not isinstance(whose, t.Object):
        yield from cause_boundary_event(walker, name, given, run, who)
        return
    for one in given[STATE].of_kind(whose.kind) if who is None else (who,):
        if one.kind == whose.kind and (one is who or one.id in given[STATE].things):
            yield from cause_boundary_event(walker, name, given, run, one)


@once_per
def reactions_to(program: ir.Program, event: ir.Mechanic, before: bool) -> tuple[ir.Reaction, ...]:
    """The reactions to an event, in order: automatic ones first."""
    any_order = [one for one in program.reactions.values() if event.name in one.events and one.before is before]
    return tuple(sorted(any_order, key=lambda one: not one.automatic))


def _offer_reaction(
    walker: Walker, event: ir.Mechanic, reactions: Sequence[ir.Reaction], record: Record, inside: Frame, run: Run,
    number: int,
) -> Walk:  # fmt: skip
    """Ask every object that can react in the first of these ways, one after the other; the result is the event as they
    leave it. The other reactions are still to come; `number` is that of the event."""
    of, reaction, action = walker.closures, reactions[0], reactions[0].action
    name, asked_of = action.rule.name, plan_of(walker, action)
    outer = {**state_frame(inside), "event": record}
    actors = asked_of.actors(outer)
    for place, who in enumerate(actors):
        given = {**state_frame(inside), "event": record, "actor": who}
        if who.id not in given[STATE].things or not can_be_done(asked_of, given):
            continue  # another reaction may have destroyed it
        if not reaction.automatic:
            choice = _choice_to_react(walker, reaction, given, run, number)
            if run.keeps_events:
                left = partial(_choices_to_react, walker, reactions, actors[place + 1 :], given, run, number)
                choice.others = left
            if not (yield from ask_choice(run, choice, given)):
                run.add_event(ev.ReactionDeclined, action.rule)
                continue
        with NestedScope(run, name, f"{name}.", action.rule.span, None):
            done = yield from _perform_unless_denied(walker, action, given, run)
        if not done:
            continue
        if given["event"] is not record and CANCELLED not in given["event"]:
            _check_changes(of, event, action, given)
        record = given["event"]
        inside[STATE] = given[STATE]
        if CANCELLED in record:
            break
    return record


def _choice_to_react(walker: Walker, reaction: ir.Reaction, given: Frame, run: Run, number: int) -> Choice:
    """The choice whether an actor reacts to an event, whose number it is."""
    of, action = walker.closures, reaction.action
    asked_of = plan_of(walker, action)
    said = sentence_function(of, reaction.ask)(given) if run.keeps_events else ""
    ask = said or action.rule.title.removesuffix("?") + "?"
    yes = _cost_of_reaction(walker, asked_of, given) if run.keeps_events else ""
    prices = {"yes": _known_prices(asked_of, given)} if run.keeps_events and asked_of.prices else {}
    return Choice(
        f"{run.prefix}{action.rule.name}", "yes_no", given["actor"].id, ask, None, 0, 1, False, True,
        {"yes": yes} if yes else {}, by_policy=AnswersOfPolicies(of, reaction.answers, given, run),
        at=action.rule.path, pattern=reaction.ask.pattern, prices=prices, event=number, about=action.rule.about,
    )  # fmt: skip


def _choices_to_react(
    walker: Walker, reactions: Sequence[ir.Reaction], left: Sequence[Thing], given: Frame, run: Run, number: int
) -> tuple[Choice, ...]:
    """The choices that follow if nobody reacts: of the actors that are left in the first of these reactions, and of all
    in those after it; so many as a screen may show."""

    def choices() -> Iterator[Choice]:
        for reaction in reactions:
            asked_of = plan_of(walker, reaction.action)
            actors = left if reaction is reactions[0] else asked_of.actors(given) if not reaction.automatic else ()
            for who in actors:
                inside = {**given, "actor": who}
                if who.id in inside[STATE].things and can_be_done(asked_of, inside):
                    yield _choice_to_react(walker, reaction, inside, run, number)

    return tuple(islice(choices(), MOST_OTHERS))


def _check_changes(of: Closures, event: ir.Mechanic, action: ir.Action, given: Frame) -> None:
    """Raises PlayError if an event that a reaction has changed has an input that does not fit its declaration."""
    changed = {**state_frame(given), **given["event"]}
    with say.Placed(_places_of_changes(action)):
        for one in event.inputs:
            constraints_check(of, one)(changed[one.name], changed)


@once_per
def _places_of_changes(action: ir.Action) -> Mapping[str, Span]:
    """Where a reaction changes each input of an event."""
    steps = outermost_nodes_in(action.rule, ir.ChangeEvent)
    return {name: formula.span for step in steps for name, formula in step.given}


def _known_prices(of: Plan, given: Frame) -> Prices:
    """What a reaction costs, as far as it is known before its inputs are given."""
    amounts = named_prices(of, given, [value_if_known(one.amount, given) for one in of.prices])
    return {name: None if amount is None else (amount, amount) for name, amount in amounts.items() if amount != 0}


def _cost_of_reaction(walker: Walker, of: Plan, given: Frame) -> str:
    """What a reaction costs, as far as it is known before its inputs are given.

    That it costs nothing is said only where its steps take nothing either.
    """
    prices = _known_prices(of, given)
    is_free = not any(price != (0, 0) for price in prices.values())
    costs = ["costs nothing"] if is_free and not may_take_points(walker.program, of.action.rule) else []
    left = {one.points_name(given): most_points_held(one, given) for one in of.prices}
    for name, price in prices.items() if not is_free else ():
        costs.append(f"{name.replace('_', ' ')}: {'some' if price is None else price[0]} of {left[name]}")
    return ", ".join(costs)


def compile_change(walker: Walker, action: ir.ChangeEvent, step: ir.Step, trail: tuple[str, ...]) -> Do:
    values = [(name, walker.closures.of(formula)) for name, formula in action.given]

    @without_requests
    def change_it(given: Frame, run: Run) -> Record:
        before, after = given["event"], {name: value(given) for name, value in values}
        given["event"] = {**before, **after}
        run.add_event(ev.EventChanged, step, {name: (before[name], value) for name, value in after.items()})
        return {"happened": True}

    return change_it


def compile_cancel(walker: Walker, action: ir.CancelEvent, step: ir.Step, trail: tuple[str, ...]) -> Do:
    return _cancel_event


@without_requests
def _cancel_event(given: Frame, run: Run) -> Record:
    given["event"] = {**given["event"], CANCELLED: True}
    return {"happened": True}
