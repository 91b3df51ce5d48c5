"""What things have after a rule, before a change and after it: points, tracks and other attributes that are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from interpreter import ir
from interpreter.chances.laws import rows_of_changes
from interpreter.chances.shortening import PAGE_LINES, shorten
from interpreter.chances.table import NOT_FOLLOWED, ChanceRow, ChanceTable, Subject, plain_words
from interpreter.ir import types as t
from interpreter.odds.answer import Law, Odds, sort_values
from interpreter.odds.comparison import Change
from interpreter.testing.cases import Setting

MOST_LEFT = 3
"""How many attributes of things are shown for a point."""


def left_tables(before: Setting, after: Setting, odds: tuple[Odds, Odds]) -> list[ChanceTable]:
    """The attributes of things whose odds after the rule differ, of those that had the same values before it.

    Raises PlayError where the paths of the rule are too many to follow, or the goals of `odds` do not allow it.
    """
    names = list(_comparable(before, after))
    if not names:
        return []
    old, new = (one.law(*names) for one in odds)
    slack = old.missing + new.missing
    tables = []
    for place, name in enumerate(names):
        law = _compare_laws(old, new, place)
        thing, _, attribute = name.partition(".")
        kind = after.game.program.kinds[after.state.things[thing].kind].has[attribute].type if after.state else None
        title = f"{plain_words(attribute)} of {plain_words(thing)}"
        if isinstance(kind, t.List):
            title, law = (
                (f"number of {title}", _map_values(law, _number_of_objects))
                if isinstance(kind.of, t.Object)
                else (title, law)
            )
        if all(abs(one.difference) <= slack for one in law.values()):
            continue
        table = shorten(ChanceTable(title, rows_of_changes(law), subject=Subject.AFTERWARDS), PAGE_LINES)
        rows = tuple(replace(row, label=_list_in_words(row.label), slack=slack) for row in table.rows)
        mean = missing = None
        if all(type(value) is int for value in law) and not slack:
            a, b = (sum((value * chance[side] for value, chance in law.items()), Fraction(0)) for side in (0, 1))
            mean = ChanceRow("mean", b, a, kind="mean")
        if slack:
            missing = ChanceRow(NOT_FOLLOWED, new.missing, old.missing, kind="missing")
        tables.append(replace(table, rows=rows, mean=mean, missing=missing))
    return tables[:MOST_LEFT]


def _comparable(before: Setting, after: Setting) -> Iterator[str]:
    """The attributes that both sides store, with the same value before the rule."""
    if before.state is None or after.state is None:
        return
    for thing, held in after.state.things.items():
        was = before.state.things.get(thing)
        if "." in thing or was is None or was.kind != held.kind:
            continue
        for name in _stored_attributes(after.game.program, held.kind):
            if name in _stored_attributes(before.game.program, held.kind) and was.values.get(name) == held.values.get(
                name
            ):
                yield f"{thing}.{name}"


def _stored_attributes(program: ir.Program, kind: str) -> Sequence[str]:
    """The attributes of a kind that hold a value of their own; those that a record of play leaves out do not count."""
    has = program.kinds[kind].has
    return [
        name
        for name, one in has.items()
        if one.derived is None and one.part is None and one.per is None and not one.bookkeeping
    ]


def _number_of_objects(listed: str) -> int:
    """The number of objects in a list, of which an answer has the text: their names tell nothing to a reader."""
    return listed.count(",") + 1 if listed != "[]" else 0


def _list_in_words(label: str) -> str:
    """The text of a list as words."""
    return (label[1:-1] or "none") if label.startswith("[") else label


def _map_values(law: dict[Any, Change], key: Callable[[Any], Any]) -> dict[Any, Change]:
    """The law of a function of the value."""
    mapped: dict[Any, Change] = {}
    for value, one in law.items():
        so_far = mapped.get(key(value), Change(Fraction(0), Fraction(0)))
        mapped[key(value)] = Change(so_far.a + one.a, so_far.b + one.b)
    return {value: mapped[value] for value in sort_values(mapped)}


def _compare_laws(old: Law, new: Law, place: int) -> dict[Any, Change]:
    """How likely each value of one of several names is on both sides, numbers from the lowest."""
    chances: dict[Any, list[Fraction]] = {}
    for side, law in enumerate((old, new)):
        for values, chance in law.weights.items():
            chances.setdefault(values[place], [Fraction(0), Fraction(0)])[side] += chance
    return {value: Change(*chances[value]) for value in sort_values(chances)}
