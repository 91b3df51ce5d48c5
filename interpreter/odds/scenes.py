"""Exact odds of scenes: paths that lead to equal states at the same boundary of phases are merged there.

Inside a phase, all combinations of faces and answers are enumerated: it is played again from its beginning for each.
As states are merged at boundaries, a fight of many rounds takes one enumeration for each different state, rather than
one for each path from the beginning.
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
from interpreter.odds.state_keys import frozen
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.play.run import Boundary, Run, Walk
from interpreter.runtime.evaluator import ELEMENTS
from interpreter.runtime.state import STATE

MOST_WAYS = 100_000
"""The limit on paths through phases."""

MOST_STEPS = 300_000
"""The limit on steps of all paths together, which takes up to ten seconds: a path through a fight may have hundreds.

Four thrown dice count as a step, since a path may throw many at one."""

UNLIKELY = Fraction(1, 10**15)
"""When the chance of all states that are left is below this, they are missing from the law."""

MOST_THROWS = 60
"""The limit on throws of a path through a phase; longer ones are missing from the law."""

Decide = Callable[[Choice], list[tuple[Any, int]]]
Progress = Callable[[int, int], None]
"""Called with the number of paths that were followed, and with the limit on them."""

Frame = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FinishedPath:
    """The end of a path: the record of the scene, and the frame with the state."""

    record: Any
    frame: Frame


class Unfinished(KeyboardInterrupt):
    """An interrupt, with the number of paths followed so far and the limit of paths."""

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
    """The exact law of `readings`, which are functions of the record of a scene and of its last frame.

    Without a scene, it is the law of another rule: this has no boundaries, so paths go from its beginning to its end.
    `names` are the names that are read: states that differ in one of them are not merged. With `of_outcome`, the
    outcome is among the readings, and paths that the guard of the scene stops are missing.
    Raises PlayError if all is missing, or if a limit is exceeded; Unfinished after an interrupt.
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
    """Whether the guard has stopped a scene that has other ends, its outcomes."""
    return scene is not None and bool(scene.outcomes) and record["outcome"] is None


def _ends(
    scene: ir.Scene | None,
    walk: Callable[[Frame, Run], Walk],
    frame: Frame,
    decide: Decide,
    follow: Callable[[int], None],
    names: Sequence[str],
) -> Iterator[tuple[Fraction, FinishedPath | None]]:
    """Every end with its chance; None for what is not followed. `follow` is called with the steps of each path."""
    read = {*_names_read(scene), *(name.partition(".")[0] for name in names)} if scene is not None else ()
    waiting: dict[tuple[int, int], dict[Any, tuple[Fraction, Boundary]]] = {}

    def merge(weight: Fraction, at: Boundary) -> None:
        states = waiting.setdefault((at.round, at.phase), {})
        key = (at.frame[STATE], tuple([frozen(at.frame[name]) for name in read if name in at.frame]))
        before = states.get(key)
        states[key] = (weight + before[0], before[1]) if before is not None else (weight, at)

    def segment(whole: Fraction, start: Boundary | None) -> Iterator[tuple[Fraction, FinishedPath | None]]:
        for weight, end, steps in _ways(walk, frame, start, decide):
            follow(steps)
            if isinstance(end, Boundary):
                merge(whole * weight, end)
            else:
                yield whole * weight, end

    yield from segment(Fraction(1), None)
    while waiting:
        whole = sum((weight for states in waiting.values() for weight, _ in states.values()), Fraction(0))
        if whole < UNLIKELY:
            yield whole, None
            return
        for weight, at in waiting.pop(min(waiting)).values():
            yield from segment(weight, at)


def _ways(
    walk: Callable[[Frame, Run], Walk], frame: Frame, start: Boundary | None, decide: Decide
) -> Iterator[tuple[Fraction, Boundary | FinishedPath | None, int]]:
    """Every path from a boundary, or from the beginning, to the next boundary or the end: chance, end, and steps."""
    path: list[int] = []
    while True:
        weight, end, widths, steps = _followed(walk, frame, start, decide, path)
        yield weight, end, steps
        del path[len(widths) :]
        while path and path[-1] + 1 >= widths[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1


def _followed(
    walk: Callable[[Frame, Run], Walk], frame: Frame, start: Boundary | None, decide: Decide, path: list[int]
) -> tuple[Fraction, Boundary | FinishedPath | None, list[int], int]:
    """Play along a path, and with first answers after its end, which are added to `path`.

    Returns the chance, the end, the number of answers to each request, and the number of steps, to which four dice add
    one.
    """
    inside = {**(start.frame if start is not None else frame), ".meter": [ELEMENTS]}
    run = Run(keeps_events=False)
    if start is not None:
        run = Run(depth=1, dice=start.marks.dice, boundary=start, keeps_events=False)
    playing = walk(inside, run)
    above = below = 1  # the chance, as whole numbers: a fraction would be reduced at each throw
    thrown = 0
    widths: list[int] = []
    answer: Any = None

    def take(rows: Sequence[tuple[Any, int]], total: int) -> Any:
        nonlocal above, below
        if len(widths) == len(path):
            path.append(0)
        value, times = rows[path[len(widths)]]
        widths.append(len(rows))
        above *= times
        below *= total
        return value

    while True:
        try:
            request = playing.send(answer)
        except StopIteration as stop:
            return Fraction(above, below), FinishedPath(stop.value, inside), widths, run.steps + thrown // 4
        if run.boundary is not start:
            playing.close()
            return Fraction(above, below), run.boundary, widths, run.steps + thrown // 4
        if isinstance(request, ThrowRequest):
            thrown += len(request.dice)
            if thrown > MOST_THROWS:
                playing.close()
                return Fraction(above, below), None, widths, run.steps + thrown // 4
            answer = [take(distinct(die), die.size) for die in request.dice]
        else:
            rows = decide(request)
            answer = take(rows, sum(times for _, times in rows))


def _names_read(scene: ir.Scene) -> tuple[str, ...]:
    """The names that phases and outcomes read: inputs, and steps before the first round."""
    read = [locals_in(one.body) for one in formulas((scene.phases, scene.outcomes, scene.guard))]
    return tuple(sorted(frozenset[str]().union(*read)))
