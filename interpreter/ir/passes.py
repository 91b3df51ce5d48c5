"""The names that the passes of a repetition have besides their steps."""

from __future__ import annotations

from interpreter.ir.steps import Repeat


def name_before(name: str) -> str:
    """The name, in a pass, of what a step that is carried was in the pass before; no step can have it."""
    return f"{name} before"


def written_name(name: str) -> str:
    """The name as the author wrote it."""
    return name.removesuffix(" before")


def names_of_pass(repetition: Repeat) -> tuple[str, ...]:
    """The names that each pass has from its repetition."""
    return ("nth", "earlier", *[name_before(name) for name, _ in repetition.carry])
