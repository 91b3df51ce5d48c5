"""Who has a role in a called mechanic: a thing, or another role."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import ir
from interpreter.ir.deciders import roles_asked
from interpreter.runtime.evaluator import Closure, Closures, Frame
from interpreter.values import Thing

ROLES = ".roles"
"""The name in a frame of the roles that somebody has, as pairs of a role and who has it."""


def decider_function(closures: Closures, by: str | ir.Formula | None) -> Callable[[Frame], str | None]:
    """A function from a frame to the one who is asked: the id of a thing, a role, or None."""
    if by is None:
        return lambda given: None
    if isinstance(by, str):
        role = by
        return lambda given: _holder_of(role, given)
    one: Closure = closures.of(by)
    if not roles_asked(by):
        return lambda given: str(one(given).id)

    def who(given: Frame) -> str:
        found = one(given)
        return found.id if isinstance(found, Thing) else _holder_of(found, given)

    return who


def _holder_of(role: str, given: Frame) -> str:
    """Who has a role in a frame; the role itself if nobody has it."""
    held: dict[str, str] = dict(given.get(ROLES, ()))
    return held.get(role, role)


def roles_function(closures: Closures, call: ir.Call) -> Callable[[Frame, Frame], None]:
    """A function that gives the frame of a called mechanic the roles of its caller and those of the call."""
    bound = [(role, decider_function(closures, who)) for role, who in call.roles]

    def give(caller: Frame, inside: Frame) -> None:
        if bound:
            inside[ROLES] = tuple((dict(caller.get(ROLES, ())) | {role: who(caller) for role, who in bound}).items())
        elif ROLES in caller:
            inside[ROLES] = caller[ROLES]

    return give
