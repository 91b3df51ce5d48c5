"""Find what can never be, by the dice and the bounds of numbers alone.

A comparison never holds, a table has no row for a value that it is asked for, or dice count that nobody throws.
"""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.bounds import path_of
from interpreter.checker.known import (
    Known,
    Pool,
    Throws,
    join_pools,
    known_as_range,
    known_of,
    names_of_throws,
    pool_of,
)
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.choice_keys import steps_at_bounds
from interpreter.ir.traversal import children, inner_expressions, nodes_under, texts_at
from interpreter.ir.types import Number
from interpreter.runtime.evaluator import Closures, new_frame

Names = ChainMap[str, Known]
"""What is known of the values of the steps so far, those of each level of nested steps in a mapping of its own."""


def report_never_true(world: World, program: ir.Program) -> dict[int, Number]:
    """Report every finding once, but only in the files on top: what lies under a layer is its own author's.

    The result says what each key with which a table is read can be, by the key's identity, as far as it was looked at.
    """
    if world.problems.errors:
        return {}
    finder = _Finder(world, program)
    reported: set[tuple[Span, str]] = set()
    whole = [(one, one) for section in program.playable.values() for one in section.values()]
    reactions = [(one, one.action.rule) for one in program.reactions.values()]
    for node, rule in (*whole, *reactions, *((one, None) for one in steps_at_bounds(program))):
        finder.inputs = {one.name: one for one in rule.inputs} if rule is not None else {}
        for problem in finder.find_in_node(node, ChainMap(), frozenset()):
            if problem.span.source.name not in world.lower and (problem.span, problem.message) not in reported:
                reported.add((problem.span, problem.message))
                world.problems.add(problem)
    return finder.keys


