"""Dice that a rule handles one by one, for many runs at once: each arrangement with its number of runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interpreter.diagnostics import PlayError
from interpreter.odds.lazy_roll import Chain, ChainThrow, DieUnit, Elements, LazyRoll, Needs, TruncatedThrows
from interpreter.odds.state_keys import frozen
from interpreter.simulation.columns import WIDEST, counted
from interpreter.simulation.random_bits import Bits, Column, Urn
from interpreter.values import Throw, Thrown

EVERYTHING: Needs = frozenset(("all", "value", "face", "many", "last"))
DEPTHS = (16, 64, 256)
"""How far a chain of throws is followed: until its rest is negligible. That rest stays undecided."""

NEXT_TO_NOTHING = 1 << 64


def elements_of(unit: DieUnit, needs: Needs) -> Elements | None:
    """What a die may come to; None where that is too much.

    Chains are followed until less than one in 2^64 goes on, if they ever stop.
    """
    made: Elements | None = None
    for depth in DEPTHS:
        try:
            made = unit.elements(needs, depth)
        except PlayError as error:
            if error.diagnostic.code != "HR805":
                raise
            return None
        left = sum(weight for one, weight in made if isinstance(getattr(one, "throws", None), TruncatedThrows))
        if left * NEXT_TO_NOTHING < sum(weight for _, weight in made):
            break
    return made


class DiceColumns:
    """A roll, ready to be thrown on the table; `in_order` says that a rule may tell in which order equal dice lie."""

    def __init__(self, bag: LazyRoll, in_order: bool = False) -> None:
        self._in_order = in_order
        self._groups: list[tuple[DieUnit, int, Elements | None, Urn | None]] = []
        for unit, count in bag.groups:
            elements = elements_of(unit, EVERYTHING)
            urn = Urn([weight for _, weight in elements]) if elements is not None else None
            self._groups.append((unit, count, elements, urn))

    def sampled(self, bits: Bits, parts: Sequence[int]) -> list[tuple[int, tuple[Any, ...], int]]:
        """Each arrangement of the dice, with its part of the runs and its number of runs."""
        total = sum(parts)
        code = np.zeros(total, np.int64)
        width = 1
        rows: list[tuple[Elements, Column]] = []
        for unit, count, elements, urn in self._groups:
            if elements is None or urn is None:
                assert isinstance(unit, Chain)
                elements, places = _thrown(unit, bits, count * total)
            else:
                places = urn.draw(bits, count * total)
            columns = places.reshape(count, total)
            columns = columns if self._in_order else np.sort(columns, axis=0)
            rows.append((elements, columns))
            for column in columns:
                if width * len(elements) >= WIDEST // max(len(parts), 1):
                    _, code = np.unique(code, return_inverse=True)
                    width = int(code.max()) + 1
                code = code * len(elements) + column
                width *= len(elements)
        _, first, numbers = np.unique(code, return_index=True, return_inverse=True)
        lays = [tuple([elements[p][0] for elements, columns in rows for p in columns[:, at].tolist()]) for at in first]
        return [(part, lays[number], many) for part, number, many in counted(numbers, parts, len(lays))]


def _thrown(chain: Chain, bits: Bits, count: int) -> tuple[Elements, Column]:
    """So many chains throw by throw: what came, and which of it each chain is."""
    going: list[tuple[tuple[Throw, ...], Column]] = [((), np.arange(count))]
    done: list[tuple[Any, Column]] = []
    for nth in range(1, chain.fuse + 1):
        outcomes, total = chain.throw(nth)
        weights = [more for _, more in outcomes]
        urn = Urn([*weights, total - sum(weights)])
        after: dict[Any, tuple[tuple[Throw, ...], Column]] = {}
        for throws, chains in going:
            places = urn.draw(bits, len(chains))
            for place, (one, _) in enumerate(outcomes):
                mine = chains[places == place]
                if not len(mine):
                    continue
                now = (*throws, Throw(one.face, nth, one.counts, one.names))
                if one.again:
                    after[frozen(now)] = (now, mine)
                else:
                    done.append((_whole(chain, now, one), mine))
        going = list(after.values())
        if not going:
            break
    which = np.full(count, len(done), np.int64)
    for number, (_, mine) in enumerate(done):
        which[mine] = number
    lost = Thrown(chain.die, chain.part, 0, TruncatedThrows(), 0)
    return [*[(one, len(mine)) for one, mine in done], (lost, 0)], which


def _whole(chain: Chain, throws: tuple[Throw, ...], last: ChainThrow) -> Thrown:
    return Thrown(chain.die, chain.part, 0, throws, sum(one.counts for one in throws), chain.scoring)
