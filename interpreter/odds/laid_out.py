"""Rolls laid out die by die: every combination of what the units of a lazy roll show, each with its weight."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.odds.lazy_roll import ALL_OF_A_DIE, Chain, DieUnit, Elements, LazyRoll, OpenPass
from interpreter.odds.meter import Meter
from interpreter.odds.state_keys import freeze
from interpreter.values import Thrown

DIE_BYTES = 150
"""About how many bytes a thrown die takes."""


class BestDice(NamedTuple):
    """So many dice at one end of a roll, `highest` or `lowest`, where of the others nothing reads what they show."""

    end: str
    number: int


def enumerate_rolls(
    lazy: LazyRoll, depth: int, most: int, first_key: int, meter: Meter, order: ir.OrderKept = "none",
    best: BestDice | None = None,
) -> tuple[list[tuple[tuple[Any, ...], int]], int]:  # fmt: skip
    """Every combination of results of the units of a lazy roll, with its weight, and the total weight.

    Results of equal units in another order are the same combination, unless a rule can tell by `order`; with `best`,
    those with the same best dice are one. Raises PlayError if there are more than `most`.
    """
    laws: list[tuple[tuple[Any, ...], int]] = [((), 1)]
    total = 1
    for unit, count in lazy.groups:
        elements = unit.elements(ALL_OF_A_DIE, depth)
        each = sum(ways for _, ways in elements)
        total *= each**count
        in_order = _is_in_order(unit, count, elements, order)
        many = _number_of_arrangements(len(elements), count, in_order)
        if len(laws) * many > most:
            wanted = (
                _number_of_combinations(lazy, depth, order) if best is None else 0
            )  # of equal rests, fewer are kept
            go_on = any(isinstance(unit, Chain) for unit, _ in lazy.groups)
            raise PlayError(say.too_much_to_lay_out(len(lazy), most, wanted, go_on))
        meter.spend(len(laws) * many * len(lazy))
        meter.check_memory(len(laws) * many * len(lazy) * DIE_BYTES)
        rows = list(_sequences(elements, count) if in_order else multisets(elements, count))
        laws = [(a + b, v * w) for a, v in laws for b, w in rows]
        if best is not None and order == "none":
            laws = _with_equal_rest(laws, lazy, depth, best)
            meter.spend(10 * len(laws) * len(lazy))
    return [(_give_keys_to_dice(row, first_key), ways) for row, ways in laws], total


def _number_of_combinations(lazy: LazyRoll, depth: int, order: ir.OrderKept) -> int:
    """How many combinations of results the units of a lazy roll have."""
    of_units = [(unit, count, unit.elements(ALL_OF_A_DIE, depth)) for unit, count in lazy.groups]
    return prod(
        _number_of_arrangements(len(elements), count, _is_in_order(unit, count, elements, order))
        for unit, count, elements in of_units
    )


def _number_of_arrangements(results: int, count: int, in_order: bool) -> int:
    """How many results `count` equal units have together."""
    return results**count if in_order else comb(results + count - 1, count)


def _with_equal_rest(
    laws: list[tuple[tuple[Any, ...], int]], lazy: LazyRoll, depth: int, best: BestDice
) -> list[tuple[tuple[Any, ...], int]]:
    """The results with those dice that are not among the best at the other end, as nothing reads what they show.

    A die that is not among the best of some is not among the best of more, and even less at the other end.
    """
    sign = -1 if best.end == "highest" else 1
    ends: list[Thrown] = []
    for unit, count in lazy.groups:
        shown = [one for one, _ in unit.elements(ALL_OF_A_DIE, depth)]
        if not all(type(one) is Thrown and type(one.value) is int for one in shown):
            return laws
        ends += [max(shown, key=lambda one: sign * one.value)] * count
    made: dict[Any, tuple[tuple[Any, ...], int]] = {}
    for row, ways in laws:
        chosen = set(sorted(range(len(row)), key=lambda place: sign * row[place].value)[: best.number])
        row = tuple([one if place in chosen else ends[place] for place, one in enumerate(row)])
        key = freeze(row)
        made[key] = row, ways + (made[key][1] if key in made else 0)
    return list(made.values())


def _is_in_order(unit: DieUnit, count: int, elements: Elements, order: ir.OrderKept) -> bool:
    """Whether the order of some equal units matters; nothing reads the order of passes that are open."""
    if isinstance(unit, OpenPass):
        return False
    return order == "all" or (order == "equal" and count > 1 and _may_differ_in_throws(elements))


def _may_differ_in_throws(elements: Elements) -> bool:
    """Whether dice of equal value may differ in their throws."""
    values = [freeze(one.value) for one, _ in elements]
    return len(set(values)) < len(values)


def _sequences(elements: Elements, count: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    for row in product(elements, repeat=count):
        yield tuple([one for one, _ in row]), prod(ways for _, ways in row)


def multisets(elements: Elements, count: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    """The results of some equal units, in whatever order, each with its weight."""
    if count == 1:
        for one, ways in elements:
            yield (one,), ways
        return
    for row in combinations_with_replacement(range(len(elements)), count):
        ways, run = factorial(count), 1
        for place, chosen in enumerate(row):
            run = run + 1 if place and row[place - 1] == chosen else 1
            ways = ways * elements[chosen][1] // run
        yield tuple([elements[chosen][0] for chosen in row]), ways


def _give_keys_to_dice(row: tuple[Any, ...], first: int) -> tuple[Any, ...]:
    """The dice, each with a key of its own if it has none yet."""
    return tuple([one.with_key(first + n) if type(one) is Thrown and not one.key else one for n, one in enumerate(row)])
