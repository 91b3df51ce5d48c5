"""Exact odds of scenes: ways that lead to the same state before the same phase are one from there on.

A phase is walked again from its beginning for every way that its dice can fall and its questions be answered, which is
plain enumeration; but where two ways have come to the same at a boundary, what follows is worked out once for both.
So a fight of many rounds takes as many phases as there are different states, and not as many as there are ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.traversal import formulas, locals_in
from interpreter.odds.answer import Law
from interpreter.odds.brute_force import distinct
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.play.run import Boundary, Run, Walk
from interpreter.runtime.evaluator import ELEMENTS
from interpreter.runtime.state import STATE

MOST_WAYS = 100_000
"""How many ways through phases are followed."""

MOST_STEPS = 300_000
"""How many steps all of them together may have, up to ten seconds: one way through a fight may have hundreds."""

UNLIKELY = Fraction(1, 10**15)
"""What goes on with less than this chance is missing."""

MOST_THROWS = 60
"""How many throws one way through a phase may have; what goes on beyond is missing."""

Decide = Callable[[Choice], list[tuple[Any, int]]]
Progress = Callable[[int, int], None]
"""Is told how many ways were followed, and how many may be."""

Frame = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FinishedPath:
    """How a way has ended: the record of the scene, and the frame with what is left."""

    record: Any
    frame: Frame


class Unfinished(KeyboardInterrupt):
    """Stopped by hand, when so many ways were followed."""

    def __init__(self, ways: int, most: int) -> None:
        super().__init__(f"stopped after {ways:,} of at most {most:,} ways")


def law(
    scene: ir.Scene | None,
    walk: Callable[[Frame, Run], Walk],
    frame: Frame,
    decide: Decide,
    readings: Sequence[Callable[[Any, Frame], Any]],
    progress: Progress | None = None,
    of_outcome: bool = True,
    names: Sequence[str] = (),
) -> Law:
    """The exact law of what is read of the record of a scene and of the frame in which it has ended.

    Without a scene, of any other rule: it has no boundaries, so every way goes from its beginning to its end.

    `names` are those that are read: ways that differ in what is asked for of the steps before the first round do not
    come to the same. With `of_outcome`, the outcome is among the readings, and what the guard of the scene has stopped
    is missing.
    Raises PlayError where that is all, or where more ways would have to be followed than can be; Unfinished where
    somebody stops it by hand.
    """
    weights: dict[Any, Fraction] = {}
    ways = walked = 0
    most = MOST_WAYS

    def follow(steps: int) -> None:
        nonlocal ways, walked, most
        walked += steps
        if ways == MOST_WAYS or walked > MOST_STEPS:
            raise PlayError(say.too_many_ways(ways) if scene is not None else say.too_many_ways_to_the_end(ways))
        ways += 1
        most = min(MOST_WAYS, ways * MOST_STEPS // max(walked, 1))
        if progress is not None:
            progress(ways, most)

    try:
        for weight, end in _ends(scene, walk, frame, decide, follow, names):
            if end is not None and not (of_outcome and was_stopped(scene, end.record)):
                key = tuple(read(end.record, end.frame) for read in readings)
                weights[key] = weights.get(key, Fraction(0)) + weight
    except KeyboardInterrupt:
        raise Unfinished(ways, most) from None
    if not weights:
        raise PlayError(say.always_stopped(scene.rule.name) if scene is not None else say.nothing_followed(()))
    return Law(weights)


def was_stopped(scene: ir.Scene | None, record: Mapping[str, Any]) -> bool:
    """Whether a scene that was played whole was stopped by its guard; one without outcomes has no other end."""
    return scene is not None and bool(scene.outcomes) and record["outcome"] is None


def _ends(
    scene: ir.Scene | None,
    walk: Callable[[Frame, Run], Walk],
    frame: Frame,
    decide: Decide,
    follow: Callable[[int], None],
    names: Sequence[str],
) -> Iterator[tuple[Fraction, FinishedPath | None]]:
    """Every end with its chance; None for what is not followed. Of every way `follow` hears, and how long it was."""
    read = {*_names_read(scene), *(name.partition(".")[0] for name in names)} if scene is not None else ()
    waiting: dict[tuple[int, int], dict[Any, tuple[Fraction, Boundary]]] = {}

    def arrived(weight: Fraction, at: Boundary) -> None:
        here = waiting.setdefault((at.round, at.phase), {})
        key = (at.frame[STATE], tuple([_frozen(at.frame[name]) for name in read if name in at.frame]))
        before = here.get(key)
        here[key] = (weight + before[0], before[1]) if before is not None else (weight, at)

    def segment(whole: Fraction, start: Boundary | None) -> Iterator[tuple[Fraction, FinishedPath | None]]:
        for weight, came, steps in _ways(walk, frame, start, decide):
            follow(steps)
            if isinstance(came, Boundary):
                arrived(whole * weight, came)
            else:
                yield whole * weight, came

    yield from segment(Fraction(1), None)
    while waiting:
        whole = sum((weight for here in waiting.values() for weight, _ in here.values()), Fraction(0))
        if whole < UNLIKELY:
            yield whole, None
            return
        for weight, at in waiting.pop(min(waiting)).values():
            yield from segment(weight, at)


def _ways(
    walk: Callable[[Frame, Run], Walk], frame: Frame, start: Boundary | None, decide: Decide
) -> Iterator[tuple[Fraction, Boundary | FinishedPath | None, int]]:
    """Every way from a boundary, or from the beginning, to the next boundary or the end; and how many steps it has."""
    path: list[int] = []
    while True:
        weight, came, widths, steps = _followed(walk, frame, start, decide, path)
        yield weight, came, steps
        del path[len(widths) :]
        while path and path[-1] + 1 >= widths[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1


def _followed(
    walk: Callable[[Frame, Run], Walk], frame: Frame, start: Boundary | None, decide: Decide, path: list[int]
) -> tuple[Fraction, Boundary | FinishedPath | None, list[int], int]:
    """Walk along a path, always the first way beyond its end; `path` grows to what was taken.

    Gives its chance, where it came to, how many ways each request had, and the number of its steps.
    """
    inside = {**(start.frame if start is not None else frame), ".meter": [ELEMENTS]}
    run = Run(told=False)
    if start is not None:
        run = Run(depth=1, dice=start.marks.dice, boundary=start, told=False)
    going = walk(inside, run)
    weight, thrown = Fraction(1), 0
    widths: list[int] = []
    answer: Any = None

    def taken(rows: Sequence[tuple[Any, int]], total: int) -> Any:
        nonlocal weight
        if len(widths) == len(path):
            path.append(0)
        value, times = rows[path[len(widths)]]
        widths.append(len(rows))
        weight *= Fraction(times, total)
        return value

    while True:
        try:
            request = going.send(answer)
        except StopIteration as stop:
            return weight, FinishedPath(stop.value, inside), widths, run.steps
        if run.boundary is not start:
            going.close()
            return weight, run.boundary, widths, run.steps
        if isinstance(request, ThrowRequest):
            thrown += len(request.dice)
            if thrown > MOST_THROWS:
                going.close()
                return weight, None, widths, run.steps
            answer = [taken(distinct(die), die.size) for die in request.dice]
        else:
            rows = decide(request)
            answer = taken(rows, sum(times for _, times in rows))


def _names_read(scene: ir.Scene) -> tuple[str, ...]:
    """What phases and outcomes read of the steps before the first round, and of what the scene was given."""
    read = [locals_in(one.body) for one in formulas((scene.phases, scene.outcomes, scene.guard))]
    return tuple(sorted(frozenset[str]().union(*read)))


def _frozen(value: Any) -> Any:
    """A value as a key: two are equal where the values are."""
    if isinstance(value, Mapping):
        return frozenset((name, _frozen(one)) for name, one in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, (tuple, list)) else value
