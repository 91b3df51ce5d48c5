"""Lazy rolls: dice that no step has read yet, each with the distribution of its results.

A roll does not branch a state. It becomes a `LazyRoll`, and only what steps read of it is drawn: some readings, by a
kernel, or, where a rule handles the dice themselves, every multiset of their results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import log
from typing import Any, NamedTuple, Protocol

from interpreter import diagnostics as say
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.frozen import dataclass
from interpreter.odds.brute_force import distinct_faces
from interpreter.odds.meter import STATE, Meter
from interpreter.odds.state_keys import NO_NAMES, freeze
from interpreter.odds.truncation import LOWEST, UNKNOWN, AtLeast, Undecided
from interpreter.values import Die, Scoring, Throw, Thrown, face_number

Needs = frozenset[str]
"""What is read of a die: its `value`, first `face`, how `many` throws, the `last` one's names, the `names` of every
throw, or `all` of it."""

MOST_WAYS = 50_000
"""The limit on combinations of the dice of one roll, and of the dice of a step that changes the state."""


FIRST_DEPTH = 8
"""How many throws of a chain are followed at first."""

MOST_CHAINS = 20_000
"""The limit on different chains of one die."""

MOST_CERTAIN = 64
"""A chain that is certain to end within this number of throws is followed to its end."""

HARDLY_EVER = 10**12
"""A chain that reaches its guard in fewer runs than one in so many never does."""

Elements = list[tuple[Any, int]]
"""The possible results of one die, or of one pass, each with its weight."""


class DieUnit(Protocol):
    """One die of a lazy roll. Dice with equal units are interchangeable."""

    @property
    def die(self) -> Die: ...

    @property
    def part(self) -> str | None: ...

    @property
    def scoring(self) -> Scoring | None:
        """How it counts when it is rerolled; None is what it shows."""

    def elements(self, needs: Needs, depth: int) -> Elements:
        """Its possible results; those that differ only in what is not read are one."""


@dataclass(frozen=True, slots=True)
class OpenPass:
    """One of several independent passes of a `repeat`: `results` are its possible records. It has no die."""

    results: Elements = field(compare=False)
    key: Any

    @property
    def die(self) -> Die:
        raise AssertionError("a pass is no die")

    @property
    def part(self) -> str | None:
        return None

    @property
    def scoring(self) -> Scoring | None:
        return None

    def elements(self, needs: Needs, depth: int) -> Elements:
        return self.results


class PlainDie(NamedTuple):
    """A die that is thrown once."""

    die: Die
    part: str | None

    @property
    def scoring(self) -> Scoring | None:
        return None

    def elements(self, needs: Needs, depth: int) -> Elements:
        return results_of_one_throw(self.die, self.part)


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die that has been thrown. `key` is equal for dice that show the same: they are interchangeable."""

    thrown: Thrown = field(compare=False)
    key: Any

    @property
    def die(self) -> Die:
        return self.thrown.die

    @property
    def part(self) -> str | None:
        return self.thrown.part

    @property
    def scoring(self) -> Scoring | None:
        return self.thrown.scoring

    def elements(self, needs: Needs, depth: int) -> Elements:
        return [(self.thrown, 1)]


def comparison_key(observed: Any) -> Any:
    """What is known of a die, for comparison; all lower bounds are equal."""
    return AtLeast if type(observed) is AtLeast else observed


@dataclass(frozen=True, slots=True)
class ObservedDie:
    """A die of which something is known: `observe`, which reads `reads`, gives `observed`, compared by its key."""

    unit: DieUnit
    reads: Needs
    observe: Callable[[Any], Any] = field(compare=False)
    observed: Any
    key: Any

    @property
    def die(self) -> Die:
        return self.unit.die

    @property
    def part(self) -> str | None:
        return self.unit.part

    @property
    def scoring(self) -> Scoring | None:
        return self.unit.scoring

    def elements(self, needs: Needs, depth: int) -> Elements:
        made: Elements = []
        for one, ways in self.unit.elements(needs | self.reads, depth):
            try:
                if comparison_key(self.observe(one)) == self.observed:
                    made.append((one, ways))
            except Undecided:
                continue
        return made


