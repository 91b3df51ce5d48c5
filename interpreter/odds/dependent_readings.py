"""Readings of a roll that depend on other readings of it: how many dice show the highest face that any shows.

For each value that the others may have, the joint law of all of them is computed as if that were known, and its rows
with that value are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from interpreter.odds.demand import DependentReading
from interpreter.odds.failures_ahead import mark_failures_ahead
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.marginal_kernel import Drawn, PreparedReading, read_roll
from interpreter.odds.meter import Meter
from interpreter.odds.operations import Frame
from interpreter.odds.state_keys import freeze
from interpreter.odds.truncation import Undecided


def read_with_dependent(
    lazy: LazyRoll,
    readers: Sequence[PreparedReading],
    dependent: Sequence[DependentReading],
    at: Frame,
    depth: int,
    meter: Meter,
) -> Drawn | None:
    """The joint law of readings of a lazy roll and of those that depend on them, and the total weight.

    None if groups of dice are read that are not known. What is undecided is missing from the law. Raises FailedAhead
    where a formula fails that play may never reach.
    """
    with mark_failures_ahead(at, [name for one in readers for name in one.free]):
        found = read_roll(lazy, readers, at, depth, meter)
    if found is None:
        return None
    rows, total = found
    known: dict[Any, tuple[Frame, set[Any]]] = {}
    for row, _ in rows:
        with suppress(Undecided):
            computed = _compute_needed_names(readers, dependent, at, row)
            known.setdefault(freeze(computed), (computed, set()))[1].add(freeze(row))
    every, width = [*readers, *[one.reader for one in dependent]], len(readers)
    made: list[tuple[tuple[Any, ...], int]] = []
    for computed, wanted in known.values():
        with suppress(Undecided):
            inside = {**at, **computed}
            with mark_failures_ahead(inside, [name for one in every for name in one.free]):
                joint = read_roll(lazy, every, inside, depth, meter)
            assert joint is not None
            made += [(row, ways) for row, ways in joint[0] if freeze(row[:width]) in wanted]
    return made, total


def _compute_needed_names(
    readers: Sequence[PreparedReading], dependent: Sequence[DependentReading], at: Frame, row: tuple[Any, ...]
) -> Frame:
    """The names that dependent readings need, where the others have these values."""
    frame = {**at, **{one.name: value for one, value in zip(readers, row, strict=True)}}
    computed: Frame = {}
    for step in dict.fromkeys([step for one in dependent for step in one.steps]):
        assert step.plain is not None
        with mark_failures_ahead(frame, [path[0] for path in step.touches]):
            frame[step.name] = computed[step.name] = step.plain(frame)
    return computed
