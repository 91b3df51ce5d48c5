"""A roll that nobody has looked at yet: which dice there are, and what each of them may come to.

Where a ruleset rolls, odds do not branch. The roll becomes a bag, and only what is read of it is ever drawn: a few
readings by a kernel, or, where a rule handles the dice themselves, every multiset of what they may show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement, groupby, product
from math import comb, factorial, prod
from typing import Any, NamedTuple, Protocol

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.odds.brute_force import distinct
from interpreter.odds.meter import STATE, Meter
from interpreter.odds.state_keys import NO_NAMES, frozen
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.values import Die, Scoring, Throw, Thrown, face_number

Needs = frozenset[str]
"""What is looked at of a die: its `value`, first `face`, how `many` throws, the `last` one's names, or `all` of it."""

MOST_WAYS = 50_000
"""How many ways to lie the dice of one roll may have, and to fall those that are thrown where something is changed."""

THROWN = 150
"""About how many bytes a die on the table takes."""

MOST_CHAINS = 20_000
"""How many chains of one die are told apart."""

FARTHEST = 64
"""A chain that has come to its end after so many throws for certain is followed to its end."""

Elements = list[tuple[Any, int]]
"""What one die, or one pass, may come to, each with its ways."""


class DieUnit(Protocol):
    """One die of a bag. Equal units are interchangeable."""

    @property
    def die(self) -> Die: ...

    @property
    def part(self) -> str | None: ...

    @property
    def scoring(self) -> Scoring | None:
        """How it counts when it is thrown anew; None is what it shows."""

    def elements(self, needs: Needs, depth: int) -> Elements:
        """What it may come to; what differs only in what is not looked at is one."""


