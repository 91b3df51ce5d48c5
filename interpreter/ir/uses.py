"""What each declaration of a program uses: the rules that it calls, causes or does, and what its formulas read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Names
from collections.abc import Set as AbstractSet

from interpreter import ir
from interpreter.ir.traversal import nodes_under

RULES = ("mechanics", "events", "actions", "reactions", "scenes", "functions", "tables")
"""The sections of what is played or read by others."""


def uses_by_path(program: ir.Program) -> dict[str, set[str]]:
    """What each declaration uses, by its path; of a scene, only what happens before its first round."""
    found = {one.path: set(_declarations_of_references(one.refs)) for one in program.functions.values()}
    found |= {one.path: set(_declarations_of_references(one.refs)) for one in program.tables.values()}
    for section, rules in program.playable.items():
        for name, rule in rules.items():
            found[f"{section}.{name}"] = set(_paths_used(rule))
    for name, action in program.actions.items():
        found[f"actions.{name}"] |= set(_paths_used((action.actor, action.costs, action.limit)))
    return found


def uses_in_play(program: ir.Program) -> dict[str, set[str]]:
    """The same, with the rounds of scenes, the actions that rules offer, and the reactions to events."""
    found = uses_by_path(program)
    for section, rules in program.playable.items():
        for name, rule in rules.items():
            found[f"{section}.{name}"] |= set(_actions_offered(rule))
    for name, scene in program.scenes.items():
        rounds = (scene.phases, scene.outcomes, scene.guard)
        found[f"scenes.{name}"] |= {*_paths_used(rounds), *_actions_offered(rounds)}
    for name, one in program.reactions.items():
        found[f"reactions.{name}"] = {*_paths_used(one.action), *_actions_offered(one.action)}
        for event in one.events:
            found.setdefault(f"events.{event}", set()).add(f"reactions.{name}")
    return found


def paths_reached_from(paths: Iterable[str], uses: Names[str, AbstractSet[str]]) -> frozenset[str]:
    """The paths, and all that they use, directly or not."""
    todo, done = [*paths], set[str]()
    while todo:
        path = todo.pop()
        if path not in done:
            done.add(path)
            todo += uses.get(path, ())
    return frozenset(done)


def path_of_held_part(scene: str) -> str:
    """The path of what a scene holds, which rules read without playing its phases."""
    return f"{scene} as read"


def _paths_used(node: object) -> Iterator[str]:
    for one in nodes_under(node):
        match one:
            case ir.Formula():
                yield from _declarations_of_references(one.refs)
            case ir.Call() | ir.Cause() | ir.Act():
                yield from filter(None, [rule_called(one)])


def rule_called(action: object) -> str | None:
    """The path of the rule that a step calls, if it calls one."""
    match action:
        case ir.Call():
            return f"mechanics.{action.mechanic}"
        case ir.Cause():
            return f"events.{action.event}"
        case ir.Act():
            return f"actions.{action.action}"
    return None


def _actions_offered(node: object) -> Iterator[str]:
    for one in nodes_under(node):
        if isinstance(one, ir.Offer):
            yield from (f"actions.{name}" for name in one.actions)


def _declarations_of_references(refs: frozenset[str]) -> Iterator[str]:
    for ref in refs:
        path = ".".join(ref.split(".")[:2])
        yield path_of_held_part(path) if path.startswith("scenes.") else path
