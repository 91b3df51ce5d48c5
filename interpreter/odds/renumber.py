"""New names for rolls, and new keys for dice, in the result of a block.

The law of a block is computed once for all runs of it from equal frames, so rolls have the same names and dice the same
keys each time. The step around the block gives them new ones, so that results of several runs are not confused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter import ir
from interpreter.odds.lazy_roll import LazyRoll, PlacedDie
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.state_keys import PLAIN, ThrowNames, freeze
from interpreter.runtime.kept_dice import dice_in, replace_dice
from interpreter.runtime.state import STATE, State
from interpreter.values import Throw, Thrown

DICE = 10_000
"""The number of keys for the dice of one roll: a key is the number of the roll times this, plus the place in it."""


def rename_rolls(value: Any, label: Any) -> Any:
    """The value with `label` added to the names of its lazy rolls: rolls of another pass or call are other rolls."""
    if type(value) is dict:
        if PLAIN.issuperset(map(type, value.values())):
            return value
        return {name: rename_rolls(one, label) for name, one in value.items()}
    if isinstance(value, LazyRoll):  # thrown dice that are paired with an open roll have no name
        return value if value.name is None else LazyRoll((label, value.name), value.groups)
    if isinstance(value, Paired):
        return replace(value, ours=rename_rolls(value.ours, label), theirs=rename_rolls(value.theirs, label))
    if type(value) is tuple and any(type(one) in (dict, tuple, LazyRoll, Paired) for one in value):
        return tuple([rename_rolls(one, label) for one in value])
    return value


@dataclass
class DieKeys:
    """Makes keys of dice. `serial` gives the numbers of rolls; with `lasting`, a state may hold dice, too."""

    serial: Callable[[], int]
    lasting: bool = False
    _new: dict[tuple[Any, int], int] = field(default_factory=dict)
    _new_keys: set[tuple[Any, int]] = field(default_factory=set)

    def renumber(self, value: Any, label: Any, at: Any) -> Any:
        """The value with new keys for dice that are not in the frame `at`, from which the block began."""
        numbers = self._roll_numbers_in(value)
        if not numbers:
            return value
        existing = self._roll_numbers_in(at)
        return value if numbers <= existing else self._with_new_keys(value, label, frozenset(existing))

    def _roll_numbers_in(self, value: Any) -> set[int]:
        """The numbers of the rolls whose dice are in a value, or in the state that is one of its fields."""
        found: set[int] = set()
        _add_roll_numbers(value, found)
        if self.lasting and type(value) is dict and STATE in value:
            found.update([die.key // DICE for die in dice_in(value[STATE])])
        return found

    def _with_new_keys(self, value: Any, label: Any, existing: frozenset[int]) -> Any:
        kind = type(value)
        if kind in PLAIN:
            return value
        if kind is Thrown:
            key = self._key(value.key, label, existing)
            if _are_plain(value.throws):
                return value if key == value.key else value.with_key(key)
            return value._replace(key=key, throws=self._with_new_keys(value.throws, label, existing))
        if kind is Throw:
            return (
                value
                if type(value.names) is ThrowNames
                else value._replace(names=self._with_new_keys(value.names, label, existing))
            )
        if kind is dict:
            if PLAIN.issuperset(map(type, value.values())):
                return value
            return {name: self._with_new_keys(one, label, existing) for name, one in value.items()}
        if kind is tuple:
            if PLAIN.issuperset(map(type, value)):
                return value
            return tuple([self._with_new_keys(one, label, existing) for one in value])
        if kind is LazyRoll:
            return self._with_keys(value, label, existing)
        if kind is State and self.lasting:
            return replace_dice(value, lambda die: die.with_key(self._key(die.key, label, existing)))
        if kind is Paired:
            return replace(
                value,
                ours=self._with_keys(value.ours, label, existing),
                theirs=self._with_keys(value.theirs, label, existing),
                record=lambda mine, other: self._with_new_keys(value.record(mine, other), label, existing),
            )
        return value

    def _with_keys(self, lazy: LazyRoll, label: Any, existing: frozenset[int]) -> LazyRoll:
        """A lazy roll with new keys for dice that are thrown already."""
        if not any(isinstance(unit, PlacedDie) and unit.thrown.key for unit, _ in lazy.groups):
            return lazy
        units = [
            self._with_new_keys(unit.thrown, label, existing) if isinstance(unit, PlacedDie) else unit
            for unit, _ in lazy.groups
        ]
        put = [PlacedDie(unit, freeze(unit)) if type(unit) is Thrown else unit for unit in units]
        return LazyRoll(lazy.name, tuple([(unit, count) for unit, (_, count) in zip(put, lazy.groups, strict=True)]))

    def _key(self, key: int, label: Any, existing: frozenset[int]) -> int:
        roll, place = divmod(key, DICE)
        if roll <= 0 or roll in existing or (label, roll) in self._new_keys:
            return key
        if (label, roll) not in self._new:
            self._new[label, roll] = self.serial()
            self._new_keys.add((label, self._new[label, roll]))
        return self._new[label, roll] * DICE + place


def order_of_dice_matters(identity: ir.DieIdentity, at: Mapping[str, Any]) -> bool:
    """Whether the frame with which a question begins holds thrown dice whose order matters to its rules."""
    return identity.limited and any(map(holds_dice, at.values()))


def holds_dice(value: Any) -> bool:
    """Whether a value, or the state, holds thrown dice."""
    if type(value) is State:
        return any(True for _ in dice_in(value))
    found: set[int] = set()
    _add_roll_numbers(value, found)
    return bool(found)


def _are_plain(throws: Any) -> bool:
    """Whether throws name no dice: whether all that they name are plain values."""
    if type(throws) is not tuple:
        return False
    for one in throws:  # noqa: SIM110 - `all` takes four times as long for the few throws of a die
        if type(one) is not Throw or type(one.names) is not ThrowNames:
            return False
    return True


def _add_roll_numbers(value: Any, found: set[int]) -> None:
    """Add the numbers of the rolls whose dice are in a value."""
    kind = type(value)
    if kind in PLAIN:
        return
    if kind is Thrown:
        found.add(value.key // DICE)
        if not _are_plain(value.throws):
            _add_roll_numbers(value.throws, found)
    elif kind is Throw:
        if type(value.names) is not ThrowNames:
            _add_roll_numbers(value.names, found)
    elif kind is dict:
        for one in value.values():
            if type(one) not in PLAIN:
                _add_roll_numbers(one, found)
    elif kind is tuple:
        for one in value:
            if type(one) not in PLAIN:
                _add_roll_numbers(one, found)
    elif kind is Paired:
        for one in (value.key, value.ours, value.theirs):
            _add_roll_numbers(one, found)
    elif kind is LazyRoll:
        for unit, _ in value.groups:
            if isinstance(unit, PlacedDie) and unit.thrown.key:
                _add_roll_numbers(unit.thrown, found)