class PlainDie(NamedTuple):
    """A die that is thrown once."""

    die: Die
    part: str | None

    @property
    def scoring(self) -> Scoring | None:
        return None

    def elements(self, needs: Needs, depth: int) -> Elements:
        return thrown_once(self.die, self.part)


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die that lies on the table: another one that shows the same is as good."""

    lying: Thrown = field(compare=False)
    shows: Any

    @property
    def die(self) -> Die:
        return self.lying.die

    @property
    def part(self) -> str | None:
        return self.lying.part

    @property
    def scoring(self) -> Scoring | None:
        return self.lying.scoring

    def elements(self, needs: Needs, depth: int) -> Elements:
        return [(self.lying, 1)]


def comparable(seen: Any) -> Any:
    """What was seen of a die, to be compared; chains that were followed no further are alike in that."""
    return AtLeast if type(seen) is AtLeast else seen


@dataclass(frozen=True, slots=True)
class ObservedDie:
    """A die of which something is known: what `sees` tells of it is `seen`, made `comparable`."""

    first: DieUnit
    looks: Needs
    sees: Callable[[Any], Any] = field(compare=False)
    seen: Any
    key: Any

    @property
    def die(self) -> Die:
        return self.first.die

    @property
    def part(self) -> str | None:
        return self.first.part

    @property
    def scoring(self) -> Scoring | None:
        return self.first.scoring

    def elements(self, needs: Needs, depth: int) -> Elements:
        made: Elements = []
        for one, ways in self.first.elements(needs | self.looks, depth):
            try:
                if comparable(self.sees(one)) == self.seen:
                    made.append((one, ways))
            except Undecided:
                continue
        return made


@dataclass(frozen=True, slots=True)
class RerolledDie:
    """A die that is thrown once more where a condition holds; the new throw counts. `anew` is what it may come to."""

    first: DieUnit
    where: Callable[[Any], bool]
    looks: Needs
    anew: Elements
    key: Any

    @property
    def die(self) -> Die:
        return self.first.die

    @property
    def part(self) -> str | None:
        return self.first.part

    @property
    def scoring(self) -> Scoring | None:
        return self.first.scoring

    def __hash__(self) -> int:
        return hash((self.first, self.key))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RerolledDie) and (self.first, self.key) == (other.first, other.key)

    def elements(self, needs: Needs, depth: int) -> Elements:
        total = sum(ways for _, ways in self.anew)
        made: Elements = []
        for one, ways in self.first.elements(needs | self.looks, depth):
            if self.where(one):
                made += [(other, ways * times) for other, times in self.anew]
            else:
                made.append((one, ways * total))
        return made


@dataclass(frozen=True, slots=True)
class Anew:
    """A die in the hand that was thrown before, and counts as its roll says. `anew` is what it may come to."""

    die: Die
    part: str | None
    scoring: Scoring | None = field(compare=False)
    anew: Elements = field(compare=False)
    key: Any

    def elements(self, needs: Needs, depth: int) -> Elements:
        return self.anew


@dataclass(frozen=True, slots=True)
class ChainThrow:
    """One throw of a chain: what it shows and counts, the names of its `each`, whether another one follows."""

    face: Any
    counts: Any
    names: Mapping[str, Any]
    again: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """A die with `each`, `counts` or `again`. `throw` gives what its n-th throw may come to, the ways in all beside it.

    `steady` says that this is the same for every throw, `fuse` is the guard, and `at_guard` what play says of a chain
    that reaches it. `least` is the least that any throw may count, as far as the rules tell.
    """

    die: Die
    part: str | None
    throw: Callable[[int], tuple[list[tuple[ChainThrow, int]], int]]
    steady: bool
    fuse: int
    key: Any
    scoring: Scoring | None = None
    least: int | None = None
    at_guard: Diagnostic | None = field(default=None, compare=False)
    meter: Meter = field(default_factory=Meter, compare=False, repr=False)
    _found: dict[tuple[Needs, int], Elements] = field(default_factory=dict, compare=False, repr=False)

    def __hash__(self) -> int:
        return hash((self.die, self.part, self.key))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chain) and (self.die, self.part, self.key) == (other.die, other.part, other.key)

    def elements(self, needs: Needs, depth: int) -> Elements:
        """What the die may come to, kept: a chain that some steps look at is asked again for each thing they see."""
        if (needs, depth) not in self._found:
            self._found[needs, depth] = self._elements(needs, depth)
        return self._found[needs, depth]

    def _elements(self, needs: Needs, depth: int) -> Elements:
        first, _total = self.throw(1)
        if not any(one.again for one, _ in first):
            return [(self._one(one), ways) for one, ways in first]
        if all(one.again for one, _ in first):
            self._ends_after(1)
        if "all" not in needs:
            depth = self._to_its_end(depth)
        if needs <= {"value"} and (packed := self._packed(depth)):
            return packed
        return self._followed(needs, depth)

    def _to_its_end(self, depth: int) -> int:
        """How many throws to follow: all where a rule ends the chain, as `again: face == 6 and nth < 20` does."""
        if self.steady:
            return depth
        certain = all(one.again for one, _ in self.throw(1)[0])
        far: int
        for far in (FARTHEST, *((2 * FARTHEST, 4 * FARTHEST, 8 * FARTHEST, self.fuse) if certain else ())):
            if far <= depth:
                continue
            try:
                later, _ = self.throw(far)
            except PlayError:  # nobody comes this far: a list has been read to its end, say
                return depth
            if not any(one.again for one, _ in later):
                return far
        return depth

    def _ends_after(self, nth: int) -> None:
        """Raises PlayError where a chain that has come so far goes on until its guard, whatever is thrown."""
        if self.at_guard is None:
            return
        for later in range(nth + 1, nth + 2 if self.steady else self.fuse + 1):
            try:
                outcomes, _ = self.throw(later)
            except PlayError:  # another error comes before
                return
            if not all(one.again for one, _ in outcomes):
                return
        raise PlayError(self.at_guard)

    def _one(self, one: ChainThrow) -> Thrown:
        return Thrown(self.die, self.part, 0, (Throw(one.face, 1, one.counts, one.names),), one.counts, self.scoring)

    def _followed(self, needs: Needs, depth: int) -> Elements:
        """Throw by throw; chains that have come to the same, as far as anybody looks, go on together."""
        going: dict[Any, tuple[tuple[Any, tuple[Throw, ...], int], int]] = {(): ((0, (), 0), 1)}
        done: dict[Any, tuple[Thrown, int]] = {}
        for nth in range(1, min(depth, self.fuse) + 1):
            outcomes, total = self.throw(nth)
            each = 5 + 2 * nth if "all" in needs else 5  # the key of a chain has all of its throws
            self.meter.spend(each * len(going) * len(outcomes) + len(done))
            done = {key: (one, ways * total) for key, (one, ways) in done.items()}
            after: dict[Any, tuple[tuple[Any, tuple[Throw, ...], int], int]] = {}
            for (value, throws, _), ways in going.values():
                for one, more in outcomes:
                    worth = value + one.counts
                    kept = self._kept(throws, Throw(one.face, nth, one.counts, one.names), needs)
                    key = (worth if "value" in needs else None, nth if "many" in needs else None, frozen(kept))
                    if one.again:
                        before = after.get(key)
                        if before is not None and not isinstance(worth, AtLeast):
                            worth = min(worth, before[0][0])
                        after[key] = ((worth, kept, nth), ways * more + (before[1] if before else 0))
                    else:
                        shown = kept if "many" not in needs or "all" in needs else (kept[0],) * nth
                        thrown = Thrown(self.die, self.part, 0, shown, worth, self.scoring)
                        held = done.get(key)
                        done[key] = (thrown, ways * more + (held[1] if held else 0))
            going = after
            if not going:
                break
            self.meter.hold((len(going) + len(done)) * STATE)
            if len(going) + len(done) > MOST_CHAINS:
                raise PlayError(say.too_many_states(MOST_CHAINS))
        made = list(done.values())
        if going:
            self._ends_after(min(depth, self.fuse))
        for (value, throws, nth), ways in going.values():
            lost = Thrown(
                self.die, self.part, 0, TruncatedThrows(throws, nth + 1), self._tail(value, depth), self.scoring
            )
            made.append((lost, ways))
        return made

    def _kept(self, throws: tuple[Throw, ...], now: Throw, needs: Needs) -> tuple[Throw, ...]:
        if "all" in needs:
            return (*throws, now)
        if "last" in needs:
            return (throws[0], now) if throws and "face" in needs else (now,)
        if throws and ("face" in needs or "many" in needs):
            return throws[:1]
        if "face" in needs:
            return (now._replace(names=NO_NAMES),)
        return (Throw(0, 1, 0, NO_NAMES),)

    def _tail(self, value: Any, depth: int) -> Any:
        """What a chain is worth at least that was followed no further."""
        if self.least is None or self.least < 0:
            later, _ = self.throw(depth + 1)
            if not self.steady or any(isinstance(one.counts, AtLeast) or one.counts < 0 for one, _ in later):
                return AtLeast(-(1 << 62))
        return AtLeast(value.low if isinstance(value, AtLeast) else value)

    def _packed(self, depth: int) -> Elements | None:
        """The same for the value alone: polynomials in packed whole numbers, one product for each throw."""
        last = min(depth, self.fuse)
        rows: list[tuple[list[tuple[ChainThrow, int]], int]] = []
        most, ways = 0, 1
        for nth in range(1, last + 1):
            outcomes, total = self.throw(nth) if not (self.steady and rows) else (rows[-1][0], rows[-1][1])
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
        bits, going, done = 8 * size, 1, 0
        for outcomes, total in rows:
            highest = bits * max(one.counts for one, _ in outcomes)
            self.meter.multiply(highest, 2 * len(rows))
            self.meter.spend(len(outcomes) * highest >> 17)
            stops = sum(w << (bits * one.counts) for one, w in outcomes if not one.again)
            goes = sum(w << (bits * one.counts) for one, w in outcomes if one.again)
            done = done * total + going * stops
            going = going * goes
        throws = (Throw(0, 1, 0, NO_NAMES),)
        made: Elements = [(Thrown(self.die, self.part, 0, throws, v), w) for v, w in _coefficients(done, size)]
        left = list(_coefficients(going, size))
        if left:
            self._ends_after(last)
            value = self._tail(min(v for v, _ in left), last)
            made.append(
                (Thrown(self.die, self.part, 0, TruncatedThrows(throws, last + 1), value), sum(w for _, w in left))
            )
        return made


class TruncatedThrows(tuple[Throw, ...]):
    """The throws of a chain that was followed no further: of their number only the least is known, `many`.

    Nobody may look at the last.
    """

    many: AtLeast

    def __new__(cls, throws: Iterable[Throw] = (), many: int = 1) -> TruncatedThrows:
        made = super().__new__(cls, throws)
        made.many = AtLeast(many)
        return made

    def __len__(self) -> int:
        raise Undecided

    def __getitem__(self, place: Any) -> Any:
        if place == 0:
            return tuple.__getitem__(self, 0)
        raise Undecided

    def __iter__(self) -> Iterator[Throw]:
        raise Undecided

    def _undecided(self, *_: Any) -> Any:
        raise Undecided

    __contains__ = __add__ = __radd__ = __mul__ = __rmul__ = _undecided


def _coefficients(number: int, size: int) -> Iterator[tuple[int, int]]:
    data = number.to_bytes((number.bit_length() + 7) // 8 or 1, "little")
    for place in range(0, len(data), size):
        ways = int.from_bytes(data[place : place + size], "little")
        if ways:
            yield place // size, ways


@lru_cache(500)
def thrown_once(die: Die, part: str | None) -> Elements:
    return [(lying(die, part, face), times) for face, times in distinct(die)]


def lying(die: Die, part: str | None, face: Any) -> Thrown:
    """A die that shows a face after one throw."""
    worth = face_number(face)
    return Thrown(die, part, 0, (Throw(face, 1, worth, NO_NAMES),), worth)


# Bags ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LazyRoll:
    """Units in the order in which they were thrown, equal neighbours together. `name` tells bags apart."""

    name: Any
    groups: tuple[tuple[DieUnit, int], ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.name, self.groups)))

    def __hash__(self) -> int:  # a bag is part of the keys of many states
        return self._hash

    def __len__(self) -> int:
        return sum(count for _, count in self.groups)


def on_the_table(name: Any, dice: Iterable[Thrown]) -> LazyRoll:
    """A roll that lies there, as a bag: its dice stay those that they are."""
    return LazyRoll(name, tuple([(PlacedDie(one, frozen(one)), 1) for one in dice]))


def lies(bag: LazyRoll) -> bool:
    """Whether nothing of a bag is open."""
    return all(isinstance(unit, PlacedDie) for unit, _ in bag.groups)


def thrown_anew(name: Any, dice: Iterable[Thrown], touched: Mapping[int, DieUnit]) -> LazyRoll:
    """A roll that lies on the table with some of its dice back in the hand, by their keys: only these are still open.

    Dice of one kind beside each other have no order.
    """
    units: list[DieUnit] = [
        touched.get(one.key) or PlacedDie(one._replace(key=0), frozen(one._replace(key=0))) for one in dice
    ]
    runs = [sorted(run, key=repr) for _, run in groupby(units, key=lambda unit: (unit.die, unit.part))]
    return LazyRoll(name, grouped(unit for run in runs for unit in run))


def grouped_again(bags: Iterable[LazyRoll]) -> tuple[tuple[DieUnit, int], ...]:
    """The groups of several bags one after the other."""
    made: list[tuple[DieUnit, int]] = []
    for unit, count in (group for bag in bags for group in bag.groups):
        if made and made[-1][0] == unit and not isinstance(unit, PlacedDie):
            made[-1] = (unit, made[-1][1] + count)
        else:
            made.append((unit, count))
    return tuple(made)


def grouped(units: Iterable[DieUnit]) -> tuple[tuple[DieUnit, int], ...]:
    """Units in order, equal neighbours together."""
    made: list[tuple[DieUnit, int]] = []
    for unit in units:
        if made and made[-1][0] == unit:
            made[-1] = (unit, made[-1][1] + 1)
        else:
            made.append((unit, 1))
    return tuple(made)


def laid_out(
    bag: LazyRoll, depth: int, most: int, first_key: int, meter: Meter, order: ir.OrderKept = "none"
) -> tuple[list[tuple[tuple[Any, ...], int]], int]:
    """Every way that the units of a bag can come to lie, and the ways in all.

    Equal units that show the same in another order are one way, unless `order` says that a rule may tell.
    Raises PlayError where there are more than `most`.
    """
    laws: list[tuple[tuple[Any, ...], int]] = [((), 1)]
    total = 1
    for unit, count in bag.groups:
        elements = unit.elements(frozenset({"all", "value", "face", "many", "last"}), depth)
        each = sum(ways for _, ways in elements)
        total *= each**count
        in_order = order == "all" or (order == "equal" and count > 1 and _look_different(elements))
        many = len(elements) ** count if in_order else comb(len(elements) + count - 1, count)
        if len(laws) * many > most:
            raise PlayError(
                say.too_much_to_lay_out(len(bag), most, any(isinstance(one, Chain) for one, _ in bag.groups))
            )
        meter.spend(len(laws) * many * len(bag))
        meter.hold(len(laws) * many * len(bag) * THROWN)
        rows = list(_sequences(elements, count) if in_order else _multisets(elements, count))
        laws = [(a + b, v * w) for a, v in laws for b, w in rows]
    return [(_keyed(row, first_key), ways) for row, ways in laws], total


def _look_different(elements: Elements) -> bool:
    """Whether dice of equal worth may show something else."""
    values = [frozen(one.value) for one, _ in elements]
    return len(set(values)) < len(values)


def _sequences(elements: Elements, count: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    for row in product(elements, repeat=count):
        yield tuple([one for one, _ in row]), prod(ways for _, ways in row)


def _multisets(elements: Elements, count: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    if count == 1:
        for one, ways in elements:
            yield (one,), ways
        return
    for row in combinations_with_replacement(range(len(elements)), count):
        ways, run = factorial(count), 1
        for place, chosen in enumerate(row):
            run = run + 1 if place and row[place - 1] == chosen else 1
            ways = ways * elements[chosen][1] // run
        yield tuple([elements[chosen][0] for chosen in row]), ways


def _keyed(row: tuple[Any, ...], first: int) -> tuple[Any, ...]:
    """Thrown dice as different dice: each with a key of its own, where it has none yet."""
    return tuple(
        [one._replace(key=first + n) if type(one) is Thrown and not one.key else one for n, one in enumerate(row)]
    )
