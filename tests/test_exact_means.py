"""Means of dice that explode without end, against closed forms and against the same question cut elsewhere."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from random import Random

import pytest
from marks import thorough

import interpreter
from interpreter import PlayError
from interpreter.odds import query_cache
from interpreter.odds.intervals import mean_of

AGAIN = {
    "face == size": lambda face, size: face == size,
    "face > 1": lambda face, size: face > 1,
    "odd(face)": lambda face, size: face % 2 == 1,
    "face < 3 and face < size": lambda face, size: face < min(3, size),
}
COUNTS = {
    "face": lambda face, size: face,
    "1 if face >= 2 else 0": lambda face, size: int(face >= 2),
    "2 * face - 5": lambda face, size: 2 * face - 5,
    "-face": lambda face, size: -face,
    "0": lambda face, size: 0,
}


def of_one(size: int, again: str, counts: str) -> tuple[F, F]:
    """The mean of what a die counts in all its throws, and of how many these are.

    With the mean `c` of a throw and the chance `p` of another, `m = c + p · m`.
    """
    faces = range(1, size + 1)
    ends = F(sum(not AGAIN[again](face, size) for face in faces), size)
    return F(sum(COUNTS[counts](face, size) for face in faces), size) / ends, 1 / ends


def means(steps: str, *names: str) -> list[F | None]:
    """The means of some names of a mechanic with these steps; None where one is not known, or refused as too large."""
    odds = interpreter.loads(f"ruleset: chains\nmechanics:\n  m:\n    steps:\n{steps}").odds("m")
    found: list[F | None] = []
    for name in names:
        try:
            found.append(odds.mean(name))
        except PlayError as problem:
            assert problem.diagnostic.code in ("HR803", "HR804", "HR805", "HR817"), problem
            found.append(None)
    return found


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize("size", thorough([2, 3, 6, 8, 20], lambda size: size != 3))
def test_sums_and_numbers_of_throws_have_the_mean_of_the_closed_form(size: int, again: str, counts: str) -> None:
    value, throws = of_one(size, again, counts)
    for dice in (1, 3):
        steps = f"""
      a: {{roll: {dice}d{size}, again: {again}, counts: {counts}}}
      total: sum(a)
      n: count(a.throws)
      beyond: total - {dice} * 4
      less: 10 - 3 * total
"""
        wanted = [dice * one for one in (value, throws, value - 4, F(10, dice) - 3 * value)]
        assert means(steps, "total", "n", "beyond", "less") == wanted
    steps = f"""
      a: {{roll: d{size}, again: {again}, counts: {counts}}}
      both: 2 * sum(a) - count(a.throws) + 1
"""
    assert means(steps, "both") == [2 * value - throws + 1]


def test_several_rolls_add_up_whatever_else_is_read_of_them() -> None:
    steps = """
      a: {roll: d6, again: face == 6}
      b: {roll: {one: d8, two: d4}, again: face == size}
      c: {roll: d10}
      sum_: 2 * sum(a) - sum(b)
      part: sum(b where part is two) - sum(b where part is one)
      other: (sum(a) + 1) if sum(c) > 7 else -sum(b)
      late: 0 if sum(a) < 5 else sum(a) - 5
      nought: sum(c) * (sum(a) - sum(a))
"""
    d6, d8, d4 = F(21, 5), F(36, 7), F(10, 3)
    more = F(3, 10)
    few = sum(F(5 - x, 6) for x in range(1, 5))
    assert means(steps, "sum_", "part", "other", "late", "nought") == [
        2 * d6 - d8 - d4,
        d4 - d8,
        more * (d6 + 1) - (1 - more) * (d8 + d4),
        d6 - 5 + few,
        0,
    ]


def test_the_steps_of_a_throw_and_other_mechanics_pass_means_on() -> None:
    text = """
ruleset: inner
mechanics:
  burst:
    inputs: {dice: dice}
    steps:
      thrown: {roll: dice, again: face == size}
      total: sum(thrown)
  m:
    steps:
      wild:
        roll: d6
        each:
          extra: {roll: d4}
        counts: face + sum(extra)
        again: face + sum(extra) > 8
      one: {call: burst, with: {dice: 2d6}}
      two: {call: burst, with: {dice: d8}}
      all_: 2 * one.total - two.total
      fierce: sum(wild) - 1
      list_: {repeat: 3, each: {hurt: {roll: d6, again: face == 6}, come: sum(hurt)}}
      harm: sum(list_.come)
"""
    odds = interpreter.loads(text).odds("m")
    pairs = list(product(range(1, 7), range(1, 5)))
    wild = F(sum(x + y for x, y in pairs), sum(x + y <= 8 for x, y in pairs))
    assert odds.mean("all_") == F(84, 5) - F(36, 7)
    assert odds.mean("fierce") == wild - 1
    assert odds.mean("harm") == 3 * F(21, 5)


def test_of_the_runs_meant_alone() -> None:
    text = """
ruleset: strikes
mechanics:
  m:
    steps:
      tried: {roll: 2d6}
      harm: {roll: d6, again: face == 6, counts: face + 1}
      total: sum(harm) + sum(tried)
    outcomes: {hit: sum(tried) >= 8, miss: otherwise}
    also: {sore: sum(harm) > 4}
