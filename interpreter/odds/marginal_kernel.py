"""The joint law of readings of a lazy roll."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain, repeat
from math import lcm
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from interpreter import ir
from interpreter.ir.traversal import inner_expressions
from interpreter.odds.brute_force import distinct_faces
from interpreter.odds.fold import HIGHEST, LOWEST, SUM, Axis, Features, Law
from interpreter.odds.grouped_kernel import GroupedFeature, joint_law_of_groups
from interpreter.odds.kernels import joint_law
from interpreter.odds.lazy_roll import Chain, Elements, LazyRoll, Needs, PlainDie, TruncatedThrows
from interpreter.odds.liveness import Reading
from interpreter.odds.meter import Meter
from interpreter.odds.state_keys import PLAIN, freeze
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.functions import element_number
from interpreter.runtime.operations import field_of
from interpreter.values import Die, face_number

Frame = dict[str, Any]
Drawn = tuple[list[tuple[tuple[Any, ...], int]], int]


class PreparedReading(NamedTuple):
    """A reading for the kernels: its `axis`, the `entry` of an element, and the `result` from the value of the axis.

    The axis depends on the frame and on how many dice there are.

    `takes` is the condition on elements; the entry also depends on whether the element is taken. `is_test` marks a
    sum of which the result only tells whether it is 0; `bare` means that the entry of every die is its value.
    With `height`, the elements are groups of dice whose entries for `height` are equal.
    """

    name: str
    takes: Callable[[Frame, Any], bool]
    entry: Callable[[Frame, Any, bool], Any]
    axis: Callable[[Frame, int], Axis]
    result: Callable[[Any], Any]
    needs: Needs
    free: tuple[str, ...]
    is_test: bool = False
    bare: bool = False
    height: PreparedReading | None = None


def prepare_reading(
    reading: Reading, name: str, of: Callable[[ir.Expr], Closure], free: Iterable[str]
) -> PreparedReading:
    """The reading, prepared for any frame. `of` compiles expressions."""
    slot = ".it" if reading.listed else ".die"
    kind = reading.kind
    everything = _filter(reading.everything, slot, of) if reading.everything is not None else None
    height = prepare_reading(reading.height, f"{name}^", of, ()) if reading.height is not None else None
    all_dice = not (reading.where or reading.part or reading.value or reading.listed)
    return PreparedReading(
        name,
        _filter(reading, slot, of),
        _entry_function(reading, everything, [of(one) for one in reading.each]),
        _axis_function(reading, of),
        _TESTS.get(kind, _identity),
        needs_of_reading(reading),
        tuple(sorted(free)),
        kind in _TESTS,
        all_dice and kind not in ("count", "any", "all"),
        height,
    )


def _entry_function(
    reading: Reading, everything: Callable[[Frame, Any], bool] | None, each: Sequence[Closure]
) -> Callable[[Frame, Any, bool], Any]:
    """A function from a frame, an element, and whether it is taken, to the entry of a reading.

    `each` are the conditions on the throws of a die that are counted.
    """
    kind, value = reading.kind, _value_function(reading)
    if each:

        def count_throws(at: Frame, one: Any, taken: bool) -> Any:
            if not taken:
                return 0
            many = sum(_holds(each, at, throw) for throw in tuple.__iter__(one.throws))
            return AtLeast(many) if isinstance(one.throws, TruncatedThrows) else many

        return count_throws
    if kind == "sum":

        def add_value(at: Frame, one: Any, taken: bool) -> Any:
            found = value(one) if taken else None
            return 0 if found is None else element_number(found)

        return add_value
    if kind == "count":

        def count_die(at: Frame, one: Any, taken: bool) -> Any:
            if reading.value == ("throws",):
                if taken and isinstance(one.throws, TruncatedThrows):
                    return one.throws.many
                return len(one.throws) if taken else 0
            if reading.value and taken and value(one) is None:
                return 0
            return 1 if taken else 0

        return count_die
    if kind == "any":

        def holds(at: Frame, one: Any, taken: bool) -> Any:
            read = value(one) if taken and reading.value else taken
            return 0 if read is False or read is None else 1  # a number of 0 is there, and equal to False

        return holds
    if kind == "all":

        def count_failure(at: Frame, one: Any, taken: bool) -> Any:
            if everything is not None:
                return (1 if everything(at, one) else 0) - (1 if taken else 0)
            return 1 if taken and reading.value and value(one) is False else 0

        return count_failure
    return lambda at, one, taken: value(one) if taken else None


def _holds(conditions: Sequence[Closure], at: Frame, throw: Any) -> bool:
    at[".it"] = throw
    return all(condition(at) for condition in conditions)


def _axis_function(reading: Reading, of: Callable[[ir.Expr], Closure]) -> Callable[[Frame, int], Axis]:
    """A function from a frame and the number of dice to the axis of a reading."""
    kind = reading.kind
    if kind in _AXES:
        axis = _AXES[kind]
        return lambda at, dice: axis
    if reading.rest:
        return _axis_function_of_rest(reading, of)
    if reading.k is None:
        only = Axis(kind, 1)
        return lambda at, dice: only
    k = of(reading.k)

    def axis_of_rank(at: Frame, dice: int) -> Axis:
        rank = max(k(at), 0)
        return HIGHEST if kind == "kth" and rank == 1 else Axis(kind, rank)

    return axis_of_rank


def _axis_function_of_rest(reading: Reading, of: Callable[[ir.Expr], Closure]) -> Callable[[Frame, int], Axis]:
    """The same for a reading of what is left without some of the highest or lowest dice."""
    highest, lowest = ([of(one) for one in some] for some in (reading.without_highest, reading.without_lowest))
    number = of(reading.k) if reading.k is not None else None
    kind, rest = reading.kind, reading.rest

    def axis(at: Frame, dice: int) -> Axis:
        above = min(sum([max(one(at), 0) for one in highest]), dice)
        below = sum([max(one(at), 0) for one in lowest])
        left = max(dice - above - below, 0)
        k = left if rest in ("all", "lowest") else 1 if number is None else max(number(at), 0)
        if kind == "kth":
            return Axis(kind, above + k if 1 <= k <= left else 0)
        if rest == "all" and not below:  # as a sum of the lowest it needs to keep fewer dice
            return Axis("low", left)
        return Axis(kind, min(k, left), skip=above if kind == "top" else min(below, dice))

    return axis


_AXES = {"sum": SUM, "count": SUM, "any": SUM, "all": SUM, "highest": HIGHEST, "lowest": LOWEST}


def _is_positive(total: Any) -> Any:
    return total > 0


def _is_zero(total: Any) -> Any:
    return total == 0


def _identity(found: Any) -> Any:
    return found


_TESTS = {"any": _is_positive, "all": _is_zero}


def _filter(reading: Reading, slot: str, of: Callable[[ir.Expr], Closure]) -> Callable[[Frame, Any], bool]:
    conditions, part = [of(one) for one in reading.where], reading.part
    if part is None and not conditions:
        return _take_all
    if part is None and len(conditions) == 1:
        (condition,) = conditions

        def holds(at: Frame, one: Any) -> bool:
            at[slot] = one
            return bool(condition(at))

        return holds

    def takes(at: Frame, one: Any) -> bool:
        if part is not None and one.part != part:
            return False
        at[slot] = one
        return all(condition(at) for condition in conditions)

    return takes


def _take_all(at: Frame, one: Any) -> bool:
    return True


def _value_function(reading: Reading) -> Callable[[Any], Any]:
    fields = reading.value
    if not fields:
        return _identity if reading.listed else element_number
    if len(fields) == 1:
        name = fields[0]
        return lambda one: field_of(one, name)

    def value(one: Any) -> Any:
        for name in fields:
            one = field_of(one, name)
        return one

    return value


@lru_cache(10_000)
def needs_of_reading(reading: Reading) -> Needs:
    """What a reading reads of a die."""
    needs = _needs_of_value(reading).union(*map(needs_of, reading.where))
    return needs.union(*map(needs_of_reading, filter(None, (reading.everything, reading.height))))


def needs_of(condition: ir.Expr) -> Needs:
    """What a condition reads of a die."""
    if isinstance(condition, ir.DieField):
        return _needs_of_word(condition.name)
    return _NONE.union(*map(needs_of, inner_expressions(condition)))


_NONE: Needs = frozenset()


def _needs_of_word(name: str) -> Needs:
    plain = {"face": "face", "value": "value"}
    if name in plain:
        return frozenset((plain[name],))
    return frozenset() if name in ("size", "part", "tags") else frozenset(("last", "all"))


def _needs_of_value(reading: Reading) -> Needs:
    if reading.value == ("throws",):
        return frozenset(("many",)) if not reading.each else frozenset(("all", "last"))
    if reading.value:
        return _needs_of_word(reading.value[0])
    return frozenset() if reading.kind in ("count", "any", "all") else frozenset(("value",))


def read_roll(lazy: LazyRoll, readers: Sequence[PreparedReading], at: Frame, depth: int, meter: Meter) -> Drawn | None:
    """The joint law of readings of a lazy roll, and the total weight; undecided weight is missing from the law.

    None if groups of dice are read that are not known.
    """
    at = dict(at)
    if any(one.height is not None for one in readers):
        return _read_groups(lazy, readers, at, depth, meter)
    needs = _NONE.union(*[one.needs for one in readers])
    axes = [one.axis(at, len(lazy)) for one in readers]
    bare = all(map(_BARE, readers))
    groups: list[tuple[Features, int]] = []
    total = 1
    depths = _depths(lazy, depth) if any(axis.kind != "sum" for axis in axes) else repeat(depth)
    for (unit, count), depth in zip(lazy.groups, depths, strict=False):
        if bare and type(unit) is PlainDie:  # nothing is read but the value of the die
            groups.append((_face_values(unit.die, len(readers)), count))
            total *= unit.die.size**count
            continue
        elements = unit.elements(needs, depth)
        groups.append((_features(readers, at, elements), count))
        total *= sum(map(_SECOND, elements)) ** count
    law, kept = joint_law(groups, axes, meter)
    assert kept <= total
    return _law_of_results(law, readers), total


def _depths(lazy: LazyRoll, depth: int) -> Iterable[int]:
    """To how many throws each unit is followed where ranks are read: dice of different kinds come equally far, if they
    can, so that a tail of one of them is higher than all that is known of the others."""
    steps = [unit.counts_where_it_goes_on if type(unit) is Chain else None for unit, _ in lazy.groups]
    found = {step for step in steps if step is not None}
    if len(found) < 2:
        return repeat(depth)
    least, common = depth * max(found), lcm(*found)
    far = -(-least // common) * common
    return repeat(depth) if far > 2 * least else [depth if step is None else far // step for step in steps]


def _law_of_results(law: Law, readers: Sequence[PreparedReading]) -> list[tuple[tuple[Any, ...], int]]:
    """The law of the axes as the law of what the readings give."""
    if not any(one.is_test for one in readers):
        return list(law.items())
    rows: dict[Any, tuple[tuple[Any, ...], int]] = {}
    for values, ways in law.items():
        try:
            row = tuple([one.result(value) for one, value in zip(readers, values, strict=True)])
        except Undecided:
            continue
        key = freeze(row)
        held = rows.get(key)
        rows[key] = (row, ways + (held[1] if held else 0))
    return list(rows.values())


def _read_groups(
    lazy: LazyRoll, readers: Sequence[PreparedReading], at: Frame, depth: int, meter: Meter
) -> Drawn | None:
    """The joint law of readings of which some read groups of equal dice; None if part of it is not known."""
    needs = _NONE.union(*[one.needs for one in readers])
    groups: list[tuple[list[GroupedFeature], int]] = []
    total = 1
    try:
        for unit, count in lazy.groups:
            elements = unit.elements(needs, depth)
            rows: dict[tuple[Any, ...], int] = {}
            for one, ways in elements:
                entries = tuple([_entry_of(reading.height or reading, at, one) for reading in readers])
                rows[entries] = rows.get(entries, 0) + ways
            groups.append((list(rows.items()), count))
            total *= sum(map(_SECOND, elements)) ** count
        steps = [None if one.height is None else partial(_entry_of_group, one, at) for one in readers]
        law = joint_law_of_groups(groups, [one.axis(at, len(lazy)) for one in readers], steps, meter)
    except Undecided:
        return None
    return None if law is None else (_law_of_results(law, readers), total)


def _entry_of(reading: PreparedReading, at: Frame, one: Any) -> Any:
    return reading.entry(at, one, reading.takes(at, one))


def _entry_of_group(reading: PreparedReading, at: Frame, height: int, width: int) -> Any:
    return _entry_of(reading, at, {"height": height, "width": width})


_VALUE, _BARE = attrgetter("value"), attrgetter("bare")
_FIRST, _SECOND = itemgetter(0), itemgetter(1)


def _face_values(die: Die, readers: int) -> Features:
    """The features of a die that is thrown once, for `readers` readers of its value."""
    if die.faces is None:
        return dict.fromkeys(zip(*[range(1, die.size + 1)] * readers, strict=True), 1)
    values: dict[Any, int] = {}
    for face, times in distinct_faces(die):
        feature = (face_number(face),) * readers
        values[feature] = values.get(feature, 0) + times
    return values


def _features(readers: Sequence[PreparedReading], at: Frame, elements: Elements) -> Features:
    """The features of one die with their weights; undecided ones are missing."""
    dice, times = zip(*elements, strict=True) if elements else ((), ())
    try:
        columns = [
            map(_VALUE, dice) if reader.bare else [reader.entry(at, one, reader.takes(at, one)) for one in dice]
            for reader in readers
        ]
        rows = list(zip(zip(*columns, strict=True), times, strict=True))
        if PLAIN.issuperset(map(type, chain.from_iterable(map(_FIRST, rows)))):
            made = dict(rows)
            if len(made) == len(rows):
                return made
    except Undecided:
        rows = []
        for one, ways in elements:
            with suppress(Undecided):
                rows.append((tuple([reader.entry(at, one, reader.takes(at, one)) for reader in readers]), ways))
    features: dict[Any, tuple[tuple[Any, ...], int]] = {}
    for row, ways in rows:
        key = row if PLAIN.issuperset(map(type, row)) else freeze(row)
        held = features.get(key)
        features[key] = (row, ways + held[1] if held else ways)
    return dict(features.values())
