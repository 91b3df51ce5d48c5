"""Prices of actions that somebody else names, which the actor may refuse to pay."""

from __future__ import annotations

from interpreter.ir.once_per import once_per
from interpreter.ir.rules import Action, Mechanic
from interpreter.ir.traversal import locals_in

PAYS = "pays"
"""The name of the question whether the actor pays: `odd_ball.pays` in answers and policies."""


def path_of_consent(rule: Mechanic) -> str:
    """The path of this question of an action."""
    return f"{rule.path}.{PAYS}"


def own_inputs(action: Action) -> tuple[str, ...]:
    """The inputs with which the actor says what to do; how, the upgrade, is none of them."""
    upgrade = action.upgrade.path if action.upgrade is not None else None
    return tuple(one.name for one in action.rule.inputs if one.by is None and one.path != upgrade)


@once_per
def price_hangs_on(action: Action) -> tuple[str, ...]:
    """The inputs that somebody else gives and a cost reads, in order."""
    read = frozenset[str]().union(
        *[locals_in(one.body) for cost in action.costs for one in (cost.amount, cost.key) if one is not None]
    )
    return tuple(one.name for one in action.rule.inputs if one.by is not None and one.name in read)


def may_refuse_price(action: Action) -> bool:
    """Whether the actor is asked for consent: only to a price that somebody else names."""
    return action.may_refuse and bool(price_hangs_on(action))
