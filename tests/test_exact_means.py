"""Means of dice that explode without end, against closed forms and against the same question cut elsewhere."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from copy import copy
from fractions import Fraction as F
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from marks import sample, thorough

import interpreter
from interpreter import Bounded, PlayError
from interpreter.cli import group
from interpreter.odds import query_cache
from interpreter.odds.answer import SMALL_ERROR
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
@pytest.mark.parametrize("size", thorough([2, 3, 6, 8, 20], lambda size: size != 3, every=4))
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
    few = odds.when({"total": range(200)}).mean("total")
    assert isinstance(few, Bounded) and 0 < 7 + F(27, 5) - few < F(1, 10**9)  # 200 or more hardly ever come


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
    """Products that a slow chain decides, and what is decided with the chain in sight, stay open."""
    steps = """
      a: {roll: 2d6, again: face > 1}
      square: sum(a) * sum(a)
      odd_: 1 if odd(sum(a)) else 0
"""
    square, odd_ = means(steps, "square", "odd_")
    assert square is None
    assert isinstance(odd_, Bounded) and odd_.error > 1e-6  # it is 0 or 1, whatever was not followed
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


# Means within bounds ---------------------------------------------------------------------------------------------

FAR = 60
"""The number of throws after which hardly anything of a chain that goes on with 2/3 or less is left: 3e-11."""


def followed(size: int, again: str, counts: str) -> dict[int, float]:
    """The law of what a die counts in at most FAR throws, by plain arithmetic."""
    going, done = {0: 1.0}, dict[int, float]()
    for _ in range(FAR):
        after = dict[int, float]()
        for so_far, chance in going.items():
            for face in range(1, size + 1):
                to = after if AGAIN[again](face, size) else done
                value = so_far + COUNTS[counts](face, size)
                to[value] = to.get(value, 0.0) + chance / size
        going = after
    return done


READINGS: dict[str, Callable[[list[int]], int]] = {
    "sum(highest(a, 2))": lambda dice: sum(sorted(dice)[-2:]),
    "highest(a)": max,
    "kth(a, 2) otherwise 0": lambda dice: sorted(dice)[-2],
    "sum(lowest(a, 2))": lambda dice: sum(sorted(dice)[:2]),
    "sum(a) / 2": lambda dice: sum(dice) // 2,
    "down(sum(a) / 3)": lambda dice: sum(dice) // 3,
    "max(sum(a), 9)": lambda dice: max(sum(dice), 9),
    "min(sum(a), 9)": lambda dice: min(sum(dice), 9),
    "max(sum(highest(a, 2)), highest(a) + 4)": lambda dice: max(sum(sorted(dice)[-2:]), max(dice) + 4),
    "abs(sum(a) - 9)": lambda dice: abs(sum(dice) - 9),
    "clamp(sum(a), 3, 8)": lambda dice: min(max(sum(dice), 3), 8),
}
"""What is read of three dice that explode, and the same of what they count."""

EXPLODING = [
    (6, "face == size", "face"),
    (2, "face == size", "face"),
    (6, "face < 3 and face < size", "face"),
    (3, "odd(face)", "1 if face >= 2 else 0"),
    (3, "face > 1", "1 if face >= 2 else 0"),
]


@pytest.mark.parametrize("die", EXPLODING, ids=str)
def test_a_mean_with_its_error_holds_the_mean_of_plain_arithmetic(die: tuple[int, str, str]) -> None:
    size, again, counts = die
    lines = "".join(f"      n{place}: '{reading}'\n" for place, reading in enumerate(READINGS))
    steps = f"      a: {{roll: 3d{size}, again: {again}, counts: {counts}}}\n{lines}"
    odds = interpreter.loads(f"ruleset: chains\nmechanics:\n  m:\n    steps:\n{steps}").odds("m")
    law = {value: chance for value, chance in followed(size, again, counts).items() if chance > 1e-9}
    expected = dict.fromkeys(READINGS, 0.0)
    for dice in combinations_with_replacement(sorted(law), 3):
        ways = len(set(permutations(dice))) * law[dice[0]] * law[dice[1]] * law[dice[2]]
        if ways > 1e-9:
            for reading, read in READINGS.items():
                expected[reading] += ways * read(list(dice))
    for place, reading in enumerate(READINGS):
        low, high = odds.mean_between(f"n{place}", SMALL_ERROR)
        assert low - F(1, 10**4) < expected[reading] < high + F(1, 10**4), (reading, float(low), float(high))
        assert high - low < F(1, 10**6), (reading, float(high - low))


@pytest.mark.parametrize("again", AGAIN)
def test_a_die_that_is_rerolled_until_it_may_stay_has_the_law_of_the_faces_that_may(again: str) -> None:
    """Its further throws replace what it shows, so nothing is missing."""
    steps = f"""
      a: {{roll: 4d6, again: {again}, counts: "0 if {again} else face"}}
      best: sum(highest(a, 3))
      twos: count(a where face == 2)
