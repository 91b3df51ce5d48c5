"""Events and reactions as Python, steps that let objects act, and what the ends of turns, rounds and scenes cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter import ir
from interpreter.codegen.actions import ACTOR, action_function, action_test, kind_of_actor, write_candidates
from interpreter.codegen.choices import policy_says
from interpreter.codegen.effects import check_function, settle_function, write_bounds_check
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule, NotGenerated, Trail
from interpreter.codegen.rules import write_body, write_inputs
from interpreter.codegen.steps import arguments_text, write_call_of_play, write_nested_call, write_result
from interpreter.ir.failures import may_fail
from interpreter.ir.limits import has_limits
from interpreter.ir.once_per import once_per
from interpreter.play.available_actions import PASS
from interpreter.play.effects import MOST_NESTED
from interpreter.play.events import CANCELLED, MOST_OFFERED, reactions_to, steps_counted_for
from interpreter.play.run import CHANGED
from interpreter.runtime import spans
from interpreter.runtime.state import STATE, marks_after
from interpreter.syntax.fixed_words import SPANS
from interpreter.values import Thing

OBJECTS = "", ""
"""Stands for the set of objects in what a cached value depends on."""


def write_cause(writer: FunctionWriter, action: ir.Cause, step: ir.Step, trail: Trail, value: str | None) -> None:
    if action.later is not None:
        write_call_of_play(writer, action, step, trail, value)
        return
    event = writer.module.program.events[action.event]
    write_nested_call(
        writer,
        f"{event_function(writer.module, event)}({arguments_text(writer, event, action.given)})",
        step.path,
        value,
    )


def write_act(writer: FunctionWriter, action: ir.Act, step: ir.Step, trail: Trail, value: str | None) -> None:
    performed = writer.module.program.actions[action.action]
    given, who = arguments_text(writer, performed.rule, action.given), writer.variable()
    writer.line(f"{who} = {writer.text(action.actor)}")
    writer.line(f"if {who}.id not in has: raise NotGenerated")
    write_nested_call(writer, f"{action_function(writer.module, performed)}({who}, False, {given})", step.path, value)


def write_offer(writer: FunctionWriter, action: ir.Offer, step: ir.Step, trail: Trail, value: str | None) -> None:
    """Write a loop that performs the offered actions that the policy picks, until it passes."""
    module, who, count = writer.module, writer.variable(), writer.variable()
    actions = {name: one for name, one in module.program.actions.items() if name in action.actions}
    says = policy_says(writer, action.answers)
    choosing = module.bind(_choice_function(module, actions))
    found = writer.variable() if value is not None else None
    writer.line(f"{who} = {writer.text(action.to)}")
    writer.line(f"if {who}.id not in has: raise NotGenerated")
    if found is not None:
        writer.line(f"{found} = ()")
    most = writer.text(action.most) if action.most is not None else str(MOST_OFFERED)
    if says is not None:
        with writer.block(f"for {count} in range({most}):"):
            wanted, first = writer.variable(), writer.variable()
            writer.spend(steps_counted_for(action))
            writer.line(f"{wanted} = {says[0]}")
            writer.line(f"{first} = {choosing}({wanted}, {who})")
            writer.line(f"if {first} is None: break")
            write_nested_call(
                writer, f"{module.bind(_act_functions(module, actions))}[{first}]({who}, True)", step.path
            )
            if found is not None:
                writer.line(f"{found} += ({first},)")
            writer.line(f"if {who}.id not in has: break")
    else:  # nobody answers, and so all pass
        with writer.block(f"if {most} > 0:"):
            writer.spend(steps_counted_for(action))
            if may_fail(module.program, tuple(actions.values())):
                writer.line(f"{choosing}(None, {who})")
    if found is not None:
        writer.line(f"{value} = {found}")


def _choice_function(module: GeneratedModule, actions: dict[str, ir.Action]) -> Callable[[Any, Any], str | None]:
    """A function from the answer of a policy and an actor to the action that is performed; None to pass.

    Of several actions it is the first that is possible.
    """
    names = module.names
    can = {name: action_test(module, action, False) for name, action in actions.items()}
    in_order = sorted(actions, key=lambda name: len(actions[name].rule.inputs))
    tries_all = any(_check_may_fail(module.program, action) for action in actions.values())
    kinds = {name: kind_of_actor(action) for name, action in actions.items()}

    def possible(name: str, who: Any) -> bool:
        return name in can and kinds[name] == who.kind and bool(names[can[name]](who))

    def first(wanted: Any, who: Any) -> str | None:
        if tries_all and not any(possible(name, who) for name in in_order):  # in the order of play
            return None
        if type(wanted) is tuple:
            chosen = next((one for one in wanted if one == PASS or possible(one, who)), PASS)
            return chosen if chosen != PASS else None
        if wanted is None or wanted == PASS:
            return None
        if not possible(wanted, who):
            # A policy may only name a possible action; if none is possible, it is not asked.
            if any(possible(name, who) for name in can):
                raise NotGenerated
            return None
        return str(wanted)

    return first


@once_per
def _check_may_fail(program: ir.Program, action: ir.Action) -> bool:
    """Whether play may fail where it finds out whether an action is possible."""
    asked = action.actor, action.costs, action.limit, action.rule.requires, action.rule.inputs
    return may_fail(program, asked)


def _act_functions(module: GeneratedModule, actions: dict[str, ir.Action]) -> dict[str, Callable[..., Any]]:
    """Functions that perform actions without inputs given, by name, from the actor and whether it was offered."""
    names = module.names

    def act(name: str, inputs: Sequence[Any]) -> Callable[..., Any]:
        nothing = [None] * len(inputs)
        return lambda who, offered: names[name](who, offered, *nothing)

    return {name: act(action_function(module, action), action.rule.inputs) for name, action in actions.items()}


def write_change(
    writer: FunctionWriter, action: ir.ChangeEvent, step: ir.Step, trail: Trail, value: str | None
) -> None:
    _write_changed_fields(
        writer, ", ".join(f"{name!r}: {writer.text(formula)}" for name, formula in action.given), value
    )


def write_cancel(
    writer: FunctionWriter, action: ir.CancelEvent, step: ir.Step, trail: Trail, value: str | None
) -> None:
    _write_changed_fields(writer, f"{CANCELLED!r}: True", value)


def _write_changed_fields(writer: FunctionWriter, fields: str, value: str | None) -> None:
    event = writer.variables[CHANGED]
    writer.line(f"{event} = {{**{event}, {fields}}}")
    write_result(writer, value, "{'happened': True}" if value else None)


def event_function(module: GeneratedModule, event: ir.Mechanic, checked: bool = True) -> str:
    """The name of the function of an event, from its inputs in order to its record; inputs may be `checked` already."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, [one.name for one in event.inputs], event)
        if checked:
            write_inputs(writer, event.inputs)
        before, after = reactions_to(module.program, event, True), reactions_to(module.program, event, False)
        if before:
            _write_reactions_before(writer, event, [reaction_function(module, one, event) for one in before])
        record = write_body(writer, event)
        if after:
            writer.line(f"event = {{{_inputs(writer, event)}**{record}}}")
        for one in after:
            writer.line(f"{reaction_function(module, one, event)}(event)")
        writer.line(f"{record}['happened'] = True")
        writer.line(f"return {record}")
        return writer.source

    return module.function((event.path, checked), write)


