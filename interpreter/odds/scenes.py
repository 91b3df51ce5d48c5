"""Exact odds of scenes: paths that lead to equal states at the same boundary of phases are merged there.

The steps of a phase are followed by the engine (`phases.py`) or, where that is too much, enumerated like everything
between phases: played again from the boundary for each combination of faces and answers. What follows from a state is
found once, also where the state comes again in a later round, unless a rule reads the number of the round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from heapq import nlargest
from math import gcd, lcm
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.budget import within_rest
from interpreter.diagnostics import BudgetExceeded, PlayError
from interpreter.frozen import dataclass
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import formulas, locals_in, nodes_under
from interpreter.odds.answer import Law, WorkDone
from interpreter.odds.brute_force import distinct_faces
from interpreter.odds.phases import PhaseLaws
from interpreter.odds.state_keys import freeze
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.play.run import Boundary, Run, Walk
from interpreter.play.scenes import MOST_ROUNDS, USUAL_GUARD
from interpreter.runtime.operations import ELEMENTS
from interpreter.runtime.state import STATE, UNDER_WAY, State, put_value

MOST_WAYS = 100_000
"""The limit on paths through phases."""

MOST_STEPS = 300_000
"""The limit on steps of all paths together, which takes up to ten seconds: a path through a fight may have hundreds.

