"""The records that blocks result in, reduced to what is needed of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from interpreter.odds.liveness import VALUES
from interpreter.odds.operations import EndedValue, Frame, Need, needs_of_fields
from interpreter.odds.state_keys import PLAIN
from interpreter.runtime.state import STATE


def record_of(asked: Mapping[str, Need]) -> Callable[[Frame], Any]:
    """A function from a frame to the record of what is asked of its names."""
    names = tuple(asked)
    if all(() in need for need in asked.values()):
        return lambda at: dict(zip(names, map(at.get, names), strict=True))
    return lambda at: {name: prune(at.get(name), need) for name, need in asked.items()}


def remove_fields(record: Any, names: Iterable[str]) -> Any:
    """A record without some of its fields."""
    return {name: one for name, one in record.items() if name not in names}


def prune(value: Any, need: Need) -> Any:
    """A record, or each record of a list or a map, with only the fields that are needed."""
    if type(value) in PLAIN or () in need:
        return value
    if isinstance(value, dict):
        asked = needs_of_fields(need)
        if VALUES in asked:
            return {key: prune(one, asked[VALUES]) for key, one in value.items()}
        return {name: prune(one, asked[name]) for name, one in value.items() if name in asked}
    if type(value) is tuple and value and type(value[0]) is dict:
        return tuple([prune(one, need) for one in value])
    return value


def pass_on_end(at: Frame, end: EndedValue) -> EndedValue:
    """The end of a rule inside a block, with the state at that time."""
    return end if end.state is not None or STATE not in at else EndedValue(end.outcome, at[STATE])
