"""Exact odds are held to libraries that others wrote: icepool and dyce, over a grid of questions about pools.

Each library is told the question in its own idiom. Both are in the extra `bench`; without them there is nothing here
to run. What dyce leaves out by default, paths of little chance, it must be told to keep.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

import interpreter
from interpreter.api.game import Game

RULES = """
ruleset: oracles
mechanics:
  kept:
    about: So many highest or lowest dice, added up, with chains and throws anew.
    inputs:
      pool:  dice
      most:  {type: number, from: 1, default: 1}
      small:  {type: number, default: 0}
      high:  {type: number, default: 0}
      low:   {type: number, default: 0}
    steps:
      rolled: {roll: pool, again: face == size and nth < most}
      plain:  {roll: pool}
      anew:   {reroll: plain where face <= small}
      high_exploding: sum(highest(rolled, high))
      low_exploding:  sum(lowest(rolled, low))
      high_anew:      sum(highest(anew, high))
      low_anew:       sum(lowest(anew, low))
  read:
    about: One number that is read of a pool.
    inputs: {pool: {type: dice, least: 1}, k: number}
    steps:
      rolled:  {roll: pool}
      place:   kth(rolled, k) otherwise 0
      counted: count(rolled where face >= k)
      spread:  highest(rolled) - lowest(rolled)
      widest:  highest(groups(rolled).width)
      kinds:   count(groups(rolled))
      ends:    highest(rolled) + lowest(rolled)
  contest:
    about: Highest against highest, or sum against sum.
    inputs: {own: {type: dice, least: 1}, against: {type: dice, least: 1}}
    steps:
      mine:   {roll: own}
      theirs: {roll: against}
      margin: (highest(mine)) - highest(theirs)
      lead:   sum(mine) - sum(theirs)
  repeated:
    about: The best or the worst of several throws of a pool.
    inputs: {pool: {type: dice, least: 1}, passes: {type: number, from: 1}}
    steps:
      best:  {repeat: passes, each: {rolled: {roll: pool}, score: sum(rolled)}, keep: {highest: score}}
      worst: {repeat: passes, each: {rolled: {roll: pool}, score: highest(rolled)}, keep: {lowest: score}}
      best_score:  best.score
      worst_score: worst.score
  paired:
    about: Die against die from the highest, as many as both have.
    inputs: {own: dice, against: dice}
    steps:
      mine:   {roll: own}
      theirs: {roll: against}
      pairs:  {pair: mine, with: theirs, each: {won: ours > theirs}}
      won:    count(pairs.won where it)
