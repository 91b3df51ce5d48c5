"""What the game master does in a running scene: one step of the language, played where somebody is offered actions.

An offer is a safe point: nothing that a rule has read is used after it without being read again. The intervention
takes the place of an answer; when it is over, the offer is made again, since it may have changed.
"""

from __future__ import annotations

from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.play.run import Run, Walk
from interpreter.play.steps import Walker, inner_steps, walk_steps
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.state import STATE


@dataclass(frozen=True)
class Intervention:
    """A step that the game master has played, with the things that it names; `text` is as it was written."""

    text: str
    step: ir.Step
    things: dict[str, Any]


def play_intervention(walker: Walker, intervention: Intervention, given: Frame, run: Run) -> Walk:
    """Play the step of an intervention; its effects are in the state of the frame."""
    inside = {**given, **intervention.things}
    yield from walk_steps(inner_steps(walker, (intervention.step,), ()), inside, run)
    given[STATE] = inside[STATE]
