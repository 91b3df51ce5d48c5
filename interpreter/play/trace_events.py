"""What a run notes of itself: a frozen type for each kind of event, with the values as they were.

They are a closed union, `Event`. Whatever tells of a run takes it apart with `match` and ends with `assert_never`, so
that a new type makes mypy name every place that does not know it: the trace, the record of play, the short forms, what
a player may see and what stands before a question. Words are made from the values; nothing reads a value from words.

`depth` is that of calls and blocks, and `node` the construct that an event is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from interpreter import ir
from interpreter.diagnostics import Diagnostic
from interpreter.frozen import dataclass
from interpreter.play.requests import Choice
from interpreter.runtime.objects import AttributePlace, Moved
from interpreter.values import Face, Thing, Thrown

BY_MASTER: Final = "game_master"
"""The path of a step that the game master takes, whose `about` is the reason, and which no rule has."""

UNSEEN: Final = object()
"""Stands for an answer that is hidden from the reader."""


@dataclass(frozen=True, slots=True)
class _OfStep:
    depth: int
    node: ir.Step


@dataclass(frozen=True, slots=True)
class _OfRule:
    depth: int
    node: ir.Mechanic


# What a rule computes -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepDone(_OfStep):
    value: Any


@dataclass(frozen=True, slots=True)
class StepSkipped(_OfStep):
    pass


@dataclass(frozen=True, slots=True)
class StagesBegun(_OfStep):
    """A step with stages, and the value that they begin with."""

    value: Any


@dataclass(frozen=True, slots=True)
class PassBegun(_OfStep):
    """A pass of a `repeat`, by its number from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class ElementBegun(_OfStep):
    """The steps of a `for_each` for one element."""

    element: Any


@dataclass(frozen=True, slots=True)
class DicePaired(_OfStep):
    ours: Thrown
    theirs: Thrown


@dataclass(frozen=True, slots=True)
class DiceRerolled(_OfStep):
    """Dice, each with its new face."""

    dice: tuple[tuple[Thrown, Face], ...]


@dataclass(frozen=True, slots=True)
class KeyUsed:
    """A key of a sorted list that decides some of its places."""

    depth: int
    node: ir.SortKey


class SortedPlace(NamedTuple):
    """An element of a sorted list, with the key that decides between it and the one before; `numbers` are those of the
    key, `2 after 3`."""

    element: Any
    key: ir.SortKey | None = None
    numbers: str = ""


@dataclass(frozen=True, slots=True)
class ListSorted(_OfStep):
    """A sorted list; the event of its step follows."""

    places: tuple[SortedPlace, ...]


@dataclass(frozen=True, slots=True)
class CaseHeld:
    """The case of a `first_of` that holds; the event of its step follows."""

    depth: int
    node: ir.FirstOfCase


@dataclass(frozen=True, slots=True)
class RequirementMet:
    depth: int
    node: ir.Requirement


@dataclass(frozen=True, slots=True)
class OutcomeReached:
    """An outcome, and the sentence that tells it; `further` is the reading beside the outcome of the rule that it is
    of, if any."""

    depth: int
    node: ir.Outcome
    told: str = ""
    further: ir.Also | None = None


@dataclass(frozen=True, slots=True)
class FurtherRead:
    """A condition that a rule reads beside its outcome, and whether it holds."""

    depth: int
    node: ir.Also
    holds: bool


@dataclass(frozen=True, slots=True)
class RuleEnded(_OfRule):
    """A rule that a step has ended with an outcome."""

    outcome: str


# What begins a rule, and how a scene goes on --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RuleCalled(_OfRule):
    """A mechanic that a `step` calls, with the frame of its inputs; `at` is the path of the step in the ruleset, and
    `why` the reason of the game master, if that one calls it."""

    step: str
    inputs: Mapping[str, Any]
    at: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class EventCaused(_OfRule):
    """An event of the language, with the frame of its inputs and the step that causes it, if one does."""

    step: ir.Step | None
    inputs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ActionBegun(_OfRule):
    """An action or reaction of a thing, with the frame of its inputs."""

    who: Thing
    inputs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SceneBegun(_OfRule):
    inputs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RoundBegun(_OfRule):
    number: int


@dataclass(frozen=True, slots=True)
class PhaseBegun:
    """A phase; `phases` is how many the scene has."""

    depth: int
    node: ir.Phase
    phases: int


@dataclass(frozen=True, slots=True)
class TurnBegun(_OfStep):
    who: Thing


@dataclass(frozen=True, slots=True)
class GuardReached(_OfRule):
    """A scene that was stopped after so many rounds."""

    rounds: int