class _Finder:
    """The findings in the nodes of a program; `tested` are the paths of values that a condition around a node reads.

    `inputs` are those of the rule under way. `keys` gathers what the keys are with which tables are read.
    """

    def __init__(self, world: World, program: ir.Program) -> None:
        self.world, self.program = world, program
        self.inputs: dict[str, ir.Declaration] = {}
        self.closures = Closures(program, {})
        self.keys: dict[int, Number] = {}

    def find_in_node(self, node: Any, names: Names, tested: frozenset[str]) -> Iterator[Diagnostic]:
        """The findings under a node; `names` gains its steps."""
        for condition in [part.condition for text in texts_at(node) for part in text.parts]:
            if condition is not None:
                yield from self.find_in_formula(condition.body, names, tested)
        for child in children(node):
            if isinstance(child, ir.Formula):
                yield from self.find_in_formula(child.body, names, tested)
            elif isinstance(child, ir.Step):
                within = tested if child.condition is None else tested | _paths_read(child.condition.body)
                problems = list(self.find_in_node(child, names.new_child(self.names_inside_step(child, names)), within))
                yield from problems
                names[child.name] = None if problems else self.known_of_step(child, names)
            else:
                yield from self.find_in_node(child, names, tested)

    # What is known of steps

    def known_of_step(self, step: ir.Step, names: Names) -> Known:
        """What is known of the value of a step; what may be left out is known by its type alone."""
        if step.condition is not None:
            return None
        match step.action:
            case ir.Let(formula):
                return pool_of(self.world, formula.body, names) or known_of(self.world, formula.body, names)
            case ir.RollDice() as roll:
                return self.known_of_roll(roll, step.type, names)
            case ir.Reroll(of, to=None):
                return known_of(self.world, of.body, names)
        return None

    def known_of_roll(self, roll: ir.RollDice, kind: t.Type, names: Names) -> Known:
        pool = self.pool(roll, names)
        if pool is None or not isinstance(kind, t.Roll):
            return None
        plain = roll.counts is None and roll.again is None
        return Throws(pool.number, pool.faces, pool.faces if plain else kind.shows)

    def pool(self, roll: ir.RollDice, names: Names) -> Pool | None:
        return join_pools([pool_of(self.world, part.body, names) for _, part in roll.parts])

    def names_of_each_throw(self, action: ir.StepBody, names: Names) -> dict[str, Known]:
        """What the formulas inside a step that throws dice read of each throw."""
        pool = self.pool(action, names) if isinstance(action, ir.RollDice) else None
        return {"face": pool.faces} if pool is not None else {}

    def names_inside_step(self, step: ir.Step, names: Names) -> dict[str, Known]:
        """What the formulas inside a step read of each throw, or of the dice whose row they read."""
        action = step.action
        if isinstance(action, ir.Stages) and isinstance(action.start, ir.RollDice) and len(action.then) == 1:
            return {step.name: self.known_of_roll(action.start, action.begun, names)}
        return self.names_of_each_throw(action, names)

    # What is found

    def find_in_formula(self, expr: ir.Expr, names: Names, tested: frozenset[str]) -> Iterator[Diagnostic]:
        """The findings in an expression; what follows from one further inside is none."""
        within = [
            found
            for one, known, read in self.parts(expr, names, tested)
            for found in self.find_in_formula(one, known, read)
        ]
        yield from within
        match expr:
            case ir.Relation(_, left, right) | ir.Membership(left, right):
                if not within and known_of(self.world, expr, names) is False:
                    sides = [one for one in (left, right) if not isinstance(one, (ir.Constant, ir.ListLiteral))]
                    ranges = [(one.span.text, known_as_range(known_of(self.world, one, names))) for one in sides]
                    bounds = [(text, one.low, one.high) for text, one in ranges if one != t.NUMBER]
                    yield say.never_holds(expr.span, bounds)
            case ir.Lookup():
                for key in expr.keys:
                    known = known_as_range(known_of(self.world, key, names))
                    self.keys[id(key)] = t.hull(known, self.keys.get(id(key), known))
                yield from self.find_values_without_row(expr, names, tested)

    def parts(
        self, expr: ir.Expr, names: Names, tested: frozenset[str]
    ) -> Iterator[tuple[ir.Expr, Names, frozenset[str]]]:
        """The expressions right under one, each with what is known where it stands."""
        selected, read = names, tested
        if isinstance(expr, ir.Filtered):
            known = known_of(self.world, expr.of, names)
            selected = names.new_child(names_of_throws(known)) if isinstance(known, Throws) else names
        if isinstance(expr, (ir.Conditional, ir.And, ir.Or)):
            read = tested | _paths_read(expr.condition if isinstance(expr, ir.Conditional) else expr.left)
        for one in inner_expressions(expr):
            yield one, selected if isinstance(expr, ir.Filtered) and one is expr.condition else names, read

    def find_values_without_row(self, lookup: ir.Lookup, names: Names, tested: frozenset[str]) -> Iterator[Diagnostic]:
        """The first value of each key for which a table that refuses has no row."""
        table = self.program.tables[lookup.name]
        if table.off != "refuse":
            return
        rows = [table.rows]
        for key in lookup.keys:
            if isinstance(key.type, t.Word) and path_of(key) not in tested:
                yield from self.find_words_without_row(table, rows, key, key.type)
            elif isinstance(key.type, t.Number):
                yield from self.find_numbers_without_row(
                    table, rows, key, known_as_range(known_of(self.world, key, names))
                )
            rows = [row.value for some in rows for row in some if isinstance(row.value, tuple)]

    def find_words_without_row(
        self, table: ir.Table, rows: list[tuple[ir.TableRow, ...]], key: ir.Expr, kind: t.Word
    ) -> Iterator[Diagnostic]:
        for some in rows:
            rows_there = {row.key for row in some}
            lacking = [word for word in kind.words if word not in rows_there and self.may_be(key, [word])]
            stray_rows = [(row.key, row.span) for row in some if row.key is not None and row.key not in kind.words]
            if slips := say.misspelt_rows(table.name, kind.name, lacking, stray_rows):
                yield replace(slips[0], code="HR917", severity="warning")
                return
            if lacking:
                span = some[-1].span
                yield say.no_row(span, table.name, f"`{lacking[0]}`", key.span, f"add a row `{lacking[0]}: …`")
                return

    def find_numbers_without_row(
        self, table: ir.Table, rows: list[tuple[ir.TableRow, ...]], key: ir.Expr, known: Number
    ) -> Iterator[Diagnostic]:
        for some in rows:
            of_numbers = [row for row in some if row.low is not None or row.high is not None]
            ends = sorted(of_numbers, key=lambda row: -math.inf if row.low is None else row.low)
            for before, after in pairwise(ends):
                high, low = before.high, after.low
                if high is None or low is None or low <= high + 1:
                    continue
                first = max(high + 1, high + 1 if known.low is None else known.low)
                last = min(low - 1, low - 1 if known.high is None else known.high)
                if first <= last and self.may_be(key, range(first, last + 1)):
                    numbers_text = str(first) if first == last else f"{first} to {last}"
                    wider = f"stretch `{before.span.text}` or `{after.span.text}`, or add a row `{numbers_text}: …`"
                    yield say.no_row(after.span, table.name, numbers_text, key.span, wider)
                    return

    def may_be(self, key: ir.Expr, values: Sequence[Any]) -> bool:
        """Whether a key can have one of some values, by the `where` of the input that it is."""
        one = self.inputs.get(key.name) if isinstance(key, ir.Local) else None
        if one is None or one.where is None or len(values) > MOST_VALUES:
            return True
        holds = self.closures.of(one.where)
        try:
            return any(holds({**new_frame(), ".it": value}) for value in values)
        except (PlayError, KeyError):  # it reads what is known only in play
            return True


MOST_VALUES = 1_000
"""How many values of an input are tried."""


def _paths_read(condition: ir.Expr) -> frozenset[str]:
    """The paths of the values that a condition reads."""
    return frozenset(path for node in nodes_under(condition) if isinstance(node, ir.Expr) and (path := path_of(node)))
