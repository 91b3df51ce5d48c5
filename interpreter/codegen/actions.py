"""Actions as Python: whether an actor can perform one, which inputs it takes, what it costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import ir
from interpreter.codegen.choices import check_selection, policy_says, write_evaluation, write_policy_answer
from interpreter.codegen.effects import owner_function, shift_function, write_bounds_check
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule
from interpreter.codegen.rules import write_body
from interpreter.ir import types as t
from interpreter.ir.consent import may_refuse_price
from interpreter.ir.limits import has_listable_values
from interpreter.ir.traversal import locals_in
from interpreter.play.action_plans import MOST_CANDIDATES, deciding_inputs
from interpreter.play.actions import MOST_TRIED
from interpreter.play.run import CHANGED
from interpreter.runtime.state import add_mark, times_done

ACTOR, OFFERED, SPENT, UPGRADED = "actor", ".offered", "spent", "upgraded"


def action_function(module: GeneratedModule, action: ir.Action, reaction: bool = False) -> str:
    """The name of the function of an action, which returns its record; that of a reaction returns the changed event.

    It takes the actor, the event of a reaction or else whether the action was offered, and the inputs, None for a
    missing one.
    """

    def write(name: str) -> str:
        parameters = [ACTOR, CHANGED if reaction else OFFERED, *[one.name for one in action.rule.inputs]]
        writer = FunctionWriter(module, name, parameters, action)
        actor_may = _actor_test(module, action, reaction)
        writer.line(f"if not {actor_may}({_arguments(writer, action, reaction, 0)}): raise NotGenerated")
        for place, one in enumerate(action.rule.inputs):
            value = writer.variables[one.name]
            with writer.block(f"if {value} is None:"):
                _write_missing_input(writer, action, reaction, place, value)
            write_bounds_check(writer, one, value)
        problems = writer.variable()
        writer.line(f"{problems} = True")
        with writer.block("while True:"):
            paid = _write_input_checks(writer, action, "break")
            writer.line(f"{problems} = False")
            writer.line("break")
        writer.line(f"if {problems}: raise NotGenerated")
        _write_consent(writer, action, paid)
        actor = writer.variables[ACTOR]
        kind = kind_of_actor(action)

        def begin() -> None:
            for cost, (amount, word) in zip(action.costs, paid, strict=True):
                writer.line(f"{module.bind(shift_function(module, kind, cost.name, True))}({actor}, {amount}, {word})")
            _write_use_count(writer, action)

        record = write_body(writer, action.rule, tested=True, begin=begin)
        writer.line(f"return {writer.variables[CHANGED] if reaction else record}")
        return writer.source

    return module.function(("action", action.rule.path), write)


def kind_of_actor(action: ir.Action) -> str:
    kind = t.without_maybe(action.actor.type)
    assert isinstance(kind, t.Object), "an action has an actor"
    return kind.kind


def _parameters(action: ir.Action, reaction: bool, inputs: int) -> list[str]:
    """The parameters of a function that tests an action: the actor, the event of a reaction, the first inputs."""
    return [ACTOR, *([CHANGED] if reaction else []), *[one.name for one in action.rule.inputs[:inputs]]]


def _arguments(writer: FunctionWriter, action: ir.Action, reaction: bool, inputs: int, last: str = "") -> str:
    """The arguments of such a function, the `last` of them as given."""
    values = [writer.variables[name] for name in _parameters(action, reaction, inputs)]
    return ", ".join([*values[:-1], last] if last else values)


# Whether an action is possible -----------------------------------------------------------------------------------


def _actor_test(module: GeneratedModule, action: ir.Action, reaction: bool) -> str:
    """The name of a function that tests what depends on the actor alone: who it is, how often it has acted."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, _parameters(action, reaction, 0), action)
        actor = writer.variables[ACTOR]
        if action.actor.where is not None:
            with writer.element(".it", actor):
                writer.line(f"if not {writer.text(action.actor.where)}: return False")
        if action.actor.among is not None:
            writer.line(f"if {actor} not in {writer.text(action.actor.among)}: return False")
        limit = action.limit if action.upgrade is None else None
        if limit is not None and locals_in(limit.times.body) <= writer.variables.keys():  # else it depends on an input
            _write_limit_check(writer, limit, "return False")
        writer.line("return True")
        return writer.source

    return module.function(("may", action.rule.path), write)


