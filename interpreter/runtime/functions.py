"""The functions of the expression language: their parameters, result types and implementations.

The checker takes parameters and result types from this table; the reference and the closures take the
implementations. `run` gets checked values, and returns None, the missing value, if there is no result. Collections
are pools (by size), rolls (by the value of each die) and lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.types import Dice, List, Maybe, Number, Roll, Type
from interpreter.values import Die, Thrown, hashable
from interpreter.work_count import SHORT, spend

Typing = Callable[..., Type]


class Problem(Exception):
    """A value that a function cannot process, in words that follow the function's name."""


@dataclass(frozen=True, slots=True)
class BuiltinFunction:
    """`takes` names the kind of each argument; the last repeats if `more` is set; the first `needs` are required.

    `alone` is the kind of the first argument where no other follows, if it is another one then. `run` raises Problem
    only if it `may_fail`.
    """

    takes: tuple[str, ...]
    gives: Typing
    run: Callable[..., Any]
    about: str
    needs: int | None = None
    more: bool = False
    alone: str | None = None
    may_fail: bool = False

    @property
    def fewest(self) -> int:
        return len(self.takes) if self.needs is None else self.needs

    def kind_of(self, place: int, given: int) -> str:
        """The kind of an argument at a place, counted from 0, of a call with so many arguments."""
        if given == 1 and self.alone is not None:
            return self.alone
        return self.takes[min(place, len(self.takes) - 1)]


KINDS = {
    "number": "a number",
    "collection": "a pool, a roll or a list",
    "values": "a roll or a list of numbers",
    "sizes_or_values": "a roll, a pool or a list of numbers",
    "thrown": "a roll",
    "dice": "dice that are not thrown",
    "dice_or_list": "dice that are not thrown, or a list",
    "die": "a die",
    "ladder": "a ladder",
    "rungs": "a rung of the ladder, or a list of them",
    "truths": "a selection (`where`) or a column of yes and no",
    "anything": "anything",
}


def accepts(kind: str, given: Type) -> bool:
    """Whether an argument of a kind may have this type."""
    if isinstance(given, t.Anything):
        return True
    match kind:
        case "number":
            return t.reads_as_number(given)
        case "collection":
            return isinstance(given, (t.SingleDie, Dice, Roll, List))
        case "values":
            return isinstance(given, Roll) or (isinstance(given, List) and t.reads_as_number(given.of))
        case "sizes_or_values":
            return isinstance(given, (t.SingleDie, Dice)) or accepts("values", given)
        case "thrown":
            return isinstance(given, Roll)
        case "dice":
            return isinstance(given, (t.SingleDie, Dice))
        case "dice_or_list":
            return isinstance(given, (t.SingleDie, Dice, List))
        case "die":
            return isinstance(given, t.SingleDie)
        case "ladder":
            return isinstance(given, List) and isinstance(given.of, (t.Word, t.SingleDie))
        case "rungs":
            return isinstance(given, (t.Word, t.SingleDie)) or (isinstance(given, List) and accepts("rungs", given.of))
        case "truths":
            return isinstance(given, (t.SingleDie, Dice, Roll, List))
    return True


class Undecided(Exception):
    """Raised when a comparison needs the exact value of a number of which only a lower bound is known; see odds."""


class OpenNumber:
    """A number that is not known exactly. `==` raises Undecided unless the answer is certain.

    `in`, `list.remove` and `Counter` take one object for equal to itself without asking, and two dice may share it.
    """


def is_among(element: Any, elements: Any) -> bool:
    """Whether an element is in a list. Raises Undecided if that is not certain."""
    charge(elements, COMPARED)
    if isinstance(element, OpenNumber):
        return any(element == one for one in elements)
    return element in elements


COPIED, COMPARED, SORTED = 200, 40, 16
"""How many elements are copied, how many are compared, and how many are sorted in the time of a unit of work."""


