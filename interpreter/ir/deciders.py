"""The roles among those who may be asked under `by`."""

from __future__ import annotations

from interpreter.ir.expressions import Conditional, Constant, Expr, Formula, Otherwise


def roles_asked(by: str | Formula | None) -> frozenset[str]:
    """The roles, and kinds with one object, that `by` names; a thing that a formula gives is none of them."""
    return frozenset([by]) if isinstance(by, str) else _roles_in(by.body) if by is not None else frozenset()


def _roles_in(expr: Expr) -> frozenset[str]:
    match expr:
        case Conditional(_, one, other) | Otherwise(one, other):
            return _roles_in(one) | _roles_in(other)
        case Constant(str() as role):
            return frozenset([role])
    return frozenset()
