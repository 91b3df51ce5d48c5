"""Numbers that conditions on dice read of other dice get names, as an author may give them.

`count(rolled where face > highest(other))` needs the highest die of the other roll before a kernel can count, and so
does `count(rolled where face >= limit)`, where `limit` is one die. Each such number becomes a hidden step, put as early
as the names that it reads are known; the reading then depends on a plain number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import is_not
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.failures import Fails
from interpreter.ir.passes import names_of_pass
from interpreter.ir.traversal import (
    NODES,
    equal_apart_from_spans,
    inner_expressions,
    is_bare_quotient,
    map_children,
)
from interpreter.odds.inlining import all_steps
from interpreter.odds.liveness import names_in, open_slots
from interpreter.odds.matching import hidden_name
from interpreter.odds.open_rolls import may_be_open
from interpreter.runtime.state import STATE

PLAIN_TYPES = (t.Number, t.YesNo, t.Word)
"""Types of what kernels need to know besides the dice."""


def name_numbers_in_conditions(rule: ir.Mechanic, changes: Callable[[ir.Step], bool], fails: Fails) -> ir.Mechanic:
    """The mechanic with hidden steps for the numbers that conditions on dice read of dice.

    `changes` tells which steps may change the state: what reads it then stays where it is. So does what `fails`.
    """
    known = set() if any(map(changes, all_steps(rule))) else {STATE}
    known |= {one.name for one in rule.inputs if not isinstance(one.type, t.Maybe)}
    steps, after = _name_numbers(rule.steps, frozenset(known), (rule.outcomes, rule.also), fails)
    if steps is rule.steps and not any(map(is_not, after, (rule.outcomes, rule.also))):
        return rule
    return replace(rule, steps=steps, outcomes=after[0], also=after[1])


def never_missing(steps: Iterable[ir.Step]) -> frozenset[str]:
    """The names of steps that always have a value: of others, a formula may only be reached where they have."""
    return frozenset([one.name for one in steps if not isinstance(one.type, t.Maybe)])


def may_be_missing(expr: ir.Expr) -> bool:
    """Whether an expression reads a field that a record may lack, and relies on it that it is there."""
    if isinstance(expr, (ir.Field, ir.Column)) and not isinstance(expr.type, t.Maybe):
        record = t.without_maybe(expr.of.type)
        of = record.field(expr.name) if isinstance(record, t.Record) else None
        if isinstance(of, t.Maybe):
            return True
    return any(map(may_be_missing, inner_expressions(expr)))


@dataclass(slots=True)
class _NamedSteps:
    """The steps of one level: the `places` of their names, the names that are `known` from outside, and the hidden
    steps that are put in, by place."""

    places: Mapping[str, int]
    known: frozenset[str]
    fails: Fails
    hidden: dict[int, list[ir.Step]] = field(default_factory=dict)

    def name(self, expr: ir.Expr, before: int) -> ir.Expr:
        """The name of a hidden step for a number that a step at the place `before` reads; the number itself where it
        is not known before, or may fail."""
        if not _is_of_dice(expr) or open_slots(expr) or self.fails(expr) or may_be_missing(expr):
            return expr
        names = names_in(expr)
        if not all(name in self.known or self.places.get(name, before) < before for name in names):
            return expr
        place = max([self.places[name] + 1 for name in names if name in self.places], default=0)
        step = next((one for one in self.hidden.get(place, ()) if equal_apart_from_spans(_body(one), expr)), None)
        if step is None:
            number = sum(map(len, self.hidden.values())) + 1
            name = hidden_name("number", str(number), *sorted(names))
            step = ir.Step(name, ir.Let(ir.Formula(expr, expr.type, expr.span)), expr.type, name, expr.span)
            self.hidden.setdefault(place, []).append(step)
        return ir.Local(step.name, step.type, expr.span)


def _body(step: ir.Step) -> ir.Expr:
    assert isinstance(step.action, ir.Let)
    return step.action.formula.body


def _is_of_dice(expr: ir.Expr) -> bool:
    """Whether an expression is a plain value that is read of something that may hold dice."""
    return isinstance(expr.type, PLAIN_TYPES) and not isinstance(expr, ir.Local) and _reads_dice(expr)


def _reads_dice(expr: ir.Expr) -> bool:
    if isinstance(expr, ir.Local):
        kind = t.without_maybe(expr.type)
        return may_be_open(kind.of if isinstance(kind, t.Map) else kind)
    return any(map(_reads_dice, inner_expressions(expr)))


def _name_numbers(
    steps: tuple[ir.Step, ...], known: frozenset[str], after: tuple[Any, ...], fails: Fails
) -> tuple[tuple[ir.Step, ...], tuple[Any, ...]]:
    """Steps with hidden ones among them, and what comes after the steps, which reads the names of these."""
    places = {one.name: place for place, one in enumerate(steps) if not isinstance(one.type, t.Maybe)}
    level = _NamedSteps(places, known, fails)
    made = []
    for place, step in enumerate(steps):
        now = _put(step, level, place, False)
        made.append(_name_inside(now, known | never_missing(steps[:place]), fails))
    then = _put(after, level, len(steps), False)
    if not level.hidden and not any(map(is_not, made, steps)):
        return steps, then
    everything: list[ir.Step] = list(level.hidden.get(0, ()))
    for place, step in enumerate(made, 1):
        everything += [step, *level.hidden.get(place, ())]
    return tuple(everything), then


def _name_inside(step: ir.Step, known: frozenset[str], fails: Fails) -> ir.Step:
    """A step with hidden ones among its inner steps."""
    action = step.action
    if isinstance(action, ir.StepGroup):
        steps, _ = _name_numbers(action.steps, known, (), fails)
        return step if steps is action.steps else replace(step, action=replace(action, steps=steps))
    if not isinstance(action, (ir.Repeat, ir.ForEach)):
        return step
    if isinstance(action, ir.ForEach):
        each, _ = _name_numbers(action.each, known | {action.name}, (), fails)
        return step if each is action.each else replace(step, action=replace(action, each=each))
    keep = None if action.keep is None else action.keep[1]
    each, (until, score) = _name_numbers(action.each, known | {*names_of_pass(action)}, (action.until, keep), fails)
    if each is action.each and until is action.until and score is keep:
        return step
    best = None if action.keep is None else (action.keep[0], score)
    return replace(step, action=replace(action, each=each, until=until, keep=best))


def _put(node: Any, level: _NamedSteps, before: int, in_condition: bool) -> Any:
    """A construct, which a step at the place `before` reads, with names in place of numbers in conditions on dice.

    A quotient that is compared exactly gets no name, as it would be rounded; what is divided may get one.
    """
    if isinstance(node, tuple):
        several = tuple([_put(one, level, before, in_condition) for one in node])
        return several if any(map(is_not, several, node)) else node
    if node is None:
        return None
    if isinstance(node, ir.Filtered):
        of, condition = _put(node.of, level, before, in_condition), _put(node.condition, level, before, True)
        same = of is node.of and condition is node.condition
        return node if same else replace(node, of=of, condition=condition)
    if isinstance(node, ir.Builtin) and node.name in ("highest", "lowest", "kth") and len(node.arguments) == 2:
        now = (_put(node.arguments[0], level, before, in_condition), _put(node.arguments[1], level, before, True))
        return replace(node, arguments=now) if any(map(is_not, now, node.arguments)) else node
    if (
        in_condition
        and isinstance(node, NODES)
        and not is_bare_quotient(node)
        and (named := level.name(node, before)) is not node
    ):
        return named
    return map_children(node, lambda one: _put(one, level, before, in_condition))
