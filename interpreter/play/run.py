"""What one run has done and may do, and what a walk is: a generator that yields requests and is sent answers."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.play.requests import Request, ThrowRequest
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.objects import MOST_THINGS
from interpreter.runtime.state import EMPTY, STATE, State
from interpreter.values import Die, Thing

Walk = Generator[Request, Any, Any]
Record = dict[str, Any]


@dataclass(frozen=True)
class Budget:
    """What one run may do: steps, dice thrown, passes of one repetition (each is shown all that came before), and
    how many things there may be."""

    steps: int = 100_000
    dice: int = 10_000
    passes: int = 10_000
    things: int = MOST_THINGS


class Event(NamedTuple):
    """Something that happened: what the construct was, what came of it, how deep in calls and blocks."""

    what: str
    node: Any
    value: Any
    depth: int


class MechanicEnded(Exception):
    """A step has ended the mechanic with an outcome; `frame` is where it stands, with what lasts by then."""

    def __init__(self, outcome: str, frame: Frame) -> None:
        super().__init__(outcome)
        self.frame = frame


class Marks(NamedTuple):
    """How much a run had done: numbers of events, faces, choices, dice and steps."""

    events: int
    faces: int
    choices: int
    dice: int
    steps: int


@dataclass(frozen=True, slots=True)
class Boundary:
    """Where a scene can be taken up again: before the `phase` of that number, from 0, of a `round`, from 1.

    `frame` is what the phase begins with, and `marks` how far the run had come.
    """

    frame: Frame
    round: int
    phase: int
    marks: Marks


@dataclass(slots=True)
class Run:
    """What one run has done so far; `told` is whether anybody wants to know what happened.

    `boundary` is the last that it went past, in a scene; `state` what lasted when it last asked for something.
    """

    budget: Budget = field(default_factory=Budget)
    events: list[Event] = field(default_factory=list)
    prefix: str = ""
    depth: int = 0
    dice: int = 0
    steps: int = 0
    faces: list[Any] = field(default_factory=list)
    choices: list[tuple[str, Any]] = field(default_factory=list)
    nested: int = 0
    boundary: Boundary | None = None
    state: State = EMPTY
    told: bool = True

    @property
    def marks(self) -> Marks:
        """How far it has come."""
        return Marks(len(self.events), len(self.faces), len(self.choices), self.dice, self.steps)

    def further(self, budget: Budget) -> Budget:
        """What it may have done when it has spent a budget from here on."""
        return replace(budget, steps=self.steps + budget.steps, dice=self.dice + budget.dice)

    def at(self, boundary: Boundary) -> Run:
        """A run that goes on from a boundary that this one has gone past."""
        events, faces, choices, dice, steps = boundary.marks
        return Run(
            events=self.events[:events], depth=1, dice=dice, steps=steps, faces=self.faces[:faces],
            choices=self.choices[:choices], boundary=boundary,
        )  # fmt: skip

    def tell(self, what: str, node: Any, value: Any, above: int = 0) -> None:
        """Something has happened, here or so many levels above."""
        self.events.append(Event(what, node, value, self.depth - above))

    def spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.budget.steps:
            raise PlayError(say.budget_spent(say.NOWHERE, "steps", self.budget.steps))

    def throw(
        self,
        dice: tuple[Die, ...],
        path: str,
        given: Frame,
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
        faces: list[Any] = yield ThrowRequest(dice, path, pile, among, at)
        self.faces += faces
        return faces


@dataclass(slots=True)
class SilentRun(Run):
    """A run of which nobody is told what happened: no event is kept."""

    told: bool = False

    def tell(self, what: str, node: Any, value: Any, above: int = 0) -> None:
        pass


Do = Callable[[Frame, Run], Any]


def kept(inside: Frame, outside: Frame) -> None:
    """What holds beyond steps with names of their own: the state, and the event as a reaction has changed it."""
    if STATE in inside:
        outside[STATE] = inside[STATE]
        if CHANGED in inside and CHANGED in outside:
            outside[CHANGED] = inside[CHANGED]


CHANGED = "event"
"""The name of the event in a reaction, which `change` exchanges."""
