"""Exact odds of scenes: paths that lead to equal states at the same boundary of phases are merged there.

The steps of a phase are followed by the engine (`phases.py`) or, where that is too much, enumerated like everything
between phases: played again from the boundary for each combination of faces and answers. What follows from a state is
found once, also where the state comes again in a later round, unless a rule reads the number of the round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import formulas, locals_in, under
from interpreter.odds.answer import Law
from interpreter.odds.brute_force import distinct
from interpreter.odds.phases import PhaseLaws
from interpreter.odds.state_keys import frozen
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.play.run import Boundary, Run, Walk
from interpreter.play.scenes import MOST_ROUNDS, USUAL_GUARD
from interpreter.runtime.evaluator import ELEMENTS
from interpreter.runtime.state import SCENE, STATE, UNDER_WAY, State, put

MOST_WAYS = 100_000
"""The limit on paths through phases."""

MOST_STEPS = 300_000
"""The limit on steps of all paths together, which takes up to ten seconds: a path through a fight may have hundreds.

Four thrown dice count as a step, since a path may throw many at one."""

WORK_OF_STEP = 33
"""What a step of a path costs, in units of the work of a question."""

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
    program: ir.Program | None = None,
    phases: PhaseLaws | None = None,
    most_steps: int | None = None,
) -> Law:
    """The exact law of `readings`, which are functions of the record of a scene and of its last frame.

    Without a scene, it is the law of another rule: this has no boundaries, so paths go from its beginning to its end.
    `names` are the names that are read: states that differ in one of them are not merged. With `of_outcome`, the
    outcome is among the readings, and paths that the guard of the scene stops are missing. The steps of phases are
    followed by `phases`, if that is given, else enumerated; `most_steps` limits these. Whether the number of the round
    matters follows from the `program`; without it, it may.
    Raises PlayError if all is missing, or if a limit is exceeded; Unfinished after an interrupt.
    """
    weights: dict[Any, Fraction] = {}
    ways = walked = 0
    most = MOST_WAYS
    limit = MOST_STEPS if most_steps is None else most_steps

    def follow(steps: int) -> None:
        nonlocal ways, walked, most
        walked += steps
        if ways == MOST_WAYS or walked > limit:
            raise PlayError(say.too_many_ways(ways) if scene is not None else say.too_many_ways_to_the_end(ways))
        ways += 1
        most = min(MOST_WAYS, ways * limit // max(walked, 1))
        if progress is not None:
            progress(ways, most)

    def values_of(end: FinishedPath) -> Any:
        """The values of the readings, or None where a guard has stopped the scene."""
        if of_outcome and was_stopped(scene, end.record):
            return None
        return tuple([read(end.record, end.frame) for read in readings])

    any_round = program is not None and not reads_round(program)
    way = _Way(scene, walk, frame, decide, phases, follow, values_of, frozenset(names), any_round)
    try:
        for weight, values in way.ends():
            if values is not None:
                weights[values] = weights.get(values, Fraction(0)) + weight
    except KeyboardInterrupt:
        raise Unfinished(ways, most) from None
    if not weights:
        raise PlayError(say.always_stopped(scene.rule.name) if scene is not None else say.nothing_followed(()))
    return Law(weights)


def was_stopped(scene: ir.Scene | None, record: Mapping[str, Any]) -> bool:
    """Whether the guard has stopped a scene that has other ends, its outcomes."""
    return scene is not None and bool(scene.outcomes) and record["outcome"] is None


MOST_KEPT = 20_000
"""The limit on boundaries and ends that are kept for states that come again."""


@dataclass
class Segment:
    """What follows from a state at a boundary: the next boundaries by their keys, and the ends by the values that are
    read, each with its chance; None among the ends is what is not followed."""

    boundaries: dict[Any, tuple[Fraction, Boundary]] = field(default_factory=dict)
    ends: dict[Any, Fraction] = field(default_factory=dict)


@dataclass
class _Way:
    """The way through a scene, boundary by boundary. A segment that begins in a state of an earlier round is not
    followed again, unless it matters which round it is; `any_round` says that no rule reads the number of the round."""

    scene: ir.Scene | None
    walk: Callable[[Frame, Run], Walk]
    frame: Frame
    decide: Decide
    phases: PhaseLaws | None
    follow: Callable[[int], None]
    read: Callable[[FinishedPath], Any]
    names: frozenset[str]
    any_round: bool
    _segments: dict[Any, tuple[int, Segment]] = field(default_factory=dict)
    _kept: int = 0

    @cached_property
    def names_read(self) -> tuple[str, ...]:
        """The names of a frame besides the state that phases, outcomes and readings read."""
        if self.scene is None:
            return ()
        return tuple(sorted({*_names_read(self.scene), *(name.partition(".")[0] for name in self.names)}))

    @cached_property
    def last_round(self) -> int | None:
        """The last round that the guard allows; None if it matters in which round something happens."""
        if self.scene is None or not self.any_round or "rounds" in self.names:
            return None
        guard = self.scene.guard.body if self.scene.guard is not None else None
        if guard is None:
            return min(USUAL_GUARD, MOST_ROUNDS)
        return min(guard.value, MOST_ROUNDS) if isinstance(guard, ir.Constant) else None

    def ends(self) -> Iterator[tuple[Fraction, Any]]:
        """The values that are read at every end with their chance; None for what is not followed."""
        waiting: dict[tuple[int, int], dict[Any, tuple[Fraction, Boundary]]] = {}

        def go_on(whole: Fraction, start: Boundary | None) -> Iterator[tuple[Fraction, Any]]:
            began, segment = self._segment(start)
            later = (start.round if start is not None else 0) - began
            for key, (weight, at) in segment.boundaries.items():
                now = _in_round(at, later) if later else at
                states = waiting.setdefault((now.round, now.phase), {})
                before = states.get(key)
                chance = whole * weight
                states[key] = (chance + before[0], before[1]) if before is not None else (chance, now)
            for values, weight in segment.ends.items():
                yield whole * weight, values

        yield from go_on(Fraction(1), None)
        while waiting:
            whole = sum((weight for states in waiting.values() for weight, _ in states.values()), Fraction(0))
            if whole < UNLIKELY:
                yield whole, None
                return
            for weight, at in waiting.pop(min(waiting)).values():
                yield from go_on(weight, at)

    def _segment(self, start: Boundary | None) -> tuple[int, Segment]:
        """What follows from a boundary, or from the beginning, and the round in which it was followed."""
        key: Any = None
        if start is not None and self.last_round is not None:
            key = (start.phase, start.round >= self.last_round, self._key(start))
            if key in self._segments:
                return self._segments[key]
        made = Segment()
        for weight, end, steps in _ways(self.walk, self.frame, start, self.decide, self.phases):
            self.follow(steps)
            if isinstance(end, Boundary):
                at = self._key(end)
                before = made.boundaries.get(at)
                made.boundaries[at] = (weight + before[0], before[1]) if before is not None else (weight, end)
            else:
                values = self.read(end) if end is not None else None
                made.ends[values] = made.ends.get(values, Fraction(0)) + weight
        found = (start.round if start is not None else 0, made)
        if key is not None and self._kept < MOST_KEPT:
            self._kept += len(made.boundaries) + len(made.ends)
            self._segments[key] = found
        return found

    def _key(self, at: Boundary) -> Any:
        """What decides what follows from a boundary: its state, without the number of the round if nothing reads it."""
        state = at.frame[STATE]
        if self.last_round is not None:
            state = put(state, UNDER_WAY, "round", 0)
        return (state, tuple([frozen(at.frame[name]) for name in self.names_read if name in at.frame]))


def _in_round(at: Boundary, later: int) -> Boundary:
    """A boundary, so many rounds later."""
    state = at.frame[STATE]
    number = state.things[SCENE].values["round"] + later
    return replace(at, frame={**at.frame, STATE: put(state, UNDER_WAY, "round", number)}, round=at.round + later)


def _ways(
    walk: Callable[[Frame, Run], Walk],
    frame: Frame,
    start: Boundary | None,
    decide: Decide,
    phases: PhaseLaws | None,
) -> Iterator[tuple[Fraction, Boundary | FinishedPath | None, int]]:
    """Every path from a boundary, or from the beginning, to the next boundary or the end: chance, end, and steps."""
    path: list[int] = []
    while True:
        weight, end, widths, steps = _followed(walk, frame, start, decide, path, phases)
        yield weight, end, steps
        del path[len(widths) :]
        while path and path[-1] + 1 >= widths[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1


class _NotFollowed(Exception):
    """A path goes on in a way that is not followed."""


class _NextBoundary(Exception):
    """A path has come to the phase at the next boundary."""


@dataclass
class _Answers:
    """The answers along a path, by their numbers, and the chance of the path so far, as whole numbers: a fraction would
    be reduced at each throw. `widths` are how many answers there were each time."""

    path: list[int]
    widths: list[int] = field(default_factory=list)
    above: int = 1
    below: int = 1

    @property
    def chance(self) -> Fraction:
        return Fraction(self.above, self.below)

    def take(self, rows: Sequence[tuple[Any, int]], total: int) -> Any:
        """The next answer on the path, or the first of all after its end, which is added to it."""
        if len(self.widths) == len(self.path):
            self.path.append(0)
        value, times = rows[self.path[len(self.widths)]]
        self.widths.append(len(rows))
        self.above *= times
        self.below *= total
        return value


def _followed(
    walk: Callable[[Frame, Run], Walk],
    frame: Frame,
    start: Boundary | None,
    decide: Decide,
    path: list[int],
    phases: PhaseLaws | None,
) -> tuple[Fraction, Boundary | FinishedPath | None, list[int], int]:
    """Play along a path, and with first answers after its end, which are added to `path`.

    Returns the chance, the end, the number of answers to each request, and the number of steps, to which four dice add
    one.
    """
    inside = {**(start.frame if start is not None else frame), ".meter": [ELEMENTS]}
    run = Run(keeps_events=False)
    if start is not None:
        run = Run(depth=1, dice=start.marks.dice, boundary=start, keeps_events=False)
    answers, thrown, answer = _Answers(path), 0, None

    def after_phase(phase: ir.Phase, inside: Frame) -> tuple[State, str | None]:
        assert phases is not None
        if run.boundary is not start:
            raise _NextBoundary
        found: tuple[State, str | None] | None = answers.take(*phases.law(phase, inside))
        if found is None:
            raise _NotFollowed
        return found

    run.phase_results = after_phase if phases is not None else None
    playing = walk(inside, run)
    end: Boundary | FinishedPath | None = None
    while True:
        try:
            request = playing.send(answer)
        except StopIteration as stop:
            end = FinishedPath(stop.value, inside)
            break
        except (_NextBoundary, _NotFollowed) as reason:
            end = run.boundary if isinstance(reason, _NextBoundary) else None
            break
        if run.boundary is not start:
            end = run.boundary
            break
        if isinstance(request, ThrowRequest):
            thrown += len(request.dice)
            if thrown > MOST_THROWS:
                break
            answer = [answers.take(distinct(die), die.size) for die in request.dice]
        else:
            rows = decide(request)
            answer = answers.take(rows, sum(times for _, times in rows))
    playing.close()
    return answers.chance, end, answers.widths, run.steps + thrown // 4


@once_per
def reads_round(program: ir.Program) -> bool:
    """Whether any rule reads the number of the round."""
    of_scene = (ir.Attribute, ir.OwnAttribute)
    return any(isinstance(node, of_scene) and node.name == "round" for node in under(program))


def _names_read(scene: ir.Scene) -> tuple[str, ...]:
    """The names that phases and outcomes read: inputs, and steps before the first round."""
    read = [locals_in(one.body) for one in formulas((scene.phases, scene.outcomes, scene.guard))]
    return tuple(sorted(frozenset[str]().union(*read)))
