"""Choices as Python: the answer of the policy, else the default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter import ir
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import NotGenerated, Trail
from interpreter.codegen.steps import write_result
from interpreter.ir import types as t
from interpreter.runtime.functions import Bag


def write_choose(writer: FunctionWriter, action: ir.Choose, step: ir.Step, trail: Trail, value: str | None) -> None:
    _write_question(writer, action, value or writer.variable())


def write_choose_each(
    writer: FunctionWriter, action: ir.ChooseEach, step: ir.Step, trail: Trail, value: str | None
) -> None:
    one, found = writer.variable(), writer.variable()
    among = writer.text(action.among) + (".values()" if isinstance(action.among.type, t.Map) else "")
    left = writer.variable() if action.budget is not None and not action.asked else None
    writer.line(f"{found} = {{}}")
    if left is not None and action.budget is not None:
        writer.line(f"{left} = {writer.text(action.budget)}")
    with writer.scope(), writer.block(f"for {one} in dict.fromkeys({among}):"):
        answer = writer.variable()
        if action.asked:
            writer.variables["chooser"] = one
            _write_question(writer, action.choice, answer)
        else:
            with writer.element(".it", one):
                _write_question(writer, action.choice, answer, left)
        writer.line(f"{found}[{one}] = {answer}")
        if left is not None:
            writer.line(f"if {left} is not None: {left} -= {answer}")
    write_result(writer, value, found)


def _write_question(writer: FunctionWriter, choose: ir.Choose, answer: str, left: str | None = None) -> None:
    """Write the answer to one question; a number may be at most what is `left`, if that is given."""
    match choose.kind:
        case "number":
            _write_choice_of_number(writer, choose, answer, left)
        case "one":
            _write_choice_of_one(writer, choose, _options(writer, choose), answer)
        case "some":
            _write_choice_of_some(writer, choose, answer)
        case _:
            write_policy_answer(writer, choose.answers, choose.default, answer, choose.by)
            writer.line(f"if type({answer}) is not {'bool' if choose.kind == 'yes_no' else 'str'}: raise NotGenerated")


def _write_choice_of_one(writer: FunctionWriter, choose: ir.Choose, options: str, answer: str) -> None:
    writer.line(f"if not {options}: raise NotGenerated")
    with writer.block(f"if len({options}) == 1:"):
        writer.line(f"{answer} = {options}[0]")
    with writer.block("else:"):
        write_policy_answer(writer, choose.answers, choose.default, answer, choose.by)
        writer.line(f"if {answer} not in {options} or type({answer}) is bool: raise NotGenerated")


def _write_choice_of_number(writer: FunctionWriter, choose: ir.Choose, answer: str, left: str | None) -> None:
    low, high = writer.variable(), writer.variable()
    writer.line(f"{low} = {writer.text(choose.low) if choose.low is not None else 0}")
    if choose.high is not None:
        writer.line(f"{high} = {writer.text(choose.high)}")
        if left is not None:
            writer.line(f"if {left} is not None and {left} < {high}: {high} = {left}")
    else:
        writer.line(f"{high} = {left}")
    if choose.where is not None:
        _write_choice_of_one(
            writer, choose, _write_fitting_options(writer, choose.where, f"range({low}, {high} + 1)"), answer
        )
        return
    writer.line(f"if {high} < {low}: raise NotGenerated")
    with writer.block(f"if {high} == {low}:"):
        writer.line(f"{answer} = {low}")
    with writer.block("else:"):
        write_policy_answer(writer, choose.answers, choose.default, answer, choose.by)
        writer.line(f"if type({answer}) is not int or not {low} <= {answer} <= {high}: raise NotGenerated")


def _write_choice_of_some(writer: FunctionWriter, choose: ir.Choose, answer: str) -> None:
    options, most = _options(writer, choose), writer.variable()
    writer.line(f"{most} = len({options})")
    if choose.most is not None:
        writer.line(f"{most} = min({writer.text(choose.most)}, {most})")
    with writer.block(f"if not {options} or {most} <= 0:"):
        writer.line(f"{answer} = ()")
    with writer.block("else:"):
        chosen = writer.variable()  # a stage has the name of the answer, which the bounds may read as it was before
        write_policy_answer(writer, choose.answers, choose.default, chosen, choose.by)
        least = writer.text(choose.least) if choose.least is not None else "0"
        writer.line(
            f"{chosen} = {writer.module.bind(check_selection)}({options}, min({least}, {most}), {most}, {chosen})"
        )
        if choose.together is not None:
            with writer.element(".it", chosen):
                writer.line(f"if not {writer.text(choose.together)}: raise NotGenerated")
        writer.line(f"{answer} = {chosen}")


def check_selection(options: Sequence[Any], least: int, most: int, answer: Any) -> tuple[Any, ...]:
    """The answer as a tuple. Raises NotGenerated if it is not a valid selection from the options."""
    if type(answer) not in (tuple, list) or not least <= len(answer) <= most:
        raise NotGenerated
    left = Bag(options if answer else ())
    if not all(left.take(one) for one in answer):
        raise NotGenerated
    return tuple(answer)


def _options(writer: FunctionWriter, choose: ir.Choose) -> str:
    among = f"tuple({writer.text(choose.among) if choose.among is not None else '()'})"
    if choose.where is not None:
        return _write_fitting_options(writer, choose.where, among)
    options = writer.variable()
    writer.line(f"{options} = {among}")
    return options


def _write_fitting_options(writer: FunctionWriter, where: ir.Formula, among: str) -> str:
    options, one = writer.variable(), writer.variable()
    with writer.element(".it", one):
        holds = writer.text(where)
    writer.line(f"{options} = tuple([{one} for {one} in {writer.expressions.spent(among, where.body)} if {holds}])")
    return options


def write_policy_answer(
    writer: FunctionWriter,
    answers: Mapping[str, Sequence[ir.PolicyAnswer]],
    default: ir.Formula | None,
    answer: str,
    by: ir.Formula | str | None = None,
) -> None:
    """Write the answer of the policy, else the default; a run without either is left to play."""
    write_evaluation(writer, by)
    says = policy_says(writer, answers)
    usual = writer.text(default) if default is not None else None
    if says is None:
        writer.line(f"{answer} = {usual}" if usual is not None else "raise NotGenerated")
        return
    write_evaluation(writer, default)
    writer.line(f"{answer} = {says[0]}")
    if says[1]:
        writer.line(f"if {answer} is None: " + (f"{answer} = {usual}" if usual is not None else "raise NotGenerated"))


def policy_says(
    writer: FunctionWriter, answers: Mapping[str, Sequence[ir.PolicyAnswer]], calls: str = "run.calls"
) -> tuple[str, bool] | None:
    """What the policy answers, as an expression, and whether that may be None; None if it has no answer.

    `calls` is the expression of the steps that lead to the question.
    """
    those = answers.get(writer.module.policy or "", ())
    text, missing = "None", True
    for one in reversed(those):
        said, may_miss = writer.text(one.formula), isinstance(one.formula.type, t.Maybe)
        if one.calls:
            reached = f"{calls}[-{len(one.calls)}:] == {one.calls!r}"
            text, missing = f"({said} if {reached} else {text})", missing or may_miss
        else:
            text, missing = said, may_miss
    return (text, missing) if those else None


def write_evaluation(writer: FunctionWriter, formula: ir.Formula | str | None) -> None:
    """Write an expression for its errors: play evaluates it before it asks, and it may fail."""
    if isinstance(formula, ir.Formula) and not isinstance(formula.body, (ir.Constant, ir.Local, ir.Option)):
        writer.line(writer.text(formula))
