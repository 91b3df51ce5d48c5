"""Exact odds of cards that are drawn: by how many of each kind, where nothing reads which came first."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from random import Random
from textwrap import indent

import pytest
from enumeration import by_enumeration

import interpreter
from interpreter.api.game import Game
from interpreter.odds.lower import draws

HEAD = """
ruleset: cards
ladders: {rank: [page, squire, knight]}
kinds:
  table:
    one: yes
    has:
      deck:    {list_of: number, default: [1, 2, 2, 5, 5, 7]}
      court:   {list_of: rank, default: [page, page, knight, squire, knight]}
      discard: {list_of: number, default: [3, 3]}
      points:  {type: points, to: 9, starts: 0}
tables:
  few: {type: number, rows: {1: 1, 2: 2}, off_the_rows: refuse}
mechanics:
  main:
    inputs: {least: {type: number, default: 4}}
    steps:
"""

BY_KIND = {
    "how many": "d: {draw: 3, from: table.deck}; n: count(d where it > least)",
    "whether one is there": "d: {draw: 3, from: table.deck}; n: 5 in d; m: 9 in d",
    "whether what was thrown is there": "r: {roll: d3}; d: {draw: 2, from: table.deck}; n: sum(r) in d",
    "above what was thrown": "r: {roll: 2d3}; d: {draw: 2, from: table.deck}; n: count(d where it > sum(r)); m: sum(r)",
    "above what is thrown later": "d: {draw: 2, from: table.deck}; r: {roll: d3}; n: count(d where it > sum(r))",
    "above their own mean": "d: {draw: 3, from: table.deck}; n: count(d where it * 3 > sum(d))",
    "one condition after another": "d: {draw: 3, from: table.deck}; "
    "n: count(d where it > 1 where odd(it)); m: any(d where it == 2)",
    "sum and highest": "d: {draw: 3, from: table.deck}; n: sum(d); m: (highest(d) otherwise 0)",
    "the second": "d: {draw: 3, from: table.deck}; n: (kth(d, 2) otherwise 0)",
    "the second of some": "d: {draw: 4, from: table.deck}; n: (kth(d where it < 7, 2) otherwise 0); m: sum(d)",
    "the two highest": "d: {draw: 3, from: table.deck}; n: sum(highest(d, 2)); m: count(d where it == 2)",
    "the lowest": "d: {draw: 3, from: table.deck}; n: (lowest(d) otherwise 0); m: (lowest(d where it > 2) otherwise 0)",
    "the lowest two and the second": "d: {draw: 4, from: table.deck}; n: sum(lowest(d, 2)); m: (kth(d, 2) otherwise 0)",
    "two hands": "d: {draw: 2, from: table.deck}; e: {draw: 2, from: table.deck}; "
    "n: (highest(d) otherwise 0) - (highest(e) otherwise 0); m: count(e where it == 2)",
    "three hands": "d: {draw: 1, from: table.deck}; e: {draw: 2, from: table.deck}; f: {draw: 2, from: table.deck}; "
    "n: sum(d) + 10 * (kth(e, 2) otherwise 0) + 100 * sum(f); m: 5 in e",
    "a hand and another of more": "d: {draw: 2, from: table.deck}; e: {draw: 2, from: table.deck}; "
    "n: sum(d); g: groups(e); m: (highest(g.width) otherwise 0)",
    "a hand of more and another": "d: {draw: 2, from: table.deck}; e: {draw: 3, from: table.deck}; "
    "g: groups(d); n: (highest(g.width) otherwise 0); m: sum(e)",
    "a hand that reads another": "d: {draw: 2, from: table.deck}; e: {draw: 2, from: table.deck}; "
    "n: count(e where it > sum(d)); m: (highest(d) otherwise 0)",
    "what is left after two": "d: {draw: 2, from: table.deck}; e: {draw: 1, from: table.deck}; "
    "n: sum(table.deck); m: sum(d)",
    "what is left between": "d: {draw: 2, from: table.deck}; l: sum(table.deck); e: {draw: 1, from: table.deck}; "
    "n: sum(e) + l; m: sum(d)",
    "one hand refuses": "d: {draw: 2, from: table.deck}; e: {draw: 2, from: table.deck}; "
    "n: count(e); m: (count(d where few(it) > 1) if 7 in d and 5 in d and 1 == 2 else 0) + sum(e)",
    "more than are left": "d: {draw: 4, from: table.deck}; e: {draw: 4, from: table.deck}; n: sum(e); m: count(e)",
    "another pile between": "d: {draw: 2, from: table.deck}; c: {draw: 1, from: table.discard}; "
    "e: {draw: 2, from: table.deck}; n: sum(d) + sum(c); m: sum(e)",
    "put back between": 'd: {draw: 2, from: table.deck}; p: {put: "[9]", into: table.deck}; '
    "e: {draw: 2, from: table.deck}; n: sum(d); m: sum(e)",
    "what nothing asks for": "d: {draw: 3, from: table.deck}; o: item(d, 1); n: sum(d where it > least)",
    "all of some": "d: {draw: 3, from: table.deck}; n: any(d where it > 5); m: 2 in d and 5 in d",
    "groups": "d: {draw: 3, from: table.deck}; g: groups(d); n: count(g); m: (highest(g.width) otherwise 0)",
    "words": "d: {draw: 2, from: table.court}; n: count(d where it >= squire); m: page in d",
    "two draws": "d: {draw: 2, from: table.deck}; e: {draw: 2, from: table.deck}; n: sum(d) - sum(e); m: 2 in e",
    "what is left": "d: {draw: 2, from: table.deck}; n: sum(table.deck); m: (last(table.deck) otherwise 0)",
    "more than there are": "d: {draw: 9, from: table.deck}; n: count(d); m: sum(d)",
    "none": "d: {draw: least - 4, from: table.deck}; n: count(d); m: 2 in d",
    "none of which one is refused": "d: {draw: 0, from: table.deck}; n: count(d where few(it) > 1)",
    "as many as were thrown": "r: {roll: d3}; d: {draw: r, from: table.deck}; n: count(d where it > 2)",
    "beside a change": "d: {draw: 2, from: table.deck}; "
    "g: {gain: count(d where it > 2), to: table.points}; n: table.points",
    "in passes": "p: {repeat: 2, each: {d: {draw: 1, from: table.deck}, k: sum(d)}}; n: sum(p.k)",
    "nothing": "d: {draw: 2, from: table.deck}; n: 1",
}
IN_ORDER = {
    "the first": "d: {draw: 2, from: table.deck}; n: (first(d) otherwise 0)",
    "the last two": "d: {draw: 3, from: table.deck}; n: sum(last(d, 2))",
    "in a loop": "d: {draw: 2, from: table.deck}; l: {for: one, among: d, each: {k: one}}; n: sum(l.k)",
    "put away": "d: {draw: 2, from: table.deck}; p: {put: d, into: table.discard};"
    " n: (last(table.discard) otherwise 0)",
    "filled again": "d: {draw: 7, from: table.deck, refill: table.discard}; n: count(d where it == 3)",
    "under a condition": "r: {roll: d2}; d: {draw: 2, from: table.deck, if: r == 1}; n: sum(d otherwise [])",
    "passed on": "d: {draw: 2, from: table.deck}; e: d where it > 1; n: (first(e) otherwise 0); m: count(d)",
    "the cards themselves": "d: {draw: 2, from: table.deck}; n: d",
}


def a_game(steps: str) -> tuple[Game, tuple[str, ...]]:
    lines = "\n".join(step.strip() for step in steps.split(";"))
    names = ("n", "m") if " m: " in steps else ("n",)
    return interpreter.loads(HEAD + indent(lines, " " * 6) + "\n"), names


@pytest.mark.parametrize("least", [2, 4, 5])
@pytest.mark.parametrize("steps", {**BY_KIND, **IN_ORDER})
def test_the_odds_are_those_of_enumeration(steps: str, least: int) -> None:
    if steps == "none" and least < 4:
        pytest.skip("fewer than none")
    game, names = a_game({**BY_KIND, **IN_ORDER}[steps])
    expected = by_enumeration(game, "main", game.state(), names, {"least": least})
    assert game.odds("main", least=least).law(*names).weights == expected


@pytest.mark.parametrize("steps", {**BY_KIND, **IN_ORDER})
def test_only_what_is_read_in_any_order_is_drawn_by_kind(steps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    known = draws._law_of_hands
    monkeypatch.setattr(draws, "_law_of_hands", lambda *how: counted.append(1) or known(*how))
    game, names = a_game({**BY_KIND, **IN_ORDER}[steps])
    game.odds("main").law(*names)
    assert bool(counted) == (steps in BY_KIND and steps != "in passes")


def test_fewer_than_none_cannot_be_drawn() -> None:
    game, names = a_game(BY_KIND["none"])
    with pytest.raises(interpreter.PlayError, match="cannot draw -1"):
        game.odds("main", least=3).law(*names)


def a_reading(chance: Random, d: str) -> str:
    """A number that is read of the elements of a hand, of all or of some of them."""
    of = d + chance.choice(["", "", " where it > least", " where odd(it)", " where it != 5 where it < 7"])
    k = chance.randint(1, 3)
    return chance.choice([
        f"sum({of})", f"count({of})", f"(highest({of}) otherwise 0)", f"(lowest({of}) otherwise 0)",
        f"(kth({of}, {k}) otherwise 0)", f"sum(highest({of}, {k}))", f"sum(lowest({of}, {k}))",
        f"(1 if any({of}) else 0)", f"(1 if {k} in {d} else 0)", f"count(groups({of}) where it.width > 1)",
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(120))
def test_any_readings_of_a_hand_are_those_of_enumeration(seed: int) -> None:
    chance = Random(seed)
    hands = "de"[: 1 + seed % 2]
    lines = [f"{hand}: {{draw: {chance.randint(0, 4)}, from: table.deck}}" for hand in hands]
    readings = [a_reading(chance, chance.choice(hands)) for _ in range(chance.randint(1, 3))]
    lines += [f"r{number}: {one}" for number, one in enumerate(readings)]
    lines += ["n: " + " + ".join(f"{10**number} * r{number}" for number in range(len(readings))), "m: r0"]
    game, names = a_game("; ".join(lines))
    least = chance.randint(1, 6)
    expected = by_enumeration(game, "main", game.state(), names, {"least": least})
    assert game.odds("main", least=least).law(*names).weights == expected, lines


PACK = """
ruleset: pack
kinds: {table: {one: yes, has: {pack: {list_of: number, default: upto(52)}}}}
mechanics:
  deal:
    inputs: {many: number}
    steps:
      hand:  {draw: many, from: table.pack}
      top:   highest(hand) otherwise 0
      third: kth(hand, 3) otherwise 0
      low:   count(hand where it <= 10)
      total: sum(hand)
      best:  sum(highest(hand, 2))
