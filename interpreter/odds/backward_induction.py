"""Backward induction: the best answer at each decision of a graph, and the law along the best answers.

The value of a chance vertex is the mean, and that of a decision the best, of the values of its successors. Then weights
go forward again, along the best answers only.

Sources: R. Bellman, "Dynamic Programming" (1957); for several players, subgame perfection; M. J. Osborne and
A. Rubinstein, "A Course in Game Theory" (1994), chapter 6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Any

from interpreter.odds.answer import Advice
from interpreter.odds.decision_graph import ChanceVertex, DecisionVertex, LayerNode, TerminalVertex, common_denominator
from interpreter.odds.projection import Goal
from interpreter.odds.state_keys import freeze
from interpreter.odds.truncation import Undecided
from interpreter.play.requests import Choice


def best_answers(layers: list[list[LayerNode]], goals: Sequence[Goal]) -> list[list[int]]:
    """For every decision the place of the best answer. Values of a layer are numbers over one denominator."""
    best: list[list[int]] = []
    later: list[list[int | Fraction]] = [[] for _ in goals]  # of each goal
    whole = 1
    for layer in reversed(layers):
        scale = common_denominator(layer)
        whole *= scale
        chosen = [_answer_at(goals, made, later) for made in layer]
        later = [_values_of_nodes(goals[goal], layer, chosen, after, whole, scale) for goal, after in enumerate(later)]
        best.append(chosen)
    best.reverse()
    return best


def _answer_at(goals: Sequence[Goal], made: LayerNode, later: list[list[int | Fraction]]) -> int:
    """The place of the best answer at a decision; -1 at any other node."""
    node = made.node
    if not isinstance(node, DecisionVertex):
        return -1
    whose, best = goals[node.goal].whose, list(range(len(made.next)))
    for goal, after in zip(goals, later, strict=True):
        if goal.whose == whose and len(best) > 1:  # those of one decider stand in the order of their ranks
            values = [after[made.next[place]] for place in best]
            reached = min(values) if goal.least else max(values)
            best = [place for place, value in zip(best, values, strict=True) if value == reached]
    return _first_option(node, best)


def _values_of_nodes(
    goal: Goal,
    layer: list[LayerNode],
    chosen: list[int],
    after: list[int | Fraction],
    whole: int,
    scale: int,
) -> list[int | Fraction]:
    """The value of each node of a layer for a goal, from those of the next layer."""
    values: list[int | Fraction] = []
    for made, answer in zip(layer, chosen, strict=True):
        value: int | Fraction = 0
        match made.node:
            case ChanceVertex(_, total):
                value = scale // total * sum(map(mul, made.ways, map(after.__getitem__, made.next)))
            case DecisionVertex():
                value = scale * after[made.next[answer]]
            case TerminalVertex(record):
                value = whole * _utility(goal, record)
        values.append(value)
    return values


def possible_shortfall(layers: list[list[LayerNode]], goals: Sequence[Goal], best: list[list[int]]) -> float:
    """How far the best answers may fall short of others whose runs were not all followed: a chance.

    For the chance of a value it is how much better others may be at most. A mean has no such limit, so for means it is
    the chance of what was not followed after other answers, beyond that after the best ones. It is a float, as it is
    only compared with a limit.
    """
    if not any(_is_open(goal, made) for layer in layers for made in layer for goal in goals):
        return 0.0
    return max(_possible_shortfall(layers, number, goal, best) for number, goal in enumerate(goals))


def _is_open(goal: Goal, made: LayerNode) -> bool:
    """Whether a part of what follows a node was not followed."""
    if isinstance(made.node, ChanceVertex):
        return sum(made.ways) < made.node.total
    return isinstance(made.node, TerminalVertex) and _is_undecided(goal, made.node.record)


def _is_undecided(goal: Goal, record: Any) -> bool:
    try:
        goal.utility(record)
    except Undecided:
        return True
    return False


def _possible_shortfall(layers: list[list[LayerNode]], number: int, goal: Goal, best: list[list[int]]) -> float:
    """The doubt for one goal, by its number."""
    after: list[tuple[float, float]] = []  # of each node of the next layer: at the most, and under the best
    for layer, chosen in zip(reversed(layers), reversed(best), strict=True):
        now = []
        for made, answer in zip(layer, chosen, strict=True):
            match made.node:
                case ChanceVertex(_, total):
                    rest = (total - sum(made.ways)) / total
                    shares = [ways / total for ways in made.ways]
                    parts = [
                        sum([share * after[to][side] for share, to in zip(shares, made.next, strict=True)], rest)
                        for side in (0, 1)
                    ]
                    now.append((parts[0], parts[1]))
                case DecisionVertex(goal=decides):
                    most = max(after[to][0] for to in made.next) if decides == number else after[made.next[answer]][0]
                    now.append((most, after[made.next[answer]][1]))
                case TerminalVertex(record):
                    now.append(_value_at_end(goal, record))
        after = now
    most, under_best = after[0]
    return max(most - under_best, 0.0)


def _value_at_end(goal: Goal, record: Any) -> tuple[float, float]:
    """What a run may add at the most, and what it adds under the best answers, with what is not known of it as 1."""
    if _is_undecided(goal, record):
        return 1.0, 1.0
    if goal.value is None or goal.least:
        return 0.0, 0.0
    reached = float(goal.utility(record))
    return reached, reached


def _utility(goal: Goal, record: Any) -> int | Fraction:
    try:
        return goal.utility(record)
    except Undecided:
        return 0


def _first_option(node: DecisionVertex, places: list[int]) -> int:
    """The place of one of the best answers: the default, or else the first."""
    if len(places) == 1:
        return places[0]
    default = [place for place in places if _is_default(node.choice, node.answers[place])]
    return (default or places)[0]


def _is_default(choice: Choice, answer: Any) -> bool:
    """Whether an answer is the default; several that are chosen are in no order."""
    if not choice.has_default or choice.kind != "some":
        return bool(choice.has_default and answer == choice.default)
    return Counter(map(freeze, answer)) == Counter(map(freeze, choice.default or ()))


def law_along(
    layers: list[list[LayerNode]], best: list[list[int]]
) -> tuple[list[tuple[Any, Fraction]], tuple[Advice, ...]]:
    law: list[tuple[Any, Fraction]] = []
    advice: dict[Any, Advice] = {}
    ways, whole = [1], 1
    for number, layer in enumerate(layers):
        scale = common_denominator(layer)
        after = [0] * (len(layers[number + 1]) if number + 1 < len(layers) else 0)
        for made, own, answer in zip(layer, ways, best[number], strict=True):
            if not own:
                continue
            match made.node:
                case ChanceVertex(_, total):
                    factor = own * (scale // total)
                    for more, to in zip(made.ways, made.next, strict=True):
                        after[to] += factor * more
                case DecisionVertex(choice, seen, answers):
                    after[made.next[answer]] += own * scale
                    one = Advice(choice.path, seen(), answers[answer], Fraction(own, whole))
                    key = (one.path, freeze(one.seen), freeze(one.answer))
                    held = advice.get(key)
                    chance = one.chance + held.chance if held else one.chance
                    advice[key] = Advice(one.path, one.seen, one.answer, chance)
                case TerminalVertex(record):
                    law.append((record, Fraction(own, whole)))
        ways, whole = after, whole * scale
    return law, tuple(advice.values())
