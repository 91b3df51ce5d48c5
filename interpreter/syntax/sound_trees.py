"""Trees of texts that have nothing to report, kept while they are used.

An author changes one of several files and the others stay as they are; a host lays many house rules over a few games.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from interpreter.diagnostics import Problems, TooManyErrors
from interpreter.diagnostics.source import Source
from interpreter.syntax import document, schema
from interpreter.syntax.document import FileLimits, Node

Key = tuple[Source, str | None, FileLimits]


class KeptTrees:
    """Trees by text, shape and limits. Those that were not used for longest go when all are too large together.

    A tree counts as the characters of its text, and at least as `SMALLEST`. It takes some sixty bytes for each.
    """

    MOST = 4 << 20
    """Twice what all bundled files count, which are kept as they are read and in their shape."""
    SMALLEST = 1_000

    def __init__(self) -> None:
        self.size = 0
        self._trees: OrderedDict[Key, Node | None] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> tuple[Node | None] | None:
        """The tree of a key, in a tuple; None where it is not kept."""
        with self._lock:
            if key not in self._trees:
                return None
            self._trees.move_to_end(key)
            return (self._trees[key],)

    def keep(self, key: Key, tree: Node | None) -> None:
        """Keep a tree, and let go what was not used for longest."""
        with self._lock:
            if key not in self._trees:
                self.size += _size(key)
            self._trees[key] = tree
            while self.size > self.MOST:
                self.size -= _size(self._trees.popitem(last=False)[0])


_kept = KeptTrees()


def sound_tree(source: Source, form: str | None, limits: FileLimits) -> Node | None:
    """The tree of a text, in a shape if a form is given; None if there is anything to report."""
    key = source, form, limits
    found = _kept.get(key)
    if found is not None:
        return found[0]
    tree = _make_tree(source, form, limits)
    _kept.keep(key, tree)
    return tree


def _make_tree(source: Source, form: str | None, limits: FileLimits) -> Node | None:
    problems = Problems(most=0)
    try:
        tree = document.parse(source, problems, limits) if form is None else sound_tree(source, None, limits)
        if tree is not None and form is not None:
            tree = schema.conform(tree, form, problems)
    except TooManyErrors:
        return None
    return tree if not [*problems] and not problems.strays else None


def _size(key: Key) -> int:
    return max(len(key[0].text), KeptTrees.SMALLEST)
