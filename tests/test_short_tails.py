"""Long tails of chains as one bound: what is certain stays true, and means stay exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import games
import pytest
from workloads.questions import QUESTION_RULES, QUESTIONS

from interpreter.odds import query_cache
from interpreter.odds.truncation import MOST_BOUNDS, AtLeast, merge_bounds, shorten_tail

TAILED = [
    "8d6 against 7d6, hits that explode",
    "d8 and d6 exploding against d10 and d6, raises",
    "4d6 exploding less 3d6 exploding, a wound for 4",
    "8d6 exploding, keep 3",
    "12d10 from 8 up, tens again",
    "7d6 exploding, best and sum",
    "8d10 exploding, successes less ones",
]


def mean(rows: list[tuple[tuple[Any, ...], int]]) -> Fraction:
    values = [(one.mean if isinstance(one, AtLeast) else Fraction(one), ways) for (one,), ways in rows]
    return sum((value * ways for value, ways in values), Fraction(0)) / sum(ways for _, ways in rows)


def test_a_tail_becomes_one_bound_with_the_same_mean() -> None:
    rows: list[tuple[tuple[Any, ...], int]] = [((n,), 10 ** (30 - n)) for n in range(30)]
    rows += [((AtLeast(30, Fraction(1, 3)),), 1), ((AtLeast(25, Fraction(2)),), 3)]
    total = sum(ways for _, ways in rows)
    made = shorten_tail(rows, total)
    assert len(made) < 20
    assert sum(ways for _, ways in made) == total
    assert mean(made) == mean(rows)
    bound, ways = next((one, ways) for (one,), ways in made if isinstance(one, AtLeast))
    assert ways * 10**14 <= total
    kept = {one: ways for (one,), ways in made if not isinstance(one, AtLeast)}
    assert kept == {one: ways for (one,), ways in rows if not isinstance(one, AtLeast) and one < bound.low}


def test_a_bound_whose_mean_is_not_known_leaves_none_to_the_tail() -> None:
    rows: list[tuple[tuple[Any, ...], int]] = [
        ((0,), 10**20),
        ((1,), 1),
        ((AtLeast(2),), 1),
        ((AtLeast(3, Fraction(1)),), 1),
    ]
    (_, (low,)) = [values for values, _ in shorten_tail(rows, 10**20 + 3)]
    assert (low.low, low.mean) == (1, None)


def test_numbers_without_a_bound_and_words_are_left_alone() -> None:
    rows: list[tuple[tuple[Any, ...], int]] = [((0,), 10**20), ((1,), 1), ((2,), 1)]
    assert shorten_tail(rows, 10**20 + 2) is rows
    words: list[tuple[tuple[Any, ...], int]] = [(("low",), 10**20), ((AtLeast(1),), 1), ((AtLeast(2),), 1)]
    assert shorten_tail(words, 10**20 + 2) is words


def test_many_bounds_become_a_few_that_are_no_higher_with_the_same_mean() -> None:
    rows: list[tuple[tuple[Any, ...], int]] = [((n,), 50 - n) for n in range(50)]
    bounds = {20 + n: Fraction(n, 7) for n in range(30)}
    rows += [((AtLeast(low, above),), 3 + low % 5) for low, above in bounds.items()]
    made = merge_bounds(rows)
    merged = [(one, ways) for (one,), ways in made if isinstance(one, AtLeast)]
    assert len(merged) == MOST_BOUNDS
    assert [row for row in made if not isinstance(row[0][0], AtLeast)] == rows[:50]
    assert mean(made) == mean(rows)
    assert sum(ways for _, ways in made) == sum(ways for _, ways in rows)
    for least in range(20, 51):  # fewer ways are known to reach a number, never more
        before = sum(ways for (one,), ways in rows[50:] if one.low >= least)
        assert sum(ways for one, ways in merged if one.low >= least) <= before
    few = rows[: 50 + MOST_BOUNDS]
    assert merge_bounds(few) is few


def test_a_bound_without_a_mean_leaves_none_to_its_neighbors() -> None:
    rows: list[tuple[tuple[Any, ...], int]] = [((AtLeast(n, None if n == 3 else Fraction(1)),), 1) for n in range(16)]
    assert [one.mean is None for (one,), _ in merge_bounds(rows)] == [False, True, *[False] * 6]


@pytest.mark.parametrize("name", ["7d10 keep 3 against 6d10 keep 4, exploding", "8d6 against 7d6, hits that explode"])
def test_long_tails_beside_others_are_short_from_the_beginning(name: str) -> None:
    """At the first depth both pools have hundreds of bounds, and each pair of them has a mean of its own."""
    law = QUESTIONS[name].ask(games.fresh_game(QUESTION_RULES))
    assert law.missing < Fraction(1, 10**12)
    assert law.cost is not None and law.cost.states < 50_000


@pytest.mark.parametrize("name", TAILED)
def test_what_is_certain_stays_true(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    question = QUESTIONS[name]
    law_at_depth = query_cache._law_at_depth
    monkeypatch.setattr(query_cache, "_tails_at_first", lambda cache: "all")
    whole = question.ask(games.fresh_game(QUESTION_RULES))
    monkeypatch.setattr(query_cache, "_law_at_depth", lambda *given, tails: law_at_depth(*given, tails="short"))
    short = question.ask(games.fresh_game(QUESTION_RULES))
    assert short.missing <= whole.missing + Fraction(1, 10**12)
    for value, chance in whole.weights.items():
        found = short.weights.get(value, Fraction(0))
        assert found <= chance + whole.missing and chance <= found + short.missing
    if len(question.asked) == 1 and whole.mean is not None:
        assert short.mean in (whole.mean, None)