@dataclass(frozen=True, slots=True)
class RerolledDie:
    """A die that is rerolled where a condition holds; the new throw counts. `rerolled` are the results of that."""

    unit: DieUnit
    where: Callable[[Any], bool]
    reads: Needs
    rerolled: Elements
    key: Any

    @property
    def die(self) -> Die:
        return self.unit.die

    @property
    def part(self) -> str | None:
        return self.unit.part

    @property
    def scoring(self) -> Scoring | None:
        return self.unit.scoring

    def __hash__(self) -> int:
        return hash((self.unit, self.key))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RerolledDie) and (self.unit, self.key) == (other.unit, other.key)

    def elements(self, needs: Needs, depth: int) -> Elements:
        total, again = sum(ways for _, ways in self.rerolled), 0
        made: dict[Any, tuple[Any, int]] = {}
        for one, ways in self.unit.elements(needs | self.reads, depth):
            try:
                if self.where(one):
                    again += ways
                    continue
            except Undecided:  # nothing is known of the die that results
                one = undecided_die(self)
            _add_element(made, one, ways * total)
        for one, ways in self.rerolled if again else ():
            _add_element(made, one, ways * again)
        return list(made.values())


def _add_element(made: dict[Any, tuple[Any, int]], one: Any, ways: int) -> None:
    """Add a result of a die; equal results are one."""
    key = freeze(one)
    made[key] = (one, ways + (made[key][1] if key in made else 0))


@dataclass(frozen=True, slots=True)
class NewThrow:
    """A die that is thrown again, and counts as its roll says. `rerolled` are the possible results."""

    die: Die
    part: str | None
    scoring: Scoring | None = field(compare=False)
    rerolled: Elements = field(compare=False)
    key: Any

    def elements(self, needs: Needs, depth: int) -> Elements:
        return self.rerolled


@dataclass(frozen=True, slots=True)
class ChainThrow:
    """One throw of a chain: its face, what it counts, the values of its `each`, and whether another throw follows."""

    face: Any
    counts: Any
    names: Mapping[str, Any]
    again: bool


ThrowLaw = tuple[list[tuple[ChainThrow, int]], int]
"""The results of a throw, each with its weight, and their total weight."""


class _Beyond(NamedTuple):
    """What follows a truncated chain: the mean number of its throws, and the mean of what they count, if known."""

    throws: Fraction
    value: Fraction | None


