"""Elements of a pile that no rule of a question tells apart: of each kind, one stands for all.

Whoever draws until an ace comes reads of each card only whether it is one. Then states need not say which other cards
are left, only how many. That holds where the rules of the question do nothing to a pile but draw from it, and read of
what they draw only whether elements fulfil conditions that depend on nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import EFFECTS, children, nodes_under, outermost_nodes_in
from interpreter.odds.lower.draws import DrawReader
from interpreter.odds.unread_state import mechanics_reached
from interpreter.runtime.evaluator import Closures, new_frame
from interpreter.runtime.state import STATE, put_value

Pile = tuple[str, str]
"""The kind of the things that have a pile, and its name."""


def merge_alike_elements(
    program: ir.Program, closures: Closures, rule: ir.Mechanic, names: tuple[str, ...], at: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The frame of a question about names of a rule, where one element of each kind stands for all in its state."""
    state = at.get(STATE)
    if state is None or not (piles := _piles_of(program, rule, names)):
        return at
    for (kind, name), tests in piles.items():
        for thing in state.of_kind(kind):
            pile = state.has(thing).get(name)
            if isinstance(pile, tuple) and (alike := _replace_alike_elements(closures, tests, pile)) != pile:
                state = put_value(state, thing, name, alike)
    return {**at, STATE: state}


def _replace_alike_elements(closures: Closures, tests: Tests, pile: tuple[Any, ...]) -> tuple[Any, ...]:
    first: dict[Any, Any] = {}
    conditions = [[closures.closure_of_expression(one) for one in some] for some in tests.conditions]
    items = [closures.closure_of_expression(one)(new_frame()) for one in tests.items]
    made = []
    for element in pile:
        at = new_frame() | {".it": element}
        try:
            key = (*[all(one(at) for one in some) for some in conditions], *[element == item for item in items])
        except PlayError:  # a test refuses an element, which play itself says if it is drawn
            return pile
        made.append(first.setdefault(key, element))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Tests:
    """What is read of elements: whether conditions hold, and whether they equal items."""

    conditions: tuple[tuple[ir.Expr, ...], ...] = ()
    items: tuple[ir.Expr, ...] = ()


def _piles_of(program: ir.Program, rule: ir.Mechanic, names: tuple[str, ...]) -> Mapping[Pile, Tests]:
    """The piles of whose elements a question about names of a rule reads only such conditions."""
    found = _find_piles(program, rule)
    asked = {part for name in names for part in name.split(".")}
    if not found or any(name.rpartition(".")[2] in _names_holding_drawn(program, rule) for name in names):
        return {}
    return {pile: tests for pile, (tests, drawn) in found.items() if not asked & {*drawn, *pile}}


@once_per
def _find_piles(program: ir.Program, rule: ir.Mechanic) -> Mapping[Pile, tuple[Tests, frozenset[str]]]:
    """The piles of whose elements a rule reads only conditions, with the names under which it draws them."""
    reached = tuple(mechanics_reached(program, rule))
    if not any(True for _ in outermost_nodes_in(reached, ir.Draw)):  # most rules draw nothing
        return {}
    nodes = list(nodes_under(reached))
    steps = [node for node in nodes if isinstance(node, ir.Step)]
    draws = [(step.name, step.action) for step in steps if isinstance(step.action, ir.Draw)]
    others = (*[one for one in EFFECTS if one is not ir.Draw], ir.Choose, ir.ChooseEach)
    if any(action.refill for _, action in draws) or any(isinstance(node, others) for node in nodes):
        return {}
    fields = {node.name for node in nodes if isinstance(node, (ir.Field, ir.Column))}
    with_formulas = (
        program.functions,
        program.modifiers,
        program.kinds,
        program.tables,
        program.types,
    )  # formulas use them
    read = {
        (node.kind, node.name)
        for node in (*nodes, *nodes_under(with_formulas))
        if isinstance(node, (ir.Attribute, ir.OwnAttribute))
    }
    formulas = [node.body for node in nodes if isinstance(node, ir.Formula)]
    if any(_reads_whole(body, _names_holding_drawn(program, rule)) for body in formulas):
        return {}
    found: dict[Pile, tuple[Tests, frozenset[str]]] = {}
    for pile in {_pile(action) for _, action in draws} - read:
        drawn = frozenset([name for name, action in draws if _pile(action) == pile])
        readers = [DrawReader(name, frozenset()) for name in drawn]
        in_any_order = all(one.ignores_order(body) for one in readers for body in formulas)
        if in_any_order and not fields & {*drawn, pile[1]} and not any(one.value for one in readers):
            conditions = tuple([some for one in readers for some in one.tests])
            found[pile] = Tests(conditions, tuple([item for one in readers for item in one.items])), drawn
    return found


@once_per
def _names_holding_drawn(program: ir.Program, rule: ir.Mechanic) -> frozenset[str]:
    """The names of values with drawn elements somewhere in them: passes, blocks and results of calls that draw."""
    reached = list(mechanics_reached(program, rule))
    steps = [(one, node) for one in reached for node in nodes_under(one) if isinstance(node, ir.Step)]
    below = {id(step): list(nodes_under(step.action)) for _, step in steps}
    draw = {one.path for one in reached if any(isinstance(node, ir.Draw) for node in nodes_under(one))}
    while more := {
        one.path
        for one, step in steps
        if one.path not in draw and any(_calls_one_of(node, draw, program) for node in below[id(step)])
    }:
        draw |= more
    holding = [
        step.name
        for _, step in steps
        if not isinstance(step.action, ir.Draw)
        and any(isinstance(node, ir.Draw) or _calls_one_of(node, draw, program) for node in below[id(step)])
    ]
    return frozenset({*holding, "earlier"})


def _calls_one_of(node: Any, paths: set[str], program: ir.Program) -> bool:
    return isinstance(node, ir.Call) and program.mechanics[node.mechanic].path in paths


def _reads_whole(body: ir.Expr, holders: frozenset[str]) -> bool:
    """Whether an expression reads more of a value with drawn elements than how many elements it has, or a field."""

    def is_holder(node: Any) -> bool:
        return isinstance(node, (ir.Local, ir.Field, ir.Column)) and node.name in holders

    if is_holder(body):
        return True
    for node in nodes_under(body):
        of_part = isinstance(node, (ir.Field, ir.Column)) or (isinstance(node, ir.Builtin) and node.name == "count")
        if not of_part and any(is_holder(child) for child in children(node)):
            return True
    return False


def _pile(action: ir.Draw) -> Pile:
    return action.target.kind, action.target.name
