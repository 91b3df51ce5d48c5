"""Laws of questions about passes, named dice, dice thrown again and whole pools, each computed in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, groupby, product
from math import comb, factorial, prod
from typing import Any

Law = dict[Any, Fraction]
Faces = tuple[int, ...]

HALF, THIRD, SIXTH, TENTH = (Fraction(1, below) for below in (2, 3, 6, 10))


def law_of(pairs: Iterable[tuple[Any, Fraction]]) -> Law:
    """Chances by value, of values that may come several times."""
    law: Law = {}
    for value, chance in pairs:
        law[value] = law.get(value, Fraction(0)) + chance
    return law


def die(sides: int) -> Law:
    return {face: Fraction(1, sides) for face in range(1, sides + 1)}


def added(*laws: Mapping[int, Fraction]) -> Law:
    """The law of a sum of independent numbers."""
    so_far: Law = {0: Fraction(1)}
    for law in laws:
        so_far = law_of((a + b, p * q) for a, p in so_far.items() for b, q in law.items())
    return so_far


def times(law: Law, many: int) -> Law:
    return added(*[law] * many)


def binomial(many: int, chance: Fraction) -> Law:
    return {n: comb(many, n) * chance**n * (1 - chance) ** (many - n) for n in range(many + 1)}


def best_of(law: Law, many: int) -> Law:
    """The law of the highest of so many independent numbers."""
    below = [sum((chance for value, chance in law.items() if value <= top), Fraction(0)) for top in sorted(law)]
    return {top: at**many - before**many for top, at, before in zip(sorted(law), below, [0, *below], strict=False)}


def throws(dice: int, sides: int) -> Iterator[tuple[Faces, Fraction]]:
    """Every multiset of faces, the highest first, with its chance."""
    for faces in combinations_with_replacement(range(sides, 0, -1), dice):
        ways = factorial(dice) // prod(factorial(many) for many in Counter(faces).values())
        yield faces, Fraction(ways, sides**dice)


def by_faces(dice: int, sides: int, value: Callable[[Faces], Any]) -> Law:
    return law_of((value(faces), chance) for faces, chance in throws(dice, sides))


def chance_that(law: Law, holds: Callable[[Any], bool]) -> Fraction:
    return sum((chance for value, chance in law.items() if holds(value)), Fraction(0))


# Passes ---------------------------------------------------------------------------------------------------------------


def until_a_one(left: int = 5) -> Law:
    """The sum of up to five dice, of which none follows a one."""
    if left == 0:
        return {0: Fraction(1)}
    after = until_a_one(left - 1)
    longer = ((face + more, SIXTH * chance) for face in range(2, 7) for more, chance in after.items())
    return law_of([(1, SIXTH), *longer])


def until_a_six() -> Law:
    return {n: (5 * SIXTH) ** (n - 1) * (SIXTH if n < 6 else 1) for n in range(1, 7)}


# Dice thrown again ----------------------------------------------------------------------------------------------------


def few_again(dice: int, hit: Fraction, most: int) -> Law:
    """The hits of dice of which up to `most` misses are thrown again."""
    return law_of(
        (dice - missed + more, chance * again)
        for missed, chance in binomial(dice, 1 - hit).items()
        for more, again in binomial(min(most, missed), hit).items()
    )


def few_again_that_count() -> Law:
    """Ten dice that count 0, 1 or 2 with chances of 5, 4 and 1 in ten, of which three that count nothing go again."""
    found = []
    for missed, chance in binomial(10, HALF).items():
        kept = times({1: Fraction(4, 5), 2: Fraction(1, 5)}, 10 - missed)
        anew = times({0: HALF, 1: 4 * TENTH, 2: TENTH}, min(3, missed))
        found += [(value, chance * more) for value, more in added(kept, anew).items()]
    return law_of(found)


def two_lowest_again() -> Law:
    best = by_faces(6, 6, lambda faces: sum(faces[:4]))
    return added(best, die(6), die(6))


def stress(pushed: bool) -> Law:
    """Sixes among four plain dice and five of stress, and whether one of the latter shows a one."""
    six, one = (Fraction(11, 36), Fraction(5, 36)) if pushed else (SIXTH, SIXTH)
    found = []
    for plain, chance in binomial(4, six).items():
        for sixes in range(6):
            for ones in range(6 - sixes):
                ways = factorial(5) // (factorial(sixes) * factorial(ones) * factorial(5 - sixes - ones))
                share = ways * six**sixes * one**ones * (1 - six - one) ** (5 - sixes - ones)
                found.append(((plain + sixes, ones > 0), chance * share))
    return law_of(found)


# Whole pools ----------------------------------------------------------------------------------------------------------


def outranks(ours: Faces, theirs: Faces) -> bool:
    for mine, yours in zip(ours, theirs, strict=False):
        if mine != yours:
            return mine > yours
    return len(ours) > len(theirs)


def is_ahead(ours: tuple[int, int], *others: tuple[int, int]) -> Law:
    """Whether a pool, of dice and sides, is ahead of all others."""
    chance = sum(
        (
            share * prod(sum(other for faces, other in throws(*pool) if outranks(mine, faces)) for pool in others)
            for mine, share in throws(*ours)
        ),
        Fraction(0),
    )
    return {True: chance, False: 1 - chance}


def set_and_straight(faces: Faces) -> tuple[int, int]:
    shown = sorted(set(faces))
    runs = [len(list(run)) for _, run in groupby(shown, key=lambda face: face - shown.index(face))]
    return max(Counter(faces).values()), max(runs)


def set_straight_or_highest(faces: Faces) -> int:
    shown = sorted(set(faces))
    worths = [face * faces.count(face) for face in shown]
    rows = [row for low in shown for top in shown if len(row := range(low, top + 1)) >= 3 and {*row} <= {*shown}]
    return max(*worths, *map(sum, rows), max(shown))


def exploding(sides: int, most: int) -> Law:
    """An exploding die up to a number; what is above it is left out."""
    law: Law = {}
    for depth in range(most // sides + 1):
        for face in range(1, sides):
            law[depth * sides + face] = Fraction(1, sides) ** (depth + 1)
    return law


def sum_of_best_two(law: Law, many: int) -> Law:
    """The sum of the best two of independent numbers."""
    values, found = sorted(law), []
    below = {value: sum((law[one] for one in values if one < value), Fraction(0)) for value in values}
    for high in values:
        for second in values:
            if second == high:  # at least two show it
                alone = below[high] ** many + many * law[high] * below[high] ** (many - 1)
                found.append((2 * high, (below[high] + law[high]) ** many - alone))
            elif second < high:
                rest = (below[second] + law[second]) ** (many - 1) - below[second] ** (many - 1)
                found.append((high + second, many * law[high] * rest))
    return law_of(found)


def best_two_ahead() -> Law:
    """Up to sixty and a few: less than one in a million million is left out."""
    ours, theirs = (sum_of_best_two(exploding(6, 60), many) for many in (6, 5))
    ahead = sum((p * q for mine, p in ours.items() for yours, q in theirs.items() if mine > yours), Fraction(0))
    return {True: ahead, False: 1 - ahead}


# More of what tables ask ----------------------------------------------------------------------------------------------


def doubles_add() -> Law:
    two = times(die(6), 2)
    found = []
    for a, b in product(range(1, 7), repeat=2):
        more = two if a == b else {0: Fraction(1)}
        found += [(a + b + value, chance / 36) for value, chance in more.items()]
    return law_of(found)


def percent() -> Law:
    return law_of((max(10 * a + b, 10 * b + a), TENTH * TENTH) for a, b in product(range(1, 11), repeat=2))


THREE = times(die(6), 3)

BY_HAND: dict[str, Callable[[], Law]] = {
    "six passes, the dice from 15 up": lambda: binomial(6, 3 * TENTH),
    "six passes, those whose die is 15 or more": lambda: binomial(6, 3 * TENTH),
    "six passes with a bonus, the numbers from 16 up": lambda: binomial(6, 3 * TENTH),
    "six passes, the best die": lambda: best_of(die(20), 6),
    "eight passes, the sum of their dice": lambda: times(die(6), 8),
    "six passes, the sum of what is 16 or more": lambda: times(
        {0: 7 * TENTH, **dict.fromkeys(range(16, 22), TENTH / 2)}, 6
    ),
    "six passes, any twenty": lambda: {False: Fraction(19, 20) ** 6, True: 1 - Fraction(19, 20) ** 6},
    "seven passes, the spread of their dice": lambda: by_faces(7, 12, lambda faces: faces[0] - faces[-1]),
    "five passes of 3d6, the best sum": lambda: best_of(THREE, 5),
    "five passes of 3d6, those of 13 or more": lambda: binomial(5, chance_that(THREE, lambda total: total >= 13)),
    "passes until a six, how many": until_a_six,
    "passes until a one, the sum of their dice": until_a_one,
    "10d10, the widest of the named sets": lambda: by_faces(10, 10, lambda faces: max(Counter(faces).values())),
    "8d6 & 4d8, how many named hits": lambda: added(binomial(8, THIRD), binomial(4, HALF)),
    "9d8, the named best three": lambda: by_faces(9, 8, lambda faces: sum(faces[:3])),
    "9d6, the named rest without the best two": lambda: by_faces(9, 6, lambda faces: sum(faces[2:])),
    "8d10, the best of the named even dice": lambda: best_of({0: HALF, **dict.fromkeys(range(2, 11, 2), TENTH)}, 8),
    "10d10, three misses again": lambda: few_again(10, 4 * TENTH, 3),
    "30d10, three misses again": lambda: few_again(30, 4 * TENTH, 3),
    "10d10 whose tens count twice, three misses again": few_again_that_count,
    "7d10 and two of hunger, three plain misses again": lambda: added(few_again(7, HALF, 3), binomial(2, HALF)),
    "6d6, the two lowest again": two_lowest_again,
    "four dice and five of stress": lambda: stress(pushed=False),
    "four dice and five of stress, pushed": lambda: stress(pushed=True),
    "twenty shots that wound and are not saved": lambda: binomial(20, 2 * THIRD * HALF * 2 * THIRD),
    "twenty shots, the misses again": lambda: binomial(20, Fraction(8, 9) * HALF * 2 * THIRD),
    "5d6 ahead of 4d8, die by die": lambda: is_ahead((5, 6), (4, 8)),
    "3d6 ahead of 2d6, 2d6 and 5d6": lambda: is_ahead((3, 6), (2, 6), (2, 6), (5, 6)),
    "5d6 ahead of 3d6, 2d6 and 2d6": lambda: is_ahead((5, 6), (3, 6), (2, 6), (2, 6)),
    "6d10, the widest set and the longest straight": lambda: by_faces(6, 10, set_and_straight),
    "6d10, a set, a straight or the highest die": lambda: by_faces(6, 10, set_straight_or_highest),
    "a blow of 8d6 & 2d8 that is caused": lambda: added(times(die(6), 8), times(die(8), 2)),
    "the best two of 6d6 against those of 5d6, exploding": best_two_ahead,
    "six terms of a life that teaches skills": lambda: {
        "retired": Fraction(5, 6) ** 6,
        "dead": 1 - Fraction(5, 6) ** 6,
    },
    "8d6, how many different faces": lambda: by_faces(8, 6, lambda faces: len(set(faces))),
    "5d6, how many pairs": lambda: by_faces(5, 6, lambda faces: list(Counter(faces).values()).count(2)),
    "3d20, highest less lowest": lambda: by_faces(3, 20, lambda faces: faces[0] - faces[-1]),
    "2d6, and 2d6 more with doubles": doubles_add,
    "two d10 as a percentage, the better way round": percent,
    "two of three checks of 3d6 against 11": lambda: law_of(
        (made >= 2, chance) for made, chance in binomial(3, chance_that(THREE, lambda total: total <= 11)).items()
    ),
}
