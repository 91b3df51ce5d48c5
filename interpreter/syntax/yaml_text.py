"""Values written as YAML, in quotes only where they need them."""

from __future__ import annotations

from collections.abc import Mapping as Names

from interpreter.syntax.document import Broken, Mapping, Node, Scalar, Sequence


def flow_value(node: Node) -> str:
    """A value in flow style."""
    match node:
        case Scalar():
            return quote(" ".join(node.text.split()))
        case Sequence():
            return "[" + ", ".join(map(_inner_value, node.items)) + "]"
        case Mapping():
            return flow_mapping({entry.key.text: _inner_value(entry.value) for entry in node.entries})
        case Broken():
            return "…"


def _inner_value(node: Node) -> str:
    return quote_inside(" ".join(node.text.split())) if isinstance(node, Scalar) else flow_value(node)


def flow_mapping(values: Names[str, str]) -> str:
    """`{roll: 3d6, again: face == 6}`: values by key, each already written as YAML."""
    return "{" + ", ".join(f"{quote(key)}: {value}" for key, value in values.items()) + "}"


def quote(text: str) -> str:
    """A text as the value of a key."""
    special = text[:1] in "[]{}>|*&!%@`'\"#,?" or text.startswith("- ") or ": " in text or " #" in text or not text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if special else text


def quote_inside(text: str) -> str:
    """A text as a value between `{` and `}` or between `[` and `]`."""
    written = quote(text)
    return f'"{text}"' if written == text and any(sign in text for sign in ",[]{}?") else written
