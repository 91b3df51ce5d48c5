"""Scenes as they are written out: what comes before the first round, phases until an outcome holds, what ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter import ir
from interpreter.codegen.events import boundary, caused, ending
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule, NotGenerated, Trail
from interpreter.codegen.steps import block, record_of, set_result
from interpreter.play.run import MechanicEnded, Record
from interpreter.play.scenes import MOST_ROUNDS, USUAL_GUARD
from interpreter.runtime import objects
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.rng import FaceSource
from interpreter.runtime.state import SCENE, STATE, UNDER_WAY, State, put, without


def turn(writer: FunctionWriter, action: ir.Turn, step: ir.Step, trail: Trail, value: str | None) -> None:
    who = writer.variable()
    writer.line(f"{who} = {writer.text(action.who)}")
    boundary(writer, "turn_begins", who)
    with writer.scope():
        block(writer, action.steps, trail, value is not None)
        record = record_of(writer, action.steps) if value is not None else None
    boundary(writer, "turn_ends", who)
    writer.line(f"{writer.module.bind(ending(writer.module, 'turn'))}({who})")
    set_result(writer, value, record)


PlayScene = Callable[[Frame, FaceSource, bool], Record]
"""A scene, from a frame with its inputs and the state; its record. Where it is said so, the state is put there that
it has left.
"""


def scene_of(module: GeneratedModule, scene: ir.Scene) -> PlayScene:
    """A function that plays a scene; it raises NotGenerated or any other exception where play has to take over."""
    return module.once(scene.rule.path, lambda: _played(module, scene))


def _played(module: GeneratedModule, scene: ir.Scene) -> PlayScene:
    run, state, names, plain = module.run, module.state, module.names, module.closures
    inputs, opening = [one.name for one in scene.rule.inputs], [one.name for one in scene.rule.steps]
    known = [*inputs, *opening]
    open_ = _written(module, scene, inputs, scene.rule.steps, opening)
    phases = [_written(module, one, known, one.steps, ()) for one in scene.phases]
    last = {one.name: _written(module, one, known, one.steps, ()) for one in scene.outcomes}
    holding, guard = _holding(module, scene, known), _guard(module, scene, known)
    ended_round, ended_scene = ending(module, "round"), ending(module, "scene")
    new_round = module.caches_of((SCENE, "round"))
    requires = [module.closures.of(one.condition) for one in scene.rule.requires]

    def caused_by_itself(name: str) -> None:
        event = module.program.events.get(name)
        if event is not None:
            run.nested += 1
            names[caused(module, event, checked=False)]()
            run.nested -= 1

    first: list[tuple[State, list[Any], State]] = []

    def opened(given: Frame, values: list[Any]) -> None:
        """The scene is under way; what that makes of a state is worked out once for all runs that begin with it."""
        if not first or first[0][0] is not given[STATE] or first[0][1] != values:
            begun = dict(given)
            if SCENE in given[STATE].things:
                for name in inputs:
                    begun[STATE] = put(begun[STATE], UNDER_WAY, name, given[name])
            else:
                begun[STATE] = objects.scene_made(plain, begun, scene, begun)
            if not all(holds(begun) for holds in requires):
                raise NotGenerated
            first[:] = [(given[STATE], values, begun[STATE])]
        module.set_state(first[0][2])

    def until_end(part: str, values: Sequence[Any]) -> str | None:
        try:
            names[part](*values)
        except MechanicEnded as end:
            run.nested = 0
            return str(end)
        return None

    def rounds(values: Sequence[Any]) -> tuple[str | None, int]:
        """Rounds until an outcome holds; how many there were."""
        number = state.has_by_id[SCENE]["round"]
        while True:
            if number + 1 > min(names[guard](*values), MOST_ROUNDS):
                return None, number
            number += 1
            for place, phase in enumerate(phases):
                module.renew_budget()
                if place == 0:
                    state.has_by_id[SCENE]["round"] = number
                    for each in new_round:
                        each.clear()
                    caused_by_itself("round_begins")
                ended = until_end(phase, values) or names[holding](*values)
                if ended is not None:
                    return ended, number
            caused_by_itself("round_ends")
            ended_round(None)

    def play(given: Frame, source: FaceSource, left: bool) -> Record:
        module.begin(source)
        values = [given[name] for name in inputs]
        opened(given, values)
        record: Record = dict.fromkeys(opening)
        caused_by_itself("scene_begins")
        ended = until_end(open_, [*values, record] if opening else values)
        values = [*values, *[record[name] for name in opening]]
        ended = ended or names[holding](*values)
        number = state.has_by_id[SCENE]["round"]
        if ended is None:
            ended, number = rounds(values)
        module.renew_budget()
        if ended is not None:
            names[last[ended]](*values)
        caused_by_itself("scene_ends")
        ended_scene(None)
        if left:
            given[STATE] = without(state.frozen, UNDER_WAY)
        return {**record, "outcome": ended, "rounds": number}

    return play


def _written(
    module: GeneratedModule,
    of: ir.Scene | ir.Phase | ir.Outcome,
    known: Sequence[str],
    steps: Sequence[ir.Step],
    told: Sequence[str],
) -> str:
    """The function of some steps, from what is known; it notes those that are to be told in a record."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, [*known, *([".record"] if told else [])], steps)
        record = writer.variables.pop(".record", "")
        if not told:
            block(writer, steps, (), False)
        for one in steps if told else ():
            block(writer, (one,), (), True)
            writer.line(f"{record}[{one.name!r}] = {writer.variables[one.name]}")
        return writer.source + "\n pass"

    return module.function(("steps", id(of)), write)


def _holding(module: GeneratedModule, scene: ir.Scene, known: Sequence[str]) -> str:
    """The function that tells the first outcome that holds, or none."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, known, scene.outcomes)
        for one in scene.outcomes:
            if one.condition is not None:
                writer.line(f"if {writer.text(one.condition)}: return {one.name!r}")
        return writer.source + "\n return None"

    return module.function(("holding", scene.rule.path), write)


def _guard(module: GeneratedModule, scene: ir.Scene, known: Sequence[str]) -> str:
    """The function that tells how many rounds there may be."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, known, ())
        writer.line(f"return {writer.text(scene.guard) if scene.guard is not None else USUAL_GUARD}")
        return writer.source

    return module.function(("guard", scene.rule.path), write)
