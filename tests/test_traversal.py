"""The traversal of the program reaches every place where a node may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import games
import pytest
from marks import thorough

from interpreter import bundled, ir
from interpreter.checker.untyped import report_untyped
from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import NOWHERE
from interpreter.ir import choice_keys
from interpreter.ir import types as t
from interpreter.ir.traversal import (
    BODIES,
    NODE_TYPES,
    NODES,
    children,
    map_children,
    nested_steps,
    nodes_under,
    outermost_nodes_in,
)

NAMES = [*bundled.rulesets()]
EVERY_NAME = thorough([*NAMES, *bundled.house_rules()], lambda name: name in bundled.house_rules())
Place = tuple[type, str]
"""A field of a class of nodes, in which nodes stand."""


def program(name: str) -> ir.Program:
    return games.game(name).program


def in_all_fields(value: Any) -> Iterator[Any]:
    """The nodes right in a value, by looking at everything that a node has."""
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if type(value) in NODE_TYPES:
        yield value
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from in_all_fields(one)


@pytest.mark.parametrize("name", EVERY_NAME)
def test_children_are_the_nodes_of_all_fields(name: str) -> None:
    """`resolved` and `tree` belong to the expression as it was written."""
    for node in nodes_under(program(name)):
        assert is_dataclass(node)
        values = [getattr(node, one.name) for one in fields(node) if one.name not in ("tree", "resolved")]
        assert [*map(id, children(node))] == [*map(id, in_all_fields(values))], node


def outermost(node: Any, kind: type) -> Iterator[Any]:
    """The outermost nodes of a class inside a node, by going through all nodes that are not in a formula."""
    if isinstance(node, kind):
        yield node
    elif type(node) is not ir.Formula:
        for child in children(node):
            yield from outermost(child, kind)


@pytest.mark.parametrize("kind", sorted(NODE_TYPES, key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__)
def test_a_search_finds_every_node_of_its_class(kind: type) -> None:
    """It enters neither formulas nor what it has found."""
    for name in NAMES:
        found = sorted(map(id, outermost_nodes_in(program(name), kind)))
        assert found == sorted(map(id, outermost(program(name), kind))), name


def places() -> dict[Place, tuple[str, ir.Expr]]:
    """Each field of the bundled rulesets in which an expression stands, with one that stands there.

    The field of an expression that is part of a formula is that of the node that holds the formula.
    """
    found: dict[Place, tuple[str, ir.Expr]] = {}
    for name in NAMES:
        stack: list[tuple[Any, Place]] = [(program(name), (ir.Program, ""))]
        while stack:
            here, place = stack.pop()
            if isinstance(here, NODES):
                found.setdefault(place, (name, here))
            if isinstance(here, ir.Formula):
                stack.append((here.body, place))
                continue
            for one in fields(here):
                if one.name not in ("tree", "resolved"):
                    stack += [(child, (type(here), one.name)) for child in in_all_fields(getattr(here, one.name))]
    return found


def replaced(node: Any, change: Callable[[Any], Any]) -> Any:
    return change(map_children(node, lambda one: replaced(one, change)))


def test_an_expression_without_a_type_is_found_wherever_it_stands() -> None:
    planted = places()
    assert {(ir.Modifier, "adds"), (ir.Scene, "guard"), (ir.Claim, "chance"), (ir.SortKey, "formula")} <= planted.keys()
    for place, (name, there) in planted.items():
        gap = ir.Constant(None, t.ANYTHING, NOWHERE)
        broken = replaced(program(name), lambda one, there=there, gap=gap: gap if one is there else one)
        problems = Problems()
        report_untyped(broken, problems)
        assert len(problems.errors) == 1, place


@pytest.mark.parametrize("name", EVERY_NAME)
def test_a_copy_without_a_change_is_the_program_itself(name: str) -> None:
    assert replaced(program(name), lambda one: one) is program(name)


@pytest.mark.parametrize("name", EVERY_NAME)
def test_every_body_of_a_step_is_among_the_actions_of_its_rule(name: str) -> None:
    whole = program(name)
    for rule in choice_keys.all_rules(whole):
        found = {id(action) for _, action in choice_keys.reachable_bodies(whole, rule)}
        held = [one for one in nodes_under(rule) if isinstance(one, BODIES)]
        one_each = {id(one.choice) for one in held if isinstance(one, ir.ChooseEach)}
        assert {id(one) for one in held} - one_each <= found


def test_steps_are_found_in_the_body_of_every_verb_that_holds_some() -> None:
    """An `end` planted in place of each step in another step is among the actions of the rule."""
    seen = set()
    for name in NAMES:
        whole = program(name)
        for rule in choice_keys.all_rules(whole):
            for body in nodes_under(rule.steps):
                inside = nested_steps(body) if isinstance(body, BODIES) else []
                if not inside or type(body) in seen:
                    continue
                seen.add(type(body))
                end = ir.Step("planted", ir.End("planted"), t.ANYTHING, f"{rule.path}.planted")
                changed = replaced(rule, lambda one, old=inside[-1], end=end: end if one is old else one)
                assert any(action is end.action for _, action in choice_keys.reachable_bodies(whole, changed)), body
    assert {ir.RollDice, ir.Repeat, ir.Stages, ir.StepGroup, ir.Pair} <= seen