@dataclass(frozen=True, slots=True)
class Chain:
    """A die with `each`, `counts` or `again`. `law` gives the results of its n-th throw, and their total weight.

    It is `stationary` if it is the same for every throw. `guard` is the limit on throws, and `guard_error` what play
    reports of a chain that reaches it. `least` is a lower bound of what any throw counts; None where there is none.
    """

    die: Die
    part: str | None
    law: Callable[[int], ThrowLaw]
    stationary: bool
    guard: int
    key: Any
    scoring: Scoring | None = None
    least: int | None = None
    guard_error: Diagnostic | None = field(default=None, compare=False)
    meter: Meter = field(default_factory=Meter, compare=False, repr=False)
    _laws: dict[int, ThrowLaw] = field(default_factory=dict, compare=False, repr=False)
    _found: dict[tuple[Needs, int], Elements] = field(default_factory=dict, compare=False, repr=False)

    def __hash__(self) -> int:
        return hash((self.die, self.part, self.key))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chain) and (self.die, self.part, self.key) == (other.die, other.part, other.key)

    def throw_law(self, nth: int) -> ThrowLaw:
        """The results of the n-th throw, with weights, and their total weight; kept."""
        if nth not in self._laws:
            self._laws[nth] = self.law(nth)
        return self._laws[nth]

    @property
    def counts_where_it_goes_on(self) -> int | None:
        """What every throw counts after which the die is thrown again, if that is one number above 0."""
        if not self.stationary:
            return None
        counts = {one.counts for one, _ in self.throw_law(1)[0] if one.again}
        only = counts.pop() if len(counts) == 1 else None
        return only if type(only) is int and only > 0 else None

    def elements(self, needs: Needs, depth: int) -> Elements:
        """The results of the die, kept: they are needed once for each reading."""
        if (needs, depth) not in self._found:
            self._found[needs, depth] = self._compute_elements(needs, depth)
        return self._found[needs, depth]

    def _compute_elements(self, needs: Needs, depth: int) -> Elements:
        first, _total = self.throw_law(1)
        if not any(one.again for one, _ in first):
            return [(self._single_throw(one), ways) for one, ways in first]
        if all(one.again for one, _ in first):
            self._check_that_it_may_end(1)
        if (settled := self._law_of_last_throw(needs)) is not None:
            return settled
        if "all" not in needs:
            depth = self._depth_to_end(depth)
        if needs <= {"value"} and (packed := self._values_by_polynomials(depth)):
            return packed
        return self._enumerate_throws(needs, depth)

    def _law_of_last_throw(self, needs: Needs) -> Elements | None:
        """The results of a die whose further throws replace what it shows, such as one that is rerolled until it shows
        no 1: those of its last throw, without a limit. None of any other die.

        All throws are alike, and one that the die is thrown on after counts 0, so the last throw has the law of the
        throws that end it (of a Markov chain whose states come again: J. G. Kemeny and J. L. Snell, "Finite Markov
        Chains", 1960, chapter III).
        """
        if not self.stationary or needs & {"many", "names", "all"}:
            return None
        law, total = self.throw_law(1)
        ends = [(one, ways) for one, ways in law if not one.again]
        whole, goes = sum([ways for _, ways in ends]), sum([ways for one, ways in law if one.again])
        if not ends or whole + goes != total or self.guard * log(total / goes) < log(HARDLY_EVER):
            return None
        if any(type(one.counts) is not int or one.counts != 0 for one, _ in law if one.again):
            return None
        made: dict[Any, tuple[Thrown, int]] = {}
        for first, ways in law:
            for last, more in ends if first.again else [(first, whole)]:
                kept: tuple[Throw, ...] = ()
                for nth, one in enumerate((first, last) if first.again else (first,), 1):
                    kept = kept_throws(kept, Throw(one.face, nth, one.counts, one.names), needs)
                thrown = Thrown(self.die, self.part, 0, kept, last.counts, self.scoring)
                key = (freeze(last.counts) if "value" in needs else None, freeze(kept))
                made[key] = (thrown, ways * more + (made[key][1] if key in made else 0))
        return list(made.values())

    def _depth_to_end(self, depth: int) -> int:
        """How many throws to follow: all if a rule ends the chain, as `again: face == 6 and nth < 20` does."""
        if self.stationary:
            return depth
        certain = all(one.again for one, _ in self.throw_law(1)[0])
        far: int
        for far in (
            MOST_CERTAIN,
            *((2 * MOST_CERTAIN, 4 * MOST_CERTAIN, 8 * MOST_CERTAIN, self.guard) if certain else ()),
        ):
            if far <= depth:
                continue
            try:
                later, _ = self.throw_law(far)
            except PlayError:  # no run reaches this throw; a list may have been read to its end, for example
                return depth
            if not any(one.again for one, _ in later):
                return far
        return depth

    def _check_that_it_may_end(self, nth: int) -> None:
        """Raises PlayError if a chain that has reached the n-th throw is certain to reach its guard."""
        if self.guard_error is None:
            return
        for later in range(nth + 1, nth + 2 if self.stationary else self.guard + 1):
            try:
                outcomes, _ = self.throw_law(later)
            except PlayError:  # play reports another error first
                return
            if not all(one.again for one, _ in outcomes):
                return
        raise PlayError(self.guard_error)

    def _single_throw(self, one: ChainThrow) -> Thrown:
        return Thrown(self.die, self.part, 0, (Throw(one.face, 1, one.counts, one.names),), one.counts, self.scoring)

    def _enumerate_throws(self, needs: Needs, depth: int) -> Elements:
        """The results, throw by throw; chains that are equal in what is needed are merged."""
        unfinished: dict[Any, tuple[tuple[Any, tuple[Throw, ...], int], int]] = {(): ((0, (), 0), 1)}
        done: dict[Any, tuple[Thrown, int]] = {}
        for nth in range(1, min(depth, self.guard) + 1):
            outcomes, total = self.throw_law(nth)
            each = 5 + 2 * nth if "all" in needs else 5  # the key of a chain has all of its throws
            self.meter.spend(each * len(unfinished) * len(outcomes) + len(done))
            done = {key: (one, ways * total) for key, (one, ways) in done.items()}
            after: dict[Any, tuple[tuple[Any, tuple[Throw, ...], int], int]] = {}
            for (value, throws, _), ways in unfinished.values():
                for one, more in outcomes:
                    total_value = value + one.counts
                    kept = kept_throws(throws, Throw(one.face, nth, one.counts, one.names), needs)
                    now = freeze(total_value) if "value" in needs else None
                    key = (now, nth if "many" in needs else None, freeze(kept))
                    if one.again:
                        before = after.get(key)
                        if before is not None and not isinstance(total_value, AtLeast):
                            total_value = min(total_value, before[0][0])
                        after[key] = ((total_value, kept, nth), ways * more + (before[1] if before else 0))
                    else:
                        thrown = Thrown(
                            self.die, self.part, 0, throws_from_kept(kept, nth, needs), total_value, self.scoring
                        )
                        held = done.get(key)
                        done[key] = (thrown, ways * more + (held[1] if held else 0))
            unfinished = after
            if not unfinished:
                break
            self.meter.check_memory((len(unfinished) + len(done)) * STATE)
            if len(unfinished) + len(done) > MOST_CHAINS:
                raise PlayError(say.too_many_states(MOST_CHAINS))
        made = list(done.values())
        if unfinished:
            self._check_that_it_may_end(min(depth, self.guard))
        beyond = self._means_beyond_throw() if unfinished else None
        tails: dict[Any, tuple[AtLeast, tuple[Throw, ...], int, int]] = {}
        for (so_far, throws, nth), ways in unfinished.values():
            mean = so_far.mean if isinstance(so_far, AtLeast) else Fraction(so_far)
            bound = self._bounded_below(so_far, mean if "value" in needs else None, beyond, depth)
            tail_key = (bound.low, freeze(throws))
            tail = tails.get(tail_key)
            if tail is not None:
                bound, ways = tail[0].mix(tail[3], bound, ways), tail[3] + ways
            tails[tail_key] = (bound, throws, nth, ways)
        for bound, throws, nth, ways in tails.values():
            cut = TruncatedThrows(throws, nth + 1, None if beyond is None else beyond.throws - 1)
            counted: Any = bound
            made.append((Thrown(self.die, self.part, 0, cut, counted, self.scoring), ways))
        return made

    def _bounded_below(self, value: Any, mean: Fraction | None, beyond: _Beyond | None, depth: int) -> AtLeast:
        """The bound of a chain that has at least this value, and this `mean`, where it is truncated."""
        low = value.low if isinstance(value, AtLeast) else value
        if self.least is None or self.least < 0:
            later, _ = self.throw_law(depth + 1)
            if not self.stationary or any(isinstance(one.counts, AtLeast) or one.counts < 0 for one, _ in later):
                low = LOWEST
        if mean is None or beyond is None or beyond.value is None:
            return AtLeast(low)
        return AtLeast(low, mean + beyond.value - low)

    def _means_beyond_throw(self) -> _Beyond | None:
        """The means of what follows a throw after which the die is thrown again; None unless all throws are alike.

        With the chance `p` of another throw, `1 / (1 - p)` throws follow. Each of them counts the mean of any throw,
        as whether a throw takes place does not depend on what it counts (Wald's equation). The guard is no part of
        this, as it is none of the lower bound.
        """
        if not self.stationary:
            return None
        law, total = self.throw_law(1)
        ends = sum(ways for one, ways in law if not one.again)
        if not ends or sum(ways for _, ways in law) != total:
            return None
        whole = Fraction(0)
        for one, ways in law:
            mean = one.counts.mean if isinstance(one.counts, AtLeast) else one.counts
            if mean is None:
                return _Beyond(Fraction(total, ends), None)
            whole += mean * ways
        return _Beyond(Fraction(total, ends), whole / ends)

    def _values_by_polynomials(self, depth: int) -> Elements | None:
        """The same for the value alone, by packed polynomials, with one product for each throw; None if too large."""
        last = min(depth, self.guard)
        rows: list[ThrowLaw] = []
        most, ways = 0, 1
        for nth in range(1, last + 1):
            outcomes, total = self.throw_law(nth) if not (self.stationary and rows) else (rows[-1][0], rows[-1][1])
            if any(isinstance(one.counts, AtLeast) or one.counts < 0 for one, _ in outcomes):
                return None
            rows.append((outcomes, total))
            most += max(one.counts for one, _ in outcomes)
            ways *= total
            if not any(one.again for one, _ in outcomes):
                break
        size = (ways.bit_length() + 8) // 8
        if size * (most + 1) > 4_000_000:
            return None
        bits, unfinished, done = 8 * size, 1, 0
        for outcomes, total in rows:
            highest = bits * max(one.counts for one, _ in outcomes)
            self.meter.count_multiplications(highest, 2 * len(rows))
            self.meter.spend(len(outcomes) * highest >> 17)
            stops = sum(w << (bits * one.counts) for one, w in outcomes if not one.again)
            goes = sum(w << (bits * one.counts) for one, w in outcomes if one.again)
            done = done * total + unfinished * stops
            unfinished = unfinished * goes
        throws = (Throw(0, 1, 0, NO_NAMES),)
        made: Elements = [(Thrown(self.die, self.part, 0, throws, v), w) for v, w in _coefficients(done, size)]
        left = list(_coefficients(unfinished, size))
        if left:
            self._check_that_it_may_end(last)
            weight = sum(w for _, w in left)
            mean = Fraction(sum(v * w for v, w in left), weight)
            value: Any = self._bounded_below(min(v for v, _ in left), mean, self._means_beyond_throw(), last)
            made.append((Thrown(self.die, self.part, 0, TruncatedThrows(throws, last + 1), value), weight))
        return made