"""


@pytest.mark.parametrize("many", [4, 8, 20])
def test_different_cards_of_which_the_same_is_read_are_one(many: int) -> None:
    """There are up to 126 million million hands, which were laid out one by one, or refused."""
    odds = interpreter.loads(PACK).odds("deal", inputs={"many": many})
    whole = comb(52, many)
    assert odds.law("top").weights == {(card,): Fraction(comb(card - 1, many - 1), whole) for card in range(many, 53)}
    assert odds.law("third").weights == {
        (card,): Fraction(comb(52 - card, 2) * comb(card - 1, many - 3), whole) for card in range(many - 2, 51)
    }
    assert odds.law("low").weights == {
        (low,): Fraction(comb(10, low) * comb(42, many - low), whole) for low in range(min(many, 10) + 1)
    }
    assert odds.law("total").weights[(sum(range(1, many + 1)),)] == Fraction(1, whole)
    assert odds.mean("total") == Fraction(53 * many, 2)


def test_the_two_highest_cards() -> None:
    odds = interpreter.loads(PACK).odds("deal", inputs={"many": 4})
    law = odds.law("best").weights
    assert law[(103,)] == Fraction(comb(50, 2), comb(52, 4))
    assert law[(101,)] == Fraction(comb(48, 2) + comb(49, 2), comb(52, 4))  # 52 and 49, 51 and 50
    assert odds.law("total", "top").weights[(11, 5)] == Fraction(1, comb(52, 4))


@pytest.mark.parametrize("many", [1, 5, 13, 26])
def test_a_hand_of_a_whole_deck(many: int) -> None:
    deck = list(range(1, 53))
    text = f"""
ruleset: whist
kinds: {{table: {{one: yes, has: {{deck: {{list_of: number, default: {deck}}}}}}}}}
mechanics:
  deal:
    steps:
      hand:   {{draw: {many}, from: table.deck}}
      hearts: count(hand where it > 39)
      queen:  51 in hand
"""
    law = interpreter.loads(text).odds("deal").law("hearts", "queen").weights
    whole = comb(52, many)
    expected = {
        (hearts, queen): Fraction(comb(12, hearts - queen) * comb(39, many - hearts), whole)
        for hearts in range(min(many, 13) + 1)
        for queen in (False, True)
        if 0 <= hearts - queen <= 12 and many - hearts <= 39
    }
    assert law == expected
