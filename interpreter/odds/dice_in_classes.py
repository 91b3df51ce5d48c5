"""Dice of an open roll that are drawn only into classes: how many dice of each kind are in which class.

Dice of one kind that are in one class stay interchangeable and open, so that pools of many dice have few results: of
ten dice, eleven numbers of dice that show 7 or more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, groupby, product
from math import comb, gcd, lcm, prod
from typing import Any, NamedTuple

from interpreter.frozen import dataclass
from interpreter.odds.lazy_roll import DieUnit, LazyRoll, Needs, ObservedDie, comparison_key, group_units
from interpreter.odds.marginal_kernel import Frame, PreparedReading
from interpreter.odds.meter import Meter
from interpreter.odds.state_keys import freeze
from interpreter.odds.truncation import AtLeast, Undecided

Counts = tuple[int, ...]
"""A number of dice for each group of a lazy roll."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The dice that a step takes, and in which order: `rank_of` gives the rank of a die, None if it is not taken.

    `reads` is what that reads of a die, and `key` is a key of all that it depends on besides the die.
    """

    rank_of: Callable[[Any], Any]
    reads: Needs
    key: Any


class _Ranked(NamedTuple):
    """The ways of one die of a unit to have each rank, by the place of the rank, and to have any rank or none."""

    ways: tuple[int, ...]
    none: int
    all: int

    def ways_from(self, place: int) -> int:
        """The ways to have no rank before this place."""
        return self.all if place == 0 else sum(self.ways[place:]) + self.none


class _Taken(NamedTuple):
    """How dice were taken: of each group so many are `open`, `taken`, and `left_over`.

    Those that are open have no rank before the one at `place`; neither have they that one if their group is before
    `untold`. Those that are left over have that rank.
    """

    place: int
    untold: int
    open: Counts
    taken: Counts
    left_over: Counts


def take_first_dice(
    lazy: LazyRoll, ranking: Ranking, most: int, renewed: Callable[[DieUnit], DieUnit], depth: int, meter: Meter
) -> tuple[list[tuple[LazyRoll, int]], int]:
    """The law of a roll whose first `most` dice in the order of their ranks are `renewed`, and the total weight.

    Of dice of equal rank, those that were thrown first come first. Neighbouring dice of one kind have been thrown in
    any order, all orders equally likely. What is undecided is missing from the law.
    """
    found = [_ranks_in(unit, ranking, depth) for unit, _ in lazy.groups]
    ranks = sorted({rank for by_rank, _, _ in found for rank in by_rank})
    ranked = [_Ranked(tuple([by_rank.get(rank, 0) for rank in ranks]), none, all_) for by_rank, none, all_ in found]
    counts = tuple([count for _, count in lazy.groups])
    made: dict[_Taken, tuple[int, int]] = {}
    for taken, ways, below in _take_in_order(_runs(lazy), ranked, counts, most, meter):
        held, scale = made.get(taken, (0, 1))
        whole = lcm(scale, below)
        made[taken] = (held * (whole // scale) + ways * (whole // below), whole)
    scale = lcm(*[below for _, below in made.values()])
    rows: list[tuple[_Taken, list[int], int]] = []
    for taken, (ways, below) in made.items():
        first = [taken.place + (group < taken.untold) for group in range(len(counts))]
        rest = prod([one.ways_from(at) ** n for one, at, n in zip(ranked, first, taken.open, strict=True)])
        if rest:
            rows.append((taken, first, ways * (scale // below) * rest))
    meter.spend(10 * len(rows) * len(counts))
    touched = [any(taken.taken[group] for taken, _, _ in rows) for group in range(len(counts))]
    anew = [renewed(unit) if is_touched else unit for (unit, _), is_touched in zip(lazy.groups, touched, strict=True)]
    law = [
        (LazyRoll(lazy.name, group_units(_units_after(lazy, ranking, ranks, taken, first, anew))), ways)
        for taken, first, ways in rows
    ]
    return law, scale * prod([one.all**count for one, count in zip(ranked, counts, strict=True)])


def _ranks_in(unit: DieUnit, ranking: Ranking, depth: int) -> tuple[dict[Any, int], int, int]:
    """The ways of a die to have each rank, to have none, and all ways."""
    by_rank: dict[Any, int] = {}
    none = whole = 0
    for one, ways in unit.elements(ranking.reads, depth):
        whole += ways
        try:
            rank = ranking.rank_of(one)
        except Undecided:
            continue
        if rank is None:
            none += ways
        else:
            by_rank[rank] = by_rank.get(rank, 0) + ways
    return by_rank, none, whole


def _runs(lazy: LazyRoll) -> list[range]:
    """The places of neighbouring groups whose dice are of one kind."""
    places = range(len(lazy.groups))
    runs = [list(run) for _, run in groupby(places, key=lambda at: (lazy.groups[at][0].die, lazy.groups[at][0].part))]
    return [range(run[0], run[-1] + 1) for run in runs]


def _take_in_order(
    runs: Sequence[range], ranked: Sequence[_Ranked], counts: Counts, most: int, meter: Meter
) -> Iterator[tuple[_Taken, int, int]]:
    """Every way to take dice, with its weight as a quotient; that of the dice which stay open is left aside."""
    nothing = (0,) * len(counts)
    states: dict[tuple[Counts, Counts], int] = {(counts, nothing): 1}
    if most <= 0:
        yield _Taken(0, 0, counts, nothing, nothing), 1, 1
        return
    ranks = len(ranked[0].ways) if ranked else 0
    for place in range(ranks):
        for run in runs:
            after: dict[tuple[Counts, Counts], int] = {}
            for (left, taken), ways in states.items():
                wanted = most - sum(taken)
                for shown, more in _ways_to_have_rank(place, run, ranked, left, meter):
                    now = tuple([n - m for n, m in zip(left, shown, strict=True)])
                    if sum(shown) < wanted:
                        key = (now, tuple(map(sum, zip(taken, shown, strict=True))))
                        after[key] = after.get(key, 0) + ways * more
                        continue
                    below = comb(sum(shown), wanted)
                    for first, times in _ways_to_come_first(shown, wanted):
                        one = _Taken(
                            place, run.stop, now, tuple(map(sum, zip(taken, first, strict=True))),
                            tuple([m - n for m, n in zip(shown, first, strict=True)]),
                        )  # fmt: skip
                        shared = gcd(times, below)
                        yield one, ways * more * (times // shared), below // shared
            states = after
    for (left, taken), ways in states.items():
        yield _Taken(ranks, 0, left, taken, nothing), ways, 1


def _ways_to_have_rank(
    place: int, run: range, ranked: Sequence[_Ranked], left: Counts, meter: Meter
) -> Iterator[tuple[Counts, int]]:
    """How many dice of each group of a run have the rank at a place, with the weight of that."""
    many = [left[at] if at in run and ranked[at].ways[place] else 0 for at in range(len(left))]
    meter.spend((2 + len(left)) * prod([1 + one for one in many]))
    for shown in product(*[range(one + 1) for one in many]):
        yield (
            shown,
            prod([comb(left[at], shown[at]) * ranked[at].ways[place] ** shown[at] for at in run if shown[at]]),
        )


def _ways_to_come_first(shown: Counts, wanted: int) -> Iterator[tuple[Counts, int]]:
    """Which of some dice in no order come first, in all the ways to choose so many of them."""
    for first in product(*[range(one + 1) for one in shown]):
        if sum(first) == wanted:
            yield first, prod([comb(n, m) for n, m in zip(shown, first, strict=True)])


def _units_after(
    lazy: LazyRoll, ranking: Ranking, ranks: Sequence[Any], taken: _Taken, first: Sequence[int],
    anew: Sequence[DieUnit],
) -> list[DieUnit]:  # fmt: skip
    """The units of a roll after dice of it were taken; `anew` are those of its groups that take their places."""
    units: list[DieUnit] = []
    for group, (unit, _) in enumerate(lazy.groups):
        if taken.open[group]:
            units += [_with_no_rank_before(unit, ranking, ranks, first[group])] * taken.open[group]
        units += [anew[group]] * taken.taken[group]
        if taken.left_over[group]:
            units += [_with_rank(unit, ranking, ranks[taken.place])] * taken.left_over[group]
    return units


def _with_no_rank_before(unit: DieUnit, ranking: Ranking, ranks: Sequence[Any], place: int) -> DieUnit:
    if place == 0:
        return unit
    before = frozenset(ranks[:place])
    return ObservedDie(unit, ranking.reads, lambda one: ranking.rank_of(one) not in before, True, (ranking.key, before))


def _with_rank(unit: DieUnit, ranking: Ranking, rank: Any) -> DieUnit:
    return ObservedDie(unit, ranking.reads, lambda one: ranking.rank_of(one) == rank, True, (ranking.key, rank))


# Classes of a reading ---------------------------------------------------------------------------------------------


def draw_entries(
    lazy: LazyRoll, places: Sequence[int], reader: PreparedReading, at: Frame, depth: int, meter: Meter
) -> tuple[list[tuple[Any, LazyRoll, int]], int]:
    """What the dice of the groups at some places add to a reading, each time with the roll and the weight; the total.

    Of each of these dice is known then what it adds; all else of it stays open.
    """
    at = dict(at)
    key = (reader.name, tuple([freeze(at[name]) for name in reader.free]))

    def observe(die: Any) -> Any:
        return reader.entry(at, die, reader.takes(at, die))

    made: list[tuple[Any, dict[int, list[DieUnit]], int]] = [(0, {}, 1)]
    total = 1
    for place in places:
        unit, count = lazy.groups[place]
        classes, whole = _classes_of_entries(unit, reader.needs, observe, depth)
        units = [ObservedDie(unit, reader.needs, observe, observed, key) for observed, _, _ in classes]
        rows = list(_compositions([ways for _, _, ways in classes], count))
        meter.spend(10 * len(made) * len(rows))
        made = [
            (
                sum([entry for n, (_, entry, _) in zip(many, classes, strict=True) for _ in range(n)], found),
                {**groups, place: [unit for n, unit in zip(many, units, strict=True) for _ in range(n)]},
                before * ways,
            )
            for found, groups, before in made
            for many, ways in rows
        ]
        total *= whole**count
    law = []
    for found, groups, ways in made:
        dice = [groups.get(place, [unit] * count) for place, (unit, count) in enumerate(lazy.groups)]
        law.append((found, LazyRoll(lazy.name, group_units(chain.from_iterable(dice))), ways))
    return law, total


def _classes_of_entries(
    unit: DieUnit, needs: Needs, observe: Callable[[Any], Any], depth: int
) -> tuple[list[tuple[Any, Any, int]], int]:
    """What a die may add to a reading, as a key and as it is, with the weight of that; and all ways."""
    rows: dict[Any, tuple[Any, int]] = {}
    whole = 0
    for die, ways in unit.elements(needs, depth):
        whole += ways
        with suppress(Undecided):
            entry = observe(die)
            before, had = rows.get(comparison_key(entry), (entry, 0))
            # What is read of the die later tells these runs apart, so their mean does not hold for each state.
            least = AtLeast(min(entry.low, before.low)) if type(entry) is AtLeast else entry
            rows[comparison_key(entry)] = (least, had + ways)
    return [(key, entry, ways) for key, (entry, ways) in rows.items()], whole


def _compositions(ways: Sequence[int], count: int) -> Iterator[tuple[Counts, int]]:
    """How many of some dice are in each class, with the weight of that, from the ways of one die to be in it."""
    if len(ways) == 1:
        yield (count,), ways[0] ** count
    for many in range(count + 1) if len(ways) > 1 else ():
        for rest, more in _compositions(ways[1:], count - many):
            yield (many, *rest), comb(count, many) * ways[0] ** many * more