def kept_throws(throws: tuple[Throw, ...], now: Throw, needs: Needs) -> tuple[Throw, ...]:
    """What has to be kept of the throws of a die and of the next one."""
    if "all" in needs:
        return (*throws, now)
    if "names" in needs:
        return (*throws, now._replace(face=now.face if "face" in needs and not throws else 0, nth=1, counts=0))
    if "last" in needs:
        return (throws[0], now) if throws and "face" in needs else (now,)
    if throws and ("face" in needs or "many" in needs):
        return throws[:1]
    if "face" in needs:
        return (now._replace(names=NO_NAMES),)
    return (Throw(0, 1, 0, NO_NAMES),)


def throws_from_kept(kept: tuple[Throw, ...], many: int, needs: Needs) -> tuple[Throw, ...]:
    """The throws of a die that was thrown `many` times, from those that are kept."""
    return kept if "many" not in needs or needs & {"all", "names"} else (kept[0],) * many


class TruncatedThrows(tuple[Throw, ...]):
    """The throws of a truncated chain: of their number, `many`, only a lower bound is known, and perhaps the mean.

    Reading any but the first raises Undecided.
    """

    many: AtLeast

    def __new__(cls, throws: Iterable[Throw] = (), many: int = 1, above: Fraction | None = None) -> TruncatedThrows:
        made = super().__new__(cls, throws)
        made.many = AtLeast(many, above)
        return made

    def __len__(self) -> int:
        raise Undecided

    def __getitem__(self, place: Any) -> Any:
        if place == 0 and super().__len__():
            return super().__getitem__(0)
        raise Undecided

    def __iter__(self) -> Iterator[Throw]:
        raise Undecided

    def _raise_undecided(self, *_: Any) -> Any:
        raise Undecided

    __contains__ = __add__ = __radd__ = __mul__ = __rmul__ = _raise_undecided


