"""The joint law of several readings of a roll, without enumerating its dice.

`fold` is the definition, in a file of its own. The other kernels are faster where they apply, and a test compares them
with it over a grid:

- `law_of_sums`: every axis is a sum; the law of `n` dice is the n-th power of a polynomial in packed whole numbers;
- `long_sum` (in its own file): one axis, a sum of so many equal dice that such a number would be too long;
- `law_with_extreme`: one axis is the highest (or lowest) die; the weight of all dice up to a value is such a
  power, and the weight of the value is the difference of two of them;
- `law_of_all_but_one`: one axis is the sum of all dice but the lowest (or highest);
- `best_of_fewer` (in its own file): one axis, the sum of the highest dice where some of them are tails;
- `law_of_ranks`: axes read ranks; dice are placed from one end of the sort to the other, and the dice after the last
  rank that an axis reads are such a power again.

Sources: Kronecker substitution for packed polynomials; A. J. Liu, "Icepool: Efficient Computation of Dice Pool
Probabilities" (AIIDE 2022) for the sweep over faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import accumulate, chain, product, repeat
from math import comb, prod
from operator import add, itemgetter, mul, sub
from typing import Any

from interpreter.frozen import dataclass
from interpreter.odds.best_of_fewer import laws_of_best_of_fewer
from interpreter.odds.fold import (
    SUM,
    Axis,
    Feature,
    Features,
    Group,
    Law,
    final_value,
    fold,
    key_of_values,
    start_state,
    work_of_entry,
)
from interpreter.odds.long_sum import long_sum
from interpreter.odds.meter import ROW, Meter, work_of_product
from interpreter.odds.packing import Packing, pack, packing_of, unpack
from interpreter.odds.truncation import AtLeast, bound_at_lows, low_of

MOST_BITS = 60_000_000
"""The limit on the length of a packed polynomial; beyond it, sparse ones are used."""


def joint_law(groups: Sequence[Group], axes: Sequence[Axis], meter: Meter) -> tuple[Law, int]:
    """The weight of every combination of values of the axes, in their order, and the total weight.

    Raises PlayError if that takes more than the meter allows.
    """
    entries = chain.from_iterable(chain.from_iterable([features for features, _ in groups]))
    bounded = AtLeast not in set(map(type, entries))
    if bounded and groups and len(axes) == 1 and axes[0].one:
        law = _law_of_extreme(groups, axes[0].kind == "top")
        return law, sum(law.values())
    if len(groups) > 1:
        groups = _merge_groups(groups, bounded)
    total = prod([sum(features.values()) ** count for features, count in groups])
    if not bounded and (law_of_tails := law_by_number_of_tails(groups, axes, meter)) is not None:
        return law_of_tails, total
    if len(axes) == 1 and groups and all(map(partial(_reads_group_alone, axes[0]), groups)):
        return _law(groups, axes, bounded, meter), total
    made: Law = {(): 1}
    places: list[int] = []
    read = 1
    for mine in _components(groups, axes):
        parts = groups
        if len(mine) < len(axes):
            parts = [(_project(features, mine), count) for features, count in groups]
        parts = [part for part in parts if any(map(partial(_is_read_by_axes, axes, mine), part[0]))]
        law = _law(parts, [axes[j] for j in mine], bounded, meter)
        read *= prod([sum(features.values()) ** count for features, count in parts])
        meter.spend(len(made) * len(law))
        meter.check_memory(len(made) * len(law) * ROW)
        made = {(*a, *b): v * w for a, v in made.items() for b, w in law.items()} if places else law
        places += mine
    if read != total:  # dice that no axis reads have weights, too
        rest = total // read
        made = {values: ways * rest for values, ways in made.items()}
    if places == list(range(len(axes))):
        return made, total
    known: list[Any] = [final_value(axis, start_state(axis)) for axis in axes]
    in_order: Law = {}
    for values, ways in made.items():
        row = list(known)
        for place, value in zip(places, values, strict=True):
            row[place] = value
        in_order[tuple(row)] = ways
    return in_order, total


def _merge_groups(groups: Sequence[Group], bounded: bool) -> Sequence[Group]:
    """The groups, those with the same features as one."""
    counted: dict[frozenset[tuple[Feature, int]], tuple[Features, int]] = {}
    for features, count in groups:
        if count:
            rows = features.items()
            key = frozenset(rows if bounded else [(key_of_values(feature), ways) for feature, ways in rows])
            counted[key] = (features, counted.get(key, (features, 0))[1] + count)
    return list(counted.values())


def _components(groups: Sequence[Group], axes: Sequence[Axis]) -> list[list[int]]:
    """The axes, divided into those that read the same dice. The laws of the parts are independent, so they multiply."""
    if len(axes) == 1:
        return [[0]] if any(_reads(axes[0], f[0]) for features, _ in groups for f in features) else []
    parts: list[tuple[set[int], set[int]]] = []
    for j, axis in enumerate(axes):
        mine = {g for g, (features, _) in enumerate(groups) if any(_reads(axis, f[j]) for f in features)}
        if not mine:
            continue
        touching = [part for part in parts if part[1] & mine]
        parts = [part for part in parts if not part[1] & mine]
        parts.append(
            (reduce(set.union, (p[0] for p in touching), {j}), reduce(set.union, (p[1] for p in touching), mine))
        )
    return [sorted(part) for part, _ in parts]


def _reads(axis: Axis, entry: Any) -> bool:
    return entry is not None if axis.kind != "sum" else type(entry) is AtLeast or entry != 0


def _is_read_by_axes(axes: Sequence[Axis], mine: list[int], feature: Feature) -> bool:
    return any(_reads(axes[j], entry) for j, entry in zip(mine, feature, strict=True))


def _reads_group_alone(axis: Axis, group: Group) -> bool:
    """Whether an axis reads dice of a group, by features of this axis alone; of several, it reads at least one."""
    features, _ = group
    return len(features) > 1 or any(_reads(axis, entry) for (entry,) in features)


def _project(features: Features, mine: list[int]) -> Features:
    made: dict[Feature, tuple[Feature, int]] = {}
    for feature, ways in features.items():
        row = tuple([feature[j] for j in mine])
        key = key_of_values(row)
        held = made.get(key)
        made[key] = (row, ways + (held[1] if held else 0))
    return dict(made.values())


def _law(groups: Sequence[Group], axes: Sequence[Axis], bounded: bool, meter: Meter) -> Law:
    dice = sum([count for _, count in groups])
    if bounded and dice > 1:
        ranked = [axis for axis in axes if axis.kind != "sum"]
        if not ranked:
            return law_of_sums(groups, len(axes), meter)
        if len(ranked) == 1 and ranked[0].one:
            return law_with_extreme(groups, axes, meter)
        spared = len(axes) == 1 and axes[0].kind != "kth" and axes[0].k == dice - 1 and not axes[0].skip
        if spared and (law := law_of_all_but_one(groups, axes[0], meter)):
            return law
        if swept := law_of_ranks(groups, axes, meter):
            return swept
    return fold(groups, axes, meter)


LARGE = 100_000
"""The work of packed polynomials from which on it is compared with that of going through the dice."""


def fold_is_easier(groups: Sequence[Group], axes: Sequence[Axis], packing: Packing, times: int) -> bool:
    """Whether `fold` takes less work than a number of packed polynomials: those of a few dice that are thrown on many
    times have long rows of numbers, of which most are 0."""
    packed = times * (len(groups) * work_of_product(packing.bits) + packing.entries // 2)
    if packed < LARGE:
        return False
    each, work, before = work_of_entry(axes), 0, 1
    for features, count in groups:
        states = before
        for number in range(1, count + 1):
            work += each * states * len(features)
            if work > packed:
                return False
            states = before * comb(len(features) + number - 1, number)
        before = states
    return True


# Tails -----------------------------------------------------------------------------------------------------------


def law_by_number_of_tails(groups: Sequence[Group], axes: Sequence[Axis], meter: Meter) -> Law | None:
    """The law by the number of tails: dice of which only a lower bound is known. The other dice have a law without.

    Where another die is higher than the bound of a tail, nobody knows which ranks first: what is read is only known as
    if the tails were no higher than their bounds, and a lower bound. None where `fold` knows more.
    """
    ranked = [j for j, axis in enumerate(axes) if axis.kind != "sum"]
    plain: list[dict[Feature, int]] = []
    tails: list[list[tuple[Feature, int]]] = []
    for features, _ in groups:
        bound = {f for f in features if AtLeast in map(type, f)}
        if any(type(f[j]) is not AtLeast and f[j] is not None for f in bound for j in ranked):
            return None
        plain.append({f: ways for f, ways in features.items() if f not in bound})
        tails.append([(f, features[f]) for f in bound])
    for j in ranked:
        lows = [f[j].low for some in tails for f, _ in some if f[j] is not None]
        found = [f[j] for features in plain for f in features]
        highest_of_all = axes[j].kind == "top" and axes[j].k == 1 and not axes[j].skip
        if highest_of_all and lows and max([v for v in found if v is not None], default=0) > min(lows):
            return None
        if axes[j].kind == "low" and None in found:
            return None
    done: dict[Any, tuple[Feature, int]] = {}
    known = laws_of_best_of_fewer(groups, axes, meter)
    meter.spend(
        sum([comb(len(some) + count, count) * (1 + count // 4) for some, (_, count) in zip(tails, groups, strict=True)])
    )
    for chosen in product(
        *[list(_multisets_of_tails(some, count)) for some, (_, count) in zip(tails, groups, strict=True)]
    ):
        present = [tail for tails_of, _ in chosen for tail in tails_of]
        left = [count - len(one) for (_, count), (one, _) in zip(groups, chosen, strict=True)]
        ranked_first = min([tail[j].low for tail in present for j in ranked if tail[j] is not None], default=None)
        below = [_features_up_to(features, ranked, ranked_first) for features in plain]
        possible = all(features or not count for count, features in zip(left, below, strict=True))
        others = [(features, count) for features, count in zip(below, left, strict=True) if count]
        after = [_axis_without_tails(axis, j, present, sum(left)) for j, axis in enumerate(axes)]
        if known is not None:
            law = known[tuple(left)]
        else:
            law = joint_law(others, [axis for axis, _ in after], meter)[0] if possible else {}
        meter.spend(2 * len(law))
        times = prod([ways for _, ways in chosen])
        rows = [
            (tuple([add(value) for value, (_, add) in zip(values, after, strict=True)]), ways)
            for values, ways in law.items()
        ]
        if below != plain:
            rows += _law_of_unclear(axes, plain, left, present, rows, meter)
        for row, ways in rows:
            key = key_of_values(row)
            held = done.get(key)
            done[key] = (row, times * ways + (held[1] if held else 0))
        meter.check_memory(ROW * len(done))
    return dict(done.values())


def _law_of_unclear(
    axes: Sequence[Axis],
    plain: Sequence[Features],
    left: Sequence[int],
    tails: Sequence[Feature],
    clear: Sequence[tuple[Feature, int]],
    meter: Meter,
) -> list[tuple[Feature, int]]:
    """The law of tails and as many other dice as are `left` where another die is higher than the bound of a tail.

    That is the law with every tail as low as it may be, less that of the dice that are `clear`.
    """
    groups: list[Group] = [(features, count) for features, count in zip(plain, left, strict=True) if count]
    law = joint_law([*groups, *[({tuple(map(low_of, tail)): 1}, 1) for tail in tails]], axes, meter)[0]
    meter.spend(2 * len(law))
    for row, ways in clear:
        law[tuple(map(low_of, row))] -= ways
    beyond = [[tail[j] for tail in tails if type(tail[j]) is AtLeast] for j in range(len(axes))]

    def with_tails(axis: Axis, value: Any, some: list[AtLeast]) -> Any:
        if value is None or not some:
            return value
        return (
            bound_at_lows(value, some)
            if axis.kind != "sum"
            else reduce(add, some, value - sum([one.low for one in some]))
        )

    return [(tuple(map(with_tails, axes, row, beyond)), ways) for row, ways in law.items() if ways]


def _features_up_to(features: dict[Feature, int], ranked: Sequence[int], most: int | None) -> dict[Feature, int]:
    """The features of which no ranked entry is higher than `most`."""
    if most is None:
        return features
    return {f: ways for f, ways in features.items() if all(f[j] is None or f[j] <= most for j in ranked)}


def _multisets_of_tails(tails: Sequence[tuple[Feature, int]], dice: int) -> Iterator[tuple[tuple[Feature, ...], int]]:
    """The multisets of tails that some dice may have, each with its weight."""
    if not tails:
        yield (), 1
        return
    (feature, ways), *others = tails
    for many in range(dice + 1):
        for more, rest in _multisets_of_tails(others, dice - many):
            yield (feature,) * many + more, comb(dice, many) * ways**many * rest


def _axis_without_tails(axis: Axis, j: int, tails: Sequence[Feature], dice: int) -> tuple[Axis, Callable[[Any], Any]]:
    """The axis for the other dice, and a function that adds the tails, which rank first, to its value."""
    found = [tail[j] for tail in tails if tail[j] is not None]
    if not found:
        return axis, _identity
    if axis.kind == "sum":
        return axis, lambda value: value + sum(found)
    lows = sorted([one.low for one in found], reverse=True)
    if axis.kind == "low":
        first, last = max(axis.skip - dice, 0), max(axis.skip + axis.k - dice, 0)
        added = _sum_of_tails(found, lows[::-1][first:last])
        return axis, (lambda value: (value or 0) + added) if added is not None else _identity
    if axis.kind == "kth":
        if 1 <= axis.k <= len(lows):
            ranked = found[0] if len(found) == 1 else bound_at_lows(lows[axis.k - 1], found)
            return Axis("top", 0), lambda value: ranked
        return Axis("kth", axis.k - len(lows) if axis.k > 0 else axis.k), _identity
    added = _sum_of_tails(found, lows[axis.skip : axis.skip + axis.k])
    more, skip = max(axis.k - max(len(lows) - axis.skip, 0), 0), max(axis.skip - len(lows), 0)
    return Axis("top", more, skip=skip), (lambda value: value + added) if added is not None else _identity


def _sum_of_tails(tails: Sequence[AtLeast], lows: Sequence[int]) -> Any:
    """The sum of as many of the highest or the lowest tails as there are `lows`; None of none.

    Its mean is exact if it is the sum of all of them: which of several tails ranks first is not known.
    """
    if not lows:
        return None
    return reduce(add, tails) if len(lows) == len(tails) else bound_at_lows(sum(lows), tails)


def _identity(value: Any) -> Any:
    return value


# Sums -------------------------------------------------------------------------------------------------------------

LONG_BITS = 2_000_000
"""From this length on, the coefficients of a power are found one by one, by `long_sum`."""


LONGEST = 2_000_000
"""The most coefficients that are found so; a few faces that lie farther apart have fewer sums than that."""


def law_of_sums(groups: Sequence[Group], axes: int, meter: Meter) -> Law:
    """The law where all axes are sums."""
    lows, ranges, ways = [0] * axes, [1] * axes, 1
    least = []
    for features, count in groups:
        columns = list(zip(*features, strict=True))
        least.append([min(column) for column in columns])
        for j, column in enumerate(columns):
            lows[j] += count * least[-1][j]
            ranges[j] += count * (max(column) - least[-1][j])
        ways *= sum(features.values()) ** count
    packing = packing_of(lows, ranges, ways)
    if packing.bits > LONG_BITS and axes == 1 and len(groups) == 1 and ranges[0] <= LONGEST:
        return long_sum(*groups[0], meter)
    if packing.bits > MOST_BITS or fold_is_easier(groups, [SUM] * axes, packing, 1):
        return fold(groups, [SUM] * axes, meter)
    meter.count_multiplications(packing.bits, len(groups))
    meter.count_unpacking(packing.entries)
    made = 1
    for (features, count), low in zip(groups, least, strict=True):
        made *= pack(features.items(), low, packing) ** count
    return unpack(made, packing)


def law_with_extreme(groups: Sequence[Group], axes: Sequence[Axis], meter: Meter) -> Law:
    """The law where one axis is the highest or the lowest of some of the dice, and the others are sums."""
    at = next(j for j, axis in enumerate(axes) if axis.kind != "sum")
    up = axes[at].kind == "top"
    if len(axes) == 1:
        return _law_of_extreme(groups, up)
    values = sorted({f[at] for features, _ in groups for f in features if f[at] is not None}, reverse=not up)
    rest = [j for j in range(len(axes)) if j != at]
    lows, ranges, ways = [0] * len(rest), [1] * len(rest), 1
    sorted_rows: list[tuple[list[tuple[Any, Feature, int]], list[int], int]] = []
    for features, count in groups:
        rows = [(f[at], tuple([f[j] for j in rest]), w) for f, w in features.items()]
        columns = list(zip(*(row[1] for row in rows), strict=True))
        least = [min(column) for column in columns]
        for j, column in enumerate(columns):
            lows[j] += count * least[j]
            ranges[j] += count * (max(column) - least[j])
        ways *= sum(features.values()) ** count
        sorted_rows.append((rows, least, count))
    packing = packing_of(lows, ranges, ways)
    if packing.bits * len(values) > MOST_BITS or fold_is_easier(groups, axes, packing, len(values)):
        return fold(groups, axes, meter)
    meter.count_multiplications(packing.bits, len(groups) * len(values))
    meter.count_unpacking(packing.entries * len(values))
    law: Law = {}
    polys = [pack(((f, w) for v, f, w in rows if v is None), low, packing) for rows, low, _ in sorted_rows]

    def all_ways() -> int:
        made = 1
        for poly, (_, _, count) in zip(polys, sorted_rows, strict=True):
            made *= poly**count
        return made

    before = all_ways()
    for value in (None, *values):
        if value is not None:
            for g, (rows, low, _) in enumerate(sorted_rows):
                polys[g] += pack(((f, w) for v, f, w in rows if v == value), low, packing)
            now = all_ways()
            difference, before = now - before, now
        else:
            difference = before
        for others, ways in unpack(difference, packing).items():
            law[(*others[:at], value, *others[at:])] = ways
    return law


def _law_of_extreme(groups: Sequence[Group], up: bool) -> Law:
    values = frozenset(chain.from_iterable([features for features, _ in groups])) - {_LEFT_OUT}
    keys = [_LEFT_OUT, *sorted(values, reverse=not up)]
    upto: Iterable[int] = repeat(1)
    for features, count in groups:
        of_one = accumulate(map(features.get, keys, repeat(0)))
        upto = map(mul, upto, map(pow, of_one, repeat(count)))
    upto = list(upto)
    return {key: ways for key, ways in zip(keys, map(sub, upto, (0, *upto)), strict=True) if ways}


_LEFT_OUT: Feature = (None,)


def law_of_all_but_one(groups: Sequence[Group], axis: Axis, meter: Meter) -> Law | None:
    """The law of the sum of all dice but the lowest, or but the highest. None where a die may be left out.

    The weight of a lowest value is a difference of two powers, as in `law_with_extreme`. The value is subtracted from
    the exponents of this difference, and the polynomials of all values are added.
    """
    found = {value for features, _ in groups for (value,) in features}
    if None in found:
        return None
    base, dice = min(found), sum([count for _, count in groups])
    ways = prod([sum(features.values()) ** count for features, count in groups])
    packing = packing_of([base * (dice - 1)], [(max(found) - base) * dice + 1], ways)
    if packing.bits * len(found) > MOST_BITS:
        return None
    meter.count_multiplications(packing.bits, len(groups) * len(found))
    meter.count_unpacking(packing.entries)
    size = 8 * packing.size
    polys = [0] * len(groups)
    result = before = 0
    for value in sorted(found, reverse=axis.kind == "top"):
        place = size * (value - base)
        now = 1
        for g, (features, count) in enumerate(groups):
            polys[g] += features.get((value,), 0) << place
            now *= polys[g] ** count
        result += (now - before) >> place
        before = now
    return unpack(result, packing)


# Ranks -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The plan for `ranked` axes, which read ranks of one sort of all dice, and for the `rest`, which are sums.

    `keys` are the values of a die in the order of the sort, which begins at the end where fewer ranks count. `ranks`
    tell for each ranked axis how often the die at each rank counts, and how often every die after these. After `last`
    ranks all dice count alike.
    """

    axes: Sequence[Axis]
    dice: int
    ranked: list[int]
    rest: list[int]
    keys: list[Any]
    ranks: list[tuple[list[int], int]]
    last: int

    @property
    def base(self) -> Any:
        return min(self.keys)

    @property
    def weights(self) -> list[list[int]]:
        """For each ranked axis, how often the die at every rank counts."""
        return [[*one, *[after] * (self.dice - len(one))] for one, after in self.ranks]

    def lifts_by_rank(self, packing: Packing) -> list[int]:
        """By rank, the exponent that a die adds for each step of its key above the base."""
        weights = self.weights
        return [sum(one[r] * at for one, at in zip(weights, packing.strides, strict=False)) for r in range(self.dice)]

    def lift_after_last_rank(self, packing: Packing) -> int:
        """The same for the dice after the `last` rank."""
        return sum(after * stride for (_, after), stride in zip(self.ranks, packing.strides, strict=False))


