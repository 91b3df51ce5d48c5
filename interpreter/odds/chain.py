"""Passes that hand a state to the next one, as a Markov chain: the law of a pass is worked out once for each state.

The distribution over the states after a pass is that before it times the matrix of transitions. Source: J. G. Kemeny
and J. L. Snell, "Finite Markov Chains" (1960), chapter II.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from heapq import nlargest
from math import lcm
from operator import itemgetter, mul
from typing import Any

from interpreter.frozen import dataclass
from interpreter.odds.meter import ENTRY, ROW, STATE, Meter
from interpreter.odds.operations import Block, ChainNode, Done, Frame, Law
from interpreter.odds.state_keys import freeze
from interpreter.odds.truncation import Undecided

Moves = tuple[list[tuple[int, int]], list[tuple[int, int]], int]
"""The states that follow a state, and what is kept of passes that are the last, with their ways; all ways together."""


@dataclass
class _Numbered:
    """Different values, in the order in which they came."""

    values: list[Any] = field(default_factory=list)
    _numbers: dict[Any, int] = field(default_factory=dict)

    def number(self, value: Any) -> int:
        """The number of a value."""
        number = self._numbers.setdefault(freeze(value), len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number


@dataclass
class _Chain:
    """The states of a chain and the transitions from them, as far as they are known."""

    node: ChainNode
    law: Callable[[Block, Frame], Law]
    meter: Meter
    states: _Numbered = field(default_factory=_Numbered)
    kept: _Numbered = field(default_factory=_Numbered)
    _moves: dict[tuple[int, bool], Moves] = field(default_factory=dict)
    _memory: int = 0

    def moves_from(self, state: int, last: bool) -> Moves:
        """What follows a state, in a pass that is the `last` that may be, or another."""
        if (state, last) not in self._moves:
            found = self._moves[state, last] = self._compute_moves(self.states.values[state], last)
            self._memory += STATE + ENTRY * (len(found[0]) + len(found[1]))
            self.meter.count_states(1)
            self.meter.check_memory(self._memory)
        return self._moves[state, last]

    def _compute_moves(self, state: Any, last: bool) -> Moves:
        law, total = self.law(self.node.block, self.node.frame(state))
        self.meter.spend(4 * len(law))
        after: dict[int, int] = {}
        over: dict[int, int] = {}
        for record, ways in law:
            try:
                follows = self.node.after(state, record, last)
            except Undecided:
                continue
            if isinstance(follows, Done):
                number = self.kept.number(follows.value)
                over[number] = over.get(number, 0) + ways
            else:
                number = self.states.number(follows)
                after[number] = after.get(number, 0) + ways
        return list(after.items()), list(over.items()), total


@dataclass(frozen=True, slots=True, eq=False)
class _Matrix:
    """The transitions from some states, by what they lead to: from which of the states, as places, and in which ways.

    All ways of a state are `scale`; so are those of every other one.
    """

    states: tuple[int, ...]
    last: bool
    next: tuple[int, ...]
    kept: tuple[int, ...]
    rows: list[tuple[list[int], list[int]]]
    """For each next state, and then for each value that is kept."""
    scale: int
    size: int

    def times(self, weights: list[int]) -> list[int]:
        """The weights of what follows the states, from those of the states."""
        return [sum(map(mul, ways, map(weights.__getitem__, places))) for places, ways in self.rows]


def _matrix(chain: _Chain, states: tuple[int, ...], last: bool) -> _Matrix:
    moves = [chain.moves_from(state, last) for state in states]
    scale = lcm(*{whole for _, _, whole in moves})
    after: dict[int, tuple[list[int], list[int]]] = {}
    over: dict[int, tuple[list[int], list[int]]] = {}
    for place, (to, kept, whole) in enumerate(moves):
        factor = scale // whole
        for found, some in ((after, to), (over, kept)):
            for number, ways in some:
                places, times = found.setdefault(number, ([], []))
                places.append(place)
                times.append(ways * factor)
    size = sum([len(to) + len(kept) for to, kept, _ in moves])
    chain.meter.spend(size // 4)
    next_states = tuple(sorted(after))
    rows = [*[after[state] for state in next_states], *over.values()]
    return _Matrix(states, last, next_states, tuple(over), rows, scale, size)


def law_of_chain(node: ChainNode, law: Callable[[Block, Frame], Law], meter: Meter, keep: int | None) -> Law:
    """The law of the result of all passes; `law` is that of a pass, and `keep` the number of states that are followed.

    Raises PlayError if it exceeds a limit.
    """
    chain = _Chain(node, law, meter)
    states: tuple[int, ...] = (chain.states.number(node.begun),)
    weights, total = [1], 1
    ended: list[tuple[int, tuple[int, ...], list[int], int]] = []  # the last pass, what is kept, its ways, all ways
    matrix: _Matrix | None = None
    rows = 0
    for nth in range(1, node.most + 1):
        if matrix is None or matrix.states != states or matrix.last != (nth == node.most):
            matrix = _matrix(chain, states, nth == node.most)
        total *= matrix.scale
        meter.spend(matrix.size * (8 + total.bit_length() // 128) // 100)
        after = matrix.times(weights)
        states, weights = matrix.next, after[: len(matrix.next)]
        ended.append((nth, matrix.kept, after[len(states) :], total))
        rows += len(matrix.kept)
        meter.check_memory(rows * ROW)
        if keep is not None and len(states) > keep:
            likeliest = sorted(nlargest(keep, zip(states, weights, strict=True), itemgetter(1)))
            states, weights = tuple([state for state, _ in likeliest]), [ways for _, ways in likeliest]
        if not states:
            break
    return _results_over_one_total(node, chain.kept.values, ended, total), total


def _results_over_one_total(
    node: ChainNode, kept: list[Any], ended: list[tuple[int, tuple[int, ...], list[int], int]], total: int
) -> list[tuple[Any, int]]:
    """The law of the results, with ways of all numbers of passes over one total."""
    found: dict[tuple[int, int], int] = {}
    for nth, numbers, ways, whole in ended:
        passes, factor = nth if node.counts else 1, total // whole
        for number, more in zip(numbers, ways, strict=True):
            found[number, passes] = found.get((number, passes), 0) + more * factor
    return [(node.result(kept[number], passes), ways) for (number, passes), ways in found.items()]
