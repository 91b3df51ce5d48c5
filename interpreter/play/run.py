"""The budget, the record and the boundaries of one run, and walks: generators that yield requests, sent answers."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import field, replace
from typing import Any, Concatenate, NamedTuple, ParamSpec

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.play.requests import Request, RollUnderWay, Settled, ThrowRequest
from interpreter.play.trace_events import Event
from interpreter.runtime.evaluator import Frame, new_frame
from interpreter.runtime.new_objects import MOST_THINGS
from interpreter.runtime.state import EMPTY, STATE, State
from interpreter.values import Die, Thing
from interpreter.work_count import spend as spend_work

Walk = Generator[Request, Any, Any]
Record = dict[str, Any]
P = ParamSpec("P")


@dataclass(frozen=True)
class RunLimits:
    """Limits of one run: steps, dice thrown, passes of one repetition (each pass sees all earlier ones), objects."""

    steps: int = 100_000
    dice: int = 10_000
    passes: int = 10_000
    things: int = MOST_THINGS


USUAL_LIMITS = RunLimits()

STEP, STEPS_AT_ONCE = 4, 32
"""The units of work of a step, and how many steps are counted at a time."""


class MechanicEnded(Exception):
    """A step has ended its rule with an outcome; `frame` is the frame of that step, with the state."""

    def __init__(self, outcome: str, frame: Frame) -> None:
        super().__init__(outcome)
        self.frame = frame


class Marks(NamedTuple):
    """How far a run had come: numbers of events, faces, choices, dice and steps."""

    events: int
    faces: int
    choices: int
    dice: int
    steps: int


class Level(NamedTuple):
    """How deep a run is: its depth in the trace, what precedes the keys of choices, and the calls."""

    depth: int
    prefix: str
    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Boundary:
    """A point at which a scene can be resumed: before the `phase` of this number, from 0, of a `round`, from 1.

    `frame` is the frame that the phase begins with, and `marks` is how far the run had come. With `after`, the point is
    behind the steps of the phase, and `outcome` is the one that they have ended the scene with, if they did.
    """

    frame: Frame
    round: int
    phase: int
    marks: Marks
    after: bool = False
    outcome: str | None = None


BeforePhase = Callable[[ir.Phase, Frame], None]

RuleResults = Callable[[ir.Mechanic, Frame, "Run"], "tuple[Record, State] | None"]


class LoopUnderWay(NamedTuple):
    """A `for` at a path, and the element that it is at; those after it follow if the condition `where` holds then."""

    path: str
    element: Any
    rest: tuple[Any, ...]
    where: Callable[[Frame], Any] | None
    frame: Frame

    def elements_to_come(self, state: State) -> list[Any]:
        """The elements that would follow if the state stayed as it is."""
        where, frame = self.where, {**self.frame, **new_frame(), STATE: state}
        return [one for one in self.rest if where is None or where({**frame, ".it": one})]


@dataclass(slots=True)
class Run:
    """The progress of one run; `keeps_events` is whether it keeps events. Without them no person reads its questions,
    so no text is made for these: they stand as patterns.

    `prefix` precedes the keys of choices, and `calls` are the paths of the steps that have led into the present rule.
    `boundary` is the last one that the run of a scene has passed; `state` is the state at the last request. `settled`
    are the decisions that nobody was asked for, and `over` is the state in which a scene has ended, with its values.
    `before_phase`, if given, is called where the steps of a phase would begin in a frame; what it raises ends the run.
    `rule_results`, if given, says what the steps and the outcome of a mechanic, event, action or reaction lead to from
    its frame, which are then not played: its record, as far as it is read, and the state; None for one that is.
    `cut` is the round or the scene that the game master is ending. `loops` and `turns` are those under way, the
    innermost last; a run without events keeps no loops. `counted` are the steps that the meter in force, or one before
    it, knows of.
    """

    budget: RunLimits = USUAL_LIMITS
    events: list[Event] = field(default_factory=list)
    prefix: str = ""
    calls: tuple[str, ...] = ()
    depth: int = 0
    dice: int = 0
    steps: int = 0
    faces: list[Any] = field(default_factory=list)
    choices: list[tuple[str, Any]] = field(default_factory=list)
    nested: int = 0
    boundary: Boundary | None = None
    state: State = EMPTY
    keeps_events: bool = True
    on_table: list[RollUnderWay] = field(default_factory=list)
    settled: list[Settled] = field(default_factory=list)
    over: State | None = None
    before_phase: BeforePhase | None = None
    rule_results: RuleResults | None = None
    cut: str = ""
    loops: list[LoopUnderWay] = field(default_factory=list)
    turns: list[Thing] = field(default_factory=list)
    counted: int = 0

    @property
    def level(self) -> Level:
        """How deep the run is in calls and blocks."""
        return Level(self.depth, self.prefix, self.calls)

    def return_to(self, level: Level) -> None:
        """Leave all calls and blocks below a level, which did not end by themselves."""
        self.depth, self.prefix, self.calls = level
        self.on_table.clear()

    @property
    def marks(self) -> Marks:
        """How far the run has come."""
        return Marks(len(self.events), len(self.faces), len(self.choices), self.dice, self.steps)

    def extend_budget(self, budget: RunLimits) -> RunLimits:
        """A budget that allows another whole budget from here on."""
        return replace(budget, steps=self.steps + budget.steps, dice=self.dice + budget.dice)

    def resumed_at(self, boundary: Boundary) -> Run:
        """A run that resumes at a boundary that this one has passed."""
        events, faces, choices, dice, steps = boundary.marks
        return Run(
            events=self.events[:events], depth=1, dice=dice, steps=steps, faces=self.faces[:faces],
            choices=self.choices[:choices], boundary=boundary,
        )  # fmt: skip

    def add_event(self, made: Callable[Concatenate[int, P], Event], *args: P.args, **named: P.kwargs) -> None:
        """Keep an event of a type, made of its values, at this depth."""
        self.events.append(made(self.depth, *args, **named))

    def add_heading(self, made: Callable[Concatenate[int, P], Event], *args: P.args, **named: P.kwargs) -> None:
        """Keep an event one level above, where what follows belongs to it."""
        self.events.append(made(self.depth - 1, *args, **named))

    def settle(self, one: Settled) -> Any:
        """Note a decision with one possible answer; the answer."""
        if self.keeps_events:
            self.settled.append(one)
        return one.value

    def spend(self, steps: int) -> None:
        """Count steps. Raises PlayError where they are more than the limit, or than the meter in force allows."""
        self.steps += steps
        if self.steps >= self.counted + STEPS_AT_ONCE or self.steps > self.budget.steps:
            self._count_steps()

    def _count_steps(self) -> None:
        spend_work((self.steps - self.counted) * STEP)
        self.counted = self.steps
        if self.steps > self.budget.steps:
            raise PlayError(say.budget_spent(say.NOWHERE, "steps", self.budget.steps))

    def throw(
        self,
        dice: tuple[Die, ...],
        path: str,
        given: Frame,
        step: str,
        pile: tuple[Thing, str] | None = None,
        among: tuple[Any, ...] = (),
        at: str = "",
    ) -> Generator[Request, Any, list[Any]]:
        self.dice += len(dice)
        if self.dice > self.budget.dice:
            raise PlayError(say.budget_spent(say.NOWHERE, "dice", self.budget.dice))
        if not dice:
            return []
        self.state = given.get(STATE, EMPTY)
        faces: list[Any] = yield ThrowRequest(dice, path, pile, among, at, step)
        self.faces += faces
        return faces


@dataclass(slots=True)
class SilentRun(Run):
    """A run that keeps no events."""

    keeps_events: bool = False

    def add_event(self, made: Callable[Concatenate[int, P], Event], *args: P.args, **named: P.kwargs) -> None:
        pass

    add_heading = add_event


Do = Callable[[Frame, Run], Any]


def without_requests(work: Callable[[Frame, Run], Any]) -> Do:
    """A walk that yields no request, from a function that only returns a result."""

    def walk(given: Frame, run: Run) -> Walk:
        return work(given, run)
        yield

    return walk


def keep_outside(inside: Frame, outside: Frame) -> None:
    """Copy what outlives an inner scope: the state, and the event as a reaction has changed it."""
    if STATE in inside:
        outside[STATE] = inside[STATE]
        if CHANGED in inside and CHANGED in outside:
            outside[CHANGED] = inside[CHANGED]


CHANGED = "event"
"""The name of the event in the frame of a reaction, which `change` replaces."""
