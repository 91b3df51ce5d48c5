"""Questions that once took a minute or were refused, each held to a computation in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, factorial, prod
from typing import Any

import games
import pytest
from followed_duel import are_those_of, rounds_by_hand
from marks import thorough
from multisets import equal_in_order
from workloads import CLIFF_RULES, CLIFFS, DUEL, Law, reference

import interpreter
from interpreter.api.game import Game

Number = dict[int, Fraction]


@cache
def game(ruleset: str | None = None) -> Game:
    return games.fresh_game(ruleset or CLIFF_RULES)


def added(one: Number, other: Number, most: int) -> Number:
    """The law of a sum, as far as it is at most `most`."""
    made: Counter[int] = Counter()
    for a, v in one.items():
        for b, w in other.items():
            if a + b <= most:
                made[a + b] += v * w  # type: ignore[assignment]
    return dict(made)  # type: ignore[arg-type]


def times(one: Number, many: int, most: int) -> Number:
    whole: Number = {0: Fraction(1)}
    for _ in range(many):
        whole = added(whole, one, most)
    return whole


def chain(sides: int, again: range, most: int) -> Number:
    """The law of a die that is thrown again where it shows one of `again`, as far as it is at most `most`."""
    ended = {face: Fraction(1, sides) for face in range(1, sides + 1) if face not in again}
    going = {face: Fraction(1, sides) for face in again}
    so_far: Number = {0: Fraction(1)}
    made: Counter[int] = Counter()
    while so_far:
        made.update(added(so_far, ended, most))  # type: ignore[arg-type]
        so_far = added(so_far, going, most)
    return dict(made)  # type: ignore[arg-type]


def of_chains(many: int, again: range, most: int) -> Callable[[Law], None]:
    """A sum of exploding d6 has this law up to a number; beyond it, as much is left."""

    def holds(law: Law) -> None:
        true = times(chain(6, again, most), many, most)
        assert {value: chance for (value,), chance in law.items() if value <= most} == true

    return holds


def looked_at_again() -> Fraction:
    """At least 12 of four exploding d6 of which none shows 1 first: from the law of a die that does not."""
    one = chain(6, range(6, 7), 12)
    del one[1]  # a chain of one throw, which shows 1
    return Fraction(5, 6) ** 4 - sum((v for value, v in times(one, 4, 11).items()), Fraction(0))


def of_dice(law: Law, dice: int, sides: int) -> None:
    """Mean and variance of a sum, and the chances of its lowest values."""
    assert sum(law.values()) == 1
    mean = sum(value * chance for (value,), chance in law.items())
    assert mean == Fraction(dice * (sides + 1), 2)
    assert sum(value * value * chance for (value,), chance in law.items()) - mean**2 == Fraction(
        dice * (sides**2 - 1), 12
    )
    for more in range(3):
        assert law[(dice + more,)] == Fraction(comb(dice + more - 1, more), sides**dice)


def enumerated(mine: int, theirs: int, value: Callable[[Any, Any], Any]) -> Law:
    """The law of a value of two rolls of d6, over all combinations."""
    found = Counter(value(a, b) for a in product(range(1, 7), repeat=mine) for b in product(range(1, 7), repeat=theirs))
    return {(key,): Fraction(many, 6 ** (mine + theirs)) for key, many in found.items()}


def sorted_rolls(sides: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    """In how many ways dice show what they show, from the highest down."""
    return Counter(tuple(sorted(faces, reverse=True)) for faces in product(*[range(1, n + 1) for n in sides]))


def struck(mine: tuple[int, ...], others: tuple[int, ...]) -> Law:
    """How many pairs are won, from the highest dice down, and the highest die of mine, over all rolls."""
    found: Counter[tuple[int, int]] = Counter()
    for (a, v), (b, w) in product(sorted_rolls(mine).items(), sorted_rolls(others).items()):
        found[sum(x > y for x, y in zip(a, b, strict=False)), a[0]] += v * w
    return {key: Fraction(many, prod(mine) * prod(others)) for key, many in found.items()}


def hits_on_foes(dice: tuple[int, ...], foes: int) -> Law:
    """How many dice of all rolls are higher than the number of the foe that they strike."""
    law: Number = {0: Fraction(1)}
    for foe, sides in product(range(1, foes + 1), dice):
        hit = Fraction(max(sides - foe, 0), sides)
        law = added(law, {0: 1 - hit, 1: hit}, foes * len(dice))
    return {(total,): chance for total, chance in law.items() if chance}


def outranks(a: Any, b: Any) -> bool:
    return sorted(a, reverse=True) > sorted(b, reverse=True)


@cache
def score() -> tuple[tuple[int, Fraction], ...]:
    """The three best of four d6."""
    found = Counter(sum(sorted(faces)[1:]) for faces in product(range(1, 7), repeat=4))
    return tuple((value, Fraction(many, 6**4)) for value, many in sorted(found.items()))


def best_of_six() -> Law:
    below, law = Fraction(0), {}
    for value, chance in score():
        law[(value,)] = (below + chance) ** 6 - below**6
        below += chance
    return law


def best_three_of_six() -> Law:
    """From the highest score down: how many of the six have it, as far as they are among the best three."""
    states: dict[tuple[int, int], Fraction] = {(6, 0): Fraction(1)}  # scores to come, and the sum of the best
    rest = Fraction(1)
    for value, chance in reversed(score()):
        after: Counter[tuple[int, int]] = Counter()
        share = chance / rest
        for (left, total), weight in states.items():
            for many in range(left + 1):
                among = min(many, max(3 - (6 - left), 0))
                ways = comb(left, many) * share**many * (1 - share) ** (left - many)
                after[left - many, total + among * value] += weight * ways  # type: ignore[assignment]
        states, rest = dict(after), rest - chance  # type: ignore[arg-type]
    law: Counter[tuple[int]] = Counter()
    for (_, total), weight in states.items():
        if weight:
            law[(total,)] += weight  # type: ignore[assignment]
    return dict(law)  # type: ignore[arg-type]


def of_sets(law: Law) -> None:
    assert sum(law.values()) == 1
    assert law[(1,)] == Fraction(factorial(10), 10**10)
    assert law[(10,)] == Fraction(10, 10**10)
    assert law[(9,)] == Fraction(10 * 10 * 9, 10**10)
    assert law[(6,)] == Fraction(10 * comb(10, 6) * 9**4, 10**10)  # two sets of six do not fit into ten dice


def torch(nights: int) -> Law:
    """What is left of two points after nights in each of which one chance in six takes a point."""
    sixth, rest = Fraction(1, 6), Fraction(5, 6)
    kept = {2: rest**nights, 1: nights * sixth * rest ** (nights - 1)}
    return {(left,): chance for left, chance in {**kept, 0: 1 - sum(kept.values())}.items()}


def three_cards() -> Law:
    """The higher of two cards and a third, by all three in their order."""
    deck = [*range(1, 14)] * 4 + [14, 14]
    drawn = Counter(max(deck[i], deck[j]) + deck[k] for i, j, k in permutations(range(54), 3))
    return {(total,): Fraction(many, 54 * 53 * 52) for total, many in drawn.items()}


def blow_by_blow(mine: int, yours: int) -> Law:
    """Who is left where each strikes in turn and half of the blows hit, for a d6; two misses change nothing."""
    share = {0: Fraction(1, 2), **{harm: Fraction(1, 12) for harm in range(1, 7)}}

    @cache
    def won(mine: int, yours: int) -> Fraction:
        found = Fraction(0)
        for first, second in product(share, repeat=2):
            chance = share[first] * share[second]
            if first >= yours:
                found += chance
            elif (first or second) and second < mine:
                found += chance * won(mine - second, yours - first)
        return found / (1 - share[0] ** 2)

    return {("won",): won(mine, yours), ("beaten",): 1 - won(mine, yours)}


def attrition(ours: int, others: int) -> Law:
    """Who is left where each throws a d6 for each man, and 5 and 6 fell one; a round without hits changes nothing."""

    def hits(men: int, many: int) -> Fraction:
        return Fraction(comb(men, many) * 2 ** (men - many), 3**men)

    @cache
    def ends(mine: int, theirs: int) -> dict[str, Fraction]:
        if not mine or not theirs:
            return {"both_gone" if mine == theirs else "won" if mine else "beaten": Fraction(1)}
        found: Counter[str] = Counter()
        for felled, lost in product(range(mine + 1), range(theirs + 1)):
            if felled or lost:
                for end, chance in ends(max(mine - lost, 0), max(theirs - felled, 0)).items():
                    found[end] += hits(mine, felled) * hits(theirs, lost) * chance  # type: ignore[assignment]
        return {end: chance / (1 - hits(mine, 0) * hits(theirs, 0)) for end, chance in found.items()}

    return {(end,): chance for end, chance in ends(ours, others).items()}


def bought(most: int) -> Fraction:
    """The chance of 25 with 5 exploding d6 and the best number of others, of which each costs four points."""
    one = chain(6, range(6, 7), 50)
    more = [times(one, many, 50) for many in range(most + 1)]
    least = [  # how likely each number of dice makes so much
        {need: 1 - sum(chance for total, chance in law.items() if total < need) for need in range(51)} for law in more
    ]
    first = times(one, 5, 24)
    asked = {total: max(least[many][25 - total + 4 * many] for many in range(most + 1)) for total in first}
    return 1 - sum(first.values()) + sum(chance * asked[total] for total, chance in first.items())


def with_points(dice: int, points: int, need: int) -> Fraction:
    """The chance of a number with d6, of which one is wild, and Character Points that buy a wild d6 each: before the
    roll, after it, and again after each look. That a 1 may take dice away never helps, and nobody has to let it."""
    wild, plain = chain(6, range(6, 7), need), {face: Fraction(1, 6) for face in range(1, 7)}
    sums = [times(wild, many, need - 1) for many in range(points + 1)]

    @cache
    def goes_on(total: int, left: int) -> Fraction:
        """The chance with a total so far and so many points left."""
        return max([bought(sums[many], left - many, total) for many in range(1, left + 1)], default=Fraction(0))

    def bought(law: Number, left: int, total: int = 0) -> Fraction:
        short = {more: chance for more, chance in law.items() if total + more < need}
        return 1 - sum(short.values()) + sum(chance * goes_on(total + more, left) for more, chance in short.items())

    def thrown(before: int) -> Number:
        return added(times(plain, dice - 1, need - 1), times(wild, before + 1, need - 1), need - 1)

    return max(bought(thrown(before), points - before) for before in range(points + 1))


def bought_before(dice: int, points: int, need: int) -> Fraction:
    """The same chance where all points are spent before the roll."""
    one = chain(6, range(6, 7), need)
    plain = times({face: Fraction(1, 6) for face in range(1, 7)}, dice - 1, need - 1)
    return 1 - sum(added(plain, times(one, points + 1, need - 1), need - 1).values())


@pytest.mark.parametrize(("code", "difficulty", "points", "fate"), [("3D", 15, 2, 1), ("2D", 12, 3, 0)])
def test_points_are_spent_at_best(code: str, difficulty: int, points: int, fate: int) -> None:
    rhea = {"is": "hero", "character_points": points, "fate_points": fate}
    found = game("d6").odds(
        "check", code=code, difficulty=difficulty, hero="rhea", state={"rhea": rhea}, best="success"
    )
    dice = int(code[0]) * (2 if fate else 1)
    assert found.outcomes["success"] == with_points(dice, points, difficulty)


def checked(dice: int, most: int) -> Number:
    """The total of a check of D6, as far as it is at most `most`: a 1 on the Wild Die takes away the highest other."""
    law: Counter[int] = Counter()
    going = {6 + more: chance for more, chance in chain(6, range(6, 7), most).items()}
    for others in product(range(1, 7), repeat=dice - 1):
        share = Fraction(1, 6**dice)
        law[sum(others) + 1 - max(others)] += share  # type: ignore[assignment]
        for wild, chance in {**dict.fromkeys(range(2, 6), Fraction(1)), **going}.items():
            law[sum(others) + wild] += share * chance  # type: ignore[assignment]
    return {total: chance for total, chance in law.items() if total <= most}


def helped(dice: int, need: int, related: int) -> Law:
    """A check with related skills of 2D against 10 that are tried first: each adds or takes half of what is over or
    short, rounded up, and at least 1."""
    enough = 100  # totals beyond it help so much that no check fails
    tried = checked(2, enough)
    modifier: Counter[int] = Counter({(enough - 10) // 2: 1 - sum(tried.values())})  # type: ignore[dict-item]
    for total, chance in tried.items():
        amount = max(1, (abs(total - 10) + 1) // 2)
        modifier[amount if total >= 10 else -amount] += chance  # type: ignore[assignment]
    law = times(dict(modifier), related, enough * related)  # type: ignore[arg-type]
    own = checked(dice, enough)
    failure = sum(
        chance * sum(share for total, share in own.items() if total + help_ < need) for help_, chance in law.items()
    )
    return {("failure",): Fraction(failure), ("success",): 1 - Fraction(failure)}


def burning(difficulty: int, traps: tuple[int, ...], spare: tuple[int, ...]) -> Law:
    """A roll of Fiend Wake in which each toss may be changed once, by at most an Essence number that is burnt."""

    @cache
    def chance(so_far: int, nth: int, spare: tuple[int, ...]) -> Fraction:
        stacks_at = traps[nth] if nth < len(traps) else 1

        def ended(face: int, left: tuple[int, ...]) -> Fraction:
            if so_far + face >= difficulty:
                return Fraction(1)
            return chance(so_far + face, nth + 1, left) if face <= stacks_at else Fraction(0)

        best = [ended(face, spare) for face in range(1, 13)]
        for number in spare:
            left = tuple(other for other in spare if other != number)
            for face, change in product(range(1, 13), range(-number, number + 1)):
                if 1 <= face + change <= 12:
                    best[face - 1] = max(best[face - 1], ended(face + change, left))
        return sum(best, Fraction(0)) / 12

    success = chance(0, 0, spare)
    return {("success",): success, ("setback",): 1 - success}


def is_law(true: Law) -> Callable[[Law], None]:
    def holds(law: Law) -> None:
        assert law == true

    return holds


def is_nearly(true: Law, least: Fraction) -> Callable[[Law], None]:
    """What is less likely than `least` is not followed."""

    def holds(law: Law) -> None:
        assert all(0 <= chance - law.get(key, 0) < least for key, chance in true.items())

    return holds


def has(value: Any, chance: Fraction) -> Callable[[Law], None]:
    def holds(law: Law) -> None:
        assert law[(value,)] == chance

    return holds


def duel_is_enclosed() -> Callable[[Law], None]:
    are_those_of(interpreter.load_scene(DUEL.scene).state)
    true = rounds_by_hand(8)

    def holds(law: Law) -> None:
        missing = 1 - sum(law.values())
        assert missing <= Fraction(1, 100)
        assert all(-1e-9 <= chance - law.get((number,), 0) <= missing + 1e-9 for number, chance in true.items())

    return holds


BY_HAND: dict[str, Callable[[], Callable[[Law], None]]] = {
    "sum of 10d6 that explode": lambda: of_chains(10, range(6, 7), 40),
    "sum of 6d6 thrown again from 2 up": lambda: of_chains(6, range(2, 7), 30),
    "5d10 exploding, keep 3, at least 20": lambda: has("hit", Fraction(35897, 50000)),
    "4d6 exploding, looked at once more": lambda: has("hit", looked_at_again()),
    "sum of 200d100": lambda: lambda law: of_dice(law, 200, 100),
    "sum of 400d100": lambda: lambda law: of_dice(law, 400, 100),
    "4d6 and 3d6 in pairs, ties passed over": lambda: is_law(enumerated(4, 3, outranks)),
    "11d6 against 11d6 in order": lambda: has(True, (1 - equal_in_order(11, 6)) / 2),
    "3d12 & d8 against 2d12 & d8 in a strike that is called": lambda: is_law(struck((12, 12, 12, 8), (12, 12, 8))),
    "3d12 & d8 against each of 8 foes": lambda: is_law(hits_on_foes((12, 12, 12, 8), 8)),
    "red and green 3d6, face by face": lambda: is_law(
        enumerated(3, 3, lambda a, b: sum((Counter(a) & Counter(b)).values()))
    ),
    "six scores of 4d6 keep 3: sum": lambda: is_law({(v,): w for v, w in times(dict(score()), 6, 108).items()}),
    "six scores of 4d6 keep 3: best": lambda: is_law(best_of_six()),
    "six scores of 4d6 keep 3: best three": lambda: is_law(best_three_of_six()),
    "widest set among 10d10": lambda: of_sets,
    "a torch of two points, 7 nights": lambda: is_law(torch(7)),
    "a torch of two points, 60 nights": lambda: is_law(torch(60)),
    "5 of 54 cards, a joker among them": lambda: has(True, Fraction(85, 477)),
    "the higher of 2 of 54 cards, and one more": lambda: is_law(three_cards()),
    "a fight by attrition, 4 against 3": lambda: is_nearly(attrition(4, 3), Fraction(1, 10**15)),
    "a fight blow by blow, 12 life against 10": lambda: is_nearly(blow_by_blow(12, 10), Fraction(1, 10**14)),
    "a fight of turns and actions, 12 life against 10": lambda: is_nearly(blow_by_blow(12, 10), Fraction(1, 10**14)),
    "5 exploding dice, up to 6 more bought after a look": lambda: has("hit", bought(6)),
    "Fiend Wake, a roll against 7 with Essence 3": lambda: is_nearly(burning(7, (5, 3, 1), (1, 3)), Fraction(1, 10**9)),
    "Fiend Wake, a roll against 14 with Essence 3": lambda: is_nearly(
        burning(14, (5, 3, 1), (1, 3)), Fraction(1, 10**9)
    ),
    "D6, a check with a related skill": lambda: is_nearly(helped(3, 15, 1), Fraction(1, 10**9)),
    "D6, a check with two related skills": lambda: is_nearly(helped(3, 15, 2), Fraction(1, 10**5)),
    "D6, a check with a Character Point and a Fate Point": lambda: has("success", with_points(6, 1, 15)),
    "D6, a check with a Fate Point and 5 points spent before": lambda: has("success", bought_before(6, 5, 15)),
    "the duel of Fiend Wake, all but a hundredth": duel_is_enclosed,
    "Jadeclaw, 8d12 & d8 against 8d12 & d6, all that is shown": lambda: is_law(reference()["W2L"]),
}


LONG = {"sum of 400d100", "the duel of Fiend Wake, all but a hundredth", "Fiend Wake, a roll against 14 with Essence 3"}


@pytest.mark.parametrize("name", thorough(CLIFFS, lambda name: name in LONG, every=3))
def test_a_cliff_is_gone(name: str) -> None:
    BY_HAND[name]()(CLIFFS[name].law(game(CLIFFS[name].ruleset)))
