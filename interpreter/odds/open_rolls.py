"""Open rolls in the values of a frame: lazy rolls of which no step has read anything yet, alone or paired."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.ir import types as t
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.liveness import Path
from interpreter.odds.paired_kernel import Paired, with_dice
from interpreter.values import Thrown


def holds_open_roll(value: Any) -> bool:
    """Whether a value is or contains an open roll."""
    if isinstance(value, (LazyRoll, Paired)):
        return True
    if type(value) is dict:
        return any(map(holds_open_roll, value.values()))
    return (
        type(value) is tuple
        and bool(value)
        and type(value[0]) in (dict, LazyRoll, Paired)
        and any(map(holds_open_roll, value))
    )


def count_entries(value: Any) -> int:
    """The number of values in a value, through records and lists: a measure of the time to look through it."""
    if type(value) is dict:
        return 1 + sum([count_entries(one) for one in value.values()])
    return 1 + sum([count_entries(one) for one in value]) if type(value) is tuple else 1


def count_further_throws(value: Any) -> int:
    """The number of throws in a value besides the first of each die, through records and lists."""
    if type(value) is Thrown:
        return max(0, tuple.__len__(value.throws) - 1)  # of a chain, as far as it is followed
    if type(value) is dict:
        return sum([count_further_throws(one) for one in value.values()])
    return sum([count_further_throws(one) for one in value]) if type(value) is tuple else 0


def may_be_open(kind: t.Type) -> bool:
    """Whether values of a type may contain an open roll."""
    kind = t.without_maybe(kind)
    if isinstance(kind, t.List):
        return isinstance(t.without_maybe(kind.of), t.Record) or may_be_open(kind.of)  # records may be those of pairs
    if isinstance(kind, t.Record):
        return any(may_be_open(one) for _, one in kind.fields)
    return isinstance(kind, t.Roll)


def open_rolls(value: Any) -> Iterator[LazyRoll]:
    """The open rolls in a value, from left to right."""
    if isinstance(value, LazyRoll):
        yield value
    elif isinstance(value, Paired):
        yield from (one for one in (value.ours, value.theirs) if one.name is not None)
    elif holds_open_roll(value):
        for one in value.values() if type(value) is dict else value:
            yield from open_rolls(one)


def first_open_roll(value: Any) -> LazyRoll:
    """The first open roll in a value. There must be one."""
    return next(open_rolls(value))


def open_names(value: LazyRoll | Paired) -> set[Any]:
    """The names of the rolls that are open in a lazy roll or in pairs."""
    some = (value,) if isinstance(value, LazyRoll) else (value.ours, value.theirs)
    return {one.name for one in some if one.name is not None}


def places_of(value: Any, roll: LazyRoll) -> Iterator[Path]:
    """The paths in a value at which a roll is found, except in pairs."""
    return (path for path, one in _leaves(value) if type(one) is LazyRoll and one.name == roll.name)


def pairs_with(value: Any, names: set[Any]) -> Iterator[tuple[Path, Paired]]:
    """The pairs in a value that hold one of the named rolls, each with its path."""
    return ((path, one) for path, one in _leaves(value) if type(one) is Paired and open_names(one) & names)


def leads_through_list(path: Path) -> bool:
    """Whether a path from `places_of` or `pairs_with` leads through a list, whose elements no step reads by name."""
    return any(str(one).isdigit() for one in path)  # keys of maps may be numbers


def _leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, LazyRoll | Paired]]:
    """The lazy rolls and pairs in a value, through records and lists, each with its path."""
    if isinstance(value, (LazyRoll, Paired)):
        yield path, value
    elif type(value) is dict:
        for name, one in value.items():
            yield from _leaves(one, (*path, name))
    elif type(value) is tuple and holds_open_roll(value):
        for place, one in enumerate(value):
            yield from _leaves(one, (*path, str(place)))


def replace_roll(value: Any, roll: LazyRoll, dice: Any) -> Any:
    """The value with a lazy roll replaced by its dice."""
    if isinstance(value, LazyRoll):
        return dice if value.name == roll.name else value
    if isinstance(value, Paired):
        return with_dice(value, roll, dice)
    if type(value) is dict and holds_open_roll(value):
        return {name: replace_roll(one, roll, dice) for name, one in value.items()}
    if type(value) is tuple and holds_open_roll(value):
        return tuple([replace_roll(one, roll, dice) for one in value])
    return value
