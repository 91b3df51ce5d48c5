"""Thrown dice that the state keeps.

A die keeps its key as long as it is kept, so that rules can tell it apart. A run numbers the dice that it throws from
0, so dice of earlier runs are numbered anew, below 0, where a state leaves a run or enters one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from interpreter import ir
from interpreter.ir.lasting_dice import dice_last
from interpreter.runtime.functions import charge
from interpreter.runtime.state import Holdings, Pending, State, Timer
from interpreter.values import Throw, Thrown

FIRST_KEY = -2
"""The key of the first die that a state keeps, the next ones being lower; -1 is the key of a stand-in die."""


def settle_dice(program: ir.Program, state: State) -> State:
    """The state with the keys of its dice in the order of its things.

    What nothing can read of them is left out: the names of their throws and, unless rules throw dice again, how a new
    throw counts.
    """
    if not dice_last(program):
        return state
    keys: dict[int, int] = {}
    for one in dice_in(state):
        keys.setdefault(one.key, FIRST_KEY - len(keys))
    if not keys:
        return state
    rerolled = program.die_identity.rerolled

    def strip(die: Thrown) -> Thrown:
        throws = tuple([Throw(one.face, one.nth, one.counts, {}) if one.names else one for one in die.throws])
        return Thrown(die.die, die.part, keys[die.key], throws, die.value, die.scoring if rerolled else None)

    made: State = replace_dice(state, strip)
    return made


def dice_in(value: Any) -> Iterator[Thrown]:
    """Every thrown die in a value or in a state; those of things are in the order of their names."""
    if isinstance(value, State):
        for _, held in sorted(value.things.items()):
            for _, one in sorted(held.values.items()):
                yield from dice_in(one)
        for timer in value.timers:
            yield from dice_in(timer.value)
        for pending in value.pending:
            yield from dice_in(tuple([one for _, one in pending.given]))
    elif isinstance(value, Thrown):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from dice_in(one)
    elif type(value) is tuple:
        for one in charge(value, 1):
            yield from dice_in(one)


def replace_dice(value: Any, new: Callable[[Thrown], Thrown]) -> Any:
    """A value or a state with other dice in place of its own."""
    if isinstance(value, State):
        things = {
            name: Holdings(held.kind, {at: replace_dice(one, new) for at, one in held.values.items()})
            for name, held in value.things.items()
        }
        timers = tuple([Timer(t.thing, t.name, replace_dice(t.value, new), t.span, t.rounds) for t in value.timers])
        pending = tuple([
            Pending(p.event, tuple([(name, replace_dice(one, new)) for name, one in p.given]), p.span, p.rounds)
            for p in value.pending
        ])  # fmt: skip
        return replace(value, things=things, timers=timers, pending=pending)
    if isinstance(value, Thrown):
        return new(value)
    if isinstance(value, Mapping):
        return {name: replace_dice(one, new) for name, one in value.items()}
    if type(value) is tuple and any(True for _ in dice_in(value)):
        return tuple([replace_dice(one, new) for one in value])
    return value
