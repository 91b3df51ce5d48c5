"""The joint law of several readings of a roll, die by die, which is its definition: of the dice so far, each reading
keeps only what it needs. A test compares the faster kernels (`kernels.py`) with it over a grid.

Dice are given in groups: a number of dice that all have the same law over *features*. A feature holds one entry for
each axis. An axis is one reading: what it adds up, or which of the sorted dice it reads. Weights are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from typing import Any, NamedTuple

from interpreter.frozen import dataclass
from interpreter.odds.meter import ENTRY, STATE, Meter
from interpreter.odds.truncation import AtLeast, Undecided, bound_at_lows

Feature = tuple[Any, ...]
Features = Mapping[Feature, int]
Group = tuple[Features, int]
Law = dict[tuple[Any, ...], int]


@dataclass(frozen=True, slots=True)
class Axis:
    """One reading. Entries of `sum` are numbers; those of the others are the die's value, or None if it is left out.

    `sum`: the sum of the entries. `top` and `low`: the sum of the `k` highest or lowest values after the first `skip`
    of them; None if there are no values and it is `one` die. `kth`: the k-th highest value; None if there are fewer.
    """

    kind: str
    k: int = 0
    one: bool = False
    skip: int = 0


SUM = Axis("sum")
HIGHEST = Axis("top", 1, True)
LOWEST = Axis("low", 1, True)


def fold(groups: Sequence[Group], axes: Sequence[Axis], meter: Meter) -> Law:
    """The law, one die after the other; of the dice so far, each axis keeps what it needs."""
    law: dict[Any, tuple[Feature, int]] = {(): (tuple([start_state(axis) for axis in axes]), 1)}
    kept = sum([axis.k + axis.skip for axis in axes])
    size = STATE + ENTRY * min(kept, sum([count for _, count in groups]))
    each = work_of_entry(axes)
    for features, count in groups:
        rows = list(features.items())
        for _ in range(count):
            meter.check_work(each * len(law) * len(rows))
            made: dict[Any, tuple[Feature, int]] = {}
            for state, ways in law.values():
                meter.spend(each * len(rows))
                for feature, more in rows:
                    after = tuple([add_entry(a, s, e) for a, s, e in zip(axes, state, feature, strict=True)])
                    key = _kept_key(after)
                    held = made.get(key)
                    made[key] = (after, ways * more + (held[1] if held else 0))
                meter.check_memory(size * len(made))
            law = made
    done: dict[Any, tuple[Feature, int]] = {}
    for state, ways in law.values():
        values = tuple([final_value(axis, s) for axis, s in zip(axes, state, strict=True)])
        key = key_of_values(values)
        held = done.get(key)
        done[key] = (values, ways + (held[1] if held else 0))
    return dict(done.values())


def work_of_entry(axes: Sequence[Axis]) -> int:
    """The work of adding one die with one feature to what the axes keep of the dice so far."""
    return 1 + 2 * len(axes) + sum([axis.k + axis.skip for axis in axes]) // 8


def _kept_key(state: Feature) -> Any:
    return tuple([_key_of_kept(one) for one in state])


def _key_of_kept(kept: Any) -> Any:
    if type(kept) is tuple:
        return key_of_values(kept)
    return kept.key if type(kept) is _AtLows else key_of_values((kept,))


def start_state(axis: Axis) -> Any:
    return 0 if axis.kind == "sum" else ()


def add_entry(axis: Axis, state: Any, entry: Any) -> Any:
    if axis.kind == "sum":
        return state + entry
    if entry is None:
        return state
    if axis.kind == "top" and axis.k == 1 and not axis.skip and state and AtLeast in (type(entry), type(state[0])):
        open_one, other = (entry, state[0]) if type(entry) is AtLeast else (state[0], entry)
        return (open_one.extreme_of((open_one, other), True),)
    if type(state) is not _AtLows:
        try:
            return tuple(sorted((*state, entry), reverse=axis.kind != "low")[: axis.k + axis.skip])
        except Undecided:
            state = reduce(partial(_add_low_entry, axis), state, _AtLows((), AtLeast(0, Fraction(0))))
    return _add_low_entry(axis, state, entry)


class _AtLows(NamedTuple):
    """What an axis keeps of dice of which it is not known which rank first: each as low as it may be. `beyond` is by
    how much they may be higher together."""

    values: tuple[int, ...]
    beyond: AtLeast

    @property
    def key(self) -> Any:
        return (*self.values, self.beyond.key)


def _add_low_entry(axis: Axis, state: _AtLows, entry: Any) -> _AtLows:
    low, beyond = entry, state.beyond
    if type(entry) is AtLeast:
        low, beyond = entry.low, bound_at_lows(0, (beyond, entry))
    return _AtLows(tuple(sorted((*state.values, low), reverse=axis.kind != "low")[: axis.k + axis.skip]), beyond)


def final_value(axis: Axis, state: Any) -> Any:
    if axis.kind == "sum":
        return state
    if type(state) is _AtLows:
        value = final_value(axis, state.values)
        return None if value is None else bound_at_lows(value, (state.beyond,))
    if axis.kind == "kth":
        return state[axis.k - 1] if 1 <= axis.k <= len(state) else None
    return None if axis.one and not state else sum(state[axis.skip :])


def key_of_values(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values as a key: lower bounds as plain data."""
    if AtLeast not in map(type, values):
        return values
    return tuple([v.key if type(v) is AtLeast else v for v in values])
