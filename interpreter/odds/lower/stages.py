"""Stages: a value that is computed, and then changed by named stages in order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import ir
from interpreter.odds.liveness import Path
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.steps import lower_number_of, lower_step, op_with_blocks
from interpreter.odds.open_rolls import may_be_open
from interpreter.odds.operations import ALL, NOTHING, Block, EnterBlock, Frame, Need, Op, build_block
from interpreter.play.control import forms_of_stages
from interpreter.play.steps import converter_between
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.operations import as_number


def lower_stages(lowering: Lowering, action: ir.Stages, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`start:` and `then:`, a block in which every stage has the name of the step."""
    name = step.name
    paths: list[Path] = [(name, *path) for path in need]
    ops: list[Op] = []
    before = (action.begun, *[stage.type for stage in action.then])
    forms = forms_of_stages(action)
    if converter_between(before[-1], step.type) is as_number:
        ops.append(lower_number_of(lowering, name, before[-1], name, step.span))
    for stage, given, form in reversed(list(zip(action.then, before, forms, strict=False))):
        if form is as_number and stage.condition and not stage.instead:  # the value that a skipped stage leaves
            ops.append(lower_number_of(lowering, name, given, name, stage.span))
        made = lower_step(lowering, replace(stage, name=name), ALL, (*trail, stage.name), keeps=True)
        made.name = name
        ops.append(made)
        paths += made.touches
    begin = ir.Step(name, action.start, action.begun, step.path, step.span)
    ops.append(lower_step(lowering, begin, need if not action.then else ALL, trail))
    ops.reverse()
    block = build_block(ops, {name: ALL}, lambda at: at[name], lambda at, end: end, (), True)
    if block.simple and not any(map(may_be_open, (*before, step.type))):
        return Op(name, block.outside, block.touches, plain=_closure_of_plain_stages(block, name))
    return op_with_blocks(name, NOTHING, [block], lambda at: EnterBlock(block, at))


def _closure_of_plain_stages(block: Block, name: str) -> Closure:
    """Stages that only compute something."""

    def run(at: Frame) -> Any:
        inside = dict(at)
        for op in block.ops:
            if op.guard is not None and not op.guard(inside):
                if op.instead is not None:
                    inside[name] = op.instead(inside)
                continue
            assert op.plain is not None
            inside[name] = op.plain(inside)
        return inside[name]

    return run
