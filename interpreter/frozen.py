"""Dataclasses that are frozen for the type checker only, since every command creates hundreds of classes and thousands
of small values before it does anything else.

The methods with which a frozen dataclass refuses assignments take half of the time in which the class is created, and
double that in which a value is; mypy refuses the assignments in the interpreter anyway. What hosts are given is frozen
in earnest, by `dataclasses`.
"""

from __future__ import annotations

import dataclasses
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls: type | None = None, /, *, frozen: bool = False, eq: bool = True, repr: bool = True, **options: Any
    ) -> Any:
        """As in `dataclasses`, but without the methods that refuse assignments, and with one `__repr__` for all."""

        def make(of: type) -> type:
            hashed = eq and frozen and of.__dict__.get("__hash__") is None
            if repr and "__repr__" not in of.__dict__:
                of.__repr__ = _shown
            return dataclasses.dataclass(of, eq=eq, repr=False, unsafe_hash=hashed, **options)

        return make if cls is None else make(cls)


@recursive_repr()
def _shown(value: Any) -> str:
    values = [f"{one.name}={getattr(value, one.name)!r}" for one in dataclasses.fields(value) if one.repr]
    return f"{type(value).__qualname__}({', '.join(values)})"
