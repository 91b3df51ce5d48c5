"""Dice that no rule can tell apart: two that show the same, and that the same lists hold.

A die keeps its key so that a rule can find it again in another list. Which of two dice has which key says nothing,
though. So the states of a run that differ only in the keys of their dice, or in the order of dice in a list, are
equal, and so are the selections of a choice that take one die or the other. `AlikeDice` gives the dice of a state keys
in an order of their own, so that equal states are one. It is for rules that do not read the order of dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from math import comb, prod
from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.odds.chance_choices import MOST_ANSWERS
from interpreter.odds.laid_out import multisets
from interpreter.odds.lazy_roll import ALL_OF_A_DIE, MOST_WAYS, LazyRoll, PlacedDie, PlainDie
from interpreter.odds.lower.repeats import Passes
from interpreter.odds.operations import Unread
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.state_keys import PLAIN, ThrowNames, freeze
from interpreter.play.requests import Choice
from interpreter.runtime.kept_dice import dice_in
from interpreter.runtime.state import State
from interpreter.values import Roll, Throw, Thrown

WITHOUT_DICE = PLAIN | {State, list}
"""Types of values that hold no dice, where no state does: the counter of a frame is a list."""

_Fallen = tuple[list[int], list[Thrown], int]
"""A result of some dice: the numbers of what they show, the dice, and in how many ways it comes."""

Place = tuple[Any, ...]
"""Where a die stands in a state: names and places, from the outside in. The dice of one roll have the same place."""


def rules_treat_alike(identity: ir.DieIdentity) -> bool:
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
    _places: dict[Any, int] = field(default_factory=dict)

    def place(self, what: Any) -> int:
        """The place of what is read of a die, in numbers that tell how many dice there are of each."""
        return self._places.setdefault(what, len(self._places))

    def number(self, what: Any) -> int:
        """The number of a key."""
        return self._numbers.setdefault(what, len(self._numbers))

    def number_of_shown(self, die: Thrown) -> int | None:
        """The number of what a die shows; None where its throws may name other dice.

        Dice that came of one result share its throws, so most are found by these without a comparison.
        """
        value = die.value if type(die.value) is int else id(die.value)
        key = (id(die.throws), value, id(die.die), die.part, id(die.scoring))
        found = self._shown.get(key)
        if found is None:
            plain = all(type(one.names) is ThrowNames for one in tuple.__iter__(die.throws))
            # The die is kept with it, so that no other object takes the place of its parts.
            found = self._shown[key] = self.number(freeze(die.with_key(0))) if plain else None, die
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
        """Equal for dice that are alike: the same lists hold them, and they show the same in each."""
        places = self.places[key]
        return (self.shown[key], *(places if len(places) == 1 else sorted(places)))

    def _add(self, value: Any, place: Place) -> None:
        kind = type(value)
        if kind in PLAIN:
            return
        if kind is tuple:
            self._add_tuple(value, place)
        elif kind is dict:
            for name, one in value.items():
                if type(one) not in PLAIN:
                    self._add(one, (*place, name))
        elif kind is Thrown:
            self._add_dice((value,), place)
        elif kind is LazyRoll:
            if not all(type(unit) in (PlacedDie, PlainDie) for unit, _ in value.groups):
                raise _Unknown
            self._add_dice([unit.thrown for unit, _ in value.groups if type(unit) is PlacedDie], (*place, "placed"))
        elif kind is Paired or (kind is State and self.kinds.lasting and any(True for _ in dice_in(value))):
            raise _Unknown
        elif kind is Throw:
            if type(value.names) is not ThrowNames:
                raise _Unknown
        elif kind is Passes:
            self._add((value.passes, value.best, value.earlier, value.carried), place)
        elif isinstance(value, tuple):  # such as the progress of a roll
            self._add_tuple(tuple(value), place)

    def _add_tuple(self, value: tuple[Any, ...], place: Place) -> None:
        if value and type(value[0]) is Thrown:
            self._add_dice(value, place)
            return
        for number, one in enumerate(value):
            if type(one) not in PLAIN:
                self._add(one, (*place, number))

    def _add_dice(self, dice: Sequence[Thrown], place: Place) -> None:
        list_number = self.kinds.number(place)
        for die in dice:
            number = self.kinds.number_of_shown(die)
            if number is None:
                raise _Unknown
            if not die.key:
                continue
            held_at = self.kinds.number((list_number, number))  # a list may hold what the die showed before a reroll
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
    _in_order: set[int] = field(default_factory=set)
    """The identities of these lists."""
    _open: dict[Any, list[_Fallen] | None] = field(default_factory=dict)
    """The results of some open dice of one kind, by the unit and how many there are."""

    def dice_held_by(self, *values: Any) -> DiceHeld:
        """The dice that values hold."""
        held = DiceHeld(self.kinds)
        for number, value in enumerate(values):
            held.add(value, number)
        return held

    def order_dice(self, frame: Mapping[str, Any]) -> Mapping[str, Any]:
        """A frame whose dice have keys in an order that only alike dice share; itself where they keep their keys."""
        holding = [name for name, value in frame.items() if type(value) not in WITHOUT_DICE]
        if len(holding) == 1 and not self.kinds.lasting:
            alone = frame[holding[0]]
            if id(alone) in self._in_order:
                return frame
            if _is_roll_of_different_dice(alone):
                return {**frame, holding[0]: self._order_list(alone)}
        held = self.dice_held_by(frame)
        if not held.shown or not held.followed:
            return frame
        keys = {key: self.first + place for place, key in enumerate(sorted(held.shown, key=held.kind))}
        return {name: with_keys(value, keys) for name, value in frame.items()}

    def _order_list(self, roll: Roll) -> Roll:
        """The same for a list of dice that no other list holds."""
        numbers = [self.kinds.number_of_shown(die) for die in roll]
        if None in numbers or not all(die.key for die in roll):
            return roll
        return self._shared_list([number for number in numbers if number is not None], roll)

    def _shared_list(self, numbers: Sequence[int], dice: Sequence[Thrown]) -> Roll:
        """The one list of dice that show what these numbers say, each in turn."""
        of = tuple(sorted(numbers))
        found = self._lists.get(of)
        if found is None:
            places = sorted(range(len(dice)), key=numbers.__getitem__)
            found = self._lists[of] = tuple([dice[place].with_key(self.first + n) for n, place in enumerate(places)])
            self._in_order.add(id(found))
        return found

    def law_in_one_order(self, lazy: LazyRoll, depth: int) -> tuple[list[tuple[Roll, int]], int] | None:
        """The law of all dice of a roll that no other list holds, in their one order, and the total weight.

        None where dice are not followed, or where there are too many results for a list of them.
        """
        numbers, dice, total = list[int](), list[Thrown](), 1
        laws: list[list[_Fallen]] = []
        for unit, count in lazy.groups:
            if type(unit) is PlacedDie:
                number = self.kinds.number_of_shown(unit.thrown)
                if number is None:
                    return None
                numbers += [number] * count
                dice += [unit.thrown] * count
                continue
            if (unit, count) not in self._open:
                self._open[unit, count] = self._results_of_kind(unit, count, depth)
            fallen = self._open[unit, count]
            if fallen is None:
                return None
            laws.append(fallen)
            total *= sum([ways for _, ways in unit.elements(ALL_OF_A_DIE, depth)]) ** count
        if prod(map(len, laws)) > MOST_WAYS:
            return None
        made: list[tuple[list[int], list[Thrown], int]] = [(numbers, dice, 1)]
        for law in laws[:-1]:
            made = [([*n, *m], [*d, *e], v * w) for n, d, v in made for m, e, w in law]
        last: list[_Fallen] = laws[-1] if laws else [([], [], 1)]
        rows = [(self._shared_list([*n, *m], [*d, *e]), v * w) for n, d, v in made for m, e, w in last]
        return rows, total

    def _results_of_kind(self, unit: Any, count: int, depth: int) -> list[_Fallen] | None:
        """The results of some open dice of one kind."""
        elements = unit.elements(ALL_OF_A_DIE, depth)
        if comb(len(elements) + count - 1, count) > MOST_WAYS or not all(type(one) is Thrown for one, _ in elements):
            return None
        found = []
        for row, ways in multisets(elements, count):
            numbers = [self.kinds.number_of_shown(die) for die in row]
            if None in numbers:
                return None
            found.append(([number for number in numbers if number is not None], list(row), ways))
        return found


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
    return LazyRoll(lazy.name, (*[(PlacedDie(one, freeze(one)), 1) for one in placed], *others))


def _key(die: Thrown) -> int:
    return die.key


@dataclass(frozen=True, slots=True, eq=False)
class Selections(Sequence[tuple[Thrown, ...]]):
    """The legal selections among dice that differ in more than alike dice, from the smallest; each is made on demand.

    `kinds` are the options by kind, in the order of what they show; `counts` are, for each selection, how many dice of
    every kind it takes, and `places` those of the selections among all of them. `order` is the place of each option.
    """

    kinds: tuple[tuple[Thrown, ...], ...]
    counts: list[tuple[int, ...]]
    places: list[int]
    order: Mapping[int, int]

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, number: Any) -> Any:
        chosen = [die for dice, count in zip(self.kinds, self.counts[number], strict=True) for die in dice[:count]]
        return tuple(sorted(chosen, key=lambda die: self.order[die.key]))


def selections_of(choice: Choice, held: DiceHeld) -> Selections | None:
    """The selections of `some` among thrown dice; the default stands for those like it.

    None for every other choice, where the dice are not followed, and where there are too many selections.
    """
    kinds = _options_by_kind(choice, held) if choice.kind == "some" else None
    if kinds is None or prod(len(dice) + 1 for dice in kinds) > MOST_ANSWERS:
        return None
    counts = list(product(*[range(len(dice), -1, -1) for dice in kinds]))  # of one size, those of the first dice first
    sizes = list(map(sum, counts))
    places = [n for n in sorted(range(len(counts)), key=sizes.__getitem__) if choice.least <= sizes[n] <= choice.most]
    order = {die.key: number for number, die in enumerate(choice.options or ())}
    found = Selections(tuple(kinds), [counts[place] for place in places], places, order)
    if choice.fits is None:
        return found
    fitting = [number for number, answer in enumerate(found) if choice.fits(answer)]
    return replace(found, counts=[found.counts[n] for n in fitting], places=[found.places[n] for n in fitting])


def kind_counts_of(selected: Selections, held: DiceHeld, unread: Unread) -> list[tuple[int, int]]:
    """What is read of the dice that each selection takes, and of the others, as numbers: how many there are of each
    kind or, where the faces are unread, of each die."""

    def weights(is_unread: bool) -> list[int]:
        first = [dice[0] for dice in selected.kinds]
        what = [(die.die, die.part, freeze(die.scoring)) if is_unread else held.shown[die.key] for die in first]
        return [1 << (_COUNT_BITS * held.kinds.place(one)) for one in what]

    kept = _pair_with_weights(selected, weights(unread.chosen))
    chosen = [[n * weight for n in range(len(dice), -1, -1)] for dice, weight in kept]
    left = [
        [n * weight for n in range(len(dice) + 1)]
        for dice, weight in _pair_with_weights(selected, weights(unread.others))
    ]
    read = list(zip(map(sum, product(*chosen)), map(sum, product(*left)), strict=True))  # in the order of the counts
    return [read[place] for place in selected.places]


def _pair_with_weights(selected: Selections, weights: list[int]) -> Iterable[tuple[tuple[Thrown, ...], int]]:
    return zip(selected.kinds, weights, strict=True)


_COUNT_BITS = 16
"""More than the number of dice of a roll needs."""


def one_of_each_kind(choice: Choice, held: DiceHeld) -> list[Thrown] | None:
    """The answers to a choice of `one` thrown die, of alike ones the default or the first; None for other choices."""
    kinds = _options_by_kind(choice, held) if choice.kind == "one" else None
    return None if kinds is None else [dice[0] for dice in kinds]


def _options_by_kind(choice: Choice, held: DiceHeld) -> list[tuple[Thrown, ...]] | None:
    """The options by kind, those of the default first; None if they are no dice, or not all are followed."""
    options = choice.options or ()
    if not options or type(options[0]) is not Thrown or not held.followed:
        return None
    keys = {die.key for die in options}
    if len(keys) < len(options) or not keys <= held.shown.keys():
        return None
    default = choice.default if choice.has_default else None
    kinds: dict[Any, list[Thrown]] = {}
    for die in sorted(options, key=lambda die: not _is_among_default(die, default)):
        kinds.setdefault(held.kind(die.key), []).append(die)
    firsts = {held.kind(die.key): place for place, die in reversed(tuple(enumerate(options)))}
    return [tuple(kinds[kind]) for kind in sorted(kinds, key=firsts.__getitem__)]


def _is_among_default(die: Thrown, default: Any) -> bool:
    return die == default or (type(default) is tuple and die in default)
