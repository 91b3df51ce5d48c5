"""Rolls that are drawn die by die, for many runs at once: each sequence of dice with its number of runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interpreter.odds.lazy_roll import ALL_OF_A_DIE, Chain, DieUnit, Elements, LazyRoll, RerolledDie, undecided_die
from interpreter.odds.truncation import Undecided
from interpreter.play.run import RunLimits
from interpreter.simulation.columns import SORTED, Rows, TooManyStates, count_codes, name_rows, number_rows
from interpreter.simulation.random_bits import Bits, Column, Urn
from interpreter.simulation.tables import Tables
from interpreter.values import Throw, Thrown
from interpreter.work_count import spend

MOST_THROWS = RunLimits().dice
MOST_CELLS = 1 << 24
"""The limit on dice that are drawn at a time, those of all runs together."""
MOST_THROWN = 1 << 22
"""The limit on those of them that are thrown one throw at a time, which takes more memory."""
MOST_DICE = 1_000_000
"""The limit on dice of different rolls at a time."""
MOST_OPEN_THROWS = 1_000_000
"""The limit on throws of chains that are held at a time."""

STEP, OFTEN = 5, 256
"""The units of work of a different throw, and how many of these are counted at a time."""

LOST = -1
"""The place of what is neither an open path nor a result."""

_Path = tuple[Any, ...]
"""The throws of a chain so far: empty, or the path before and the last throw."""


class DiceColumns:
    """Draws a roll die by die; `in_order` says that a rule can tell the order of equal dice."""

    def __init__(self, lazy: LazyRoll, tables: Tables, in_order: bool = False) -> None:
        self._in_order = in_order
        self._groups = [(unit, count, tables.die_table(unit, ALL_OF_A_DIE)) for unit, count in lazy.groups]

    def sample(self, bits: Bits, parts: Sequence[int], most: int) -> Rows:
        """The sequences of dice in the runs of each part.

        Raises TooManyStates if more of them are different than `most`, or if they do not fit into memory.
        """
        total = sum(parts)
        many = sum([count for _, count, _ in self._groups])
        thrown = sum([count for _, count, table in self._groups if table is None])
        if many * total > MOST_CELLS or thrown * total > MOST_THROWN:
            raise TooManyStates
        spend(1 + many * total // SORTED)
        rows: list[tuple[Elements, Column]] = []
        for unit, count, table in self._groups:
            if table is None:
                elements, places = _throw(unit, bits, count * total)
            else:
                elements, places = table.elements, table.urn.draw(bits, count * total)
            columns = places.reshape(count, total)
            columns = columns if self._in_order else np.sort(columns, axis=0)
            rows.append((elements, columns))
        numbers, first = number_rows((column.astype(np.int64) for _, columns in rows for column in columns), total)
        if len(first) > most or len(first) * many > MOST_DICE:
            raise TooManyStates
        rolls = [tuple([elements[p][0] for elements, columns in rows for p in columns[:, at].tolist()]) for at in first]
        return name_rows(count_codes(numbers, parts, len(rolls)), rolls)


def _throw(unit: DieUnit, bits: Bits, count: int) -> tuple[Elements, Column]:
    """Dice, as many as `count`, thrown one throw at a time: the different results, and the place of each among them.

    Raises TooManyStates for dice of which something is known already.
    """
    match unit:
        case Chain():
            return _throw_chains(unit, bits, count)
        case RerolledDie():
            return _reroll(unit, bits, count)
    raise TooManyStates


def _reroll(unit: RerolledDie, bits: Bits, count: int) -> tuple[Elements, Column]:
    """Dice that are thrown, and rerolled where the condition holds."""
    elements, places = _throw(unit.unit, bits, count)
    again = np.zeros(len(elements), bool)
    spend(STEP * len(elements))
    for number, (one, weight) in enumerate(elements):
        try:
            again[number] = bool(weight) and unit.where(one)
        except Undecided:
            elements[number] = (undecided_die(unit), 0)
    rerolls = again[places]
    urn = Urn([weight for _, weight in unit.rerolled])
    places = places.astype(np.int64)
    places[rerolls] = len(elements) + urn.draw(bits, int(rerolls.sum())).astype(np.int64)
    return [*elements, *unit.rerolled], places


def _throw_chains(chain: Chain, bits: Bits, count: int) -> tuple[Elements, Column]:
    """Chains, as many as `count`, thrown one throw at a time: the different results, and the place of each among them.

    Chains with equal throws are merged. A chain that reaches its guard, or more throws than a run of play may have,
    stays undecided. Raises TooManyStates if there are too many throws to hold at a time.
    """
    open_paths: list[_Path] = [()]
    chains, path = np.arange(count), np.zeros(count, np.int64)
    done: list[tuple[Any, int]] = []
    which = np.full(count, LOST, np.int64)
    urn, outcomes, held = Urn([1]), None, 0
    for nth in range(1, min(chain.guard, MOST_THROWS) + 1):
        before, (outcomes, total) = outcomes, chain.throw_law(1 if chain.stationary else nth)
        if outcomes is not before:
            weights = [more for _, more in outcomes]
            urn = Urn([*weights, total - sum(weights)])
        throws: dict[int, Throw] = {}
        codes, kind = np.unique(path * (len(outcomes) + 1) + urn.draw(bits, len(chains)), return_inverse=True)
        after: list[_Path] = []
        ended, continues = np.full(len(codes), LOST, np.int64), np.full(len(codes), LOST, np.int64)
        spend(1 + len(chains) // SORTED)
        for number, code in enumerate(codes.tolist()):
            if not number % OFTEN:
                spend(STEP * OFTEN)
            earlier, place = divmod(code, len(outcomes) + 1)
            if place == len(outcomes):
                continue  # this throw is undecided
            one = outcomes[place][0]
            if place not in throws:
                throws[place] = Throw(one.face, nth, one.counts, one.names)
            path_now = (open_paths[earlier], throws[place])
            if one.again:
                continues[number] = len(after)
                after.append(path_now)
            else:
                ended[number] = len(done)
                done.append((_die_of_path(chain, path_now), 1))
        which[chains] = ended[kind]
        more = continues[kind] != LOST
        chains, path, open_paths = chains[more], continues[kind][more], after
        held += len(open_paths)
        if held > MOST_OPEN_THROWS:
            raise TooManyStates
        if not open_paths:
            break
    which[which == LOST] = len(done)
    return [*done, (undecided_die(chain), 0)], which


def _die_of_path(chain: Chain, path: _Path) -> Thrown:
    """The die of a chain that has ended."""
    throws: list[Throw] = []
    while path:
        path, one = path
        throws.append(one)
    throws.reverse()
    return Thrown(chain.die, chain.part, 0, tuple(throws), sum(one.counts for one in throws), chain.scoring)
