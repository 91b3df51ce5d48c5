"""A few dice that are thrown on many times: whatever is read of them together, they are followed to the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from marks import sample

import interpreter

Chains = Sequence[Sequence[int]]
"""The faces of each die, throw by throw."""

READINGS: dict[str, Callable[[Chains], int]] = {
    "sum(r)": lambda dice: sum(map(sum, dice)),
    "highest(r)": lambda dice: max(map(sum, dice)),
    "lowest(r)": lambda dice: min(map(sum, dice)),
    "sum(r where face == size or face * 2 != 3)": lambda dice: sum(map(sum, dice)),
    "sum(r where value > 4)": lambda dice: sum(sum(one) for one in dice if sum(one) > 4),
    "(highest(r where face == 2) otherwise 0)": lambda dice: max([sum(one) for one in dice if one[0] == 2], default=0),
    "(lowest(r where value > 2) otherwise 0)": lambda dice: min([sum(one) for one in dice if sum(one) > 2], default=0),
    "count(r where face > 1)": lambda dice: sum(one[0] > 1 for one in dice),
    "count(r.throws)": lambda dice: sum(map(len, dice)),
    "count(r.throws where it.face >= 2)": lambda dice: sum(face >= 2 for one in dice for face in one),
    "count(r.throws where it.counts >= 1)": lambda dice: sum(map(len, dice)),
    "sum(without(r, highest(r, 1)))": lambda dice: sum(map(sum, dice)) - max(map(sum, dice)),
}


def some(seed: int) -> tuple[str, ...]:
    """From one to four readings at random."""
    chance = Random(seed)
    return tuple(chance.sample(list(READINGS), chance.randint(1, 4)))


MANY = {
    "what is refused as a dense polynomial": (
        "sum(r where face == size or face * 2 != 3)", "count(r.throws where it.face >= 2)",
        "count(r.throws where it.counts >= 1)", "(highest(r where face == 2) otherwise 0)",
    ),
    **{f"some of them, {seed}": some(seed) for seed in range(40)},
}  # fmt: skip


@pytest.mark.parametrize("name", sample(MANY, 1, 14))
def test_all_that_is_read_of_two_chains_is_known(name: str) -> None:
    readings = MANY[name]
    rule = f'r: {{roll: 2d2, again: face == 2}}, out: "[{", ".join(readings)}]"'
    law = interpreter.loads(f"ruleset: chains\nmechanics: {{main: {{steps: {{{rule}}}}}}}\n").odds("main").law("out")
    chains = [((2,) * many + (1,), Fraction(1, 2 ** (many + 1))) for many in range(14)]
    known: dict[str, Fraction] = {}
    for (one, first), (other, second) in product(chains, repeat=2):
        key = f"[{', '.join(str(READINGS[name]([one, other])) for name in readings)}]"
        known[key] = known.get(key, Fraction(0)) + first * second
    assert law.missing < Fraction(1, 10**9)
    found = {values[0]: chance for values, chance in law.weights.items()}
    assert all(0 <= found[key] - chance <= Fraction(1, 2**13) for key, chance in known.items())
