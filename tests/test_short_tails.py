"""Long tails of chains as one bound: what is certain stays true, and means stay exact."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import games
import pytest
from workloads.questions import QUESTION_RULES, QUESTIONS

from interpreter.odds import query_cache
from interpreter.odds.truncation import AtLeast, shorten_tail

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


@pytest.mark.parametrize("name", TAILED)
def test_what_is_certain_stays_true(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    question = QUESTIONS[name]
    whole = question.ask(games.fresh_game(QUESTION_RULES))
    monkeypatch.setattr(query_cache, "_law_at_depth", partial(query_cache._law_at_depth, short=True))
    short = question.ask(games.fresh_game(QUESTION_RULES))
    assert short.missing <= whole.missing + Fraction(1, 10**12)
    for value, chance in whole.weights.items():
        found = short.weights.get(value, Fraction(0))
        assert found <= chance + whole.missing and chance <= found + short.missing
    if len(question.asked) == 1 and whole.mean is not None:
        assert short.mean in (whole.mean, None)
