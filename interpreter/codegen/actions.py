"""What somebody does, as Python: whether it can be done, what is said of it, what it costs; offers and reactions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import ir
from interpreter.codegen.choices import looked_at, said, some_of
from interpreter.codegen.effects import bounds, of_owner, shifted
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule
from interpreter.codegen.rules import played
from interpreter.ir import types as t
from interpreter.ir.traversal import locals_in
from interpreter.play.actions import MOST_CANDIDATES, MOST_TRIED, deciding
from interpreter.play.run import CHANGED
from interpreter.runtime.state import done, with_mark

ACTOR, OFFERED, SPENT, UPGRADED = "actor", ".offered", "spent", "upgraded"


def names_of(action: ir.Action, reaction: bool) -> list[str]:
    """What the function of a action is given: who does it, the event that is answered, its inputs."""
    return [ACTOR, *([CHANGED] if reaction else [OFFERED]), *[one.name for one in action.rule.inputs]]


def acted(module: GeneratedModule, action: ir.Action, reaction: bool = False) -> str:
    """The function of a action. It gives its record; that of a reaction gives the event as it has left it."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, names_of(action, reaction), action)
        actor_may = _who_may(module, action, reaction)
        writer.line(f"if not {actor_may}({_given(writer, action, reaction, 0)}): raise NotGenerated")
        for place, one in enumerate(action.rule.inputs):
            value = writer.variables[one.name]
            with writer.indented(f"if {value} is None:"):
                _asked(writer, action, reaction, place, value)
            bounds(writer, one, value)
        problems = writer.variable()
        writer.line(f"{problems} = True")
        with writer.indented("while True:"):
            paid = _refused(writer, action, "break")
            writer.line(f"{problems} = False")
            writer.line("break")
        writer.line(f"if {problems}: raise NotGenerated")
        actor = writer.variables[ACTOR]
        kind = kind_of_actor(action)
        for cost in action.costs:
            writer.line(f"{module.bind(shifted(module, kind, cost.name, True))}({actor}, {paid[cost.name]})")
        _marked(writer, action)
        record = played(writer, action.rule, tested=True)
        writer.line(f"return {writer.variables[CHANGED] if reaction else record}")
        return writer.source

    return module.function(("action", action.rule.path), write)


def kind_of_actor(action: ir.Action) -> str:
    kind = t.present(action.actor.type)
    assert isinstance(kind, t.Thing), "somebody does it"
    return kind.kind


def _given(writer: FunctionWriter, action: ir.Action, reaction: bool, inputs: int, last: str = "") -> str:
    """What a function is given that needs who does it, the event, and the first so many inputs, the `last` as said."""
    names = [ACTOR, *([CHANGED] if reaction else []), *[one.name for one in action.rule.inputs[:inputs]]]
    values = [writer.variables[name] for name in names]
    return ", ".join([*values[:-1], last] if last else values)


def _asking(module: GeneratedModule, name: str, action: ir.Action, reaction: bool, inputs: int) -> FunctionWriter:
    """A writer of such a function."""
    names = [ACTOR, *([CHANGED] if reaction else []), *[one.name for one in action.rule.inputs[:inputs]]]
    return FunctionWriter(module, name, names, action)


# Whether it may be done ------------------------------------------------------------------------------------------


def _who_may(module: GeneratedModule, action: ir.Action, reaction: bool) -> str:
    """The function that tells whether somebody may do it, as far as that can be told before it is said how."""

    def write(name: str) -> str:
        writer = _asking(module, name, action, reaction, 0)
        actor = writer.variables[ACTOR]
        if action.actor.where is not None:
            with writer.element(".it", actor):
                writer.line(f"if not {writer.text(action.actor.where)}: return False")
        if action.actor.among is not None:
            writer.line(f"if {actor} not in {writer.text(action.actor.among)}: return False")
        limit = action.limit if action.upgrade is None else None
        if limit is not None and locals_in(limit.times.body) <= writer.variables.keys():  # else it hangs on an input
            _often_enough(writer, limit, "return False")
        writer.line("return True")
        return writer.source

    return module.function(("may", action.rule.path), write)


def can_be_done(module: GeneratedModule, action: ir.Action, reaction: bool) -> str:
    """The function that tells whether somebody can do it in any way."""

    def write(name: str) -> str:
        writer = _asking(module, name, action, reaction, 0)
        writer.line(f"if not {_who_may(module, action, reaction)}({_given(writer, action, reaction, 0)}): return False")
        writer.line(f"return {_any_way(module, action, reaction, 0)}({_given(writer, action, reaction, 0)})")
        return writer.source

    return module.function(("can", action.rule.path), write)


