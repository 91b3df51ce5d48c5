"""Rules as Python functions: mechanics, and events with what answers them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from interpreter import ir
from interpreter.codegen.effects import bounds
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule
from interpreter.codegen.steps import write_step


def mechanic_of(module: GeneratedModule, rule: ir.Mechanic) -> str:
    """The function of a mechanic, which takes its inputs in order, None for what is not given, and gives its record."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, [one.name for one in rule.inputs], rule)
        given(writer, rule.inputs)
        writer.line(f"return {played(writer, rule)}")
        return writer.source

    return module.function(rule.path, write)


def given(writer: FunctionWriter, inputs: Sequence[ir.Declaration]) -> None:
    """What was not given is as usual; all is held to what is declared of it."""
    for one in inputs:
        value = writer.variables[one.name]
        if one.default is not None:
            writer.line(f"if {value} is None: {value} = {writer.text(one.default)}")
        bounds(writer, one, value)


# What a rule does ------------------------------------------------------------------------------------------------


def played(writer: FunctionWriter, rule: ir.Mechanic, tested: bool = False) -> str:
    """The lines of a rule, which was `tested` before, and the variable that holds its record in the end."""
    record, fields = writer.variable(), writer.module.fields_read
    for one in () if tested else rule.requires:
        writer.line(f"if not {writer.text(one.condition)}: raise NotGenerated")
    if writer.module.may_end(rule):
        nested = writer.variable()
        writer.line(f"{nested} = run.nested")
        names = [*(one.name for one in rule.steps), *(one.name for one in rule.also)]
        with _ending_early(writer, record, nested, names):
            _steps(writer, rule.steps, record)
        with writer.indented(f"if 'outcome' not in {record}:"):
            _came_out(writer, rule, record, nested)
        return record
    _steps(writer, rule.steps, None)
    kept = [one.name for one in rule.steps if fields is None or one.name in fields]
    writer.line(f"{record} = {{" + ", ".join(f"{name!r}: {writer.variables[name]}" for name in kept) + "}")
    _came_out(writer, rule, record, None)
    return record


def _steps(writer: FunctionWriter, steps: Sequence[ir.Step], record: str | None) -> None:
    """Steps, noted in a record one by one where they may be broken off."""
    fields = writer.module.fields_read
    if not steps:
        return
    writer.line(f"run.steps += {len(steps)}")
    writer.line("if run.steps > run.most_steps: raise NotGenerated")
    for one in steps:
        write_step(writer, one, (one.name,), record is not None or fields is None or one.name in fields)
        if record is not None:
            writer.line(f"{record}[{one.name!r}] = {writer.variables[one.name]}")


def _came_out(writer: FunctionWriter, rule: ir.Mechanic, record: str, nested: str | None) -> None:
    """What comes after the steps of a rule: flags and further readings, then the outcome with its steps."""
    for one in rule.also:
        value = writer.variable()
        if isinstance(one.reading, ir.Formula):
            writer.line(f"{value} = bool({writer.text(one.reading)})")
        else:
            _among(writer, one.reading, value)
        writer.variables[one.name] = value
        writer.line(f"{record}[{one.name!r}] = {value}")
    if rule.outcomes is None:
        return
    outcome = writer.variable()
    _among(writer, rule.outcomes, outcome)
    writer.line(f"{record}['outcome'] = {outcome}")
    for case in rule.outcomes.cases:
        if not case.steps:
            continue
        with writer.indented(f"if {outcome} == {case.name!r}:"), writer.scope():
            if nested is None:
                _steps(writer, case.steps, record)
                continue
            done = writer.variable()
            with _ending_early(writer, done, nested, [one.name for one in case.steps]):
                _steps(writer, case.steps, done)
            writer.line(f"{record} |= {done}")


def _among(writer: FunctionWriter, outcomes: ir.Outcomes, value: str) -> None:
    """The first outcome that holds."""
    if outcomes.as_of is not None:
        writer.line(f"{value} = {writer.text(outcomes.as_of)}")
        return
    text = "None"
    for case in reversed(outcomes.cases):
        text = f"({case.name!r} if {writer.text(case.condition)} else {text})" if case.condition else repr(case.name)
    writer.line(f"{value} = {text}")
    if all(case.condition is not None for case in outcomes.cases):
        writer.line(f"if {value} is None: raise NotGenerated")


@contextmanager
def _ending_early(writer: FunctionWriter, record: str, nested: str, names: Sequence[str]) -> Iterator[None]:
    """Lines that an outcome may break off: what was not done by then is missing in the record."""
    writer.line(f"{record} = {{" + ", ".join(f"{name!r}: None" for name in names) + "}")
    with writer.indented("try:"):
        yield
    with writer.indented("except Ended as end:"):
        writer.line(f"run.nested = {nested}")
        writer.line(f"{record}['outcome'] = str(end)")
