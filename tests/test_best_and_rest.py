"""Rolls of which the best dice are set apart, and of the others only read what dice they are."""

from __future__ import annotations

from random import Random

import pytest
from enumeration import by_enumeration

import interpreter
from interpreter.odds import laid_out

HEAD = """
ruleset: effects
mechanics:
  main:
    inputs: {least: {type: number, default: 3}}
    steps:
"""

SET_APART = {
    "an effect die": "best: highest(rolled, 2); n: sum(best); m: highest(without(rolled, best).size) otherwise 4",
    "without a name": "n: sum(highest(rolled, 2)); m: highest(without(rolled, highest(rolled, 2)).size) otherwise 4",
    "under a name": "best: highest(rolled, 1); rest: without(rolled, best); n: sum(best); m: sum(rest.size)",
    "the lowest": "worst: lowest(rolled, 1); n: sum(worst); m: lowest(without(rolled, worst).size) otherwise 0",
    "the highest alone": "best: highest(rolled, 2); n: highest(rolled); m: count(without(rolled, best) where size > 4)",
    "how many are big": "n: count(without(rolled, highest(rolled, 2)) where size > least); m: sum(highest(rolled, 1))",
    "how many there are": "n: count(rolled); m: count(without(rolled, highest(rolled, 2)) where red in tags)",
}
NOT_SET_APART = {
    "what the others show": "best: highest(rolled, 2); n: sum(best); m: sum(without(rolled, best))",
    "some of the others": "best: highest(rolled, 1); n: sum(best); m: count(without(rolled, best) where face > 1)",
    "both ends": "best: highest(rolled, 1); n: sum(lowest(rolled, 1)); m: sum(without(rolled, best).size)",
    "all of them": "best: highest(rolled, 1); n: sum(without(rolled, best).size); m: sum(rolled)",
    "as many as there are": "best: highest(rolled, least - 2); n: sum(without(rolled, best).size); m: sum(best)",
    "the others themselves": "best: highest(rolled, 1); rest: without(rolled, best); n: sum(rest.size); m: rest",
}


def game(pool: str, steps: str) -> interpreter.Game:
    lines = [f"rolled: {{roll: {pool}}}", *steps.split("; ")]
    text = HEAD + "".join(f"      {line}\n" for line in lines)
    return interpreter.loads(text.replace("ruleset: effects", "ruleset: effects\ntags: [red]"))


@pytest.mark.parametrize("pool", ["d4 & 2d6", "2d4 & d6 red", "3d3 & d2"])
@pytest.mark.parametrize("name", {**SET_APART, **NOT_SET_APART})
def test_the_odds_are_those_of_enumeration(name: str, pool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    merged: list[int] = []
    known = laid_out._with_equal_rest
    monkeypatch.setattr(laid_out, "_with_equal_rest", lambda *how: merged.append(1) or known(*how))
    made = game(pool, {**SET_APART, **NOT_SET_APART}[name])
    for names in (("n",), ("m",), ("n", "m")):
        merged.clear()
        expected = by_enumeration(made, "main", None, names, {})
        assert made.odds("main").law(*names).weights == expected, names
    assert bool(merged) == (name in SET_APART)  # where both are read


@pytest.mark.parametrize("seed", range(40))
def test_any_pool_and_readings(seed: int) -> None:
    chance = Random(seed)
    pool = " & ".join(f"{chance.randint(1, 2)}d{size}" for size in chance.sample([2, 3, 4, 6], 2))
    end, k = chance.choice(["highest", "lowest"]), chance.randint(0, 3)
    of_rest = chance.choice([
        "sum(without(rolled, best).size)", "count(without(rolled, best) where size > 3)",
        "highest(without(rolled, best).size) otherwise 0", "count(without(rolled, best))",
    ])  # fmt: skip
    of_best = chance.choice(["sum(best)", "count(best where face > 2)", "sum(highest(best, 1))", "sum(best.size)"])
    steps = f"best: {end}(rolled, {k}); n: {of_best}; m: {of_rest}"
    made = game(pool, steps)
    assert made.odds("main").law("n", "m").weights == by_enumeration(made, "main", None, ("n", "m"), {}), (pool, steps)
