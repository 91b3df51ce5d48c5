"""The joint law of readings of which some read groups of equal dice: sets, pairs, the widest group.

Dice are placed by height, the highest first. Of the dice so far each axis keeps what it needs, and only the number of
dice that are left counts, so ten dice have some hundred states where they have 92,378 combinations.

Source: A. J. Liu, "Icepool: Efficient Computation of Dice Pool Probabilities" (AIIDE 2022), multiset evaluators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interpreter.odds.fold import Axis, Law, add_entry, final_value, start_state
from interpreter.odds.meter import ENTRY, STATE, Meter
from interpreter.odds.truncation import AtLeast

GroupedFeature = tuple[tuple[Any, ...], int]
"""For every axis the entry of a die, or the height of its group, None if it is in none; and the weight of that."""

EntryOfGroup = Callable[[int, int], Any]
"""The entry of a group, from its height and its width."""

_State = tuple[tuple[int, ...], tuple[Any, ...]]
"""How many dice of each kind are left, and the states of the axes."""

_Row = tuple[int, tuple[Any, ...], int]
"""Dice of one kind that come to one feature: the place of the kind, the feature, and its weight."""


def joint_law_of_groups(
    groups: Sequence[tuple[list[GroupedFeature], int]],
    axes: Sequence[Axis],
    entries: Sequence[EntryOfGroup | None],
    meter: Meter,
) -> Law | None:
    """The weight of every combination of values of the axes, in their order.

    `groups` are dice of one kind each, with their number. `entries` has a function for each axis that reads groups.
    None if a height is only known from below, or if the axes read groups of different heights.
    """
    at_height: dict[Any, list[_Row]] = {}
    for place, (features, _) in enumerate(groups):
        for feature, ways in features:
            if AtLeast in map(type, feature):
                return None
            heights = {one for one, entry in zip(feature, entries, strict=True) if entry is not None} - {None}
            if len(heights) > 1:
                return None
            at_height.setdefault(heights.pop() if heights else None, []).append((place, feature, ways))
    states: dict[_State, int] = {
        (tuple([count for _, count in groups]), tuple([start_state(axis) for axis in axes])): 1
    }
    size = STATE + ENTRY * (1 + sum([axis.k + axis.skip for axis in axes]))
    for height in sorted(at_height, key=lambda one: (one is None, -one if one is not None else 0)):
        placed = _Placed(height, axes, entries)
        states = placed.place_all_of_height(states, at_height[height], meter)
        meter.check_memory(size * len(states))
    law: Law = {}
    for (left, values), ways in states.items():
        if not any(left):
            key = tuple([final_value(axis, value) for axis, value in zip(axes, values, strict=True)])
            law[key] = law.get(key, 0) + ways
    return law


class _Placed:
    """What dice of one height add to the states of the axes."""

    def __init__(self, height: Any, axes: Sequence[Axis], entries: Sequence[EntryOfGroup | None]) -> None:
        self.height, self.axes, self.entries = height, axes, entries
        self._of_groups: dict[tuple[int, int], Any] = {}

    def place_all_of_height(self, states: dict[_State, int], rows: Sequence[_Row], meter: Meter) -> dict[_State, int]:
        """The states after all dice of this height, which have come to these rows, are placed."""
        nothing = (0,) * len(self.axes)
        running = {(left, values, nothing): weight for (left, values), weight in states.items()}
        for row in rows[:-1]:
            made: dict[Any, int] = {}
            for (left, values, widths), weight in running.items():
                for after, now, wider, more in self._place_row(left, values, widths, row, meter):
                    key = (after, now, wider)
                    made[key] = made.get(key, 0) + weight * more
            running = made
            meter.check_memory(STATE * len(running))
        done: dict[_State, int] = {}
        for (left, values, widths), weight in running.items():
            for after, now, wider, more in self._place_row(left, values, widths, rows[-1], meter):
                last = (after, self._close_groups(now, wider))
                done[last] = done.get(last, 0) + weight * more
        return done

    def _place_row(
        self, left: tuple[int, ...], values: tuple[Any, ...], widths: tuple[int, ...], row: _Row, meter: Meter
    ) -> Iterator[tuple[tuple[int, ...], tuple[Any, ...], tuple[int, ...], int]]:
        """Any number of dice that come to a row: what is left, the states of the axes, the widths, and the weight."""
        place, feature, ways = row
        before, there, behind = left[:place], left[place], left[place + 1 :]
        meter.spend((2 + len(self.axes)) * (1 + there))
        weight = 1
        for count in range(there + 1):
            if count:
                weight = weight * ways * (there - count + 1) // count
                meter.spend(weight.bit_length() >> 9)
                values, widths = self._add_die(values, widths, feature)
            yield (*before, there - count, *behind), values, widths, weight

    def _add_die(
        self, values: tuple[Any, ...], widths: tuple[int, ...], feature: tuple[Any, ...]
    ) -> tuple[tuple[Any, ...], tuple[int, ...]]:
        """The states of the axes, and the widths of their groups, with one die more."""
        grown, wider = [*values], [*widths]
        for j, entry in enumerate(feature):
            if self.entries[j] is None:
                grown[j] = add_entry(self.axes[j], values[j], entry)
            elif entry is not None:
                wider[j] += 1
        return tuple(grown), tuple(wider)

    def _close_groups(self, values: tuple[Any, ...], widths: tuple[int, ...]) -> tuple[Any, ...]:
        """The states of the axes with the entries of their groups."""
        if not any(widths):
            return values
        made = [*values]
        for j, width in enumerate(widths):
            if width:
                if (j, width) not in self._of_groups:
                    entry = self.entries[j]
                    assert entry is not None
                    self._of_groups[j, width] = entry(self.height, width)
                made[j] = add_entry(self.axes[j], values[j], self._of_groups[j, width])
        return tuple(made)
