"""One run of a rule of any section in generated functions, from a frame with its inputs."""

from __future__ import annotations

from interpreter import ir
from interpreter.codegen.actions import ACTOR, action_function
from interpreter.codegen.events import event_function
from interpreter.codegen.module import GeneratedModule
from interpreter.codegen.rules import mechanic_function
from interpreter.codegen.scenes import PlayScene, scene_player
from interpreter.play.run import Record
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.rng import FaceSource
from interpreter.runtime.state import EMPTY, STATE


def rule_player(module: GeneratedModule, rule: ir.Mechanic) -> PlayScene:
    """A function that plays a rule; it raises NotGenerated or any other exception where play has to take over."""
    program, section = module.program, rule.path.partition(".")[0]
    if section == "scenes":
        return scene_player(module, program.scenes[rule.name])
    action = section == "actions"
    if action:
        name = action_function(module, program.actions[rule.name])
    elif section == "events":
        name = event_function(module, rule, checked=False)
    else:
        name = mechanic_function(module, rule)

    def play(given: Frame, source: FaceSource, left: bool) -> Record:
        module.begin(source)
        module.set_state(given.get(STATE, EMPTY))
        inputs = [given.get(one.name) for one in rule.inputs]
        offered = False
        record: Record = module.names[name](*((given[ACTOR], offered, *inputs) if action else inputs))
        if left:
            given[STATE] = module.state.freeze()
        return record

    return play
