"""One run of what is simulated run by run: a scene, or a rule alone, from a frame with its inputs."""

from __future__ import annotations

from interpreter import ir
from interpreter.codegen.actions import ACTOR, acted
from interpreter.codegen.module import GeneratedModule
from interpreter.codegen.rules import caused, mechanic_of
from interpreter.codegen.scenes import Played, scene_of
from interpreter.play.run import Record
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.rng import FaceSource
from interpreter.runtime.state import EMPTY, STATE


def run_of(script: GeneratedModule, rule: ir.Mechanic) -> Played:
    """What plays a rule of any section. What it does raises anything where the walk has to say what is wrong."""
    program, section = script.program, rule.path.partition(".")[0]
    if section == "scenes":
        return scene_of(script, program.scenes[rule.name])
    action = section == "actions"
    if action:
        name = acted(script, program.actions[rule.name])
    elif section == "events":
        name = caused(script, rule, checked=False)
    else:
        name = mechanic_of(script, rule)

    def play(given: Frame, source: FaceSource, left: bool) -> Record:
        script.begin(source)
        script.become(given.get(STATE, EMPTY))
        inputs = [given.get(one.name) for one in rule.inputs]
        offered = False  # somebody does it without having been asked what to do
        record: Record = script.names[name](*((given[ACTOR], offered, *inputs) if action else inputs))
        if left:
            given[STATE] = script.live.still
        return record

    return play
