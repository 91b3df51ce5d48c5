"""The workloads in the idiom of dyce. It drops paths of little chance unless it is told not to."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

warnings.filterwarnings("ignore", message=".* is experimental")  # it says so of itself, at every call

from dyce import H, P, explode_n  # noqa: E402
from dyce import expand as dyce_expand  # noqa: E402
from dyce.p import survey_outcome_order_descending as descending  # noqa: E402

from .plainly import classified, hits  # noqa: E402


def expand(of: Callable[..., Any], *sources: Any) -> Any:
    return dyce_expand(of, *sources, min_path_probability=Fraction(0))


def contest(own: list[int], against: list[int], throws: int = 1) -> Any:
    mine = P(*own).at(-1)
    mine = (throws @ P(mine)).at(0) if throws > 1 else mine
    return expand(lambda a, b: classified(a.outcome, b.outcome), mine, P(*against).at(-1))


def damage(blow: list[int], soak: list[int]) -> Any:
    return expand(lambda a, b: hits(a.roll[::-1], b.roll[::-1]), P(*blow), P(*soak))


def wild_die(dice: int, pips: int) -> Any:
    d6, others = H(6), dice - 1
    rest, dropped = others @ d6, (others @ P(d6)).at(slice(0, others - 1))

    def came(face: Any) -> Any:
        if face.outcome == 1:
            return dropped
        return explode_n(d6, n=19) + 6 + rest if face.outcome == 6 else rest + face.outcome

    return expand(came, d6) + pips


def stacking(numbers: tuple[int, ...], most: int) -> Any:
    d12 = H(12)
    die = d12
    for place in reversed(range(most - 1)):
        target, following = numbers[place] if place < len(numbers) else 1, die
        die = expand(lambda f: following + f.outcome if f.outcome <= target and f.outcome < 10 else f.outcome, d12)  # noqa: B023
    return die


def successes(dice: int, target: int, focus: int) -> Any:
    def counted(state: Any, face: int, count: int) -> Any:
        made, wrong = state or (0, 0)
        return made + count * ((face <= target) + (face <= focus)), wrong + count * (face >= 19)

    return (dice @ P(20)).survey(accumulate=counted, order=descending)


def best_ability(times: int) -> Any:
    d6 = H(6)
    die = expand(lambda f: d6 if f.outcome == 1 else f.outcome, d6)
    return (times @ P((4 @ P(die)).at(slice(1, None)))).at(-1)


def keep_best(dice: int, keep: int) -> Any:
    return (dice @ P(explode_n(H(10), n=5))).at(slice(-keep, None))


ASKED: dict[str, Callable[[], Any]] = {
    "W1": lambda: contest([12, 12, 10, 8], [10, 10, 10, 6]),
    "W2": lambda: damage([12, 12, 12, 10, 8], [12, 12, 8]),
    "W2L": lambda: damage([12] * 8 + [8], [12] * 8 + [6]),
    "W3": lambda: contest([12, 12, 10, 8], [10, 10, 10, 6], 3),
    "W4": lambda: wild_die(5, 2),
    "W4L": lambda: wild_die(20, 0),
    "W5": lambda: stacking((9, 7, 5, 3, 1), 50),
    "W6": lambda: successes(5, 14, 4),
    "W7": lambda: best_ability(6),
    "W8": lambda: keep_best(10, 5),
}


def law(answer: Any) -> dict[Any, Any]:
    """The law of an answer, to be compared."""
    total = sum(ways for _, ways in answer.items())
    return {
        (value if isinstance(value, tuple) else (value,)): Fraction(ways, total)
        for value, ways in answer.items()
        if ways
    }
