"""Tell a declaration with a slip in its name once, where it stands, and not at each of its uses.

Where nothing reads a declared name, and a similar one that is not defined is read twice or more, the declaration is
what errs. Where the declaration and a use may err alike, neither is mended without the author.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.syntax.document import Mapping, Node, Scalar, Sequence, value_at

_DECLARING = {"inputs", "has", "takes", "steps", "then", "each"}
"""The keys whose entries are names that a rule or a kind declares."""
_OF_WORDS = {"names", "ladders", "tags", "roles"}
_EVERYWHERE = {"names", "ladders", "tags", "roles", "kinds", "types", "scenes"}
"""The sections whose inner names are read in all of the ruleset; those of others in their own entry only."""
_UNKNOWN = ("HR301", "HR303", "HR305", "HR306", "HR307", "HR602")


@dataclass(frozen=True, slots=True)
class _Declared:
    """A name that is declared, the entry that it is in, and the part of the text that may read it; None for all."""

    name: Scalar
    section: str
    entry: str
    within: Span | None


def tell_declarations_once(world: World) -> None:
    """Put one problem in place of those at the uses of a name that is misspelt where it is declared."""
    uses: dict[str, list[Diagnostic]] = defaultdict(list)
    for one in world.problems.errors:
        if one.code in _UNKNOWN and re.fullmatch(r"\w+", one.span.text):
            uses[one.span.text].append(one)
    uses = {name: several for name, several in uses.items() if len(several) > 1}
    if not uses:
        return
    read = set(world.references.values()) | set(world.references)
    free = [one for one in _declarations(world) if one.name.span not in read]
    for name, several in uses.items():
        near = [one for one in free if _may_be_declared(one, name, several)]
        for declared in near if len({one.name.text for one in near}) == 1 else ():
            its = [one for one in several if _is_in_scope(declared, one)]
            if len({(one.path, one.line) for one in its}) > 1 and declared.name.span.source.name not in world.lower:
                slip = say.misspelt_declaration(declared.name.span, declared.name.text, name, [one.span for one in its])
                world.problems.put_in_place_of(its, slip)


def drop_doubtful_fixes(world: World) -> None:
    """Take away the fix that writes a name of which only the declaration is written, where that may be the slip.

    It may be if the declaration stands in another file, or if the unknown name is written more than once; and if the
    name is declared twice, one of the two has the slip.
    """
    fixable = [one for one in world.problems.errors if one.edits]
    if not fixable:
        return
    twice = {one.span.text for one in world.problems.errors if one.code == "HR304"}
    declared = {one.text: one.span.source.file for one in (*_names_written(world), *_outcomes(world))}
    for one in fixable:
        (place, near), *others = one.edits
        if others or near not in declared:
            continue
        far = declared[near] is not place.source.file or _times_written(world, place.text) > 1
        if near in twice or (far and _times_written(world, near) == 1):
            world.problems.put_in_place_of([one], replace(one, edits=()))


def _times_written(world: World, name: str) -> int:
    """How often a name is written in the files of a ruleset."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return sum(len(word.findall(source.file.text)) for source in world.sources)


def _names_written(world: World) -> Iterator[Scalar]:
    return (one.name for one in _declarations(world))


def _outcomes(world: World) -> Iterator[Scalar]:
    for entries in world.sections.values():
        for entry in entries.values():
            outcomes = value_at(entry.value, "outcomes")
            yield from (one.key for one in outcomes.entries) if isinstance(outcomes, Mapping) else ()


def _may_be_declared(declared: _Declared, name: str, uses: list[Diagnostic]) -> bool:
    """Whether a name that is used may be the one of a declaration: similar, and what the uses take it for."""
    if say.nearest_name(name, [declared.name.text], sure=True) is None:
        return False
    suggestion = f"did you mean `{declared.name.text}`?"
    of_calls = {one.code for one in uses} == {"HR307"} and declared.section in ("functions", "tables")
    return of_calls or any(one.help == suggestion for one in uses)


def _is_in_scope(declared: _Declared, unknown: Diagnostic) -> bool:
    within, use = declared.within, unknown.span
    if unknown.code == "HR602":  # an input that a call or a case gives
        return unknown.message.startswith(f"`{declared.entry}` ")
    return within is None or (within.holds(use) and use.start < within.end)


def _declarations(world: World) -> Iterator[_Declared]:
    """Every name that a ruleset declares, without those of cases."""
    for section, entries in world.sections.items():
        for entry in entries.values() if section != "cases" else ():
            yield _Declared(entry.key, section, entry.key.text, None)
            within = None if section in _EVERYWHERE else _span_of_entry(entry.key.span, entry.value)
            inner = _names_inside(entry.value, section in _OF_WORDS)
            yield from (_Declared(name, section, entry.key.text, within) for name in inner)


def _span_of_entry(key: Span, value: Node) -> Span:
    return Span(key.source, key.start, max(key.end, value.span.end))


def _names_inside(node: Node, of_names: bool) -> Iterator[Scalar]:
    """The names that a declaration declares itself; `of_names` if what stands right under its key are names."""
    if isinstance(node, Sequence):
        for item in node.items:
            if not isinstance(item, Scalar):
                yield from _names_inside(item, False)
            elif of_names:
                yield item
    elif isinstance(node, Mapping):
        for entry in node.entries:
            if of_names:
                yield entry.key
            key = entry.key.text
            yield from _names_inside(entry.value, key in _DECLARING or key in ("one_of", "rungs"))
