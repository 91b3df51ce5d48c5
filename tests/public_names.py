"""The public names with their signatures, one a line, as `tests/public_names.txt` holds them."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import interpreter
from interpreter.api.game import FOR_HOSTS

NAMES = Path(__file__).parent / "public_names.txt"


def lines() -> Iterator[str]:
    """Every public name, and below a class what it has of its own."""
    for name in sorted(interpreter.__all__):
        value = getattr(interpreter, name)
        if not callable(value):
            yield f"{name}: {type(value).__name__}"
            continue
        if not inspect.isclass(value):
            yield f"{name}{inspect.signature(value)}"
            continue
        bases = [base.__name__ for base in value.__bases__ if base is not object]
        yield f"class {name}({', '.join(bases)})" if bases else f"class {name}"
        yield from (f"  {line}" for line in sorted(_members(value)))


def _members(kind: type[Any]) -> Iterator[str]:
    fields = {one.name: one for one in dataclasses.fields(kind)} if "__dataclass_fields__" in vars(kind) else {}
    for name, one in fields.items():
        if not name.startswith("_"):
            given = one.default is not dataclasses.MISSING or one.default_factory is not dataclasses.MISSING
            yield f"{name}: {one.type}{' = …' if given else ''}"
    for name in getattr(kind, "_fields", ()):
        of = kind.__annotations__.get(name, "Any")
        yield f"{name}: {getattr(of, '__forward_arg__', of)}"
    shown = FOR_HOSTS if kind is interpreter.Game else vars(kind)
    for name in shown:
        value = inspect.getattr_static(kind, name)
        if name.startswith("_") or name in fields or name in getattr(kind, "_fields", ()):
            continue
        if isinstance(value, property | cached_property):
            read = value.fget if isinstance(value, property) else value.func
            yield f"{name} -> {inspect.signature(read).return_annotation}"  # type: ignore[arg-type]
        elif isinstance(value, staticmethod | classmethod):
            yield f"{name}{inspect.signature(value.__func__)}"
        elif inspect.isfunction(value):
            yield f"{name}{inspect.signature(value)}"


def text() -> str:
    return "\n".join(lines()) + "\n"


def record(_: list[Path]) -> None:
    """Write the file anew."""
    NAMES.write_text(text(), "utf-8")