def law_of_ranks(groups: Sequence[Group], axes: Sequence[Axis], meter: Meter) -> Law | None:
    """The law where all axes but sums read ranks of one sort of all dice. None elsewhere, or if it is too large."""
    ranking = _rank_axes(groups, axes)
    if ranking is None:
        return None
    least = [[min(f[j] for f in features) for j in ranking.rest] for features, _ in groups]
    packing = _ranked_packing(groups, ranking, least)
    if packing.bits > MOST_BITS // 20:
        return None
    meter.count_unpacking(packing.entries)
    at_key = _polynomials(groups, ranking, packing, least)
    result = _packed_law_of_ranks([count for _, count in groups], ranking, packing, at_key, meter)
    return _restore_order(unpack(result, packing), ranking)


def _rank_axes(groups: Sequence[Group], axes: Sequence[Axis]) -> _Ranking | None:
    ranked = [j for j, axis in enumerate(axes) if axis.kind != "sum"]
    rest = [j for j in range(len(axes)) if j not in ranked]
    first = ranked[0]
    rows = [f for features, _ in groups for f in features]
    found = set(map(itemgetter(first), rows))
    if None in found or any(f[j] != f[first] for j in ranked[1:] for f in rows):
        return None
    dice = sum([count for _, count in groups])
    plans = {up: [ranks_of(axes[j], dice, up) for j in ranked] for up in (True, False)}
    lasts = {up: max(len(ranks) for ranks, _ in plan) for up, plan in plans.items()}
    up = lasts[True] <= lasts[False]
    return _Ranking(axes, dice, ranked, rest, sorted(found, reverse=up), plans[up], lasts[up])


