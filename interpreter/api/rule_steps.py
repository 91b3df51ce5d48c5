"""The steps of a program, what their formulas read, and the attributes that not everybody may see: by these it is found
out what hidden values affect, and what goes into them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from interpreter import ir
from interpreter.runtime.state import SCENE

Paths = frozenset[str]
"""Paths of hidden attributes (`kinds.gambler.has.hand`)."""

NOTHING: Paths = frozenset()


def hidden_attributes(program: ir.Program) -> dict[str, ir.HeldAttribute]:
    """Every attribute with `seen_by`, by its path."""
    return {
        f"kinds.{kind.name}.has.{one.name}": one
        for kind in program.kinds.values()
        for one in kind.has.values()
        if one.seen_by is not None
    }


class RuleSteps(NamedTuple):
    """Steps in one scope of names, and the rule that they belong to; hidden attributes `around` them affect all."""

    rule: ir.Mechanic | None
    nodes: tuple[Any, ...]
    around: Paths


_NO_PART = ("type", "span", "tree", "resolved", "refs")


def parts_of(node: Any) -> list[Any]:
    """The values inside a node. Of a choice only `among` and the default: bounds show nothing of an answer."""
    if isinstance(node, ir.Choose):
        return [node.among, node.default]
    if isinstance(node, ir.ChooseEach):
        return [node.choice, node.among]
    return [getattr(node, one.name) for one in fields(node) if one.name not in _NO_PART]


def rules_with_steps(program: ir.Program, hidden: Paths) -> Iterator[RuleSteps]:
    """Every scope of names of a program."""
    for rule in (*program.mechanics.values(), *program.events.values()):
        yield RuleSteps(rule, (rule.inputs, rule.steps, rule.outcomes, rule.also), NOTHING)
    for action in (*program.actions.values(), *(one.action for one in program.reactions.values())):
        rule = action.rule
        yield RuleSteps(rule, (rule.inputs, rule.steps, rule.outcomes, rule.also), NOTHING)
    for scene in program.scenes.values():
        rule = scene.rule
        yield RuleSteps(rule, (rule.inputs, rule.steps, scene.phases, scene.outcomes), NOTHING)
    for kind in program.kinds.values():
        for one in kind.has.values():
            around = frozenset({f"kinds.{kind.name}.has.{one.name}"}) & hidden
            yield RuleSteps(None, (one.when_full, one.when_hit_full, one.when_empty), around)


def steps_in(node: Any) -> Iterator[ir.Step]:
    """The steps in a node or in several, also those inside other steps."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, ir.Step):
            yield here
        if isinstance(here, (tuple, list)):
            stack += here
        elif is_dataclass(here) and not isinstance(here, (type, ir.Formula)):
            stack += parts_of(here)


def own_formulas(step: ir.Step) -> Iterator[ir.Formula]:
    """The formulas of a step, without those of steps inside it."""
    stack: list[Any] = [step.action, step.condition, step.instead]
    while stack:
        here = stack.pop()
        if isinstance(here, ir.Formula):
            yield here
        elif isinstance(here, (tuple, list)):
            stack += here
        elif is_dataclass(here) and not isinstance(here, (type, ir.Step)):
            stack += parts_of(here)


@lru_cache(maxsize=4096)
def locals_of(formula: ir.Formula) -> frozenset[str]:
    """The names of steps and inputs that a formula reads."""
    names: set[str] = set()
    stack: list[Any] = [formula.body]
    while stack:
        here = stack.pop()
        if isinstance(here, ir.Local):
            names.add(here.name)
        elif isinstance(here, (tuple, list)):
            stack += here
        elif is_dataclass(here) and not isinstance(here, type):
            stack += parts_of(here)
    return frozenset(names - {SCENE})
