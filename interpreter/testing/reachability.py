"""Which constructs of a ruleset a run has reached.

The events of a run name its steps, outcomes and cases. What those use without an event of its own (functions, tables,
options, comparators, rounding) follows from the formulas in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir.choice_keys import all_rules, steps_at_bounds
from interpreter.ir.traversal import children
from interpreter.play import trace_events as ev


@dataclass(frozen=True)
class Reach:
    """The constructs of a program, each with those that it uses."""

    program: ir.Program

    @cached_property
    def uses(self) -> dict[str, frozenset[str]]:
        """For every construct that a run can name, the paths of all that its formulas use, and its own."""
        uses: dict[str, set[str]] = {}
        for owner, formula_refs in _uses_by_construct(self.program):
            uses.setdefault(owner, set()).update(formula_refs)
        return {path: self._closure({*refs, path}) for path, refs in uses.items()}

    def _closure(self, paths: set[str]) -> frozenset[str]:
        """The paths, and those that the functions and tables among them use in turn."""
        todo: list[str] = list(paths)
        done: set[str] = set()
        while todo:
            path = todo.pop()
            if path not in done:
                done.add(path)
                todo += self._direct_uses.get(path, ())
        return frozenset(done)

    @cached_property
    def _direct_uses(self) -> dict[str, frozenset[str]]:
        things: list[ir.Function | ir.Table] = [*self.program.functions.values(), *self.program.tables.values()]
        inner = {one.path: one.refs for one in things}
        for option in self.program.options.values():
            inner[option.path] = frozenset()
        for kind in self.program.kinds.values():
            for one in kind.has.values():
                inner[one.path] = frozenset(
                    {kind.path}.union(*(refs for path, refs in _inside(one, one.path) if path == one.path))
                )
        return inner

    def closure(self, refs: Iterable[str]) -> frozenset[str]:
        """What an expression with these references uses in all."""
        return self._closure(set(refs))

    def paths_reached(self, events: Iterable[ev.Event], used: Iterable[str]) -> set[str]:
        """The paths of all that a run reached; `used` are those of the inputs that it was given."""
        reached: set[str] = set(used)
        for event in events:
            match event:
                case (
                    ev.StepSkipped()
                    | ev.ReactionDeclined()
                    | ev.ActionDenied()
                    | ev.EventCancelled()
                    | ev.PointsLapsed()
                    | ev.ChoiceMade()
                    | ev.MasterEnded()
                    | ev.MasterGave()
                ):
                    continue
                case ev.ActionBegun():
                    reached |= self._paths_of_kinds(event.node, event.inputs)
            path = event.node.path
            reached |= self.uses.get(path, frozenset((path,)))
            if isinstance(event, ev.SceneBegun | ev.RuleCalled | ev.EventCaused | ev.ActionBegun):
                reached |= {one.path for one in event.node.inputs if event.inputs.get(one.name) is not None}
        return set(self._closure(reached))

    def _paths_of_kinds(self, rule: ir.Mechanic, given: Mapping[str, Any]) -> set[str]:
        """The paths that an action shares with its kind, and with the kind that it was upgraded to."""
        action = self.program.actions.get(rule.name)
        if action is None or action.rule is not rule or action.kind is None:
            return set()
        kinds = {action.kind}
        upgraded = given.get("upgraded") and action.upgrade is not None
        own = {f"action_kinds.{action.kind}.upgrade", f"{rule.path}.upgrade"} if upgraded else set()
        if upgraded and action.upgrade is not None:
            kinds.add(action.upgrade.to)
        return own | {f"action_kinds.{kind}" for kind in kinds}

    def covers(self, reached: set[str], path: str) -> bool:
        """Whether a construct was reached; a part without a path of its own counts as the construct around it."""
        while path not in self.nameable_paths and "." in path:
            path = path.rsplit(".", 1)[0]
        return path in reached

    @cached_property
    def nameable_paths(self) -> frozenset[str]:
        """Every path that a run or a formula can name."""
        program = self.program
        paths = {*self.uses, "rounding", *(f"comparators.{name}" for name in program.comparators)}
        paths |= {f"ladders.{name}" for name in program.ladders} | {f"dice.{name}" for name in program.dice}
        for declared in _declarations(program):
            paths.add(declared.path)
        paths |= {one.path for one in program.types.values()} | {one.path for one in program.modifiers.values()}
        paths |= {one.path for one in program.functions.values()} | {one.path for one in program.tables.values()}
        paths |= {one.path for one in all_rules(program)} | {one.path for one in program.kinds.values()}
        paths |= {one.path for kind in program.kinds.values() for one in kind.has.values()}
        for action in program.actions.values():
            if action.kind is not None:
                paths |= {f"action_kinds.{action.kind}"}
            if action.upgrade is not None:
                paths |= {
                    f"action_kinds.{action.upgrade.to}",
                    f"action_kinds.{action.kind}.upgrade",
                    action.upgrade.path,
                }
        return frozenset(paths)


def _declarations(program: ir.Program) -> Iterator[ir.Declaration]:
    yield from program.options.values()
    for record in program.types.values():
        yield from record.has
    for rule in all_rules(program):
        yield from rule.inputs


def _uses_by_construct(program: ir.Program) -> Iterator[tuple[str, frozenset[str]]]:
    """Every construct with a path inside mechanics, paired with what its own formulas use."""
    for rule in all_rules(program):
        yield rule.path, frozenset()
        yield from _inside(rule, rule.path)
    for action in (*program.actions.values(), *(one.action for one in program.reactions.values())):
        yield from _inside((action.actor, action.costs, action.limit), action.rule.path)
    for scene in program.scenes.values():
        yield from _inside((scene.phases, scene.outcomes, scene.guard), scene.rule.path)
    for step in steps_at_bounds(program):
        yield from _inside(step, step.path)
    for kind in program.kinds.values():
        yield from _inside(kind.requires, kind.path)


_PLACED = (ir.Step, ir.Outcome, ir.FirstOfCase, ir.Also, ir.Requirement, ir.Declaration, ir.Phase, ir.SortKey)
"""What has a path of its own inside a rule."""


def _inside(node: Any, owner: str) -> Iterator[tuple[str, frozenset[str]]]:
    stack: list[tuple[Any, str]] = [(node, owner)]
    while stack:
        here, path = stack.pop()
        if isinstance(here, ir.Formula):
            yield path, here.refs
            continue
        if isinstance(here, _PLACED):
            path = here.path
            yield path, frozenset()
        if isinstance(here, ir.Raise):
            yield path, frozenset({f"ladders.{here.ladder}"})
        if isinstance(here, ir.Lvalue):
            yield path, frozenset({f"kinds.{here.kind}.has.{here.name}"})
        if isinstance(here, (ir.Cost, ir.UseLimit)):
            path = here.path
            yield path, frozenset()
        stack += [(one, path) for one in children(here)]
