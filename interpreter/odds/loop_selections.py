"""Selections that a loop reads once more for each of its elements get names, as an author may give them.

Where a condition reads a name of the loop, as in `count(groups(rolled) where it.height >= low)`, no kernel can read the
roll, and its dice are drawn. Then `groups(rolled)` becomes a hidden step before the loop: it is worked out once, and
the loop depends on the groups, in which far fewer dice differ than in what they show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from operator import is_not
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.failures import Fails
from interpreter.ir.passes import names_bound_inside
from interpreter.ir.traversal import NODES, equal_apart_from_spans, map_children
from interpreter.odds.condition_numbers import may_be_missing, never_missing
from interpreter.odds.inlining import all_steps
from interpreter.odds.liveness import names_in, open_slots
from interpreter.odds.matching import hidden_name
from interpreter.runtime.state import STATE


def name_selections_of_loops(rule: ir.Mechanic, changes: Callable[[ir.Step], bool], fails: Fails) -> ir.Mechanic:
    """The mechanic with hidden steps for the groups of dice that its loops read for each element.

    `changes` tells which steps may change the state: what reads it then stays where it is. So does what `fails`.
    """
    known = set() if any(map(changes, all_steps(rule))) else {STATE}
    known |= {one.name for one in rule.inputs if not isinstance(one.type, t.Maybe)}
    made: list[ir.Step] = []
    for place, step in enumerate(rule.steps):
        now = step
        if isinstance(step.action, (ir.ForEach, ir.Repeat)) and step.condition is None:
            loop = _LoopReader(step.name, frozenset(known) | never_missing(rule.steps[:place]), fails)
            now = loop.read(step, frozenset(names_bound_inside(step.action)))
            made += loop.hidden
        made.append(now)
    return replace(rule, steps=tuple(made)) if any(map(is_not, made, rule.steps)) else rule


@dataclass(slots=True)
class _LoopReader:
    """Reads a step that loops: the names that are `known` before it, and the hidden steps that are put before it."""

    name: str
    known: frozenset[str]
    fails: Fails
    hidden: list[ir.Step] = field(default_factory=list)

    def read(self, node: Any, inside: frozenset[str]) -> Any:
        """A construct of the loop, which binds the names `inside`, with names of hidden steps in place of groups."""
        if isinstance(node, ir.Filtered) and names_in(node.condition) & inside:
            of = self.read_selected(node.of, inside)
            condition = self.read(node.condition, inside)
            same = of is node.of and condition is node.condition
            return node if same else replace(node, of=of, condition=condition)
        return map_children(node, lambda one: self.read(one, inside))

    def read_selected(self, node: Any, inside: frozenset[str]) -> Any:
        """What such a condition selects from."""
        if isinstance(node, ir.Builtin) and node.name == "groups" and isinstance(node, NODES):
            return self.name_groups(node)
        return map_children(node, lambda one: self.read_selected(one, inside))

    def name_groups(self, expr: ir.Expr) -> ir.Expr:
        """The name of a hidden step for groups; the groups themselves where they differ in the loop, or may fail."""
        if open_slots(expr) or self.fails(expr) or may_be_missing(expr) or not names_in(expr) <= self.known:
            return expr
        for step in self.hidden:
            assert isinstance(step.action, ir.Let)
            if equal_apart_from_spans(step.action.formula.body, expr):
                return ir.Local(step.name, step.type, expr.span)
        name = hidden_name("groups", str(len(self.hidden) + 1), self.name, *sorted(names_in(expr)))
        let = ir.Let(ir.Formula(expr, expr.type, expr.span))
        self.hidden.append(ir.Step(name, let, expr.type, name, expr.span))
        return ir.Local(name, expr.type, expr.span)