def action_test(module: GeneratedModule, action: ir.Action, reaction: bool) -> str:
    """The name of a function that tests whether the actor can perform the action with any inputs."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, _parameters(action, reaction, 0), action)
        writer.line(
            f"if not {_actor_test(module, action, reaction)}({_arguments(writer, action, reaction, 0)}): return False"
        )
        writer.line(f"return {_inputs_test(module, action, reaction, 0)}({_arguments(writer, action, reaction, 0)})")
        return writer.source

    return module.function(("can", action.rule.path), write)


def _inputs_test(module: GeneratedModule, action: ir.Action, reaction: bool, place: int) -> str:
    """The name of a function that tests whether values of the inputs from a place on exist that are not refused."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, _parameters(action, reaction, place), action)
        tried = writer.variable()
        writer.line(f"{tried} = 0")
        _write_input_loops(writer, action, place, tried)
        writer.line("return False")
        return writer.source

    return module.function(("way", action.rule.path, place), write)


def _write_input_loops(writer: FunctionWriter, action: ir.Action, place: int, tried: str) -> None:
    """Write loops over the values of inputs from a place on; of an input that decides nothing, one value is enough."""
    if place == len(action.rule.inputs):
        writer.line(f"if {tried} == {MOST_TRIED}: return False")
        writer.line(f"{tried} += 1")
        with writer.block("while True:"):
            _write_input_checks(writer, action, "break")
            writer.line("return True")
        return
    one, value, usual = action.rule.inputs[place], writer.variable(), writer.variable()
    if not has_listable_values(one):
        if one.default is None and not one.optional:
            writer.line("raise NotGenerated")  # play tells what depends on an input whose values cannot be listed
        writer.line(f"{value} = {writer.text(one.default) if one.default is not None else None}")
        writer.variables[one.name] = value
        _write_input_loops(writer, action, place + 1, tried)
        return
    options = write_candidates(writer, one)
    if not one.required:
        writer.line(f"{usual} = {writer.text(one.default) if one.default is not None else None}")
        # A default that is no candidate is none of the values; that the input is missing may be one.
        writer.line(f"{options} = (None, *{options}) if {usual} is None and None not in {options} else {options}")
    if not _is_deciding(action, place):
        writer.line(f"{options} = {options}[:1]")
    with writer.block(f"for {value} in {options}:"):
        writer.variables[one.name] = value
        _write_input_loops(writer, action, place + 1, tried)


def _is_deciding(action: ir.Action, place: int) -> bool:
    """Whether a refusal, or the values of a later input, depend on an input."""
    return action.rule.inputs[place].name in deciding_inputs(action)


def write_candidates(writer: FunctionWriter, one: ir.Declaration) -> str:
    """Write what lists the values of an input, or the elements of one that is a list; return the variable."""
    kind, options, each = t.without_maybe(one.type), writer.variable(), writer.variable()
    if isinstance(kind, t.List):
        kind = t.without_maybe(kind.of)
    several = isinstance(t.without_maybe(one.type), t.List)
    if one.among is not None:
        found = writer.text(one.among) if several else f"dict.fromkeys({writer.text(one.among)})"
    elif isinstance(kind, t.Object):
        found = f"{writer.module.bind(writer.module.state.of_kind)}({kind.kind!r})"
    elif isinstance(kind, t.YesNo):
        found = "(False, True)"
    elif isinstance(kind, t.Word):
        found = writer.module.bind(kind.words)
    else:
        assert one.low is not None and one.high is not None, "numbers that can be listed have bounds"
        low, high = writer.variable(), writer.variable()
        writer.line(f"{low} = {writer.text(one.low)}")
        writer.line(f"{high} = {writer.text(one.high)}")
        writer.line(f"if {high} - {low} >= {MOST_CANDIDATES}: raise NotGenerated")
        found = f"range({low}, {high} + 1)"
    if one.where is None or several:  # `where` is asked of the list that is chosen
        writer.line(f"{options} = tuple({found})")
    else:
        with writer.element(".it", each):
            writer.line(f"{options} = tuple([{each} for {each} in {found} if {writer.text(one.where)}])")
    return options


# Limits and costs ------------------------------------------------------------------------------------------------