"""

Law = dict[Any, Fraction]


@dataclass(frozen=True)
class Question:
    """`asked` of `mechanic`, with numbers and, as lists of sizes, dice as inputs."""

    mechanic: str
    asked: str
    inputs: Mapping[str, Any]

    def __str__(self) -> str:
        shown = [f"{name}={written(value)}" for name, value in self.inputs.items()]
        return f"{self.mechanic}.{self.asked} {' '.join(shown)}"


def written(value: Any) -> str:
    return " & ".join(f"d{size}" for size in value) if isinstance(value, tuple) else str(value)


def grid(count: int) -> list[Question]:
    """So many questions, always the same ones."""
    chance = Random(20)

    def pool(most: int = 5, sizes: tuple[int, ...] = (4, 6, 8, 10, 12)) -> tuple[int, ...]:
        alike = chance.random() < 0.4
        dice = [chance.choice(sizes) for _ in range(chance.randint(1, most))]
        return tuple(sorted(dice[:1] * len(dice) if alike else dice, reverse=True))

    def one() -> Question:
        kind = chance.choice(("high_exploding", "low_exploding", "high_anew", "low_anew", "read", "margin", "lead",
                              "best_score", "worst_score", "won"))  # fmt: skip
        k = chance.randint(1, 4)
        if kind == "read":
            asked = chance.choice(("place", "counted", "spread", "widest", "kinds", "ends"))
            return Question("read", asked, {"pool": pool(), "k": k})
        if kind in ("margin", "lead"):
            return Question("contest", kind, {"own": pool(), "against": pool()})
        if kind in ("best_score", "worst_score"):
            return Question("repeated", kind, {"pool": pool(3), "passes": k})
        if kind == "won":
            return Question("paired", kind, {"own": pool(3, (4, 6)), "against": pool(3, (4, 6))})
        keep, _, how = kind.partition("_")
        more = {"most": chance.randint(1, 4)} if how == "exploding" else {"small": chance.randint(0, 2)}
        return Question("kept", kind, {"pool": pool(), keep: k, **more})

    return list({str(question): question for question in (one() for _ in range(count))}.values())


GRID = grid(220)


@cache
def game() -> Game:
    return interpreter.loads(RULES)


def ours(question: Question) -> Law:
    inputs = {name: written(value) for name, value in question.inputs.items()}
    odds = game().odds(question.mechanic, inputs=inputs)
    assert odds.missing_of(question.asked) == 0
    return {value: weight for value, weight in odds.of(question.asked).items() if weight}


@pytest.mark.parametrize("question", GRID, ids=str)
def test_icepool_agrees(question: Question) -> None:
    assert ours(question) == by_icepool(pytest.importorskip("icepool"), question.asked, **question.inputs)


@pytest.mark.parametrize("question", GRID, ids=str)
def test_dyce_agrees(question: Question) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says of itself that it is still to change
        dyce = pytest.importorskip("dyce")
        law = by_dyce(dyce, question.asked, **question.inputs)
    if law is None:
        pytest.skip("dyce has no idiom for it but to enumerate")
    assert ours(question) == law


# The same questions in other words -------------------------------------------------------------------------------


def by_icepool(
    i: Any, asked: str, *, pool: Any = (), own: Any = (), against: Any = (), k: int = 0, passes: int = 1,
    most: int = 1, small: int = 0, high: int = 0, low: int = 0,
) -> Law:  # fmt: skip
    def dice(sizes: Any) -> list[Any]:
        return [i.d(size) for size in sizes]

    def of(sizes: Any) -> Any:
        return i.Pool(dice(sizes))

    def best(sizes: Any) -> Any:
        return of(sizes).highest(1).sum()

    def exploding() -> Any:
        return i.Pool([die.explode(depth=most - 1) if most > 1 else die for die in dice(pool)])

    def anew() -> Any:
        return i.Pool([die.reroll(list(range(1, small + 1)), depth=1) if small else die for die in dice(pool)])

    def ends(of_both: Any) -> Any:
        return i.map(of_both, *dice(pool))

    made = {
        "high_exploding": lambda: exploding().highest(high).sum(),
        "low_exploding": lambda: exploding().lowest(low).sum(),
        "high_anew": lambda: anew().highest(high).sum(),
        "low_anew": lambda: anew().lowest(low).sum(),
        "place": lambda: of(pool)[-k] if k <= len(pool) else i.Die([0]),
        "counted": lambda: sum((die >= k).map({True: 1, False: 0}) for die in dice(pool)),
        "spread": lambda: ends(lambda *faces: max(faces) - min(faces)),
        "ends": lambda: ends(lambda *faces: max(faces) + min(faces)),
        "widest": lambda: of(pool).largest_count(),
        "kinds": lambda: of(pool).unique().size(),
        "margin": lambda: best(own) - best(against),
        "lead": lambda: sum(dice(own)) - sum(dice(against)),
        "best_score": lambda: sum(dice(pool)).highest(passes),
        "worst_score": lambda: best(pool).lowest(passes),
        "won": lambda: i.map(_won, of(own).expand(), of(against).expand()),
    }
    die = made[asked]()
    return {int(value): Fraction(weight, die.denominator()) for value, weight in die.items() if weight}


def _won(own: Any, against: Any) -> int:
    """In how many pairs ours is higher; both are sorted, the lowest first."""
    return sum(ours > theirs for ours, theirs in zip(reversed(own), reversed(against), strict=False))


def by_dyce(
    d: Any, asked: str, *, pool: Any = (), own: Any = (), against: Any = (), k: int = 0, passes: int = 1,
    most: int = 1, small: int = 0, high: int = 0, low: int = 0,
) -> Law | None:  # fmt: skip
    def summed(sizes: Any) -> Any:
        return d.P(*sizes).h()

    def exploding() -> Any:
        return d.P(*[d.explode_n(d.H(size), n=most - 1) if most > 1 else d.H(size) for size in pool])

    def anew() -> Any:
        return d.P(*[_anew(d, d.H(size), small) for size in pool])

    made = {
        "high_exploding": lambda: exploding().at(slice(-high, None)),
        "low_exploding": lambda: exploding().at(slice(0, low)),
        "high_anew": lambda: anew().at(slice(-high, None)),
        "low_anew": lambda: anew().at(slice(0, low)),
        "place": lambda: d.P(*pool).at(-k) if k <= len(pool) else d.H({0: 1}),
        "counted": lambda: d.P(*[d.H(size).ge(k) for size in pool]).h(),
        "ends": lambda: d.P(*pool).at(0, -1) if len(pool) > 1 else d.H(pool[0]) * 2,
        "margin": lambda: d.P(*own).at(-1) - d.P(*against).at(-1),
        "lead": lambda: summed(own) - summed(against),
        "best_score": lambda: d.P(*[summed(pool)] * passes).at(-1),
        "worst_score": lambda: d.P(*[d.P(*pool).at(-1)] * passes).at(0),
    }
    if asked not in made:
        return None
    h = made[asked]()
    return {int(value): Fraction(weight, h.total) for value, weight in h.items() if weight}


def _anew(d: Any, h: Any, small: int) -> Any:
    return d.expand(lambda r: h if r.outcome <= small else r.outcome, h, min_path_probability=Fraction(0))
