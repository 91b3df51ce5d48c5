"""Rules as Python functions: inputs, requirements, steps, further readings and outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from interpreter import ir
from interpreter.codegen.effects import write_bounds_check
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule
from interpreter.codegen.steps import write_step


def mechanic_function(module: GeneratedModule, rule: ir.Mechanic) -> str:
    """The name of the function of a mechanic, from its inputs in order, None for a missing one, to its record."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, [one.name for one in rule.inputs], rule)
        write_inputs(writer, rule.inputs)
        writer.line(f"return {write_body(writer, rule)}")
        return writer.source

    return module.function(rule.path, write)


def write_inputs(writer: FunctionWriter, inputs: Sequence[ir.Declaration]) -> None:
    """Write the defaults of inputs that are not given, and the checks of all inputs."""
    for one in inputs:
        value = writer.variables[one.name]
        if one.default is not None:
            writer.line(f"if {value} is None: {value} = {writer.text(one.default)}")
        write_bounds_check(writer, one, value)


# The body of a rule -----------------------------------------------------------------------------------------------


def write_body(
    writer: FunctionWriter, rule: ir.Mechanic, tested: bool = False, begin: Callable[[], None] = lambda: None
) -> str:
    """Write the body of a rule; return the variable of its record. A `tested` rule has checked its requirements.

    `begin` writes what comes before the steps, such as the payment of a price, and may end the rule as a step may.
    """
    record, fields = writer.variable(), writer.module.fields_read
    for one in () if tested else rule.requires:
        writer.line(f"if not {writer.text(one.condition)}: raise NotGenerated")
    if writer.module.may_end(rule):
        nested = writer.variable()
        writer.line(f"{nested} = run.nested")
        names = [*(one.name for one in rule.steps), *(one.name for one in rule.also)]
        with _write_early_end(writer, record, nested, names):
            begin()
            _write_steps(writer, rule.steps, record)
        with writer.block(f"if 'outcome' not in {record}:"):
            _write_conclusion(writer, rule, record, nested)
        return record
    begin()
    _write_steps(writer, rule.steps, None)
    kept = [one.name for one in rule.steps if fields is None or one.name in fields]
    writer.line(f"{record} = {{" + ", ".join(f"{name!r}: {writer.variables[name]}" for name in kept) + "}")
    _write_conclusion(writer, rule, record, None)
    return record


def _write_steps(writer: FunctionWriter, steps: Sequence[ir.Step], record: str | None) -> None:
    """Write steps, which put their results into a record one by one if a step may end the rule."""
    fields = writer.module.fields_read
    if not steps:
        return
    writer.spend(len(steps))
    for one in steps:
        write_step(writer, one, (one.name,), record is not None or fields is None or one.name in fields)
        if record is not None:
            writer.line(f"{record}[{one.name!r}] = {writer.variables[one.name]}")


def _write_conclusion(writer: FunctionWriter, rule: ir.Mechanic, record: str, nested: str | None) -> None:
    """Write what follows the steps of a rule: flags and further readings, then the outcome with its steps."""
    for one in rule.also:
        value = writer.variable()
        if isinstance(one.reading, ir.Formula):
            writer.line(f"{value} = bool({writer.text(one.reading)})")
        else:
            _write_first_outcome(writer, one.reading, value)
        writer.variables[one.name] = value
        writer.line(f"{record}[{one.name!r}] = {value}")
    if rule.outcomes is None:
        return
    outcome = writer.variable()
    _write_first_outcome(writer, rule.outcomes, outcome)
    writer.line(f"{record}['outcome'] = {outcome}")
    for case in rule.outcomes.cases:
        if not case.steps:
            continue
        with writer.block(f"if {outcome} == {case.name!r}:"), writer.scope():
            if nested is None:
                _write_steps(writer, case.steps, record)
                continue
            done = writer.variable()
            with _write_early_end(writer, done, nested, [one.name for one in case.steps]):
                _write_steps(writer, case.steps, done)
            writer.line(f"{record} |= {done}")


def _write_first_outcome(writer: FunctionWriter, outcomes: ir.Outcomes, value: str) -> None:
    """Write the choice of the first outcome that holds."""
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
def _write_early_end(writer: FunctionWriter, record: str, nested: str, names: Sequence[str]) -> Iterator[None]:
    """Write lines that a step may end with an outcome: results that are not reached are None in the record."""
    writer.line(f"{record} = {{" + ", ".join(f"{name!r}: None" for name in names) + "}")
    with writer.block("try:"):
        yield
    with writer.block("except Ended as end:"):
        writer.line(f"run.nested = {nested}")
        writer.line(f"{record}['outcome'] = str(end)")
