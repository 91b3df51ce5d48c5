"""Passes of a `repeat` and elements of a `for` that stay open like dice: only their laws are computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.odds.lazy_roll import LazyRoll, OpenPass
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.open_rolls import holds_open_roll
from interpreter.odds.operations import Block, EndedValue, Frame, Law, Op
from interpreter.odds.state_keys import freeze


def must_be_followed(lowering: Lowering, block: Block) -> bool:
    """Whether each pass of a block must be followed, because somebody may be asked in it."""
    return lowering.stepwise or (lowering.asking and block.asks)


def may_stay_open(lowering: Lowering, op: Op, block: Block) -> bool:
    """Whether passes of this step that do not depend on each other may stay open: later steps only take readings."""
    return op.only_read and lowering.exact and not must_be_followed(lowering, block)


def open_pass(lowering: Lowering, block: Block, at: Frame, kept: Callable[[Any], Any]) -> OpenPass | None:
    """A pass of a block from a frame, of whose record is `kept` what later steps read.

    None if some of it is unknown or open, if it may end the mechanic, or if it reads an open roll: passes that read the
    same roll depend on each other.
    """
    found = records_of_pass(lowering, block, at)
    return None if found is None else pass_of_records(found[0], kept)


def records_of_pass(lowering: Lowering, block: Block, at: Frame) -> Law | None:
    """The law of the records of a pass that may stay open; None where `open_pass` has none."""
    if any(holds_open_roll(at.get(name)) for name in block.free):
        return None
    law, total = lowering.law(block, at)
    if any(isinstance(record, EndedValue) or holds_open_roll(record) for record, _ in law):
        return None
    return (law, total) if sum([weight for _, weight in law]) == total else None


def pass_of_records(records: Iterable[tuple[Any, int]], kept: Callable[[Any], Any]) -> OpenPass:
    """An open pass with these records, each with its weight."""
    results: dict[Any, tuple[Any, int]] = {}
    for record, weight in records:
        value = kept(record)
        key = freeze(value)
        results[key] = (value, weight + (results[key][1] if key in results else 0))
    return OpenPass(list(results.values()), frozenset([(key, weight) for key, (_, weight) in results.items()]))


def group_passes(passes: list[OpenPass]) -> LazyRoll:
    """Passes as a lazy roll, those of the same law as one group."""
    numbers: dict[OpenPass, int] = {}
    for one in passes:
        numbers[one] = numbers.get(one, 0) + 1
    return LazyRoll(".passes", tuple(numbers.items()))
