"""Dice that no rule can tell apart: two that show the same, and that the same lists hold.

A die keeps its key so that a rule can find it again in another list. Which of two dice has which key says nothing,
though. So the states of a run that differ only in the keys of their dice, or in the order of dice in a list, are
equal, and so are the selections of a choice that take one die or the other. `AlikeDice` gives the dice of a state keys
in an order of their own, so that equal states are one. It is for rules that do not read the order of dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from interpreter import ir
from interpreter.odds.chance_choices import MOST_ANSWERS
from interpreter.odds.lazy_roll import LazyRoll, PlacedDie, PlainDie
from interpreter.odds.operations import Unread
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.state_keys import PLAIN, ThrowNames, frozen
from interpreter.play.requests import Choice
from interpreter.runtime.kept_dice import dice_in
from interpreter.runtime.state import State
from interpreter.values import Roll, Thrown

WITHOUT_DICE = PLAIN | {State, list}
"""Types of values that hold no dice, where no state does: the counter of a frame is a list."""

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
    _shown: dict[Any, tuple[int | None, Thrown]] = field(default_factory=dict)

    def number(self, what: Any) -> int:
        """The number of a key."""
        return self._numbers.setdefault(what, len(self._numbers))

    def of_shown(self, die: Thrown) -> int | None:
        """The number of what a die shows; None where its throws may name other dice.

        Dice that came of one result share its throws, so most are found by these without a comparison.
        """
        value = die.value if type(die.value) is int else id(die.value)
        key = (id(die.throws), value, id(die.die), die.part, id(die.scoring))
        found = self._shown.get(key)
        if found is None:
            plain = all(type(one.names) is ThrowNames for one in tuple.__iter__(die.throws))
            # The die is kept with it, so that no other object takes the place of its parts.
            found = self._shown[key] = self.number(frozen(die.with_key(0))) if plain else None, die
        return found[0]


@dataclass
class DiceHeld:
    """The dice that values hold, by key: what each shows, and all places where it is held."""

    kinds: Kinds
    shown: dict[int, int] = field(default_factory=dict)
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
        places = self.places[key]
        return (self.shown[key], *(places if len(places) == 1 else sorted(places)))

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
            number = self.kinds.of_shown(die)
            if number is None:
                raise _Unknown
            if not die.key:
                continue
            if die.key in self.shown:
                self.places[die.key].append(held_at)
            else:
                self.shown[die.key], self.places[die.key] = number, [held_at]


@dataclass
class AlikeDice:
    """The dice of one question, in whose ruleset no rule tells apart those that show the same.

    `first` is the key of the first die of a state, and `kinds` numbers what dice show.
    """

    kinds: Kinds
    first: int
    _lists: dict[tuple[int, ...], Roll] = field(default_factory=dict)
    """The list of dice in their one order, by the numbers of what they show."""

    def held_by(self, *values: Any) -> DiceHeld:
        """The dice that values hold."""
        held = DiceHeld(self.kinds)
        for number, value in enumerate(values):
            held.add(value, number)
        return held

    def in_one_order(self, frame: Mapping[str, Any]) -> Mapping[str, Any]:
        """A frame whose dice have keys in an order that only alike dice share; itself where they keep their keys."""
        holding = [name for name, value in frame.items() if type(value) not in WITHOUT_DICE]
        if len(holding) == 1 and not self.kinds.lasting and _is_roll_of_different_dice(alone := frame[holding[0]]):
            return {**frame, holding[0]: self._in_one_order(alone)}
        held = self.held_by(frame)
        if not held.shown or not held.followed:
            return frame
        keys = {key: self.first + place for place, key in enumerate(sorted(held.shown, key=held.kind))}
        return {name: with_keys(value, keys) for name, value in frame.items()}

    def _in_one_order(self, roll: Roll) -> Roll:
        """The same for a list of dice that no other list holds."""
        numbers = [self.kinds.of_shown(die) for die in roll]
        if None in numbers or not all(die.key for die in roll):
            return roll
        of = tuple(sorted([number for number in numbers if number is not None]))
        if of not in self._lists:
            places = sorted(range(len(roll)), key=lambda place: (numbers[place], roll[place].key))
            self._lists[of] = tuple([roll[place].with_key(self.first + n) for n, place in enumerate(places)])
        return self._lists[of]


def _is_roll_of_different_dice(value: Any) -> bool:
    """Whether a value is a list of thrown dice that holds none of them twice."""
    if type(value) is not tuple or not value or type(value[0]) is not Thrown:
        return False
    return len({die.key for die in value}) == len(value)


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
    keyed = [unit.thrown for unit, _ in lazy.groups if type(unit) is PlacedDie and unit.thrown.key]
    others = [group for group in lazy.groups if not (type(group[0]) is PlacedDie and group[0].thrown.key)]
    placed = sorted([with_keys(one, keys) for one in keyed], key=_key)
    return LazyRoll(lazy.name, (*[(PlacedDie(one, frozen(one)), 1) for one in placed], *others))


def _key(die: Thrown) -> int:
    return die.key


@dataclass(frozen=True, slots=True)
class Selections:
    """The legal selections among dice that differ in more than alike dice: for each, how many of every kind it takes.

    `kinds` are the options by kind, in the order of what they show.
    """

    kinds: tuple[tuple[Thrown, ...], ...]
    answers: tuple[tuple[tuple[Thrown, ...], tuple[int, ...]], ...]


def selections_of(choice: Choice, held: DiceHeld) -> Selections | None:
    """The selections of `some` among thrown dice; the default stands for those like it.

    None for every other choice, where the dice are not followed, and where there are too many selections.
    """
    kinds = _by_kind(choice, held) if choice.kind == "some" else None
    if kinds is None or prod(len(dice) + 1 for dice in kinds) > MOST_ANSWERS:
        return None
    place = {die.key: number for number, die in enumerate(choice.options or ())}
    found = []
    for counts in sorted(product(*[range(len(dice) + 1) for dice in kinds]), key=sum):
        if choice.least <= sum(counts) <= choice.most:
            chosen = [die for dice, count in zip(kinds, counts, strict=True) for die in dice[:count]]
            answer = tuple(sorted(chosen, key=lambda die: place[die.key]))
            if choice.fits is None or choice.fits(answer):
                found.append((answer, counts))
    return Selections(tuple(kinds), tuple(found))


def read_of(selected: Selections, counts: tuple[int, ...], held: DiceHeld, unread: Unread) -> Any:
    """What is read of the dice that a selection takes, and of the others: how many of each kind, or of each die."""

    def of(many: Iterable[int], is_unread: bool) -> Any:
        pairs = [(dice, count) for dice, count in zip(selected.kinds, many, strict=True) if count]
        if not is_unread:
            return tuple([(held.shown[dice[0].key], count) for dice, count in pairs])
        of_die = Counter[Any]()
        for dice, count in pairs:
            of_die[dice[0].die, dice[0].part, frozen(dice[0].scoring)] += count
        return frozenset(of_die.items())

    left = [len(dice) - count for dice, count in zip(selected.kinds, counts, strict=True)]
    return of(counts, unread.chosen), of(left, unread.others)


def one_of_each_kind(choice: Choice, held: DiceHeld) -> list[Thrown] | None:
    """The answers to a choice of `one` thrown die, of alike ones the default or the first; None for other choices."""
    kinds = _by_kind(choice, held) if choice.kind == "one" else None
    return None if kinds is None else [dice[0] for dice in kinds]


def _by_kind(choice: Choice, held: DiceHeld) -> list[tuple[Thrown, ...]] | None:
    """The options by kind, those of the default first; None if they are no dice, or not all are followed."""
    options = choice.options or ()
    if not options or type(options[0]) is not Thrown or not held.followed:
        return None
    keys = {die.key for die in options}
    if len(keys) < len(options) or not keys <= held.shown.keys():
        return None
    default = choice.default if choice.has_default else None
    kinds: dict[Any, list[Thrown]] = {}
    for die in sorted(options, key=lambda die: not _is_in(die, default)):
        kinds.setdefault(held.kind(die.key), []).append(die)
    return [tuple(kinds[kind]) for kind in sorted(kinds)]


def _is_in(die: Thrown, default: Any) -> bool:
    return die == default or (type(default) is tuple and die in default)