def _any_way(module: GeneratedModule, action: ir.Action, reaction: bool, place: int) -> str:
    """The function that tells whether there is a way to fill in the inputs from one on that is not refused."""

    def write(name: str) -> str:
        writer = _asking(module, name, action, reaction, place)
        tried = writer.variable()
        writer.line(f"{tried} = 0")
        _ways(writer, action, place, tried)
        writer.line("return False")
        return writer.source

    return module.function(("way", action.rule.path, place), write)


def _ways(writer: FunctionWriter, action: ir.Action, place: int, tried: str) -> None:
    """Lines that go through what the inputs may be, from one on; those that decide nothing are left as they come."""
    if place == len(action.rule.inputs):
        writer.line(f"if {tried} == {MOST_TRIED}: return False")
        writer.line(f"{tried} += 1")
        with writer.indented("while True:"):
            _refused(writer, action, "break")
            writer.line("return True")
        return
    one, value, usual = action.rule.inputs[place], writer.variable(), writer.variable()
    if not _listable(one):
        if one.default is None and not one.optional:
            writer.line("raise NotGenerated")  # what hangs on an input that nobody can list is told by the walk
        writer.line(f"{value} = {writer.text(one.default) if one.default is not None else None}")
        writer.variables[one.name] = value
        _ways(writer, action, place + 1, tried)
        return
    options = candidates(writer, one)
    if not one.required:
        writer.line(f"{usual} = {writer.text(one.default) if one.default is not None else None}")
        writer.line(f"{options} = {options} if {usual} in {options} else ({usual}, *{options})")
    if not _decides(action, place):
        writer.line(f"{options} = {options}[:1]")
    with writer.indented(f"for {value} in {options}:"):
        writer.variables[one.name] = value
        _ways(writer, action, place + 1, tried)


def _decides(action: ir.Action, place: int) -> bool:
    """Whether what is refused, or what an input after it may be, hangs on an input."""
    return action.rule.inputs[place].name in deciding(action)


def _listable(one: ir.Declaration) -> bool:
    """Whether what an input may be can be listed, for one of a list each element."""
    kind = t.present(one.type)
    if isinstance(kind, t.List):
        return False
    if isinstance(kind, (t.Thing, t.YesNo, t.Word)) or one.among is not None:
        return True
    return isinstance(kind, t.Number) and one.low is not None and one.high is not None


def candidates(writer: FunctionWriter, one: ir.Declaration) -> str:
    """What an input may be."""
    kind, options, each = t.present(one.type), writer.variable(), writer.variable()
    if isinstance(kind, t.List):
        kind = t.present(kind.of)
    several = isinstance(t.present(one.type), t.List)
    if one.among is not None:
        found = writer.text(one.among) if several else f"dict.fromkeys({writer.text(one.among)})"
    elif isinstance(kind, t.Thing):
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
    if one.where is None or several:  # of a list, it is the list that is chosen
        writer.line(f"{options} = tuple({found})")
    else:
        with writer.element(".it", each):
            writer.line(f"{options} = tuple([{each} for {each} in {found} if {writer.text(one.where)}])")
    return options


# What it costs ---------------------------------------------------------------------------------------------------


def _often_enough(writer: FunctionWriter, limit: ir.UseLimit | None, out: str) -> None:
    if limit is None:
        return
    state, actor = writer.module.bind(writer.module.state), writer.variables[ACTOR]
    how_often = writer.expressions.call(done, f"{state}.marks", repr(limit.path), f"{actor}.id", repr(limit.per))
    writer.line(f"if {how_often} >= {writer.text(limit.times)}: {out}")


def _marked(writer: FunctionWriter, action: ir.Action) -> None:
    """It was done once more."""
    state = writer.module.state

    def mark(limit: ir.UseLimit) -> Callable[[Any], None]:
        def now(actor: Any) -> None:
            state.marks = with_mark(state.marks, limit.path, actor.id, limit.per)

        return now

    limits = [("if True:", action.limit)]
    if action.upgrade is not None:
        upgraded = writer.variables[UPGRADED]
        limits = [(f"if not {upgraded}:", action.limit), (f"if {upgraded}:", action.upgrade.limit)]
    for when, limit in limits:
        if limit is not None:
            with writer.indented(when):
                writer.line(f"{writer.module.bind(mark(limit))}({writer.variables[ACTOR]})")


