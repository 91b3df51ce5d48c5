"""Check `on` beside `roll`: the step is the row of a table to which the dice come.

Such a step is made of steps that there are: stages that begin with the roll, of which the last reads the row. `it`
stands for `sum(…)` of the roll.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from collections.abc import Mapping as Names
from dataclasses import replace
from functools import partial

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.expressions import formula
from interpreter.checker.expressions.calls import highest_row, is_on_no_row, rows_in_words
from interpreter.checker.known import Known, Throws, known_as_range, known_of, sums_of_pools
from interpreter.checker.scope import Scope
from interpreter.checker.step_keys import error_formula
from interpreter.checker.world import World
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.ir import types as t
from interpreter.ir.traversal import inner_expressions, nodes_under
from interpreter.syntax.document import Mapping, Scalar

MOST_SUMS = 1_000
"""How many numbers that dice come to are held against the rows one by one."""


def check_row(world: World, node: Mapping, rolled: ir.StepBody, kind: t.Type, scope: Scope, path: str) -> ir.Step:
    """The stage of a roll of a type that reads the row. `path` is that of the step, by whose name it reads the roll."""
    on = node.get("on")
    assert on is not None
    name = path.rsplit(".", 1)[-1]
    begun = rolled.begun if isinstance(rolled, ir.Stages) else kind
    if isinstance(on, Scalar) and on.text.isidentifier() and on.text not in {*world.table_names, *scope.names, "it"}:
        if on.text not in world.strays:
            world.problems.add(say.unknown_of(on.span, "table", on.text, world.table_names))
        return _stage(node, error_formula(on.span), path)
    errors = len(world.problems.errors)
    row = formula(
        world, on, scope.bound(name, kind, NOWHERE), None, partial(_with_sum, name=name, tables=world.table_names)
    )
    world.reach[on.span] = (replace(scope, element=t.NUMBER), None)
    if len(world.problems.errors) == errors and not isinstance(begun, t.Anything):
        if not any(_reads_roll(one, name) for one in nodes_under(row.body) if isinstance(one, ir.Lookup | ir.Apply)):
            world.problems.add(say.no_row_of_dice(on.span, world.table_names))
        elif isinstance(rolled, ir.RollDice):
            _report_sums_without_row(world, rolled, row.body, name)
    return _stage(node, row, path)


def _stage(node: Mapping, row: ir.Formula, path: str) -> ir.Step:
    return ir.Step("on", ir.Let(row), row.type, f"{path}.on", node.key("on").span)


def _with_sum(tree: ast.expr, name: str, tables: Collection[str]) -> ast.expr:
    """What is meant at `on`: the name of a table alone is read with `it`, and `it` is the sum of the roll."""
    if isinstance(tree, ast.Name) and tree.id in tables:
        tree = ast.copy_location(ast.Call(tree, [ast.copy_location(ast.Name("it", ast.Load()), tree)], []), tree)
    written: ast.expr = _SumForIt(name).visit(tree)
    return written


class _SumForIt(ast.NodeTransformer):
    """Puts the sum of a roll in place of `it`, but where `it` is an element of a list."""

    def __init__(self, roll: str) -> None:
        self.roll = roll

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != "it":
            return node
        called, roll = ast.Name("sum", ast.Load()), ast.copy_location(ast.Name(self.roll, ast.Load()), node)
        roll.col_offset = roll.end_col_offset = node.end_col_offset or node.col_offset  # nobody has written this name
        return ast.copy_location(ast.Call(ast.copy_location(called, node), [roll], []), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id in (".where", ".by"):
            node.args[0] = self.visit(node.args[0])
            return node
        self.generic_visit(node)
        return node


def _reads_roll(node: ir.Expr, roll: str) -> bool:
    return any(isinstance(one, ir.Local) and one.name == roll for one in nodes_under(node))


# The dice against the rows -----------------------------------------------------------------------------------------


def _report_sums_without_row(world: World, roll: ir.RollDice, row: ir.Expr, name: str) -> None:
    """Report what the dice can come to where a table that has no other way out has no row for it."""
    sums = sums_of_pools([part.body for _, part in roll.parts], MOST_SUMS) if roll.counts is None else None
    if sums is None:
        return
    lacking: dict[tuple[Span, str], list[t.Number]] = {}
    for known in [{name: _thrown(one)} for one in sorted(sums)] if roll.again is None else [{}]:
        for lookup in _certain_lookups(world, row, known):
            table = world.table(lookup.name)
            for place, key in enumerate(lookup.keys) if table is not None and table.off == "refuse" else ():
                assert table is not None
                if not isinstance(table.keys[place], t.Number) or not _reads_roll(key, name):
                    continue
                asked = known_as_range(known_of(world, key, known)) if known else _above_all(table, place, key, sums)
                if asked is not None and is_on_no_row(table, place, asked):
                    lacking.setdefault((key.span, lookup.name), []).append(asked)
    for (span, table_name), numbers in [*lacking.items()][:1]:
        world.problems.add(say.dice_off_the_rows(span, table_name, map(rows_in_words, _join_ranges(numbers))))


def _certain_lookups(world: World, expr: ir.Expr, names: Names[str, Known]) -> Iterator[ir.Lookup]:
    """The lookups that an expression makes for certain, given what is known of names: not those of an open condition,
    or for the elements of a list."""
    match expr:
        case ir.Conditional(condition, then, otherwise):
            holds = known_of(world, condition, names)
            inner = [condition, *([then] if holds is True else [otherwise] if holds is False else [])]
        case ir.And(left, _) | ir.Or(left, _) | ir.Otherwise(left, _) | ir.Filtered(left, _) | ir.Sorted(left, _):
            inner = [left]
        case _:
            inner = list(inner_expressions(expr))
    for one in inner:
        yield from _certain_lookups(world, one, names)
    if isinstance(expr, ir.Lookup):
        yield expr


def _above_all(table: ir.Table, place: int, key: ir.Expr, sums: set[int]) -> t.Number | None:
    """The numbers above all rows, if the key is the sum of dice that are thrown again and added: it comes to any."""
    top = highest_row(table, place)
    is_sum = isinstance(key, ir.Builtin) and key.name == "sum"
    return t.Number(top + 1, None) if top is not None and is_sum and min(sums) > 0 else None


def _thrown(total: int) -> Throws:
    """A roll of one die that comes to a total."""
    return Throws(t.Number(1, 1), t.Number(total, total), t.Number(total, total))


def _join_ranges(numbers: list[t.Number]) -> list[t.Number]:
    """Numbers in order, of which those that follow one upon the other are one range."""
    joined: list[t.Number] = []
    for one in numbers:
        last = joined[-1] if joined else None
        follows = last is not None and last.high is not None and one.low is not None and one.low <= last.high + 1
        joined[-1:] = [t.hull(last, one)] if last is not None and follows else [*joined[-1:], one]
    return joined
