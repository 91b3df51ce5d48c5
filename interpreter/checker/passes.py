"""The steps of repeated passes: what a pass carries on to the next, and the types that hold for all of them."""

from __future__ import annotations

import ast
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.expressions.coercions import has_form_of
from interpreter.checker.scope import Binding
from interpreter.checker.step_keys import in_form_of
from interpreter.checker.world import World
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.passes import name_before


def carried_step(world: World, one: ir.Step, carried: Binding) -> ir.Step:
    """A step that is carried on, in the form in which the next pass reads it.

    Where its `if` skips it, it stays what it was in the pass before.
    """
    both = t.union(one.type, carried.type)
    if both is None:  # what it begins with is reported
        return one
    if isinstance(one.action, ir.Let):
        made = in_form_of(one.action.formula, both)
        one = one if made is one.action.formula else replace(one, action=ir.Let(made), type=both)
    if one.condition is None or one.instead is not None or not isinstance(one.type, t.Maybe):
        return one
    was = ir.Local(name_before(one.name), carried.type, one.span)
    both = t.union(t.without_maybe(one.type), carried.type) or both
    tree = ast.Name(one.name, ast.Load())
    instead = in_form_of(ir.Formula(was, carried.type, one.span, frozenset(), tree), both)
    return replace(one, instead=instead, type=both)


def type_from_beginning(one: ir.Step, kind: t.Type) -> t.Type:
    """The type of a step; of one that only passes on what it was before, without a beginning, the type it must have.

    With this type, the next pass over the steps meets the value that is missing in the first pass.
    """
    first = _first_value(one)
    tree = first.tree if first is not None else None
    if tree is None or not any(isinstance(node, ast.Name) and node.id == "earlier" for node in ast.walk(tree)):
        return kind
    return infer_unknown_type(one, kind, t.NUMBER)


def infer_unknown_type(one: ir.Step, kind: t.Type, otherwise: t.Type) -> t.Type:
    """The type of a step whose values before are not known: yes or no where it joins them with `and`, `or`, `not`."""
    first = _first_value(one)
    if not isinstance(kind, t.Anything) or first is None:
        return kind
    return t.YES_NO if isinstance(first.body, (ir.And, ir.Or, ir.Not)) else otherwise


def _first_value(one: ir.Step) -> ir.Formula | None:
    """The formula of a step, or with which it begins; None of a step that does something else."""
    first = one.action.start if isinstance(one.action, ir.Stages) else one.action
    return first.formula if isinstance(first, ir.Let) else None


MOST_PASSES = 6
"""The most passes over the steps of an `each` until their types reach a fixed point."""


def widen_type(before: t.Type, now: t.Type) -> t.Type:
    """A type that holds for this pass and the next; a bound of a number that still changes is dropped."""
    if isinstance(before, t.Number) and isinstance(now, t.Number):
        low = before.low if before.low is not None and now.low is not None and now.low >= before.low else None
        high = before.high if before.high is not None and now.high is not None and now.high <= before.high else None
        return t.Number(low, high)
    if isinstance(before, t.Anything) or isinstance(now, t.Anything):
        return now if isinstance(before, t.Anything) else before  # an error does not make a type unknown again
    return t.union(before, now) or now


@dataclass(frozen=True, slots=True)
class CarriedStep:
    """A step that passes carry on: its name, where the step is, and what it begins with."""

    name: str
    step: Span
    begun: ir.Formula


def carry_steps(
    world: World, carried: list[CarriedStep], each: tuple[ir.Step, ...]
) -> tuple[tuple[str, ir.Formula], ...]:
    """What passes carry on, with what it begins with, in the form of its step; a step of another type is reported."""
    steps_by_name = {one.name: one for one in each}
    carries = []
    for one in carried:
        goes_on = steps_by_name[one.name].type if one.name in steps_by_name else t.ANYTHING
        both = t.union(one.begun.type, goes_on)
        if both is None or not has_form_of(goes_on, both):
            begins, other = t.in_words(one.begun.type), t.in_words(goes_on)
            world.problems.add(say.carried_as_another(one.begun.span, one.name, begins, other, one.step))
        carries.append((one.name, one.begun if both is None else in_form_of(one.begun, both)))
    return tuple(carries)


def report_skipped_answers(world: World, each: tuple[ir.Step, ...], until: ir.Expr) -> None:
    """Warn of a question whose default, taken where its `if` skips it, makes the passes go on."""
    match until:
        case ir.Or(left, right):
            report_skipped_answers(world, each, left)
            report_skipped_answers(world, each, right)
            return
        case ir.Not(ir.Local(name)):  # of `until: stops`, the default `no` is what one expects without a question
            pass
        case _:
            return
    for one in each:
        if one.name != name or one.condition is None or one.instead is not None:
            continue
        default = one.action.default if isinstance(one.action, ir.Choose) else None
        if default is not None and isinstance(default.body, ir.Constant) and default.body.value is True:
            world.problems.add(say.goes_on_unasked(one.span, name))
