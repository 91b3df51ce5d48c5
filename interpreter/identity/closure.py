"""Which units of a program the play of a rule may reach: a change of any other does not touch it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from interpreter import ir
from interpreter.identity.units import new_thing, units_of
from interpreter.ir.once_per import once_per
from interpreter.runtime.state import SCENE
from interpreter.syntax.fixed_words import BOUNDARIES


def hashes_used(program: ir.Program, *begin: str) -> dict[str, str]:
    """The hash of each unit that play may reach from the rules and policies at these paths, by the path of the unit."""
    return {path: units_of(program)[path].hash for path in sorted(_reachable_paths(program, begin))}


@once_per
def _reachable_paths(program: ir.Program, begin: tuple[str, ...]) -> frozenset[str]:
    """The paths of the units, and of all that they refer to, directly or not."""
    units, leads = units_of(program), _references(program)
    parts = _parts_by_path(units)
    waiting, seen = ["rounding", *begin], set[str]()
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += leads.get(path, ())
    return frozenset(part for path in seen for part in parts.get(path, ()))


def _parts_by_path(units: Iterable[str]) -> Mapping[str, list[str]]:
    """The units of each construct: one, or its parts; values that things begin with belong to new things alone."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for unit in units:
        path, _, part = unit.partition(" ")
        kind = path.split(".")[1] if part == "begins" else None
        found[path if kind is None else new_thing(kind)].append(unit)
    return found


@once_per
def _references(program: ir.Program) -> Mapping[str, frozenset[str]]:
    """What each construct leads to: what its units refer to, and what the language adds."""
    leads: defaultdict[str, set[str]] = defaultdict(set)
    for unit, of in units_of(program).items():
        leads[unit.partition(" ")[0]] |= of.refers
        if unit.endswith(" begins"):
            leads[new_thing(unit.split(".")[1])] |= of.refers
    for name, reaction in program.reactions.items():
        for event in reaction.events:
            leads[f"events.{event}"].add(f"reactions.{name}")
    for modifier in program.modifiers.values():
        leads[f"types.{modifier.to}"].add(f"modifiers.{modifier.name}")
    for name, scene in program.scenes.items():
        phases = {f"scenes.{name}.round.{phase.name}" for phase in scene.phases}
        leads[f"scenes.{name}"] |= {*phases, *(f"events.{event}" for event in BOUNDARIES), f"kinds.{SCENE}"}
        leads[f"scenes.{name}"] |= {f"kinds.{SCENE}.{held}" for held in scene.has}
    for kind in program.kinds.values():
        leads[new_thing(kind.name)] |= {f"kinds.{kind.name}", *(f"kinds.{kind.name}.{name}" for name in kind.has)}
        leads[new_thing(kind.name)] |= {f"kinds.{kind.name}.requires.{one.name}" for one in kind.requires}
        leads[new_thing(kind.name)] |= {new_thing(one.part) for one in kind.has.values() if one.part is not None}
    return {path: frozenset(paths) for path, paths in leads.items()}
