"""What the game master does in a running scene, where somebody is offered actions: a step of the language, the end of
a round or of the scene, or another player for a thing.

An offer is a safe point: nothing that a rule has read is used after it without being read again. The intervention
takes the place of an answer; when it is over, the offer is made again, since it may have changed.
"""

from __future__ import annotations

from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.play import trace_events as ev
from interpreter.play.run import Run, Walk
from interpreter.play.steps import Walker, inner_steps, walk_steps
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.state import STATE, State

ROUND, SCENE_SPAN = "round", "scene"
"""What the game master may end."""


@dataclass(frozen=True)
class StepTaken:
    """A step, with the things that it names. `text` is as it was written, and `why` the reason."""

    text: str
    why: str
    step: ir.Step
    things: dict[str, Any]


@dataclass(frozen=True)
class SpanCut:
    """The end of a round or of the scene, with an `outcome` if one is named."""

    text: str
    why: str
    span: str
    outcome: str | None


@dataclass(frozen=True)
class SeatGiven:
    """A thing or role for which a player answers from now on."""

    text: str
    why: str
    name: str
    player: str


Intervention = StepTaken | SpanCut | SeatGiven


class Cut(Exception):
    """Ends what is played up to a scene, which goes on in this state. A turn on the way ends as usual."""

    def __init__(self, span: str, outcome: str | None, state: State) -> None:
        super().__init__(span)
        self.span, self.outcome, self.state = span, outcome, state


def play_intervention(walker: Walker, intervention: Intervention, given: Frame, run: Run) -> Walk:
    """Play an intervention; its effects are in the state of the frame. Raises Cut for the end of a round or scene."""
    match intervention:
        case StepTaken(step=step, things=things):
            inside = {**given, **things}
            yield from walk_steps(inner_steps(walker, (step,), ()), inside, run)
            given[STATE] = inside[STATE]
        case SpanCut(span=span, outcome=outcome, why=why):
            run.add_event(ev.MasterEnded, span if outcome is None else outcome, why)
            raise Cut(span, outcome, given[STATE])
        case SeatGiven(name=name, player=player, why=why):
            run.add_event(ev.MasterGave, name, player, why)
