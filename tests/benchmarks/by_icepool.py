"""The workloads in the best idiom of icepool."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import icepool
from icepool import Die, MultisetEvaluator, Order, Pool, UnsupportedOrder, d6, d8, d10, d12, d20, vectorize

from .plainly import classified


def highest(sizes: list[int]) -> Any:
    return icepool.highest(*[icepool.d(size) for size in sizes])


def contest(own: list[int], against: list[int]) -> Any:
    return icepool.map(classified, highest(own), highest(against))


def hindered_contest(own: list[int], against: list[int], throws: int) -> Any:
    return icepool.map(classified, highest(own).lowest(throws), highest(against))


class Damage(MultisetEvaluator):
    """Pairs from the lowest up, as icepool takes mixed dice in this order only at little cost.

    The state is: hits, soak dice that wait by the gap (0 to 4, 5 and more), damage dice that wait, surplus damage and
    soak dice, and how many soak dice there are as long as all may still show 1.
    """

    def initial_state(self, order: Any, outcomes: Any, damage: Any, soak: Any) -> Any:
        if order != Order.Ascending:
            raise UnsupportedOrder()
        return 0, (0, 0, 0, 0, 0), 0, max(damage - soak, 0), max(soak - damage, 0), soak

    extra_outcomes = MultisetEvaluator.consecutive

    def next_state(self, state: Any, order: Any, face: int, damage: int, soak: int) -> Any:
        hits, queue, waiting, more_damage, more_soak, all_soak = state
        if face == 1 and soak == all_soak:
            hits += 1
        surplus = min(damage, more_damage)
        more_damage -= surplus
        damage -= surplus
        hits += surplus * (2 if face >= 6 else 1 if face > 1 else 0)
        surplus = min(soak, more_soak)
        more_soak -= surplus
        soak -= surplus
        queue = list(queue)
        for place in range(5):
            met = min(damage, queue[place])
            queue[place] -= met
            damage -= met
            hits += met * (2 if place == 0 else 1)
        met = min(soak, waiting + damage)
        soak -= met
        waiting = waiting + damage - met
        return hits, (queue[0] + queue[1], *queue[2:], soak), waiting, more_damage, more_soak, 0

    def final_outcome(self, state: Any, *_: Any) -> Any:
        return state[0]


def damage(blow: list[int], soak: list[int]) -> Any:
    return Damage().evaluate(Pool([icepool.d(s) for s in blow]), Pool([icepool.d(s) for s in soak]))


def wild_die(dice: int, pips: int) -> Any:
    rest, dropped = (dice - 1) @ d6, d6.lowest(dice - 1, dice - 2)
    return Die([dropped] + [face + rest for face in range(2, 6)] + [6 + d6.explode(depth=19) + rest]) + pips


def stacking(numbers: tuple[int, ...], most: int) -> Any:
    die: Any = d12
    for place in reversed(range(most - 1)):
        target, following = numbers[place] if place < len(numbers) else 1, die
        die = d12.map(lambda face: face + following if face <= target and face < 10 else face)  # noqa: B023
    return die


def successes(dice: int, target: int, focus: int) -> Any:
    return dice @ d20.map(lambda f: vectorize((f <= target) + (f <= focus), int(f >= 19)))


def best_ability(times: int, die: Any = d6) -> Any:
    return die.reroll([1], depth=1).highest(4, 3).highest(times)


def keep_best(dice: int, keep: int, die: Any = d10) -> Any:
    return die.explode(depth=5).highest(dice, keep)


Ask = Callable[[], Any]

ASKED: dict[str, tuple[Ask, Ask]] = {
    "W1": (lambda: contest([12, 12, 10, 8], [10, 10, 10, 6]), lambda: contest([8, 6], [6, 4])),
    "W2": (lambda: damage([12, 12, 12, 10, 8], [12, 12, 8]), lambda: damage([8, 6], [6])),
    "W2L": (lambda: damage([12] * 8 + [8], [12] * 8 + [6]), lambda: damage([8, 6], [6])),
    "W3": (
        lambda: hindered_contest([12, 12, 10, 8], [10, 10, 10, 6], 3),
        lambda: hindered_contest([8, 6], [6, 4], 3),
    ),
    "W4": (lambda: wild_die(5, 2), lambda: wild_die(3, 0)),
    "W4L": (lambda: wild_die(20, 0), lambda: wild_die(3, 0)),
    "W5": (lambda: stacking((9, 7, 5, 3, 1), 50), lambda: stacking((4, 3), 50)),
    "W6": (lambda: successes(5, 14, 4), lambda: successes(3, 11, 3)),
    "W7": (lambda: best_ability(6), lambda: best_ability(2, d8)),
    "W8": (lambda: keep_best(10, 5), lambda: keep_best(4, 2, d8)),
}
"""Each workload, and a smaller question of the same kind, about other dice: icepool remembers what it found of some."""

GROWTH: dict[str, Callable[[int], Any]] = {
    "contest": lambda n: contest([12] * n, [10] * n),
    "damage": lambda n: damage([12] * n + [8], [12] * n + [6]),
    "keep": lambda n: keep_best(n, n // 2),
}


def law(answer: Any) -> dict[Any, Any]:
    """The law of an answer, to be compared."""
    total = answer.denominator()
    return {
        (tuple(value) if isinstance(value, (tuple, icepool.Vector)) else (value,)): Fraction(ways, total)
        for value, ways in answer.items()
        if ways
    }
