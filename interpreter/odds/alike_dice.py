"""Dice that no rule can tell apart: two that show the same, and that the same lists hold.

A die keeps its key so that a rule can find it again in another list. Which of two dice has which key says nothing,
though. So the states of a run that differ only in the keys of their dice, or in the order of dice in a list, are
equal, and so are the selections of a choice that take one die or the other. `Alike` holds the equal ones together by
giving the dice of a state keys in an order of their own. It is for rulesets in which no rule reads the order of dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

from interpreter import ir
from interpreter.odds.chance_choices import MOST_ANSWERS
from interpreter.odds.lazy_roll import LazyRoll, PlacedDie, PlainDie
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.state_keys import PLAIN, ThrowNames, frozen
from interpreter.play.requests import Choice
from interpreter.runtime.kept_dice import dice_in
from interpreter.runtime.state import State
from interpreter.values import Thrown

Place = tuple[Any, ...]
"""Where a die stands in a state: names and places, from the outside in. The dice of one roll have the same place."""


def told_apart_by_nothing(identity: ir.DieIdentity) -> bool:
    """Whether dice that show the same, and that the same lists hold, are alike for every rule of a ruleset."""
    return identity.order == "none" and not (identity.limited or identity.ranked)


class _Unknown(Exception):
    """A value holds dice in a way that is not followed."""


@dataclass
class Kinds:
    """Numbers for what dice show and for the lists that hold them, the same in all states of a question.

    With `lasting`, a state may hold dice.
    """

    lasting: bool
    _numbers: dict[Any, int] = field(default_factory=dict)

    def number(self, what: Any) -> int:
        """The number of a key."""
        return self._numbers.setdefault(what, len(self._numbers))


@dataclass
class DiceHeld:
    """The dice that values hold, by key: what each shows, and all places where it is held."""

    kinds: Kinds
    shown: dict[int, Thrown] = field(default_factory=dict)
    places: dict[int, list[int]] = field(default_factory=dict)
    followed: bool = True
    """Whether all dice were found: some values hold dice in a way that is not followed."""

    def add(self, value: Any, *place: Any) -> None:
        """Add the dice of a value that is held at a place."""
        try:
            self._add(value, place)
        except _Unknown:
            self.followed = False

    def kind(self, key: int) -> tuple[int, ...]:
        """Equal for dice that are alike."""
        return (self.kinds.number(frozen(self.shown[key])), *sorted(self.places[key]))

    def _add(self, value: Any, place: Place) -> None:
        kind = type(value)
        if kind in PLAIN:
            return
        if kind is tuple:
            self._tuple(value, place)
        elif kind is dict:
            for name, one in value.items():
                if type(one) not in PLAIN:
                    self._add(one, (*place, name))
        elif kind is Thrown:
            self._dice((value,), place)
        elif kind is LazyRoll:
            if not all(type(unit) in (PlacedDie, PlainDie) for unit, _ in value.groups):
                raise _Unknown
            self._dice([unit.thrown for unit, _ in value.groups if type(unit) is PlacedDie], (*place, "placed"))
        elif kind is Paired or (kind is State and self.kinds.lasting and any(True for _ in dice_in(value))):
            raise _Unknown

    def _tuple(self, value: tuple[Any, ...], place: Place) -> None:
        if value and type(value[0]) is Thrown:
            self._dice(value, place)
            return
        for number, one in enumerate(value):
            if type(one) not in PLAIN:
                self._add(one, (*place, number))

    def _dice(self, dice: Sequence[Thrown], place: Place) -> None:
        held_at = self.kinds.number(place)
        for die in dice:
            if any(type(one.names) is not ThrowNames for one in tuple.__iter__(die.throws)):
                raise _Unknown  # they may hold dice
            if die.key:
                self.shown.setdefault(die.key, die.with_key(0))
                self.places.setdefault(die.key, []).append(held_at)


@dataclass
class AlikeDice:
    """The dice of one question, in whose ruleset no rule tells apart those that show the same.

    `first` is the key of the first die of a state, and `kinds` numbers what dice show.
    """

    kinds: Kinds
    first: int

    def held_by(self, *values: Any) -> DiceHeld:
        """The dice that values hold."""
        held = DiceHeld(self.kinds)
        for number, value in enumerate(values):
            held.add(value, number)
        return held

    def in_one_order(self, frame: Mapping[str, Any]) -> Mapping[str, Any]:
        """A frame whose dice have keys in an order that only alike dice share; itself where they keep their keys."""
        held = self.held_by(frame)
        if not held.shown or not held.followed:
            return frame
        keys = {key: self.first + place for place, key in enumerate(sorted(held.shown, key=held.kind))}
        return {name: with_keys(value, keys) for name, value in frame.items()}


def with_keys(value: Any, keys: Mapping[int, int]) -> Any:
    """A value with new keys of its dice; the dice of each list are in the order of their keys."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is Thrown:
        return value.with_key(keys[value.key]) if value.key else value
    if kind is tuple:
        if value and all(type(one) is Thrown for one in value):
            return tuple(sorted([with_keys(one, keys) for one in value], key=_key))
        return value if PLAIN.issuperset(map(type, value)) else tuple([with_keys(one, keys) for one in value])
    if kind is dict:
        if PLAIN.issuperset(map(type, value.values())):
            return value
        return {name: with_keys(one, keys) for name, one in value.items()}
    if kind is LazyRoll:
        return _roll_with_keys(value, keys)
    return value


