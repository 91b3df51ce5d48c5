"""Rules as Python functions: mechanics, and events with what answers them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from interpreter import ir
from interpreter.codegen.effects import bounds
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule
from interpreter.codegen.steps import deeper, step
from interpreter.play.events import CANCELLED, answering


def mechanic_of(script: GeneratedModule, rule: ir.Mechanic) -> str:
    """The function of a mechanic, which takes its inputs in order, None for what is not given, and gives its record."""

    def write(name: str) -> str:
        page = FunctionWriter(script, name, [one.name for one in rule.inputs], rule)
        given(page, rule.inputs)
        page.line(f"return {played(page, rule)}")
        return page.whole

    return script.function(rule.path, write)


def given(page: FunctionWriter, inputs: Sequence[ir.Declaration]) -> None:
    """What was not given is as usual; all is held to what is declared of it."""
    for one in inputs:
        value = page.variables[one.name]
        if one.default is not None:
            page.line(f"if {value} is None: {value} = {page.text(one.default)}")
        bounds(page, one, value)


# What a rule does ------------------------------------------------------------------------------------------------


def played(page: FunctionWriter, rule: ir.Mechanic, tested: bool = False) -> str:
    """The lines of a rule, which was `tested` before, and the variable that holds its record in the end."""
    record, fields = page.new(), page.script.fields_read
    for one in () if tested else rule.requires:
        page.line(f"if not {page.text(one.condition)}: raise Unwritten")
    if page.script.ends(rule):
        nested = page.new()
        page.line(f"{nested} = run.nested")
        with _may_end(page, record, nested, [*(one.name for one in rule.steps), *(one.name for one in rule.also)]):
            _steps(page, rule.steps, record)
        with page.under(f"if 'outcome' not in {record}:"):
            _came_out(page, rule, record, nested)
        return record
    _steps(page, rule.steps, None)
    kept = [one.name for one in rule.steps if fields is None or one.name in fields]
    page.line(f"{record} = {{" + ", ".join(f"{name!r}: {page.variables[name]}" for name in kept) + "}")
    _came_out(page, rule, record, None)
    return record


def _steps(page: FunctionWriter, steps: Sequence[ir.Step], record: str | None) -> None:
    """Steps, noted in a record one by one where they may be broken off."""
    fields = page.script.fields_read
    if not steps:
        return
    page.line(f"run.steps += {len(steps)}")
    page.line("if run.steps > run.most_steps: raise Unwritten")
    for one in steps:
        step(page, one, (one.name,), record is not None or fields is None or one.name in fields)
        if record is not None:
            page.line(f"{record}[{one.name!r}] = {page.variables[one.name]}")


def _came_out(page: FunctionWriter, rule: ir.Mechanic, record: str, nested: str | None) -> None:
    """What comes after the steps of a rule: flags and further readings, then the outcome with its steps."""
    for one in rule.also:
        value = page.new()
        if isinstance(one.reading, ir.Formula):
            page.line(f"{value} = bool({page.text(one.reading)})")
        else:
            _among(page, one.reading, value)
        page.variables[one.name] = value
        page.line(f"{record}[{one.name!r}] = {value}")
    if rule.outcomes is None:
        return
    outcome = page.new()
    _among(page, rule.outcomes, outcome)
    page.line(f"{record}['outcome'] = {outcome}")
    for case in rule.outcomes.cases:
        if not case.steps:
            continue
        with page.under(f"if {outcome} == {case.name!r}:"), page.inside():
            if nested is None:
                _steps(page, case.steps, record)
                continue
            done = page.new()
            with _may_end(page, done, nested, [one.name for one in case.steps]):
                _steps(page, case.steps, done)
            page.line(f"{record} |= {done}")


def _among(page: FunctionWriter, outcomes: ir.Outcomes, value: str) -> None:
    """The first outcome that holds."""
    if outcomes.as_of is not None:
        page.line(f"{value} = {page.text(outcomes.as_of)}")
        return
    text = "None"
    for case in reversed(outcomes.cases):
        text = f"({case.name!r} if {page.text(case.condition)} else {text})" if case.condition else repr(case.name)
    page.line(f"{value} = {text}")
    if all(case.condition is not None for case in outcomes.cases):
        page.line(f"if {value} is None: raise Unwritten")


@contextmanager
def _may_end(page: FunctionWriter, record: str, nested: str, names: Sequence[str]) -> Iterator[None]:
    """Lines that an outcome may break off: what was not done by then is missing in the record."""
    page.line(f"{record} = {{" + ", ".join(f"{name!r}: None" for name in names) + "}")
    with page.under("try:"):
        yield
    with page.under("except Ended as end:"):
        page.line(f"run.nested = {nested}")
        page.line(f"{record}['outcome'] = str(end)")


# Events ----------------------------------------------------------------------------------------------------------


def caused(script: GeneratedModule, event: ir.Mechanic, checked: bool = True) -> str:
    """The function of an event, which takes its inputs in order, `checked` or as they are, and gives its record."""

    def write(name: str) -> str:
        page = FunctionWriter(script, name, [one.name for one in event.inputs], event)
        if checked:
            given(page, event.inputs)
        before, after = answering(script.program, event, True), answering(script.program, event, False)
        if before:
            _changed(page, event, [reacted(script, one) for one in before])
        record = played(page, event)
        if after:
            page.line(f"came = {{{_inputs(page, event)}**{record}}}")
        for one in after:
            page.line(f"{reacted(script, one)}(came)")
        page.line(f"{record}['happened'] = True")
        page.line(f"return {record}")
        return page.whole

    return script.function((event.path, checked), write)


def _inputs(page: FunctionWriter, event: ir.Mechanic) -> str:
    return "".join(f"{one.name!r}: {page.variables[one.name]}, " for one in event.inputs)


def _changed(page: FunctionWriter, event: ir.Mechanic, reactions: Sequence[str]) -> None:
    """The inputs as what answers before it leaves them; nothing happens where one of them cancels it."""
    nothing = ", ".join([*(f"{name!r}: None" for name, _ in event.type.fields), "'happened': False"])
    page.line(f"came = {{{_inputs(page, event)}}}")
    for one in reactions:
        page.line(f"came = {one}(came)")
        page.line(f"if {CANCELLED!r} in came: return {{{nothing}}}")
    for given_ in event.inputs:
        page.line(f"{page.variables[given_.name]} = came[{given_.name!r}]")


def boundary(page: FunctionWriter, name: str, who: str) -> None:
    """An event that the language itself causes, where a ruleset has it."""
    event = page.script.program.events.get(name)
    if event is not None:
        deeper(page, f"{caused(page.script, event, checked=False)}({who if event.inputs else ''})")


def reacted(script: GeneratedModule, reaction: ir.Reaction) -> str:
    """The function of a reaction, from the record of an event to what it has made of it."""
    from interpreter.codegen.actions import reacting

    return script.function(reaction.deed.rule.path, lambda name: reacting(script, reaction, name))
