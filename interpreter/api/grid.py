"""A query at every point of a grid of inputs, parts of inputs and options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from interpreter.api.instance import Held, Instance
from interpreter.api.query import Query
from interpreter.odds.answer import Odds
from interpreter.odds.sweep import Sweep, sweep

OPTIONS = "options."
"""What the names of options begin with, among the names of a grid."""


def sweep_query(
    query: Query, state: Callable[[Any], Held | None], over: Mapping[str, Sequence[Any]], ask: Callable[[Query], Odds]
) -> Sweep:
    """The answers to a query at every point of a grid; `state` makes the state for the instance of a point."""
    instances: dict[str, tuple[Instance, Held | None]] = {}

    def at_point(at: Mapping[str, Any]) -> Odds:
        options = {name.removeprefix(OPTIONS): value for name, value in at.items() if name.startswith(OPTIONS)}
        key = repr(options) if options else ""
        if key not in instances:
            made = query.instance.with_options(options) if options else query.instance
            instances[key] = made, state(made)
        instance, held = instances[key]
        changed = {name: value for name, value in at.items() if not name.startswith(OPTIONS)}
        inputs = instance.with_inputs(query.rule, query.inputs, changed)
        return ask(replace(query, instance=instance, state=held, inputs=inputs))

    return sweep(at_point, over)
