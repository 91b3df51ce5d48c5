"""The answer to a question about odds: exact laws by name, what is missing of them, and the best strategy."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter.budget import metered
from interpreter.chances.bounded import Bounded
from interpreter.diagnostics import PlayError
from interpreter.ir.types import LARGEST
from interpreter.odds.truncation import AtLeast
from interpreter.pickled import reduce_by
from interpreter.values import in_words
from interpreter.work_count import spend

Values = tuple[Any, ...]

SMALL_ERROR = Fraction(1, 10**9)
"""With a mean that may be off by no more, chains are not followed further for its sake."""

FARTHER = 20
"""How many times the work of an answer may have to fit into what is allowed for chains to be followed further."""

LARGEST_ERROR = 1e-3
"""By how much a mean may be off at the most, of itself or of 1, and is told."""


class DieSeen(NamedTuple):
    """What a die shows, and which one it is, such as `d6`."""

    face: int
    die: str


@dataclass(frozen=True)
class Advice:
    """One decision of a strategy: at the choice `path`, knowing `seen` (value by name), the best answer is `answer`.

    `chance` is how likely a run is to reach this decision. `readings` are numbers that are read of the rolls that are
    seen, such as the lowest, by what they are in words. `hands` are the dice of these rolls, from the highest, and
    `picked` those that are answered, if the answer is dice; rolls of dice that show words, or that count otherwise than
    they show, are left out.
    """

    path: str
    seen: Mapping[str, Any]
    answer: Any
    chance: Fraction
    readings: Mapping[str, int] = field(default_factory=dict)
    hands: Mapping[str, tuple[DieSeen, ...]] = field(default_factory=dict)
    picked: tuple[DieSeen, ...] | None = None


@dataclass(frozen=True)
class WorkDone:
    """What a law took: states in all and units of work, of which there may be `allowed`; `waited` says how many states
    there were before and in which steps, the most first."""

    states: int
    work: int
    allowed: int
    waited: tuple[tuple[str, int], ...]


REDUCED = 128
"""How many bits of a fraction are reduced in the time of a unit of work."""
SUMMED = 16
"""How many chances are added up in the time in which one is reduced."""


@dataclass(frozen=True)
class Law:
    """The joint law of some values: the weight of each combination in `ways`, out of `total`.

    `open` are combinations of which a number is only known by its lower bound, and perhaps by its mean. Their weights
    are missing from `ways`. `why` says why only the likeliest runs were followed, where that is so, and `cost` what the
    law took. The `doubt` is by how much its best answers may fall short of others.
    """

    ways: Mapping[Values, int | Fraction]
    total: int = 1
    strategy: tuple[Advice, ...] = ()
    open: tuple[tuple[Values, int | Fraction], ...] = ()
    why: str = ""
    cost: WorkDone | None = field(default=None, compare=False)
    doubt: float = 0.0

    @cached_property
    def weights(self) -> Mapping[Values, Fraction]:
        """Exact chances, which sum to 1 together with what is `missing`."""
        made: dict[Values, Fraction] = {}
        for values, ways in self.ways.items():
            spend(self.work_of_a_chance)
            made[values] = Fraction(ways, self.total)
        return made

    @cached_property
    def work_of_a_chance(self) -> int:
        """The units of work in which a chance is reduced."""
        return 1 + self.total.bit_length() // REDUCED

    @cached_property
    def missing(self) -> Fraction:
        """The chance of what was not followed to its end, such as dice that explode without end."""
        return Fraction(self.total - sum(self.ways.values()), self.total)

    @cached_property
    def tails(self) -> Mapping[int, int | Fraction]:
        """For the law of one number: weights that are missing, by the lower bound of the number."""
        tails: dict[int, int | Fraction] = {}
        for (value,), ways in self.open:
            tails[value.low] = tails.get(value.low, 0) + ways
        return tails

    def between(self, value: Any) -> tuple[Fraction, Fraction]:
        """The chance of a value, for the law of one name, at the least and at the most: what is missing may have it."""
        low = self.weights.get((value,), Fraction(0))
        never = sum([ways for least, ways in self.tails.items() if not isinstance(value, int) or value < least])
        return low, low + self.missing - Fraction(never, self.total)

    @cached_property
    def mean(self) -> Fraction | None:
        """The mean of the law of one number; None if part of it is missing and the mean of that part is not exact.

        The values in `ways` must be numbers.
        """
        found = [(value.mean, ways) for (value,), ways in self.open]
        spend(len(self.ways) * self.work_of_a_chance // SUMMED)
        known = sum(self.ways.values()) + sum([ways for mean, ways in found if mean is not None])
        if known != self.total:
            return None
        beyond = sum([mean * ways for mean, ways in found], Fraction(0))
        # Whole numbers over one total add up much faster than fractions.
        return Fraction(sum([value * ways for (value,), ways in self.ways.items()]) + beyond) / self.total

    def mean_between(self, lowest: int = -LARGEST, highest: int = LARGEST) -> tuple[Fraction, Fraction]:
        """The bounds of the mean of the law of one number, no value of which is below `lowest` or above `highest`."""
        if self.mean is not None:
            return self.mean, self.mean
        least = most = Fraction(sum([value * ways for (value,), ways in self.ways.items()]))
        left = self.total - sum(self.ways.values())
        for (value,), ways in self.open:
            low, high = value.mean_between or (Fraction(value.low), Fraction(highest))
            if low != high:
                low, high = max(low, Fraction(lowest)), min(high, Fraction(highest))
            least, most, left = least + ways * low, most + ways * high, left - ways
        return (least + left * lowest) / self.total, (most + left * highest) / self.total

    def without_means(self) -> Law:
        """The law with nothing but the bounds of what is missing."""
        return replace(self, open=tuple([(tuple(map(_without_mean, values)), ways) for values, ways in self.open]))

    def among(self, together: tuple[str, ...], tests: Mapping[str, Callable[[Any], bool]], names: Sequence[str]) -> Law:
        """The law of some of its names, out of the runs whose values meet the tests; `together` are all its names.

        What was not followed may be such a run or not, so it stays missing: each chance is at least its weight out of
        all runs that may be meant. Raises PlayError where no run is meant.
        """
        places = {name: place for place, name in enumerate(together)}
        wanted = [(places[name], holds) for name, holds in tests.items()]
        shown = [places[name] for name in names]
        ways: dict[Values, int | Fraction] = {}
        for values, weight in self.ways.items():
            if all(holds(values[place]) for place, holds in wanted):
                key = tuple([values[place] for place in shown])
                ways[key] = ways.get(key, 0) + weight
        if not ways:
            raise PlayError(say.condition_never_met(tests))
        missing = self.total - sum(self.ways.values())
        left: list[tuple[Values, int | Fraction]] = []
        for values, weight in self.open:
            known = [holds(values[place]) for place, holds in wanted if type(values[place]) is not AtLeast]
            if not all(known):
                missing -= weight
            elif len(known) == len(wanted):
                left.append((tuple([values[place] for place in shown]), weight))
        scale = math.lcm(*(weight.denominator for weight in (*ways.values(), *[ways for _, ways in left], missing)))
        whole = {values: int(weight * scale) for values, weight in ways.items()}
        rest = tuple([(values, int(weight * scale)) for values, weight in left])
        return Law(whole, sum(whole.values()) + int(missing * scale), self.strategy, rest, self.why, self.cost)


Again = tuple[Callable[..., "Odds"], tuple[Any, ...]]
"""A function that makes odds, and what it takes: how odds are asked again in another process."""


def _range_of_any_number(name: str) -> tuple[int, int]:
    return -LARGEST, LARGEST


@dataclass(frozen=True)
class Odds:
    """The exact odds of a mechanic with given inputs.

    Each law is computed when it is first asked for, and kept. Names are `outcome`, those of `also`, and those of steps,
    with a dot before a field of a record (`test.total`). In runs where a name has no value, it is None.
    """

    ruleset: str
    mechanic: str
    inputs: Mapping[str, Any]
    known: Mapping[str, tuple[Any, ...]]
    """Every name that can be asked for, with its values where they are a closed list of words."""
    ask: Callable[[tuple[str, ...]], Law] = field(repr=False)
    _laws: dict[tuple[str, ...], Law] = field(default_factory=dict, repr=False)
    ask_farthest: Callable[[tuple[str, ...]], Law] | None = field(default=None, repr=False)
    composite: frozenset[str] = field(default=frozenset(), repr=False)
    """The names whose values are rolls, records or lists: nobody reads a law of those unless they ask for it."""
    range_of: Callable[[str], tuple[int, int]] = field(default=_range_of_any_number, repr=False)
    """The lowest and the highest number that a name may have."""
    again: Again | None = field(default=None, repr=False, compare=False)
    """How another process makes them to work out what is not known yet: a pickle has this and the laws."""

    def __reduce__(self) -> tuple[Any, ...]:
        if self.again is None:
            raise TypeError(f"odds of `{self.mechanic}` that no game has made cannot be pickled")
        held = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in _FUNCTIONS}
        return reduce_by(_remake_odds, type(self), held, self.ask_farthest is not None)

    @property
    def results(self) -> tuple[str, ...]:
        """The names that are shown where none are asked for."""
        return results_of(self.known, self.composite)

    @metered
    def law(self, *names: str) -> Law:
        """The joint law of some names. Raises PlayError for an unknown name, or if it exceeds a limit."""
        if names not in self._laws:
            self._laws[names] = self.ask(names)
        return self._laws[names]

    @metered
    def farthest(self, *names: str) -> Law:
        """The same law, followed as far as possible, and not only until hardly anything is missing."""
        law = self.law(*names)
        return self.ask_farthest(names) if law.missing and self.ask_farthest is not None else law

    def when(self, conditions: Mapping[str, Any]) -> Odds:
        """The odds of those runs alone in which names have certain values.

        `odds.when({"outcome": "hit"}).mean("harm")` is the mean harm of a hit. A condition is a value, a list or a set
        of values, or a function of the value. The laws of the answer raise PlayError for an unknown name, where a limit
        is exceeded, and where no run is meant.
        """
        tests = {name: test_of(wanted) for name, wanted in conditions.items()}

        def among(law_of: Callable[..., Law], names: tuple[str, ...]) -> Law:
            together = tuple(dict.fromkeys((*tests, *names)))
            return law_of(*together).among(together, tests, names)

        farthest = None if self.ask_farthest is None else partial(among, self.farthest)
        again = (_when, (self, dict(conditions))) if self.again is not None else None
        return replace(self, ask=partial(among, self.law), ask_farthest=farthest, _laws={}, again=again)

    @property
    def exact(self) -> bool:
        """Whether chances are exact fractions, and not estimates."""
        return True

    @property
    def method(self) -> str:
        """The method, in words."""
        return "exact odds"

    @property
    def outcomes(self) -> Mapping[str, Fraction]:
        """How likely each outcome is, in the order of the ruleset."""
        return self.of("outcome") if "outcome" in self.known else {}

    @metered
    def of(self, name: str) -> Mapping[Any, Fraction]:
        """How likely each value of a name is: words in the order of the ruleset, numbers from the lowest."""
        weights = {values[0]: weight for values, weight in self.law(name).weights.items()}
        words = self.known.get(name, ())
        return {value: weights.get(value, Fraction(0)) for value in (*words, *sort_values(weights.keys() - set(words)))}

    @metered
    def joint(self, *names: str) -> Mapping[Values, Fraction]:
        """How likely each possible combination of values is, in the order of `of`."""
        weights = self.law(*names).weights
        places = [{word: place for place, word in enumerate(self.known.get(name, ()))} for name in names]

        def key(values: Values) -> list[Any]:
            return [
                (0, of[value]) if value in of else (1, _sort_key(value))
                for of, value in zip(places, values, strict=True)
            ]

        return {values: weights[values] for values in sorted(weights, key=key)}

    @property
    def missing(self) -> Fraction:
        """The chance of what was not followed to its end, for the first of the `results`."""
        return self.missing_of(self.results[0])

    def missing_of(self, *names: str) -> Fraction:
        """The chance of what was not followed to its end when these names are asked for."""
        return self.law(*names).missing

    @metered
    def bounds(self, name: str) -> Mapping[Any, tuple[Fraction, Fraction]]:
        """The chance of each value of a name at the least and at the most: equal where nothing is missing.

        What was not followed may have any value, and a number also one that is not among those that were found.
        """
        law = self.law(name)
        return {value: law.between(value) for value in self.of(name)}

    def why_of(self, *names: str) -> str:
        """Why only the likeliest runs were followed when these names are asked for; empty where all were."""
        return self.law(*names).why

    @metered
    def mean(self, name: str) -> Fraction:
        """The mean of a number; yes counts 1.

        Where dice explode without end, it is that of the dice without the guard of their roll. Where it is not known
        exactly, it is `Bounded`, with the error that it may have. Raises PlayError if the name is no number, or if that
        error is more than a thousandth.
        """
        self._chances_of_numbers(name, whole=False)
        low, high = self.mean_between(name, SMALL_ERROR)
        if low == high:
            return low
        found = Bounded.between(low, high)
        if found.error > LARGEST_ERROR * max(1.0, abs(float(found))):
            raise PlayError(say.mean_is_open(name, self.missing_of(name)))
        return found

    def mean_between(self, name: str, error: Fraction = Fraction(0)) -> tuple[Fraction, Fraction]:
        """The bounds of the mean of a number: equal where it is known exactly.

        Where they are farther apart than `error`, chains are followed as far as possible, if that does not take long.
        """
        law = self.law(name)
        low, high = law.mean_between(*self.range_of(name))
        took_long = law.cost is not None and law.cost.work * FARTHER > law.cost.allowed
        if took_long or high - low <= error * max(Fraction(1), abs(low)):
            return low, high
        with suppress(PlayError):  # which takes too much
            farther = self.farthest(name).mean_between(*self.range_of(name))
            return max(low, farther[0]), min(high, farther[1])
        return low, high

    @metered
    def deviation(self, name: str) -> float:
        """The standard deviation of a number. Raises PlayError if it is no number, or if some of its law is missing."""
        self._chances_of_numbers(name)
        mean, law = self.mean(name), self.law(name)
        spend(2 * len(law.ways) * law.work_of_a_chance // SUMMED)
        squares = Fraction(sum([value * value * ways for (value,), ways in law.ways.items()]), law.total)
        return math.sqrt(squares - mean * mean)

    @metered
    def at_least(self, name: str) -> Mapping[Any, Fraction]:
        """For each value of a number, how likely the number is at least so much."""
        values = list(self._chances_of_numbers(name, whole=False))
        return dict(reversed(self._add_up(name, reversed(values)).items()))

    @metered
    def at_most(self, name: str) -> Mapping[Any, Fraction]:
        """For each value of a number, how likely the number is at most so much."""
        return self._add_up(name, self._chances_of_numbers(name, whole=False))

    def _add_up(self, name: str, values: Iterable[int]) -> dict[Any, Fraction]:
        """For each value of a number, the chance of those up to it."""
        law, made = self.law(name), dict[Any, Fraction]()
        so_far: int | Fraction = 0
        for value in values:
            spend(law.work_of_a_chance)
            so_far += law.ways.get((value,), 0)  # whole numbers add up much faster than fractions
            made[value] = Fraction(so_far, law.total)
        return made

    @property
    def strategy(self) -> tuple[Advice, ...]:
        """The best decisions, if the odds are those of the best decisions."""
        return self.law(self.results[0]).strategy

    def _repr_svg_(self) -> str | None:
        """A chart, for notebooks that show pictures."""
        from interpreter.chances.notebook import picture

        with suppress(PlayError):
            return picture(self)
        return None

    def _repr_html_(self) -> str:
        """A chart, for notebooks; or the reason why there is none."""
        from interpreter.chances.notebook import picture_or_reason

        return picture_or_reason(self)

    def _chances_of_numbers(self, name: str, whole: bool = True) -> dict[int, Fraction]:
        law, missing = self.of(name), self.missing_of(name)
        if whole and missing:
            raise PlayError(say.mean_is_open(name, missing, "deviation"))
        for value in law:
            if not isinstance(value, int):
                raise PlayError(say.no_number(name, in_words(value)))
        return dict(law)


def _when(odds: Odds, conditions: Mapping[str, Any]) -> Odds:
    return odds.when(conditions)


_FUNCTIONS = ("ask", "ask_farthest", "range_of")
"""The fields that no pickle has."""


class _Anew:
    """Odds that are made again when something is asked that a pickle does not know."""

    def __init__(self, again: Again) -> None:
        self.again = again

    @cached_property
    def odds(self) -> Odds:
        make, given = self.again
        return make(*given)

    def ask(self, names: tuple[str, ...]) -> Law:
        return self.odds.ask(names)

    def ask_farthest(self, names: tuple[str, ...]) -> Law:
        assert self.odds.ask_farthest is not None
        return self.odds.ask_farthest(names)

    def range_of(self, name: str) -> tuple[int, int]:
        return self.odds.range_of(name)


def _remake_odds(kind: type[Odds], held: dict[str, Any], is_followed: bool) -> Odds:
    anew = _Anew(held["again"])
    return kind(**held, ask=anew.ask, ask_farthest=anew.ask_farthest if is_followed else None, range_of=anew.range_of)


def _without_mean(value: Any) -> Any:
    return value.bound if type(value) is AtLeast else value


def results_of(known: Iterable[str], composite: Collection[str]) -> tuple[str, ...]:
    """The outcome and the further readings of a mechanic; if it has no outcome, its last number, word, yes or no."""
    names = list(known)
    if "outcome" in names:
        return tuple(names[names.index("outcome") :])
    return tuple([name for name in names if name not in composite][-1:] or names[-1:])


def test_of(wanted: Any) -> Callable[[Any], bool]:
    """Whether a value is as wanted: a value, also in words (`yes`, `hit`), a list or a set of values, or a function."""
    if callable(wanted):
        return wanted  # type: ignore[no-any-return]
    if isinstance(wanted, (list, set, frozenset, range)):
        tests = [test_of(one) for one in wanted]
        return lambda value: any(holds(value) for holds in tests)
    if isinstance(wanted, str):
        return lambda value: in_words(value) == wanted
    return lambda value: value == wanted


def sort_values(values: Any) -> list[Any]:
    """Values in their natural order: missing, then numbers, then words; combinations by their first value first."""
    return sorted(values, key=_sort_key)


def _sort_key(value: Any) -> Any:
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return (4, tuple(map(_sort_key, value)))
    if value is None:
        return (0, 0)
    return (1, value) if isinstance(value, int) else (2, in_words(value))
