"""Find questions that people cannot answer well: those without a sentence where things act, whose name alone would be
read, and those whose default is not allowed."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.ir.choice_keys import steps_at_bounds
from interpreter.ir.traversal import nodes_under
from interpreter.runtime.evaluator import Closures, new_frame


def report_questions(world: World, program: ir.Program) -> None:
    """Report every finding, but only in the files on top: what lies under a layer is its own author's."""
    if not world.problems.errors:
        for problem in (*_choices_without_sentence(program), *_refused_defaults(program)):
            if problem.span.source.name not in world.lower:
                world.problems.add(problem)


def _choices_without_sentence(program: ir.Program) -> Iterator[Diagnostic]:
    """Choices without `ask` in whatever acts, and in the mechanics that it calls."""
    reached: set[str] = set()
    stack = [*program.events.values(), *program.actions.values(), *program.reactions.values()]
    stack += [*program.scenes.values(), *steps_at_bounds(program)]
    while stack:
        for node in nodes_under(stack.pop()):
            if isinstance(node, ir.Call) and node.mechanic not in reached:
                reached.add(node.mechanic)
                stack.append(program.mechanics[node.mechanic])
            if isinstance(node, ir.Step):
                choice = node.action.choice if isinstance(node.action, ir.ChooseEach) else node.action
                if isinstance(choice, ir.Choose) and not choice.ask:
                    yield say.no_sentence(node.span, node.name)


def _refused_defaults(program: ir.Program) -> Iterator[Diagnostic]:
    """Defaults that the bounds or conditions of their own choice refuse, as far as these read nothing else.

    Where the step has an `if`, the default may be just the value that it has when nobody is asked.
    """
    closures = Closures(program, {})
    for section in program.playable.values():
        for step in (one for rule in section.values() for one in nodes_under(rule) if isinstance(one, ir.Step)):
            choice = step.action
            if not isinstance(choice, ir.Choose) or choice.default is None or step.condition is not None:
                continue
            try:
                refused = _refusing_key(closures, choice)
            except (PlayError, KeyError):  # it reads what is known only in play
                continue
            if refused is not None:
                yield say.default_refused(choice.default.span, *refused)


def _refusing_key(closures: Closures, choice: ir.Choose) -> tuple[str, str] | None:
    """The key that refuses the default of a choice, and its text. Raises KeyError where that depends on play."""
    assert choice.default is not None
    value = closures.of(choice.default)(new_frame())
    chosen = value if choice.kind == "some" else (value,)
    if value is None or not isinstance(chosen, tuple):
        return None
    counts = ((choice.least, "least", len(chosen)), (choice.most, "most", len(chosen)))
    bounds = ((choice.low, "from", value), (choice.high, "to", value)) if choice.kind == "number" else ()
    for formula, key, number in (*counts, *bounds):
        if formula is None or formula is choice.least:  # of fewer that may be chosen, fewer are enough
            continue
        limit = closures.of(formula)(new_frame())
        if number < limit if key == "from" else number > limit:
            return key, formula.span.text
    for one in chosen if choice.where is not None else ():
        if choice.where is not None and not closures.of(choice.where)({**new_frame(), ".it": one}):
            return "where", choice.where.span.text
    if choice.together is not None and not closures.of(choice.together)({**new_frame(), ".it": chosen}):
        return "together", choice.together.span.text
    return None
