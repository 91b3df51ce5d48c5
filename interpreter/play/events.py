"""Events and what answers them, and steps that let somebody act.

An event is done in this order: reactions before it, each of them on the event as changed so far; its steps; reactions
after it. What is automatic comes first, then the order of the file; those who may react are asked one by one, once
for each event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from interpreter import ir
from interpreter.play.actions import OFFERED, acted, can_be_done, plan
from interpreter.play.available_actions import PASS, Offered, Open
from interpreter.play.choices import asked
from interpreter.play.effects import NestedScope, outside, policies_say
from interpreter.play.requests import Choice
from interpreter.play.run import Do, Record, Run, Walk, without_requests
from interpreter.play.steps import Walker
from interpreter.runtime import objects
from interpreter.runtime.constraints import bounded, some
from interpreter.runtime.evaluator import Closures, Frame
from interpreter.runtime.state import STATE, Pending
from interpreter.values import Thing

CANCELLED = ".cancelled"
"""What the record of an event holds once a reaction has cancelled it."""


def cause(walker: Walker, action: ir.Cause, step: ir.Step, trail: tuple[str, ...]) -> Do:
    event = walker.program.events[action.event]
    passed = {name: walker.closures.of(formula) for name, formula in action.given}
    place = ".".join(trail) + "."

    later = action.later
    rounds = walker.closures.of(later) if isinstance(later, ir.Formula) else None

    def cause_it(given: Frame, run: Run) -> Walk:
        inside = outside(given)
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
        with NestedScope(run, action.event, place, step.span):
            record = yield from happening(walker, event, step, inside, run)
        given[STATE] = inside[STATE]
        return record

    return cause_it


def act(walker: Walker, action: ir.Act, step: ir.Step, trail: tuple[str, ...]) -> Do:
    deed = walker.program.actions[action.action]
    actor = walker.closures.of(action.actor)
    passed = {name: walker.closures.of(formula) for name, formula in action.given}
    place = ".".join(trail) + "."

    def act_it(given: Frame, run: Run) -> Walk:
        values = {name: value(given) for name, value in passed.items()}
        inside = {**outside(given), "actor": actor(given), **values}
        with NestedScope(run, action.action, place, step.span):
            record = yield from acted(walker, deed, inside, run)
        given[STATE] = inside[STATE]
        return record

    return act_it


MOST_OFFERED = 100
"""How often one offer is made where its ruleset sets no limit."""


def offer(walker: Walker, action: ir.Offer, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures
    to, most = of.of(action.to), some(of, action.most)
    path = ".".join(trail)
    offered: list[Any] = []  # made when something is first offered: what costs something may offer something

    def offer_it(given: Frame, run: Run) -> Walk:
        if not offered:
            offered.append(Offered.of(walker, action.actions))
        who, done_so_far = to(given), []
        for _ in range(most(given) if most is not None else MOST_OFFERED):
            open_ = Open(offered[0], given[STATE], who)
            if not open_.any:
                break
            said = {key: _first_open(says, open_) for key, says in policies_say(of, action.answers, given).items()}
            choice = Choice(run.prefix + path, "one", who.id, action.ask, open_, 0, 1, PASS, True, {}, said)
            chosen = yield from asked(run, choice, given)
            if chosen == PASS:
                break
            inside = {**outside(given), "actor": who, OFFERED: True}
            with NestedScope(run, chosen, f"{path}.{chosen}.", step.span):
                yield from acted(walker, walker.program.actions[chosen], inside, run)
            given[STATE] = inside[STATE]
            done_so_far.append(chosen)
        return tuple(done_so_far)

    return offer_it


def _first_open(says: Callable[[], Any], open_: Sequence[str]) -> Callable[[], Any]:
    """What a policy does: of several actions the first that is open, or to pass, which stands last."""

    def first() -> Any:
        wanted = says()
        return next((one for one in wanted if one in open_), open_[-1]) if type(wanted) is tuple else wanted

    return first


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
    run.tell("cause", event, (step, dict(inside)), above=1)
    record = {one.name: inside[one.name] for one in event.inputs}
    for reaction in answering(walker.program, event, True):
        record = yield from _answered(walker, reaction, record, inside, run)
        if CANCELLED in record:
            run.tell("cancel", event, reaction.deed.rule.name)
            return {key: None for key, _ in event.type.fields} | {"happened": False}
    inside.update(record)
    came: Record = yield from walker.rule(event)(inside, run)
    record = {one.name: inside[one.name] for one in event.inputs}
    for reaction in answering(walker.program, event, False):
        yield from _answered(walker, reaction, {**record, **came}, inside, run)
    return {**came, "happened": True}


def boundary(walker: Walker, name: str, given: Frame, run: Run, who: Thing | None = None) -> Walk:
    """An event that the language itself causes, where a ruleset has it: `round_begins`, `turn_ends` (of `who`)."""
    event = walker.program.events.get(name)
    if event is None:
        return
    inside = {**outside(given), **({"who": who} if who is not None else {})}
    with NestedScope(run, name, f"{name}.", event.span):
        yield from happening(walker, event, None, inside, run)
    given[STATE] = inside[STATE]


def ending(walker: Walker, span: str, given: Frame, run: Run, who: Thing | None = None) -> Walk:
    """A turn (of `who`, or everybody's), a round, a scene or the game ends: what was put off happens, then what lasts
    for it begins anew."""
    given[STATE], now = objects.due(given[STATE], span)
    for one in now:
        event = walker.program.events[one.event]
        inside = outside(given)
        _give(walker.closures, event.inputs, dict(one.given), inside)
        with NestedScope(run, event.name, f"{event.name}.", event.span):
            yield from happening(walker, event, None, inside, run)
        given[STATE] = inside[STATE]
    still = who if who is not None and who.id in given[STATE].things else None
    if who is None or still is not None:
        given[STATE] = objects.ended(walker.closures, given, span, still)


@lru_cache(1024)
def answering(program: ir.Program, event: ir.Mechanic, before: bool) -> tuple[ir.Reaction, ...]:
    """What answers an event, in order: what is automatic first."""
    any_order = [one for one in program.reactions.values() if event.name in one.events and one.before is before]
    return tuple(sorted(any_order, key=lambda one: not one.automatic))


def _answered(walker: Walker, reaction: ir.Reaction, record: Record, inside: Frame, run: Run) -> Walk:
    """Everybody who may react does or does not, one after the other; the event as they leave it."""
    of, deed = walker.closures, reaction.deed
    name, asked_of = deed.rule.name, plan(walker, reaction.deed)
    outer = {**outside(inside), "event": record}
    for who in asked_of.actors(outer):
        given = {**outside(inside), "event": record, "actor": who}
        if not can_be_done(asked_of, given):
            continue
        if not reaction.automatic:
            choice = Choice(
                f"{run.prefix}{name}", "yes_no", who.id, deed.rule.title, None, 0, 1, False, True,
                said=policies_say(of, reaction.answers, given),
            )  # fmt: skip
            if not (yield from asked(run, choice, given)):
                run.tell("declined", deed.rule, who)
                continue
        with NestedScope(run, name, f"{name}.", deed.rule.span):
            yield from acted(walker, deed, given, run)
        record = given["event"]
        inside[STATE] = given[STATE]
        if CANCELLED in record:
            break
    return record


def change(walker: Walker, action: ir.ChangeEvent, step: ir.Step, trail: tuple[str, ...]) -> Do:
    values = [(name, walker.closures.of(formula)) for name, formula in action.given]

    @without_requests
    def change_it(given: Frame, run: Run) -> Record:
        before, after = given["event"], {name: value(given) for name, value in values}
        given["event"] = {**before, **after}
        told = {name: (before[name], value) for name, value in after.items()}
        run.tell("change", step, told)
        return {"happened": True}

    return change_it


def cancel(walker: Walker, action: ir.CancelEvent, step: ir.Step, trail: tuple[str, ...]) -> Do:
    return _cancelled


@without_requests
def _cancelled(given: Frame, run: Run) -> Record:
    given["event"] = {**given["event"], CANCELLED: True}
    return {"happened": True}