def without_kept_results(unit: DieUnit) -> DieUnit:
    """The same die without what was found of it before, whose work counts once more."""
    match unit:
        case Chain():
            return replace(unit, _laws={}, _found={})
        case RerolledDie() | ObservedDie():
            return replace(unit, unit=without_kept_results(unit.unit))
    return unit


def undecided_die(unit: DieUnit) -> Thrown:
    """A die of a unit of which nothing is known: reading what it shows or counts raises Undecided."""
    return Thrown(unit.die, unit.part, 0, TruncatedThrows(), UNKNOWN)


def _coefficients(number: int, size: int) -> Iterator[tuple[int, int]]:
    data = number.to_bytes((number.bit_length() + 7) // 8 or 1, "little")
    for place in range(0, len(data), size):
        ways = int.from_bytes(data[place : place + size], "little")
        if ways:
            yield place // size, ways


@lru_cache(500)
def results_of_one_throw(die: Die, part: str | None) -> Elements:
    return [(thrown_die(die, part, face), times) for face, times in distinct_faces(die)]


def thrown_die(die: Die, part: str | None, face: Any) -> Thrown:
    """A die that shows a face after one throw."""
    value = face_number(face)
    return Thrown(die, part, 0, (Throw(face, 1, value, NO_NAMES),), value)


# Lazy rolls ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LazyRoll:
    """Units in the order in which they were thrown, equal neighbours in one group. `name` identifies the roll."""

    name: Any
    groups: tuple[tuple[DieUnit, int], ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.name, self.groups)))

    def __hash__(self) -> int:  # kept, as a lazy roll is part of the keys of many states
        return self._hash

    def __len__(self) -> int:
        return sum(count for _, count in self.groups)

    def mean_of_sum(self) -> Fraction:
        """The mean of the sum of its dice. Raises Undecided where that of a die without end is not known."""
        found = Fraction(0)
        for unit, count in self.groups:
            rows = unit.elements(frozenset({"value"}), FIRST_DEPTH)
            total = sum(ways for _, ways in rows)
            found += count * sum((_mean(one.value) * Fraction(ways, total) for one, ways in rows), Fraction(0))
        return found