def charge(elements: Any, in_a_unit: int = SORTED) -> Any:
    """Elements that are read once; the work is counted where they are many."""
    if len(elements) > SHORT:
        spend(1 + len(elements) // in_a_unit)
    return elements


# Implementations -------------------------------------------------------------------------------------------------


def element_number(element: Any) -> int:
    """One element as a number: the value of a thrown die, the size of an unthrown one."""
    if type(element) is Thrown:
        return element[4]  # `element.value`, by index because most of the time of play is spent here
    if type(element) is Die:
        return element.size
    number: int = +element  # yes counts 1; a number with only a lower bound stays what it is
    return number


def _largest(*numbers: Any) -> Any:
    try:
        return max(numbers)
    except Undecided:
        return _first_open_number(numbers).extreme_of(numbers, True)


def _smallest(*numbers: Any) -> Any:
    try:
        return min(numbers)
    except Undecided:
        return _first_open_number(numbers).extreme_of(numbers, False)


def _first_open_number(numbers: tuple[Any, ...]) -> Any:
    """The first number of which only a lower bound is known."""
    return next(one for one in numbers if not isinstance(one, int))


def element_numbers(elements: Any) -> list[int]:
    """The elements as numbers."""
    return [e if type(e) is int else element_number(e) for e in charge(elements)]


def _highest_first(elements: Any) -> list[int]:
    return sorted(element_numbers(elements), reverse=True)


def _sum(elements: Any) -> int:
    return sum([e if type(e) is int else element_number(e) for e in charge(elements)])


def _highest(elements: Any, number: int | None = None) -> Any:
    if number is None:
        return _largest(*found) if (found := element_numbers(elements)) else None
    keys = element_numbers(charge(elements))
    best = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)[: max(number, 0)]
    return tuple([elements[i] for i in sorted(best)])


def _lowest(elements: Any, number: int | None = None) -> Any:
    if number is None:
        return _smallest(*found) if (found := element_numbers(elements)) else None
    keys = element_numbers(charge(elements))
    best = sorted(range(len(keys)), key=keys.__getitem__)[: max(number, 0)]
    return tuple([elements[i] for i in sorted(best)])


def _kth(elements: Any, place: int) -> int | None:
    ordered = _highest_first(elements)
    return ordered[place - 1] if 1 <= place <= len(ordered) else None


def _first(elements: Any, number: int | None = None) -> Any:
    if number is None:
        return elements[0] if elements else None
    return tuple(charge(elements[: max(number, 0)], COPIED))


def _last(elements: Any, number: int | None = None) -> Any:
    if number is None:
        return elements[-1] if elements else None
    return tuple(charge(elements[max(len(elements) - max(number, 0), 0) :], COPIED))


def _reverse(elements: Any) -> tuple[Any, ...]:
    return tuple(reversed(charge(elements, COPIED)))


def _item(elements: Any, place: int) -> Any:
    if not 1 <= place <= len(elements):
        raise Problem(f"there is no item {place} in a list of {len(elements)}")
    return elements[place - 1]


def _only_element(elements: Any) -> Any:
    if len(elements) != 1:
        raise Problem(f"there must be exactly one element, not {len(elements)}")
    return elements[0]


def _without(elements: Any, others: Any) -> tuple[Any, ...]:
    return tuple(elements) if not others else split_by(elements, others)[1]