@dataclass(frozen=True, slots=True)
class SpanEnded(_OfRule):
    """The span that a host lets end after a rule."""

    span: str


@dataclass(frozen=True, slots=True)
class ThingSummarized(_OfRule):
    """What the summary of its kind names of a thing."""

    thing: str
    has: Mapping[str, Any]


# What people decide ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChoiceMade:
    """A choice and its answer, or `UNSEEN`."""

    depth: int
    node: Choice
    answer: Any


@dataclass(frozen=True, slots=True)
class ReactionDeclined(_OfRule):
    pass


@dataclass(frozen=True, slots=True)
class ActionDenied(_OfRule):
    """An action that somebody else has denied; `why` is None for who may not know."""

    why: Diagnostic | None


@dataclass(frozen=True, slots=True)
class EventCancelled(_OfRule):
    pass


@dataclass(frozen=True, slots=True)
class MasterEnded:
    """What the game master has ended: a round, a scene, or a scene with this outcome."""

    depth: int
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class MasterGave:
    """A thing or role for which a player answers from now on."""

    depth: int
    name: str
    player: str
    why: str


# What changes ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NumberMoved:
    """Points or a track of a thing that a step or a cost has moved."""

    depth: int
    node: ir.Step | ir.Cost
    place: AttributePlace
    how: Moved


@dataclass(frozen=True, slots=True)
class ValueSet(_OfStep):
    place: AttributePlace
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class EventChanged(_OfStep):
    """Inputs of an event, by name, each before and after a reaction has changed it."""

    inputs: Mapping[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class PointsLapsed:
    """The points that were left when a span ended, each before and after that."""

    depth: int
    span: str
    changes: tuple[tuple[AttributePlace, int, int], ...]


@dataclass(frozen=True, slots=True)
class ElementAdded(_OfStep):
    """An element of a list; `until` is the span, or the number of rounds, for which it stays there."""

    place: AttributePlace
    element: Any
    until: str | int | None


@dataclass(frozen=True, slots=True)
class ElementRemoved(_OfStep):
    """An element of a list, and whether it was there."""

    place: AttributePlace
    element: Any
    there: bool


@dataclass(frozen=True, slots=True)
class PileDrawn(_OfStep):
    """What was drawn from a pile, and how many are left; for who may not see the pile, how many were drawn."""

    place: AttributePlace
    elements: tuple[Any, ...] | int
    left: int | None


@dataclass(frozen=True, slots=True)
class PileRefilled(_OfStep):
    """How many elements of a pile were put back."""

    place: AttributePlace
    number: int


@dataclass(frozen=True, slots=True)
class PutIntoPile(_OfStep):
    """What was put into a pile, or how many."""

    place: AttributePlace
    elements: tuple[Any, ...] | int


@dataclass(frozen=True, slots=True)
class TakenFromPile(_OfStep):
    """What was taken from a pile, or how many."""

    place: AttributePlace
    elements: tuple[Any, ...] | int


@dataclass(frozen=True, slots=True)
class ThingMade(_OfStep):
    """What a step made, with the values that it was given, and the title if it is named after a text."""

    thing: Thing
    has: Mapping[str, Any]
    title: str = ""


@dataclass(frozen=True, slots=True)
class ThingDestroyed(_OfStep):
    """A thing, and whether it was still there."""

    thing: Thing
    there: bool


Computation = (
    StepDone | StepSkipped | StagesBegun | PassBegun | ElementBegun | DicePaired | DiceRerolled | KeyUsed | ListSorted
    | CaseHeld | RequirementMet | OutcomeReached | FurtherRead | RuleEnded
)  # fmt: skip
"""What a rule computes."""

Heading = RuleCalled | EventCaused | ActionBegun
"""What begins a rule. The events of that rule follow one level deeper, and then its outcome."""

Progress = SceneBegun | RoundBegun | PhaseBegun | TurnBegun | GuardReached | SpanEnded | ThingSummarized
"""How a scene goes on."""

Decision = ChoiceMade | ReactionDeclined | ActionDenied | EventCancelled | MasterEnded | MasterGave
"""What people decide."""

PlacedChange = (
    NumberMoved | ValueSet | ElementAdded | ElementRemoved | PileDrawn | PileRefilled | PutIntoPile | TakenFromPile
)
"""A change of an attribute of a thing."""

StepChange = PlacedChange | EventChanged | ThingMade | ThingDestroyed
"""What a step or a cost changes: things and what they have, and the inputs of an event."""

Change = StepChange | PointsLapsed
"""Anything that changes."""

Event = Computation | Heading | Progress | Decision | Change
"""Anything that a run notes of itself."""