"""
    odds = interpreter.loads(text).odds("m")
    hits = [x + y for x, y in product(range(1, 7), repeat=2) if x + y >= 8]
    assert odds.when({"outcome": "hit"}).mean("total") == F(sum(hits), len(hits)) + F(27, 5)
    # sum(harm) is more than 4 unless the first face is below 4.
    assert odds.when({"sore": True}).mean("total") == 7 + (F(27, 5) - F(2 + 3 + 4, 6)) / F(1, 2)
    assert odds.when({"sore": False}).mean("total") == 7 + 3
    with pytest.raises(PlayError, match="not known"):
        odds.when({"total": range(200)}).mean("total")


def test_the_mean_of_a_distance_is_told_where_the_chain_is_followed_beyond() -> None:
    """|S - 20| is S - 20, and twice what is short of 20."""
    one = {6 * more + face: F(1, 6 ** (more + 1)) for more in range(4) for face in range(1, 6)}
    short = sum(max(0, 20 - a - b) * chance * share for a, chance in one.items() for b, share in one.items())
    steps = """
      a: {roll: 2d6, again: face == 6}
      far: abs(sum(a) - 20)
"""
    assert means(steps, "far") == [2 * F(21, 5) - 20 + 2 * short]


def test_what_is_not_the_mean_is_not_told() -> None:
    """Halves, products, the highest of several chains, and what is decided with the chain in sight, stay open."""
    steps = """
      a: {roll: 2d6, again: face == 6}
      half: sum(a) / 2
      square: sum(a) * sum(a)
      odd_: 1 if odd(sum(a)) else 0
"""
    assert means(steps, "half", "square", "odd_") == [None] * 3
    odds = interpreter.loads("""
ruleset: greed
mechanics:
  m:
    steps:
      a: {roll: d6, again: face == 6}
      keep: {choose: yes_no, ask: keep it}
      total: sum(a) if keep else 12
""").odds("m", best="total")
    with pytest.raises(PlayError, match="not known"):
        odds.mean("total")


# The same question, cut elsewhere --------------------------------------------------------------------------------


def grown(chance: Random) -> tuple[str, list[str]]:
    """Steps with chains and formulas of them, linear and not, and their names."""
    lines, numbers, rolls = [], [], []
    for place in range(chance.choice((1, 2, 2, 3))):
        dice = chance.choice(("d2", "d3", "2d2", "2d3", "d4", "3d2", "{x: d2, y: d3}"))
        again = chance.choice(("face == size", "face == 1", "face >= 2", "odd(face)"))
        again = again if dice[-2:] != "d2" or again != "face >= 1" else "face == 1"
        counts = chance.choice(("", "", ", counts: 1", ", counts: 2 * face - 3", ", counts: face - 1"))
        lines.append(f"r{place}: {{roll: {dice}, again: {again}{counts}}}")
        rolls.append(f"r{place}")
    if chance.random() < 0.3:
        lines.append(f"again_: {{reroll: {rolls[0]} where face == 1}}")
        rolls.append("again_")
    lines.append("plain: {roll: d3}")
    numbers.append("sum(plain)")
    for roll in rolls:
        numbers += [
            f"sum({roll})", f"count({roll}.throws)", f"highest({roll})", f"lowest({roll})", f"sum(highest({roll}, 2))",
            f"sum({roll} where value > 2)", f"count({roll} where value > 3)", f"sum({roll} where face == 1)",
            f"count({roll} where face > 1)", f"(kth({roll}, 2) otherwise 0)", f"sum(lowest({roll}, 2))",
        ]  # fmt: skip
    names = []
    for place in range(chance.choice((2, 3, 4))):
        a, b, c = (chance.choice(numbers) for _ in range(3))
        k = chance.choice((-3, -1, 2, 3, 5))
        made = chance.choice((
            f"{a} + {b}", f"{a} - {b}", f"{k} * {a}", f"{k} - {a}", f"{a} + {k} * {b} - {c}", f"max({a}, {k})",
            f"min({a}, {b})", f"max({a}, {b})", f"({a} + {b}) if {c} > {k} else {b}", f"{a} / 2", f"{a} * {b}",
            f"{a} if {b} == {k} else {c}", f"clamp({a}, 0, 30)", f"abs({a})", f"{a} - {a}", f"{b} if odd({a}) else {c}",
        ))  # fmt: skip
        lines.append(f"n{place}: '{made}'")
        names.append(f"n{place}")
        numbers.append(f"n{place}")
    return "".join(f"      {line}\n" for line in lines), names


@pytest.mark.parametrize("seed", thorough(range(120), lambda seed: seed >= 25))
def test_a_mean_is_the_same_wherever_chains_are_cut(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut after one throw, half of the weight is beyond the cut, so a mean that is wrong there is another one."""
    steps, names = grown(Random(seed))
    found: dict[str, set[F]] = {name: set() for name in names}
    for depth in (1, 2, 3, 8):
        monkeypatch.setattr(query_cache, "DEPTHS", (depth,))
        try:
            told_here = means(steps, *names)
        except PlayError as refused:
            assert refused.diagnostic.code in ("HR804", "HR805"), refused  # too much is refused, and says no mean
            continue
        for name, mean in zip(names, told_here, strict=True):
            found[name] |= {mean} - {None}
    monkeypatch.setattr(query_cache, "DEPTHS", (8, 16, 32, 64))
    game = interpreter.loads(f"ruleset: chains\nmechanics:\n  m:\n    steps:\n{steps}")
    kinds = game.type_of("m")
    for name, told in found.items():
        assert len(told) <= 1, (steps, name, told)
        if told:
            try:
                law = game.odds("m").farthest(name).without_means()
            except PlayError as refused:
                assert refused.diagnostic.code in ("HR804", "HR805"), refused
                continue
            between = mean_of(law, name, dict(kinds.fields)[name])
            assert between.low <= next(iter(told)) <= between.high, (steps, name)
