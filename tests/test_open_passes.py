"""Independent passes of a `repeat`, of which only readings are taken: held to enumeration, and large ones to sums."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from generated.asking import Asked
from marks import thorough

import interpreter

HEAD = """\
ruleset: passes
mechanics:
  main:
    steps:
      f: {roll: d2}
      n: {is: only(f)}
"""
PASSES = {
    "a sum": "p: {repeat: 3, each: {d: {roll: 2d2}, s: sum(d)}}",
    "a number of passes from dice": "p: {repeat: 1 + n, each: {d: {roll: d3}, s: sum(d)}}",
    "one pass": "p: {repeat: 1, each: {d: {roll: 2d3}, s: sum(d)}}",
    "no pass": "p: {repeat: n - 1, each: {d: {roll: d3}, s: sum(d)}}",
    "a die from outside": "p: {repeat: 3, each: {d: {roll: d3}, s: 'max(sum(d), n)'}}",
    "what may be missing": "p: {repeat: 2, each: {d: {roll: d3}, s: {is: sum(d), if: sum(d) > 1}}}",
    "words and truths": "p: {repeat: 2, each: {d: {roll: 2d2}, even_: even(sum(d)), s: sum(d) if even_ else 0}}",
    "skipped": "p: {repeat: 2, each: {d: {roll: 2d2}, s: sum(d)}, if: n > 1, else: '[]'}",
    "until": "p: {repeat: 3, each: {d: {roll: d3}, s: sum(d)}, until: s == 3}",
    "looking back": "p: {repeat: 3, each: {d: {roll: d3}, s: sum(d) + count(earlier)}}",
    "inside": "p: {repeat: 2, each: {q: {repeat: 2, each: {d: {roll: d3}, t: sum(d)}}, s: sum(q.t)}}",
    "a roll from outside": "a: {roll: 2d2}\np: {repeat: 2, each: {d: {roll: d2}, s: sum(a) + sum(d)}}\nt: sum(a)",
    "pairs from outside": (
        "a: {roll: 2d2}\nb: {roll: d2}\n"
        "p: {repeat: 2, each: {q: {pair: a, with: b, each: {w: ours - theirs}}, s: sum(q.w)}}\nt: sum(a)"
    ),
    "the best of pairs": (
        "a: {roll: 2d2}\nb: {roll: d2}\np: {repeat: 2, each: {k: {repeat: 2, keep: {highest: s}, each: "
        "{q: {pair: a, with: b, each: {w: ours - theirs}}, d: {roll: d2}, s: sum(q.w) + sum(d)}}, s: k.s}}\nt: sum(a)"
    ),
    "a list of numbers": "p: {repeat: 2, each: {d: {roll: 2d2}, s: d.face}}",
    "a roll of its own": "p: {repeat: 2, each: {s: {roll: 2d2}}}",
}
READINGS = {
    "sum": "r: sum(p.s)",
    "best and worst": "r: (highest(p.s) otherwise 0) - (lowest(p.s) otherwise 0)",
    "best two": "r: 'sum(highest(p.s, 2))'",
    "second": "r: kth(p.s, 2) otherwise 0",
    "some": "r: count(p where it.s > n) + 10 * count(p)",
    "any and all": "r: any(p where it.s > 2) and all(p where it.s > 0)",
    "in a step of its own": "scores: p.s\nr: sum(scores) + count(scores)",
    "selected before": "good: p where it.s > 1\nr: 'sum(good.s) + 100 * count(good)'",
    "in order": "r: first(p.s) otherwise 0",
    "sum and order": "r: sum(p.s) + 100 * (last(p.s) otherwise 0)",
    "under a condition": "r: sum(p.s) if n > 1 else highest(p.s) otherwise 0",
    "the list": "r: p.s",
}
NO_NUMBERS = {"what may be missing", "a roll of its own", "a list of numbers"}
COMPARED = {"some", "any and all", "selected before"}
GRID = [one for one in product(PASSES, READINGS) if not (one[0] in NO_NUMBERS and one[1] in COMPARED)]


@pytest.mark.parametrize("passes, reading", thorough(GRID, lambda *one: GRID.index(one) % 4 > 0, every=2))
def test_readings_of_passes_are_those_of_enumeration(passes: str, reading: str) -> None:
    steps = "\n".join([PASSES[passes], READINGS[reading]])
    text = HEAD + "".join([f"      {line}\n" for line in steps.split("\n")])
    game = interpreter.loads(text)
    asked = Asked(game, "main", {}, None, None, {})
    for names in (("r",), ("r", "n"), ("r", "t"))[: 3 if "\nt:" in steps else 2]:
        law = game.odds("main").law(*names)
        assert not law.missing
        assert law.weights == asked.law(names)


SIX = """
ruleset: scores
mechanics:
  main:
    steps:
      six: {repeat: 6, each: {d: {roll: 4d6}, s: "sum(highest(d, 3))"}}
      total: sum(six.s)
      best: highest(six.s)
      best_three: sum(highest(six.s, 3))
"""


def test_six_scores_are_answered_without_listing_them() -> None:
    """The mean of a sum is six means of one; the best is at most 17 with the sixth power of one score's chance."""
    one: dict[int, int] = {}
    for faces in product(range(1, 7), repeat=4):
        score = sum(faces) - min(faces)
        one[score] = one.get(score, 0) + 1
    odds = interpreter.loads(SIX).odds("main")
    assert odds.mean("total") == 6 * Fraction(sum([score * ways for score, ways in one.items()]), 6**4)
    below = Fraction(sum([ways for score, ways in one.items() if score < 18]), 6**4)
    assert odds.of("best")[18] == 1 - below**6
    assert odds.mean("best_three") > 3 * odds.mean("total") / 6


@pytest.mark.parametrize("passes", [2, 3])
@pytest.mark.parametrize("keep", ["highest", "lowest"])
def test_the_best_of_passes_with_dice_without_end(keep: str, passes: int) -> None:
    """A chain of `k` throws counts 2k - 1 and has the chance 2^-k, which is also that of a longer one."""
    text = f"""
ruleset: endless
mechanics:
  main:
    steps:
      a: {{repeat: {passes}, each: {{c: {{roll: d2, again: face == 2}}}}, keep: {{{keep}: c}}}}
      r: sum(a.c)
"""
    law = interpreter.loads(text).odds("main").law("r")
    assert 0 < law.missing < Fraction(1, 10**6)
    for k in range(1, 6):
        higher, before = Fraction(1, 2**k), Fraction(1, 2 ** (k - 1))
        if keep == "highest":
            chance = (1 - higher) ** passes - (1 - before) ** passes
        else:
            chance = before**passes - higher**passes
        assert law.weights[2 * k - 1,] <= chance <= law.weights[2 * k - 1,] + law.missing
