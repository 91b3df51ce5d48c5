"""The inputs of a point in words, for readers of a comparison: `target 10, bought 2`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from interpreter.chances.table import worded
from interpreter.delta.points import Asked
from interpreter.syntax.document import Mapping, Node, Scalar, Sequence


def given(one: Asked) -> str:
    """The inputs and the answers of a point, without what is left to defaults; empty if that is all of them."""
    told = [f"{worded(name)} {text}" for name, node in one.after.inputs.items() if (text := _written(node))]
    told += [f"{worded(name)} {_written(node)}" for name, node in one.choices.items()]
    told += [f"option {worded(name)} {_written(node)}" for name, node in one.options.items()]
    told += [f"policy {worded(one.policy)}"] if one.policy else []
    for goals, way in ((one.best, "best"), (one.worst, "worst")):
        names = goals.values() if not isinstance(goals, str | None) else [goals] if goals else []
        told += [f"the {way} choices for {worded(name)}" for name in names]
    return ", ".join(told)


def _written(node: Node) -> str:
    """A value as text; nothing for a mapping that gives nothing."""
    match node:
        case Scalar():
            return worded(node.text)
        case Mapping():
            told = [f"{worded(one.key.text)}: {text}" for one in node.entries if (text := _written(one.value))]
            return f"({', '.join(told)})" if told else ""
        case Sequence():
            return ", ".join(_counted(_written(one) or "()" for one in node.items)) or "none"
    return ""


def _counted(texts: Iterator[str]) -> Iterator[str]:
    """The elements of a list; equal ones with their number."""
    for text, count in Counter(texts).items():
        is_long = text.startswith("(")
        yield f"{count} × {text}" if count > 1 and is_long else ", ".join([text] * count)
