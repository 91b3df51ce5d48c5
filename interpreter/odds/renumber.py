"""What a block, a pass or a call is worth, told apart from what it is worth another time: other rolls, other dice.

Steps inside are worked out once for all the times that they are done alike, so their rolls have the same names and
their dice the same keys each time. Whoever takes the value over gives both anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.odds.lazy_roll import LazyRoll, PlacedDie
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.state_keys import PLAIN, ThrowNames, frozen
from interpreter.values import Throw, Thrown

DICE = 10_000
"""How many keys the dice of one roll have: a key is the number of the roll, so many times, and the place in it."""


def named_apart(value: Any, label: Any) -> Any:
    """The value with its bags under names of their own: rolls of another pass or call are other rolls."""
    if type(value) is dict:
        if PLAIN.issuperset(map(type, value.values())):
            return value
        return {name: named_apart(one, label) for name, one in value.items()}
    if isinstance(value, LazyRoll):  # what lies on the table, paired with what does not, has no name
        return value if value.name is None else LazyRoll((label, value.name), value.groups)
    if isinstance(value, Paired):
        return replace(value, ours=named_apart(value.ours, label), theirs=named_apart(value.theirs, label))
    if type(value) is tuple and any(type(one) in (dict, tuple, LazyRoll, Paired) for one in value):
        return tuple([named_apart(one, label) for one in value])
    return value


@dataclass
class DieKeys:
    """Keys of dice. `serial` gives the numbers of rolls."""

    serial: Callable[[], int]
    _anew: dict[tuple[Any, int], int] = field(default_factory=dict)
    _made: set[tuple[Any, int]] = field(default_factory=set)

    def apart(self, value: Any, label: Any, at: Any) -> Any:
        """The value with keys of their own for dice that were not there already, in the frame in which it began."""
        if not any(True for _ in _rolls(value)):
            return value
        return self._put(value, label, frozenset(_rolls(at)))

    def _put(self, value: Any, label: Any, there: frozenset[int]) -> Any:
        kind = type(value)
        if kind in PLAIN:
            return value
        if kind is Thrown:
            return value._replace(key=self._key(value.key, label, there), throws=self._put(value.throws, label, there))
        if kind is Throw:
            return (
                value if type(value.names) is ThrowNames else value._replace(names=self._put(value.names, label, there))
            )
        if kind is dict:
            return {name: self._put(one, label, there) for name, one in value.items()}
        if kind is tuple:
            return tuple([self._put(one, label, there) for one in value])
        if kind is LazyRoll:
            return self._lying(value, label, there)
        if kind is Paired:
            return replace(
                value,
                ours=self._lying(value.ours, label, there),
                theirs=self._lying(value.theirs, label, there),
                record=lambda mine, other: self._put(value.record(mine, other), label, there),
            )
        return value

    def _lying(self, lazy: LazyRoll, label: Any, there: frozenset[int]) -> LazyRoll:
        """Dice that lie there, paired or laid together with some that are still open."""
        if not any(isinstance(unit, PlacedDie) and unit.thrown.key for unit, _ in lazy.groups):
            return lazy
        units = [
            self._put(unit.thrown, label, there) if isinstance(unit, PlacedDie) else unit for unit, _ in lazy.groups
        ]
        put = [PlacedDie(unit, frozen(unit)) if type(unit) is Thrown else unit for unit in units]
        return LazyRoll(lazy.name, tuple([(unit, count) for unit, (_, count) in zip(put, lazy.groups, strict=True)]))

    def _key(self, key: int, label: Any, there: frozenset[int]) -> int:
        roll, place = divmod(key, DICE)
        if roll == 0 or roll in there or (label, roll) in self._made:
            return key
        if (label, roll) not in self._anew:
            self._anew[label, roll] = self.serial()
            self._made.add((label, self._anew[label, roll]))
        return self._anew[label, roll] * DICE + place


def _rolls(value: Any) -> Iterator[int]:
    """The numbers of the rolls whose dice are in a value."""
    kind = type(value)
    if kind in PLAIN:
        return
    if kind is Thrown:
        yield value.key // DICE
        yield from _rolls(value.throws)
    elif kind is Throw:
        if type(value.names) is not ThrowNames:
            yield from _rolls(value.names)
    elif kind is dict:
        for one in value.values():
            yield from _rolls(one)
    elif kind is tuple:
        for one in value:
            yield from _rolls(one)
    elif kind is Paired:
        for one in (value.key, value.ours, value.theirs):
            yield from _rolls(one)
    elif kind is LazyRoll:
        for unit, _ in value.groups:
            if isinstance(unit, PlacedDie) and unit.thrown.key:
                yield from _rolls(unit.thrown)
