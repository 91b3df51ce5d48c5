"""Steps as Python: one variable for each name, and no generator, for a generated function makes no requests.

`interpreter.codegen.verbs` names the function that writes each kind of step. A step that has none is left to play,
from a frame with the variables of the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from interpreter import ir
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule, NotGenerated, Trail
from interpreter.ir import types as t
from interpreter.ir.traversal import inner_expressions
from interpreter.ir.types import LARGEST
from interpreter.play.deciders import drive
from interpreter.play.effects import MOST_NESTED
from interpreter.play.run import CHANGED, MechanicEnded, RunLimits, SilentRun, keep_outside
from interpreter.play.steps import converter_of_step, inner_steps
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.state import STATE


def write_block(writer: FunctionWriter, steps: Sequence[ir.Step], trail: Trail, whole: bool) -> None:
    """Write a block of steps. Their results are kept if a formula reads them, or if `whole` asks for all of them."""
    if not steps:
        return
    writer.spend(len(steps))
    for one in steps:
        write_step(writer, one, (*trail, one.name), whole)


def write_step(writer: FunctionWriter, one: ir.Step, trail: Trail, whole: bool) -> None:
    """Write one step, and bind its name to the variable with its result if the result is kept."""
    value = writer.variable() if whole or one.name in writer.names_read else None
    if one.condition is None:
        write_action(writer, one, trail, value)
    else:
        with writer.block(f"if {writer.text(one.condition)}:"):
            write_action(writer, one, trail, value)
        if value is not None:
            with writer.block("else:"):
                writer.line(f"{value} = {_value_if_skipped(writer, one)}")
    if value is not None:
        writer.variables[one.name] = value


def _value_if_skipped(writer: FunctionWriter, one: ir.Step) -> str:
    """The result of a step whose condition does not hold."""
    if one.instead is not None:
        return writer.text(one.instead)
    if isinstance(one.action, ir.Choose) and one.action.default is not None:
        return writer.text(one.action.default)
    return "None"


def write_action(writer: FunctionWriter, one: ir.Step, trail: Trail, value: str | None) -> None:
    """Write what a step does when its condition holds, with its result in the type of the step."""
    may_outgrow = _may_outgrow(writer, one)
    if may_outgrow and value is None:
        value = writer.variable()
    write = writer.module.verbs.get(type(one.action), write_call_of_play)
    write(writer, one.action, one, trail, value)
    into = converter_of_step(one)
    if value is not None and into is not None:
        writer.line(f"{value} = {writer.module.bind(into)}({value})")
    if may_outgrow:
        writer.line(f"if type({value}) is int and not {-LARGEST} <= {value} <= {LARGEST}: raise NotGenerated")


def _may_outgrow(writer: FunctionWriter, one: ir.Step) -> bool:
    """Whether the result of a step is a number that may need more than 64 bits."""
    found: list[ir.Formula | None] = []
    match one.action:
        case ir.Let(formula):
            found = [formula]
        case ir.FirstOf(cases):
            found = [case.value for case in cases]
        case ir.Stages(_, then, _):
            found = [stage.instead for stage in then]
    grow = any(formula is not None and _may_grow(writer, formula.body) for formula in found)
    return grow and isinstance(t.without_maybe(one.type), t.Number)


def _may_grow(writer: FunctionWriter, expr: ir.Expr) -> bool:
    """Whether an expression may need more than 64 bits although its operands do not."""
    if isinstance(expr, ir.Attribute):
        return writer.module.program.kinds[expr.kind].has[expr.name].derived is not None
    if isinstance(expr, (ir.Conditional, ir.Otherwise)) or (isinstance(expr, ir.Builtin) and expr.name != "sum"):
        return any(_may_grow(writer, one) for one in inner_expressions(expr))
    return isinstance(expr, (ir.Arithmetic, ir.Negative, ir.Quotient, ir.Builtin, ir.Apply))


# Parts of what verbs write ---------------------------------------------------------------------------------------


def write_result(writer: FunctionWriter, value: str | None, text: str | None) -> None:
    """Assign the result of a step; an expression is evaluated even if its value is not kept, for it may fail."""
    if text is not None:
        writer.line(f"{value} = {text}" if value is not None else text)


def record_expression(writer: FunctionWriter, steps: Sequence[ir.Step]) -> str:
    """A record of the results of steps."""
    return "{" + ", ".join(f"{one.name!r}: {writer.variables[one.name]}" for one in steps) + "}"


def arguments_text(writer: FunctionWriter, rule: ir.Mechanic, given: Sequence[tuple[str, ir.Formula]]) -> str:
    """The arguments of a rule in the order of its inputs, None for those that are not given."""
    by_name = dict(given)
    return ", ".join(writer.text(by_name[one.name]) if one.name in by_name else "None" for one in rule.inputs)


@contextmanager
def leading_step(writer: FunctionWriter, path: str | None) -> Iterator[None]:
    """In this context, what runs is reached through the step at a path, as answers of policies may require."""
    if path is None or not writer.module.keeps_calls:
        yield
        return
    before = writer.variable()
    writer.line(f"{before} = run.calls")
    writer.line(f"run.calls = (*{before}, {path!r})")
    with writer.block("try:"):
        yield
    with writer.block("finally:"):
        writer.line(f"run.calls = {before}")


def write_nested_call(writer: FunctionWriter, text: str, path: str | None, value: str | None = None) -> None:
    """Write a call one level deeper in the nesting of events, which has a limit."""
    writer.line("run.nested += 1")
    writer.line(f"if run.nested > {MOST_NESTED}: raise NotGenerated")
    with leading_step(writer, path):
        write_result(writer, value, text)
    writer.line("run.nested -= 1")


# Steps left to play --------------------------------------------------------------------------------------------------


def write_call_of_play(writer: FunctionWriter, action: Any, step: ir.Step, trail: Trail, value: str | None) -> None:
    """Write a step as a call of play, which may also change the event of a reaction."""
    unconditional = replace(step, condition=None, instead=None)
    play = writer.module.bind(_play_function(writer.module, unconditional, trail))
    event = writer.variables.get(CHANGED)
    if event is not None:
        inside = writer.variable()
        writer.line(f"{inside} = {writer.expressions.frame()}")
        with writer.block("try:"):
            write_result(writer, value, f"{play}({inside})")
        with writer.block("finally:"):
            writer.line(f"{event} = {inside}[{CHANGED!r}]")
    else:
        write_result(writer, value, f"{play}({writer.expressions.frame()})")


def _play_function(module: GeneratedModule, step: ir.Step, trail: Trail) -> Callable[[Frame], Any]:
    """A function that plays a step from a frame, changes the state accordingly, and returns the result."""
    made: list[Any] = []

    def play(given: Frame) -> Any:
        if not made:
            made.append(inner_steps(module.walker, (step,), trail[:-1])[0])
        compiled, count = made[0], module.run
        if compiled.plain is not None:
            return compiled.plain(given)
        if count.source is None:
            raise NotGenerated
        run = SilentRun(RunLimits(count.most_steps, count.most_dice))
        run.steps, run.dice, run.nested, run.calls = count.steps, count.dice, count.nested, count.calls
        before = given[STATE] = module.state.freeze()
        try:
            value = drive(compiled.walk(given, run), count.source, module.answers)
        except MechanicEnded as end:
            module.take_state_after_step(end.frame[STATE])
            keep_outside(end.frame, given)
            raise
        finally:
            count.steps, count.dice = run.steps, run.dice
        if given[STATE] is not before:
            module.take_state_after_step(given[STATE])
        return value

    return play
