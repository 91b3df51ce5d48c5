"""Find questions without a sentence where people act: whoever is asked then reads only the name of the step."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic
from interpreter.ir.choice_keys import hooks
from interpreter.ir.traversal import under


def report_questions(world: World, program: ir.Program) -> None:
    """Report every finding, but only in the files on top: what lies under a layer is its own author's."""
    if not world.problems.errors:
        for found in _without_sentence(program):
            if found.span.source.name not in world.lower:
                world.problems.add(found)


def _without_sentence(program: ir.Program) -> Iterator[Diagnostic]:
    """Choices without `ask` in whatever acts, and in the mechanics that it calls."""
    reached: set[str] = set()
    stack = [*program.events.values(), *program.actions.values(), *program.reactions.values()]
    stack += [*program.scenes.values(), *hooks(program)]
    while stack:
        for node in under(stack.pop()):
            if isinstance(node, ir.Call) and node.mechanic not in reached:
                reached.add(node.mechanic)
                stack.append(program.mechanics[node.mechanic])
            if isinstance(node, ir.Step):
                choice = node.action.choice if isinstance(node.action, ir.ChooseEach) else node.action
                if isinstance(choice, ir.Choose) and not choice.ask:
                    yield say.no_sentence(node.span, node.name)
