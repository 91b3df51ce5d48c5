"""Change a name everywhere it is used: what `rename` of a house rule does besides changing the key.

The checker records the place of each use of a name and of its declaration. Every text of the tree with such a place
gets the new name. Its places stay those of the file, so that messages about it show what the author wrote there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Mapping as Names
from dataclasses import replace
from itertools import chain

from interpreter.diagnostics.source import RewrittenSource, Source, Span
from interpreter.frozen import dataclass
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence
from interpreter.syntax.lexer import raw_text
from interpreter.work_count import spend

References = Names[Span, Span]
"""The place of each use of a name, with the place of its declaration."""


@dataclass(frozen=True)
class Rename:
    """A name with the place of its declaration, and what it is called now."""

    named: Span
    old: str
    new: str


class Renames:
    """Renames that are waiting, so that the uses of all their names are found and changed at once."""

    def __init__(self, find: Callable[[Mapping], References]) -> None:
        self._find = find
        self._waiting: list[Rename] = []
        self._segments: set[str] = set()
        self._used: References = {}
        self._declared: frozenset[Span] = frozenset()

    def concern(self, path: Collection[str]) -> bool:
        """Whether a path names something that is called otherwise before or after these renames."""
        return not self._segments.isdisjoint(path)

    def is_used(self, root: Mapping, named: Span) -> bool:
        """Whether a name is used in the tree. The uses are found anew if no rename is waiting."""
        if not self._waiting:
            self._used = self._find(root)
            self._declared = frozenset(self._used.values())
        return named in self._declared

    def add(self, one: Rename) -> None:
        """Let a rename wait."""
        self._waiting.append(one)
        self._segments |= {one.old, one.new}

    def apply(self, root: Mapping) -> Mapping:
        """The tree with the new names in all uses of what was renamed; nothing waits after that."""
        renamed, self._waiting, self._segments = self._waiting, [], set()
        return rename_uses(root, renamed, self._used) if renamed else root


def rename_uses(root: Mapping, renamed: Iterable[Rename], references: References) -> Mapping:
    """The tree with the new names in all uses of names."""
    by_declaration: dict[Span, list[Rename]] = {}
    for one in renamed:
        by_declaration.setdefault(one.named, []).append(one)
    places = _Places()
    for used in references:
        spend(1)
        for one in chain.from_iterable([by_declaration.get(at, ()) for at in _declarations(used, references)]):
            places.add(used, one)
    tree = map_scalars(root, lambda scalar: _rename_within(scalar, places))
    assert isinstance(tree, Mapping)
    return tree


class _Places:
    """Places of uses with their renames, found by where they are in a text."""

    def __init__(self) -> None:
        self._by_source: dict[Source, dict[Span, list[Rename]]] = {}
        self._in_order: dict[Source, list[Span]] = {}

    def add(self, place: Span, one: Rename) -> None:
        """Add a rename of what is used at a place."""
        self._by_source.setdefault(place.source, {}).setdefault(place, []).append(one)

    def in_span(self, whole: Span) -> list[tuple[Span, list[Rename]]]:
        """The places inside of another one, the last first."""
        found = self._by_source.get(whole.source)
        if found is None:
            return []
        if whole.source not in self._in_order:
            self._in_order[whole.source] = sorted(found, key=lambda one: one.start)
        in_order = self._in_order[whole.source]
        first = bisect_left(in_order, whole.start, key=lambda one: one.start)
        last = bisect_right(in_order, whole.end, key=lambda one: one.start)
        return [(one, found[one]) for one in reversed(in_order[first:last]) if whole.holds(one)]


def _declarations(used: Span, references: References) -> Iterator[Span]:
    """The places that declare the name used at a place.

    There may be several: the row of a table may use a word of a list, and an expression may use the row.
    """
    trail: list[Span] = []
    while used in references and used not in trail:
        trail.append(used)
        used = references[used]
        yield used


def map_scalars(node: Node, change: Callable[[Scalar], Scalar]) -> Node:
    """The tree with every scalar changed, keys too. Trees are never deeper than what a file may be nested."""
    spend(1)
    if isinstance(node, Scalar):
        return change(node)
    if isinstance(node, Sequence):
        return Sequence(tuple(map_scalars(item, change) for item in node.items), node.span)
    if isinstance(node, Mapping):
        entries = tuple(Entry(change(entry.key), map_scalars(entry.value, change)) for entry in node.entries)
        return Mapping(entries, node.span, {entry.key.text: entry for entry in entries})
    return node


def _rename_within(scalar: Scalar, places: _Places) -> Scalar:
    """The scalar with the new names at those places that are inside it."""
    base = _rename_within(scalar.base, places) if scalar.base is not None else None
    whole = scalar.span
    near = places.in_span(whole)
    text, start = raw_text(scalar) if near else (scalar.text, 0)
    renames = []
    for place, several in near:
        place = whole.source.part(start, 0, len(text)) if place == whole else place
        first, end = (whole.source.distance(start, at) for at in (place.start, place.end))
        before = name = text[first:end]
        for one in several:
            name = one.new if name == one.old else name
        if name != before:
            renames.append((place.start, place.end, name))
            text = text[:first] + name + text[end:]
    if not renames:
        return scalar if base is scalar.base else replace(scalar, base=base)
    span = replace(whole, source=RewrittenSource.of_parts(whole.source, renames))
    return replace(scalar, text=text, span=span, base=base)
