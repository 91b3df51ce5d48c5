"""What is told of notations that tools read differently, and of those that are refused.

Each expression stands beside the laws of what is proposed for it, in the order in which it is told; a law that is to
be divided has the number by which, and one that is only simulated or asked with more words has none.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.notation.known import SIX, Law
from tests.notation.laws import all_of, anew, best, chained, count, d, last, total

Proposed = Law | None

TOLD: dict[str, Sequence[Proposed]] = {
    "4d6k3": [([d(6)] * 4, lambda *f: 3 * f.count(3))],
    "3d6>3": [([d(6)] * 3, lambda *f: sum(f) > 3), ([d(6)] * 3, count(lambda f: f >= 3))],
    "3d6 < 3": [([d(6)] * 3, lambda *f: sum(f) < 3), ([d(6)] * 3, count(lambda f: f <= 3))],
    "5d4>=4": [([d(4)] * 5, lambda *f: sum(f) >= 4)],
    "2d6ro<2": [([anew(6, lambda f: f <= 2)] * 2, last(total))],
    "1d6!>5": [([chained(6, 5, 6, most=10)], all_of(total))],
    "2d6!=6": [([d(6)] * 2, count(lambda f: f != 6))],
    "2d6 != 6": [([d(6)] * 2, lambda *f: sum(f) != 6), ([SIX] * 2, all_of(total))],
    "d%": [([range(100)], total)],
    "2d%kh1": [([range(100)] * 2, max)],
    "3d6cs>=5": [([d(6)] * 3, total)],
    "4d6kh3>=5": [([d(6)] * 4, lambda *f: sum(one >= 5 for one in sorted(f)[-3:]))],
    "3d6kh2dl1": [([d(6)] * 3, max)],
    "4d6!kh3": [None],
    "4d6!!kh3": [],
    "d6x3": [([d(6)], lambda a: 3 * a)],
    "d66": [([d(66)], total)],
    "2 + d666": [([d(666)], lambda a: a + 2)],
    "1d20*0.20": [([d(20)], total)],
    "2d4/7 + 2d10": [([d(4)] * 2 + [d(10)] * 2, lambda a, b, c, e: a + b + 7 * (c + e))],
    "2d6*1.5": [([d(6)] * 2, lambda a, b: 3 * (a + b))],
    "d20 * 50%": [([d(20)], total)],
    "d6/2 + d6/2": [([d(6)] * 2, total)],
    "(2d6+1)/2 - d4": [([d(6), d(6), d(4)], lambda a, b, c: a + b + 1 - 2 * c)],
    "5/4d6": [([d(6)] * 4, lambda *f: 5000 // sum(f))],
    "max(d20/2,5)": [([d(20)], lambda a: max((a + 1) // 2, 5))],
    "4d6kh3": [],
    "4d6kh3>=12": [],
    "2d6>=9": [],
    "2d6/2 > 3": [],
    "up(d6/2)": [],
}

REFUSED: dict[str, Sequence[Proposed]] = {
    "3d6r1": [([anew(6, lambda f: f == 1)] * 3, last(total)), ([range(2, 7)] * 3, total)],
    "4d6r1k3": [([anew(6, lambda f: f == 1)] * 4, last(best(3))), ([range(2, 7)] * 4, best(3))],
    "3d6r<3 + 2": [
        ([anew(6, lambda f: f < 3)] * 3, last(lambda *f: sum(f) + 2)),
        ([range(3, 7)] * 3, lambda *f: sum(f) + 2),
    ],
    "5d4mt": [
        ([d(4)] * 5, lambda *f: sum(f.count(one) >= 2 for one in d(4))),
        ([d(4)] * 5, lambda *f: max(map(f.count, f))),
    ],
    "3d6u": [None],
    "4d6wibble": [([d(6)] * 4, max)],
    "2d6f>3c": [([d(6)] * 2, max)],
    "4d6dl4": [([d(6)] * 4, max)],
    "3d6rr<7": [([anew(6, lambda f: f == 1)] * 3, last(total))],
    "2d6!>=1": [([SIX] * 2, all_of(total))],
    "2d6!!>=8": [([SIX] * 2, all_of(count(lambda f: f >= 8)))],
    "2d6x10": [([d(6)] * 2, lambda a, b: 10 * (a + b))],
    "2d6!!!": [([SIX] * 2, all_of(total)), ([SIX] * 2, all_of(total))],
    "6d4>=3kh3": [([d(4)] * 6, lambda *f: sum(one >= 3 for one in sorted(f)[-3:]))],
    "3d10>=8cs": [([d(10)] * 3, count(lambda f: f >= 8))],
    "2d66": [([d(66)] * 2, total), ([d(6)] * 4, lambda a, b, c, e: 10 * (a + c) + b + e)],
    "d6 % 4": [([d(6)], lambda a: a % 4)],
    "1 + 2d6%4": [([d(6)] * 2, lambda a, b: 1 + (a + b) % 4)],
    "2 * d6 % 4": [([d(6)], lambda a: 2 * a % 4)],
    "2d6 % d4": [([d(6), d(6), d(4)], lambda a, b, c: (a + b) % c)],
    "d6**2": [([d(6)], lambda a: a * a)],
    "d6^3 + 1": [([d(6)], lambda a: a**3 + 1)],
    "2d6+1.5": [([d(6)] * 2, lambda a, b: 2 * (a + b) + 3)],
    "d20+@str.mod": [None],
    "?{bonus|2} + 2d6": [None],
    "6x4d6kh3": [([d(6)] * 4, lambda *f: 6 * best(3)(*f)), ([d(6)] * 4, best(3))],
    "3#d20": [([d(20)], lambda a: 3 * a), ([d(20)], total)],
    "[explode d6]": [([SIX], all_of(total))],
    "{2d6+3}kh1": [([d(6)] * 2, lambda a, b: a + b + 3)],
    "{d6,d8}!": [([d(6), d(8)], max)],
}
