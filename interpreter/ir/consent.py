"""Prices of actions: those that somebody else names, which the actor may refuse to pay, and those that steps take."""

from __future__ import annotations

from interpreter.ir.expressions import Local
from interpreter.ir.once_per import once_per
from interpreter.ir.rules import Action, Mechanic, Program
from interpreter.ir.steps import Call, Pay, Shift
from interpreter.ir.traversal import locals_in, nodes_under

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


@once_per
def may_take_points(program: Program, rule: Mechanic) -> bool:
    """Whether the steps of what somebody does, or of the mechanics that it calls, take points that no cost declares.

    Which points a mechanic lowers is not known here; those of an action and a reaction may be somebody else's.
    """
    waiting, seen = [rule], {rule.path}
    while waiting:
        inside = waiting.pop()
        for one in nodes_under(inside):
            if isinstance(one, Pay) or (isinstance(one, Shift) and one.down and _may_be_actors(one, inside, rule)):
                return True
            if isinstance(one, Call) and (called := program.mechanics[one.mechanic]).path not in seen:
                seen.add(called.path)
                waiting.append(called)
    return False


def _may_be_actors(one: Shift, inside: Mechanic, rule: Mechanic) -> bool:
    whose = one.target.thing.body
    return inside is not rule or (isinstance(whose, Local) and whose.name == "actor")
