"""The inputs of a point in words, for readers of a comparison: `target 10, bought 2`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from interpreter.api.query import goals_by_decider
from interpreter.chances.table import plain_words
from interpreter.delta.points import PointToCompare
from interpreter.syntax.document import Mapping, Node, Scalar, Sequence


def describe_inputs(one: PointToCompare) -> str:
    """The inputs and the answers of a point, without what is left to defaults; empty if that is all of them."""
    return ", ".join(input_phrases(one))


def input_phrases(one: PointToCompare) -> tuple[str, ...]:
    """The same, each by itself."""
    parts = [f"{plain_words(name)} {text}" for name, node in one.after.inputs.items() if (text := _node_in_words(node))]
    parts += [f"{plain_words(name)} {_node_in_words(node)}" for name, node in one.choices.items()]
    parts += [f"option {plain_words(name)} {_node_in_words(node)}" for name, node in one.options.items()]
    parts += [f"policy {plain_words(one.policy)}"] if one.policy else []
    for goals, way in ((one.best, "best"), (one.worst, "worst")):
        parts += [
            f"the {way} choices for {' and then '.join(map(plain_words, names))}"
            for names in goals_by_decider(goals).values()
        ]
    return tuple(parts)


def _node_in_words(node: Node) -> str:
    """A value as text; nothing for a mapping that gives nothing."""
    match node:
        case Scalar():
            return plain_words(node.text)
        case Mapping():
            parts = [
                f"{plain_words(one.key.text)}: {text}" for one in node.entries if (text := _node_in_words(one.value))
            ]
            return f"({', '.join(parts)})" if parts else ""
        case Sequence():
            return ", ".join(_counts_of_equal(_node_in_words(one) or "()" for one in node.items)) or "none"
    return ""


def _counts_of_equal(texts: Iterator[str]) -> Iterator[str]:
    """The elements of a list; equal ones with their number."""
    for text, count in Counter(texts).items():
        is_long = text.startswith("(")
        yield f"{count} × {text}" if count > 1 and is_long else ", ".join([text] * count)