def _inputs(writer: FunctionWriter, event: ir.Mechanic) -> str:
    return "".join(f"{one.name!r}: {writer.variables[one.name]}, " for one in event.inputs)


def _write_reactions_before(writer: FunctionWriter, event: ir.Mechanic, reactions: Sequence[str]) -> None:
    """Write the reactions before an event, which may change its inputs or cancel it."""
    nothing = ", ".join([*(f"{name!r}: None" for name, _ in event.type.fields), "'happened': False"])
    writer.line(f"event = {{{_inputs(writer, event)}}}")
    for one in reactions:
        writer.line(f"event = {one}(event)")
        writer.line(f"if {CANCELLED!r} in event: return {{{nothing}}}")
    for given_ in event.inputs:
        writer.line(f"{writer.variables[given_.name]} = event[{given_.name!r}]")


def reaction_function(module: GeneratedModule, reaction: ir.Reaction, event: ir.Mechanic) -> str:
    """The name of the function of a reaction, from the record of an event to the changed record."""
    key = reaction.action.rule.path, event.path
    return module.function(key, lambda name: _reaction_source(module, reaction, event, name))


def _check_function(module: GeneratedModule, event: ir.Mechanic) -> str:
    """The name of a function that checks the inputs of an event that a reaction has changed."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, (CHANGED,), event)
        for one in event.inputs:
            writer.variables[one.name] = writer.variable()
            writer.line(f"{writer.variables[one.name]} = {writer.variables[CHANGED]}[{one.name!r}]")
        for one in event.inputs:
            write_bounds_check(writer, one, writer.variables[one.name])
        return writer.source + "\n pass"

    return module.function(("held", event.path), write)


def _reaction_source(module: GeneratedModule, reaction: ir.Reaction, answered: ir.Mechanic, name: str) -> str:
    """The source of a function in which every object that can react does so if its policy says so."""
    action, actor = reaction.action, reaction.action.actor
    writer = FunctionWriter(module, name, (CHANGED,), reaction)
    event = writer.variables[CHANGED]
    who = writer.variable()
    with writer.block(f"for {who} in {write_candidates(writer, actor)}:"):
        writer.variables[ACTOR] = who
        writer.line(f"if {who}.id not in has: continue")  # another reaction may have destroyed it
        writer.line(f"if not {action_test(module, action, True)}({who}, {event}): continue")
        if not reaction.automatic:
            says, answer = policy_says(writer, reaction.answers), writer.variable()
            writer.line(f"{answer} = {says[0] if says is not None else False}")
            writer.line(f"if {answer} is None: {answer} = False")
            writer.line(f"if type({answer}) is not bool: raise NotGenerated")
            writer.line(f"if not {answer}: continue")
        missing = ", None" * len(action.rule.inputs)
        changed = writer.variable()
        write_nested_call(writer, f"{action_function(module, action, True)}({who}, {event}{missing})", None, changed)
        if any(has_limits(module.program, one) for one in answered.inputs):
            is_changed = f"{changed} is not {event} and {CANCELLED!r} not in {changed}"
            writer.line(f"if {is_changed}: {_check_function(module, answered)}({changed})")
        writer.line(f"{event} = {changed}")
        writer.line(f"if {CANCELLED!r} in {event}: break")
    writer.line(f"return {event}")
    return writer.source


def write_boundary_event(writer: FunctionWriter, name: str, who: str) -> None:
    """Write the call of an event that the language causes, if the ruleset has it."""
    event = writer.module.program.events.get(name)
    if event is not None:
        write_nested_call(
            writer, f"{event_function(writer.module, event, checked=False)}({who if event.inputs else ''})", event.path
        )


def end_function(module: GeneratedModule, span: str) -> Callable[[Thing | None], None]:
    """A function that ends a turn (of an object), round or scene: it causes pending events and resets attributes."""
    return module.make_once(("ending", span), lambda: _make_end(module, span))


def _make_end(module: GeneratedModule, span: str) -> Callable[[Thing | None], None]:
    state, run, names = module.state, module.run, module.names
    over = SPANS[: SPANS.index(span) + 1]
    resets_of = module.cache(frozenset((OBJECTS,)))
    resets = {
        kind: [_reset_function(module, kind, one) for one in spans.attributes_lasting(module.program, kind, span)]
        for kind in module.program.kinds
    }
    some_reset = any(resets.values())
    events = {name: event_function(module, event) for name, event in module.program.events.items()}

    def cause_pending() -> None:
        after, now = spans.take_due_events(state.freeze(), span)
        module.set_state(after)
        for one in now:
            given = dict(one.given)
            run.nested += 1
            if run.nested > MOST_NESTED:
                raise NotGenerated
            outer, happens = run.calls, module.program.events[one.event]
            run.calls = (*outer, happens.path)
            try:
                names[events[one.event]](*[given.get(taken.name) for taken in happens.inputs])
            finally:
                run.calls = outer
            run.nested -= 1

    def end(who: Thing | None = None) -> None:
        if state.pending:
            cause_pending()
        if who is not None and who.id not in state.things:
            return
        if state.timers:
            module.set_state(spans.end_span(module.closures, {**module.frame, STATE: state.freeze()}, span, who))
            return
        if some_reset:
            if who not in resets_of:
                whose = spans.things_with_span(module.program, state.freeze(), span, who)
                resets_of[who] = [begin(thing) for thing in whose for begin in resets[thing.kind]]
            for begin_again in resets_of[who]:
                begin_again()
        if state.marks:
            state.marks = marks_after(state.marks, over, who if span == "turn" else None)

    return end


def _reset_function(module: GeneratedModule, kind: str, one: ir.HeldAttribute) -> Callable[[Thing], Callable[[], None]]:
    """A function that makes, for an object, what gives an attribute its value at the start again."""
    ends = (one.declared.low, one.declared.high) if one.counter else ()
    formula = one.starts if one.counter else one.declared.default
    fixed = all(each is None or isinstance(each.body, ir.Constant) for each in (*ends, formula))
    caches, settle = module.caches_of((kind, one.name)), settle_function(module, kind, one.name)
    check = check_function(module, one) if not one.counter else None

    def begin(thing: Thing) -> Callable[[], None]:
        def start() -> Any:
            return spans.restart_value(module.closures, module.frame, thing, one)

        always = start() if fixed else None
        values, name = module.state.has_by_id[thing.id], one.name

        def begin_again() -> None:
            value = always if fixed else start()
            if values[name] != value:
                if check is not None:
                    for key, each in value.items() if type(value) is dict else ((None, value),):
                        check(thing, key, each)
                values[name] = value
                for cache in caches:
                    cache.clear()
                if settle is not None:
                    settle(thing)

        return begin_again

    return begin