def _ranked_packing(groups: Sequence[Group], ranking: _Ranking, least: list[list[int]]) -> Packing:
    """The packing of the ranked axes, followed by the sums."""
    base, top = ranking.base, max(ranking.keys)
    lows = [base * sum(one) for one in ranking.weights]
    ranges = [1 + (top - base) * sum(one) for one in ranking.weights]
    for n, j in enumerate(ranking.rest):
        lows.append(sum([count * low[n] for (_, count), low in zip(groups, least, strict=True)]))
        spans = [
            count * (max(f[j] for f in features) - low[n]) for (features, count), low in zip(groups, least, strict=True)
        ]
        ranges.append(1 + sum(spans))
    return packing_of(lows, ranges, prod([sum(features.values()) ** count for features, count in groups]))


def _polynomials(
    groups: Sequence[Group], ranking: _Ranking, packing: Packing, least: list[list[int]]
) -> list[dict[Any, int]]:
    """For every group, the packed polynomial of its sums for each key."""
    size, strides = 8 * packing.size, packing.strides[len(ranking.ranked) :]
    first = ranking.ranked[0]
    made: list[dict[Any, int]] = []
    for (features, _), low in zip(groups, least, strict=True):
        polys: dict[Any, int] = {}
        for f, weight in features.items():
            place = sum([(f[j] - low[n]) * strides[n] for n, j in enumerate(ranking.rest)])
            polys[f[first]] = polys.get(f[first], 0) + (weight << (size * place))
        made.append(polys)
    return made


