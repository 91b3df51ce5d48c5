"""Tell what house rules break in the rulesets below them at the changes that break it, each once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import takewhile

from interpreter import diagnostics as say
from interpreter.diagnostics import Diagnostic, Problems
from interpreter.diagnostics.source import Span
from interpreter.layers.merge import AppliedChange, LayerChange, Merged
from interpreter.syntax.document import Entry, Mapping, Node


def place_at_causes(
    problems: Problems, merged: Merged, of_files: Iterable[Diagnostic], below: Callable[[], Problems]
) -> Problems:
    """The problems; errors in a file below a layer are told at the change that causes them, the first with a count of
    the others. Those that there are without the layer stay where they are: `of_files`, which a file has by itself, as
    a key that is not known, and those of the ruleset below, as `below` finds them."""
    lower = {source.name for one in merged.below for source in one.sources}
    alone = {_key(one) for one in of_files}
    broken = [one for one in problems.errors if one.path in lower and one.code[:4] not in ("HR55", "HR56")]
    broken = [one for one in broken if _key(one) not in alone]
    if not broken:
        return problems
    before = {_key(one) for one in below()}
    broken = [one for one in broken if _key(one) not in before]
    own = [one for one in problems.errors if one.path not in lower]
    of_slips: dict[Diagnostic, list[Diagnostic]] = {}
    of_changes: dict[LayerChange, list[Diagnostic]] = {}
    placed = Problems(problems.strays)
    for one in broken:
        suspects = _suspects(one, merged)
        slips = [slip for slip in own if any(_holds(change, slip.span) for change in suspects)]
        if slips or (own and not suspects):
            of_slips.setdefault((slips or own)[0], []).append(one)
        elif suspects:
            of_changes.setdefault(suspects[0].change, []).append(one)
        else:
            placed.add(one)
    for one in problems:
        if one not in broken:
            several = of_slips.get(one, [])
            placed.add(say.with_consequence(one, several, _names(several, merged)))
    layers = {one.change: one.layer.name for one in merged.applied}
    for change, (first, *others) in of_changes.items():
        first = say.broken_below(first, change.span, layers[change], change.verb, change.name, _names([first], merged))
        placed.add(say.with_consequence(first, others, _names(others, merged)))
    return placed


def with_notes(problem: Diagnostic, merged: Merged) -> Diagnostic:
    """A problem with notes about the changes that may have caused it, if it is an error in a file below a layer."""
    lower = {source.name for one in merged.below for source in one.sources}
    if problem.path not in lower or problem.severity != "error":
        return problem
    notes = tuple(
        (one.change.span, say.changed_by(one.layer.name, one.change.verb, one.change.name))
        for one in _suspects(problem, merged)
        if one.change.span != problem.span
    )
    return replace(problem, notes=(*problem.notes, *notes))


def _key(one: Diagnostic) -> tuple[str, str, int, str]:
    return one.code, one.path, one.span.start, one.message


def _names(problems: Iterable[Diagnostic], merged: Merged) -> list[str]:
    """The names of the rulesets in whose files problems stand."""
    names = {source.name: one.name for one in merged.below for source in one.sources}
    return list(dict.fromkeys(names[one.path] for one in problems))


def _suspects(problem: Diagnostic, merged: Merged) -> list[AppliedChange]:
    """The changes that may have caused a problem: those of a name in it, or else those nearest to its place, or the
    only one that there is."""
    named = [one for one in merged.applied if f"`{one.change.path[-1]}`" in problem.message]
    near = named or _nearest(merged.applied, _place(merged.root, problem.span))
    return near or (merged.applied if len(merged.applied) == 1 else [])


def _holds(applied: AppliedChange, span: Span) -> bool:
    start, end = applied.change.span, applied.change.value.span
    return start.source.file == end.source.file and start.to(end).holds(span)


def _nearest(applied: list[AppliedChange], place: tuple[str, ...]) -> list[AppliedChange]:
    """The changes that share most of the path to a place, and at least the section and a name in it."""
    shared = [len(list(takewhile(bool, map(operator.eq, one.change.path, place)))) for one in applied]
    most = max(shared, default=0)
    return [one for one, length in zip(applied, shared, strict=True) if length == most >= 2]


def _place(root: Mapping, span: Span) -> tuple[str, ...]:
    """The path of the innermost entry around a span of the base; shorter or empty inside changes."""
    path: tuple[str, ...] = ()
    node: Node | None = root
    while isinstance(node, Mapping):
        inside = [one for one in node.entries if _contains(one, span)]
        path += tuple(one.key.text for one in inside[:1])
        node = inside[0].value if inside else None
    return path


def _contains(entry: Entry, span: Span) -> bool:
    start, end = entry.key.span, entry.value.span
    return start.source.file == end.source.file and start.to(end).holds(span)
