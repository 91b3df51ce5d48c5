"""Possible actions as plain data."""

from __future__ import annotations

from typing import Any

from interpreter.play.available_actions import Possible
from interpreter.values import to_data


def possible_data(one: Possible) -> dict[str, Any]:
    """An action that is possible now: its title, what it shows, the values of its inputs (null if they cannot be
    listed), its costs and the ends of its prices, also for each kind of action as which it can be performed."""
    inputs = {name: None if may is None else [to_data(each) for each in may] for name, may in one.inputs.items()}
    return {
        "action": one.action,
        "title": one.title,
        **({"shows": one.shows} if one.shows else {}),
        "inputs": inputs,
        "costs": dict(one.costs),
        "prices": dict(one.prices),
        "kinds": {kind: dict(prices) for kind, prices in one.kinds.items()},
    }
