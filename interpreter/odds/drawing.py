"""Drawing a bag: the law of what is read of it, or of all the ways that its dice can lie."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

from interpreter import ir
from interpreter.closures import Closure, field_of
from interpreter.functions import worth
from interpreter.odds.bags import Bag, Elements, Needs
from interpreter.odds.kernels import HIGHEST, LOWEST, SUM, Axis, Features, joint
from interpreter.odds.keys import PLAIN, frozen
from interpreter.odds.reads import Reading
from interpreter.odds.tails import Undecided
from interpreter.parts import inner

Frame = dict[str, Any]
Drawn = tuple[list[tuple[tuple[Any, ...], int]], int]


@dataclass(frozen=True, slots=True)
class Reader:
    """A reading made ready: which elements it takes, what of each, and what it is worth in the end.

    `axis` and `entry` are for the kernels: the entry of an element that is taken, or of one that is not. `tests` says
    that it is a sum of which only is told whether it is 0, `bare` that the entry of any die is what it is worth.
    """

    name: str
    takes: Callable[[Frame, Any], bool]
    entry: Callable[[Frame, Any, bool], Any]
    axis: Callable[[Frame], Axis]
    worth: Callable[[Any], Any]
    needs: Needs
    free: tuple[str, ...]
    tests: bool = False
    bare: bool = False


def reader(reading: Reading, name: str, of: Callable[[ir.Expr], Closure], free: Iterable[str]) -> Reader:
    """The reading, ready to be used in any frame. `of` makes closures."""
    slot = ".it" if reading.listed else ".die"
    takes = _taker(reading, slot, of)
    value = _valuer(reading)
    kind = reading.kind
    k = of(reading.k) if reading.k is not None else None
    everything = _taker(reading.everything, slot, of) if reading.everything else None
    needs = frozenset[str]().union(
        *(needs_of(c) for one in (reading, reading.everything) if one for c in one.where), _needs_of_value(reading)
    )

    def summed(at: Frame, one: Any, taken: bool) -> Any:
        found = value(one) if taken else None
        return 0 if found is None else worth(found)

    def counted(at: Frame, one: Any, taken: bool) -> Any:
        if reading.value == ("throws",):
            return len(one.throws) if taken else 0
        if reading.value and taken and value(one) is None:
            return 0
        return 1 if taken else 0

    def truth(at: Frame, one: Any, taken: bool) -> Any:
        return 1 if taken and (not reading.value or value(one) not in (False, None)) else 0

    def left_over(at: Frame, one: Any, taken: bool) -> Any:
        if everything is not None:
            return (1 if everything(at, one) else 0) - (1 if taken else 0)
        return 1 if taken and reading.value and value(one) is False else 0

    def valued(at: Frame, one: Any, taken: bool) -> Any:
        return value(one) if taken else None

    def number(at: Frame) -> int:
        return max(k(at), 0) if k is not None else 1

    axis: Callable[[Frame], Axis] = _summing
    if kind in ("sum", "count", "any", "all"):
        entry = {"sum": summed, "count": counted, "any": truth, "all": left_over}[kind]
    else:
        entry = valued
        if kind in ("highest", "lowest"):
            end = HIGHEST if kind == "highest" else LOWEST
            axis = lambda at: end  # noqa: E731
        else:
            axis = lambda at: Axis(kind, number(at))  # noqa: E731
    worth_of = {"any": _is_more, "all": _is_nothing}.get(kind, _itself)
    bare = not (reading.where or reading.part or reading.value or reading.listed) and entry in (summed, valued)
    return Reader(name, takes, entry, axis, worth_of, needs, tuple(sorted(free)), kind in ("any", "all"), bare)


def _summing(at: Frame) -> Axis:
    return SUM


def _is_more(total: Any) -> Any:
    return total > 0


def _is_nothing(total: Any) -> Any:
    return total == 0


def _itself(found: Any) -> Any:
    return found


def _taker(reading: Reading, slot: str, of: Callable[[ir.Expr], Closure]) -> Callable[[Frame, Any], bool]:
    conditions, part = [of(one) for one in reading.where], reading.part
    if part is None and not conditions:
        return lambda at, one: True
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


def _valuer(reading: Reading) -> Callable[[Any], Any]:
    fields = reading.value
    if not fields:
        return (lambda one: one) if reading.listed else worth
    if len(fields) == 1:
        name = fields[0]
        return lambda one: field_of(one, name)

    def value(one: Any) -> Any:
        for name in fields:
            one = field_of(one, name)
        return one

    return value


@cache
def needs_of(condition: ir.Expr) -> Needs:
    """What a condition looks at of a die."""
    if isinstance(condition, ir.DieWord):
        return _needs_of_word(condition.name)
    return frozenset[str]().union(*map(needs_of, inner(condition)))


def _needs_of_word(name: str) -> Needs:
    plain = {"face": "face", "value": "value"}
    if name in plain:
        return frozenset((plain[name],))
    return frozenset() if name in ("size", "part", "tags") else frozenset(("last", "all"))


def _needs_of_value(reading: Reading) -> Needs:
    if reading.value == ("throws",):
        return frozenset(("many",))
    if reading.value:
        return _needs_of_word(reading.value[0])
    return frozenset() if reading.kind in ("count", "any", "all") else frozenset(("value",))


def read_off(bag: Bag, readers: Sequence[Reader], at: Frame, depth: int) -> Drawn:
    """The law of some readings of a bag, and the ways in all; ways that nobody can decide are not in it."""
    at = dict(at)
    needs = frozenset[str]().union(*(one.needs for one in readers))
    axes = [one.axis(at) for one in readers]
    groups: list[tuple[Features, int]] = []
    total = 1
    for unit, count in bag.groups:
        elements = unit.elements(needs, depth)
        groups.append((_features(readers, at, elements), count))
        total *= sum(map(_SECOND, elements)) ** count
    law, kept = joint(groups, axes)
    assert kept <= total
    if not any(one.tests for one in readers):
        return list(law.items()), total
    rows: dict[Any, tuple[tuple[Any, ...], int]] = {}
    for values, ways in law.items():
        try:
            row = tuple([one.worth(value) for one, value in zip(readers, values, strict=True)])
        except Undecided:
            continue
        key = frozen(row)
        held = rows.get(key)
        rows[key] = (row, ways + (held[1] if held else 0))
    return list(rows.values()), total


_VALUE = attrgetter("value")
_FIRST, _SECOND = itemgetter(0), itemgetter(1)


def _features(readers: Sequence[Reader], at: Frame, elements: Elements) -> Features:
    """What the readers see of one die, and in how many ways; what they cannot decide is not in it."""
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
        key = row if PLAIN.issuperset(map(type, row)) else frozen(row)
        held = features.get(key)
        features[key] = (row, ways + held[1] if held else ways)
    return dict(features.values())
