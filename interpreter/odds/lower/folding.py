"""What throws and passes read of those before them, folded: of a sum one number is kept, and not each number in it.

Histories that give every reading the same value then become one state, whatever order they came in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import children, nodes_under
from interpreter.odds.liveness import Path
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.operations import MARKS, Need
from interpreter.odds.state_keys import freeze

EARLIER = "earlier"

Kind = Literal["sum", "in any order"]
Fold = Callable[[tuple[Any, ...]], tuple[Any, ...]]

_IN_ANY_ORDER = frozenset(("sum", "count", "any", "highest", "lowest"))
"""Functions of one list whose value does not depend on its order."""


def fold_of(lowering: Lowering, action: ir.RollDice | ir.Repeat, past: Need) -> Fold | None:
    """A function that makes one record of those in `earlier`, in which all that is read of them has the same value.

    `past` is what is read of them. None if a formula reads them in a way that needs each of them.
    """
    readings = _columns_of_earlier(action)
    if readings is None:
        return None
    found: dict[Path, tuple[Kind, ir.Column]] = {}
    for column, kind in readings:
        known = found.get(path := _path(column))
        found[path] = (kind if known is None or known[0] == kind else "in any order", column)
    needed = past - MARKS
    if not needed or not needed <= found.keys():
        return None
    folds = []
    for path in sorted(needed):
        kind, column = found[path]
        listed = _is_list(column)
        if listed is None or (kind != "sum" and not listed):
            return None
        folds.append((path, kind, listed, lowering.closures.closure_of_expression(column)))

    def fold_earlier(earlier: tuple[Any, ...]) -> tuple[Any, ...]:
        record: dict[str, Any] = {}
        for path, kind, listed, values_of in folds:
            values: Any = values_of({EARLIER: earlier})
            if kind == "sum":
                total = sum(values)
                values = (total,) if listed else total
            else:
                values = tuple(sorted(values, key=lambda one: repr(freeze(one))))
            at = record
            for name in path[:-1]:
                at = at.setdefault(name, {})
            at[path[-1]] = values
        return (record,)

    return fold_earlier


def _columns_of_earlier(action: ir.RollDice | ir.Repeat) -> list[tuple[ir.Column, Kind]] | None:
    """Every column of `earlier` that is read in the steps of an action, and what it is read for.

    None if something needs each record: any other reading, and steps inside that have an `earlier` of their own.
    """
    found: list[tuple[ir.Column, Kind]] = []
    stack = children(action)
    while stack:
        node = stack.pop()
        of, kind = _read_in_any_order(node)
        column = _column_of_earlier(of)
        if column is not None:
            found.append((column, kind))
        elif _is_earlier(node) or (
            isinstance(node, (ir.Repeat, ir.RollDice)) and any(map(_is_earlier, nodes_under(node)))
        ):
            return None
        stack += [one for one in children(node) if column is None or one is not of]
    return found


def _is_earlier(node: Any) -> bool:
    return isinstance(node, ir.Local) and node.name == EARLIER


def _read_in_any_order(node: Any) -> tuple[Any, Kind]:
    """What an expression reads without regard to its order, and what for; None if it reads nothing in this way."""
    if isinstance(node, ir.Builtin):
        if len(node.arguments) == 1 and node.name in _IN_ANY_ORDER:
            of = node.arguments[0]
            return of, "sum" if node.name == "sum" else "in any order"
        if node.name == "without":
            return node.arguments[1], "in any order"
    if isinstance(node, ir.Membership):
        return node.of, "in any order"
    return None, "in any order"


def _column_of_earlier(of: Any) -> ir.Column | None:
    """A column of `earlier`, which may be one of a column; None for anything else."""
    at = of
    while isinstance(at, ir.Column) and not at.maps:
        at = at.of
    return of if isinstance(of, ir.Column) and _is_earlier(at) else None


def _path(column: ir.Column) -> Path:
    above = column.of
    return (*_path(above), column.name) if isinstance(above, ir.Column) else (column.name,)


def _is_list(column: ir.Column) -> bool | None:
    """Whether each record has a list of values, and not one; None if what leads there is not one record in another."""
    kind = t.without_maybe(column.of.type)
    record = t.without_maybe(kind.of) if isinstance(kind, t.List) else None
    of = record.field(column.name) if isinstance(record, t.Record) else None
    if of is None:
        return None
    above = column.of
    if isinstance(above, ir.Column) and _is_list(above) is not False:
        return None
    field = t.without_maybe(of)
    if isinstance(field, t.List):
        return True
    return False if isinstance(field, (t.Number, t.Word, t.YesNo, t.Record)) else None
