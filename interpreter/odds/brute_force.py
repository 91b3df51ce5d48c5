"""Brute force: plain enumeration, the definition of odds that the tests compare faster methods with.

A run is played again from its start for every combination of faces, each with its exact weight. Chains are followed
to a number of throws; the weight of longer ones is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.play.run import Run, Walk
from interpreter.values import Die, Face, faces_of

Start = Callable[[], tuple[Walk, Run]]


class Path(NamedTuple):
    """One way through a run: its weight and its result; `record` is None where it was not followed to its end."""

    weight: Fraction
    record: Any


@dataclass(frozen=True)
class Effort:
    """The limits of an enumeration: on all ways, and on the throws of one way."""

    ways: int = 1_000_000
    throws: int = 60


USUAL_EFFORT = Effort()


def enumerate_paths(start: Start, decide: Callable[[Choice], Any], effort: Effort = USUAL_EFFORT) -> Iterator[Path]:
    """Every way through a run. Raises PlayError if there are more than `effort.ways`.

    Equal faces of one die make one way, weighted by how many there are.
    """
    path: list[int] = []
    count = 0
    while True:
        count += 1
        if count > effort.ways:
            raise PlayError(say.budget_spent(say.NOWHERE, "ways", effort.ways))
        way, widths = _follow(start, decide, path, effort)
        yield way
        del path[len(widths) :]
        while path and path[-1] + 1 >= widths[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1


def _follow(start: Start, decide: Callable[[Choice], Any], path: list[int], effort: Effort) -> tuple[Path, list[int]]:
    """Play along a path of faces, and with first faces after its end, which are added to `path`.

    Also returns the number of different faces of each die.
    """
    walk, _ = start()
    above = below = 1  # of the weight, which is made a fraction at the end: as one, it would be reduced for every die
    widths: list[int] = []
    answer: Any = None
    while True:
        try:
            request = walk.send(answer)
        except StopIteration as stop:
            return Path(Fraction(above, below), stop.value), widths
        if isinstance(request, Choice):
            answer = decide(request)
            continue
        assert isinstance(request, ThrowRequest)
        faces = []
        for die in request.dice:
            if len(widths) >= effort.throws:
                walk.close()
                return Path(Fraction(above, below), None), widths
            kinds = distinct_faces(die)
            if len(widths) == len(path):
                path.append(0)
            face, times = kinds[path[len(widths)]]
            widths.append(len(kinds))
            above *= times
            below *= die.size
            faces.append(face)
        answer = faces


_DISTINCT: dict[tuple[int, tuple[Face, ...] | None], list[tuple[Face, int]]] = {}


def distinct_faces(die: Die) -> list[tuple[Face, int]]:
    """The different faces of a die, and how often it has each."""
    key = (die.size, die.faces)
    if key not in _DISTINCT:
        _DISTINCT[key] = list(Counter(faces_of(die)).items())
    return _DISTINCT[key]


def law_of(
    start: Start, decide: Callable[[Choice], Any], read: Callable[[Any], Any], effort: Effort = USUAL_EFFORT
) -> dict[Any, Fraction]:
    """The exact distribution of a reading of the record; None stands for what is missing."""
    law: dict[Any, Fraction] = {}
    for weight, record in enumerate_paths(start, decide, effort):
        value = None if record is None else read(record)
        law[value] = law.get(value, Fraction(0)) + weight
    return law
