"""Scenes as they are written out: what comes before the first round, phases until an outcome holds, what ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter import ir
from interpreter.codegen.effects import ending
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule, NotGenerated
from interpreter.codegen.rules import caused
from interpreter.codegen.steps import block
from interpreter.play.run import MechanicEnded, Record
from interpreter.play.scenes import MOST_ROUNDS, USUAL_GUARD
from interpreter.runtime import objects
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.rng import FaceSource
from interpreter.runtime.state import SCENE, STATE, UNDER_WAY, State, put, without

Played = Callable[[Frame, FaceSource, bool], Record]
"""A scene, from a frame with its inputs and the state; its record. Where it is said so, the state is put there that
it has left.
"""


def scene_of(script: GeneratedModule, scene: ir.Scene) -> Played:
    """What plays a scene. What it does raises Unwritten, or anything else, where the walk has to say what is wrong."""
    return script.once(scene.rule.path, lambda: _played(script, scene))


def _played(script: GeneratedModule, scene: ir.Scene) -> Played:
    run, live, names, plain = script.run, script.live, script.names, script.plain
    inputs, opening = [one.name for one in scene.rule.inputs], [one.name for one in scene.rule.steps]
    known = [*inputs, *opening]
    open_ = _written(script, scene, inputs, scene.rule.steps, opening)
    phases = [_written(script, one, known, one.steps, ()) for one in scene.phases]
    last = {one.name: _written(script, one, known, one.steps, ()) for one in scene.outcomes}
    holding, guard = _holding(script, scene, known), _guard(script, scene, known)
    ended_round, ended_scene = ending(script, "round"), ending(script, "scene")
    new_round = script.touched((SCENE, "round"))
    requires = [plain.of(one.condition) for one in scene.rule.requires]

    def caused_by_itself(name: str) -> None:
        event = script.program.events.get(name)
        if event is not None:
            run.nested += 1
            names[caused(script, event, checked=False)]()
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
        script.become(first[0][2])

    def until_end(part: str, values: Sequence[Any]) -> str | None:
        try:
            names[part](*values)
        except MechanicEnded as end:
            run.nested = 0
            return str(end)
        return None

    def rounds(values: Sequence[Any]) -> tuple[str | None, int]:
        """Rounds until an outcome holds; how many there were."""
        number = live.has_by_id[SCENE]["round"]
        while True:
            if number + 1 > min(names[guard](*values), MOST_ROUNDS):
                return None, number
            number += 1
            for place, phase in enumerate(phases):
                script.afresh()
                if place == 0:
                    live.has_by_id[SCENE]["round"] = number
                    for each in new_round:
                        each.clear()
                    caused_by_itself("round_begins")
                ended = until_end(phase, values) or names[holding](*values)
                if ended is not None:
                    return ended, number
            caused_by_itself("round_ends")
            ended_round(None)

    def play(given: Frame, source: FaceSource, left: bool) -> Record:
        script.begin(source)
        values = [given[name] for name in inputs]
        opened(given, values)
        record: Record = dict.fromkeys(opening)
        caused_by_itself("scene_begins")
        ended = until_end(open_, [*values, record] if opening else values)
        values = [*values, *[record[name] for name in opening]]
        ended = ended or names[holding](*values)
        number = live.has_by_id[SCENE]["round"]
        if ended is None:
            ended, number = rounds(values)
        script.afresh()
        if ended is not None:
            names[last[ended]](*values)
        caused_by_itself("scene_ends")
        ended_scene(None)
        if left:
            given[STATE] = without(live.still, UNDER_WAY)
        return {**record, "outcome": ended, "rounds": number}

    return play


def _written(
    script: GeneratedModule,
    of: ir.Scene | ir.Phase | ir.Outcome,
    known: Sequence[str],
    steps: Sequence[ir.Step],
    told: Sequence[str],
) -> str:
    """The function of some steps, from what is known; it notes those that are to be told in a record."""

    def write(name: str) -> str:
        page = FunctionWriter(script, name, [*known, *([".record"] if told else [])], steps)
        record = page.variables.pop(".record", "")
        if not told:
            block(page, steps, (), False)
        for one in steps if told else ():
            block(page, (one,), (), True)
            page.line(f"{record}[{one.name!r}] = {page.variables[one.name]}")
        return page.whole + "\n pass"

    return script.function(("steps", id(of)), write)


def _holding(script: GeneratedModule, scene: ir.Scene, known: Sequence[str]) -> str:
    """The function that tells the first outcome that holds, or none."""

    def write(name: str) -> str:
        page = FunctionWriter(script, name, known, scene.outcomes)
        for one in scene.outcomes:
            if one.condition is not None:
                page.line(f"if {page.text(one.condition)}: return {one.name!r}")
        return page.whole + "\n return None"

    return script.function(("holding", scene.rule.path), write)


def _guard(script: GeneratedModule, scene: ir.Scene, known: Sequence[str]) -> str:
    """The function that tells how many rounds there may be."""

    def write(name: str) -> str:
        page = FunctionWriter(script, name, known, ())
        page.line(f"return {page.text(scene.guard) if scene.guard is not None else USUAL_GUARD}")
        return page.whole

    return script.function(("guard", scene.rule.path), write)
