"""What stands under an expression, and which names it reads."""

from __future__ import annotations

from functools import cache
from typing import get_args

from interpreter import ir

NODES = get_args(ir.Expr)

_PARTS = {kind: tuple([name for name, of in kind.__annotations__.items() if "Expr" in str(of)]) for kind in NODES}
"""Under which names a node holds others: one, several, or several with names of their own."""


def inner(node: ir.Expr) -> list[ir.Expr]:
    """The expressions right under a node."""
    found: list[ir.Expr] = []
    for name in _PARTS[type(node)]:
        one = getattr(node, name)
        if type(one) is not tuple:
            found.append(one)
        else:
            found += [item[1] if type(item) is tuple else item for item in one]
    return found


@cache
def locals_in(expr: ir.Expr) -> frozenset[str]:
    """Every name of the frame that an expression reads, what lasts left aside."""
    if isinstance(expr, ir.Local):
        return frozenset((expr.name,))
    return frozenset[str]().union(*map(locals_in, inner(expr)))
