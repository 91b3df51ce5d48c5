"""Scenes as generated functions: the steps before the first round, rounds of phases until an outcome holds, the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter import ir
from interpreter.codegen.effects import settle_function
from interpreter.codegen.events import end_function, event_function, write_boundary_event
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule, NotGenerated, Trail
from interpreter.codegen.steps import record_expression, write_block, write_result
from interpreter.play.run import MechanicEnded, Record
from interpreter.play.scenes import MOST_ROUNDS, USUAL_GUARD
from interpreter.runtime import new_objects
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.rng import FaceSource
from interpreter.runtime.state import SCENE, STATE, UNDER_WAY, State, remove_object


def write_turn(writer: FunctionWriter, action: ir.Turn, step: ir.Step, trail: Trail, value: str | None) -> None:
    who = writer.variable()
    writer.line(f"{who} = {writer.text(action.who)}")
    write_boundary_event(writer, "turn_begins", who)
    with writer.scope():
        write_block(writer, action.steps, trail, value is not None)
        record = record_expression(writer, action.steps) if value is not None else None
    write_boundary_event(writer, "turn_ends", who)
    writer.line(f"{writer.module.bind(end_function(writer.module, 'turn'))}({who})")
    write_result(writer, value, record)


PlayScene = Callable[[Frame, FaceSource, bool], Record]
"""Plays a scene from a frame with its inputs and the state; returns its record.

The state that the scene leaves is put into the frame if the last argument asks for it.
"""


def scene_player(module: GeneratedModule, scene: ir.Scene) -> PlayScene:
    """A function that plays a scene; it raises NotGenerated or any other exception where play has to take over."""
    return module.make_once(scene.rule.path, lambda: _GeneratedScene(module, scene).play)


class _GeneratedScene:
    """A scene with a generated function for each part of it."""

    def __init__(self, module: GeneratedModule, scene: ir.Scene) -> None:
        self.module, self.scene = module, scene
        self.inputs = [one.name for one in scene.rule.inputs]
        self.first_steps = [one.name for one in scene.rule.steps]
        known = [*self.inputs, *self.first_steps]
        self.opening = _steps_function(module, scene, self.inputs, scene.rule.steps, self.first_steps)
        self.phases = [_steps_function(module, one, known, one.steps, ()) for one in scene.phases]
        self.outcomes = {one.name: _steps_function(module, one, known, one.steps, ()) for one in scene.outcomes}
        self.outcome, self.guard = _outcome_function(module, scene, known), _guard_function(module, scene, known)
        self.end_round, self.end_scene = end_function(module, "round"), end_function(module, "scene")
        self.caches_of_round = module.caches_of((SCENE, "round"))
        self.settle_round = settle_function(module, SCENE, "round")
        self.requires = [module.closures.of(one.condition) for one in scene.rule.requires]
        self._begun: tuple[State, list[Any], State] | None = None

    def play(self, given: Frame, source: FaceSource, left: bool) -> Record:
        module, names = self.module, self.module.names
        module.begin(source)
        values = [given[name] for name in self.inputs]
        self._begin(given, values)
        record: Record = dict.fromkeys(self.first_steps)
        self._boundary("scene_begins")
        outcome = self._run(self.opening, [*values, record] if self.first_steps else values)
        values = [*values, *record.values()]
        outcome = outcome or names[self.outcome](*values)
        number = module.state.has_by_id[SCENE]["round"]
        if outcome is None:
            outcome, number = self._rounds(values)
        module.renew_budget()
        if outcome is not None:
            names[self.outcomes[outcome]](*values)
        self._boundary("scene_ends")
        self.end_scene(None)
        if left:
            given[STATE] = remove_object(module.state.freeze(), UNDER_WAY)
        return {**record, "outcome": outcome, "rounds": number}

    def _begin(self, given: Frame, values: list[Any]) -> None:
        """Set the state with the scene under way, which is computed once for all runs that begin alike."""
        state = given[STATE]
        if self._begun is None or self._begun[0] is not state or self._begun[1] != values:
            begun = dict(given)
            begun[STATE] = new_objects.begin_scene(self.module.closures, begun, self.scene)
            if not all(holds(begun) for holds in self.requires):
                raise NotGenerated
            self._begun = state, values, begun[STATE]
        self.module.set_state(self._begun[2])

    def _rounds(self, values: Sequence[Any]) -> tuple[str | None, int]:
        """Play rounds until an outcome holds or the guard stops the scene: the outcome, and how many there were."""
        module, names = self.module, self.module.names
        number = module.state.has_by_id[SCENE]["round"]
        while number < min(names[self.guard](*values), MOST_ROUNDS):
            number += 1
            for place, phase in enumerate(self.phases):
                module.renew_budget()
                if place == 0:
                    module.state.has_by_id[SCENE]["round"] = number
                    for cache in self.caches_of_round:
                        cache.clear()
                    if self.settle_round is not None:
                        self.settle_round(UNDER_WAY)
                    self._boundary("round_begins")
                outcome = self._run(phase, values) or names[self.outcome](*values)
                if outcome is not None:
                    return outcome, number
            self._boundary("round_ends")
            self.end_round(None)
        return None, number

    def _run(self, steps: str, values: Sequence[Any]) -> str | None:
        """Run the function of some steps: the outcome that they end the scene with, if they do."""
        try:
            self.module.names[steps](*values)
        except MechanicEnded as end:
            self.module.run.nested, self.module.run.calls = 0, ()
            return str(end)
        return None

    def _boundary(self, name: str) -> None:
        """Cause an event of the language, if the ruleset has it."""
        event = self.module.program.events.get(name)
        if event is not None:
            self.module.run.nested += 1
            self.module.run.calls = (event.path,)
            self.module.names[event_function(self.module, event, checked=False)]()
            self.module.run.nested -= 1
            self.module.run.calls = ()


def _steps_function(
    module: GeneratedModule,
    part: ir.Scene | ir.Phase | ir.Outcome,
    known: Sequence[str],
    steps: Sequence[ir.Step],
    recorded: Sequence[str],
) -> str:
    """The name of a function that runs the steps of a part of a scene.

    It takes the values of the names that are `known`, and a record to fill if any results are to be `recorded`.
    """

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, [*known, *([".record"] if recorded else [])], steps)
        record = writer.variables.pop(".record", "")
        if not recorded:
            write_block(writer, steps, (), False)
        for one in steps if recorded else ():
            write_block(writer, (one,), (), True)
            writer.line(f"{record}[{one.name!r}] = {writer.variables[one.name]}")
        return writer.source + "\n pass"

    return module.function(("steps", id(part)), write)


def _outcome_function(module: GeneratedModule, scene: ir.Scene, known: Sequence[str]) -> str:
    """The name of a function that returns the first outcome that holds, or None."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, known, scene.outcomes)
        for one in scene.outcomes:
            if one.condition is not None:
                writer.line(f"if {writer.text(one.condition)}: return {one.name!r}")
        return writer.source + "\n return None"

    return module.function(("outcome", scene.rule.path), write)


def _guard_function(module: GeneratedModule, scene: ir.Scene, known: Sequence[str]) -> str:
    """The name of a function that returns how many rounds there may be."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, known, ())
        writer.line(f"return {writer.text(scene.guard) if scene.guard is not None else USUAL_GUARD}")
        return writer.source

    return module.function(("guard", scene.rule.path), write)
