"""Change a name everywhere it is used: what `rename` of a house rule does besides changing the key.

The checker records the place of each use of a name and of its declaration. Every text of the tree with such a place
gets the new name. Its places stay those of the file, so that messages about it show what the author wrote there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Names
from dataclasses import replace

from interpreter.diagnostics.source import RewrittenSource, Span
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence
from interpreter.syntax.lexer import raw_text

References = Names[Span, Span]
"""The place of each use of a name, with the place of its declaration."""


def rename_uses(root: Mapping, named: Span, old: str, new: str, references: References) -> Mapping:
    """The tree with the `new` name in all uses of the name declared at `named`, which has the `old` name."""
    places = [used for used in references if named in _declarations(used, references)]
    tree = map_scalars(root, lambda scalar: _rename_within(scalar, places, old, new))
    assert isinstance(tree, Mapping)
    return tree


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
    if isinstance(node, Scalar):
        return change(node)
    if isinstance(node, Sequence):
        return Sequence(tuple(map_scalars(item, change) for item in node.items), node.span)
    if isinstance(node, Mapping):
        entries = tuple(Entry(change(entry.key), map_scalars(entry.value, change)) for entry in node.entries)
        return Mapping(entries, node.span, {entry.key.text: entry for entry in entries})
    return node


def _rename_within(scalar: Scalar, places: list[Span], old: str, new: str) -> Scalar:
    """The scalar with the new name at those places that are inside it."""
    base = _rename_within(scalar.base, places, old, new) if scalar.base is not None else None
    whole = scalar.span
    near = [place for place in places if place.source == whole.source and whole.holds(place)]
    text, start = raw_text(scalar) if near else (scalar.text, 0)
    renames = []
    for place in sorted(near, key=lambda one: one.start, reverse=True):
        place = whole.source.part(start, 0, len(text)) if place == whole else place
        first, end = (whole.source.distance(start, at) for at in (place.start, place.end))
        if text[first:end] == old:
            renames.append((place.start, place.end, new))
            text = text[:first] + new + text[end:]
    if not renames:
        return scalar if base is scalar.base else replace(scalar, base=base)
    span = replace(whole, source=RewrittenSource.of_parts(whole.source, renames))
    return replace(scalar, text=text, span=span, base=base)
