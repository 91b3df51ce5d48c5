"""Find rows of tables that nothing can read: words that are in none of the lists that the table is looked up with, and
numbers that none of its uses can be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic
from interpreter.ir import types as t
from interpreter.ir.traversal import nodes_under, texts_at


def report_stray_rows(world: World, program: ir.Program, numbers: Mapping[int, t.Number]) -> None:
    """Report every such row, but only in the files on top: what lies under a layer is its own author's.

    `numbers` says what a key with which a table is read can be, by its identity; of others only the type is known.
    """
    if world.problems.errors:
        return
    reported = {one.span for one in world.problems}  # a row may be misspelt, which says the same
    for problem in _stray_rows(world, program, numbers):
        if problem.span.source.name not in world.lower and problem.span not in reported:
            world.problems.add(problem)


def _stray_rows(world: World, program: ir.Program, numbers: Mapping[int, t.Number]) -> Iterator[Diagnostic]:
    lookups: dict[str, list[ir.Lookup]] = defaultdict(list)
    for one in _lookups(program):
        lookups[one.name].append(one)
    tables = {entry.key.span: name for name, entry in world.section("tables").items()}
    uses = {(tables[at], use.start, use.source.name) for use, at in world.references.items() if at in tables}
    for name, several in lookups.items():
        looked_up = {(name, one.span.start, one.span.source.name) for one in several}
        if any(use[0] == name and use not in looked_up for use in uses):
            continue  # its rows are a list of words as well
        rows: Sequence[ir.TableRow] = program.tables[name].rows
        for number in range(len(program.tables[name].keys)):
            keys = [one.keys[number] for one in several]
            if any(t.reads_as_number(t.without_maybe(one.type)) for one in keys):
                yield from _unreachable_rows(name, rows, keys, numbers)
            else:
                yield from _rows_of_other_words(name, rows, keys)
            rows = [row for one in rows if isinstance(one.value, tuple) for row in one.value]


def _rows_of_other_words(table: str, rows: Sequence[ir.TableRow], keys: list[ir.Expr]) -> Iterator[Diagnostic]:
    kinds = {
        kind.name: kind for one in keys if isinstance(kind := t.without_maybe(one.type), t.Word) and kind.name != table
    }
    if not kinds or any(not isinstance(t.without_maybe(one.type), t.Word) for one in keys):
        return
    asked = {word for one in keys for word in _words_of_key(one)}
    there = {row.key for row in rows}
    for row in rows:
        if isinstance(row.key, str) and row.key not in asked:
            yield say.stray_row(row.span, row.key, table, kinds, asked - there)


def _unreachable_rows(
    table: str, rows: Sequence[ir.TableRow], keys: list[ir.Expr], numbers: Mapping[int, t.Number]
) -> Iterator[Diagnostic]:
    """Rows that begin above, or end below, all numbers with which the table is read; those with an open end may.

    A table that is read with single numbers alone is not one that chance looks into.
    """
    if all(isinstance(one, ir.Constant) for one in keys):
        return
    reach = reduce(t.hull, [numbers.get(id(one)) or t.as_number(one.type) for one in keys])
    for row in rows:
        low, high = (row.key, row.key) if isinstance(row.key, int) else (row.low, row.high)
        if low is None or high is None:
            continue
        if (reach.high is not None and low > reach.high) or (reach.low is not None and high < reach.low):
            use = keys[0] if len(keys) == 1 else None
            yield say.row_out_of_reach(row.span, table, use.span if use else None, reach.low, reach.high)


def _words_of_key(key: ir.Expr) -> tuple[Any, ...]:
    if isinstance(key, ir.Constant):
        return (key.value,)
    kind = t.without_maybe(key.type)
    return kind.words if isinstance(kind, t.Word) else ()


def _lookups(program: ir.Program) -> Iterator[ir.Lookup]:
    """Every lookup of a program, those in texts for people too."""
    stack: list[Any] = [
        *(program.options, program.types, program.functions, program.tables, program.modifiers, program.kinds),
        *(program.mechanics, program.events, program.actions, program.reactions, program.scenes, program.claims),
    ]
    for section in stack:
        for node in nodes_under(section):
            for one in (node, *(inner for text in texts_at(node) for inner in nodes_under(list(text.formulas)))):
                if isinstance(one, ir.Lookup):
                    yield one
