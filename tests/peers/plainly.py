"""What the examples come to by plain Python: every face of every die in turn, or every state of a chain.

Nothing here knows how a ruleset says a rule, nor how the interpreter works odds out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

Law = dict[Any, Fraction]


@dataclass(frozen=True)
class Reference:
    """The law of one value of one rule: `law` works it out."""

    ruleset: str
    mechanic: str
    of: str
    law: Callable[[], Law]
    given: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.ruleset, self.mechanic, *map(str, self.given.values()), self.of])


def faces(sizes: Sequence[int]) -> Iterable[tuple[int, ...]]:
    return product(*(range(1, size + 1) for size in sizes))


def counted(values: Iterable[Any]) -> Law:
    ways = Counter(values)
    total = sum(ways.values())
    return {value: Fraction(count, total) for value, count in ways.items()}


def over(sizes: Sequence[int], value: Callable[[tuple[int, ...]], Any]) -> Law:
    """The law of what is read of dice of these sizes."""
    return counted(map(value, faces(sizes)))


def mixed(parts: Iterable[tuple[Fraction, Law]]) -> Law:
    found: Law = {}
    for weight, law in parts:
        for value, chance in law.items():
            found[value] = found.get(value, Fraction(0)) + weight * chance
    return {value: chance for value, chance in found.items() if chance}


def then(law: Law, value: Callable[[Any], Any]) -> Law:
    return mixed((chance, {value(one): Fraction(1)}) for one, chance in law.items())


def added(*laws: Law) -> Law:
    found: Law = {0: Fraction(1)}
    for law in laws:
        found = mixed((chance, then(law, lambda one, to=total: to + one)) for total, chance in found.items())
    return found


def die(size: int) -> Law:
    return {face: Fraction(1, size) for face in range(1, size + 1)}


def exploding(size: int, throws: int) -> Law:
    """One die that is thrown on at its highest face, so many throws at most."""
    if throws == 1:
        return die(size)
    on = then(exploding(size, throws - 1), lambda value: value + size)
    return mixed([(Fraction(1), {face: Fraction(1, size) for face in range(1, size)}), (Fraction(1, size), on)])


def kept(law: Law, dice: int, most: int) -> Law:
    """The sum of the highest of so many dice of one law: dice are handed out from the highest value down."""
    found: Law = {}

    def place(values: list[Any], left: int, room: int, total: int, chance: Fraction) -> None:
        if not left:
            found[total] = found.get(total, Fraction(0)) + chance
            return
        if not values:
            return
        value, *rest = values
        for many in range(left + 1):
            held = min(many, room)
            ways = comb(left, many) * law[value] ** many
            place(rest, left - many, room - held, total + value * held, chance * ways)

    place(sorted(law, reverse=True), dice, most, 0, Fraction(1))
    return found


def widths(roll: Sequence[int]) -> list[int]:
    return sorted(Counter(roll).values(), reverse=True)


# What each example asks --------------------------------------------------------------------------------------------


def drop_lowest(roll: tuple[int, ...]) -> int:
    return sum(roll) - min(roll)


def reroll_first(size: int, low: int) -> Law:
    """One die, thrown again once where it shows `low` or less."""
    again = Fraction(low, size)
    return mixed([(Fraction(1), {face: Fraction(1, size) for face in range(low + 1, size + 1)}), (again, die(size))])


def tension(dice: int) -> Law:
    rarities = ["very_rare"] * 5 + ["rare"] * 2 + ["uncommon"] * 2 + ["common"] * 5 + ["uncommon"] * 2 + ["rare"] * 2
    rarities += ["very_rare"] * 3
    comes = 1 - Fraction(5, 6) ** dice
    rarity = over([8, 12], lambda roll: rarities[sum(roll)])
    return mixed([(1 - comes, {"none_comes": Fraction(1)}), (comes, rarity)])


def hunger(roll: tuple[int, ...], difficulty: int = 3) -> str:
    plain, hungry = roll[:3], roll[3:]
    tens = roll.count(10)
    won = sum(face >= 6 for face in (*plain, *hungry)) + tens // 2 * 2 >= difficulty
    if won:
        return "win" if tens < 2 else "messy_critical" if 10 in hungry else "critical"
    return "bestial_failure" if 1 in hungry else "failure"


def storyteller(roll: tuple[int, ...]) -> int:
    return sum(face >= 7 for face in roll) - roll.count(1)


def straights(roll: tuple[int, ...]) -> int:
    best = max(face * roll.count(face) for face in roll)
    for low in range(1, 9):
        for high in range(low + 2, 11):
            if set(range(low, high + 1)) <= set(roll):
                best = max(best, sum(range(low, high + 1)))
    return best


def in_pairs(roll: tuple[int, ...], ours: int) -> tuple[int, int]:
    pairs = list(zip(sorted(roll[:ours], reverse=True), sorted(roll[ours:], reverse=True), strict=False))
    return sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)


def brawl(roll: tuple[int, ...], ours: int = 3) -> int:
    mine, yours = roll[:ours], roll[ours:]
    return sum(one >= max(yours) for one in mine) - sum(one >= max(mine) for one in yours)


def brawl_with_swap(roll: tuple[int, ...]) -> int:
    mine, yours = sorted(roll[:3]), sorted(roll[3:])
    if mine[0] < yours[-1]:
        mine[0], yours[-1] = yours[-1], mine[0]
    mine, yours = sorted(mine, reverse=True), sorted(yours, reverse=True)
    net = brawl((*mine, *yours))
    return net or (mine > yours) - (mine < yours)


def neon(roll: tuple[int, ...], ours: int) -> int:
    left = Counter(roll[:ours]) - Counter(roll[ours:])
    return 5 + left[6] if left[6] else max(left, default=0)


def technoir(roll: tuple[int, ...]) -> int:
    """One die of each pool: the highest that is not hurt."""
    return max((one for one in roll[:2] if one != roll[2]), default=0)


def green_and_red(roll: tuple[int, ...]) -> str:
    green, red = Counter(roll[:2]), Counter(roll[2:])
    left = [(face, "g") for face in (green - red).elements()] + [(face, "r") for face in (red - green).elements()]
    top = {colour for _, colour in sorted(left, reverse=True)[:2]}
    return "full" if top == {"g"} else "failure" if top == {"r"} else "partial"


def stressed(roll: tuple[int, ...]) -> int:
    action = sorted(roll[:3], reverse=True)
    for stress in sorted(roll[3:], reverse=True):
        gone = next((one for one in action if one <= stress), None)
        if gone is not None:
            action.remove(gone)
    return len(action)


def ironsworn(roll: tuple[int, ...], adds: int) -> str:
    return ["failure", "weak", "strong"][sum(roll[0] + adds > one for one in roll[1:])]


def meteors() -> Law:
    def blow(chance: Fraction) -> Law:
        hurt = added(die(6), die(6))
        return mixed([(chance, hurt), (1 - chance, then(hurt, lambda value: value // 2))])

    usual = blow(Fraction(13, 20))
    weak = blow(counted(d20 + 1 - d4 < 15 for d20, d4 in faces([20, 4]))[True])
    failed = Fraction(13, 20)
    pain = added(die(6), die(6))
    return mixed([(failed, added(pain, weak, usual)), (1 - failed, added(usual, usual))])


def percentile(roll: tuple[int, ...]) -> int:
    unit, *tens = (face - 1 for face in roll)
    return min(100 if ten == unit == 0 else 10 * ten + unit for ten in tens)


def pig(hold: int) -> Law:
    found: Law = {}

    def on(total: int, chance: Fraction) -> None:
        if total >= hold:
            found[total] = found.get(total, Fraction(0)) + chance
            return
        found[0] = found.get(0, Fraction(0)) + chance / 6
        for face in range(2, 7):
            on(total + face, chance / 6)

    on(0, Fraction(1))
    return found


def craps() -> Law:
    ways = counted(sum(roll) for roll in faces([6, 6]))
    wins = ways[7] + ways[11] + sum(ways[n] ** 2 / (ways[n] + ways[7]) for n in (4, 5, 6, 8, 9, 10))
    return {"wins": wins, "loses": 1 - wins}


def fight(us: int, them: int, clash: Callable[[int, int], dict[tuple[int, int], Fraction]]) -> Fraction:
    """How likely it is to win a fight to the end, where a clash takes so many dice from each side."""
    if not them:
        return Fraction(1)
    if not us:
        return Fraction(0)
    law = clash(us, them)
    still = law.get((0, 0), Fraction(0))
    return sum(
        (chance * fight(us - a, them - b, clash) for (a, b), chance in law.items() if (a, b) != (0, 0)), Fraction(0)
    ) / (1 - still)


def by_sums(us: int, them: int) -> dict[tuple[int, int], Fraction]:
    def lost(roll: tuple[int, ...]) -> tuple[int, int]:
        lead = sum(roll[:us]) - sum(roll[us:])
        return int(lead < 0), int(lead > 0)

    return over([6] * (us + them), lost)


def by_highest(us: int, them: int) -> dict[tuple[int, int], Fraction]:
    def lost(roll: tuple[int, ...]) -> tuple[int, int]:
        lead = max(roll[:us]) - max(roll[us:]) or them - us
        return int(lead < 0), int(lead > 0)

    return over([6] * (us + them), lost)


def by_pairs(us: int, them: int) -> dict[tuple[int, int], Fraction]:
    return over([6] * (us + them), lambda roll: in_pairs(roll, us)[::-1])


def pushed(dice: int, stays: Callable[[int], bool], pushes: Callable[[int], bool]) -> Law:
    """Sixes of dice that are thrown again, all that do not stay, where the first sixes are too few."""
    law: Law = {}
    for roll in faces([6] * dice):
        sixes = roll.count(6)
        free = sum(not stays(face) for face in roll)
        if not pushes(sixes) or not free:
            law[sixes] = law.get(sixes, Fraction(0)) + Fraction(1, 6**dice)
            continue
        for more in range(free + 1):
            chance = comb(free, more) * Fraction(1, 6) ** more * Fraction(5, 6) ** (free - more)
            law[sixes + more] = law.get(sixes + more, Fraction(0)) + chance / 6**dice
    return law


def year_zero() -> Law:
    """Three base dice and two of skill: ones of base dice stay, all sixes stay, the rest is thrown once more."""
    base = {1: Fraction(1, 6) + Fraction(4, 6) * Fraction(1, 6), 0: Fraction(1, 6) + Fraction(4, 6) * Fraction(5, 6)}
    skill = {1: Fraction(1, 6) + Fraction(5, 6) * Fraction(1, 6), 0: Fraction(5, 6) * Fraction(5, 6)}
    return added(base, base, base, skill, skill)


def soulbound(roll: tuple[int, ...], difficulty: int = 5, focus: int = 2) -> int:
    hits = 0
    for lack in sorted(max(difficulty - face, 0) for face in roll):
        if lack <= focus:
            focus -= lack
            hits += 1
    return hits


def cortex(roll: tuple[int, ...]) -> tuple[int, int]:
    good = sorted((face for face in roll if face > 1), reverse=True)
    return sum(good[:2]), good[2] if len(good) > 2 else 0


def twice_best(two: Law, rank: int) -> Law:
    return mixed((a * b, {sorted((x, y))[rank]: Fraction(1)}) for x, a in two.items() for y, b in two.items())


def shadowrun(roll: tuple[int, ...]) -> str:
    hits, glitch = sum(face >= 5 for face in roll), 2 * roll.count(1) > len(roll)
    return "critical_glitch" if glitch and not hits else "glitch" if glitch else "hit" if hits else "miss"


def compass(roll: tuple[int, ...]) -> int:
    return sum(3 ** (width - 2) for width in widths(roll) if width > 1)


def dogs(roll: tuple[int, ...]) -> str:
    raised = sum(sorted(roll[:4])[-2:])
    answer = sorted(roll[4:], reverse=True)
    for many, name in ((1, "reversed"), (2, "blocked"), (4, "taken")):
        if sum(answer[:many]) >= raised:
            return name
    return "given_up"


def hand(roll: tuple[int, ...]) -> str:
    match widths(roll):
        case [5]:
            return "yahtzee"
        case [4, *_]:
            return "four"
        case [3, 2]:
            return "full_house"
        case [3, *_]:
            return "three"
        case [2, 2, *_]:
            return "two_pairs"
        case [2, *_]:
            return "pair"
    return "straight" if max(roll) - min(roll) == 4 else "nothing"


def infinity(roll: tuple[int, ...]) -> str:
    """Three dice against one, twelve against eleven: exact numbers cancel, and else the higher die of the two wins."""
    *ours, theirs = roll
    ours_exact, theirs_exact = ours.count(12), theirs == 11
    below, answer = [one for one in ours if one < 12], theirs if theirs < 11 else 0
    if not theirs_exact and (ours_exact or any(one > answer for one in below)):
        return "hit"
    if theirs_exact > ours_exact or (not ours_exact and answer > max(below, default=0)):
        return "struck"
    return "nothing"


def blades(roll: tuple[int, ...], dice: int) -> str:
    best = max(roll) if dice else min(roll)
    if dice and roll.count(6) > 1:
        return "critical"
    return "full" if best == 6 else "partial" if best > 3 else "bad"


def moved(roll: tuple[int, ...], low: bool) -> str:
    total = sum(sorted(roll)[:2] if low else sorted(roll)[-2:]) + 1
    return "full" if total >= 10 else "partial" if total >= 7 else "miss"


def attack() -> Law:
    """The better of two d20 against armour 14 with 5 added; a twenty throws three d12 and not one."""
    best = over([20, 20], max)
    hurt = {1: then(die(12), lambda value: value + 5), 3: then(added(*[die(12)] * 3), lambda value: value + 5)}
    miss = {0: Fraction(1)}
    return mixed((chance, hurt[3] if one == 20 else hurt[1] if one >= 9 else miss) for one, chance in best.items())


def arch() -> Law:
    full = then(added(*[die(6)] * 10), lambda value: value + 10)
    return mixed([(Fraction(9, 20), full), (Fraction(11, 20), then(full, lambda value: value // 2))])


_D6_ONCE = reroll_first(6, 1)
_GOBLET = reroll_first(6, 2)

REFERENCES = [
    Reference("ability-scores", "drop_lowest", "score", lambda: over([6] * 4, drop_lowest)),
    Reference("ability-scores", "ones_once", "score", lambda: kept(_D6_ONCE, 4, 3)),
    Reference("ability-scores", "no_ones", "score", lambda: over([5] * 4, lambda roll: drop_lowest(roll) + 3)),
    Reference("ability-scores", "other_ways", "by_four", lambda: over([4] * 4, lambda roll: sum(roll) + 2)),
    *(Reference("dice-pools", "tension_pool", "outcome", lambda n=n: tension(n), {"dice": n}) for n in (1, 3, 6)),
    Reference(
        "dice-pools",
        "more_fours",
        "outcome",
        lambda: over([6] * 3 + [4] * 2, lambda r: "more" if r[:3].count(4) > r[3:].count(4) else "not_more"),
    ),
    Reference("dice-pools", "duplicates", "dupes", lambda: over([6] * 5, lambda r: 5 - len(set(r))), {"pool": "5d6"}),
    Reference("dice-pools", "hunger", "outcome", lambda: over([10] * 5, hunger)),
    Reference("dice-pools", "storyteller", "net", lambda: over([10] * 4, storyteller), {"dice": 4}),
    Reference("dice-pools", "shadowrun", "outcome", lambda: over([6] * 5, shadowrun)),
    Reference("dice-pools", "broken_compass", "score", lambda: over([6] * 6, compass), {"dice": 6}),
    Reference("dice-pools", "cthulhutech", "score", lambda: over([10] * 4, straights)),
    Reference("contests", "risk", "won", lambda: over([6] * 5, lambda roll: in_pairs(roll, 3)[0])),
    Reference(
        "contests", "risk", "net", lambda: over([6] * 5, lambda roll: in_pairs(roll, 3)[0] - in_pairs(roll, 3)[1])
    ),
    Reference("contests", "brawl", "net", lambda: over([6] * 6, brawl)),
    Reference("contests", "brawl_with_swap", "net", lambda: over([6] * 6, brawl_with_swap)),
    Reference("contests", "neon_city", "result", lambda: over([6] * 5, lambda roll: neon(roll, 3))),
    Reference("contests", "technoir", "result", lambda: over([6] * 3, technoir), {"action": 1, "push": 1, "hurt": 1}),
    Reference(
        "contests",
        "green_and_red",
        "outcome",
        lambda: over([6, 4, 4, 4], green_and_red),
        {"green": "d6 & d4", "red": "2d4"},
    ),
    Reference("contests", "stress", "left", lambda: over([6] * 5, stressed), {"action": 3, "stress": 2}),
    Reference("contests", "subset", "shown", lambda: over([4, 6, 8, 8], lambda roll: len({2, 4, 5, 7} & set(roll)))),
    *(
        Reference(
            "contests", "ironsworn", "outcome", lambda n=n: over([6, 10, 10], lambda r: ironsworn(r, n)), {"adds": n}
        )
        for n in range(5)
    ),
    Reference("dungeon", "great_weapon", "heavy", lambda: then(added(_GOBLET, _GOBLET), lambda value: value + 5)),
    Reference("dungeon", "advantage_attack", "damage", attack),
    Reference("dungeon", "burning_arch", "damage", arch),
    Reference("dungeon", "sliver_and_meteors", "damage", meteors),
    Reference("dungeon", "halfling", "total", lambda: reroll_first(20, 1)),
    Reference("dungeon", "lucky_advantage", "total", lambda: twice_best(reroll_first(20, 1), 1)),
    Reference("dungeon", "elven", "middle", lambda: over([20] * 3, lambda roll: sorted(roll)[1])),
    Reference("dungeon", "reroll_below_ten", "total", lambda: reroll_first(20, 9)),
    Reference("dungeon", "call_of_bonus", "result", lambda: over([10] * 3, percentile)),
    Reference(
        "dungeon",
        "set_of_seven",
        "ends",
        lambda: counted(max(r[0] - 1, *r[1:]) + min(r[0] - 1, *r[1:]) for r in faces([10, 4, 6, 8, 12, 20])),
    ),
    Reference(
        "exploding", "roll_and_keep", "total", lambda: kept(exploding(10, 3), 3, 2), {"dice": 3, "kept": 2, "most": 3}
    ),
    Reference("exploding", "emphasis", "total", lambda: kept(reroll_first(10, 1), 4, 2)),
    Reference(
        "exploding",
        "keep_and_extras",
        "total",
        lambda: over([6] * 6, lambda roll: sum(sorted(roll)[-3:]) + sorted(roll)[:-3].count(6)),
    ),
    Reference(
        "exploding",
        "penetrating",
        "total",
        lambda: added(*[_penetrating(3)] * 2),
    ),
    Reference("exploding", "mouse", "hits", lambda: _mouse()),
    Reference("boards", "pig", "score", lambda: pig(10), {"hold": 10}),
    Reference("boards", "yahtzee_hands", "outcome", lambda: over([6] * 5, hand)),
    Reference("boards", "jail", "outcome", lambda: {"free": Fraction(91, 216), "stays": Fraction(125, 216)}),
    Reference(
        "boards",
        "miwin",
        "total",
        lambda: counted(map(sum, product((1, 2, 5, 6, 7, 9), (1, 3, 4, 5, 8, 9), (2, 3, 4, 6, 7, 8)))),
    ),
    Reference("boards", "sicherman", "total", lambda: over([6, 6], sum)),
    Reference("narrative", "cortex", "total", lambda: then(over([10, 8, 8, 6], cortex), lambda one: one[0])),
    Reference("narrative", "cortex", "effect", lambda: then(over([10, 8, 8, 6], cortex), lambda one: one[1])),
    Reference("narrative", "one_roll", "width", lambda: over([10] * 5, lambda roll: widths(roll)[0])),
    Reference(
        "narrative",
        "one_roll",
        "height",
        lambda: over([10] * 4, lambda roll: max((roll.count(face), face) for face in roll)[1]),
        {"dice": 4},
    ),
    Reference(
        "narrative",
        "dogs",
        "outcome",
        lambda: over([6, 6, 6, 4, 6, 6, 8], dogs),
        {"mine": "3d6 & d4", "yours": "2d6 & d8"},
    ),
    *(
        Reference(
            "narrative", "blades", "outcome", lambda n=n: over([6] * (n or 2), lambda r: blades(r, n)), {"dice": n}
        )
        for n in range(4)
    ),
    Reference(
        "narrative", "move", "outcome", lambda: over([6] * 3, lambda roll: moved(roll, False)), {"edge": "advantage"}
    ),
    Reference(
        "narrative", "move", "outcome", lambda: over([6] * 3, lambda roll: moved(roll, True)), {"edge": "disadvantage"}
    ),
    Reference("narrative", "year_zero", "hits", year_zero),
    Reference("narrative", "soulbound", "hits", lambda: over([6] * 3, soulbound)),
    Reference("infinity", "infinity", "outcome", lambda: over([20] * 4, infinity)),
    Reference("pushes", "coriolis", "sixes", lambda: pushed(5, lambda face: face == 6, lambda sixes: not sixes)),
    Reference(
        "pushes", "vaesen", "sixes", lambda: pushed(4, lambda face: face == 6, lambda sixes: sixes < 2), {"dice": 4}
    ),
]


def _penetrating(most: int) -> Law:
    """A d6 that is thrown on at six, three throws more at most, each one less than it shows."""
    found: Law = {}

    def on(nth: int, total: int, chance: Fraction) -> None:
        for face in range(1, 7):
            worth = total + face - (nth > 1)
            if face == 6 and nth <= most:
                on(nth + 1, worth, chance / 6)
            else:
                found[worth] = found.get(worth, Fraction(0)) + chance / 6

    on(1, 0, Fraction(1))
    return found


def _mouse() -> Law:
    """Four dice, fours are good; where there are fewer than two, the others are thrown again."""
    found: Law = {}
    for good in range(5):
        first = Fraction(comb(4, good), 16)
        for more in range(5 - good if good < 2 else 1):
            chance = first * (Fraction(comb(4 - good, more), 2 ** (4 - good)) if good < 2 else 1)
            found[good + more] = found.get(good + more, Fraction(0)) + chance
    return found