def _roll_with_keys(lazy: LazyRoll, keys: Mapping[int, int]) -> LazyRoll:
    if not any(type(unit) is PlacedDie and unit.thrown.key for unit, _ in lazy.groups):
        return lazy
    placed = [with_keys(unit.thrown, keys) for unit, _ in lazy.groups if type(unit) is PlacedDie]
    open_dice = [group for group in lazy.groups if type(group[0]) is not PlacedDie]
    placed.sort(key=_key)
    return replace(lazy, groups=(*[(PlacedDie(one, frozen(one)), 1) for one in placed], *open_dice))


def _key(die: Thrown) -> int:
    return die.key


def different(choice: Choice, held: DiceHeld) -> list[Any] | None:
    """The legal answers of a choice among thrown dice, those that differ only in alike dice being one.

    The default stands for those like it. None for every other choice, where the dice are not followed, and where there
    are too many answers.
    """
    options = choice.options or ()
    if choice.kind not in ("some", "one") or not options or type(options[0]) is not Thrown or not held.followed:
        return None
    keys = {die.key for die in options}
    if len(keys) < len(options) or not keys <= held.shown.keys():
        return None
    default = choice.default if choice.has_default else None
    kinds: dict[Any, list[Thrown]] = {}
    for die in sorted(options, key=lambda die: not _is_in(die, default)):  # those of the default are taken first
        kinds.setdefault(held.kind(die.key), []).append(die)
    if choice.kind == "one":
        return [dice[0] for dice in kinds.values()]
    if prod(len(dice) + 1 for dice in kinds.values()) > MOST_ANSWERS:
        return None
    found = _selections(choice, list(kinds.values()))
    return [chosen for chosen in found if choice.fits is None or choice.fits(chosen)]


def _selections(choice: Choice, kinds: Sequence[list[Thrown]]) -> Iterator[tuple[Thrown, ...]]:
    """The selections of `some`, the smallest first; the dice of each are in the order of the options."""
    place = {die.key: number for number, die in enumerate(choice.options or ())}
    for counts in sorted(product(*[range(len(dice) + 1) for dice in kinds]), key=sum):
        if choice.least <= sum(counts) <= choice.most:
            chosen = [die for dice, count in zip(kinds, counts, strict=True) for die in dice[:count]]
            yield tuple(sorted(chosen, key=lambda die: place[die.key]))


def _is_in(die: Thrown, default: Any) -> bool:
    return die == default or (type(default) is tuple and die in default)
