"""The long form of what a path of a change goes through: the names under each node, and the shapes of their values."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics.source import Span
from interpreter.syntax import grammar as g
from interpreter.syntax import shapes
from interpreter.syntax import verb_grammar as v
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence


def long_form(node: Node, shape: shapes.Shape) -> Mapping | None:
    """The node in its long form, as a mapping; None if it has no names."""
    if isinstance(node, Mapping):
        return node
    short = shape.short if isinstance(shape, shapes.AnyOf) and not _is_list_of_parts(node, shape) else ""
    if short and isinstance(node, (Scalar, Sequence)):
        key = Scalar(short, Span(node.span.source, node.span.start, node.span.start))
        return mapping_of([Entry(key, node)], node.span)
    if isinstance(node, Sequence) and shapes.names_in(shape) is None:
        return None
    return as_mapping(node)


def _is_list_of_parts(node: Node, shape: shapes.Shape) -> bool:
    """Whether a node is a list of parts of a text: these have no names, and no long form."""
    return isinstance(node, Sequence) and shape is v.TEXT


class Children:
    """The shapes of the values of a mapping, by name, and whether their order matters."""

    def __init__(self, shape: shapes.Shape, parent: Mapping) -> None:
        self.fixed: dict[str, shapes.Shape] | None = None
        self.other: shapes.Shape = shapes.ANY_FORM
        self.ordered = False
        for one in shapes.alternatives(shape):
            self._add_child(one, parent)

    def _add_child(self, shape: shapes.Shape, parent: Mapping) -> None:
        match shape:
            case shapes.Ref(form):
                self.fixed = g.FORMS[form].keys
            case shapes.ByVerb():
                verb = next(iter(v.verbs_in(parent.by_key)), "is")
                self.fixed = v.VERBS[verb].keys
            case shapes.ByKey(key, has, has_not):
                self._add_child(has if key in parent else has_not, parent)
            case shapes.MapOf(of):
                self.fixed, self.other, self.ordered = None, of, shape.ordered

    def may_hold_names(self, name: str) -> bool:
        """Whether the author may choose the names under a key, one of the fixed keys of this mapping."""
        return self.fixed is not None and shapes.names_in(self(name)) is not None

    def __call__(self, name: str) -> shapes.Shape:
        return self.fixed.get(name, shapes.ANY_FORM) if self.fixed is not None else self.other


def path_leads_somewhere(node: Node, shape: shapes.Shape, path: tuple[str, ...]) -> bool:
    """Whether a path leads from a node to something that is there."""
    if not path:
        return True
    parent = long_form(node, shape)
    entry = parent.by_key.get(path[0]) if parent is not None else None
    return (
        entry is not None
        and parent is not None
        and path_leads_somewhere(entry.value, Children(shape, parent)(path[0]), path[1:])
    )


def as_mapping(node: Node) -> Mapping | None:
    """A mapping, or a list of names as a mapping without explanations."""
    if isinstance(node, Mapping):
        return node
    if isinstance(node, Sequence) and all(isinstance(item, Scalar) for item in node.items):
        names = [item for item in node.items if isinstance(item, Scalar)]
        return mapping_of((Entry(name, Scalar("", name.span, "'")) for name in names), node.span)
    return None


def mapping_of(entries: Iterable[Entry], span: Span) -> Mapping:
    kept = tuple(entries)
    return Mapping(kept, span, {entry.key.text: entry for entry in kept})