def _refused(writer: FunctionWriter, action: ir.Action, out: str) -> dict[str, str]:
    """Lines that go `out` where it is refused with these inputs; the variables with what it costs, by its points."""
    up, actor = action.upgrade, writer.variables[ACTOR]
    if up is None:
        _often_enough(writer, action.limit, out)
    else:
        with writer.indented(f"if {writer.variables[UPGRADED]}:"):
            _often_enough(writer, up.limit, out)
        with writer.indented("else:"):
            _often_enough(writer, action.limit, out)
    paid = {cost.name: writer.variable() for cost in action.costs}
    for cost in action.costs:
        writer.line(f"{paid[cost.name]} = {writer.text(cost.amount)}")
    spent = writer.variable()
    if action.costs or up is not None or SPENT in writer.names_read:
        writer.line(f"{spent} = {{{', '.join(f'{name!r}: {value}' for name, value in paid.items())}}}")
        writer.variables[SPENT] = spent
    if up is not None:
        with writer.indented(f"if {writer.variables[UPGRADED]}:"):
            for name in up.waives:
                if name in paid:
                    writer.line(f"{paid[name]} = {spent}[{name!r}] = 0")
            if up.counts_as is not None:
                counted = writer.variable()
                writer.line(f"{counted} = {writer.text(up.counts_as)}")
                for name in up.counted:
                    writer.line(f"{spent}[{name!r}] = {counted}")
    for one in action.rule.requires:
        writer.line(f"if not {writer.text(one.condition)}: {out}")
    for cost in action.costs:
        low = writer.module.program.kinds[kind_of_actor(action)].has[cost.name].declared.low
        bound = "0"
        if low is not None:
            bound = f"({writer.module.bind(of_owner(writer.module, low))}({actor}) or 0)"
        there = f"has[{actor}.id][{cost.name!r}] - {bound}"
        writer.line(f"if not 0 <= {paid[cost.name]} <= {there}: {out}")
    return paid


# What is said of it ----------------------------------------------------------------------------------------------


def _asked(writer: FunctionWriter, action: ir.Action, reaction: bool, place: int, value: str) -> None:
    """An input that nobody gave: what the policy says where there is something to choose, else as usual."""
    one = action.rule.inputs[place]
    kind = t.present(one.type)
    several = isinstance(kind, t.List)
    if not (_listable(one) or (several and one.among is not None)):
        writer.line(_usual(writer, one, value))
        return
    options = candidates(writer, one)
    looked_at(writer, one.by)
    if several:
        most = f"min({writer.text(one.most)}, len({options}))" if one.most is not None else f"len({options})"
        least = writer.text(one.fewest) if one.fewest is not None else "0"
        with writer.indented(f"if not {options}:"):
            writer.line(_usual(writer, one, value))
        with writer.indented("else:"):
            said(writer, action.answers.get(one.name, {}), one.default, value)
            writer.line(f"{value} = {writer.module.bind(some_of)}({options}, {least}, {most}, {value})")
        return
    way = _any_way(writer.module, action, reaction, place + 1) if _decides(action, place) else None
    if isinstance(kind, t.YesNo):
        _answer(writer, action, reaction, place, value, options, way)
        return
    with writer.indented(f"if not {options}:"):
        writer.line(_usual(writer, one, value))
    if way is None and one.required:
        with writer.indented(f"elif len({options}) == 1:"):
            writer.line(f"{value} = {options}[0]")
    with writer.indented("else:"):
        _answer(writer, action, reaction, place, value, options, way)


def _usual(writer: FunctionWriter, one: ir.Declaration, value: str) -> str:
    if one.required:
        return "raise NotGenerated"
    return f"{value} = {writer.text(one.default) if one.default is not None else None}"


def _answer(
    writer: FunctionWriter, action: ir.Action, reaction: bool, place: int, value: str, options: str, way: str | None
) -> None:
    """What the policy says, else the default; where it would be refused whatever comes after, what alone would not.

    An answer that is open is right whether it was asked for or is the only one that is open.
    """
    one = action.rule.inputs[place]
    formula = action.answers.get(one.name, {}).get(writer.module.policy or "")
    usual = writer.text(one.default) if one.default is not None else "None"
    if formula is not None:
        looked_at(writer, one.default)
    writer.line(f"{value} = {writer.text(formula) if formula is not None else usual}")
    if formula is not None and isinstance(formula.type, t.Maybe):
        writer.line(f"if {value} is None: {value} = {usual}")
    illegal = f"{value} not in {options} or (type({value}) is not bool) == {isinstance(t.present(one.type), t.YesNo)}"
    if way is None:
        writer.line(f"if {illegal}: raise NotGenerated")
        return
    fits = f"{way}({_given(writer, action, reaction, place + 1, value)})"
    with writer.indented(f"if {illegal} or not {fits}:"):
        each, open_ = writer.variable(), writer.variable()
        of_each = f"{way}({_given(writer, action, reaction, place + 1, each)})"
        writer.line(f"{open_} = [{each} for {each} in {options} if {of_each}]")
        forced = f"len({open_}) == 1"
        if isinstance(t.present(one.type), t.YesNo):
            offered = "False" if reaction else writer.variables[OFFERED]
            forced += f" and ({offered} or {open_}[0] == {usual})"
        elif not one.required:
            forced = "False"
        writer.line(f"if not ({forced}): raise NotGenerated")
        writer.line(f"{value} = {open_}[0]")