def _write_limit_check(writer: FunctionWriter, limit: ir.UseLimit | None, out: str) -> None:
    """Write what goes `out` if the actor has used up a limit."""
    if limit is None:
        return
    state, actor = writer.module.bind(writer.module.state), writer.variables[ACTOR]
    uses = writer.expressions.call(times_done, f"{state}.marks", repr(limit.path), f"{actor}.id", repr(limit.per))
    writer.line(f"if {uses} >= {writer.text(limit.times)}: {out}")


def _write_use_count(writer: FunctionWriter, action: ir.Action) -> None:
    """Write what counts another use towards the limit."""
    state = writer.module.state

    def mark(limit: ir.UseLimit) -> Callable[[Any], None]:
        def now(actor: Any) -> None:
            if actor.id in state.things:  # what happens when points run out may destroy it
                state.marks = add_mark(state.marks, limit.path, actor.id, limit.per)

        return now

    limits = [("if True:", action.limit)]
    if action.upgrade is not None:
        upgraded = writer.variables[UPGRADED]
        limits = [(f"if not {upgraded}:", action.limit), (f"if {upgraded}:", action.upgrade.limit)]
    for when, limit in limits:
        if limit is not None:
            with writer.block(when):
                writer.line(f"{writer.module.bind(mark(limit))}({writer.variables[ACTOR]})")


Paid = tuple[str, str]
"""The variables of what a cost comes to and of the word of its points, which is None if they have none."""


def _write_input_checks(writer: FunctionWriter, action: ir.Action, out: str) -> list[Paid]:
    """Write what goes `out` if the action is refused with its inputs; return the variables of its costs, in order."""
    up, actor = action.upgrade, writer.variables[ACTOR]
    if up is None:
        _write_limit_check(writer, action.limit, out)
    else:
        with writer.block(f"if {writer.variables[UPGRADED]}:"):
            _write_limit_check(writer, up.limit, out)
        with writer.block("else:"):
            _write_limit_check(writer, action.limit, out)
    paid = [(writer.variable(), writer.variable()) for _ in action.costs]
    by_name: dict[str, list[str]] = {}
    for cost, (amount, word) in zip(action.costs, paid, strict=True):
        writer.line(f"{amount} = {writer.text(cost.amount)}")
        writer.line(f"{word} = {writer.text(cost.key) if cost.key is not None else None}")
        by_name.setdefault(cost.name, []).append(amount)
    spent = writer.variable()
    if action.costs or up is not None or SPENT in writer.names_read:
        sums = [f"{name!r}: {' + '.join(each)}" for name, each in by_name.items()]
        writer.line(f"{spent} = {{{', '.join(sums)}}}")
        writer.variables[SPENT] = spent
    if up is not None:
        with writer.block(f"if {writer.variables[UPGRADED]}:"):
            for name in up.waives:
                if name in by_name:
                    writer.line(f"{' = '.join(by_name[name])} = {spent}[{name!r}] = 0")
            if up.counts_as is not None:
                counted = writer.variable()
                writer.line(f"{counted} = {writer.text(up.counts_as)}")
                for name in up.counted:
                    writer.line(f"{spent}[{name!r}] = {counted}")
    for one in action.rule.requires:
        writer.line(f"if not {writer.text(one.condition)}: {out}")
    whole = writer.variable()
    if any(len(each) > 1 for each in by_name.values()):  # two words may turn out to be the same
        writer.line(f"{whole} = {{}}")
    for cost, (amount, word) in zip(action.costs, paid, strict=True):
        low = writer.module.program.kinds[kind_of_actor(action)].has[cost.name].declared.low
        bound = "0"
        if low is not None:
            bound = f"({writer.module.bind(owner_function(writer.module, low))}({actor}, {word}) or 0)"
        at = f"[{word}]" if cost.key is not None else ""
        there = f"has[{actor}.id][{cost.name!r}]{at} - {bound}"
        writer.line(f"if not 0 <= {amount} <= {there}: {out}")
        if len(by_name[cost.name]) > 1:
            place = f"({cost.name!r}, {word})"
            writer.line(f"{whole}[{place}] = {whole}.get({place}, 0) + {amount}")
            writer.line(f"if {whole}[{place}] > {there}: {out}")
    return paid