def _mean(value: int | AtLeast) -> Fraction | int:
    if not isinstance(value, AtLeast):
        return value
    if value.mean is None:
        raise Undecided
    return value.mean


def placed_roll(name: Any, dice: Iterable[Thrown]) -> LazyRoll:
    """A roll that has been thrown, as a lazy roll."""
    return LazyRoll(name, tuple([(PlacedDie(one, freeze(one)), 1) for one in dice]))


def is_placed(lazy: LazyRoll) -> bool:
    """Whether all dice of a lazy roll have been thrown."""
    return all(isinstance(unit, PlacedDie) for unit, _ in lazy.groups)


def with_open_dice(name: Any, dice: Sequence[Thrown], touched: Mapping[int, DieUnit], keyed: bool = False) -> LazyRoll:
    """A roll of thrown dice, except for the units in `touched`, by the key of the die, which are open.

    Neighbours of one kind are in no order. With `keyed`, the thrown dice keep their keys.
    """
    placed = [one if keyed else one.with_key(0) for one in dice]
    units: list[DieUnit] = [
        touched.get(one.key) or PlacedDie(put, freeze(put)) for one, put in zip(dice, placed, strict=True)
    ]
    runs = [sorted(run, key=_sort_key) for _, run in groupby(units, key=lambda unit: (unit.die, unit.part))]
    return LazyRoll(name, group_units(unit for run in runs for unit in run))


def _sort_key(unit: DieUnit) -> Any:
    """A key by which units of one kind of die are in the same order wherever they are put together."""
    if type(unit) is PlainDie:
        return (0, 0, "")
    if type(unit) is PlacedDie and unit.thrown.key:
        return (1, unit.thrown.key, "")
    return (2, 0, repr(unit))


def join_groups(rolls: Iterable[LazyRoll]) -> tuple[tuple[DieUnit, int], ...]:
    """The groups of several lazy rolls, one after the other."""
    made: list[tuple[DieUnit, int]] = []
    for unit, count in (group for lazy in rolls for group in lazy.groups):
        if made and made[-1][0] == unit and not isinstance(unit, PlacedDie):
            made[-1] = (unit, made[-1][1] + count)
        else:
            made.append((unit, count))
    return tuple(made)


def group_units(units: Iterable[DieUnit]) -> tuple[tuple[DieUnit, int], ...]:
    """Units in order, equal neighbours in one group."""
    made: list[tuple[DieUnit, int]] = []
    for unit in units:
        if made and made[-1][0] == unit:
            made[-1] = (unit, made[-1][1] + 1)
        else:
            made.append((unit, 1))
    return tuple(made)


ALL_OF_A_DIE: Needs = frozenset({"all", "value", "face", "many", "last"})
