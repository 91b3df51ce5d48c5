"""How much work a formula takes for each element of a list, so that long lists are counted while they are gone through.

A list may have tens of thousands of elements, and a formula hundreds of calls: what is counted only before or after
the loop would end long after the budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter import ir
from interpreter.ir.traversal import nodes_under
from interpreter.work_count import spend

TENTHS_OF_A_CALL, NODES_IN_A_TENTH = 10, 4
AT_ONCE = 32
"""How many elements are gone through between two counts."""
_CALLS = (ir.Apply, ir.Builtin, ir.Column, ir.Filtered, ir.Joined, ir.Lookup, ir.Sorted)


def tenths_of_work(*formulas: ir.Expr) -> int:
    """The tenths of a unit of work that formulas take for one element, where the lists in them are short."""
    nodes = [node for formula in formulas for node in nodes_under(formula)]
    calls = sum([isinstance(node, _CALLS) for node in nodes])
    return 1 + len(nodes) // NODES_IN_A_TENTH + TENTHS_OF_A_CALL * calls


def count_each(elements: Any, tenths: int) -> Iterable[Any]:
    """Elements of a list, each of which takes so many tenths of a unit of work; it is counted on the way."""
    return _count_each(elements, tenths) if len(elements) > AT_ONCE else elements


def _count_each(elements: Any, tenths: int) -> Iterator[Any]:
    for start in range(0, len(elements), AT_ONCE):
        part = elements[start : start + AT_ONCE]
        spend(1 + len(part) * tenths // 10)
        yield from part
