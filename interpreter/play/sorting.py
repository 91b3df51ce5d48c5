"""Sorting a list by named keys, the last of which may draw lots."""

from __future__ import annotations

import operator
from itertools import groupby, pairwise
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.play.run import Do, Run, Walk
from interpreter.play.steps import Walker
from interpreter.play.trace_events import KeyUsed, ListSorted, SortedPlace
from interpreter.runtime.evaluator import Closure, Closures, Frame
from interpreter.runtime.formula_work import count_each, tenths_of_work
from interpreter.runtime.operations import spend
from interpreter.values import Die


def compile_order(walker: Walker, action: ir.Order, step: ir.Step, trail: tuple[str, ...]) -> Do:
    of = walker.closures.of(action.of)
    named = [key for key in action.keys if key.formula is not None]
    keys = [_sort_number(walker.closures, key) for key in named]
    tenths = tenths_of_work(*[key.formula.body for key in action.keys if key.formula is not None])
    lots = next((key for key in action.keys if key.way == "random"), None)
    path = ".".join(trail)

    def sort(given: Frame, run: Run) -> Walk:
        elements = of(given)
        spend(given, len(elements) * len(keys))
        ranked = [(tuple([key({**given, ".it": one}) for key in keys]), one) for one in count_each(elements, tenths)]
        ranked.sort(key=operator.itemgetter(0))
        deciding = _deciding_keys([ranks for ranks, _ in ranked], named, lots)
        for key in action.keys:
            if key in deciding:
                run.add_event(KeyUsed, key)
        found: list[Any] = []
        for _, level in groupby(ranked, operator.itemgetter(0)):
            left = [one for _, one in level]
            while lots is not None and len(left) > 1:
                among = tuple(left)
                lot, at = (Die(len(left)),), step.path
                faces = yield from run.throw(lot, run.prefix + path, given, at, None, among, at)
                face = faces[0]
                found.append(left.pop(face - 1))
            found += left
        if run.keeps_events:
            told = _numbers_in_words([ranks for ranks, _ in ranked], named, deciding)
            places = zip(found, [None, *deciding], ["", *told], strict=False)
            run.add_event(ListSorted, step, tuple([SortedPlace(*one) for one in places]))
        return tuple(found)

    return sort


def _deciding_keys(
    ranks: list[tuple[int, ...]], keys: list[ir.SortKey], lots: ir.SortKey | None
) -> list[ir.SortKey | None]:
    """For each place but the first, the key that decides between it and the place before; None where none does."""
    after: list[ir.SortKey | None] = [*keys, lots]
    return [
        after[next((place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), len(keys))]
        for one, other in pairwise(ranks)
    ]


def _numbers_in_words(
    ranks: list[tuple[int, ...]], named: list[ir.SortKey], deciding: list[ir.SortKey | None]
) -> list[str]:
    """For each place but the first, the numbers of the key that decides, `2 after 3`; "" where it has none."""
    told = []
    for key, (one, other) in zip(deciding, pairwise(ranks), strict=True):
        if key is None or key.formula is None or not isinstance(key.formula.type, t.Number):
            told.append("")
            continue
        place, sign = named.index(key), _sign_of_order(key)
        told.append(f"{sign * other[place]} after {sign * one[place]}")
    return told


def _sign_of_order(key: ir.SortKey) -> int:
    """The factor of values by which the first comes lowest."""
    return -1 if key.way == "high" else 1


def _sort_number(closures: Closures, key: ir.SortKey) -> Closure:
    """The number that a key sorts by, the lowest first."""
    assert key.formula is not None
    value = closures.of(key.formula)
    rungs = {word: rank for rank, word in enumerate(key.ranks)} if key.ranks else None
    sign = _sign_of_order(key)
    if rungs is not None:
        return lambda given: sign * rungs[value(given)]
    return lambda given: sign * int(value(given))