def _write_consent(writer: FunctionWriter, action: ir.Action, paid: list[Paid]) -> None:
    """Write that a run in which the policy refuses the price is left to play."""
    says = policy_says(writer, action.pays) if may_refuse_price(action) else None
    if says is None:
        return
    asked = [amount for amount, _ in paid] + ([writer.variables[UPGRADED]] if action.upgrade is not None else [])
    with writer.block(f"if {' or '.join(asked)}:"):
        writer.line(f"if {says[0]} not in (True, None): raise NotGenerated")


# Inputs ----------------------------------------------------------------------------------------------------------


def _write_missing_input(writer: FunctionWriter, action: ir.Action, reaction: bool, place: int, value: str) -> None:
    """Write the value of a missing input: the answer of the policy where there is a choice, or the default."""
    one = action.rule.inputs[place]
    kind = t.without_maybe(one.type)
    several = isinstance(kind, t.List)
    if not (has_listable_values(one) or (several and one.among is not None)):
        writer.line(_default_line(writer, one, value))
        return
    options = write_candidates(writer, one)
    write_evaluation(writer, one.by)
    if several:
        most = f"min({writer.text(one.most)}, len({options}))" if one.most is not None else f"len({options})"
        least = writer.text(one.fewest) if one.fewest is not None else "0"
        with writer.block(f"if not {options}:"):
            writer.line(_default_line(writer, one, value))
        with writer.block("else:"):
            write_policy_answer(writer, action.answers.get(one.name, {}), one.default, value)
            writer.line(f"{value} = {writer.module.bind(check_selection)}({options}, {least}, {most}, {value})")
        return
    possible = _inputs_test(writer.module, action, reaction, place + 1) if _is_deciding(action, place) else None
    if isinstance(kind, t.YesNo):
        _write_answer(writer, action, reaction, place, value, options, possible)
        return
    with writer.block(f"if not {options}:"):
        writer.line(_default_line(writer, one, value))
    if possible is None and one.required:
        with writer.block(f"elif len({options}) == 1:"):
            writer.line(f"{value} = {options}[0]")
    with writer.block("else:"):
        _write_answer(writer, action, reaction, place, value, options, possible)


def _default_line(writer: FunctionWriter, one: ir.Declaration, value: str) -> str:
    """A line that sets an input to its default, or raises if it is required."""
    if one.required:
        return "raise NotGenerated"
    return f"{value} = {writer.text(one.default) if one.default is not None else None}"


def _write_answer(
    writer: FunctionWriter,
    action: ir.Action,
    reaction: bool,
    place: int,
    value: str,
    options: str,
    possible: str | None,
) -> None:
    """Write the answer of the policy, else the default; if that would be refused, the only value that would not be.

    An answer that is possible is right whether play would ask for it or take it as the only one.
    """
    one = action.rule.inputs[place]
    says = policy_says(writer, action.answers.get(one.name, {}))
    usual = writer.text(one.default) if one.default is not None else "None"
    if says is not None:
        write_evaluation(writer, one.default)
    writer.line(f"{value} = {says[0] if says is not None else usual}")
    if says is not None and says[1]:
        writer.line(f"if {value} is None: {value} = {usual}")
    illegal = (
        f"{value} not in {options} or (type({value}) is not bool) == {isinstance(t.without_maybe(one.type), t.YesNo)}"
    )
    if possible is None:
        writer.line(f"if {illegal}: raise NotGenerated")
        return
    fits = f"{possible}({_arguments(writer, action, reaction, place + 1, value)})"
    if one.by is not None:
        writer.line(f"if {illegal} or not {fits}: raise NotGenerated")  # play tells how it is denied
        return
    with writer.block(f"if {illegal} or not {fits}:"):
        each, open_ = writer.variable(), writer.variable()
        of_each = f"{possible}({_arguments(writer, action, reaction, place + 1, each)})"
        writer.line(f"{open_} = [{each} for {each} in {options} if {of_each}]")
        forced = f"len({open_}) == 1"
        if isinstance(t.without_maybe(one.type), t.YesNo):
            offered = "False" if reaction else writer.variables[OFFERED]
            forced += f" and ({offered} or {open_}[0] == {usual})"
        elif not one.required:
            forced = "False"
        writer.line(f"if not ({forced}): raise NotGenerated")
        writer.line(f"{value} = {open_}[0]")
