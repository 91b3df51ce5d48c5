"""Steps that hold or repeat other steps, call a mechanic, or end one, as Python."""

from __future__ import annotations

from interpreter import ir
from interpreter.codegen.choices import write_evaluation
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import Trail
from interpreter.codegen.rules import mechanic_function
from interpreter.codegen.steps import (
    arguments_text,
    leading_step,
    record_expression,
    write_action,
    write_block,
    write_result,
)
from interpreter.ir import types as t
from interpreter.ir.passes import name_before
from interpreter.play.control import forms_of_stages
from interpreter.play.run import RunLimits
from interpreter.runtime.operations import as_number


def write_let(writer: FunctionWriter, action: ir.Let, step: ir.Step, trail: Trail, value: str | None) -> None:
    write_result(writer, value, writer.text(action.formula))


def write_first_of(writer: FunctionWriter, action: ir.FirstOf, step: ir.Step, trail: Trail, value: str | None) -> None:
    write_result(writer, value, writer.expressions.cases(action))


def write_call(writer: FunctionWriter, action: ir.Call, step: ir.Step, trail: Trail, value: str | None) -> None:
    rule = writer.module.program.mechanics[action.mechanic]
    for _, who in action.roles:
        write_evaluation(writer, who)
    with leading_step(writer, step.path):
        write_result(
            writer, value, f"{mechanic_function(writer.module, rule)}({arguments_text(writer, rule, action.given)})"
        )


def write_group(writer: FunctionWriter, action: ir.StepGroup, step: ir.Step, trail: Trail, value: str | None) -> None:
    with writer.scope():
        write_block(writer, action.steps, trail, value is not None)
        write_result(writer, value, record_expression(writer, action.steps) if value is not None else None)


def write_end(writer: FunctionWriter, action: ir.End, step: ir.Step, trail: Trail, value: str | None) -> None:
    writer.line(f"raise Ended({action.outcome!r}, frame)")


def write_for_each(writer: FunctionWriter, action: ir.ForEach, step: ir.Step, trail: Trail, value: str | None) -> None:
    among, found = writer.text(action.among), value and writer.variable()
    if found is not None:
        writer.line(f"{found} = {'{}' if action.keyed else '[]'}")
    variable = writer.variable()
    listed = ".values()" if isinstance(action.among.type, t.Map) else ""
    with writer.scope(), writer.block(f"for {variable} in {among}{listed}:"):
        if action.where is not None:
            with writer.element(".it", variable):
                condition = writer.text(action.where)
            with writer.block(f"if not {condition}:"):
                if found is not None and action.keyed:
                    writer.line(f"{found}.setdefault({variable}, None)")
                writer.line("continue")
        writer.variables[action.name] = variable
        write_block(writer, action.each, trail, found is not None)
        if found is not None:
            record = record_expression(writer, action.each)
            writer.line(f"{found}[{variable}] = {record}" if action.keyed else f"{found}.append({record})")
    if found is not None:
        writer.line(f"{value} = {found if action.keyed else f'tuple({found})'}")


def write_repeat(writer: FunctionWriter, action: ir.Repeat, step: ir.Step, trail: Trail, value: str | None) -> None:
    passes, nth = writer.variable(), writer.variable()
    keys = writer.variable() if action.keep is not None else None
    whole = value is not None or "earlier" in writer.names_read
    writer.line(f"{passes} = []")
    if keys is not None:
        writer.line(f"{keys} = []")
    times = writer.text(action.times)
    carried = {name: writer.variable() for name, _ in action.carry}
    for name, begun in action.carry:
        writer.line(f"{carried[name]} = {writer.text(begun)}")
    before = {name_before(name): variable for name, variable in carried.items()}
    with writer.scope(nth=nth, **before), writer.block(f"for {nth} in range(1, {times} + 1):"):
        writer.line(f"if {nth} > {RunLimits.passes}: raise NotGenerated")
        if "earlier" in writer.names_read:
            writer.variables["earlier"] = writer.variable()
            writer.line(f"{writer.variables['earlier']} = tuple({passes})")
        write_block(writer, action.each, trail, whole)
        if whole:
            writer.line(f"{passes}.append({record_expression(writer, action.each)})")
        if action.keep is not None:
            writer.line(f"{keys}.append({writer.expressions.call(as_number, writer.text(action.keep[1]))})")
        if action.until is not None:
            writer.line(f"if {writer.text(action.until)}: break")
        for name, variable in carried.items():
            writer.line(f"{variable} = {writer.variables[name]}")
    if action.keep is None:
        write_result(writer, value, f"tuple({passes})" if value else None)
    elif value is not None:
        best = "min" if action.keep[0] == "lowest" else "max"
        writer.line(f"{value} = {passes}[{keys}.index({best}({keys}))] if {passes} else None")


def write_stages(writer: FunctionWriter, action: ir.Stages, step: ir.Step, trail: Trail, value: str | None) -> None:
    value = value or writer.variable()
    write_action(writer, ir.Step(step.name, action.start, action.begun, step.path, step.span), trail, value)
    writer.spend(len(action.then))
    with writer.scope(**{step.name: value}):
        for stage, form in zip(action.then, forms_of_stages(action), strict=True):
            condition = f"if {writer.text(stage.condition)}:" if stage.condition is not None else "if True:"
            with writer.block(condition), writer.scope():
                write_action(writer, stage, (*trail, stage.name), value)
            if stage.instead is not None:
                with writer.block("else:"):
                    writer.line(f"{value} = {writer.text(stage.instead)}")
            elif stage.condition is not None and form is not None:
                with writer.block("else:"):
                    writer.line(f"{value} = {writer.module.bind(form)}({value})")
