"""The parts of a case: the rule that it plays, its values by name, its grid, and the names that may have a chance."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.scope import Binding
from interpreter.checker.world import World
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.ir import types as t
from interpreter.syntax.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries_of,
    items_of,
    value_at,
)

JOINT_CHANCE = "is"
"""The key of the chance in a row of `joint`; the others are names of values."""
OF_CHANCES = frozenset({"odds", "joint", "mean"})
"""The keys of a case that state what is true of all plays, and not of one."""
SUBJECTS = {"mechanic": "mechanics", "event": "events", "action": "actions"}
"""The keys of a case that name what it plays, each with its section."""


def subject_of(world: World, case: Mapping) -> tuple[str, Scalar] | None:
    """The section and the name of the rule that a case plays, if it names one. Reports a case that names two."""
    subjects = [(key, node) for key in SUBJECTS if isinstance(node := case.get(key), Scalar)]
    scene = case.get("scene")
    if not subjects and isinstance(scene, Scalar):
        return "scenes", scene
    if len(subjects) > 1:
        world.problems.add(say.two_subjects(case.key(subjects[1][0]).span, subjects[1][0], subjects[0][0]))
        return None
    return (SUBJECTS[subjects[0][0]], subjects[0][1]) if subjects else None


def named_goals(goal: Node | None) -> list[Scalar]:
    """The names of the goals for all decisions, or of the goals of those who decide."""
    named = [value for _, value in named_values(goal)] if isinstance(goal, Mapping) else [goal]
    return [one for value in named for one in (items_of(value) or (value,)) if isinstance(one, Scalar)]


def expected_names(case: Mapping, kind: str) -> Iterator[Scalar]:
    """The names under a key of a case, such as `odds`, and under the same key of its grid."""
    grid = case.get("each")
    named = value_at(grid, kind)
    yield from (entry.key for entry in entries_of(case.get(kind)))
    if isinstance(named, Scalar):
        yield named


def names_with_chances(rule: ir.Mechanic) -> dict[str, Binding]:
    """The names of a rule that have a chance: outcomes, and the flags and words under `also`."""
    outcome = t.without_maybe(rule.type.field("outcome") or t.ANYTHING)
    flags = {one.name: rule.type.named_at(one.name) for one in rule.also if not isinstance(one.type, t.Word)}
    lists = [kind for kind in (*(one.type for one in rule.also), outcome) if isinstance(kind, t.Word)]
    words = {word: kind.named_at(word) for kind in lists for word in kind.words}
    return {name: Binding(t.YES_NO, place or NOWHERE) for name, place in {**flags, **words}.items()}


def named_values(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    for entry in entries_of(node):
        yield entry.key, entry.value


def varied_names(case: Mapping) -> list[Scalar]:
    """The names that a grid varies."""
    grid = case.get("each")
    named = value_at(grid, "given")
    return [item for item in named.items if isinstance(item, Scalar)] if isinstance(named, Sequence) else []


def grid_rows(case: Mapping) -> list[tuple[tuple[Scalar, ...], Node]]:
    """The rows of a grid: the keys that lead to each, and its value."""
    grid = case.get("each")
    rows: list[tuple[tuple[Scalar, ...], Node]] = []
    top = value_at(grid, "rows")
    rows = [((), top)] if top is not None else []
    for _ in varied_names(case):
        rows = [((*keys, key), value) for keys, node in rows for key, value in named_values(node)]
    return rows


def segments(key: Scalar) -> Iterator[tuple[str, Span]]:
    """The names of a dotted path with their spans."""
    start = 1 if key.style else 0
    for name in key.text.split("."):
        yield name, key.span.part(start, start + len(name))
        start += len(name) + 1