def split_by(elements: Any, others: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The elements that others have, too, as often as they have them, and the rest."""
    charge(elements)
    left = Bag(others)
    shared: list[Any] = []
    rest: list[Any] = []
    for element in elements:
        (shared if left.take(element) else rest).append(element)
    return tuple(shared), tuple(rest)


class Bag:
    """Elements of which one after another is taken: in a time that does not grow with their number, where they can be
    counted.
    """

    def __init__(self, elements: Any) -> None:
        charge(elements)
        self._listed = [_identity(one) for one in elements]
        self._counted: Counter[Any] | None = None
        if len(self._listed) > FEW and not any(isinstance(one, OpenNumber) for one in self._listed):
            with suppress(TypeError):  # a number that is open inside a record has no hash
                self._counted = Counter(map(hashable, self._listed))

    def take(self, element: Any) -> bool:
        """Take one that is equal, if there is one."""
        one = _identity(element)
        if self._counted is not None:
            try:
                key = hashable(one)
            except TypeError:
                self._stop_counting()
            else:
                found = self._counted[key] > 0
                self._counted[key] -= found
                return found
        found = is_among(one, self._listed)
        if found:
            self._listed.remove(one)
        return found

    def _stop_counting(self) -> None:
        counted, self._counted, listed = self._counted, None, self._listed
        assert counted is not None
        self._listed = []
        for one in listed:
            key = hashable(one)
            if counted[key]:
                counted[key] -= 1
                self._listed.append(one)


FEW = 8
"""So many elements are compared one by one in less time than they are counted."""


def _identity(element: Any) -> Any:
    """The identity of an element: thrown dice are the same if they are one die, whatever its face."""
    return ("key", element.key) if type(element) is Thrown else element


def _drop_by_size(dice: Any, number: int, biggest: bool) -> tuple[Die, ...]:
    order = sorted(range(len(charge(dice, 1))), key=lambda i: -dice[i].size if biggest else dice[i].size)
    removed = set(order[: max(number, 0)])
    return tuple(die for i, die in enumerate(dice) if i not in removed)


def _cap(dice: Any, limit: Die) -> tuple[Die, ...]:
    return tuple(
        die._replace(size=limit.size) if die.size > limit.size and not die.faces else die for die in charge(dice, 1)
    )


def _rung(rungs: Any, number: Any) -> Any:
    """A rung; of a list of numbers, their rungs, and of a missing number None, which the checker makes of words."""
    if number is None:
        return None
    if type(number) is tuple:
        return tuple([_rung(rungs, one) for one in number])
    if not 1 <= number <= len(rungs):
        raise Problem(f"there is no rung {number} on a ladder of {len(rungs)}")
    return rungs[number - 1]


def _rung_of(rungs: Any, rung: Any) -> Any:
    """The number of a rung, counted from 1; of a list of rungs, the list of their numbers."""
    if type(rung) is tuple:
        return tuple([_rung_of(rungs, one) for one in rung])
    if rung not in rungs:
        raise Problem(f"{rung} is not on the ladder")
    return rungs.index(rung) + 1


MOST_DICE = 1000
"""The most dice in one roll, and the most numbers in a list of `upto` (see docs: limits)."""


def repeat_elements(of: Any, number: int) -> tuple[Any, ...]:
    """`number` copies of a pool or of a list. Raises Problem for a negative number, or more than a roll may have."""
    one = (of,) if type(of) is Die else tuple(of)
    if number < 0:
        raise Problem(f"the number of copies must be at least 0, not {number}")
    if number * len(one) > MOST_DICE:
        what = "pool may have at most {} dice" if type(one[0]) is Die else "list may have at most {} elements"
        raise Problem(f"a {what.format(MOST_DICE)}, and this one would have {number * len(one)}")
    return one * number


def _common_elements(elements: Any, others: Any) -> tuple[Any, ...]:
    """The elements that both have, as often as both have them; thrown dice are the same if they are one die."""
    return split_by(elements, others)[0]


def _numbers_up_to(number: int) -> tuple[int, ...]:
    if number > MOST_DICE:
        raise Problem(f"a list may have at most {MOST_DICE} numbers, and this one would have {number}")
    return tuple(range(1, number + 1))


def _groups(elements: Any) -> tuple[dict[str, int], ...]:
    numbers = element_numbers(charge(elements, 1))
    for place, number in enumerate(numbers):
        if isinstance(number, OpenNumber):  # it is in no group with others, or that is not certain
            is_among(number, numbers[:place] + numbers[place + 1 :])
    counted = Counter(numbers)
    return tuple({"height": height, "width": counted[height]} for height in sorted(counted, reverse=True))


def _dominates(ours: Any, theirs: Any) -> bool:
    mine, others = _highest_first(ours), _highest_first(theirs)
    return len(mine) >= len(others) and all(a >= b for a, b in zip(mine, others, strict=False))


def _outranks(ours: Any, theirs: Any) -> bool:
    mine, others = _highest_first(ours), _highest_first(theirs)
    for one, other in zip(mine, others, strict=False):
        if one != other:
            return one > other
    return len(mine) > len(others)


def _any(elements: Any) -> bool:
    return any(element is not False and element is not None for element in charge(elements, COMPARED))


def _all(elements: Any, everything: Any = None) -> bool:
    if everything is not None:
        return len(elements) == len(everything)
    return all(element is not False and element is not None for element in charge(elements, COMPARED))


def _sorted_by_number(elements: Any) -> Any:
    charge(elements)
    return tuple(sorted(elements, key=element_number))


DIVISOR_IS_0 = "the divisor is 0"


def round_quotient(above: int, below: int, rounding: str) -> int:
    """`above / below` as a whole number; `down` is toward minus infinity, `nearest` takes halves away from zero."""
    if below == 0:
        raise Problem(DIVISOR_IS_0)
    if rounding == "down":
        return above // below
    if rounding == "up":
        return (above + below - 1) // below if below > 0 else -(-above // below)  # a lower bound has no negative
    magnitude = (2 * abs(above) + abs(below)) // (2 * abs(below))
    return magnitude if (above < 0) == (below < 0) else -magnitude


# Result types ----------------------------------------------------------------------------------------------------


def _number(low: int | None = None, high: int | None = None) -> Typing:
    return lambda *_: Number(low, high)


def _one_of_numbers(of: Type, *more: Type) -> Type:
    """The type of `highest(x)`, or of `highest(x, k)`."""
    return _so_many_of(of, *more) if more else _number_at(of, Number(1, 1))


def _number_at(of: Type, place: Type) -> Type:
    """The type of `kth(x, k)`: missing where there may be no `k`-th."""
    if isinstance(of, List):
        one: Type = of.of if isinstance(of.of, Number) else Number()
    else:
        one = of.shows if isinstance(of, Roll) else Number(1)
    k = t.as_number(place)
    is_there = k.low is not None and k.high is not None and k.low >= 1 and k.high <= t.least_length(of)
    return one if is_there else Maybe(one)


def _so_many_of(of: Type, number: Type) -> Type:
    """The type of `highest(x, k)` or `first(x, k)`: some elements, at least `k` if there are so many."""
    some = type_of_part(of)
    least = min(t.least_length(of), max(t.as_number(number).low or 0, 0))
    return replace(some, least=least) if isinstance(some, (Dice, Roll, List)) else some


def _type_without_biggest(of: Type, number: Type) -> Type:
    """The type of `without_biggest(x, n)`."""
    high = t.as_number(number).high
    return Dice(max(t.least_length(of) - max(high, 0), 0) if high is not None else 0)


def type_of_part(of: Type, *_: Type) -> Type:
    """The type of a part of a collection, which may be empty."""
    match of:
        case t.SingleDie() | Dice():
            return Dice()
        case Roll():
            return replace(of, least=0, single=False, fewest=None)
        case List():
            return List(of.of)
    return of


def element_of(of: Type) -> Type:
    """The type of one element of a collection."""
    match of:
        case t.SingleDie() | Dice():
            return t.SingleDie()
        case Roll():
            return t.ThrownDie(of.parts, of.throws)
        case List():
            return of.of
    return t.ANYTHING


def _first_type(of: Type, *more: Type) -> Type:
    if more:
        return _so_many_of(of, *more)
    return element_of(of) if t.least_length(of) > 0 else t.maybe(element_of(of))


def _count(of: Type) -> Type:
    if isinstance(of, t.SingleDie) or (isinstance(of, Roll) and of.single):
        return Number(1, 1)
    return Number(t.least_length(of), None)


def _sum_type(of: Type) -> Type:
    shows = of.shows if isinstance(of, Roll) else t.as_number(of.of) if isinstance(of, List) else Number(1)
    low = shows.low
    if low is None:
        return Number()
    return Number(low * t.least_length(of) if low >= 0 else None)


def _lowest_bound(*kinds: Type) -> Type:
    numbers = [t.as_number(kind) for kind in kinds]
    lows = [n.low for n in numbers]
    highs = [n.high for n in numbers if n.high is not None]
    return Number(None if None in lows else min(low for low in lows if low is not None), min(highs, default=None))


def _highest_bound(*kinds: Type) -> Type:
    numbers = [t.as_number(kind) for kind in kinds]
    highs = [n.high for n in numbers]
    lows = [n.low for n in numbers if n.low is not None]
    return Number(max(lows, default=None), None if None in highs else max(h for h in highs if h is not None))


def _clamp_type(of: Type, low: Type, high: Type) -> Type:
    return Number(t.as_number(low).low, t.as_number(high).high)


def _times(of: Type, number: Type) -> Type:
    least = max(t.least_length(of), 0) * max(t.as_number(number).low or 0, 0)
    return List(of.of, least) if isinstance(of, List) else Dice(least)


def _rung_of_type(ladder: Type, of: Type) -> Type:
    number = Number(1, t.least_length(ladder) or None)
    return List(number, of.least) if isinstance(of, List) else number


def _upto_type(number: Type) -> Type:
    bounds = t.as_number(number)
    return List(Number(1, bounds.high), min(max(bounds.low or 0, 0), MOST_DICE))


_GROUP = t.Record("group", (("height", Number()), ("width", Number(1))))

FUNCTIONS: dict[str, BuiltinFunction] = {
    "count": BuiltinFunction(("collection",), _count, len, "how many dice or elements"),
    "sum": BuiltinFunction(("values",), _sum_type, _sum, "all of them added up; 0 for none"),
    "any": BuiltinFunction(("truths",), lambda *_: t.YES_NO, _any, "whether there is one (of a selection), or one yes"),
    "all": BuiltinFunction(("truths",), lambda *_: t.YES_NO, _all, "whether all are selected, or all are yes"),
    "only": BuiltinFunction(
        ("collection",),
        element_of,
        _only_element,
        "the one element; it is an error if there is not just one",
        may_fail=True,
    ),
    "highest": BuiltinFunction(
        ("sizes_or_values", "number"),
        _one_of_numbers,
        _highest,
        "the highest as a number, or the `k` highest",
        1,
        alone="values",
    ),
    "lowest": BuiltinFunction(
        ("sizes_or_values", "number"),
        _one_of_numbers,
        _lowest,
        "the lowest as a number, or the `k` lowest",
        1,
        alone="values",
    ),
    "kth": BuiltinFunction(("values", "number"), _number_at, _kth, "the k-th highest as a number, 1 the highest"),
    "ordered": BuiltinFunction(("sizes_or_values",), lambda of: of, _sorted_by_number, "the same, smallest first"),
    "reversed": BuiltinFunction(("collection",), lambda of: of, _reverse, "the same, last first"),
    "first": BuiltinFunction(("collection", "number"), _first_type, _first, "the first, or the first `n`", 1),
    "last": BuiltinFunction(("collection", "number"), _first_type, _last, "the last, or the last `n`", 1),
    "item": BuiltinFunction(
        ("collection", "number"), lambda of, _: element_of(of), _item, "the n-th, counted from 1", may_fail=True
    ),
    "without": BuiltinFunction(
        ("collection", "collection"), type_of_part, _without, "the first without the elements of the second"
    ),
    "common": BuiltinFunction(
        ("collection", "collection"), type_of_part, _common_elements, "what both have, as often as both have it"
    ),
    "groups": BuiltinFunction(
        ("values",),
        lambda of: List(_GROUP, min(t.least_length(of), 1)),
        _groups,
        "equal ones together, highest first: each with its `height` and its `width`",
    ),
    "without_biggest": BuiltinFunction(
        ("dice", "number"),
        _type_without_biggest,
        lambda xs, n: _drop_by_size(xs, n, True),
        "the pool without its `n` biggest dice",
    ),
    "without_smallest": BuiltinFunction(
        ("dice", "number"),
        _type_without_biggest,
        lambda xs, n: _drop_by_size(xs, n, False),
        "the pool without its `n` smallest dice",
    ),
    "cap": BuiltinFunction(
        ("dice", "die"), lambda of, _: of, _cap, "every die bigger than the limit becomes that size"
    ),
    "dominates": BuiltinFunction(
        ("values", "values"),
        lambda *_: t.YES_NO,
        _dominates,
        "whether the first has at least as many, and each, from the biggest down, is at least as big",
    ),
    "outranks": BuiltinFunction(
        ("values", "values"),
        lambda *_: t.YES_NO,
        _outranks,
        "whether the first is ahead, compared pair by pair from the biggest: the first pair that differs decides",
    ),
    "rung": BuiltinFunction(
        ("ladder", "number"), lambda of, _: element_of(of), _rung, "the n-th rung, counted from 1", may_fail=True
    ),
    "rung_of": BuiltinFunction(
        ("ladder", "rungs"),
        _rung_of_type,
        _rung_of,
        "the number of a rung, counted from 1; of a list, all numbers",
        may_fail=True,
    ),
    "times": BuiltinFunction(
        ("dice_or_list", "number"), _times, repeat_elements, "the dice, or the list, `n` times", may_fail=True
    ),
    "min": BuiltinFunction(("number",), _lowest_bound, _smallest, "the smallest of the numbers", 2, True),
    "max": BuiltinFunction(("number",), _highest_bound, _largest, "the largest of the numbers", 2, True),
    "abs": BuiltinFunction(("number",), _number(0), abs, "the number without its sign"),
    "clamp": BuiltinFunction(
        ("number", "number", "number"),
        _clamp_type,
        lambda x, low, high: _largest(low, _smallest(x, high)),
        "the number, kept between the two bounds",
    ),
    "odd": BuiltinFunction(("number",), lambda *_: t.YES_NO, lambda x: x % 2 == 1, "whether the number is odd"),
    "even": BuiltinFunction(("number",), lambda *_: t.YES_NO, lambda x: x % 2 == 0, "whether the number is even"),
    "tens": BuiltinFunction(("number",), _number(), lambda x: x // 10, "how many full tens"),
    "units": BuiltinFunction(("number",), _number(0, 9), lambda x: x % 10, "the last digit"),
    "upto": BuiltinFunction(
        ("number",), _upto_type, _numbers_up_to, "the list 1, 2, … up to the number", may_fail=True
    ),
}
"""`up`, `down`, `nearest` and `given` are forms, not functions: they read how their argument is written."""

_SAMPLES = {
    "collection": "xs",
    "values": "xs",
    "sizes_or_values": "xs",
    "dice_or_list": "xs",
    "thrown": "rolled",
    "dice": "pool",
    "die": "die",
    "ladder": "ladder",
    "rungs": "word",
    "truths": "rolled where face == 6",
    "anything": "x",
}


def sample_arguments(function: BuiltinFunction) -> list[str]:
    """A name for each argument that a function needs, to show how it is called."""
    kinds = [function.takes[min(number, len(function.takes) - 1)] for number in range(function.fewest)]
    numbers = iter("abc") if kinds.count("number") > 1 else iter("n")
    others = iter(("xs", "ys"))
    plain = [next(numbers) if kind == "number" else _SAMPLES[kind] for kind in kinds]
    return [next(others) if plain.count(name) > 1 and name == "xs" else name for name in plain]


FORMS = {
    "up": "the division, rounded up",
    "down": "the division, rounded down",
    "nearest": "the division, rounded to the nearest, halves away from zero",
    "given": "whether a value that may be missing is there",
}