"""
    odds = interpreter.loads(f"ruleset: chains\nmechanics:\n  m:\n    steps:\n{steps}").odds("m")
    stay = [face for face in range(1, 7) if not AGAIN[again](face, 6)]
    best = [sum(sorted(dice)[1:]) for dice in product(stay, repeat=4)]
    assert odds.of("best") == {value: F(best.count(value), len(best)) for value in sorted(set(best))}
    assert odds.mean("best") == F(sum(best), len(best))
    assert odds.mean("twos") == F(4, 6)
    assert odds.missing_of("best") == 0
    assert odds.deviation("best") > 0 or len(stay) == 1


def cli(*words: object) -> str:
    """What a command says."""
    return CliRunner().invoke(group, list(map(str, words))).output


def test_every_way_of_asking_tells_the_mean_with_its_error(tmp_path: Path) -> None:
    """`odds`, `test`, `compare` and `sweep`, as text and as data, and the interface of Python."""
    file = tmp_path / "acing.yaml"
    file.write_text("""ruleset: acing
mechanics:
  m:
    inputs: {burst: {type: number, default: 10, from: 4, to: 20}}
    steps: {d: {roll: "4d10", again: face == burst}, total: "sum(highest(d, 2))"}
cases:
  - {name: near, mechanic: m, mean: {total: {about: 17.399}}}
""")
    odds = interpreter.load(file).odds("m")
    mean = odds.mean("total")
    assert isinstance(mean, Bounded) and mean.low < mean < mean.high and 0 < mean.error < 1e-9
    assert copy(mean) == pickle.loads(pickle.dumps(mean)) == mean
    assert f"{mean}".startswith("17.399439 ± ") and f"{mean:.2f}" == "17.40"
    said = cli("odds", file, "m", "--of", "total")
    assert "mean 17.399439 ± " in said and "not known" not in said
    told = json.loads(cli("odds", file, "m", "--of", "total", "--format", "json"))["laws"]["total"]
    assert F(told["mean"]) == pytest.approx(mean) and told["mean_error"] < 1e-9
    assert "1 passed" in cli("test", file)
    said = cli("compare", file, "m", "--set", "burst=11", "--of", "total")
    assert "mean 17.399439 ± " in said and "change -" in said
    change = json.loads(cli("compare", file, "m", "--set", "burst=11", "--of", "total", "--format", "json"))
    change = change["laws"]["total"]["mean"]
    assert float(change["a"]) == pytest.approx(float(mean)) and 0 < change["error"] < 1e-9
    said = cli("sweep", file, "m", "--over", "burst=9,10", "--of", "total")
    assert "17.399" in said and "means are off by" in said
    points = json.loads(cli("sweep", file, "m", "--over", "burst=9,10", "--of", "total", "--format", "json"))["points"]
    assert all(point["mean_error"] < 1e-9 for point in points) and points[1]["mean"].startswith("17.399439")


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


@pytest.mark.parametrize("seed", sample(range(120), 8, 40))
def test_a_mean_is_the_same_wherever_chains_are_cut(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut after one throw, half of the weight is beyond the cut, so a mean that is wrong there is another one."""
    steps, names = grown(Random(seed))
    told: dict[str, list[tuple[F, F]]] = {name: [] for name in names}
    for depth in (1, 2, 3, 8):
        monkeypatch.setattr(query_cache, "DEPTHS", (depth,))
        game = interpreter.loads(f"ruleset: chains\nmechanics:\n  m:\n    steps:\n{steps}")
        kinds, odds = dict(game.type_of("m").fields), game.odds("m")
        for name in names:
            try:
                told[name].append(odds.mean_between(name))
                told[name].append(mean_of(odds.law(name).without_means(), name, kinds[name])[:2])
            except PlayError as refused:  # too much is refused, and says no mean
                assert refused.diagnostic.code in ("HR804", "HR805", "HR817"), refused
    for name, between in told.items():
        exact = {low for low, high in between if low == high}
        assert len(exact) <= 1, (steps, name, exact)
        assert max(low for low, _ in between) <= min(high for _, high in between), (steps, name, between)