Four thrown dice count as a step, since a path may throw many at one."""

WORK_OF_STEP = 33
"""What a step of a path costs, in units of the work of a question."""

UNLIKELY = Fraction(1, 10**15)
"""When the chance of all states that are left is below this, they are missing from the law."""

ROWS_OF_A_STEP = 20
"""How many states that follow from another cost as much as a step, where what follows was found before."""

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


def law_of_scene(
    scene: ir.Scene | None,
    walk: Callable[[Frame, Run], Walk],
    frame: Frame,
    decide: Decide,
    readings: Sequence[Callable[[Any, Frame], Any]],
    of_outcome: bool = True,
    names: Sequence[str] = (),
    program: ir.Program | None = None,
    phases: PhaseLaws | None = None,
    budget: PathBudget | None = None,
    within: Fraction | None = None,
) -> Law:
    """The exact law of `readings`, which are functions of the record of a scene and of its last frame.

    Without a scene, it is the law of another rule: this has no boundaries, so paths go from its beginning to its end.
    `names` are the names that are read: states that differ in one of them are not merged. With `of_outcome`, the
    outcome is among the readings, and paths that the guard of the scene stops are missing. The steps of phases are
    followed by `phases`, if that is given, else enumerated; `budget` limits both. Whether the number of the round
    matters follows from the `program`; without it, it may. With `within`, a law that is too large is followed in part,
    until no more than that is missing.
    Raises PlayError if all is missing, or if a limit is exceeded; Unfinished after an interrupt.
    """
    budget = budget or PathBudget()

    def values_of(end: FinishedPath) -> Any:
        """The values of the readings, or None where a guard has stopped the scene."""
        if of_outcome and was_stopped(scene, end.record):
            return None
        return tuple([read(end.record, end.frame) for read in readings])

    any_round = program is not None and not reads_round(program)

    def make_way() -> _Way:
        return _Way(scene, walk, frame, decide, phases, budget, values_of, tuple(names), any_round, within is not None)

    try:
        found = _law_in_part(make_way, phases, within) if within is not None else _whole_law(make_way())
    except KeyboardInterrupt:
        raise Unfinished(budget.ways, budget.most) from None
    if not found.ways:
        raise PlayError(say.always_stopped(scene.rule.name) if scene is not None else say.nothing_followed(()))
    return found


def _whole_law(way: _Way) -> Law:
    return replace(way.law(), cost=way.cost())


def _law_in_part(make: Callable[[], _Way], phases: PhaseLaws | None, within: Fraction) -> Law:
    """The law through the likeliest states, until no more than `within` is missing: first without negligible ones in
    phases, and then, if that is not enough, with all.

    Where that exceeds a limit, it is what follows for certain from all that was found so far. Raises PlayError if more
    than half of it would be missing.
    """
    best: Law | None = None
    for roughly in (True, False) if phases is not None else (False,):
        if phases is not None:
            phases.leave_out_negligible(roughly)
        way = make()
        try:
            with within_rest():
                found = way.law_within(within)
        except (PlayError, BudgetExceeded) as error:
            if isinstance(error, PlayError) and error.diagnostic.code not in (*say.TOO_LARGE, say.TOO_MANY_WAYS):
                raise
            found = replace(way.law_so_far()[0], cost=way.cost())
            if best is not None and best.missing <= found.missing:
                found = best
            if found.missing > MOST_MISSING:
                raise
            return replace(found, why=error.diagnostic.message)
        best = replace(found, cost=way.cost())
        if found.missing <= within or phases is None or not phases.has_left_out:
            break
    assert best is not None
    return best


LEAST_AT_ONCE = 4
"""How many states are followed before the chances of all others are worked out again, at the least."""

SHARE_AT_ONCE = Fraction(1, 4)
"""How many states are followed at once, as a share of those that were followed before: so chances are worked out so
seldom that most of the time is left for following states."""

UNIT = 1 << 100
"""What chances are counted in where a law is followed in part: they are rounded down, which keeps them short."""

MOST_MISSING = Fraction(1, 2)
"""With more missing, a law says too little to be shown."""


@dataclass
class PathBudget:
    """The paths of a question and their steps: they are counted, limited, and reported to `report`."""

    most_steps: int = field(default_factory=lambda: MOST_STEPS)
    report: Progress | None = None
    ways: int = 0
    steps: int = 0
    most: int = field(default_factory=lambda: MOST_WAYS)

    @classmethod
    def for_work(cls, work: int, report: Progress | None = None) -> PathBudget:
        """The budget of a question that may take so much work."""
        return cls(work // WORK_OF_STEP, report)

    def count_steps(self, steps: int, of_scene: bool) -> None:
        """Count steps. Raises PlayError beyond a limit."""
        self.steps += steps
        if self.ways >= MOST_WAYS or self.steps > self.most_steps:
            raise PlayError((say.too_many_ways if of_scene else say.too_many_ways_to_the_end)(self.ways))

    def count_path(self, steps: int, of_scene: bool) -> None:
        """Count a path."""
        self.count_steps(steps, of_scene)
        self.ways += 1
        self.most = min(MOST_WAYS, self.ways * self.most_steps // max(self.steps, 1))
        if self.report is not None:
            self.report(self.ways, self.most)


def was_stopped(scene: ir.Scene | None, record: Mapping[str, Any]) -> bool:
    """Whether the guard has stopped a scene that has other ends, its outcomes."""
    return scene is not None and bool(scene.outcomes) and record["outcome"] is None


MOST_KEPT = 20_000
"""The limit on boundaries and ends that are kept for states that come again."""

MOST_KEPT_IN_PART = 100_000
"""The same where a law is followed in part, and one attempt begins with what the last has found."""


def place_in_round(at: Boundary) -> int:
    """The place of a boundary among those of its round: one before each phase, and one after its steps."""
    return 2 * at.phase + at.after


@dataclass
class Segment:
    """What follows from a state at a boundary of `round`: the next states by their numbers, in `boundaries` for each
    round and `place` in it, and the ends by the values that are read; None among the ends is what is not followed.

    Their chances are whole numbers out of `total`: fractions would be reduced each time that one is multiplied.
    """

    round: int = 0
    boundaries: dict[tuple[int, int], dict[int, int]] = field(default_factory=dict)
    ends: dict[Any, int] = field(default_factory=dict)
    total: int = 1

    @property
    def size(self) -> int:
        return len(self.ends) + sum(map(len, self.boundaries.values()))

    def at(self, round_: int, place: int) -> dict[int, int]:
        """The states at a boundary, each with its chance."""
        return self.boundaries.setdefault((round_, place), {})

    def scale_to(self, total: int) -> int:
        """Count out of a common multiple of both totals; what the chances of the other are to be multiplied by."""
        common = lcm(self.total, total)
        if common != self.total:
            for law in (self.ends, *self.boundaries.values()):
                for key in law:
                    law[key] *= common // self.total
            self.total = common
        return common // total

    def add(self, to: dict[Any, int], key: Any, chance: Fraction) -> None:
        """Add a chance to those of some states or ends of this segment."""
        ways = chance.numerator * self.scale_to(chance.denominator)
        to[key] = to.get(key, 0) + ways

    def reduce(self) -> None:
        """Count out of the least total, as the chances of later states are multiplied by it."""
        laws = (self.ends, *self.boundaries.values())
        divisor = gcd(self.total, *[ways for law in laws for ways in law.values()])
        if divisor > 1:
            self.total //= divisor
            for law in laws:
                for key in law:
                    law[key] //= divisor


@dataclass
class _Waiting:
    """The states that wait at a boundary, by their numbers, each with its chance out of `total`."""

    total: int
    ways: dict[int, int] = field(default_factory=dict)

    def scale_to(self, total: int) -> int:
        """Count out of a common multiple of both totals; what the chances of the other are to be multiplied by."""
        common = lcm(self.total, total)
        if common != self.total:
            self.ways = {number: ways * (common // self.total) for number, ways in self.ways.items()}
            self.total = common
        return common // total


_Unfollowed = dict[tuple[int, "int | None"], int]
"""The states that are reached but not followed: by round and number, the number of units that are their chance."""


def _law_of(ends: Iterable[tuple[int, int, Any]]) -> Law:
    """The law of values that are told with chances out of several totals; None is what is not followed."""
    found: dict[int, dict[Any, int]] = {}
    for ways, total, values in ends:
        weights = found.setdefault(total, {})
        weights[values] = weights.get(values, 0) + ways
    law: dict[Any, Fraction] = {}
    for total, weights in found.items():
        for values, ways in weights.items():
            if values is not None:
                law[values] = law.get(values, Fraction(0)) + Fraction(ways, total)
    return Law(law)


@dataclass
class _Way:
    """The way through a scene, boundary by boundary. A segment that begins in a state of an earlier round is not
    followed again, unless it matters which round it is; `any_round` says that no rule reads the number of the round."""

    scene: ir.Scene | None
    walk: Callable[[Frame, Run], Walk]
    frame: Frame
    decide: Decide
    phases: PhaseLaws | None
    budget: PathBudget
    read: Callable[[FinishedPath], Any]
    names: tuple[str, ...]
    any_round: bool
    in_part: bool = False
    """Whether the likeliest states are followed first: then every segment is kept, also one that exceeds a limit."""
    followed: int = 0
    """How many states were followed."""
    _segments: dict[Any, Segment] = field(default_factory=dict)
    _numbers: dict[Any, int] = field(default_factory=dict)
    """A number for each state before a phase: it is hashed and compared much faster."""
    _places: list[Boundary] = field(default_factory=list)
    """By the number of a state, a boundary at which it was met."""
    _kept: int = 0

    @cached_property
    def names_read(self) -> tuple[str, ...]:
        """The names of a frame besides the state that phases, outcomes and readings read."""
        if self.scene is None:
            return ()
        return tuple(sorted(names_read_of_frame(self.scene, self.names)))

    @cached_property
    def last_round(self) -> int | None:
        """The last round that the guard allows; None if it matters in which round something happens."""
        if self.scene is None or not self.any_round:
            return None
        guard = self.scene.guard.body if self.scene.guard is not None else None
        if guard is None:
            return min(USUAL_GUARD, MOST_ROUNDS)
        return min(guard.value, MOST_ROUNDS) if isinstance(guard, ir.Constant) else None

    def law(self) -> Law:
        """The exact law of the values that are read; what is not followed for its own sake is missing."""
        return _law_of(self._ends())

    def law_within(self, within: Fraction) -> Law:
        """The law through the likeliest states, until no more than `within` is missing.

        Of the states that are reached but not followed yet, the likeliest are followed, and so again. Leaving states
        out only takes weight away, so each chance is at least its weight, and at most that and what is missing.
        Source: best-first search, as for the likeliest paths of a Markov chain. Raises PlayError beyond a limit.
        """
        while True:
            found, unfollowed = self.law_so_far()
            if not unfollowed and not (self.phases is not None and self.phases.has_left_out):
                return self.law()
            if found.missing <= within or not unfollowed:
                return replace(found, why=say.likeliest_states(self.followed))
            self._follow_likeliest(unfollowed)

    def law_so_far(self) -> tuple[Law, _Unfollowed]:
        """The law of what was followed so far, rounded down, and the states that were not followed."""
        unfollowed: _Unfollowed = {}
        return _law_of(self._ends(UNIT, unfollowed)), unfollowed

    def _follow_likeliest(self, unfollowed: _Unfollowed) -> None:
        """Follow the likeliest of the states that are left. Raises PlayError beyond a limit."""
        self.budget.count_steps(self._kept // ROWS_OF_A_STEP, True)
        many = max(LEAST_AT_ONCE, int(self.followed * SHARE_AT_ONCE))
        for now, number in nlargest(many, unfollowed, key=lambda at: unfollowed[at]):
            self._segment(number, now)

    def _ends(self, unit: int | None = None, unfollowed: _Unfollowed | None = None) -> Iterator[tuple[int, int, Any]]:
        """The values that are read at every end with their chance, so much out of so much; None for what is not
        followed.

        With a `unit`, chances are whole numbers of it, rounded down, and nothing is followed that was not before: the
        states that were not are put into `unfollowed`.
        """
        waiting: dict[tuple[int, int], _Waiting] = {}

        def go_on(whole: int, out_of: int, number: int | None, now: int) -> Iterator[tuple[int, int, Any]]:
            if unfollowed is None:
                segment = self._segment(number, now)
            elif (key := self._key_of(number, now)) in self._segments:
                segment = self._segments[key]
            else:
                unfollowed[now, number] = whole
                yield whole, out_of, None
                return
            if unit is not None:  # rounded down once, not for each of what follows
                whole, total = whole // segment.total, out_of
            else:
                total = out_of * segment.total
            for (round_, place), law in segment.boundaries.items():
                at = waiting.setdefault((round_ + now - segment.round, place), _Waiting(total))
                share, held = whole * at.scale_to(total), at.ways
                for other, ways in law.items():
                    held[other] = held.get(other, 0) + share * ways
            for values, ways in segment.ends.items():
                yield whole * ways, total, self._shift_rounds(values, now)

        yield from go_on(unit or 1, unit or 1, None, 0)
        while waiting:
            left = sum([Fraction(sum(at.ways.values()), at.total) for at in waiting.values()], Fraction(0))
            if left < UNLIKELY:
                yield left.numerator, left.denominator, None
                return
            current = min(waiting)
            at = waiting.pop(current)
            for number, ways in at.ways.items():
                yield from go_on(ways, at.total, number, current[0])

    def _key_of(self, number: int | None, now: int) -> Any:
        """By what the segment is kept that begins in a state in a round, or at the beginning; None if it is not."""
        if number is not None and self.last_round is not None:
            return (number, now >= self.last_round)
        return (number, now) if self.in_part else None

    def _segment(self, number: int | None, now: int) -> Segment:
        """What follows from a state in a round, or from the beginning. Raises PlayError beyond a limit."""
        key = self._key_of(number, now)
        if key in self._segments:
            return self._segments[key]
        if self.in_part and self._kept >= MOST_KEPT_IN_PART:
            raise PlayError(say.too_many_ways(self.budget.ways))
        self.followed += 1
        made = Segment(now)
        try:
            self._follow(made, _move_to_round(self._places[number], now) if number is not None else None)
        except PlayError:
            if self.in_part:  # what is left of it is missing
                self._segments[key] = made
            raise
        made.reduce()
        if key is not None and (self.in_part or self._kept < MOST_KEPT):
            self._kept += made.size
            self._segments[key] = made
        return made

    def _follow(self, made: Segment, start: Boundary | None) -> None:
        """Follow every path from a boundary, or from the beginning, to the next one."""
        for chance, end, steps in _paths_from(self.walk, self.frame, start, self.decide, self.phases is not None):
            if isinstance(end, _PhaseReached):
                self._follow_phase(made, end, chance, steps)
                continue
            self.budget.count_path(steps, self.scene is not None)
            if isinstance(end, Boundary):
                made.add(made.at(end.round, place_in_round(end)), self._number_of_state(end), chance)
            else:
                values = self.read(end) if end is not None else None
                made.add(made.ends, self._shift_rounds(values, -made.round), chance)

    def _follow_phase(self, made: Segment, reached: _PhaseReached, chance: Fraction, steps: int) -> None:
        """Follow the steps of a phase by their law, to the boundary after them."""
        assert self.phases is not None
        before = self.phases.work
        state = self._without_round(reached.frame[STATE])
        law, total = self.phases.law(reached.phase, {**reached.frame, STATE: state})
        work = (self.phases.work - before) // WORK_OF_STEP
        self.budget.count_path(steps + work + len(law) // ROWS_OF_A_STEP, True)
        start = reached.start
        names, place = self._key_of_names(reached.frame), 2 * start.phase + 1
        after = made.at(start.round, place)
        share = chance.numerator * made.scale_to(chance.denominator * total)
        for found, ways in law:
            if found is None:
                made.ends[None] = made.ends.get(None, 0) + ways * share
                continue
            key = (place, found[1], (found[0], names))
            number = self._numbers.get(key)
            if number is None:
                frame = {**reached.frame, STATE: found[0]}
                number = self._add_place(key, replace(start, frame=frame, after=True, outcome=found[1]))
            after[number] = after.get(number, 0) + ways * share

    def _shift_rounds(self, values: Any, number: int) -> Any:
        """The values at an end, so many rounds later: a segment counts the rounds from its own, to hold for others."""
        if values is None or "rounds" not in self.names or self.scene is None:
            return values
        both = zip(self.names, values, strict=True)
        return tuple([value + number if name == "rounds" else value for name, value in both])

    def _number_of_state(self, at: Boundary) -> int:
        """The number of a state before a phase."""
        key = (place_in_round(at), at.outcome, self._key_of_state(at))
        number = self._numbers.get(key)
        return number if number is not None else self._add_place(key, at)

    def _add_place(self, key: Any, at: Boundary) -> int:
        """The number of a state that is met for the first time."""
        self._numbers[key] = number = len(self._places)
        self._places.append(at)
        return number

    def cost(self) -> WorkDone:
        """What the question took, with the number of states that were met before each phase."""
        met = Counter([at.phase for at in self._places if not at.after])
        phases = self.scene.phases if self.scene is not None else ()
        waited = tuple([(phases[place].name, many) for place, many in met.most_common()])
        work, allowed = self.budget.steps * WORK_OF_STEP, self.budget.most_steps * WORK_OF_STEP
        return WorkDone(len(self._places), work, allowed, waited)

    def _key_of_state(self, at: Boundary) -> Any:
        """What decides what follows from a boundary: its state, without the number of the round if nothing reads it."""
        return (self._without_round(at.frame[STATE]), self._key_of_names(at.frame))

    def _without_round(self, state: State) -> State:
        """A state without the number of the round, if nothing reads it."""
        return state if self.last_round is None else put_value(state, UNDER_WAY, "round", 0)

    def _key_of_names(self, frame: Frame) -> Any:
        return tuple([freeze(frame[name]) for name in self.names_read if name in frame])


def _move_to_round(at: Boundary, now: int) -> Boundary:
    """A boundary in a round, which may be a later one than its own."""
    state = put_value(at.frame[STATE], UNDER_WAY, "round", now)
    return replace(at, frame={**at.frame, STATE: state}, round=now)


def _paths_from(
    walk: Callable[[Frame, Run], Walk],
    frame: Frame,
    start: Boundary | None,
    decide: Decide,
    phases: bool,
) -> Iterator[tuple[Fraction, Boundary | FinishedPath | _PhaseReached | None, int]]:
    """Every path from a boundary, or from the beginning, to the next boundary or the end: chance, end, and steps.

    With `phases`, the steps of a phase are an end, too.
    """
    path: list[int] = []
    while True:
        weight, end, widths, steps = _follow_path(walk, frame, start, decide, path, phases)
        yield weight, end, steps
        del path[len(widths) :]
        while path and path[-1] + 1 >= widths[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1


class _PhaseReached(Exception):
    """A path has come to the steps of a phase, which begin with `frame`; `start` is the boundary before it."""

    def __init__(self, phase: ir.Phase, frame: Frame, start: Boundary) -> None:
        super().__init__()
        self.phase, self.frame, self.start = phase, frame, start


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

    def next_answer(self, rows: Sequence[tuple[Any, int]], total: int) -> Any:
        """The next answer on the path, or the first of all after its end, which is added to it."""
        if len(self.widths) == len(self.path):
            self.path.append(0)
        value, times = rows[self.path[len(self.widths)]]
        self.widths.append(len(rows))
        self.above *= times
        self.below *= total
        return value


def _follow_path(
    walk: Callable[[Frame, Run], Walk],
    frame: Frame,
    start: Boundary | None,
    decide: Decide,
    path: list[int],
    phases: bool,
) -> tuple[Fraction, Boundary | FinishedPath | _PhaseReached | None, list[int], int]:
    """Play along a path, and with first answers after its end, which are added to `path`.

    Returns the chance, the end, the number of answers to each request, and the number of steps, to which four dice add
    one.
    """
    inside = {**(start.frame if start is not None else frame), ".meter": [ELEMENTS]}
    run = Run(keeps_events=False)
    if start is not None:
        run = Run(depth=1, dice=start.marks.dice, boundary=start, keeps_events=False)
    answers, thrown, answer = _Answers(path), 0, None

    def before_phase(phase: ir.Phase, inside: Frame) -> None:
        if run.boundary is not start or start is None:
            raise _NextBoundary
        raise _PhaseReached(phase, inside, start)

    run.before_phase = before_phase if phases else None
    playing = walk(inside, run)
    end: Boundary | FinishedPath | _PhaseReached | None = None
    while True:
        try:
            request = playing.send(answer)
        except StopIteration as stop:
            end = FinishedPath(stop.value, inside)
            break
        except _NextBoundary:
            end = run.boundary
            break
        except _PhaseReached as reached:
            end = reached
            break
        if run.boundary is not start:
            end = run.boundary
            break
        if isinstance(request, ThrowRequest):
            thrown += len(request.dice)
            if thrown > MOST_THROWS:
                break
            answer = [answers.next_answer(distinct_faces(die), die.size) for die in request.dice]
        else:
            rows = decide(request)
            answer = answers.next_answer(rows, sum(times for _, times in rows))
    playing.close()
    return answers.chance, end, answers.widths, run.steps + thrown // 4


@once_per
def reads_round(program: ir.Program) -> bool:
    """Whether any rule reads the number of the round."""
    of_scene = (ir.Attribute, ir.OwnAttribute)
    return any(isinstance(node, of_scene) and node.name == "round" for node in nodes_under(program))


def names_read_of_frame(scene: ir.Scene, names: Iterable[str]) -> frozenset[str]:
    """The names of a frame that phases, outcomes and a question of these `names` read: inputs, and steps before the
    first round."""
    read = [locals_in(one.body) for one in formulas((scene.phases, scene.outcomes, scene.guard))]
    return frozenset(name.partition(".")[0] for name in names).union(*read)