def _packed_law_of_ranks(
    counts: list[int], ranking: _Ranking, packing: Packing, at_key: list[dict[Any, int]], meter: Meter
) -> int:
    """The packed law: keys are assigned to dice in the order of the sort, until the remaining dice count alike.

    A state is the number of dice of each group that have no key yet.
    """
    keys, dice, base, size = ranking.keys, ranking.dice, ranking.base, 8 * packing.size
    light, lifts = 1 + (packing.bits >> 15), ranking.lifts_by_rank(packing)
    closing = _closing_polynomials(ranking, packing, at_key)
    result = 0
    states: dict[tuple[int, ...], int] = {tuple(counts): 1}
    for number, key in enumerate(keys):
        below = keys[number + 1] if number + 1 < len(keys) else None
        for g, polys in enumerate(at_key):
            poly = polys.get(key)
            if not poly:
                continue
            made: dict[tuple[int, ...], int] = {}
            closed: dict[tuple[int, ...], int] = {}
            for left, so_far in states.items():
                placed = dice - sum(left)
                meter.spend(1 + light * left[g])
                power, lift, chosen = so_far, 0, 1
                made[left] = made.get(left, 0) + so_far
                for c in range(1, left[g] + 1):
                    power *= poly
                    chosen = chosen * (left[g] - c + 1) // c
                    meter.spend(power.bit_length() >> 13)
                    lift += lifts[placed + c - 1] * (key - base)
                    after = (*left[:g], left[g] - c, *left[g + 1 :])
                    term = chosen * power << (size * lift)
                    into = closed if placed + c >= ranking.last else made
                    into[after] = into.get(after, 0) + term
            for left, so_far in closed.items():
                # The remaining dice of this group have later keys; those of later groups may have this one.
                rest = _polynomial_of_rest(left, g, key, below, closing, meter)
                meter.spend(1 + (so_far.bit_length() >> 10) * (rest.bit_length() >> 6) // 1_000)
                result += so_far * rest
            states = made
    return result + states.get((0,) * len(counts), 0)


def _closing_polynomials(ranking: _Ranking, packing: Packing, at_key: list[dict[Any, int]]) -> list[dict[Any, int]]:
    """For every group and key, the polynomial of a die after the last rank that has this key or a later one."""
    step = 8 * packing.size * ranking.lift_after_last_rank(packing)
    made: list[dict[Any, int]] = []
    for polys in at_key:
        sums, so_far = {}, 0
        for key in reversed(ranking.keys):
            so_far += polys.get(key, 0) << (step * (key - ranking.base))
            sums[key] = so_far
        made.append(sums)
    return made


def _polynomial_of_rest(
    left: tuple[int, ...], group: int, key: Any, below: Any, closing: list[dict[Any, int]], meter: Meter
) -> int:
    """The polynomial of the remaining dice: of later groups from this key on, of the others from the one below it."""
    made = 1
    for h, remaining in enumerate(left):
        if remaining:
            bound = key if h > group else below
            one = 0 if bound is None else closing[h].get(bound, 0)
            meter.count_multiplications(one.bit_length() * remaining)
            made *= one**remaining
    return made


def _restore_order(law: Law, ranking: _Ranking) -> Law:
    """The law with the axes in their original order; a rank that no die has is None."""
    axes, order = ranking.axes, [*ranking.ranked, *ranking.rest]
    nowhere = [j for j in ranking.ranked if axes[j].kind == "kth" and not 1 <= axes[j].k <= ranking.dice]
    if not nowhere and order == list(range(len(axes))):
        return law
    made: Law = {}
    for values, weight in law.items():
        row: list[Any] = [None] * len(axes)
        for j, value in zip(order, values, strict=True):
            row[j] = value
        for j in nowhere:
            row[j] = None
        made[tuple(row)] = weight
    return made


def ranks_of(axis: Axis, dice: int, up: bool) -> tuple[list[int], int]:
    """How often the die at each rank counts, from one end of the sort, and how often every die after these."""
    if axis.kind == "kth":
        if not 1 <= axis.k <= dice:
            return [], 0
        place = axis.k if up else dice + 1 - axis.k
        return [0] * (place - 1) + [1], 0
    skip = max(min(axis.skip, dice), 0)
    k = max(min(axis.k, dice - skip), 0)
    before = skip if (axis.kind == "top") == up else dice - skip - k
    return ([0] * before, 1) if k and before + k == dice else ([0] * before + [1] * k if k else [], 0)
