"""The names that constructs bind inside: the passes of a repetition, and the steps in a step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.ir.expressions import Formula
from interpreter.ir.steps import ChooseEach, ForEach, Repeat, Step
from interpreter.ir.traversal import children


def name_before(name: str) -> str:
    """The name, in a pass, of what a step that is carried was in the pass before; no step can have it."""
    return f"{name} before"


def written_name(name: str) -> str:
    """The name as the author wrote it."""
    return name.removesuffix(" before")


def names_of_pass(repetition: Repeat) -> tuple[str, ...]:
    """The names that each pass has from its repetition."""
    return ("nth", "earlier", *[name_before(name) for name, _ in repetition.carry])


def names_bound_inside(node: Any) -> Iterator[str]:
    """The names that the steps inside a construct bind."""
    if isinstance(node, Formula):
        return
    if isinstance(node, (Step, ForEach)):
        yield node.name
    elif isinstance(node, Repeat):
        yield from names_of_pass(node)
    elif isinstance(node, ChooseEach):
        yield "chooser"
    for one in children(node):
        yield from names_bound_inside(one)
