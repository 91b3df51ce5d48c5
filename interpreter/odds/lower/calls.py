"""Calls of other mechanics."""

from __future__ import annotations

from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.answers import CallName
from interpreter.ir.limits import constraints_of, record_fields
from interpreter.ir.traversal import inner_expressions
from interpreter.odds.inlining import body_of
from interpreter.odds.lazy_roll import LazyRoll, undecided_die
from interpreter.odds.liveness import path_of
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.rules import rule_block
from interpreter.odds.open_rolls import holds_open_roll
from interpreter.odds.operations import Done, EnterBlock, Frame, Need, Op, Todo, run_plain
from interpreter.runtime.constraints import constraints_check
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.roles import roles_function
from interpreter.runtime.state import STATE


def lower_call(lowering: Lowering, action: ir.Call, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`use:` another mechanic with inputs."""
    if lowering.may_change_state(step):
        need |= {(STATE,)}
    callee = lowering.program.mechanics[action.mechanic]
    block = rule_block(lowering, callee, need, (*trail[:-1], CallName(trail[-1], step.path)))
    early = _inputs_read_early(callee, lowering.program)
    uses, touches = lowering.reads_of([
        (formula.body, name not in early and _is_passed_on(formula.body)) for name, formula in action.given
    ] + [(who.body, False) for _, who in action.roles if isinstance(who, ir.Formula)])  # fmt: skip
    touches |= lowering.roles
    taken = roles_function(lowering.closures, action)
    given = {name: lowering.closures.of(formula) for name, formula in action.given}
    inputs = [(one, given.get(one.name), lowering.closure_of(one.default)) for one in callee.inputs]
    checks = [constraints_check(lowering.closures, one) for one in callee.inputs]
    placed = say.Placed({name: formula.span for name, formula in action.given}, step.span)
    requires = [(one, lowering.closures.of(one.condition)) for one in callee.requires]

    def start(at: Frame) -> Todo:
        inside = new_frame(at.get(".meter"))
        if STATE in at:
            inside[STATE] = at[STATE]
        taken(at, inside)
        for (one, passed, default), check in zip(inputs, checks, strict=True):
            value = passed(at) if passed else None
            if value is None and default is not None:
                value = default(inside)
            inside[one.name] = value
            with placed:
                check(_with_unread_faces(value), inside)
        for wanted, holds in requires:
            if not holds(inside):
                raise PlayError(say.requirement_not_met(wanted.name, wanted.condition.text, wanted.span, wanted.about))
        if block.simple and not any(holds_open_roll(inside.get(name)) for name in block.free):
            return Done(run_plain(block, inside))
        return EnterBlock(block, inside)

    if lowering.program.has_state:  # the bounds and requirements of the callee may read it, too
        touches |= {(STATE,)}
    return Op(step.name, uses, touches, start=start, asks=block.asks)


def _is_passed_on(given: ir.Expr) -> bool:
    """Whether what a call gives is only passed on, so that rolls in it stay open."""
    return path_of(given) is not None or isinstance(given, ir.RecordLiteral)


def _with_unread_faces(value: Any) -> Any:
    """An open roll as dice of which is known what they are, and not what they show; so those in a record."""
    if isinstance(value, dict):
        return {name: _with_unread_faces(one) for name, one in value.items()}
    if not isinstance(value, LazyRoll):
        return value
    return tuple([undecided_die(unit) for unit, count in value.groups for _ in range(count)])


def _inputs_read_early(callee: ir.Mechanic, program: ir.Program) -> frozenset[str]:
    """The inputs that a mechanic reads before its steps: by their limits, defaults and its requirements."""
    formulas = [end for one in callee.inputs for end in (*constraints_of(one), one.default) if end is not None]
    formulas += [one.condition for one in callee.requires]
    looked_at = {one.name for one in callee.inputs if _limits_read_faces(one, program)}
    return frozenset(looked_at).union(*[_names_not_only_counted(one.body) for one in formulas])


def _limits_read_faces(one: ir.Declaration, program: ir.Program) -> bool:
    """Whether what dice of an input show is read to find out whether it fits its declaration."""
    kind = t.without_maybe(one.type)
    if any(_limits_read_faces(field, program) for field in record_fields(program, one)):
        return True
    return one.where is not None and (not isinstance(kind, t.Roll) or _reads_faces(one.where.body, program))


def _reads_faces(expr: ir.Expr, program: ir.Program) -> bool:
    """Whether a condition on a roll may read what its dice show, and not only what dice they are."""
    if isinstance(expr, ir.DieField):
        return expr.name not in ("size", "part", "tags")
    parts = list(inner_expressions(expr))
    if isinstance(expr, ir.Apply):
        parts.append(body_of(program.functions[expr.name]))
    of_dice = any(isinstance(t.without_maybe(one.type), (t.Roll, t.ThrownDie)) for one in inner_expressions(expr))
    if of_dice and not isinstance(expr, (ir.Filtered, ir.RollPart, ir.Apply)):
        only_counts = isinstance(expr, ir.Builtin) and expr.name in ("count", "all", "any")
        if not only_counts:
            return True
    return any(_reads_faces(one, program) for one in parts)


def _names_not_only_counted(expr: ir.Expr) -> frozenset[str]:
    """The names of which a formula reads more than how many elements they have, which is known of an open roll."""
    if isinstance(expr, ir.Builtin) and expr.name == "count" and isinstance(expr.arguments[0], ir.Local):
        return frozenset()
    if isinstance(expr, ir.Local):
        return frozenset((expr.name,))
    return frozenset[str]().union(*map(_names_not_only_counted, inner_expressions(expr)))
