"""The inputs for which the odds of a mechanic are of interest, as it declares them: `typical: {skill: [0, 2, 4]}`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from interpreter import diagnostics as say
from interpreter.api.decode import fold_dotted_keys
from interpreter.api.instance import Instance
from interpreter.api.query import Query, prepare
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.pipeline import Loaded
from interpreter.syntax.document import Entry, Mapping, Node, Sequence, value_at

MOST_POINTS = 60
"""The most combinations that a mechanic may declare: a reader looks at no more."""


def typical_node(entry: Entry) -> Mapping | None:
    """`typical` of a mechanic, if it has any."""
    node = value_at(entry.value, "typical")
    return node if isinstance(node, Mapping) else None


def typical_points(typical: Mapping) -> list[dict[str, Node]]:
    """Every combination of the inputs, the last of which varies fastest; each by name, without those with defaults."""
    axes = [_values(entry.value) for entry in typical.entries]
    names = [entry.key.text for entry in typical.entries]
    return [dict(zip(names, one, strict=True)) for one in islice(product(*axes), MOST_POINTS)]


def _values(node: Node) -> tuple[Node, ...]:
    return tuple(node.items) if isinstance(node, Sequence) else (node,)


def problems_of_typical_inputs(loaded: Loaded) -> Iterator[Diagnostic]:
    """The problems of the typical inputs of a ruleset without errors: too many of them, or values that do not fit."""
    if loaded.problems.errors or loaded.program is None or loaded.world is None:
        return
    entries = loaded.world.section("mechanics")
    if not any(typical_node(one) is not None for one in entries.values()):
        return
    instance = Instance(loaded.program, loaded.world)
    for name, entry in entries.items():
        typical = typical_node(entry)
        if typical is None or typical.span.source.name in loaded.world.lower:
            continue
        count = 1
        for one in typical.entries:
            count *= len(_values(one.value))
        if count > MOST_POINTS:
            yield say.too_many_typical_combinations(typical.span, count, MOST_POINTS)
        reported: set[str] = set()
        for point in typical_points(typical):
            try:
                prepare(Query(instance, name, fold_dotted_keys(point)))
            except PlayError as problem:
                text = str(problem.diagnostic)
                if text not in reported:
                    reported.add(text)
                    yield say.unfit_typical_input(typical.span, name, problem.diagnostic)
