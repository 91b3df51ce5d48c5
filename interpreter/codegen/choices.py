"""Steps in which somebody decides, answered as the policy says, else by their default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter import ir
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import NotGenerated
from interpreter.ir import types as t


def chosen(page: FunctionWriter, choose: ir.Choose, answer: str, left: str | None = None) -> None:
    """The answer to one question, which may be no more than what is `left` where that says so."""
    match choose.kind:
        case "number":
            _number(page, choose, answer, left)
        case "one":
            _one_of(page, choose, _options(page, choose), answer)
        case "some":
            _some(page, choose, answer)
        case _:
            said(page, choose.answers, choose.default, answer, choose.by)
            page.line(f"if type({answer}) is not {'bool' if choose.kind == 'yes_no' else 'str'}: raise Unwritten")


def _one_of(page: FunctionWriter, choose: ir.Choose, options: str, answer: str) -> None:
    page.line(f"if not {options}: raise Unwritten")
    with page.under(f"if len({options}) == 1:"):
        page.line(f"{answer} = {options}[0]")
    with page.under("else:"):
        said(page, choose.answers, choose.default, answer, choose.by)
        page.line(f"if {answer} not in {options} or type({answer}) is bool: raise Unwritten")


def _number(page: FunctionWriter, choose: ir.Choose, answer: str, left: str | None) -> None:
    low, high = page.new(), page.new()
    page.line(f"{low} = {page.text(choose.low) if choose.low is not None else 0}")
    if choose.high is not None:
        page.line(f"{high} = {page.text(choose.high)}")
        if left is not None:
            page.line(f"if {left} is not None and {left} < {high}: {high} = {left}")
    else:
        page.line(f"{high} = {left}")
    if choose.where is not None:
        _one_of(page, choose, _fitting(page, choose.where, f"range({low}, {high} + 1)"), answer)
        return
    page.line(f"if {high} < {low}: raise Unwritten")
    with page.under(f"if {high} == {low}:"):
        page.line(f"{answer} = {low}")
    with page.under("else:"):
        said(page, choose.answers, choose.default, answer, choose.by)
        page.line(f"if type({answer}) is not int or not {low} <= {answer} <= {high}: raise Unwritten")


def _some(page: FunctionWriter, choose: ir.Choose, answer: str) -> None:
    options, most = _options(page, choose), page.new()
    page.line(f"{most} = len({options})")
    if choose.most is not None:
        page.line(f"{most} = min({page.text(choose.most)}, {most})")
    with page.under(f"if not {options} or {most} <= 0:"):
        page.line(f"{answer} = ()")
    with page.under("else:"):
        said(page, choose.answers, choose.default, answer, choose.by)
        least = page.text(choose.least) if choose.least is not None else "0"
        page.line(f"{answer} = {page.script.bind(some_of)}({options}, min({least}, {most}), {most}, {answer})")


def some_of(options: Sequence[Any], least: int, most: int, answer: Any) -> tuple[Any, ...]:
    """Some of several, if they are, and as many as may be."""
    if type(answer) not in (tuple, list) or not least <= len(answer) <= most:
        raise NotGenerated
    left = list(options) if answer else []
    for one in answer:
        if one not in left:
            raise NotGenerated
        left.remove(one)
    return tuple(answer)


def _options(page: FunctionWriter, choose: ir.Choose) -> str:
    among = f"tuple({page.text(choose.among) if choose.among is not None else '()'})"
    if choose.where is not None:
        return _fitting(page, choose.where, among)
    options = page.new()
    page.line(f"{options} = {among}")
    return options


def _fitting(page: FunctionWriter, where: ir.Formula, among: str) -> str:
    options, one = page.new(), page.new()
    with page.element(".it", one):
        holds = page.text(where)
    page.line(f"{options} = tuple([{one} for {one} in spent({among}) if {holds}])")
    return options


def said(
    page: FunctionWriter,
    answers: Mapping[str, ir.Formula],
    default: ir.Formula | None,
    answer: str,
    by: ir.Formula | str | None = None,
) -> None:
    """What the policy says, else the default; where there is neither, nobody has an answer."""
    looked_at(page, by)
    formula = answers.get(page.script.policy or "")
    usual = page.text(default) if default is not None else None
    if formula is None:
        page.line(f"{answer} = {usual}" if usual is not None else "raise Unwritten")
        return
    looked_at(page, default)
    page.line(f"{answer} = {page.text(formula)}")
    if isinstance(formula.type, t.Maybe):
        page.line(f"if {answer} is None: " + (f"{answer} = {usual}" if usual is not None else "raise Unwritten"))


def looked_at(page: FunctionWriter, formula: ir.Formula | str | None) -> None:
    """A line for what the walk works out before it asks, though nobody reads it here: it may go wrong."""
    if isinstance(formula, ir.Formula) and not isinstance(formula.body, (ir.Constant, ir.Local, ir.Option)):
        page.line(page.text(formula))
