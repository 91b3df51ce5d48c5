"""The laws of phases of scenes: their steps are followed by the engine, which reads of dice only what is read of them.

A phase begins with the frame of its scene, and leaves nothing but the state, or ends the scene with an outcome.
Where thrown dice may last from one phase to the next, phases are enumerated (`ir/lasting_dice.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.odds.engine import Decide, ForwardEngine
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.rules import rule_block
from interpreter.odds.lower.verbs import VERBS
from interpreter.odds.meter import Meter, WorkLimits
from interpreter.odds.operations import Block, Frame
from interpreter.runtime.evaluator import Closures
from interpreter.runtime.state import STATE, State

LIMITS = WorkLimits(work=5_000_000)
"""The usual limits of all phases of a question together; where they are exceeded, phases are enumerated."""

DEPTH = 32
"""The number of throws to which endless chains are followed."""

NEGLIGIBLE = 10**7
"""Where a law is followed roughly, states are left out that are less likely than one in so many."""

AfterPhase = tuple[State, "str | None"]
"""The state after a phase, and the outcome with which it ends the scene, if it does."""

PhaseLaw = tuple[list[tuple[AfterPhase | None, int]], int]
"""What a phase leads to, each with its weight, and the total; None for what is not followed."""


@dataclass
class PhaseLaws:
    """The laws of the phases of one scene, under answers to choices that are the same each time."""

    closures: Closures
    scene: ir.Scene
    policy: str | None
    decide: Decide
    limits: WorkLimits | None = None
    exceeded: bool = False
    """Whether a phase was refused because it, with those before, exceeds the limits."""
    _engine: ForwardEngine = field(init=False)
    _blocks: dict[str, Block] = field(default_factory=dict)

    def __post_init__(self) -> None:
        meter = Meter(self.limits or LIMITS)
        lowering = Lowering(self.closures, VERBS, self.policy, exact=True, depth=DEPTH, meter=meter)
        self._engine = ForwardEngine(lowering, self.decide)
        lowering.law = self._engine.law

    def begin(self) -> None:
        """Begin a new question, with limits of its own. The laws of the questions before are kept."""
        self.exceeded = False
        self._engine.lowering.meter.begin()
        self._engine.begin()

    def leave_out_negligible(self, roughly: bool) -> None:
        """Leave negligible states out from now on, or follow all."""
        self._engine.negligible = NEGLIGIBLE if roughly else None
        self._engine.left_out = 0

    @property
    def has_left_out(self) -> bool:
        """Whether a state was left out as negligible since then."""
        return self._engine.left_out > 0

    @property
    def work(self) -> int:
        """The work of all phases so far."""
        return self._engine.lowering.meter.work

    def law(self, phase: ir.Phase, frame: Frame) -> PhaseLaw:
        """What the steps of a phase lead to from a frame. Raises PlayError as play does, or beyond a limit."""
        if phase.name not in self._blocks:
            need = frozenset({(STATE,), ("outcome",)})
            self._blocks[phase.name] = rule_block(self._engine.lowering, _as_rule(self.scene, phase), need)
        try:
            law, total = self._engine.law(self._blocks[phase.name], frame)
        except PlayError as error:
            self.exceeded = self.exceeded or error.diagnostic.code in say.TOO_LARGE
            raise
        rows: list[tuple[AfterPhase | None, int]] = [((one[STATE], one["outcome"]), ways) for one, ways in law]
        missing = total - sum([ways for _, ways in law])
        return [*rows, *([(None, missing)] if missing else [])], total


def _as_rule(scene: ir.Scene, phase: ir.Phase) -> ir.Mechanic:
    """A phase as a mechanic without outcomes."""
    fields = tuple([(step.name, step.type) for step in phase.steps])
    return replace(
        scene.rule, name=phase.name, steps=phase.steps, outcomes=None, also=(), requires=(),
        type=t.Record(phase.name, fields), path=phase.path,
    )  # fmt: skip
